/*
 * Frames of the store to figures, one device of one build at a time: labels per run, distributions per run and group,
 * then windows judged by the group's distribution.
 */
#include "analyze_current.h"
#include "analyze_stutters.h"
#include "internal.h"
#include "pieces.h"
#include "sides.h"
#include "summaries.h"
#include "stutterscope/analysis/holes.h"
#include "stutterscope/analysis/windows.h"
#include "stutterscope/base/dictionary.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* Up to so many frames of a device stay in memory between the two passes; larger ones are unpacked twice. */
enum { FRAMES_KEPT = 1000000 };

/* The pieces of a run that belong to a group: a stretch of its by_group. */
struct group_run {
    struct run_pieces *run;
    size_t first, count;
    bool cold; /* whatever the order of its frames */
};

struct group_work {
    int64_t scene, quality;
    struct distribution_builder *builder;
    struct group_results results;
    struct { struct group_run *items; size_t count, capacity; } runs; /* parallel to results.runs */
};

struct device_work {
    struct model *model;
    int64_t build, device;
    struct run_pieces *runs;
    size_t run_count;
    struct { struct group_work *items; size_t count, capacity; } groups;
    struct dictionary *group_keys; /* id: position in groups + 1 */
    struct device_scratch *scratch;
    const struct run_list *list;
    struct summary_list summary; /* of runs whose frames are elsewhere */
    struct current_groups current; /* nothing is asked of these */
    bool keeps_frames;
};

/* Which content the figures are made of: results of frames that were replaced meanwhile are not kept. */
static int64_t group_version(const struct model *model, const struct group_key *key)
{
    size_t count, first = model_group_range(model, key, &count);

    for (size_t i = 0; i < count; i++)
        if (model->groups.items[first + i].key.build == key->build)
            return model->groups.items[first + i].version;
    return 0;
}

struct device_scratch device_scratch_create(const struct analysis_settings *settings)
{
    return (struct device_scratch){.run = distribution_builder_create(settings)};
}

void device_scratch_free(struct device_scratch *scratch)
{
    for (size_t i = 0; i < scratch->groups.count; i++)
        distribution_builder_destroy(scratch->groups.items[i]);
    array_free(&scratch->groups);
    distribution_builder_destroy(scratch->run);
    scratch->run = NULL;
}

/* Empty; the same for the same place of every device, so that its memory grows once. */
static struct distribution_builder *group_builder(struct device_scratch *scratch, size_t place)
{
    if (place == scratch->groups.count)
        array_push(&scratch->groups, distribution_builder_create_beside(scratch->run));
    else
        distribution_builder_clear(scratch->groups.items[place]);
    return scratch->groups.items[place];
}

static struct group_work *find_group(struct device_work *work, int64_t scene, int64_t quality)
{
    const int64_t key[] = {scene, quality};
    uint32_t id = dictionary_add(work->group_keys, (const char *)key, sizeof key);

    if (id <= work->groups.count)
        return &work->groups.items[id - 1];

    struct group_work group = {.scene = scene, .quality = quality, .builder = group_builder(work->scratch, work->groups.count)};

    group.results.group.key = (struct group_key){work->build, work->device, scene, quality};
    group.results.version = group_version(work->model, &group.results.group.key);
    array_push(&work->groups, group);
    return &work->groups.items[work->groups.count - 1];
}

static struct sample_policy policy_of(const struct run_row *run)
{
    return (struct sample_policy){run->sampling.every > 1 ? run->sampling.every : 1, run->sampling.kept_over_ns};
}

static uint32_t run_flags(const struct run_pieces *pieces)
{
    const struct run_row *run = pieces->run;
    uint32_t flags = 0;

    if (run_row_is_sampled(run))
        flags |= FIGURE_SAMPLED;
    if (run->sampling.every > 1)
        flags |= FIGURE_DECLARED;
    if (run_row_is_spike_only(run))
        flags |= FIGURE_SPIKE_ONLY;
    if (!run_can_show_windows(run, pieces->alert_ns))
        flags |= FIGURE_NO_WINDOWS;
    if (!run->has_clock)
        flags |= FIGURE_NO_CLOCK;
    if (pieces->report.open_pauses || pieces->report.open_interferences || pieces->report.open_loadings)
        flags |= FIGURE_OPEN_INTERVAL;
    return flags;
}

static bool same_place(const struct frame_piece *a, const struct frame_piece *b)
{
    return a->scene == b->scene && a->quality == b->quality;
}

static bool is_surely_cold(const struct distribution_builder *builder, const struct distribution *of)
{
    const int64_t *values, *weights;
    size_t count = distribution_builder_values(builder, &values, &weights);

    /* where frames were left out, the weights are not those of the frames that are there */
    return of->frames == of->frames_kept && count > 0 &&
           run_is_surely_cold(values, weights, count, of->frames, of->duration_ns);
}

