/*
 * Standing apart: how many runs of a build are above every earlier one, how likely that is by chance, and whether the
 * step is wider than the earlier runs ever differed. Says something where the history is too short for ranks, and one
 * odd run among the new ones changes little.
 */
#ifndef STUTTERSCOPE_ANALYSIS_APART_H
#define STUTTERSCOPE_ANALYSIS_APART_H

#include "stutterscope/analysis/rank.h"
#include <stdint.h>

enum { APART_RUNS = 3 }; /* with fewer runs on a side there is nothing to test; other qualities of the cell are looked at, too */

struct apart {
    size_t above, runs; /* so many of the runs are above every earlier run (of their quality) */
    size_t earlier;     /* earlier runs */
    double p;           /* chance that so many of so many would be, if nothing had changed (precedence test, exact); NaN without runs */
    double margin;      /* (median of the runs - highest earlier) / (highest earlier - median of the earlier); inf when those are equal; NaN with
                           fewer than APART_RUNS of them */
    bool own;           /* the group has enough runs on both sides; else the figures above are of all qualities */
    bool few;           /* the cell has fewer than APART_RUNS runs on a side */
};
/*
 * strata[own] are the runs of the group itself; while it has fewer than APART_RUNS runs on a side all strata count
 * together. Ties are not above. `few` is left false: what the runs of the cell are is known by the caller.
 */
void apart_measure(const struct rank_stratum *strata, size_t count, size_t own, struct apart *ret);

/*
 * Most runs are above, further away than the earlier runs differ. In a cell with few runs a night: all of them, three
 * times as far. Decides with any history.
 */
bool apart_is_plain(const struct apart *apart);
/*
 * Nothing can be tested: the first builds of a cell with one or two runs each. Then the size decides, unless so much is
 * looked at that chance alone would fill the list.
 */
bool apart_decides_by_size(const struct apart *apart, size_t looks);
/* With a short history: either of these, or chance would show it less than once in so many looks of the night. */
bool apart_counts(const struct apart *apart, double rank_p, size_t looks);

/*
 * Fisher's exact test, one-sided: chance of at least `hits` of `seen` here when hits fall on all occurrences alike. NaN
 * when nothing was seen on a side.
 */
double chance_of_hits(int64_t hits, int64_t seen, int64_t hits_before, int64_t seen_before);

#endif
