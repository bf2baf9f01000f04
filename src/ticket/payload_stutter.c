/*
 * One stutter of a payload: who and where, its figures, the comparison.
 */
#include "payload_parts.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>

/* What is known about one stutter while its object is written. */
struct member {
    const struct stutter_entry *entry;
    const struct build_results *results;
    const struct group_figures *group;   /* NULL: no frames here */
    const struct stutter_window *window; /* the worst one; NULL when the stutter is gone */
    struct run_list runs;                /* of the build on the device */
    const struct run_row *run;           /* of the window, else the first; NULL */
};

static const struct run_row *find_run(const struct run_list *runs, int64_t id)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->items[i].id == id)
            return &runs->items[i];
    return NULL;
}

static void add_integer(struct json *object, const char *name, int64_t value, bool known)
{
    json_add(object, name, json_from_integer(known ? value : VALUE_UNKNOWN));
}

static void add_real(struct json *object, const char *name, double value, bool known)
{
    json_add(object, name, known ? json_from_double(value, 6) : json_null());
}

/*
 * The commits to look through: from the last build without the stutter (else the baseline) to the first one
 * with it (else this build).
 */
static struct json *commit_range(struct model *model, const struct stutter_entry *entry)
{
    bool stepped = entry->last_clean_build && entry->first_seen_build;
    const struct build_row *from =
        model_build(model, stepped ? entry->last_clean_build : entry->baseline_build);
    const struct build_row *to =
        model_build(model, stepped ? entry->first_seen_build : entry->stutter.key.build);
    struct json *range;

    if (!from || !to || !from->commit || !to->commit)
        return json_null();
    range = json_object();
    payload_add_text(range, "from", from->commit);
    payload_add_text(range, "to", to->commit);
    return range;
}

void payload_put_build(struct model *model, struct json *object, int64_t id)
{
    const struct build_row *build = model_build(model, id);
    char date[40];

    payload_add_text(object, "build", model_build_name(model, id));
    payload_add_text(object, "commit", build ? build->commit : NULL);
    payload_add_text(object, "ci_run", build ? build->ci_run : NULL);
    clock_print(date, sizeof date, build ? build->built_at_ms : VALUE_UNKNOWN);
    payload_add_text(object, "built_at", date[0] ? date : NULL);
}

static void put_build(struct model *model, struct json *object, const struct stutter_entry *entry)
{
    payload_put_build(model, object, entry->stutter.key.build);
    json_add(object, "commit_range", commit_range(model, entry));
}

static void put_place(struct model *model, struct json *object, const struct member *member)
{
    const struct group_key *key = &member->entry->stutter.key;
    const struct device_row *device = model_device(model, key->device);
    const struct run_row *run = member->run;

    payload_add_text(object, "device", device ? device->model : NULL);
    payload_add_text(object, "device_name", device ? device->name : NULL);
    payload_add_text(object, "device_tier", device ? device->tier : NULL);
    payload_add_text(object, "chip", device && device->chip && device->chip[0] ? device->chip : NULL);
    payload_add_text(object, "gpu", run ? run->gpu_name : NULL);
    payload_add_text(object, "os", run ? run->os : NULL);
    payload_add_text(object, "scene", model_scene_name(model, key->scene));
    payload_add_text(object, "quality", model_quality_name(model, key->quality));
    payload_add_text(object, "scenario", run ? run->scenario : NULL);
    payload_add_text(object, "label", frame_label_name(member->entry->stutter.label));
    payload_add_text(object, "event", model_text(model, member->entry->stutter.event));
    payload_add_text(object, "run", member->window && run ? run->name : NULL);
    payload_add_text(object, "log_url", run ? run->log_url : NULL);
}