/* First pass over one run: its figures per group, and its frames into the groups' distributions. */
static void measure_run(struct device_work *work, struct run_pieces *run)
{
    uint32_t flags = run_flags(run);
    struct sample_policy policy = policy_of(run->run);
    struct hole_figures *holes = memory_take_zeroed(run->count, sizeof *holes);

    if (run->run->gaps)
        gaps_find(run->pieces, run->count, holes);

    for (size_t first = 0, end; first < run->count; first = end) {
        const struct frame_piece *lead = &run->pieces[run->by_group[first]];

        for (end = first + 1; end < run->count && same_place(lead, &run->pieces[run->by_group[end]]); end++)
            ;

        struct group_work *group = find_group(work, lead->scene, lead->quality);
        struct run_figures figures = {.run = run->run->id, .scene = lead->scene, .quality = lead->quality, .flags = flags};

        distribution_builder_clear(work->scratch->run);
        for (size_t i = first; i < end; i++) {
            size_t piece = run->by_group[i];

            if (!(flags & FIGURE_SPIKE_ONLY) && !run->run->summarised) /* the frames between the spikes are not known */
                distribution_builder_add(work->scratch->run, &run->pieces[piece], policy);
            figures.gaps += holes[piece].gaps;
            figures.gap_ns += holes[piece].gap_ns;
        }
        distribution_builder_finish(work->scratch->run, &figures.distribution);

        bool cold = is_surely_cold(work->scratch->run, &figures.distribution);

        if (run->run->summarised)
            summaries_put_run(&work->summary, work->model, run, &figures);
        else if (!(flags & FIGURE_SPIKE_ONLY))
            figures.flags |= distribution_flags(&figures.distribution, &work->model->settings);
        distribution_builder_merge(group->builder, work->scratch->run);
        array_push(&group->results.runs, figures);
        array_push(&group->runs, (struct group_run){run, first, end - first, cold});
    }
    free(holes);
}

static void finish_distribution(struct device_work *work, struct group_work *group)
{
    struct group_figures *figures = &group->results.group;
    size_t sampled = 0, spike_only = 0;

    distribution_builder_finish(group->builder, &figures->distribution);
    if (!summaries_put_group(&work->summary, work->model, work->list, &group->results))
        figures->flags = distribution_flags(&figures->distribution, &work->model->settings);
    for (size_t i = 0; i < group->results.runs.count; i++) {
        const struct run_figures *run = &group->results.runs.items[i];

        figures->runs++;
        figures->runs_windows += !(run->flags & FIGURE_NO_WINDOWS);
        figures->gaps += run->gaps;
        figures->gap_ns += run->gap_ns;
        sampled += (run->flags & FIGURE_SAMPLED) != 0;
        spike_only += (run->flags & FIGURE_SPIKE_ONLY) != 0;
        figures->flags |= run->flags & (FIGURE_DECLARED | FIGURE_NO_CLOCK | FIGURE_OPEN_INTERVAL);
    }
    if (sampled)
        figures->flags |= FIGURE_SAMPLED;
    if (spike_only == group->results.runs.count) /* beside full logs their distribution is the group's */
        figures->flags = (figures->flags & ~(uint32_t)FIGURE_FEW) | FIGURE_SPIKE_ONLY;
    if (!figures->runs_windows)
        figures->flags |= FIGURE_NO_WINDOWS;
}

/* The columns that only windows ask for, of the segment of the window before: most segments have several windows. */
struct drill_down {
    size_t at; /* which piece of the group that is; windows and pieces are in the same order */
    int64_t segment; /* 0: none was read */
    struct frame_columns columns; /* only at the frames of windows */
    struct { struct frame_range *items; size_t count, capacity; } ranges;
};

/* What the windows of one segment, which come one after the other, look at. */
static void list_ranges(struct drill_down *drill, const struct segment_row *segment, const struct stutter_window *windows,
                        size_t count)
{
    drill->ranges.count = 0;
    for (size_t i = 0; i < count && windows[i].segment == segment->id; i++) {
        int64_t end = windows[i].last_frame < segment->count ? windows[i].last_frame + 1 : segment->count;

        if (windows[i].first_frame >= 0 && windows[i].first_frame < end)
            array_push(&drill->ranges, (struct frame_range){(size_t)windows[i].first_frame, (size_t)end});
    }
}

