/*
 * Groups against their baselines, figure by figure.
 */
#include "internal.h"
#include "sides.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/comparison.h"
#include <stdlib.h>
#include <string.h>

/* A step that the baseline has already is said, lest "same" looks like fine: its runs against those of the builds before it. */
static bool say_older_step(struct model *model, const struct group_key *key, const struct baseline *baseline, enum compared_figure figure,
                           size_t looks, bool as_it_is, struct figure_comparison *comparison, struct error *error)
{
    struct numbers before = {0}, there = {0};
    struct group_key at_baseline = *key, earlier = *key;
    int64_t builds[HISTORY_BUILDS];
    struct figure_comparison older = {.verdict = VERDICT_NONE};
    size_t length = strlen(comparison->reason), count;
    bool good;

    at_baseline.build = baseline->build;
    count = model_earlier_builds(model, &at_baseline, builds, HISTORY_BUILDS);
    good = group_side_add(model, &at_baseline, figure, baseline, &there, error);
    for (size_t i = 0; i < count && good; i++) {
        earlier.build = builds[i];
        good = model_results(model, builds[i], as_it_is, NULL, error) && group_side_add(model, &earlier, figure, NULL, &before, error);
    }
    if (good && count) {
        const struct per_run runs = {before.items, before.count};

        compare_figure(figure, runs, (struct per_run){there.items, there.count}, runs, &older);
    }
    if (older.verdict == VERDICT_WORSE) {
        struct standing standing;

        good = side_standing(model, &at_baseline, -1, figure, builds[0], as_it_is, &standing, error);
        compare_weigh(&(struct chance_test){&standing.rank, &standing.apart, RANK_P_GROUP, looks}, &older);
    }
    if (good && older.verdict == VERDICT_WORSE)
        text_print(comparison->reason + length, sizeof comparison->reason - length, "; older than the baseline: %.1f before %s", older.before,
                 model_build_name(model, baseline->build));
    array_free(&before);
    array_free(&there);
    return good;
}

static bool compare_group(struct model *model, const struct group_key *key, const struct baseline *baseline,
                          enum compared_figure figure, size_t looks, bool as_it_is, struct group_comparison *ret, struct error *error)
{
    struct numbers before = {0}, after = {0}, history = {0};
    struct group_key there = *key;
    int64_t earlier[HISTORY_BUILDS];
    size_t count = model_earlier_builds(model, key, earlier, HISTORY_BUILDS);
    bool good = group_side_add(model, key, figure, NULL, &after, error);

    there.build = baseline->build;
    if (good && baseline->runs.count)
        good = group_side_add(model, &there, figure, baseline, &before, error);
    for (size_t i = 0; i < count && good; i++) {
        there.build = earlier[i];
        good = group_side_add(model, &there, figure, NULL, &history, error);
    }
    ret->key = *key;
    ret->figure = figure;
    ret->baseline_build = baseline->build;
    compare_figure(figure, (struct per_run){before.items, before.count}, (struct per_run){after.items, after.count},
                   (struct per_run){history.items, history.count}, &ret->comparison);
    if (good && ret->comparison.verdict == VERDICT_WORSE) {
        struct standing standing;

        good = side_standing(model, key, -1, figure, baseline->build, as_it_is, &standing, error);
        compare_weigh(&(struct chance_test){&standing.rank, &standing.apart, RANK_P_GROUP, looks}, &ret->comparison);
    }
    if (good && ret->comparison.verdict == VERDICT_SAME && baseline->build)
        good = say_older_step(model, key, baseline, figure, looks, as_it_is, &ret->comparison, error);
    if (ret->comparison.verdict == VERDICT_NONE && baseline->reason[0])
        text_print(ret->comparison.reason, sizeof ret->comparison.reason, "%s", baseline->reason);
    array_free(&before);
    array_free(&after);
    array_free(&history);
    return good;
}

const struct group_comparisons *model_compare_groups(struct model *model, int64_t build, int64_t wanted, bool as_it_is,
                                                     const struct progress *progress, struct error *error)
{
    static const enum compared_figure figures[] = {COMPARED_P95, COMPARED_P99, COMPARED_MAX, COMPARED_HITCH_RATIO};
    struct cached_entries *cached = entries_find(model, build, wanted, as_it_is);

    verdicts_take(model, cached);
    if (cached->has_comparisons)
        return &cached->comparisons;
    cached->comparisons.count = 0;
    if (!comparison_prepare(model, build, wanted, as_it_is, progress, error))
        return NULL;

    const struct build_results *results = model_results(model, build, true, NULL, error);
    size_t looks = results ? results->groups.count * (sizeof figures / sizeof *figures) : 0;

    for (size_t g = 0; results && g < results->groups.count; g++) {
        struct baseline baseline;
        bool good = model_baseline(model, &results->groups.items[g].key, wanted, &baseline, error);

        for (size_t f = 0; good && f < sizeof figures / sizeof *figures; f++) {
            struct group_comparison comparison;

            good = compare_group(model, &results->groups.items[g].key, &baseline, figures[f], looks, as_it_is, &comparison, error);
            array_push(&cached->comparisons, comparison);
        }
        baseline_free(&baseline);
        if (!good)
            return NULL;
    }
    cached->has_comparisons = results != NULL;
    verdicts_keep(model, cached);
    return results ? &cached->comparisons : NULL;
}
