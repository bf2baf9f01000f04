/*
 * Student's t against printed tables; change points in series whose answer is known.
 */
#include "stutterscope/analysis/change_point.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

/* Two-sided critical values as printed in tables of Student's distribution. */
Test(change_point, student_p_as_in_tables)
{
    static const struct {
        double t, freedom, p;
    } table[] = {
        {12.706, 1, 0.05}, {4.303, 2, 0.05},  {2.571, 5, 0.05},   {2.228, 10, 0.05}, {2.042, 30, 0.05},  {1.960, 1e7, 0.05},
        {63.657, 1, 0.01}, {4.032, 5, 0.01},  {2.750, 30, 0.01},  {6.869, 5, 0.001}, {4.587, 10, 0.001}, {3.646, 30, 0.001},
        {1.812, 10, 0.10}, {0.700, 10, 0.50}, {0, 7, 1},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        cr_assert_float_eq(student_p(table[i].t, table[i].freedom), table[i].p, 0.0006, "t %g, %g degrees: %g", table[i].t, table[i].freedom,
                           student_p(table[i].t, table[i].freedom));
    cr_assert_float_eq(student_p(-2.228, 10), student_p(2.228, 10), 1e-12);
    cr_assert_eq(student_p(INFINITY, 5), 0);
    cr_assert(isnan(student_p(NAN, 5)));
    /* With one degree of freedom the distribution is Cauchy's: p = 1 - 2/pi atan(t). */
    for (double t = 0.1; t < 50; t *= 1.7)
        cr_assert_float_eq(student_p(t, 1), 1 - 2 / acos(-1) * atan(t), 1e-10);
}

enum { BUILDS = 12, RUNS = 4 };

struct series {
    double values[BUILDS][RUNS];
    struct per_run builds[BUILDS];
};

/* A little deterministic noise of about ± 1. */
static double noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 24) * 2 - 1;
}

static void fill(struct series *series, size_t change, double before, double after)
{
    uint32_t state = 7;

    for (size_t b = 0; b < BUILDS; b++) {
        for (size_t r = 0; r < RUNS; r++)
            series->values[b][r] = (b < change ? before : after) + noise(&state);
        series->builds[b] = (struct per_run){series->values[b], RUNS};
    }
}

Test(change_point, finds_the_build)
{
    for (size_t change = 2; change <= BUILDS - 2; change++) {
        struct series series;
        struct change_point found;

        fill(&series, change, 24, 29);
        change_point_find(series.builds, BUILDS, &found);
        cr_assert(found.found);
        cr_assert_eq(found.first_after, change);
        cr_assert_eq(found.runs_before, change * RUNS);
        cr_assert_eq(found.builds_after, BUILDS - change);
        cr_assert_float_eq(found.before, 24, 0.6);
        cr_assert_float_eq(found.after, 29, 0.6);
        cr_assert(found.t > 0 && found.p < 0.001);
    }
}

Test(change_point, noise_has_none)
{
    struct series series;
    struct change_point found;

    fill(&series, 6, 24, 24);
    change_point_find(series.builds, BUILDS, &found);
    cr_assert_not(found.found, "t %g p %g at %zu", found.t, found.p, found.first_after);
}

/* One odd run makes the spread wide, and does not decide. */
Test(change_point, an_odd_run_does_not_decide)
{
    struct series series;
    struct change_point found;

    fill(&series, 6, 24, 24);
    series.values[9][1] = 300;
    change_point_find(series.builds, BUILDS, &found);
    cr_assert_not(found.found, "t %g p %g at %zu", found.t, found.p, found.first_after);
}

Test(change_point, builds_without_runs_are_no_change)
{
    struct series series;
    struct change_point found;

    fill(&series, 6, 24, 29);
    series.builds[6].count = 0; /* the first bad build was not run */
    series.builds[7].count = 0;
    change_point_find(series.builds, BUILDS, &found);
    cr_assert(found.found);
    cr_assert_eq(found.first_after, 8);
    cr_assert_eq(found.builds_before, 6);
    cr_assert_eq(found.builds_after, 4);
}

Test(change_point, too_few_runs)
{
    struct series series;
    struct change_point found;

    fill(&series, 1, 24, 29); /* 4 runs before: one too few */
    change_point_find(series.builds, BUILDS, &found);
    cr_assert(isnan(found.t) || found.first_after > 1);
    change_point_find(series.builds, 2, &found);
    cr_assert_not(found.found);
    cr_assert(isnan(found.p));
    change_point_find(NULL, 0, &found);
    cr_assert_not(found.found);
}

Test(change_point, without_any_spread)
{
    static const double low[] = {16, 16, 16}, high[] = {17, 17, 17};
    struct per_run builds[] = {{low, 3}, {low, 3}, {high, 3}, {high, 3}};
    struct change_point found;

    change_point_find(builds, 4, &found);
    cr_assert(found.found);
    cr_assert_eq(found.first_after, 2);
    cr_assert_eq(found.p, 0);
    builds[2] = builds[3] = builds[0];
    change_point_find(builds, 4, &found);
    cr_assert_not(found.found);
}

/* Ten rising values: S = 45, variance 10 x 9 x 25 / 18 = 125, z = 44 / 11.18 = 3.9355, two-sided p = 8.3e-5 (normal table). */
Test(change_point, slope_of_small_steps)
{
    static const double rising[] = {16.3, 16.8, 17.3, 17.8, 18.3, 18.9, 19.5, 20.0, NAN, 20.6, 21.3}, flat[] = {5, 5, 5, 5, 5, 5, 5, 5};
    double falling[11];
    int direction;

    cr_assert_float_eq(slope_p(rising, 11, &direction), 8.3e-5, 0.05e-5);
    cr_assert_eq(direction, 1);
    for (int i = 0; i < 11; i++)
        falling[i] = -rising[i];
    cr_assert_float_eq(slope_p(falling, 11, &direction), 8.3e-5, 0.05e-5);
    cr_assert_eq(direction, -1);
    cr_assert_eq(slope_p(flat, 8, &direction), 1);
    cr_assert_eq(direction, 0);
    cr_assert(isnan(slope_p(rising, 7, &direction)));
}
