/*
 * Is this higher than it ever was? An exact rank test of a build's per-run figures against those of the builds before,
 * stratum by stratum (qualities are not mixed). It needs no assumption about how the figures are spread: one monstrous
 * frame in one run weighs no more than "the highest".
 */
#ifndef STUTTERSCOPE_ANALYSIS_RANK_H
#define STUTTERSCOPE_ANALYSIS_RANK_H

#include "stutterscope/analysis/compare.h"

struct rank_stratum {
    struct per_run after, before;
};

struct rank_test {
    double p;       /* chance that runs drawn at random from all would stand as high as these; NaN without runs */
    double least_p; /* the smallest p that so many runs could reach: what cannot be told apart, says so */
    double count_p; /* of count_test_higher(), for figures that are counts; NaN otherwise */
    size_t runs_after, runs_before;
};

/*
 * One-sided (higher) Wilcoxon rank sum test over strata (van Elteren), exact by counting, ties by mid-ranks. Strata
 * without runs on one side say nothing. Large samples are thinned to the newest RANK_MOST on the before side.
 */
enum { RANK_MOST = 200, RANK_MOST_AFTER = 12 };
void rank_test_higher(const struct rank_stratum *strata, size_t count, struct rank_test *ret);

/* How often something happened in one run, and for how long was looked. */
struct run_count {
    double count, minutes;
};
/*
 * Chance of at least so many in the runs of `after` at the rate of `before`: Poisson, made wider by the dispersion of the
 * earlier runs where that is above 1 (quasi-Poisson). For builds with too few runs for ranks. NaN without earlier runs.
 */
double count_test_higher(const struct run_count *after, size_t after_count, const struct run_count *before, size_t before_count);

/*
 * More than a thousand stutters and some hundred groups are looked at every night: a step counts as one only when chance
 * would show it about once in so many looks. History shorter than RANK_HISTORY runs says nothing about chance.
 */
#define RANK_P_STUTTER 0.0001
#define RANK_P_GROUP   0.0004
enum { RANK_HISTORY = 20 };
/* Whether the history is long enough to ask, and whether chance is ruled out. */
bool rank_test_tells(const struct rank_test *test);
bool rank_test_rules_out_chance(const struct rank_test *test, double limit);

#endif
