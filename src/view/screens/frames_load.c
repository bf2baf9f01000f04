/* Choosing what to show: the stutter, its run, its window. */
#include "frames.h"

#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { FINGERPRINT_IN_ID = 10 };

void frames_unload(struct frames *frames)
{
    frames_drop_overlay(frames);
    run_detail_destroy(frames->detail);
    frames->detail = NULL;
    stutter_runs_free(&frames->runs);
    free(frames->why);
    free(frames->cause);
    free(frames->baseline);
    frames->why = frames->cause = frames->baseline = NULL;
    frames->has_window = false;
}

static void take_entry(struct frames *frames, const struct stutter_entry *entry)
{
    frames->entry = *entry;
    memset(&frames->entry.clean_devices, 0, sizeof frames->entry.clean_devices);
    frames->has_entry = true;
}

static const struct stutter_entry *worst_in(const struct stutter_entries *entries, int64_t device,
                                            int64_t scene)
{
    for (int pass = 0; pass < 2; pass++) /* gameplay first */
        for (size_t i = 0; i < entries->count; i++) {
            const struct stutter_entry *entry = &entries->items[i];
            if (entry->present && (entry->stutter.label == LABEL_GAMEPLAY) == (pass == 0) &&
                (!device || entry->stutter.key.device == device) &&
                (!scene || entry->stutter.key.scene == scene))
                return entry;
        }
    return NULL;
}

/* The same stutter in the shown build, whatever build the id speaks of. */
static const struct stutter_entry *same_stutter(const struct stutter_entries *entries, const char *id)
{
    for (size_t i = 0; id[0] && i < entries->count; i++)
        if (strncmp(entries->items[i].id, id, FINGERPRINT_IN_ID) == 0)
            return &entries->items[i];
    return NULL;
}

/* What is first to decide; what is worst when nothing is. */
static const struct stutter_entry *first_open(struct session *session, const struct stutter_entries *entries)
{
    struct open_items open = {0};
    const struct stutter_entry *found = NULL;
    struct error ignored;
    if (session_open_items(session, &open, &ignored))
        for (size_t i = 0; i < open.count && !found; i++)
            if (open.items[i].kind == OPEN_STUTTER)
                found = open.items[i].worst;
    free(open.items);
    return found ? found : worst_in(entries, 0, 0);
}

/* The stutter is not in this build: its place is still shown, without figures. */
static void keep_absent(struct frames *frames)
{
    struct stutter_entry *entry = &frames->entry;
    entry->present = false;
    entry->verdict = VERDICT_NONE;
    entry->stutter.key.build = frames->session->build;
    entry->stutter.runs_hit = entry->stutter.windows = entry->stutter.seen = entry->stutter.worst_window = 0;
    entry->stutter.peak_ns = entry->delta_peak_ns = VALUE_UNKNOWN;
    entry->reason[0] = '\0';
    entry->id[0] = '\0';
}

static bool choose_entry(struct frames *frames, const struct progress *progress, struct error *error)
{
    struct session *session = frames->session;
    const struct stutter_entries *entries =
        model_stutters(session->model, session->build, session->baseline, session->as_it_is, progress, error);
    bool had = frames->has_entry && session->stutter[0] &&
               strncmp(frames->entry.fingerprint, session->stutter, FINGERPRINT_IN_ID) == 0;
    if (entries == NULL)
        return false;
    const struct stutter_entry *entry = same_stutter(entries, session->stutter);
    if (entry == NULL && had) {
        keep_absent(frames);
        return true;
    }
    frames->has_entry = false;
    if (entry == NULL && session->device)
        entry = worst_in(entries, session->device, session->scene);
    else if (entry == NULL)
        entry = first_open(session, entries);
    if (entry == NULL)
        return true;
    take_entry(frames, entry);
    if (strcmp(session->stutter, entry->id) != 0) {
        int64_t run = session->run, window = session->window;
        session_choose_stutter(session, entry);
        session->run = run;
        session->window = window;
    }
    return true;
}