/* The figures of the first window. */
static bool fill_columns(struct device_work *work, const struct group_run *of, struct drill_down *drill,
                         struct stutter_window *windows, size_t count, struct error *error)
{
    const struct run_pieces *run = of->run;
    const uint32_t wanted = 1u << COLUMN_CPU | 1u << COLUMN_GPU | 1u << COLUMN_GC | 1u << COLUMN_DRAW_CALLS;

    for (size_t n = 0; n < of->count && drill->segment != windows->segment; n++) {
        const struct segment_row *segment = &run->segments[run->segment_of[run->by_group[of->first + drill->at]]];

        if (segment->id != windows->segment) {
            drill->at = (drill->at + 1) % of->count;
            continue;
        }
        frame_columns_free(&drill->columns);
        drill->segment = 0;
        list_ranges(drill, segment, windows, count);
        if (!store_read_columns_at(work->model->store, segment, wanted, drill->ranges.items, drill->ranges.count,
                                   &drill->columns, error))
            return false;
        drill->segment = segment->id;
    }
    if (drill->segment == windows->segment)
        window_fill_columns(windows, &drill->columns);
    return true;
}

static struct event_figures *find_tally(struct event_tally *tally, const struct id_index *places, int64_t event)
{
    size_t count;
    const struct id_place *place = id_index_find(places, event, &count);

    return place ? &tally->items[place->at] : NULL;
}

static int compare_events(const void *left, const void *right)
{
    const struct event_figures *a = left, *b = right;

    return (a->event > b->event) - (a->event < b->event);
}

/* Second pass over one run and group: windows, events, causes. pieces: those of the group. */
static bool find_run_windows(struct device_work *work, struct group_work *group, struct run_figures *figures,
                             const struct group_run *run, const struct frame_piece *pieces, size_t count,
                             const struct candidate_limits *limits, struct error *error)
{
    struct stutter_windows windows = {0};
    struct event_tally tally = {0};
    bool good = true;

    events_tally(pieces, count, &tally);
    if (figures->distribution.frames && (figures->flags & FIGURE_SUMMARISED))
        summaries_raise_peaks(&work->summary, figures, &tally);
    if (!(figures->flags & FIGURE_NO_WINDOWS)) {
        struct frame_indices *candidates = memory_take_zeroed(count, sizeof *candidates);

        for (size_t i = 0; i < count; i++)
            candidates_find(&pieces[i], limits, &work->model->settings, &candidates[i]);
        windows_find(pieces, candidates, count, limits, &work->model->settings, &windows);
        for (size_t i = 0; i < count; i++)
            array_free(&candidates[i]);
        free(candidates);
    }

    struct run_heat heat = {0};
    struct id_index places = {0};
    struct drill_down drill = {0};
    bool spike_only = figures->flags & FIGURE_SPIKE_ONLY;

    if (windows.count && !spike_only && !run->run->run->summarised && !run->cold)
        run_heat_of(pieces, count, &heat);
    for (size_t t = 0; t < tally.count && windows.count; t++)
        array_push(&places, (struct id_place){tally.items[t].event, t});
    id_index_sort(&places);
    for (size_t i = 0; i < windows.count && good; i++) {
        struct stutter_window *window = &windows.items[i];
        struct cause_context context = {0};

        good = fill_columns(work, run, &drill, window, windows.count - i, error);
        cause_context_of(pieces, count, window, &context);
        if (spike_only) /* where the visit began is not known */
            context.first_of_visit = context.scene_starts_near = false;
        context.hot = run->run->run->summarised ? summaries_hot(&work->summary, figures, window)
                                           : run_heat_covers(&heat, pieces, count, window);
        window->causes = causes_of(window, &context);
        if (window->label == LABEL_GAMEPLAY) {
            figures->windows++;
            struct event_figures *met = find_tally(&tally, &places, window->event);

            if (met) {
                met->windows++;
                met->excess_ns += window->excess_ns;
            }
        } else if (window->label != LABEL_INTERFERENCE) {
            figures->transitions++;
        }
        array_push(&group->results.windows, *window);
    }
    if (tally.count > 1) /* as the store has them: there each is added behind the one before */
        qsort(tally.items, tally.count, sizeof *tally.items, compare_events);
    for (size_t t = 0; t < tally.count; t++)
        array_push(&group->results.events, tally.items[t]);
    array_free(&places);
    array_free(&tally);
    array_free(&windows);
    array_free(&drill.ranges);
    frame_columns_free(&drill.columns);
    return good;
}

