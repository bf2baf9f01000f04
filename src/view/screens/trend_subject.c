/* Choosing what Trend shows: the session's stutter, else what is worse in its cell, else the cell. */
#include "trend.h"

#include <stdlib.h>
#include <string.h>

enum { FINGERPRINT_IN_ID = 10 };

int64_t trend_quality_of(struct model *model, int64_t device, int64_t scene, int64_t preferred)
{
    const struct build_list *builds = model_builds(model);
    const struct text_list *qualities = model_qualities(model);

    for (size_t b = builds->count; preferred >= 0 && b-- > 0;)
        if (model_group_has_frames(model, &(struct group_key){builds->items[b].id, device, scene, preferred}))
            return preferred;
    for (size_t b = builds->count; b-- > 0;) {
        for (size_t q = 0; q < qualities->count; q++)
            if (model_group_has_frames(
                    model, &(struct group_key){builds->items[b].id, device, scene, qualities->items[q].id}))
                return qualities->items[q].id;
        if (model_group_has_frames(model, &(struct group_key){builds->items[b].id, device, scene, 0}))
            return 0;
    }
    return -1;
}

static const struct stutter_entry *find_entry(struct session *session)
{
    const struct stutter_entries *entries =
        model_stutters(session->model, session->build, session->baseline, session->as_it_is, NULL, NULL);

    for (size_t i = 0; entries && session->stutter[0] && i < entries->count; i++)
        if (strncmp(entries->items[i].id, session->stutter, FINGERPRINT_IN_ID) == 0)
            return &entries->items[i];
    return NULL;
}

/* What the Map shows, where it is a figure of a run; the other metrics say nothing about which one is wanted.
 */
static bool is_wanted(const struct session *session, enum compared_figure *ret)
{
    static const struct {
        enum metric metric;
        enum compared_figure figure;
    } same[] = {{METRIC_P95, COMPARED_P95},
                {METRIC_P99, COMPARED_P99},
                {METRIC_MAX, COMPARED_MAX},
                {METRIC_HITCH_RATIO, COMPARED_HITCH_RATIO}};

    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (same[i].metric == session->metric) {
            *ret = same[i].figure;
            return true;
        }
    return false;
}

/* A transition is no event of its own: its scene is shown as a whole. */
static bool take_stutter(struct trend_state *state)
{
    const struct stutter_entry *entry = find_entry(state->session);

    if (!entry || entry->stutter.label != LABEL_GAMEPLAY)
        return false;
    state->subject = (struct trend_subject){
        entry->stutter.key.device, entry->stutter.key.scene, entry->stutter.key.quality, entry->stutter.event,
        state->session->metric == METRIC_RATE ? COMPARED_RATE : COMPARED_PEAK};
    state->scope = TREND_EVENT;
    return true;
}

/* What grew most, if anything is worse; the greatest frame alone is no drift. */
static void take_drift(struct trend_state *state)
{
    struct session *session = state->session;
    const struct group_comparisons *comparisons = model_compare_groups(
        session->model, session->build, session->baseline, session->as_it_is, NULL, NULL);
    double worst = 0;
    bool wanted = is_wanted(session, &state->subject.figure);

    for (size_t i = 0; comparisons && i < comparisons->count; i++) {
        const struct group_comparison *here = &comparisons->items[i];

        if (here->key.device != state->subject.device || here->key.scene != state->subject.scene ||
            here->comparison.verdict != VERDICT_WORSE || here->figure == COMPARED_MAX ||
            (session->quality >= 0 && here->key.quality != session->quality) ||
            here->comparison.delta_percent <= worst)
            continue;
        if (wanted && here->figure != state->subject.figure)
            continue;
        worst = here->comparison.delta_percent;
        state->subject.quality = here->key.quality;
        state->subject.figure = here->figure;
    }
}

static void take_cell(struct trend_state *state)
{
    const struct session *session = state->session;

    state->subject = (struct trend_subject){
        .device = session->device,
        .scene = session->scene,
        .quality = trend_quality_of(session->model, session->device, session->scene, session->quality),
        .event = -1,
        .figure = COMPARED_P99};
    if (state->scope == TREND_EVENT)
        state->scope = TREND_SCENE;
    take_drift(state);
}

/* Nothing was chosen yet: what is first to decide, else the first cell that has frames. */
static bool choose_in_session(struct session *session, struct error *error)
{
    struct open_items open = {0};
    bool good = session_open_items(session, &open, error);

    for (size_t i = 0; good && i < open.count && !session->device; i++) {
        if (open.items[i].kind == OPEN_STUTTER)
            session_choose_stutter(session, open.items[i].worst);
        else if (open.items[i].kind == OPEN_DRIFT || open.items[i].kind == OPEN_SLOW) {
            session->device = open.items[i].device;
            session->scene = open.items[i].scene;
        }
    }
    free(open.items);
    if (!good || session->device)
        return good;

    const struct build_results *results = model_results(session->model, session->build, true, NULL, error);

    if (!results)
        return false;
    if (results->groups.count) {
        session->device = results->groups.items[0].key.device;
        session->scene = results->groups.items[0].key.scene;
    }
    return true;
}

/* On the Cover a device is chosen without a scene. */
static void choose_scene(struct session *session)
{
    const struct text_list *scenes = model_scenes(session->model);

    for (size_t i = 0; !session->scene && i < scenes->count; i++)
        if (trend_quality_of(session->model, session->device, scenes->items[i].id, -1) >= 0)
            session->scene = scenes->items[i].id;
}

static bool is_still_the_same(const struct trend_state *state)
{
    const struct session *session = state->session;

    return state->has_subject && state->taken.device == session->device &&
           state->taken.scene == session->scene &&
           strncmp(state->taken.stutter, session->stutter, FINGERPRINT_IN_ID) == 0;
}

bool trend_choose(struct trend_state *state, struct error *error)
{
    struct session *session = state->session;

    if (!session->device && !choose_in_session(session, error))
        return false;
    choose_scene(session);
    if (!is_still_the_same(state)) {
        if (!take_stutter(state))
            take_cell(state);
        state->taken.device = session->device;
        state->taken.scene = session->scene;
        memcpy(state->taken.stutter, session->stutter, sizeof state->taken.stutter);
        state->placed = state->range_moved = false;
        state->marked[0] = state->marked[1] = 0;
    }
    if (session->quality >= 0)
        state->subject.quality =
            trend_quality_of(session->model, state->subject.device, state->subject.scene, session->quality);
    state->has_subject = state->subject.device && state->subject.scene && state->subject.quality >= 0;
    return true;
}