static void put_window(struct json *object, const struct stutter_window *window)
{
    const struct stutter_window unknown = {.start_ns = VALUE_UNKNOWN,
                                           .end_ns = VALUE_UNKNOWN,
                                           .event_offset_ns = VALUE_UNKNOWN,
                                           .over = VALUE_UNKNOWN,
                                           .excess_ns = VALUE_UNKNOWN,
                                           .cpu_peak_ns = VALUE_UNKNOWN,
                                           .gpu_peak_ns = VALUE_UNKNOWN,
                                           .cpu_at_peak_ns = VALUE_UNKNOWN,
                                           .gpu_at_peak_ns = VALUE_UNKNOWN,
                                           .gc_peak = VALUE_UNKNOWN,
                                           .draw_calls_at_peak = VALUE_UNKNOWN,
                                           .limit_ns = VALUE_UNKNOWN,
                                           .budget_ns = VALUE_UNKNOWN};

    json_add(object, "stutter_window", window ? payload_window_text(window) : json_null());
    if (!window)
        window = &unknown;
    payload_add_ms(object, "window_start_ms", window->start_ns);
    payload_add_ms(object, "window_end_ms", window->end_ns);
    payload_add_ms(object, "event_offset_ms", window->event ? window->event_offset_ns : VALUE_UNKNOWN);
    json_add(object, "over_budget_frames", json_from_integer(window->over));
    payload_add_ms(object, "excess_ms", window->excess_ns);
    payload_add_ms(object, "budget_ms", window->budget_ns);
    payload_add_ms(object, "threshold_ms", window->limit_ns);
    payload_add_ms(object, "cpu_frame_ms_peak", window->cpu_peak_ns);
    payload_add_ms(object, "gpu_frame_ms_peak", window->gpu_peak_ns);
    payload_add_ms(object, "cpu_at_peak_ms", window->cpu_at_peak_ns);
    payload_add_ms(object, "gpu_at_peak_ms", window->gpu_at_peak_ns);
    json_add(object, "gc_alloc_bytes_peak", json_from_integer(window->gc_peak));
    json_add(object, "draw_calls_at_peak", json_from_integer(window->draw_calls_at_peak));
}

/* Occurrences of the event in a scene: of one quality, or of all (-1). */
static int64_t count_seen(const struct build_results *results, const struct group_key *key, int64_t event,
                          bool any_quality)
{
    int64_t seen = 0;

    for (size_t g = 0; g < results->groups.count; g++) {
        const struct group_key *other = &results->groups.items[g].key;
        size_t count;
        const struct event_figures *events;

        if (other->device != key->device || other->scene != key->scene ||
            (!any_quality && other->quality != key->quality))
            continue;
        events = results_events(results, other, &count);
        for (size_t i = 0; i < count; i++)
            if (events[i].event == event)
                seen += events[i].occurrences;
    }
    return seen;
}

static int64_t seen_of(const struct member *member)
{
    const struct stutter *stutter = &member->entry->stutter;

    if (member->entry->present || !stutter->event)
        return member->entry->present ? stutter->seen : stutter->runs;
    return count_seen(member->results, &stutter->key, stutter->event, false);
}

static void put_figures(struct json *object, const struct member *member)
{
    const struct stutter_entry *entry = member->entry;
    const struct stutter *stutter = &entry->stutter;

    payload_add_ms(object, "peak_frame_ms", entry->present ? stutter->peak_ns : VALUE_UNKNOWN);
    add_integer(object, "windows", stutter->windows, true);
    add_integer(object, "runs_hit", stutter->runs_hit, true);
    add_integer(object, "runs", stutter->runs, true);
    add_real(object, "occurrence", entry->occurrence, entry->present);
    add_integer(object, "seen", seen_of(member), true);
    add_real(object, "weight", entry->weight, true);
    add_real(object, "severity", entry->severity, entry->present);
}

static void put_verdict(struct model *model, struct json *object, const struct stutter_entry *entry)
{
    payload_add_text(object, "verdict", verdict_name(entry->verdict));
    payload_add_text(object, "reason", entry->reason[0] ? entry->reason : NULL);
    json_add(object, "history_short", json_from_bool(entry->history_short));
    payload_add_text(object, "baseline_build", model_build_name(model, entry->baseline_build));
    json_add(object, "baseline_pinned", json_from_bool(entry->baseline_pinned));
    payload_add_ms(object, "baseline_build_peak_ms", entry->baseline_peak_ns);
    payload_add_ms(object, "delta_peak_ms", entry->delta_peak_ns);
    payload_add_text(object, "first_seen_build", model_build_name(model, entry->first_seen_build));
    payload_add_text(object, "last_clean_build", model_build_name(model, entry->last_clean_build));
}

