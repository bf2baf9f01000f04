#include "stutterscope/model/distribution_detail.h"

#include "internal.h"
#include "pieces.h"
#include "stutterscope/analysis/distribution.h"
#include "stutterscope/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct budget_count {
    int64_t fps_milli, frames;
};

struct distribution_work {
    struct model *model;
    struct distribution_detail *detail;
    struct distribution_builder *builder, *run_builder;
    struct { struct budget_count *items; size_t count, capacity; } budgets;
};

static void count_budget(struct distribution_work *work, const struct frame_piece *piece)
{
    for (size_t i = 0; i < work->budgets.count; i++)
        if (work->budgets.items[i].fps_milli == piece->fps_milli) {
            work->budgets.items[i].frames += (int64_t)piece->count;
            return;
        }
    array_push(&work->budgets, (struct budget_count){piece->fps_milli, (int64_t)piece->count});
}

static bool is_of_group(const struct group_key *key, int64_t scene, int64_t quality)
{
    return key->scene == scene && key->quality == quality;
}

/* All segments of the run are needed, since labels of one may come from the one before. */
static bool add_run(struct distribution_work *work, const struct run_row *run, const struct segment_row *segments, size_t count,
                    struct error *error)
{
    const struct group_key *key = &work->detail->key;
    struct sample_policy policy = {run->sampling.every > 1 ? run->sampling.every : 1, run->sampling.kept_over_ns};
    struct run_pieces pieces = {0};
    bool any = false, good;

    for (size_t i = 0; i < count; i++)
        any |= is_of_group(key, segments[i].scene, segments[i].quality);
    if (!any || run->summarised || run_row_is_spike_only(run)) /* the frames between the spikes are not known */
        return true;
    good = run_pieces_load(work->model, run, model_device(work->model, key->device), segments, count, &pieces, error);
    distribution_builder_clear(work->run_builder);
    for (size_t i = 0; i < pieces.count && good; i++) {
        if (!is_of_group(key, pieces.pieces[i].scene, pieces.pieces[i].quality))
            continue;
        distribution_builder_add(work->run_builder, &pieces.pieces[i], policy);
        count_budget(work, &pieces.pieces[i]);
    }
    if (good) {
        struct distribution ignored;

        distribution_builder_finish(work->run_builder, &ignored);
        distribution_builder_merge(work->builder, work->run_builder);
        work->detail->runs++;
    }
    run_pieces_free(&pieces);
    return good;
}

static bool add_runs(struct distribution_work *work, const struct progress *progress, struct error *error)
{
    const struct group_key *key = &work->detail->key;
    struct segment_filter filter = {.build = key->build, .device = key->device, .quality = -1};
    struct segment_list segments = {0};
    struct run_list runs = {0};
    bool good = model_list_runs(work->model, key->build, key->device, &runs, error) &&
                store_list_segments(work->model->store, &filter, &segments, error);

    for (size_t first = 0, end; first < segments.count && good; first = end) {
        const struct run_row *run = run_list_find(&runs, segments.items[first].run);

        for (end = first; end < segments.count && segments.items[end].run == segments.items[first].run; end++)
            ;
        good = progress_report(progress, "reading frames", (int64_t)first, (int64_t)segments.count, error) &&
               (!run || add_run(work, run, &segments.items[first], end - first, error));
    }
    segment_list_free(&segments);
    run_list_free(&runs);
    return good;
}

static void take_limits(struct distribution_work *work)
{
    struct budget_count most = {0};

    for (size_t i = 0; i < work->budgets.count; i++)
        if (work->budgets.items[i].frames > most.frames)
            most = work->budgets.items[i];

    struct frame_limits limits = frame_limits_of(&work->model->settings, most.fps_milli);

    work->detail->budget_ns = limits.budget_ns;
    work->detail->alert_ns = limits.alert_ns;
    work->detail->mixed_budgets = work->budgets.count > 1;
}

static void take_values(struct distribution_work *work)
{
    struct distribution_detail *detail = work->detail;
    const int64_t *values, *weights;

    distribution_builder_finish(work->builder, &detail->figures);
    detail->count = distribution_builder_values(work->builder, &values, &weights);
    detail->frame_ns = memory_take((detail->count + 1) * sizeof *detail->frame_ns);
    detail->frames_to = memory_take((detail->count + 1) * sizeof *detail->frames_to);
    detail->ns_to = memory_take((detail->count + 1) * sizeof *detail->ns_to);
    for (size_t i = 0; i < detail->count; i++) {
        detail->frame_ns[i] = values[i];
        detail->frames_to[i] = (i ? detail->frames_to[i - 1] : 0) + weights[i];
        detail->ns_to[i] = (i ? detail->ns_to[i - 1] : 0) + weights[i] * values[i];
    }
}

bool model_distribution_detail(struct model *model, const struct group_key *key, const struct progress *progress,
                               struct distribution_detail **ret, struct error *error)
{
    struct distribution_work work = {.model = model,
                                     .detail = memory_take_zeroed(1, sizeof *work.detail),
                                     .builder = distribution_builder_create(&model->settings),
                                     .run_builder = distribution_builder_create(&model->settings)};
    bool good;

    work.detail->key = *key;
    good = add_runs(&work, progress, error);
    if (good) {
        take_limits(&work);
        take_values(&work);
        *ret = work.detail;
    } else
        distribution_detail_destroy(work.detail);
    distribution_builder_destroy(work.builder);
    distribution_builder_destroy(work.run_builder);
    array_free(&work.budgets);
    return good;
}

void distribution_detail_destroy(struct distribution_detail *detail)
{
    if (!detail)
        return;
    free(detail->frame_ns);
    free(detail->frames_to);
    free(detail->ns_to);
    free(detail);
}

/* The first of ascending numbers that is at least `least`; `count` without one. */
static size_t first_at_least(const int64_t *numbers, size_t count, int64_t least)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (numbers[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The smallest x with at least p % of the frames at or below it: rank ceil(p N / 100), at least 1. */
int64_t distribution_detail_percentile(const struct distribution_detail *detail, int64_t percent_milli)
{
    enum { WHOLE = 100000 };
    int64_t frames = detail->figures.frames;
    /* The quotient and the rest apart: the product could be too large. */
    int64_t rank = frames / WHOLE * percent_milli + (frames % WHOLE * percent_milli + WHOLE - 1) / WHOLE;
    size_t at = first_at_least(detail->frames_to, detail->count, rank < 1 ? 1 : rank);

    return at < detail->count ? detail->frame_ns[at] : VALUE_UNKNOWN;
}

struct time_over distribution_detail_over(const struct distribution_detail *detail, int64_t limit_ns)
{
    size_t at = limit_ns < INT64_MAX ? first_at_least(detail->frame_ns, detail->count, limit_ns + 1) : detail->count;

    if (at == detail->count)
        return (struct time_over){0, 0};

    size_t last = detail->count - 1;

    return at ? (struct time_over){detail->frames_to[last] - detail->frames_to[at - 1], detail->ns_to[last] - detail->ns_to[at - 1]}
              : (struct time_over){detail->frames_to[last], detail->ns_to[last]};
}

double distribution_detail_share(const struct distribution_detail *detail, int64_t low_ns, int64_t high_ns)
{
    size_t low = first_at_least(detail->frame_ns, detail->count, low_ns), high = first_at_least(detail->frame_ns, detail->count, high_ns);
    int64_t below_low = low ? detail->frames_to[low - 1] : 0, below_high = high ? detail->frames_to[high - 1] : 0;

    return detail->figures.frames ? (double)(below_high > below_low ? below_high - below_low : 0) / (double)detail->figures.frames : NAN;
}
