#include "stutterscope/analysis/rank.h"

#include "stutterscope/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ranks are scaled to 0 … SCALE, so that strata of different sizes weigh alike and sums stay small integers. */
enum { SCALE = 400 };

/* Probabilities of sums of scaled ranks. */
struct sums {
    double *items;
    size_t count; /* sums 0 … count - 1 */
};

struct ranked {
    double value;
    bool after;
    int rank;
};

static int compare_values(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;

    return (x > y) - (x < y);
}

static size_t collect(const struct rank_stratum *stratum, struct ranked *items)
{
    size_t count = 0;

    for (size_t i = 0; i < stratum->after.count && i < RANK_MOST_AFTER; i++)
        items[count++] = (struct ranked){stratum->after.values[i], true, 0};
    for (size_t i = 0; i < stratum->before.count && i < RANK_MOST; i++)
        items[count++] = (struct ranked){stratum->before.values[i], false, 0};
    qsort(items, count, sizeof *items, compare_values);
    /* Equal values share the middle of their places. */
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from; to < count && items[to].value == items[from].value; to++)
            ;
        for (size_t i = from; i < to; i++)
            items[i].rank = (int)lround((double)SCALE * ((double)(from + to - 1) / 2 + 1) / (double)(count + 1));
    }
    return count;
}

/*
 * How many ways there are to draw `drawn` of the items with each sum of ranks, as probabilities. Ranks ascend: k of the
 * items so far sum to k times the last rank at most, and a draw that the items left cannot fill any more is not followed.
 */
static struct sums draw(const struct ranked *items, size_t count, size_t drawn)
{
    size_t size = drawn * SCALE + 1;
    double *ways = memory_take_zeroed((drawn + 1) * size, sizeof *ways), total = 0;
    struct sums sums = {memory_take(size * sizeof *sums.items), size};

    ways[0] = 1;
    for (size_t i = 0; i < count; i++) {
        size_t left = count - i - 1, most = i < drawn ? i + 1 : drawn;
        size_t shift = (size_t)items[i].rank, last = i ? (size_t)items[i - 1].rank : 0;

        for (size_t k = most; k-- > 0 && k + 1 + left >= drawn;) {
            const double *from = ways + k * size;
            double *to = ways + (k + 1) * size + shift;

            for (size_t s = 0; s <= k * last && s < size - shift; s++)
                to[s] += from[s];
        }
    }
    for (size_t s = 0; s < size; s++)
        total += ways[drawn * size + s];
    for (size_t s = 0; s < size; s++)
        sums.items[s] = ways[drawn * size + s] / total;
    free(ways);
    return sums;
}

static struct sums convolve(struct sums a, struct sums b)
{
    struct sums both = {memory_take_zeroed(a.count + b.count - 1, sizeof *both.items), a.count + b.count - 1};

    for (size_t i = 0; i < a.count; i++)
        for (size_t j = 0; a.items[i] > 0 && j < b.count; j++)
            both.items[i + j] += a.items[i] * b.items[j];
    free(a.items);
    free(b.items);
    return both;
}

/* tails[s]: chance of at least s. */
static double *tails_of(const struct sums *sums)
{
    double *tails = memory_take((sums->count + 1) * sizeof *tails);

    tails[sums->count] = 0;
    for (size_t s = sums->count; s-- > 0;)
        tails[s] = tails[s + 1] + sums->items[s];
    return tails;
}

/* Chance that the sum of both is at least the observed one: what a convolution would be summed up to, without making it. */
static double at_least(const struct sums *sums, const double *tails, size_t count, size_t observed)
{
    double p = 0;

    for (size_t s = 0; s < sums->count; s++) {
        size_t wanted = observed > s ? observed - s : 0;

        if (wanted < count)
            p += sums->items[s] * tails[wanted];
    }
    return p < 1 ? p : 1;
}

void rank_test_higher(const struct rank_stratum *strata, size_t count, struct rank_test *ret)
{
    struct ranked *items = memory_take((RANK_MOST + RANK_MOST_AFTER) * sizeof *items);
    struct sums sums = {memory_take(sizeof *sums.items), 1}, last = {NULL, 0}; /* all strata but the last, and that one */
    size_t observed = 0, highest = 0;

    sums.items[0] = 1;
    memset(ret, 0, sizeof *ret);
    ret->p = ret->least_p = ret->count_p = NAN;
    for (size_t i = 0; i < count; i++) {
        size_t total, drawn = 0;

        if (!strata[i].after.count || !strata[i].before.count)
            continue;
        total = collect(&strata[i], items);
        for (size_t k = 0; k < total; k++)
            if (items[k].after) {
                observed += (size_t)items[k].rank;
                drawn++;
            }
        for (size_t k = total - drawn; k < total; k++)
            highest += (size_t)items[k].rank;
        ret->runs_after += drawn;
        ret->runs_before += total - drawn;

        if (last.items)
            sums = convolve(sums, last);
        last = draw(items, total, drawn);
    }
    if (last.items) {
        double *tails = tails_of(&last);

        ret->p = at_least(&sums, tails, last.count, observed);
        ret->least_p = at_least(&sums, tails, last.count, highest);
        free(tails);
    }
    free(sums.items);
    free(last.items);
    free(items);
}

/* P(X >= k) for a Poisson variable, k not necessarily whole: the next whole number counts. */
static double poisson_at_least(double k, double mean)
{
    double term = exp(-mean), below = 0;
    long needed = (long)ceil(k - 1e-9);

    for (long i = 0; i < needed; i++) {
        below += term;
        term *= mean / (double)(i + 1);
    }
    return below < 1 ? 1 - below : 0;
}

double count_test_higher(const struct run_count *after, size_t after_count, const struct run_count *before, size_t before_count)
{
    double count = 0.5, minutes = 0, seen = 0, looked = 0, spread = 0, dispersion;

    for (size_t i = 0; i < before_count; i++) {
        count += before[i].count;
        minutes += before[i].minutes;
    }
    for (size_t i = 0; i < after_count; i++) {
        seen += after[i].count;
        looked += after[i].minutes;
    }
    if (before_count < 2 || !(minutes > 0) || !(looked > 0))
        return NAN;
    for (size_t i = 0; i < before_count; i++) {
        double expected = count / minutes * before[i].minutes;

        if (expected > 0)
            spread += (before[i].count - expected) * (before[i].count - expected) / expected;
    }
    dispersion = spread / (double)(before_count - 1);
    if (dispersion < 1)
        dispersion = 1;
    return poisson_at_least(seen / dispersion, count / minutes * looked / dispersion);
}

bool rank_test_tells(const struct rank_test *test)
{
    return test && test->runs_before >= RANK_HISTORY;
}

bool rank_test_rules_out_chance(const struct rank_test *test, double limit)
{
    if (test->p <= limit)
        return true;
    /* So few runs that no rank could: their counts may. */
    return test->least_p > limit && test->count_p <= limit;
}
