#include "helper.h"
#include "stutterscope/analysis/compare.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RUNS(...)                                                                                            \
    (struct per_run)                                                                                         \
    {                                                                                                        \
        (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)                \
    }
static const struct per_run no_runs = {NULL, 0};

static enum verdict compare(enum compared_figure figure, struct per_run before, struct per_run after,
                            struct per_run history)
{
    struct figure_comparison comparison;
    compare_figure(figure, before, after, history, &comparison);
    return comparison.verdict;
}

Test(compare, medians)
{
    cr_assert(median_of((const double[]){3, 1, 2}, 3) == 2);
    cr_assert(median_of((const double[]){4, 1, 2, 3}, 4) == 2.5);
    cr_assert(median_of((const double[]){NAN, 7}, 2) == 7);
    cr_assert(isnan(median_of(NULL, 0)) && isnan(mad_of(NULL, 0)));
    cr_assert(mad_of((const double[]){1, 1, 2, 2, 4, 6, 9}, 7) == 1);
}

Test(compare, names)
{
    cr_assert_str_eq(verdict_name(VERDICT_NOT_EXERCISED), "not exercised");
    for (int i = 0; i < VERDICT_COUNT; i++)
        cr_assert(verdict_name((enum verdict)i) != NULL);
    cr_assert_str_eq(compared_figure_name(COMPARED_HITCH_RATIO), "hitch_ratio_ms_per_s");
    for (int i = 0; i < COMPARED_COUNT; i++)
        cr_assert(compared_figure_name((enum compared_figure)i) != NULL);
}

Test(compare, ten_percent_and_the_step)
{
    cr_assert(compare(COMPARED_P99, RUNS(20), RUNS(22), no_runs) == VERDICT_WORSE,
              "both limits are included");
    cr_assert(compare(COMPARED_P99, RUNS(20), RUNS(21.99), no_runs) == VERDICT_SAME, "under 2 ms");
    cr_assert(compare(COMPARED_P99, RUNS(10), RUNS(11.9), no_runs) == VERDICT_SAME, "19 %% but under 2 ms");
    cr_assert(compare(COMPARED_P99, RUNS(50), RUNS(54.9), no_runs) == VERDICT_SAME, "4.9 ms but under 10 %%");
    cr_assert(compare(COMPARED_P99, RUNS(50), RUNS(55), no_runs) == VERDICT_WORSE);
    cr_assert(compare(COMPARED_P99, RUNS(50), RUNS(45), no_runs) == VERDICT_BETTER);
    cr_assert(compare(COMPARED_P99, RUNS(16.7), RUNS(18.7), no_runs) == VERDICT_WORSE,
              "2 ms in spite of the last bit");
    cr_assert(compare(COMPARED_HITCH_RATIO, RUNS(0), RUNS(2), no_runs) == VERDICT_WORSE);
    cr_assert(compare(COMPARED_RATE, RUNS(1), RUNS(1.5), no_runs) == VERDICT_WORSE);
    cr_assert(compare(COMPARED_RATE, RUNS(1), RUNS(1.49), no_runs) == VERDICT_SAME);
    cr_assert(compare(COMPARED_P99, no_runs, RUNS(50), no_runs) == VERDICT_NONE);
    cr_assert(compare(COMPARED_P99, RUNS(50), RUNS(NAN), no_runs) == VERDICT_NONE);
}

Test(compare, medians_over_the_runs)
{
    struct figure_comparison comparison;
    compare_figure(COMPARED_MAX, RUNS(30, 300, 31), RUNS(70, 60, 500, 65), no_runs, &comparison);
    cr_assert(comparison.before == 31 && comparison.after == 67.5);
    cr_assert(comparison.delta == 36.5 && comparison.verdict == VERDICT_WORSE);
    cr_assert_float_eq(comparison.delta_percent, 117.7419, 1e-3);
}

