/*
 * The rank test against answers that can be counted on paper, and against plain enumeration.
 */
#include "stutterscope/analysis/rank.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

static struct rank_test test_one(const double *after, size_t after_count, const double *before, size_t before_count)
{
    struct rank_stratum stratum = {{after, after_count}, {before, before_count}};
    struct rank_test test;

    rank_test_higher(&stratum, 1, &test);
    return test;
}

/* 3 runs above all 20: one way of C(23, 3) = 1771. */
Test(rank, all_above_all)
{
    static const double after[] = {100, 101, 102};
    double before[20];

    for (int i = 0; i < 20; i++)
        before[i] = i;

    struct rank_test test = test_one(after, 3, before, 20);

    cr_assert_float_eq(test.p, 1.0 / 1771, 1e-12);
    cr_assert_float_eq(test.least_p, 1.0 / 1771, 1e-12);
    cr_assert_eq(test.runs_after, 3);
    cr_assert_eq(test.runs_before, 20);
}

Test(rank, all_below_all_is_certain)
{
    static const double after[] = {-1, -2, -3}, before[] = {1, 2, 3, 4, 5};

    cr_assert_float_eq(test_one(after, 3, before, 5).p, 1, 1e-12);
}

/* Everything equal says nothing, and nothing could have been said. */
Test(rank, ties)
{
    static const double same[] = {5, 5, 5, 5, 5, 5};
    struct rank_test test = test_one(same, 2, same, 6);

    cr_assert_float_eq(test.p, 1, 1e-12);
    cr_assert_float_eq(test.least_p, 1, 1e-12);
}

/* Two of three runs hit, none of 75 before: C(2,2) x 76 of C(78,3) draws. */
Test(rank, rare_hits)
{
    static const double after[] = {4, 0, 4};
    static const double before[75];

    cr_assert_float_eq(test_one(after, 3, before, 75).p, 76.0 / 76076, 1e-9);
}

/* Two strata: chances multiply where both are at their highest. */
Test(rank, strata_multiply)
{
    static const double high[] = {50, 60}, one[] = {9}, many[] = {1, 2, 3, 4, 5, 6, 7, 8}, few[] = {1, 2, 3};
    struct rank_stratum strata[] = {{{high, 2}, {many, 8}}, {{one, 1}, {few, 3}}, {{high, 2}, {NULL, 0}}};
    struct rank_test test;

    rank_test_higher(strata, 3, &test);
    cr_assert_float_eq(test.p, 1.0 / 45 / 4, 1e-12); /* C(10,2) = 45, 4 */
    cr_assert_eq(test.runs_after, 3);
}

Test(rank, no_runs)
{
    static const double values[] = {1};

    cr_assert(isnan(test_one(values, 1, NULL, 0).p));
    cr_assert(isnan(test_one(NULL, 0, values, 1).p));
}

/* All draws of 2 of 8, counted one by one, with the same mid-ranks. */
Test(rank, against_enumeration)
{
    static const double values[] = {3, 1, 4, 1, 5, 9, 2, 6};
    enum { N = 8 };
    double ranks[N];

    for (int i = 0; i < N; i++) {
        ranks[i] = 0.5;
        for (int j = 0; j < N; j++)
            ranks[i] += values[j] < values[i] ? 1 : values[j] == values[i] ? 0.5 : 0;
    }
    for (int a = 0; a < N; a++)
        for (int b = a + 1; b < N; b++) {
            double after[] = {values[a], values[b]}, before[N];
            size_t rest = 0;
            int as_high = 0, all = 0;

            for (int i = 0; i < N; i++)
                if (i != a && i != b)
                    before[rest++] = values[i];
            for (int x = 0; x < N; x++)
                for (int y = x + 1; y < N; y++) {
                    all++;
                    as_high += ranks[x] + ranks[y] >= ranks[a] + ranks[b] - 1e-9;
                }
            cr_assert_float_eq(test_one(after, 2, before, rest).p, (double)as_high / all, 0.04, "%g %g: %g, %g", values[a], values[b],
                               test_one(after, 2, before, rest).p, (double)as_high / all);
        }
}

/* 10 windows in 2 minutes where 1 a minute is usual (20 runs, 1 each): P(X >= 10 | mean about 2) = 4.65e-5 for mean 2. */
Test(rank, counts_as_in_poisson_tables)
{
    struct run_count before[200], after[] = {{5, 1}, {5, 1}};

    for (int i = 0; i < 200; i++)
        before[i] = (struct run_count){1, 1};
    cr_assert_float_eq(count_test_higher(after, 2, before, 200), 4.65e-5, 0.15e-5); /* the half count makes the mean 2.005 */
    cr_assert_float_eq(count_test_higher(before, 1, before, 200), 1 - exp(-1.0025), 1e-9);
    cr_assert(isnan(count_test_higher(after, 2, before, 1)));
}

/* Runs that differ widely among themselves make many windows less surprising. */
Test(rank, dispersion_widens)
{
    struct run_count calm[40], wild[40], after[] = {{6, 1}, {6, 1}};

    for (int i = 0; i < 40; i++) {
        calm[i] = (struct run_count){1, 1};
        wild[i] = (struct run_count){i % 10 ? 0 : 10, 1};
    }
    cr_assert(count_test_higher(after, 2, calm, 40) < 1e-5);
    /* Dispersion about 9: 12 windows count as 1.3, so 2 of a mean of 0.22: 1 - exp(-0.22) x 1.22 = 0.021. */
    cr_assert_float_eq(count_test_higher(after, 2, wild, 40), 0.021, 0.004);
}
