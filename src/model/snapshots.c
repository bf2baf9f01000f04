#include "stutterscope/model/snapshots.h"

#include "sample_groups.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_series(struct snapshots *snapshots, const struct sample_row *row)
{
    struct snapshot_series series = {
        .device = row->device, .scene = row->scene, .before = SIZE_MAX, .delta = NAN};

    series.category = memory_copy_text(row->name);
    series.profiler = memory_copy_text(row->unit);
    series.builds = memory_take_zeroed(snapshots->build_count + 1, sizeof *series.builds);
    for (size_t i = 0; i < snapshots->build_count; i++)
        series.builds[i].bytes = NAN;
    array_push(&snapshots->series, series);
}

static void add_group(const struct model *model, struct snapshots *snapshots, const struct sample_groups *groups, size_t at, int64_t baseline)
{
    const struct sample_group *group = &groups->items[at], *before;
    int64_t position = model_build_position(model, group->first->build);
    struct snapshot_series *series;

    if (at == 0 || !sample_same_series(groups->items[at - 1].first, group->first))
        add_series(snapshots, group->first);
    if (position < 0)
        return;
    series = &snapshots->series.items[snapshots->series.count - 1];
    series->builds[position] = (struct snapshot_point){group->median, group->runs, group->values};
    if (group->first->build != snapshots->build)
        return;
    before = sample_group_baseline(model, groups, group, baseline);
    if (before) {
        series->before = (size_t)model_build_position(model, before->first->build);
        series->delta = group->median - before->median;
    }
}

bool model_has_snapshots(struct model *model)
{
    return store_has_snapshots(model_store(model));
}

bool model_snapshots(struct model *model, int64_t build, int64_t baseline, struct snapshots **ret, struct error *error)
{
    struct snapshots *snapshots = memory_take_zeroed(1, sizeof *snapshots);
    struct sample_list rows = {0};
    struct sample_groups groups = {0};
    bool good = store_list_samples(model->store, SAMPLE_SNAPSHOTS, model->series, &rows, error);

    snapshots->build = build ? build : model_newest_build(model);
    snapshots->build_count = model->builds.count;
    snapshots->position = snapshots->build ? (size_t)model_build_position(model, snapshots->build) : 0;
    if (good)
        sample_groups_make(&rows, &groups);
    for (size_t i = 0; i < groups.count; i++)
        add_group(model, snapshots, &groups, i, baseline);
    array_free(&groups);
    sample_list_free(&rows);
    if (good)
        *ret = snapshots;
    else
        snapshots_destroy(snapshots);
    return good;
}

void snapshots_destroy(struct snapshots *snapshots)
{
    if (!snapshots)
        return;
    for (size_t i = 0; i < snapshots->series.count; i++) {
        free(snapshots->series.items[i].category);
        free(snapshots->series.items[i].profiler);
        free(snapshots->series.items[i].builds);
    }
    array_free(&snapshots->series);
    free(snapshots);
}

struct snapshot_range snapshots_at(const struct snapshots *snapshots, int64_t device, int64_t scene)
{
    const struct snapshot_series *items = snapshots->series.items;
    size_t low = 0, high = snapshots->series.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (items[middle].device < device || (items[middle].device == device && items[middle].scene < scene))
            low = middle + 1;
        else
            high = middle;
    }
    while (high < snapshots->series.count && items[high].device == device && items[high].scene == scene)
        high++;
    return (struct snapshot_range){items ? items + low : NULL, high - low};
}

bool snapshot_is_total(const char *category)
{
    return text_matches_glob("*total*", category);
}

static bool is_here(const struct snapshots *snapshots, const struct snapshot_series *series)
{
    return !isnan(series->builds[snapshots->position].bytes);
}

/* The profiler whose snapshots count: none where there are such, else the first. */
static const char *choose_profiler(const struct snapshots *snapshots, struct snapshot_range range, bool *others)
{
    const char *chosen = NULL;

    for (size_t i = 0; i < range.count; i++) {
        const struct snapshot_series *series = &range.items[i];

        if (!is_here(snapshots, series))
            continue;
        *others |= chosen && strcmp(chosen, series->profiler) != 0;
        if (!chosen || !*series->profiler)
            chosen = series->profiler;
    }
    return chosen;
}

static void add_part(struct snapshot_total *total, const struct snapshots *snapshots, const struct snapshot_series *series)
{
    bool first = !total->known;

    total->known = true;
    total->bytes = (first ? 0 : total->bytes) + series->builds[snapshots->position].bytes;
    if (first) {
        total->before_build = series->before;
        total->before = 0;
    }
    if (series->before == SIZE_MAX || series->before != total->before_build)
        total->before = NAN;
    else
        total->before += series->builds[series->before].bytes;
}

/* A category that only the other build has would make the sums unlike. */
static bool has_lost_a_part(const struct snapshots *snapshots, const struct snapshot_total *total, struct snapshot_range range)
{
    for (size_t i = 0; i < range.count && total->before_build != SIZE_MAX; i++) {
        const struct snapshot_series *series = &range.items[i];

        if (strcmp(series->profiler, total->profiler) == 0 && !is_here(snapshots, series) &&
            !isnan(series->builds[total->before_build].bytes))
            return true;
    }
    return false;
}

struct snapshot_total snapshots_total(const struct snapshots *snapshots, int64_t device, int64_t scene)
{
    struct snapshot_total total = {.bytes = NAN, .before = NAN, .delta = NAN, .before_build = SIZE_MAX, .profiler = "", .sum = true};
    struct snapshot_range range = snapshots_at(snapshots, device, scene);
    const char *profiler = snapshots->build_count ? choose_profiler(snapshots, range, &total.others) : NULL;

    if (!profiler)
        return total;
    total.profiler = profiler;
    for (int pass = 0; pass < 2 && !total.known; pass++) {
        total.sum = pass == 1;
        for (size_t i = 0; i < range.count; i++) {
            const struct snapshot_series *series = &range.items[i];

            if (!is_here(snapshots, series) || strcmp(series->profiler, profiler) != 0 ||
                (pass == 0 && (total.known || !snapshot_is_total(series->category))))
                continue;
            add_part(&total, snapshots, series);
        }
    }
    if (total.sum && has_lost_a_part(snapshots, &total, range))
        total.before = NAN;
    total.delta = total.bytes - total.before;
    return total;
}