Test(compare, noise_of_the_history)
{
    struct figure_comparison comparison;
    /* MAD 1: noise 4.4478 */
    const struct per_run history = RUNS(20, 21, 22, 21, 20, 22, 21);
    compare_figure(COMPARED_P95, RUNS(21), RUNS(25.4), history, &comparison);
    cr_assert(comparison.verdict == VERDICT_SAME && !comparison.history_short);
    cr_assert_float_eq(comparison.noise, 4.4478, 1e-9);
    cr_assert(compare(COMPARED_P95, RUNS(21), RUNS(25.5), history) == VERDICT_WORSE);
    cr_assert(compare(COMPARED_P95, RUNS(21), RUNS(16.5), history) == VERDICT_BETTER);
    cr_assert(compare(COMPARED_P95, RUNS(21), RUNS(23.2), RUNS(21, 21, 21, 21, 21)) == VERDICT_WORSE,
              "MAD 0");
    compare_figure(COMPARED_P95, RUNS(21), RUNS(25.4), RUNS(20, 21, 22, 21), &comparison);
    cr_assert(comparison.verdict == VERDICT_WORSE && comparison.history_short && isnan(comparison.noise));
    cr_assert(strstr(comparison.reason, "history short"));
}

Test(compare, reason_has_the_figures)
{
    struct figure_comparison comparison;
    compare_figure(COMPARED_PEAK, RUNS(31.6), RUNS(92.4), RUNS(30, 31, 31.7, 32.4, 33), &comparison);
    cr_assert_str_eq(comparison.reason, "31.6 → 92.4 ms, +60.8 (+192 %), noise ±3.1");
    cr_assert_float_eq(comparison.delta, 60.8, 1e-9);
    compare_figure(COMPARED_HITCH_RATIO, RUNS(0), RUNS(3.25), no_runs, &comparison);
    cr_assert(isnan(comparison.delta_percent) && strstr(comparison.reason, "→") &&
              !strstr(comparison.reason, "nan"));
    compare_figure(COMPARED_P95, RUNS(40), RUNS(30), no_runs, &comparison);
    cr_assert_str_eq(comparison.reason, "40 → 30 ms, -10 (-25 %), history short");
}

static struct stutter_evidence hits(int64_t hits_here, int64_t runs, int64_t older, int64_t baseline_hits)
{
    return (struct stutter_evidence){
        .counted_runs = runs,
        .counted_hits = hits_here,
        .runs = runs,
        .hits = hits_here,
        .seen = runs,
        .older_hits = older,
        .older_runs = 15,
        .has_baseline = true,
        .baseline_runs = 5,
        .baseline_hits = baseline_hits,
        .baseline_met_new = verdict_meets_run_condition(baseline_hits, 5),
    };
}

static enum verdict judge(struct stutter_evidence evidence)
{
    struct stutter_verdict verdict;
    compare_stutter(&evidence, &verdict);
    cr_assert(strlen(verdict.reason) > 0);
    return verdict.verdict;
}

Test(verdict, run_condition)
{
    cr_assert(verdict_meets_run_condition(2, 4) && verdict_meets_run_condition(3, 5));
    cr_assert_not(verdict_meets_run_condition(1, 1) || verdict_meets_run_condition(2, 5));
    cr_assert_not(verdict_meets_run_condition(0, 0));
}

Test(verdict, worked_example)
{
    struct stutter_evidence evidence = hits(4, 5, 0, 0);
    struct stutter_verdict verdict;
    evidence.peak_before = RUNS(31.6);
    evidence.peak_after = RUNS(92.4);
    compare_stutter(&evidence, &verdict);
    cr_assert(verdict.verdict == VERDICT_NEW);
    cr_assert_float_eq(verdict.peak.delta, 60.8, 1e-9);
}

