/* What the settings of the store say about the shown build, what the tried ones say, and the difference. */
#include "tune.h"

#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/model/triage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const rules[] = {"both", "budget", "mad", "either", NULL};
static const char *const factors[] = {"1",   "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7",
                                      "1.8", "1.9", "2",   "2.1", "2.2", "2.3", "2.4", "2.5",
                                      "2.6", "2.7", "2.8", "2.9", "3",   "3.1", "3.2", "3.3",
                                      "3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "4",   NULL};
static const char *const zs[] = {"1", "1.5", "2", "2.5", "3",  "3.5", "4",  "4.5", "5",
                                 "6", "7",   "8", "9",   "10", "11",  "12", NULL};
static const char *const gaps[] = {"0",    "50",   "100",  "200",  "300",  "500", "750",
                                   "1000", "1500", "2000", "3000", "5000", NULL};
static const char *const floors[] = {"0", "0.1", "0.2", "0.3", "0.5", "0.75",
                                     "1", "1.5", "2",   "3",   "4",   NULL};
static const char *const fews[] = {"1",   "5",   "10",  "20",  "30",   "50",
                                   "100", "200", "300", "500", "1000", NULL};

const struct tune_setting tune_settings[TUNE_SETTINGS] = {
    {"rule", "rule", "", 0, 0, rules},
    {"factor", "factor", "", 1, 4, factors},
    {"z", "z", "", 1, 12, zs},
    {"gap", "gap", " ms", 0, 5000, gaps},
    {"mad-floor", "MAD floor", " ms", 0, 4, floors},
    {"few", "min frames", "", 1, 1000, fews},
};

static const char *const class_titles[TUNE_CLASSES] = {
    "ticket", "undecided", "investigating", "known", "won't fix", "done", "once", "unclear", "same/better"};

const char *tune_class_title(enum tune_class class)
{
    return class_titles[class];
}

void tune_clear(struct tune_state *state)
{
    array_free(&state->now);
    array_free(&state->lost);
    for (size_t i = 0; i < state->devices.count; i++)
        free(state->devices.items[i].title);
    array_free(&state->devices);
    for (size_t i = 0; i < state->scenes.count; i++)
        free(state->scenes.items[i]);
    array_free(&state->scenes);
    free(state->cells);
    state->cells = NULL;
}

/* ---- settings ---- */

/* Values between two stops are possible (they come from the store or the command line). */
bool tune_step(struct analysis_settings *settings, size_t setting, int step)
{
    const struct tune_setting *info = &tune_settings[setting];
    char value[64];
    size_t count = 0, at;
    double here = NAN, there;

    analysis_settings_print(settings, info->name, value, sizeof value);
    number_parse_double(value, strlen(value), &here);
    while (info->stops[count])
        count++;
    if (isnan(here)) { /* words: around in a circle */
        for (at = 0; at < count && strcmp(info->stops[at], value) != 0;)
            at++;
        at = (at + (step > 0 ? 1 : count - 1)) % count;
        return analysis_settings_set(settings, info->name, info->stops[at], NULL);
    }
    for (size_t i = 0; i < count; i++) {
        at = step > 0 ? i : count - 1 - i;
        number_parse_double(info->stops[at], strlen(info->stops[at]), &there);
        if (step > 0 ? there > here : there < here)
            return analysis_settings_set(settings, info->name, info->stops[at], NULL);
    }
    return false;
}

bool tune_differs(const struct tune_state *state, size_t setting)
{
    char here[64], there[64];

    analysis_settings_print(model_settings(state->session->model), tune_settings[setting].name, here,
                            sizeof here);
    analysis_settings_print(&state->stored, tune_settings[setting].name, there, sizeof there);
    return strcmp(here, there) != 0;
}

/* ---- stutters ---- */

static enum tune_class class_of(const struct stutter_entry *entry)
{
    switch (entry->triage.state) {
    case TRIAGE_FILED:
        return TUNE_TICKET;
    case TRIAGE_INVESTIGATING:
        return TUNE_INVESTIGATING;
    case TRIAGE_KNOWN:
    case TRIAGE_NOISE:
    case TRIAGE_ENVIRONMENT:
        return TUNE_KNOWN;
    case TRIAGE_WONT_FIX:
        return TUNE_WONT_FIX;
    case TRIAGE_DONE:
        return TUNE_DONE;
    default:
        break;
    }
    if (entry->verdict == VERDICT_NEW || entry->verdict == VERDICT_BACK || entry->verdict == VERDICT_WORSE)
        return TUNE_DECIDE;
    return entry->verdict == VERDICT_SPORADIC ? TUNE_ONCE
           : entry->verdict == VERDICT_NONE   ? TUNE_UNCLEAR
                                              : TUNE_SAME;
}

static void add_stutter(struct tune_stutters *stutters, const struct tune_stutter *stutter)
{
    stutters->windows += stutter->windows;
    stutters->by_class[stutter->class]++;
    array_push(stutters, *stutter);
}

static bool list_stutters(struct session *session, const struct progress *progress, struct tune_stutters *ret, struct error *error)
{
    const struct stutter_entries *entries =
        model_stutters(session->model, session->build, session->baseline, session->as_it_is, progress, error);

    memset(ret, 0, sizeof *ret);
    for (size_t i = 0; entries && i < entries->count; i++) {
        const struct stutter_entry *entry = &entries->items[i];
        struct tune_stutter stutter = {.class = class_of(entry),
                                       .device = entry->stutter.key.device,
                                       .scene = entry->stutter.key.scene,
                                       .event = entry->stutter.event,
                                       .peak_ns = entry->stutter.peak_ns,
                                       .windows = entry->stutter.windows};

        if (!entry->present || entry->stutter.label != LABEL_GAMEPLAY)
            continue;
        memcpy(stutter.fingerprint, entry->fingerprint, sizeof stutter.fingerprint);
        add_stutter(ret, &stutter);
    }
    return entries != NULL;
}

static enum tune_class class_before(const struct tune_stutters *was, const char *fingerprint)
{
    for (size_t i = 0; i < was->count; i++)
        if (strcmp(was->items[i].fingerprint, fingerprint) == 0)
            return was->items[i].class;
    return TUNE_UNCLEAR;
}

/* Without any comparison, which has to look at many builds: a stutter that was there is taken for what it was. */
static bool list_uncompared(struct tune_state *state, struct tune_stutters *ret, struct error *error)
{
    struct session *session = state->session;
    const struct build_results *results = model_results(session->model, session->build, true, NULL, error);

    memset(ret, 0, sizeof *ret);
    for (size_t i = 0; results && i < results->stutters.count; i++) {
        const struct stutter *from = &results->stutters.items[i];
        struct triage_subject subject = {FINDING_HITCH, from->key, from->label, from->event};
        struct tune_stutter stutter = {.device = from->key.device,
                                       .scene = from->key.scene,
                                       .event = from->event,
                                       .peak_ns = from->peak_ns,
                                       .windows = from->windows};

        if (from->label != LABEL_GAMEPLAY)
            continue;
        triage_fingerprint(session->model, &subject, stutter.fingerprint);
        stutter.class = class_before(&state->was, stutter.fingerprint);
        add_stutter(ret, &stutter);
    }
    return results != NULL;
}

/* The build that is shown comes first and soon enough to be waited for; those it is compared with follow in steps. */
static bool analyse_shown_build(struct session *session, struct error *error)
{
    enum { WAIT_MS = 110 };
    int64_t until = clock_steady_ms() + WAIT_MS, left = 0;

    while (session->as_it_is && model_is_tuned(session->model) && !model_build_is_complete(session->model, session->build) &&
           clock_steady_ms() < until)
        if (!model_analyze_step(session->model, session->build, &left, error))
            return false;
    session_check_results(session);
    return true;
}

static bool count_lines(struct session *session, struct tune_stutters *stutters, struct error *error)
{
    struct open_items open = {0};
    bool good = session_open_items(session, &open, error);

    stutters->lines = open.count;
    free(open.items);
    return good;
}

size_t tune_count(const struct tune_stutters *stutters, enum tune_class class)
{
    return stutters->by_class[class];
}

size_t tune_count_lost(const struct tune_state *state, enum tune_class class)
{
    size_t count = 0;

    for (size_t i = 0; i < state->lost.count; i++)
        count += state->lost.items[i].class == class;
    return count;
}

static bool contains(const struct tune_stutters *stutters, const char *fingerprint)
{
    for (size_t i = 0; i < stutters->count; i++)
        if (strcmp(stutters->items[i].fingerprint, fingerprint) == 0)
            return true;
    return false;
}

/*
 * With the settings of the store. When others are in use (Tune was left and entered again), those are put back; the steps
 * work on those, so what the store's settings lack is worked out at once: what is lost is counted from it.
 */
static bool take_was(struct tune_state *state, const struct progress *progress, struct error *error)
{
    struct session *session = state->session;
    struct analysis_settings tried = *model_settings(session->model);
    bool tuned = model_is_tuned(session->model), good = true;

    array_free(&state->was);
    memset(&state->was, 0, sizeof state->was);
    if (tuned)
        good = model_try_settings(session->model, &state->stored, error);
    session_check_results(session);
    session->as_it_is = session->as_it_is && !tuned;
    good = good && list_stutters(session, progress, &state->was, error) && count_lines(session, &state->was, error);
    /* What is not analysed yet cannot be compared with: it will be asked again. */
    state->has_was = good && !session->as_it_is;
    state->build = session->build;
    return (!tuned || model_try_settings(session->model, &tried, good ? error : NULL)) && good;
}

/* ---- the small map ---- */

static int device_at(const struct tune_state *state, int64_t device)
{
    for (size_t i = 0; i < state->devices.count; i++)
        if (state->devices.items[i].device == device)
            return (int)i;
    return -1;
}

static struct tune_cell *cell_of(struct tune_state *state, const struct heatmap *heatmap,
                                 const struct tune_stutter *stutter)
{
    int row = device_at(state, stutter->device);

    for (size_t s = 0; row >= 0 && s < heatmap->scenes.count; s++)
        if (heatmap->scenes.items[s]->id == stutter->scene)
            return &state->cells[(size_t)row * heatmap->scenes.count + s];
    return NULL;
}

/* The frames are there whatever the settings say; results are not. */
static bool has_frames(struct tune_state *state, int64_t device, int64_t scene)
{
    struct model *model = state->session->model;
    const struct text_list *qualities = model_qualities(model);
    struct group_key key = {state->session->build, device, scene, 0};

    if (model_group_has_frames(model, &key))
        return true;
    for (size_t q = 0; q < qualities->count; q++) {
        key.quality = qualities->items[q].id;
        if (model_group_has_frames(model, &key))
            return true;
    }
    return false;
}

static bool is_analysed(const struct build_results *results, int64_t device)
{
    for (size_t i = 0; i < results->groups.count; i++)
        if (results->groups.items[i].key.device == device)
            return true;
    return false;
}

static void compare_cells(struct tune_state *state, const struct heatmap *heatmap)
{
    struct tune_cell *cell;

    for (size_t i = 0; i < state->was.count; i++) {
        const struct tune_stutter *stutter = &state->was.items[i];
        bool kept = contains(&state->now, stutter->fingerprint);
        int row = device_at(state, stutter->device);

        if (!kept && row >= 0 && state->devices.items[row].waits)
            continue;
        cell = cell_of(state, heatmap, stutter);
        if (cell && kept)
            cell->kept++;
        else if (cell)
            cell->lost++;
        if (!kept)
            array_push(&state->lost, *stutter);
    }
    state->gained = 0;
    for (size_t i = 0; i < state->now.count; i++) {
        if (contains(&state->was, state->now.items[i].fingerprint))
            continue;
        state->gained++;
        cell = cell_of(state, heatmap, &state->now.items[i]);
        if (cell)
            cell->gained++;
    }
}

static int compare_losses(const void *a, const void *b)
{
    const struct tune_stutter *x = a, *y = b;

    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    return x->peak_ns > y->peak_ns ? -1 : x->peak_ns < y->peak_ns;
}

static bool make_map(struct tune_state *state, struct error *error)
{
    struct session *session = state->session;
    const struct build_results *results = model_results(session->model, session->build, true, NULL, error);
    struct heatmap *heatmap;

    if (!results || !model_heatmap_axes(session->model, session->build, &heatmap, error))
        return false;
    for (size_t s = 0; s < heatmap->scenes.count; s++)
        array_push(&state->scenes, memory_copy_text(heatmap->scenes.items[s]->text));
    state->cells =
        memory_take_zeroed(heatmap->devices.count * heatmap->scenes.count + 1, sizeof *state->cells);
    state->waiting = 0;
    for (size_t d = 0; d < heatmap->devices.count; d++) {
        const struct device_row *device = heatmap->devices.items[d];
        bool any = false;

        for (size_t s = 0; s < heatmap->scenes.count; s++) {
            struct tune_cell *cell = &state->cells[d * heatmap->scenes.count + s];

            cell->has_frames = has_frames(state, device->id, heatmap->scenes.items[s]->id);
            cell->missing = heatmap_cell(heatmap, d, s)->state == STATE_MISSING;
            any |= cell->has_frames;
        }
        array_push(&state->devices,
                   (struct tune_device){device->id, memory_copy_text(model_device_title(device)),
                                        any && session->as_it_is && !is_analysed(results, device->id)});
        state->waiting += state->devices.items[d].waits;
    }
    compare_cells(state, heatmap);
    if (state->lost.count)
        qsort(state->lost.items, state->lost.count, sizeof *state->lost.items, compare_losses);
    heatmap_destroy(heatmap);
    return true;
}

bool tune_recompute(void *user, const struct progress *progress, struct error *error)
{
    struct tune_state *state = user;
    struct session *session = state->session;

    tune_clear(state);
    if (!model_stored_settings(session->model, &state->stored, error))
        return false;
    if (model_build_position(session->model, session->build) < 0)
        session->build = model_newest_build(session->model);
    if (!session->build)
        return true;
    if ((!state->has_was || state->build != session->build) && !take_was(state, progress, error))
        return false;
    session_check_results(session);
    if (!analyse_shown_build(session, error))
        return false;
    if (session->as_it_is ? !list_uncompared(state, &state->now, error)
                          : !list_stutters(session, NULL, &state->now, error) || !count_lines(session, &state->now, error))
        return false;
    scroll_set_count(&state->setting, TUNE_SETTINGS);
    if (!make_map(state, error))
        return false;
    scroll_set_count(&state->row, (int)state->devices.count);
    if (state->found >= state->devices.count) /* what is lost is another list now */
        state->found = SIZE_MAX;
    if (session->analyses_in_steps && !session->as_it_is && state->changed_ms && !state->took_ms)
        state->took_ms = clock_steady_ms() - state->changed_ms + 1;
    return true;
}
