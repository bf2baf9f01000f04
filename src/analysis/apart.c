#include "stutterscope/analysis/apart.h"

#include "stutterscope/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLAIN_P      0.1
#define PLAIN_MARGIN 1
#define FEW_MARGIN   3
enum { FEW_LOOKS = 100 };

static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* Chance that the k highest of n + m values are all among the n. */
static double all_of_the_highest(size_t k, size_t n, size_t m)
{
    return k > n ? 0 : exp(log_choose((double)n, (double)k) - log_choose((double)(n + m), (double)k));
}

static double highest_of(struct per_run runs)
{
    double highest = -INFINITY;

    for (size_t i = 0; i < runs.count; i++)
        highest = runs.values[i] > highest ? runs.values[i] : highest;
    return highest;
}

static size_t count_above(const struct rank_stratum *stratum)
{
    double highest = highest_of(stratum->before);
    size_t above = 0;

    for (size_t i = 0; i < stratum->after.count; i++)
        above += stratum->after.values[i] > highest;
    return above;
}

/* chances[k]: that k runs are above, over the strata so far; one more stratum. */
static void add_chances(double *chances, size_t runs, const struct rank_stratum *stratum)
{
    size_t n = stratum->after.count, m = stratum->before.count;
    double *both = memory_take_zeroed(runs + n + 1, sizeof *both);

    for (size_t k = 0; k <= n; k++) {
        double exactly = all_of_the_highest(k, n, m) - all_of_the_highest(k + 1, n, m);

        for (size_t i = 0; i <= runs; i++)
            both[i + k] += chances[i] * exactly;
    }
    memcpy(chances, both, (runs + n + 1) * sizeof *both);
    free(both);
}

static bool is_enough(const struct rank_stratum *stratum)
{
    return stratum->after.count >= APART_RUNS && stratum->before.count >= APART_RUNS;
}

static void count_strata(const struct rank_stratum *strata, size_t count, struct apart *ret)
{
    double *chances;
    size_t room = 1;

    for (size_t i = 0; i < count; i++)
        room += strata[i].after.count;
    chances = memory_take_zeroed(room, sizeof *chances);
    chances[0] = 1;
    for (size_t i = 0; i < count; i++) {
        if (!strata[i].after.count || !strata[i].before.count)
            continue;
        add_chances(chances, ret->runs, &strata[i]);
        ret->above += count_above(&strata[i]);
        ret->runs += strata[i].after.count;
        ret->earlier += strata[i].before.count;
    }
    ret->p = ret->runs ? 0 : NAN;
    for (size_t k = ret->above; ret->runs && k <= ret->runs; k++)
        ret->p += chances[k];
    free(chances);
}

void apart_measure(const struct rank_stratum *strata, size_t count, size_t own, struct apart *ret)
{
    *ret = (struct apart){.p = NAN, .margin = NAN};
    if (own >= count)
        return;

    struct per_run after = strata[own].after, before = strata[own].before;
    double highest = highest_of(before), step = median_of(after.values, after.count) - highest,
           spread = highest - median_of(before.values, before.count);

    ret->own = is_enough(&strata[own]);
    if (after.count && before.count >= APART_RUNS)
        ret->margin = spread > 0 ? step / spread : step > 0 ? INFINITY : step < 0 ? -INFINITY : 0;
    if (ret->own)
        count_strata(&strata[own], 1, ret);
    else
        count_strata(strata, count, ret);
}

bool apart_is_plain(const struct apart *apart)
{
    if (apart->own)
        return apart->p <= PLAIN_P && apart->margin > PLAIN_MARGIN;
    return apart->few && apart->earlier >= APART_RUNS && apart->above == apart->runs && apart->margin > FEW_MARGIN;
}

bool apart_decides_by_size(const struct apart *apart, size_t looks)
{
    return apart->few && apart->earlier < APART_RUNS && looks <= FEW_LOOKS;
}

bool apart_counts(const struct apart *apart, double rank_p, size_t looks)
{
    return apart_is_plain(apart) || apart_decides_by_size(apart, looks) || apart->p * (double)looks <= 1 || rank_p * (double)looks <= 1;
}

double chance_of_hits(int64_t hits, int64_t seen, int64_t hits_before, int64_t seen_before)
{
    double all = (double)(hits + hits_before), places = (double)(seen + seen_before), p = 0;

    if (seen <= 0 || seen_before <= 0)
        return NAN;
    for (double k = (double)hits; k <= (double)seen && k <= all; k++)
        if (all - k <= (double)seen_before)
            p += exp(log_choose((double)seen, k) + log_choose((double)seen_before, all - k) - log_choose(places, all));
    return p < 1 ? p : 1;
}
