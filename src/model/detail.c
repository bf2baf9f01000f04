#include "stutterscope/model/detail.h"

#include "fetched.h"
#include "internal.h"
#include "pieces.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

struct detail_work {
    struct model *model;
    struct run_detail *detail;
    struct segment_list segments;
    struct run_pieces pieces;
};

static void make_arrays(struct run_detail *detail, size_t count)
{
    int64_t **arrays[] = {&detail->stamp_ns, &detail->frame_ns,   &detail->cpu_ns,     &detail->gpu_ns,
                          &detail->gc,       &detail->draw_calls, &detail->screenshot, &detail->fps_milli};

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = memory_take((count + 1) * sizeof **arrays[i]);
    detail->labels = memory_take_zeroed(count + 1, sizeof *detail->labels);
}

/* Copies a column of a segment behind the frames that are there; unknown where the segment lacks it. */
static void copy_column(int64_t *to, const int64_t *from, size_t count, int64_t otherwise, bool *ret_known)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = from ? from[i] : otherwise;
        if (from && from[i] == VALUE_UNKNOWN)
            to[i] = otherwise;
        else if (from && ret_known)
            *ret_known = true;
    }
}

/* Budget, labels and events of frames whose times are there already. */
static void add_piece(struct run_detail *detail, const struct frame_piece *piece, size_t at)
{
    for (size_t i = 0; i < piece->count; i++)
        detail->fps_milli[at + i] = piece->fps_milli;
    for (size_t i = 0; i < piece->labels->count; i++) {
        const struct label_span *span = &piece->labels->items[i];

        memset(detail->labels + at + span->first, (int)span->label, span->count);
    }
    for (size_t i = 0; i < piece->event_count; i++)
        if (piece->events[i].begins) {
            size_t frame = at + piece->events[i].frame;

            array_push(&detail->events, (struct run_event){detail->stamp_ns[frame] - detail->frame_ns[frame], piece->events[i].event});
        }
}

static bool add_segment(struct detail_work *work, size_t index, struct error *error)
{
    const uint32_t wanted = 1u << COLUMN_STAMP | 1u << COLUMN_FRAME_TIME | 1u << COLUMN_CPU | 1u << COLUMN_GPU | 1u << COLUMN_GC |
                            1u << COLUMN_DRAW_CALLS | 1u << COLUMN_SCREENSHOT;
    struct run_detail *detail = work->detail;
    const struct segment_row *segment = &work->segments.items[index];
    size_t at = detail->count, count = (size_t)segment->count;
    struct frame_columns columns = {0};

    if (!store_read_columns(work->model->store, segment, wanted, &columns, error)) {
        frame_columns_free(&columns);
        return false;
    }
    copy_column(detail->stamp_ns + at, columns.values[COLUMN_STAMP], count, VALUE_UNKNOWN, NULL);
    copy_column(detail->frame_ns + at, columns.values[COLUMN_FRAME_TIME], count, VALUE_UNKNOWN, NULL);
    copy_column(detail->cpu_ns + at, columns.values[COLUMN_CPU], count, VALUE_UNKNOWN, &detail->has_cpu);
    copy_column(detail->gpu_ns + at, columns.values[COLUMN_GPU], count, VALUE_UNKNOWN, &detail->has_gpu);
    copy_column(detail->gc + at, columns.values[COLUMN_GC], count, VALUE_UNKNOWN, &detail->has_gc);
    copy_column(detail->draw_calls + at, columns.values[COLUMN_DRAW_CALLS], count, VALUE_UNKNOWN, &detail->has_draw_calls);
    copy_column(detail->screenshot + at, columns.values[COLUMN_SCREENSHOT], count, 0, NULL);
    for (size_t i = 0; i < work->pieces.count; i++)
        if (work->pieces.segment_of[i] == index)
            add_piece(detail, &work->pieces.pieces[i], at + work->pieces.pieces[i].first);
    detail->count += count;
    frame_columns_free(&columns);
    return true;
}

