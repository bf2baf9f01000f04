/* Trend as words of a place: figure, scope, range, nights, cursor and marks by the names of builds. */
#include "trend.h"

#include <string.h>

static const char *const scopes[] = {[TREND_EVENT] = "event", [TREND_SCENE] = "scene", [TREND_DEVICE] = "device"};

static const char *name_of(const struct trend_state *state, int64_t build)
{
    return model_build_name(state->session->model, build);
}

void trend_keep(const void *user, struct view_words *words)
{
    const struct trend_state *state = user;
    const struct trend_subject *subject = &state->subject;
    const struct model *model = state->session->model;

    if (!state->history)
        return;
    view_words_put(words, "figure", compared_figure_name(subject->figure));
    view_words_put(words, "scope", scopes[state->scope]);
    if (subject->event >= 0)
        view_words_put(words, "event", model_text(model, subject->event));
    if (state->session->quality < 0)
        view_words_put(words, "on", model_quality_name(model, subject->quality));
    if ((size_t)state->cursor.selected < state->builds.count)
        view_words_put(words, "at", name_of(state, state->builds.items[state->cursor.selected].build));
    view_words_put_switch(words, "without-baseline", state->hides_baseline);
    view_words_put_switch(words, "steps-only", state->folds_others);
    if (state->nights)
        view_words_put_number(words, "nights", state->nights);
    if (state->range_moved)
        view_words_put(words, "first-bad", name_of(state, state->builds.items[state->range.first_bad].build));
    if (state->marked[0])
        view_words_put(words, "mark", name_of(state, state->marked[0]));
    if (state->marked[1])
        view_words_put(words, "mark2", name_of(state, state->marked[1]));
}

/* The event of this name in the shown build; 0: frames of no event; -1: it is not known there. */
static int64_t find_event(struct session *session, const char *name)
{
    struct error ignored;
    const struct stutter_entries *entries =
        *name ? model_stutters(session->model, session->build, session->baseline, true, NULL, &ignored) : NULL;

    for (size_t i = 0; entries && i < entries->count; i++) {
        const char *event = model_text(session->model, entries->items[i].stutter.event);

        if (event && strcmp(event, name) == 0)
            return entries->items[i].stutter.event;
    }
    return *name ? -1 : 0;
}

static int64_t find_build(const struct trend_state *state, const char *name)
{
    struct error ignored;
    int64_t build;

    return name && model_find_build(state->session->model, name, &build, &ignored) ? build : 0;
}

static size_t position_of(const struct trend_state *state, const char *name)
{
    int64_t build = find_build(state, name);

    for (size_t i = 0; build && i < state->builds.count; i++)
        if (state->builds.items[i].build == build)
            return i;
    return SIZE_MAX;
}

static void take_subject(struct trend_state *state, const struct view_words *words)
{
    struct session *session = state->session;
    const char *figure = view_words_get(words, "figure"), *event = view_words_get(words, "event"),
               *scope = view_words_get(words, "scope"), *quality = view_words_get(words, "on");
    struct trend_subject subject = {.device = session->device, .scene = session->scene, .event = event ? find_event(session, event) : -1};
    struct error ignored;

    if (!session->device || !session->scene || !figure || !compared_figure_find(figure, &subject.figure, &ignored) ||
        (event && subject.event < 0))
        return;
    if (subject.event < 0 && (subject.figure == COMPARED_PEAK || subject.figure == COMPARED_RATE))
        return;
    if (!quality || !*quality || !model_find_quality(session->model, quality, &subject.quality, &ignored))
        subject.quality = session->quality;
    subject.quality = trend_quality_of(session->model, session->device, session->scene, subject.quality);
    state->scope = subject.event < 0 ? TREND_SCENE : TREND_EVENT;
    for (size_t i = 0; scope && i < sizeof scopes / sizeof *scopes; i++)
        if (strcmp(scope, scopes[i]) == 0)
            state->scope = (enum trend_scope)i;
    state->subject = subject;
    state->has_subject = true;
    state->taken.device = session->device;
    state->taken.scene = session->scene;
    memcpy(state->taken.stutter, session->stutter, sizeof state->taken.stutter);
}

static void take_range(struct trend_state *state, const char *name)
{
    size_t at = position_of(state, name);
    struct history_range range;

    if (at == SIZE_MAX || !state->history || !state->history->builds[at].runs.count)
        return;
    history_range_at(state->history, at, &range);
    if (range.last_good == SIZE_MAX)
        return;
    state->range = range;
    state->has_range = state->range_moved = true;
}

void trend_take(void *user, const struct view_words *words, bool filled)
{
    struct trend_state *state = user;
    size_t at;
    int64_t number;

    if (!filled) {
        take_subject(state, words);
        state->hides_baseline = view_words_has(words, "without-baseline");
        state->folds_others = view_words_has(words, "steps-only");
        if (view_words_number(words, "nights", 3, INT32_MAX, &number))
            state->nights = (int)number;
        return;
    }
    at = position_of(state, view_words_get(words, "at"));
    if (at != SIZE_MAX)
        state->cursor.selected = (int)at;
    take_range(state, view_words_get(words, "first-bad"));
    state->marked[0] = find_build(state, view_words_get(words, "mark"));
    state->marked[1] = find_build(state, view_words_get(words, "mark2"));
}