/* Runs of the device, as names with nothing known about a stutter. */
static bool list_plain_runs(struct frames *frames, int64_t device, struct error *error)
{
    struct session *session = frames->session;
    if (!model_list_runs(session->model, session->build, device, &frames->runs.owned, error))
        return false;
    for (size_t i = 0; i < frames->runs.owned.count; i++)
        array_push(&frames->runs, (struct stutter_run){.name = frames->runs.owned.items[i].name,
                                                       .run = frames->runs.owned.items[i].id,
                                                       .peak_ns = VALUE_UNKNOWN});
    return true;
}

static bool list_runs(struct frames *frames, struct error *error)
{
    struct session *session = frames->session;
    const struct build_results *results = model_results(session->model, session->build, true, NULL, error);
    if (results == NULL)
        return false;
    frames->waits = !results->complete;
    if (frames->has_entry && results->complete)
        return model_stutter_runs(session->model, &frames->entry, &frames->runs, error);
    return list_plain_runs(frames, frames->has_entry ? frames->entry.stutter.key.device : session->device,
                           error);
}

static bool is_listed(const struct frames *frames, int64_t run)
{
    for (size_t i = 0; i < frames->runs.count; i++)
        if (frames->runs.items[i].run == run)
            return true;
    return false;
}

/* The session's run, else that of its window, else that of the stutter's worst window, else the first. */
static int64_t choose_run(struct frames *frames)
{
    struct session *session = frames->session;
    const struct build_results *results = model_results(session->model, session->build, true, NULL, NULL);
    const int64_t wanted[] = {session->window, frames->has_entry ? frames->entry.stutter.worst_window : 0};
    if (session->run && is_listed(frames, session->run))
        return session->run;
    for (size_t i = 0; results && i < sizeof wanted / sizeof *wanted; i++) {
        const struct stutter_window *window = wanted[i] ? results_window(results, wanted[i]) : NULL;
        if (window && is_listed(frames, window->run))
            return window->run;
    }
    return frames->runs.count ? frames->runs.items[0].run : 0;
}

static bool belongs(const struct stutter_window *window, const struct stutter *stutter)
{
    return window->scene == stutter->key.scene && window->quality == stutter->key.quality &&
           window->label == stutter->label && window->event == stutter->event;
}

static const struct stutter_window *choose_window(const struct frames *frames)
{
    const struct run_detail *detail = frames->detail;
    const struct stutter_window *worst = NULL;
    for (size_t i = 0; i < detail->windows.count; i++) {
        const struct stutter_window *window = &detail->windows.items[i];
        if (frames->session->window && window->id == frames->session->window)
            return window;
        if (frames->has_entry ? belongs(window, &frames->entry.stutter)
                              : frames_window_is_listed(frames, window))
            if (worst == NULL || window->peak_ns > worst->peak_ns)
                worst = window;
    }
    return worst;
}

/* A window alone was not decided on: what is known of its stutter counts for it. */
static bool window_fits(const struct frames *frames, const struct filter *filter, const struct stutter_window *window)
{
    struct session *session = frames->session;
    struct filter_subject subject;
    struct error ignored;
    const struct stutter_entries *entries =
        filter ? model_stutters(session->model, session->build, session->baseline, true, NULL, &ignored) : NULL;
    for (size_t i = 0; entries && i < entries->count; i++) {
        const struct stutter *stutter = &entries->items[i].stutter;
        if (stutter->key.device != frames->detail->run->device || stutter->key.scene != window->scene ||
            stutter->key.quality != window->quality || stutter->event != window->event ||
            stutter->label != window->label)
            continue;
        filter_subject_entry(&subject, session->model, &entries->items[i]);
        subject.numbers[FILTER_PEAK] = (double)window->peak_ns / NS_PER_MS;
        return filter_fits(filter, &subject);
    }
    return true;
}

static bool is_unfolded(const struct frames *frames, const struct stutter_window *window)
{
    return window->label == LABEL_GAMEPLAY || frames->session->shows_folded;
}

size_t frames_count_fitting(const void *state, const struct filter *filter, size_t *ret_of)
{
    const struct frames *frames = state;
    size_t count = 0;
    *ret_of = 0;
    for (size_t i = 0; frames->detail && i < frames->detail->windows.count; i++) {
        const struct stutter_window *window = &frames->detail->windows.items[i];
        *ret_of += is_unfolded(frames, window);
        count += is_unfolded(frames, window) && window_fits(frames, filter, window);
    }
    return count;
}