static bool same_group(const struct group_key *a, const struct group_key *b)
{
    return a->build == b->build && a->device == b->device && a->scene == b->scene && a->quality == b->quality;
}

/* The pooled figure as stats shows it; beside it what is compared: medians over the runs, as compare shows
 * them. */
static bool put_distribution(struct payload_work *work, struct json *object, const struct member *member)
{
    static const struct {
        enum compared_figure figure;
        const char *pooled, *per_run, *before, *delta;
    } figures[] = {
        {COMPARED_P95, "p95_ms", "p95_per_run_ms", "baseline_p95_per_run_ms", "delta_p95_ms"},
        {COMPARED_P99, "p99_ms", "p99_per_run_ms", "baseline_p99_per_run_ms", "delta_p99_ms"},
        {COMPARED_MAX, "max_ms", "max_per_run_ms", "baseline_max_per_run_ms", "delta_max_ms"},
    };
    const struct group_key *key = &member->entry->stutter.key;
    const struct group_comparisons *comparisons =
        model_compare_groups(work->model, key->build, 0, false, NULL, work->error);
    const struct distribution *known =
        member->group && member->group->distribution.frames ? &member->group->distribution : NULL;
    const int64_t pooled[] = {known ? known->p95_ns : VALUE_UNKNOWN, known ? known->p99_ns : VALUE_UNKNOWN,
                              known ? known->max_ns : VALUE_UNKNOWN};

    for (size_t f = 0; comparisons && f < sizeof figures / sizeof *figures; f++) {
        const struct figure_comparison *found = NULL;

        for (size_t i = 0; i < comparisons->count && !found; i++)
            if (comparisons->items[i].figure == figures[f].figure &&
                same_group(&comparisons->items[i].key, key))
                found = &comparisons->items[i].comparison;
        payload_add_ms(object, figures[f].pooled, pooled[f]);
        add_real(object, figures[f].per_run, found ? found->after : 0, found != NULL);
        add_real(object, figures[f].before, found ? found->before : 0, found != NULL);
        add_real(object, figures[f].delta, found ? found->delta : 0, found != NULL);
    }
    return comparisons != NULL;
}

static struct json *clean_devices(struct model *model, const struct member *member)
{
    const struct stutter_entry *entry = member->entry;
    struct json *list = json_array();

    for (size_t i = 0; i < entry->clean_devices.count; i++) {
        const struct device_row *device = model_device(model, entry->clean_devices.items[i]);
        struct group_key key = entry->stutter.key;
        struct json *item = json_object();

        key.device = entry->clean_devices.items[i];
        payload_add_text(item, "device", device ? device->model : NULL);
        payload_add_text(item, "device_name", device ? device->name : NULL);
        json_add(item, "seen",
                 json_from_integer(count_seen(member->results, &key, entry->stutter.event, true)));
        json_append(list, item);
    }
    return list;
}

/* What was left out of the run's log; null for a full one. */
static struct json *sampling(const struct run_row *run)
{
    bool missing = run && run_row_is_sampled(run);
    struct json *object;

    if (!run || (!missing && run->sampling.every <= 1))
        return json_null();
    object = json_object();
    json_add(object, "every",
             json_from_integer(run->sampling.every > 1 ? run->sampling.every : VALUE_UNKNOWN));
    payload_add_ms(object, "kept_over_ms",
                   run->sampling.every > 1 ? run->sampling.kept_over_ns : VALUE_UNKNOWN);
    json_add(object, "undeclared", json_from_bool(missing));
    return object;
}