static bool judge_group(struct device_work *work, struct group_work *group, struct error *error)
{
    struct group_results *results = &group->results;
    bool good = true;

    finish_distribution(work, group);

    struct candidate_limits limits = candidate_limits_of(&results->group.distribution, &work->model->settings);
    struct candidate_limits threshold_alone = candidate_limits_of(NULL, &work->model->settings);

    for (size_t i = 0; i < results->runs.count && good; i++) {
        struct run_figures *figures = &results->runs.items[i];
        const struct group_run *of = &group->runs.items[i];
        const size_t *which = of->run->by_group + of->first;
        struct frame_piece *mine = memory_take((of->count + 1) * sizeof *mine);

        good = run_pieces_reload(work->model, of->run, which, of->count, error);
        for (size_t p = 0; p < of->count && good; p++)
            mine[p] = of->run->pieces[which[p]];
        good = good && find_run_windows(work, group, figures, of, mine, of->count,
                                        figures->flags & FIGURE_SPIKE_ONLY ? &threshold_alone : &limits, error);
        results->group.windows += figures->windows;
        results->group.transitions += figures->transitions;
        if (!work->keeps_frames)
            run_pieces_unload(of->run, which, of->count);
        free(mine);
    }
    if (good)
        group_join_stutters(results);
    return good;
}

static bool load_runs(struct device_work *work, const struct run_list *runs, const struct segment_list *segments,
                      struct error *error)
{
    const struct device_row *device = model_device(work->model, work->device);
    int64_t frames = 0;

    for (size_t i = 0; i < segments->count; i++)
        frames += segments->items[i].count;
    work->keeps_frames = frames <= FRAMES_KEPT;
    work->runs = memory_take_zeroed(runs->count + 1, sizeof *work->runs);
    for (size_t first = 0, end; first < segments->count; first = end) {
        const struct run_row *run = run_list_find(runs, segments->items[first].run);

        for (end = first; end < segments->count && segments->items[end].run == segments->items[first].run; end++)
            ;
        if (!run)
            continue; /* of another series */

        struct run_pieces *pieces = &work->runs[work->run_count++];

        if (!run_pieces_load(work->model, run, device, &segments->items[first], end - first, pieces, error))
            return false;
        measure_run(work, pieces);
        if (!work->keeps_frames)
            run_pieces_unload(pieces, pieces->by_group, pieces->count);
    }
    return true;
}

static void mark_done(struct model *model, int64_t build, int64_t device)
{
    size_t count, first = model_device_range(model, device, &count);

    for (size_t i = first; i < first + count; i++)
        if (model->groups.items[i].key.build == build)
            model->groups.items[i].stale = false;
}

static bool is_current(const struct device_work *work, const struct group_work *group)
{
    return current_groups_have(&work->current, group->scene, group->quality);
}

bool analyze_compute(struct model *model, int64_t build, int64_t device, struct device_scratch *scratch,
                     struct device_results *ret, struct error *error)
{
    struct device_work work = {.model = model, .build = build, .device = device, .group_keys = dictionary_create(),
                               .scratch = scratch};
    struct segment_filter filter = {.build = build, .device = device, .quality = -1};
    struct segment_list segments = {0};
    struct run_list runs = {0};
    work.list = &runs;
    current_groups_list(model, build, device, &work.current);
    bool holds = store_hold(model->store);
    bool good = model_list_runs(model, build, device, &runs, error) &&
                store_read_summary(model->store, build, device, model->series, &work.summary, error) &&
                store_list_segments(model->store, &filter, &segments, error);

    current_groups_skip_runs(&work.current, &segments);
    good = good && load_runs(&work, &runs, &segments, error);
    for (size_t i = 0; i < work.groups.count && good; i++)
        good = is_current(&work, &work.groups.items[i]) || judge_group(&work, &work.groups.items[i], error);
    if (holds)
        store_release(model->store);
    for (size_t i = 0; i < work.groups.count; i++) {
        if (is_current(&work, &work.groups.items[i]))
            group_results_free(&work.groups.items[i].results);
        else
            array_push(ret, work.groups.items[i].results);
        array_free(&work.groups.items[i].runs);
    }
    array_free(&work.groups);
    array_free(&work.current);
    dictionary_destroy(work.group_keys);
    for (size_t i = 0; i < work.run_count; i++)
        run_pieces_free(&work.runs[i]);
    free(work.runs);
    segment_list_free(&segments);
    summary_list_free(&work.summary);
    run_list_free(&runs);
    return good;
}

void device_results_free(struct device_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        group_results_free(&results->items[i]);
    array_free(results);
}

bool analyze_keep(struct model *model, int64_t build, int64_t device, struct device_results *results, struct error *error)
{
    for (size_t i = 0; i < results->count && !model->keeps_results; i++)
        results_take(model, &results->items[i]);
    if (model->keeps_results && !store_derived_put(model->store, results->items, results->count, error))
        return false;
    mark_done(model, build, device);
    return true;
}