bool frames_window_is_listed(const struct frames *frames, const struct stutter_window *window)
{
    return (is_unfolded(frames, window) && window_fits(frames, frames->session->filter, window)) ||
           (frames->has_window && frames->window.id == window->id);
}

static void set_texts(struct frames *frames)
{
    free(frames->why);
    free(frames->cause);
    frames->why = frames->has_window ? window_why_text(frames->session->model, &frames->window) : NULL;
    frames->cause = frames->has_window ? window_cause_text(frames->session->model, &frames->window) : NULL;
}

static void take_window(struct frames *frames, const struct stutter_window *window)
{
    frames->has_window = window != NULL;
    if (window)
        frames->window = *window;
    frames->session->window = window ? window->id : 0;
    set_texts(frames);
    if (window)
        frames->typical = run_detail_typical(frames->detail, window);
}

void frames_choose_window(struct frames *frames, const struct stutter_window *window)
{
    struct session *session = frames->session;
    const struct stutter_entries *entries =
        model_stutters(session->model, session->build, session->baseline, true, NULL, NULL);
    take_window(frames, window);
    for (size_t i = 0; entries && i < entries->count; i++) {
        const struct stutter_entry *entry = &entries->items[i];
        if (!entry->present || entry->stutter.key.device != frames->detail->run->device ||
            !belongs(window, &entry->stutter))
            continue;
        bool other = !frames->has_entry || strcmp(entry->id, frames->entry.id) != 0;
        take_entry(frames, entry);
        session_choose_stutter(session, entry);
        if (other && !frames->waits) {
            stutter_runs_free(&frames->runs);
            if (!model_stutter_runs(session->model, entry, &frames->runs, NULL))
                stutter_runs_free(&frames->runs);
        }
        break;
    }
    session->run = frames->detail->run->id;
    session->window = window->id;
    frames->cursor = frames_peak_frame(frames);
    frames_fit(frames);
}

/* Where to look in a run without such a window: at the event, at the scene, at the start. */
static size_t clean_place(const struct frames *frames)
{
    const struct run_detail *detail = frames->detail;
    const struct stutter *stutter = &frames->entry.stutter;
    int64_t ns = detail->first_ns;
    if (!frames->has_entry)
        return 0;
    if (stutter->event && frames_find_event(detail, stutter->key.scene, stutter->event, 0, &ns))
        return run_detail_frame_at(detail, ns);
    for (size_t i = 0; i < detail->visits.count; i++)
        if (detail->visits.items[i].scene == stutter->key.scene)
            return run_detail_frame_at(detail, detail->visits.items[i].start_ns);
    return 0;
}

/* Fits the view to what is shown now; what the user zoomed to stays while that is the same. */
static void keep_or_fit(struct frames *frames)
{
    int64_t window = frames->has_window ? frames->window.id : 0, run = frames->detail->run->id;
    bool same =
        window == frames->view_window && run == frames->view_run && frames->cursor < frames->detail->count;
    if (frames->detail->count == 0)
        return;
    if (!same) {
        frames->cursor = frames->has_window ? frames_peak_frame(frames) : clean_place(frames);
        frames_fit(frames);
    }
    frames->view_window = window;
    frames->view_run = run;
}

static bool load_run(struct frames *frames, int64_t run, struct error *error)
{
    if (!model_run_detail(frames->session->model, run, &frames->detail, error)) {
        frames->detail = NULL;
        return false;
    }
    if (frames->detail->count == 0)
        return true;
    take_window(frames, choose_window(frames));
    frames->session->run = run;
    keep_or_fit(frames);
    if (frames->wants_overlay) {
        struct error ignored;
        frames->wants_overlay = frames_load_overlay(frames, &ignored);
    }
    return true;
}

bool frames_load(struct frames *frames, const struct progress *progress, struct error *error)
{
    struct session *session = frames->session;
    frames_unload(frames);
    if (!session->build) {
        frames->has_entry = false;
        return true;
    }
    if (!choose_entry(frames, progress, error) || !list_runs(frames, error))
        return false;
    if (frames->has_entry)
        frames->baseline = memory_copy_text(model_build_name(session->model, frames->entry.baseline_build));
    int64_t run = choose_run(frames);
    return run == 0 || load_run(frames, run, error);
}
