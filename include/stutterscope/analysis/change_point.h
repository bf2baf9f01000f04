/*
 * Since when: one change point in a series of builds, decided on figures of runs. No random numbers, no guessing: the
 * same series always gives the same answer.
 */
#ifndef STUTTERSCOPE_ANALYSIS_CHANGE_POINT_H
#define STUTTERSCOPE_ANALYSIS_CHANGE_POINT_H

#include "stutterscope/analysis/compare.h"

enum { CHANGE_POINT_RUNS = 5 }; /* at least so many runs on each side */
#define CHANGE_POINT_P 0.001

struct change_point {
    bool found;
    size_t first_after;                 /* index of the first build behind the change */
    double before, after;               /* medians over the runs of each side */
    double t, p;                        /* Welch's t of the means, two-sided p; NaN when there is no split */
    size_t runs_before, runs_after;
    size_t builds_before, builds_after; /* with runs: the nights that speak for each side */
};
/*
 * Oldest build first; builds without runs have count 0. The split that maximises Welch's t over the per-run figures;
 * found when p < 0.001. Means and variances as usual (n - 1); two sides without any spread that differ give t = inf.
 */
void change_point_find(const struct per_run *builds, size_t count, struct change_point *ret);

/* Two-sided p of Student's t with (fractional) degrees of freedom, by the regularised incomplete beta function. */
double student_p(double t, double degrees_of_freedom);

/*
 * Whether a series rises or falls as a whole, without a step: Mann-Kendall, two-sided p with continuity correction, no
 * ties corrected (p is too large with them, never too small). *ret_direction: 1 up, -1 down, 0 neither. NaN values are
 * left out; NaN with fewer than SLOPE_VALUES.
 */
enum { SLOPE_VALUES = 8 };
double slope_p(const double *values, size_t count, int *ret_direction);

/* "4 nights | 7: fair": how sure so many nights on each side can make anybody. */
const char *change_point_trust(const struct change_point *change);

#endif
