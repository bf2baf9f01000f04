/*
 * Results of whole builds: read from the store, or kept in memory where the store cannot be written.
 */
#include "internal.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

struct cached_build *model_cached(struct model *model, int64_t build)
{
    int64_t position = model_build_position(model, build);

    return position < 0 ? NULL : &model->cached[position];
}

static void results_free(struct build_results *results)
{
    free(results->groups.items);
    free(results->runs.items);
    free(results->events.items);
    free(results->windows.items);
    free(results->stutters.items);
    memset(results, 0, sizeof *results);
}

static void free_cached(struct cached_build *cached);

static void free_parts(struct cached_build *cached)
{
    for (size_t i = 0; i < cached->parts.count; i++) {
        free_cached(cached->parts.items[i]);
        free(cached->parts.items[i]);
    }
    array_free(&cached->parts);
}

static void free_cached(struct cached_build *cached)
{
    results_free(&cached->results);
    results_free(&cached->taken);
    run_list_free(&cached->runs);
    array_free(&cached->ranges.groups);
    array_free(&cached->ranges.runs);
    array_free(&cached->ranges.events);
    array_free(&cached->ranges.windows);
    array_free(&cached->ranges.stutters);
    free_parts(cached);
}

void results_forget(struct model *model)
{
    if (model->cached)
        for (size_t i = 0; i < model->builds.count; i++)
            free_cached(&model->cached[i]);
    free(model->cached);
    model->cached = NULL;
}

const struct run_start_list *model_run_starts(struct model *model, struct error *error)
{
    if (!model->has_starts && !store_list_run_starts(model->store, model->series, &model->starts, error)) {
        run_start_list_free(&model->starts);
        return NULL;
    }
    model->has_starts = true;
    return &model->starts;
}

void results_forget_cached(struct model *model, int64_t build)
{
    struct cached_build *cached = model_cached(model, build);

    if (cached) {
        cached->loaded = false;
        free_parts(cached);
    }
}

const struct run_list *model_build_runs(struct model *model, int64_t build, struct error *error)
{
    static const struct run_list none;
    struct cached_build *cached = model_cached(model, build);

    if (!cached)
        return &none;
    if (!cached->runs.count && !model_list_runs(model, build, 0, &cached->runs, error))
        return NULL;
    return &cached->runs;
}

/*
 * Sorting: every row begins with, or contains, the key of its group. One comparison on four numbers (device, scene,
 * quality, then what tells rows of a group apart) serves all lists.
 */
struct row_order {
    int64_t device, scene, quality, minor[2];
};