/* Segments of one visit are one visit of the strip, too. */
static void note_visit(struct detail_work *work, size_t index, size_t first_frame)
{
    struct run_detail *detail = work->detail;
    const struct segment_row *segment = &work->segments.items[index];
    int64_t start = detail->stamp_ns[first_frame] - detail->frame_ns[first_frame], end = segment->last_stamp_ns;

    if (index && work->segments.items[index - 1].visit == segment->visit && !segment->broken) {
        detail->visits.items[detail->visits.count - 1].end_ns = end;
        return;
    }
    array_push(&detail->visits, (struct run_visit){segment->scene, segment->quality, start, end});
}

static int compare_starts(const void *a, const void *b)
{
    const struct stutter_window *x = a, *y = b;

    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static bool add_windows(struct detail_work *work, struct error *error)
{
    struct run_detail *detail = work->detail;
    const struct build_results *results = model_results(work->model, detail->run->build, false, NULL, error);

    const struct stutter_window_list *windows = results ? results_all_windows(results, error) : NULL;

    for (size_t i = 0; windows && i < windows->count; i++)
        if (windows->items[i].run == detail->run->id)
            array_push(&detail->windows, windows->items[i]);
    if (detail->windows.count)
        qsort(detail->windows.items, detail->windows.count, sizeof *detail->windows.items, compare_starts);
    return windows != NULL;
}

static bool find_run(struct model *model, int64_t run, struct run_detail *detail, struct error *error)
{
    struct run_filter filter = {.run = run};

    if (!store_list_runs(model->store, &filter, &detail->owned, error))
        return false;
    detail->run = run_list_find(&detail->owned, run);
    return detail->run || error_set(error, ERROR_USAGE, "there is no such run in this store any more; reload");
}

static bool read_frames(struct detail_work *work, struct error *error)
{
    struct run_detail *detail = work->detail;
    struct segment_filter filter = {.run = detail->run->id, .quality = -1};
    size_t frames = 0;

    if (!store_list_segments(work->model->store, &filter, &work->segments, error) ||
        !run_pieces_load(work->model, detail->run, model_device(work->model, detail->run->device), work->segments.items,
                         work->segments.count, &work->pieces, error))
        return false;
    for (size_t i = 0; i < work->segments.count; i++)
        frames += (size_t)work->segments.items[i].count;
    make_arrays(detail, frames);
    for (size_t i = 0; i < work->segments.count; i++) {
        size_t first_frame = detail->count;

        if (!add_segment(work, i, error))
            return false;
        note_visit(work, i, first_frame);
    }
    if (detail->run->summarised)
        fetched_put(work->model, detail);
    if (detail->run->summarised && detail->run->frames > (int64_t)detail->count)
        detail->elsewhere = detail->run->frames - (int64_t)detail->count;
    if (detail->count) {
        detail->first_ns = detail->stamp_ns[0] - detail->frame_ns[0];
        detail->last_ns = detail->stamp_ns[detail->count - 1];
    }
    return true;
}

bool model_run_detail(struct model *model, int64_t run, struct run_detail **ret, struct error *error)
{
    struct detail_work work = {.model = model, .detail = memory_take_zeroed(1, sizeof *work.detail)};
    bool good = find_run(model, run, work.detail, error) && read_frames(&work, error) && add_windows(&work, error);

    run_pieces_free(&work.pieces);
    segment_list_free(&work.segments);
    if (!good) {
        run_detail_destroy(work.detail);
        return false;
    }
    *ret = work.detail;
    return true;
}

void run_detail_destroy(struct run_detail *detail)
{
    if (!detail)
        return;
    free(detail->stamp_ns);
    free(detail->frame_ns);
    free(detail->cpu_ns);
    free(detail->gpu_ns);
    free(detail->gc);
    free(detail->draw_calls);
    free(detail->screenshot);
    free(detail->fps_milli);
    free(detail->labels);
    array_free(&detail->events);
    array_free(&detail->visits);
    array_free(&detail->windows);
    run_list_free(&detail->owned);
    free(detail);
}

size_t run_detail_frame_at(const struct run_detail *detail, int64_t ns)
{
    size_t low = 0, high = detail->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (detail->stamp_ns[middle] <= ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low < detail->count ? low : detail->count ? detail->count - 1 : 0;
}

int64_t run_detail_peak(const struct run_detail *detail, const int64_t *column, int64_t from_ns, int64_t to_ns)
{
    int64_t peak = VALUE_UNKNOWN;

    for (size_t i = run_detail_frame_at(detail, from_ns); i < detail->count; i++) {
        if (detail->stamp_ns[i] - detail->frame_ns[i] >= to_ns)
            break;
        if (detail->stamp_ns[i] > from_ns && column[i] > peak)
            peak = column[i];
    }
    return peak;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

size_t run_detail_typical(const struct run_detail *detail, const struct stutter_window *window)
{
    size_t typical = 0, count = 0, frame = 0;
    int64_t *values = memory_take((detail->count + 1) * sizeof *values);
    bool *mine = memory_take_zeroed(detail->count + 1, sizeof *mine);

    for (size_t v = 0; v < detail->visits.count; v++)
        for (; frame < detail->count && detail->stamp_ns[frame] <= detail->visits.items[v].end_ns; frame++)
            if (detail->visits.items[v].scene == window->scene && detail->visits.items[v].quality == window->quality &&
                detail->labels[frame] == LABEL_GAMEPLAY) {
                mine[frame] = true;
                values[count++] = detail->frame_ns[frame];
            }

    double *sorted = memory_take((count + 1) * sizeof *sorted);

    for (size_t i = 0; i < count; i++)
        sorted[i] = (double)values[i];
    int64_t median = count ? (int64_t)median_of(sorted, count) : 0, best = INT64_MAX;

    for (size_t i = 0; i < detail->count; i++)
        if (mine[i] && distance(detail->frame_ns[i], median) < best) {
            best = distance(detail->frame_ns[i], median);
            typical = i;
        }
    free(sorted);
    free(mine);
    free(values);
    return typical;
}

static void add_runs(const struct build_results *results, const struct stutter_entry *entry, const struct run_list *list,
                     struct stutter_runs *ret)
{
    const struct group_key *key = &entry->stutter.key;
    size_t run_count, event_count, window_count;
    const struct run_figures *runs = results_runs(results, key, &run_count);
    const struct event_figures *events = results_events(results, key, &event_count);
    const struct stutter_window *windows = results_windows(results, key, &window_count);

    for (size_t r = 0; r < list->count; r++)
        for (size_t i = 0; i < run_count; i++) {
            if (runs[i].run != list->items[r].id)
                continue;

            struct stutter_run run = {list->items[r].name, runs[i].run, !(runs[i].flags & FIGURE_NO_WINDOWS), false, VALUE_UNKNOWN};

            for (size_t e = 0; e < event_count; e++)
                if (events[e].run == run.run && events[e].event == entry->stutter.event)
                    run.peak_ns = events[e].peak_ns;
            for (size_t w = 0; w < window_count; w++)
                if (windows[w].run == run.run && windows[w].event == entry->stutter.event && windows[w].label == entry->stutter.label) {
                    run.hit = true;
                    if (windows[w].peak_ns > run.peak_ns)
                        run.peak_ns = windows[w].peak_ns;
                }
            array_push(ret, run);
        }
}

bool model_stutter_runs(struct model *model, const struct stutter_entry *entry, struct stutter_runs *ret, struct error *error)
{
    const struct group_key *key = &entry->stutter.key;
    const struct build_results *results = model_results(model, key->build, false, NULL, error);

    memset(ret, 0, sizeof *ret);
    results = results ? model_group_results(model, key, error) : NULL;
    if (!results || !model_list_runs(model, key->build, key->device, &ret->owned, error))
        return false;
    add_runs(results, entry, &ret->owned, ret);
    return true;
}

bool model_stutter_hits(struct model *model, const struct stutter_entry *entry, struct stutter_runs *ret, struct error *error)
{
    const struct group_key *key = &entry->stutter.key;
    const struct build_results *results = model_results(model, key->build, false, NULL, error);
    const struct run_list *runs = results ? model_build_runs(model, key->build, error) : NULL;

    memset(ret, 0, sizeof *ret);
    results = runs ? model_group_results(model, key, error) : NULL;
    if (!results)
        return false;
    add_runs(results, entry, runs, ret);
    return true;
}

void stutter_runs_free(struct stutter_runs *runs)
{
    free(runs->items);
    run_list_free(&runs->owned);
    memset(runs, 0, sizeof *runs);
}
