/*
 * Standing apart, against counts on paper: binomial coefficients written out.
 */
#include "stutterscope/analysis/apart.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const double earlier[] = {22.9, 23.1, 23.1, 22.9, 23.1, 23.0, 23.1, 22.9, 23.0, 23.1};

/* 4 of 5 above all 10: the four highest of 15 are all of these 5: C(5,4) / C(15,4) = 5 / 1365. */
Test(apart, one_clean_run_among_five)
{
    static const double after[] = {53.2, 49.0, 23.0, 52.4, 47.7};
    const struct rank_stratum stratum = {{after, COUNT(after)}, {earlier, COUNT(earlier)}};
    struct apart apart;

    apart_measure(&stratum, 1, 0, &apart);
    cr_assert_eq(apart.above, 4);
    cr_assert_eq(apart.runs, 5);
    cr_assert_eq(apart.earlier, 10);
    cr_assert_float_eq(apart.p, 5.0 / 1365, 1e-12);
    cr_assert_float_eq(apart.margin, (49.0 - 23.1) / (23.1 - 23.05), 1e-6);
    cr_assert(apart_is_plain(&apart));
}

/* One odd run: 5 of 15, and the median is not above. */
Test(apart, one_odd_run_decides_nothing)
{
    static const double after[] = {23.0, 22.9, 300, 23.1, 23.0};
    const struct rank_stratum stratum = {{after, COUNT(after)}, {earlier, COUNT(earlier)}};
    struct apart apart;

    apart_measure(&stratum, 1, 0, &apart);
    cr_assert_eq(apart.above, 1);
    cr_assert_float_eq(apart.p, 5.0 / 15, 1e-12);
    cr_assert(apart.margin < 0);
    cr_assert(!apart_is_plain(&apart));
    cr_assert(!apart_counts(&apart, 0.5, 200));
}

/* All of 3 above all of 3 are 1 of C(6,3) = 20; by less than the earlier ones differ it needs few looks. */
Test(apart, all_above_but_near)
{
    static const double after[] = {31, 32, 33}, before[] = {20, 25, 30};
    const struct rank_stratum stratum = {{after, 3}, {before, 3}};
    struct apart apart;

    apart_measure(&stratum, 1, 0, &apart);
    cr_assert_float_eq(apart.p, 1.0 / 20, 1e-12);
    cr_assert_float_eq(apart.margin, 2.0 / 5, 1e-12);
    cr_assert(!apart_is_plain(&apart));
    cr_assert(apart_counts(&apart, 1, 20));
    cr_assert(!apart_counts(&apart, 1, 21));
}

/* The same as the highest is not above. */
Test(apart, ties_are_not_above)
{
    static const double same[] = {5, 5, 5, 5};
    const struct rank_stratum stratum = {{same, 3}, {same, 4}};
    struct apart apart;

    apart_measure(&stratum, 1, 0, &apart);
    cr_assert_eq(apart.above, 0);
    cr_assert_float_eq(apart.p, 1, 1e-12);
    cr_assert_eq(apart.margin, 0);
}

/*
 * One run at the rare quality is above its two earlier ones (1 of 3), none of two is at the usual one (three earlier). At
 * least one of all: 1 - P(none) P(none) = 1 - (2/3) (3/5).
 */
Test(apart, few_runs_borrow_the_other_quality)
{
    static const double rare[] = {50}, rare_before[] = {20, 21}, usual[] = {18, 19}, usual_before[] = {18, 20, 19};
    const struct rank_stratum strata[] = {{{usual, 2}, {usual_before, 3}}, {{rare, 1}, {rare_before, 2}}};
    struct apart apart;

    apart_measure(strata, 2, 1, &apart);
    cr_assert_eq(apart.above, 1);
    cr_assert_eq(apart.runs, 3);
    cr_assert_eq(apart.earlier, 5);
    cr_assert_float_eq(apart.p, 1 - 2.0 / 3 * (3.0 / 5), 1e-12);
    cr_assert(!apart_is_plain(&apart));
}

/* One run a night: plain when it is three times as far away as the earlier ones differ; before there are three, the size decides. */
Test(apart, one_run_a_night)
{
    static const double after[] = {33}, before[] = {16, 17, 16.5};
    const struct rank_stratum three = {{after, 1}, {before, 3}}, one = {{after, 1}, {before, 1}};
    struct apart apart;

    apart_measure(&three, 1, 0, &apart);
    apart.few = true;
    cr_assert(apart_is_plain(&apart));
    apart_measure(&one, 1, 0, &apart);
    apart.few = true;
    cr_assert(isnan(apart.margin));
    cr_assert(apart_counts(&apart, 1, 100));
    cr_assert(!apart_counts(&apart, 1, 101));
}

Test(apart, no_runs)
{
    static const double values[] = {1, 2, 3};
    const struct rank_stratum stratum = {{values, 3}, {NULL, 0}};
    struct apart apart;

    apart_measure(&stratum, 1, 0, &apart);
    cr_assert(isnan(apart.p) && isnan(apart.margin));
    cr_assert(!apart_is_plain(&apart));
}

/* Tea tasting: 3 of 4 right, 1 of 4 on the other side: (16 + 1) / 70. */
Test(apart, chance_of_hits_is_fishers)
{
    cr_assert_float_eq(chance_of_hits(3, 4, 1, 4), 17.0 / 70, 1e-12);
    cr_assert_float_eq(chance_of_hits(6, 6, 0, 6), 1.0 / 924, 1e-12);
    cr_assert_float_eq(chance_of_hits(2, 3, 0, 2), 3.0 / 10, 1e-12);
    cr_assert_float_eq(chance_of_hits(0, 3, 2, 4), 1, 1e-12);
    cr_assert(isnan(chance_of_hits(1, 1, 0, 0)));
}

/* The reasons say how many runs; a short history says by how much it changed. */
Test(apart, reasons)
{
    static const double after[] = {53.2, 49.0, 23.0, 52.4, 47.7}, odd[] = {300, 40, 41, 23.0, 22.9};
    struct rank_stratum stratum = {{after, COUNT(after)}, {earlier, COUNT(earlier)}};
    const struct per_run history = {earlier, COUNT(earlier)};
    struct figure_comparison comparison;
    struct rank_test rank;
    struct apart apart;
    struct chance_test test = {&rank, &apart, RANK_P_GROUP, 1000};

    apart_measure(&stratum, 1, 0, &apart);
    rank_test_higher(&stratum, 1, &rank);
    compare_figure(COMPARED_P99, history, stratum.after, history, &comparison);
    compare_weigh(&test, &comparison);
    cr_assert_eq(comparison.verdict, VERDICT_WORSE);
    cr_assert(strstr(comparison.reason, "4 of 5 runs above all 10 earlier"), "%s", comparison.reason);

    static const double wide[] = {22, 39, 22.5, 36, 23};

    stratum = (struct rank_stratum){{odd, COUNT(odd)}, {wide, COUNT(wide)}};
    apart_measure(&stratum, 1, 0, &apart);
    rank_test_higher(&stratum, 1, &rank);
    compare_figure(COMPARED_P99, stratum.before, stratum.after, stratum.before, &comparison);
    compare_weigh(&test, &comparison);
    cr_assert_eq(comparison.verdict, VERDICT_SAME);
    cr_assert(strstr(comparison.reason, "changed by 17, but history short: 3 of 5 runs above all 5 earlier"), "%s", comparison.reason);
}