Test(verdict, new_back_sporadic)
{
    cr_assert(judge(hits(1, 5, 0, 0)) == VERDICT_SPORADIC);
    cr_assert(judge(hits(2, 5, 0, 0)) == VERDICT_SPORADIC, "fewer than half");
    cr_assert(judge(hits(3, 5, 0, 0)) == VERDICT_NEW);
    cr_assert(judge(hits(3, 5, 1, 0)) == VERDICT_SPORADIC, "one of the builds before had it");
    struct stutter_evidence evidence = hits(3, 5, 0, 0);
    evidence.gone_before = true;
    cr_assert(judge(evidence) == VERDICT_BACK);
    evidence = hits(1, 1, 0, 1); /* one run a night: the second night with it, of three counted */
    evidence.counted_runs = 3;
    evidence.counted_hits = 2;
    evidence.baseline_runs = 1;
    cr_assert(judge(evidence) == VERDICT_NEW);
}

Test(verdict, no_baseline)
{
    struct stutter_evidence evidence = hits(4, 5, 0, 0);
    struct stutter_verdict verdict;
    evidence.has_baseline = false;
    evidence.why_none = "first build of the series";
    compare_stutter(&evidence, &verdict);
    cr_assert(verdict.verdict == VERDICT_NONE);
    cr_assert_str_eq(verdict.reason, "first build of the series");
}

Test(verdict, sizes)
{
    struct stutter_evidence evidence = hits(4, 5, 9, 4);
    evidence.peak_before = RUNS(60, 62, 61);
    evidence.peak_after = RUNS(61, 62, 63);
    evidence.rate_before = RUNS(1, 1, 1);
    evidence.rate_after = RUNS(1, 1.2, 1);
    cr_assert(judge(evidence) == VERDICT_SAME);
    evidence.rate_after = RUNS(3, 3, 3);
    cr_assert(judge(evidence) == VERDICT_WORSE, "by its rate");
    evidence.peak_after = RUNS(40, 41, 42);
    cr_assert(judge(evidence) == VERDICT_WORSE, "worse wins over better");
    evidence.rate_after = RUNS(1, 1, 1);
    cr_assert(judge(evidence) == VERDICT_BETTER);
    evidence.peak_after = RUNS(90, 91, 92);
    struct stutter_verdict verdict;
    compare_stutter(&evidence, &verdict);
    cr_assert(verdict.verdict == VERDICT_WORSE && verdict.history_short);
    cr_assert_str_eq(verdict.reason, "peak per run 61 → 91 ms, +30 (+49 %), history short");
}

Test(verdict, gone)
{
    cr_assert(judge(hits(0, 5, 0, 4)) == VERDICT_GONE);
    cr_assert(judge(hits(0, 5, 0, 2)) == VERDICT_SPORADIC);
    cr_assert(judge(hits(0, 5, 0, 0)) == VERDICT_NONE);
    struct stutter_evidence evidence = hits(0, 5, 0, 4);
    evidence.seen = 0;
    cr_assert(judge(evidence) == VERDICT_NOT_EXERCISED);
}

static int compare_values(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median_by_sorting(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_values);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Ascending, descending, few different values, no order: as sorting says. */
Test(compare, medians_are_those_of_sorted_values)
{
    enum { MOST = 300 };
    uint32_t random = 7;
    for (size_t count = 1; count <= MOST; count++)
        for (int kind = 0; kind < 4; kind++) {
            double values[MOST], sorted[MOST], apart[MOST];
            for (size_t i = 0; i < count; i++) {
                random = random * 1664525u + 1013904223u;
                values[i] = kind == 0 ? (double)i : kind == 1 ? (double)(count - i) : kind == 2 ? (double)(random >> 30) : random / 1e3;
            }
            memcpy(sorted, values, sizeof sorted);
            double median = median_by_sorting(sorted, count);
            for (size_t i = 0; i < count; i++)
                apart[i] = fabs(values[i] - median);
            cr_assert(median_of(values, count) == median, "%zu values of kind %d", count, kind);
            cr_assert(mad_of(values, count) == median_by_sorting(apart, count), "%zu values of kind %d", count, kind);
        }
}