static int compare_orders(const struct row_order *a, const struct row_order *b)
{
    const int64_t x[] = {a->device, a->scene, a->quality, a->minor[0], a->minor[1]},
                  y[] = {b->device, b->scene, b->quality, b->minor[0], b->minor[1]};

    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Rows of runs know their run only; its device is looked up, by the run. */
struct run_devices {
    struct {
        int64_t run, device;
    } *items;
    size_t count;
    int64_t otherwise; /* device of runs that are not listed */
};

static int compare_run_devices(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static struct run_devices list_run_devices(const struct cached_build *cached)
{
    const struct run_list *runs = &cached->runs;
    struct run_devices list = {memory_take_zeroed(runs->count + 1, sizeof *list.items), runs->count, cached->key.device};

    for (size_t i = 0; i < runs->count; i++) {
        list.items[i].run = runs->items[i].id;
        list.items[i].device = runs->items[i].device;
    }
    qsort(list.items, list.count, sizeof *list.items, compare_run_devices);
    return list;
}

static int64_t device_of_run(const struct run_devices *runs, int64_t run)
{
    size_t low = 0, high = runs->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (runs->items[middle].run < run)
            low = middle + 1;
        else
            high = middle;
    }
    return low < runs->count && runs->items[low].run == run ? runs->items[low].device : runs->otherwise;
}

typedef struct row_order order_of_row(const void *row, const struct run_devices *runs);

static struct row_order order_of_group(const void *row, const struct run_devices *runs)
{
    const struct group_figures *group = row;

    (void)runs;
    return (struct row_order){group->key.device, group->key.scene, group->key.quality, {0, 0}};
}

static struct row_order order_of_run(const void *row, const struct run_devices *runs)
{
    const struct run_figures *run = row;

    return (struct row_order){device_of_run(runs, run->run), run->scene, run->quality, {run->run, 0}};
}

static struct row_order order_of_event(const void *row, const struct run_devices *runs)
{
    const struct event_figures *event = row;

    return (struct row_order){device_of_run(runs, event->run), event->scene, event->quality, {event->event, event->run}};
}

static struct row_order order_of_window(const void *row, const struct run_devices *runs)
{
    const struct stutter_window *window = row;

    return (struct row_order){device_of_run(runs, window->run), window->scene, window->quality, {window->run, window->start_ns}};
}

static struct row_order order_of_stutter(const void *row, const struct run_devices *runs)
{
    const struct stutter *stutter = row;

    (void)runs;
    return (struct row_order){stutter->key.device, stutter->key.scene, stutter->key.quality, {(int64_t)stutter->label, stutter->event}};
}

struct sort_entry {
    struct row_order order;
    size_t index;
};

static int compare_entries(const void *a, const void *b)
{
    const struct sort_entry *x = a, *y = b;
    int order = compare_orders(&x->order, &y->order);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static void *sort_rows(void *rows, size_t count, size_t size, order_of_row *order, const struct run_devices *runs)
{
    if (count < 2)
        return rows;

    struct sort_entry *entries = memory_take(count * sizeof *entries);
    char *sorted = memory_take(count * size);

    for (size_t i = 0; i < count; i++)
        entries[i] = (struct sort_entry){order((char *)rows + i * size, runs), i};
    qsort(entries, count, sizeof *entries, compare_entries);
    for (size_t i = 0; i < count; i++)
        memcpy(sorted + i * size, (char *)rows + entries[i].index * size, size);
    free(entries);
    free(rows);
    return sorted;
}

/* Where the rows of every group begin in a sorted list: rows are asked for by group, thousands of times for one screen. */
static struct row_ranges index_rows(const void *rows, size_t count, size_t size, order_of_row *order, const struct run_devices *runs)
{
    struct row_ranges ranges = {0};

    for (size_t i = 0; i < count; i++) {
        struct row_order here = order((const char *)rows + i * size, runs);
        struct row_range *last = ranges.count ? &ranges.items[ranges.count - 1] : NULL;

        if (last && last->device == here.device && last->scene == here.scene && last->quality == here.quality)
            last->count++;
        else
            array_push(&ranges, (struct row_range){here.device, here.scene, here.quality, i, 1});
    }
    return ranges;
}

#define SORT_ROWS(name, order)                                                                                         \
    do {                                                                                                               \
        cached->results.name.items = sort_rows(cached->results.name.items, cached->results.name.count,                 \
                                               sizeof *cached->results.name.items, order, &runs);                      \
        array_free(&cached->ranges.name);                                                                              \
        cached->ranges.name = index_rows(cached->results.name.items, cached->results.name.count,                       \
                                         sizeof *cached->results.name.items, order, &runs);                            \
    } while (0)

static void sort_results(struct cached_build *cached)
{
    struct run_devices runs = list_run_devices(cached);

    SORT_ROWS(groups, order_of_group);
    SORT_ROWS(stutters, order_of_stutter);
    free(runs.items);
}

static bool read_results(struct model *model, struct cached_build *cached, const struct derived_filter *filter, struct error *error)
{
    struct build_results *results = &cached->results;

    results_free(results);
    cached->has_runs = cached->has_events = cached->has_windows = false;
    return store_read_groups(model->store, model->key, filter, &results->groups, error) &&
           store_read_stutters(model->store, model->key, filter, &results->stutters, error);
}

bool model_build_is_complete(const struct model *model, int64_t build)
{
    for (size_t i = 0; i < model->groups.count; i++)
        if (model->groups.items[i].key.build == build && model->groups.items[i].stale)
            return false;
    return true;
}

#define TAKE_ROWS(to, from)                                                                                            \
    do {                                                                                                               \
        for (size_t taken_ = 0; taken_ < (from).count; taken_++)                                                       \
            array_push(&(to), (from).items[taken_]);                                                                   \
    } while (0)

static void take_rows(struct build_results *to, const struct build_results *from)
{
    TAKE_ROWS(to->groups, from->groups);
    TAKE_ROWS(to->stutters, from->stutters);
}

/* Ids of windows that are in no store are negative, so that they never meet one that is. */
void results_take(struct model *model, struct group_results *results)
{
    struct cached_build *cached = model_cached(model, results->group.key.build);
    int64_t first = -(int64_t)cached->taken.windows.count - 1;

    for (size_t i = 0; i < results->windows.count; i++)
        results->windows.items[i].id = first - (int64_t)i;
    for (size_t i = 0; i < results->stutters.count; i++)
        results->stutters.items[i].worst_window = first - results->stutters.items[i].worst_window;
    array_push(&cached->taken.groups, results->group);
    TAKE_ROWS(cached->taken.runs, results->runs);
    TAKE_ROWS(cached->taken.events, results->events);
    TAKE_ROWS(cached->taken.windows, results->windows);
    TAKE_ROWS(cached->taken.stutters, results->stutters);
    cached->loaded = false;
}

const struct build_results *model_results(struct model *model, int64_t build, bool as_it_is,
                                          const struct progress *progress, struct error *error)
{
    struct cached_build *cached = model_cached(model, build);

    if (!cached) {
        error_set(error, ERROR_USAGE, "there is no such build in this store");
        return NULL;
    }
    /* What was read stays as it is until somebody analyses, so that pointers into it are good for one piece of work. */
    if (cached->loaded && (cached->results.complete || as_it_is))
        return &cached->results;
    if (!as_it_is && !model_analyze(model, build, progress, error))
        return NULL;
    if (!model_build_runs(model, build, error))
        return NULL;
    if (!read_results(model, cached, &(struct derived_filter){.build = build, .quality = -1}, error)) /* what is current in the store, however it was opened */
        return NULL;
    take_rows(&cached->results, &cached->taken);
    sort_results(cached);
    cached->model = model;
    cached->results.build = build;
    cached->results.complete = model_build_is_complete(model, build);
    cached->loaded = true;
    return &cached->results;
}

static bool is_stale(const struct model *model, const struct group_key *key)
{
    size_t count, first = model_group_range(model, key, &count);

    for (size_t i = first; i < first + count; i++)
        if (model->groups.items[i].key.build == key->build)
            return model->groups.items[i].stale;
    return false;
}

static struct cached_build *find_part(const struct cached_build *cached, const struct group_key *key)
{
    for (size_t i = 0; i < cached->parts.count; i++) {
        struct cached_build *part = cached->parts.items[i];

        if (part->key.device == key->device && part->key.scene == key->scene && part->key.quality == key->quality)
            return part;
    }
    return NULL;
}

/* The part that holds one group; NULL with error. */
static struct cached_build *need_part(struct model *model, struct cached_build *cached, const struct group_key *key, struct error *error)
{
    struct cached_build *part = find_part(cached, key);

    if (part)
        return part;
    part = memory_take_zeroed(1, sizeof *part);
    if (!read_results(model, part, &(struct derived_filter){key->build, key->device, key->scene, key->quality, 0}, error)) {
        free_cached(part);
        free(part);
        return NULL;
    }
    part->model = model;
    part->key = *key;
    sort_results(part);
    part->results.build = key->build;
    part->results.complete = !is_stale(model, key);
    array_push(&cached->parts, part);
    return part;
}

const struct build_results *model_group_results(struct model *model, const struct group_key *key, struct error *error)
{
    struct cached_build *cached = model_cached(model, key->build), *part;

    if (!cached || cached->taken.groups.count || (cached->loaded && cached->has_runs && cached->has_events))
        return model_results(model, key->build, true, NULL, error);
    part = need_part(model, cached, key, error);
    return part ? &part->results : NULL;
}

/*
 * Runs, events and windows are most of the rows, and the first screen shows none of them: they are read for the builds where
 * somebody looks at them. The results are the first member of what is kept of a build.
 */
#define READ_LATER(name, read, order, results, error)                                                                  \
    do {                                                                                                               \
        struct cached_build *cached = (struct cached_build *)(results);                                                \
        struct derived_filter filter = filter_of(cached);                                                              \
                                                                                                                       \
        if (!cached->model || !cached->results.build || cached->has_##name)                                            \
            return true;                                                                                               \
        if (!read(cached->model->store, cached->model->key, &filter, &cached->results.name, error)) {                  \
            free(cached->results.name.items);                                                                          \
            memset(&cached->results.name, 0, sizeof cached->results.name);                                             \
            return false;                                                                                              \
        }                                                                                                              \
        cached->has_##name = true;                                                                                     \
        TAKE_ROWS(cached->results.name, cached->taken.name);                                                           \
                                                                                                                       \
        struct run_devices runs = list_run_devices(cached);                                                            \
                                                                                                                       \
        SORT_ROWS(name, order);                                                                                        \
        free(runs.items);                                                                                              \
        return true;                                                                                                   \
    } while (0)

static struct derived_filter filter_of(const struct cached_build *cached)
{
    bool whole = !cached->key.build;

    return (struct derived_filter){cached->results.build, cached->key.device, cached->key.scene, whole ? -1 : cached->key.quality, 0};
}

static bool need_runs(const struct build_results *results, struct error *error)
{
    READ_LATER(runs, store_read_run_figures, order_of_run, results, error);
}

static bool need_events(const struct build_results *results, struct error *error)
{
    READ_LATER(events, store_read_event_figures, order_of_event, results, error);
}

static bool need_windows(const struct build_results *results, struct error *error)
{
    READ_LATER(windows, store_read_windows, order_of_window, results, error);
}

const struct build_results *model_whole_results(struct model *model, int64_t build, bool as_it_is, const struct progress *progress, struct error *error)
{
    const struct build_results *results = model_results(model, build, as_it_is, progress, error);

    return results && need_runs(results, error) && need_events(results, error) ? results : NULL;
}

const struct run_figures_list *results_all_runs(const struct build_results *results, struct error *error)
{
    return need_runs(results, error) ? &results->runs : NULL;
}

const struct event_figures_list *results_all_events(const struct build_results *results, struct error *error)
{
    return need_events(results, error) ? &results->events : NULL;
}

const struct stutter_window_list *results_all_windows(const struct build_results *results, struct error *error)
{
    return need_windows(results, error) ? &results->windows : NULL;
}

static size_t group_rows(const struct row_ranges *ranges, const struct group_key *key, size_t *ret_count)
{
    size_t low = 0, high = ranges->count;
    struct row_order wanted = {key->device, key->scene, key->quality, {0, 0}};

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct row_range *range = &ranges->items[middle];
        struct row_order here = {range->device, range->scene, range->quality, {0, 0}};

        if (compare_orders(&here, &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }

    const struct row_range *found = low < ranges->count ? &ranges->items[low] : NULL;
    bool is_it = found && found->device == key->device && found->scene == key->scene && found->quality == key->quality;

    *ret_count = is_it ? found->count : 0;
    return is_it ? found->first : 0;
}

/* The cache around a build's results: results are its first member. */
#define GROUP_ROWS(name, key, ret_count)                                                                               \
    (results->name.items + group_rows(&((const struct cached_build *)results)->ranges.name, key, ret_count))

const struct group_figures *results_group(const struct build_results *results, const struct group_key *key)
{
    size_t count;
    const struct group_figures *group = results->groups.items;

    if (!group)
        return NULL;
    group = GROUP_ROWS(groups, key, &count);
    return count ? group : NULL;
}

const struct run_figures *results_runs(const struct build_results *results, const struct group_key *key, size_t *ret_count)
{
    *ret_count = 0;
    need_runs(results, NULL);
    return results->runs.count ? GROUP_ROWS(runs, key, ret_count) : NULL;
}

const struct event_figures *results_events(const struct build_results *results, const struct group_key *key, size_t *ret_count)
{
    *ret_count = 0;
    need_events(results, NULL);
    return results->events.count ? GROUP_ROWS(events, key, ret_count) : NULL;
}

const struct stutter_window *results_windows(const struct build_results *results, const struct group_key *key, size_t *ret_count)
{
    const struct cached_build *cached = (const struct cached_build *)results;

    *ret_count = 0;
    if (cached->model && !cached->has_windows && !cached->key.build && !cached->taken.groups.count) {
        struct group_key here = {results->build, key->device, key->scene, key->quality};
        struct cached_build *part = need_part(cached->model, model_cached(cached->model, results->build), &here, NULL);

        results = part ? &part->results : NULL;
    }
    if (!results || !need_windows(results, NULL))
        return NULL;
    return results->windows.count ? GROUP_ROWS(windows, key, ret_count) : NULL;
}

const struct stutter *results_stutters(const struct build_results *results, const struct group_key *key, size_t *ret_count)
{
    *ret_count = 0;
    return results->stutters.count ? GROUP_ROWS(stutters, key, ret_count) : NULL;
}

const struct stutter_window *results_window(const struct build_results *results, int64_t id)
{
    const struct stutter_window_list *windows = results_all_windows(results, NULL);

    for (size_t i = 0; windows && i < windows->count; i++)
        if (windows->items[i].id == id)
            return &windows->items[i];
    return NULL;
}

const struct stutter_window *results_worst_window(const struct build_results *results, const struct stutter *stutter)
{
    size_t count;
    const struct stutter_window *windows = results_windows(results, &stutter->key, &count);

    for (size_t i = 0; i < count; i++)
        if (windows[i].id == stutter->worst_window)
            return &windows[i];
    return NULL;
}