/* Frames that the measuring itself disturbed; null when there are none. */
static struct json *interference(const struct group_figures *group)
{
    const struct label_total *total = group ? &group->distribution.labelled[LABEL_INTERFERENCE] : NULL;
    struct json *object;

    if (!total || !total->frames)
        return json_null();
    object = json_object();
    json_add(object, "frames", json_from_integer(total->frames));
    payload_add_ms(object, "ms", total->ns);
    json_add(object, "over_budget_frames", json_from_integer(total->over));
    return object;
}

static int compare_peaks(const void *a, const void *b)
{
    const struct stutter_window *x = *(const struct stutter_window *const *)a;
    const struct stutter_window *y = *(const struct stutter_window *const *)b;

    if (x->peak_ns != y->peak_ns)
        return x->peak_ns < y->peak_ns ? 1 : -1;
    if (x->run != y->run)
        return x->run < y->run ? -1 : 1;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* The worst of the stutter's windows, for people who want to look at another one. */
static struct json *worst_windows(const struct member *member)
{
    enum { WINDOWS_TOLD = 5 };
    const struct stutter *stutter = &member->entry->stutter;
    struct {
        const struct stutter_window **items;
        size_t count, capacity;
    } mine = {0};
    struct json *list = json_array();
    size_t count;
    const struct stutter_window *windows = results_windows(member->results, &stutter->key, &count);

    for (size_t i = 0; i < count; i++)
        if (windows[i].event == stutter->event && windows[i].label == stutter->label)
            array_push(&mine, &windows[i]);
    if (mine.count)
        qsort(mine.items, mine.count, sizeof *mine.items, compare_peaks);
    for (size_t i = 0; i < mine.count && i < WINDOWS_TOLD; i++) {
        const struct run_row *run = find_run(&member->runs, mine.items[i]->run);
        struct json *item = json_object();

        payload_add_text(item, "run", run ? run->name : NULL);
        json_add(item, "stutter_window", payload_window_text(mine.items[i]));
        payload_add_ms(item, "peak_frame_ms", mine.items[i]->peak_ns);
        json_add(item, "over_budget_frames", json_from_integer(mine.items[i]->over));
        json_append(list, item);
    }
    array_free(&mine);
    return list;
}

static bool gather(struct payload_work *work, const struct stutter_entry *entry, struct member *ret)
{
    const struct group_key *key = &entry->stutter.key;

    *ret = (struct member){.entry = entry};
    ret->results = model_results(work->model, key->build, false, NULL, work->error);
    if (!ret->results || !model_list_runs(work->model, key->build, key->device, &ret->runs, work->error))
        return false;
    ret->group = results_group(ret->results, key);
    ret->window = entry->present ? results_worst_window(ret->results, &entry->stutter) : NULL;
    ret->run = ret->window       ? find_run(&ret->runs, ret->window->run)
               : ret->runs.count ? &ret->runs.items[0]
                                 : NULL;
    return true;
}

struct json *payload_stutter(struct payload_work *work, const struct stutter_entry *entry)
{
    struct json *object = json_object();
    struct model *model = work->model;
    struct member member;
    bool good = gather(work, entry, &member);

    if (good) {
        payload_add_text(object, "id", entry->id);
        payload_add_text(object, "fingerprint", entry->fingerprint);
        json_add(object, "reopen", payload_reopen(model, entry->id));
        put_build(model, object, entry);
        put_place(model, object, &member);
        put_figures(object, &member);
        put_window(object, member.window);
        put_verdict(model, object, entry);
        good =
            put_distribution(work, object, &member) && payload_put_surroundings(work, object, member.window);
        payload_put_causes(object, member.window);
        json_add(object, "worst_windows", worst_windows(&member));
        json_add(object, "clean_devices", clean_devices(model, &member));
        json_add(object, "sampling", sampling(member.run));
        json_add(object, "interference", interference(member.group));
        json_add(object, "few_frames", json_from_bool(member.group && member.group->flags & FIGURE_FEW));
    }
    run_list_free(&member.runs);
    if (good)
        return object;
    json_destroy(object);
    return NULL;
}
