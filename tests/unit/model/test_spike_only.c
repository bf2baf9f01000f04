/*
 * Runs of which only the frames over a limit were kept: they have windows by the threshold and no distribution.
 */
#include "fixture.h"
#include "stutterscope/model/comparison.h"
#include <criterion/criterion.h>
#include <string.h>

static void add_run(struct fixture *fixture, const char *build, const char *run, const struct slow_frame *slow, size_t count,
                    bool spikes_only)
{
    fixture_add(fixture, &(struct test_run){.build = build, .device = "iPhone14,2", .scene = "Feed", .quality = "High",
                                            .run = run, .os = "iOS 17", .frames = 600, .slow = slow, .slow_count = count,
                                            .started_at_ms = VALUE_UNKNOWN, .spikes_only = spikes_only});
}

static const struct build_results *results_of(struct model *model, const char *build)
{
    const struct build_results *results;
    struct error error = {0};
    int64_t id;

    cr_assert(model_find_build(model, build, &id, &error), "%s", error.text);
    results = model_results(model, id, false, NULL, &error);
    cr_assert_not_null(results, "%s", error.text);
    cr_assert_eq(results->groups.count, 1);
    return results;
}

/*
 * 60 FPS: the threshold is 33.33 ms. Of 216.7, 16.7, 50 and 41 ms the second is under it; the last two lie 100 frames
 * apart, so there are three windows. The first is over 6 budgets and yet no start-up: nothing before it was kept.
 */
static const struct slow_frame hitches[] = {
    {10, 216667, 1000, 1000, NULL}, {200, 16667, 1000, 1000, NULL}, {300, 50000, 1000, 1000, NULL}, {400, 41000, 1000, 1000, NULL}};

Test(spike_only, windows_by_the_threshold_and_no_distribution)
{
    struct fixture fixture;
    const struct build_results *results;
    struct model *model;

    fixture_open(&fixture);
    add_run(&fixture, "1", "a", hitches, 4, true);
    model = fixture_model(&fixture);
    results = results_of(model, "1");

    const struct group_figures *group = &results->groups.items[0];

    cr_assert(group->flags & FIGURE_SPIKE_ONLY);
    cr_assert_not(group->flags & (FIGURE_FEW | FIGURE_SAMPLED | FIGURE_NO_WINDOWS | FIGURE_SLOW));
    cr_assert_eq(group->distribution.frames, 0);
    cr_assert_eq(group->runs_windows, 1);
    cr_assert_eq(group->windows, 3);
    cr_assert_eq(group->transitions, 0);
    cr_assert_eq(results_all_runs(results, NULL)->items[0].flags & (FIGURE_SPIKE_ONLY | FIGURE_FEW), FIGURE_SPIKE_ONLY);

    const struct stutter_window_list *windows = results_all_windows(results, NULL);

    cr_assert_eq(windows->count, 3);
    for (size_t i = 0; i < windows->count; i++) {
        cr_assert_neq(windows->items[i].peak_ns, 16667000);
        cr_assert_not(windows->items[i].causes & (CAUSE_ASSET_LOADING | CAUSE_THERMAL));
    }
    fixture_close(&fixture, model);
}

/* Beside a full log the group's distribution is that of the full log alone: 600 frames, median 16.2 ms. */
Test(spike_only, full_logs_of_the_group_keep_their_distribution)
{
    struct fixture fixture;
    const struct build_results *results;
    struct model *model;

    fixture_open(&fixture);
    add_run(&fixture, "1", "a", hitches, 4, true);
    add_run(&fixture, "1", "b", NULL, 0, false);
    model = fixture_model(&fixture);
    results = results_of(model, "1");

    const struct group_figures *group = &results->groups.items[0];

    cr_assert_not(group->flags & FIGURE_SPIKE_ONLY);
    cr_assert_eq(group->distribution.frames, 600);
    cr_assert_float_eq(group->distribution.median_ns, 16200000, 1e-6);
    cr_assert_eq(group->distribution.max_ns, 16400000);
    cr_assert_eq(group->runs, 2);
    cr_assert_eq(group->windows, 3);
    fixture_close(&fixture, model);
}

/* Two builds of spike-only runs: the stutter of the second has a verdict, its peak is compared. */
Test(spike_only, stutters_are_compared)
{
    static const struct slow_frame calm = {10, 17000, 1000, 1000, NULL}, bad = {10, 90000, 1000, 1000, NULL};
    static const char *const runs[] = {"a", "b", "c"};
    struct fixture fixture;
    struct error error = {0};
    struct model *model;
    int64_t build;

    fixture_open(&fixture);
    for (size_t i = 0; i < 3; i++) {
        add_run(&fixture, "1", runs[i], &calm, 1, true);
        add_run(&fixture, "2", runs[i], &bad, 1, true);
    }
    model = fixture_model(&fixture);
    cr_assert(model_find_build(model, "2", &build, &error), "%s", error.text);

    const struct stutter_entries *entries = model_stutters(model, build, 0, false, NULL, &error);

    cr_assert_not_null(entries, "%s", error.text);
    cr_assert_eq(entries->count, 1);
    cr_assert_eq(entries->items[0].verdict, VERDICT_NEW, "%s", entries->items[0].reason);
    cr_assert_eq(entries->items[0].baseline_peak_ns, 17000000);
    fixture_close(&fixture, model);
}
