#include "stutterscope/model/allocation.h"

#include "internal.h"
#include "pieces.h"
#include "stutterscope/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <stdlib.h>

/* One run in one group. */
struct run_allocation {
    struct group_key key;
    double bytes, frames, max;
};
struct allocation_work {
    struct model *model;
    struct { struct run_allocation *items; size_t count, capacity; } runs;
    size_t first; /* of the run that is worked on */
};

static bool same_group(const struct group_key *a, const struct group_key *b)
{
    return a->device == b->device && a->scene == b->scene && a->quality == b->quality;
}

static struct run_allocation *find_run(struct allocation_work *work, const struct group_key *key)
{
    for (size_t i = work->first; i < work->runs.count; i++)
        if (same_group(&work->runs.items[i].key, key))
            return &work->runs.items[i];
    array_push(&work->runs, ((struct run_allocation){.key = *key}));
    return &work->runs.items[work->runs.count - 1];
}

/* A sampled frame stands for others whose allocations nobody wrote down: it counts once. */
static void add_values(struct run_allocation *run, const struct frame_piece *piece, const int64_t *bytes)
{
    for (size_t i = 0; i < piece->count; i++) {
        if (bytes[i] == VALUE_UNKNOWN || bytes[i] < 0 || label_at(piece->labels, i) != LABEL_GAMEPLAY)
            continue;
        run->frames++;
        run->bytes += (double)bytes[i];
        run->max = (double)bytes[i] > run->max ? (double)bytes[i] : run->max;
    }
}

static bool add_run(struct allocation_work *work, const struct run_row *run, int64_t device, const struct segment_row *segments,
                    size_t count, struct error *error)
{
    struct run_pieces pieces = {0};
    bool any = false, good;

    for (size_t i = 0; i < count; i++)
        any |= (segments[i].columns >> COLUMN_GC & 1) != 0;
    if (!any || run->summarised || run_row_is_spike_only(run))
        return true;
    work->first = work->runs.count;
    good = run_pieces_load(work->model, run, model_device(work->model, device), segments, count, &pieces, error);
    for (size_t i = 0; i < pieces.count && good; i++) {
        struct group_key key = {run->build, device, pieces.pieces[i].scene, pieces.pieces[i].quality};
        int64_t *bytes;

        if (!(segments[i].columns >> COLUMN_GC & 1))
            continue;
        bytes = memory_take(pieces.pieces[i].count * sizeof *bytes);
        good = store_read_column(work->model->store, &segments[i], COLUMN_GC, bytes, error);
        if (good)
            add_values(find_run(work, &key), &pieces.pieces[i], bytes);
        free(bytes);
    }
    run_pieces_free(&pieces);
    return good;
}

static double median_over_runs(const struct allocation_work *work, const struct group_key *key, bool max)
{
    struct { double *items; size_t count, capacity; } values = {0};
    double median;

    for (size_t i = 0; i < work->runs.count; i++) {
        const struct run_allocation *run = &work->runs.items[i];

        if (same_group(&run->key, key) && run->frames > 0)
            array_push(&values, max ? run->max : run->bytes / run->frames);
    }
    median = values.count ? median_of(values.items, values.count) : NAN;
    array_free(&values);
    return median;
}

static void merge_runs(const struct allocation_work *work, struct allocations *ret)
{
    for (size_t i = 0; i < work->runs.count; i++) {
        const struct run_allocation *run = &work->runs.items[i];
        struct allocation *found = (struct allocation *)allocations_find(ret, &run->key);

        if (run->frames == 0)
            continue;
        if (!found) {
            struct allocation group = {.key = run->key,
                                       .bytes_per_frame = median_over_runs(work, &run->key, false),
                                       .max_bytes = median_over_runs(work, &run->key, true)};

            array_push(&ret->items, group);
            found = &ret->items.items[ret->items.count - 1];
        }
        found->runs++;
    }
}

bool model_allocations(struct model *model, int64_t build, const struct progress *progress, struct allocations *ret, struct error *error)
{
    struct allocation_work work = {.model = model};
    struct segment_filter filter = {.build = build, .quality = -1};
    struct segment_list segments = {0};
    const struct run_list *runs = model_build_runs(model, build, error);
    bool good = runs && store_list_segments(model->store, &filter, &segments, error);

    ret->build = build;
    for (size_t first = 0, end; first < segments.count && good; first = end) {
        const struct run_row *run = run_list_find(runs, segments.items[first].run);

        for (end = first; end < segments.count && segments.items[end].run == segments.items[first].run; end++)
            ;
        good = progress_report(progress, "reading allocations", (int64_t)first, (int64_t)segments.count, error) &&
               (!run || add_run(&work, run, run->device, &segments.items[first], end - first, error));
    }
    if (good)
        merge_runs(&work, ret);
    array_free(&work.runs);
    segment_list_free(&segments);
    return good;
}

void allocations_free(struct allocations *allocations)
{
    array_free(&allocations->items);
}

const struct allocation *allocations_find(const struct allocations *allocations, const struct group_key *key)
{
    for (size_t i = 0; i < allocations->items.count; i++)
        if (same_group(&allocations->items.items[i].key, key))
            return &allocations->items.items[i];
    return NULL;
}
