/* Ranks, median and MAD of weighted lists, which are added up by blocks, against one value after the other. */
#include "../../../src/analysis/values.h"
#include "../../../src/analysis/walk.h"
#include "helper.h"
#include "stutterscope/base/memory.h"
#include <criterion/criterion.h>
#include <stdlib.h>

#define MOST 600

/* What one case looks at; total is the sum of the weights unless the case is a damaged one. */
struct list_case {
    struct value_list list;
    int64_t values[MOST], weights[MOST], total;
};

static int compare_values(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static int64_t weight_of(uint64_t *random, bool hostile)
{
    const int64_t odd[] = {INT64_MAX, INT64_MAX / 3, (int64_t)1 << 56, ((int64_t)1 << 56) - 1, (int64_t)1 << 40};
    if (hostile && next_random(random) % 40 == 0)
        return odd[next_random(random) % (sizeof odd / sizeof *odd)];
    return 1 + (int64_t)(next_random(random) % 5 == 0 ? next_random(random) % 1000 : next_random(random) % 4);
}

static int64_t value_of(uint64_t *random, bool hostile)
{
    const int64_t odd[] = {INT64_MIN / 2, INT64_MAX, -1, 0, (int64_t)1 << 60, ((int64_t)1 << 60) - 1, INT64_MAX / 2, -NS_PER_S};
    if (hostile && next_random(random) % 60 == 0)
        return odd[next_random(random) % (sizeof odd / sizeof *odd)];
    return MS(8) + (int64_t)(next_random(random) % 2000) * (next_random(random) % 9 == 0 ? 50000 : 1000);
}

static void make_case(struct list_case *ret, uint64_t *random, int round)
{
    size_t count = 1 + next_random(random) % (round % 2 ? MOST : 80), distinct = 0;
    for (size_t i = 0; i < count; i++)
        ret->values[i] = value_of(random, round % 3 == 2);
    qsort(ret->values, count, sizeof *ret->values, compare_values);
    for (size_t i = 0; i < count; i++)
        if (distinct == 0 || ret->values[i] != ret->values[distinct - 1])
            ret->values[distinct++] = ret->values[i];
    ret->total = 0;
    for (size_t i = 0; i < distinct; i++) {
        ret->weights[i] = weight_of(random, round % 5 == 4);
        ret->total = ns_plus(ret->total, ret->weights[i]);
    }
    ret->list = (struct value_list){.values = ret->values, .weights = ret->weights, .count = distinct};
}

static size_t plain_rank(const struct list_case *of, int64_t need)
{
    int64_t upto = 0;
    size_t at = 0;
    for (; at < of->list.count; at++)
        if ((upto = ns_plus(upto, of->weights[at])) >= need)
            return at;
    return of->list.count - 1;
}

/* Outwards from the center, the nearer value first, one after the other. */
static int64_t plain_mad(const struct list_case *of, int64_t center)
{
    int64_t low_need = of->total / 2 + of->total % 2, high_need = of->total / 2 + 1, behind = 0, low = 0;
    size_t right = 0, left;
    bool has_low = false;
    while (right < of->list.count && ns_times(of->values[right], 2) < center)
        right++;
    for (left = right;;) {
        int64_t below = left > 0 ? ns_minus(center, ns_times(of->values[left - 1], 2)) : INT64_MAX;
        int64_t above = right < of->list.count ? ns_minus(ns_times(of->values[right], 2), center) : INT64_MAX;
        bool takes_left = left > 0 && (right == of->list.count || below <= above);
        int64_t far = takes_left ? below : above;
        behind = ns_plus(behind, takes_left ? of->weights[--left] : of->weights[right++]);
        if (!has_low && behind >= low_need) {
            has_low = true;
            low = far;
        }
        if (behind >= high_need || (left == 0 && right == of->list.count))
            return ns_plus(low, far);
    }
}

Test(value_list, blocks_change_nothing)
{
    struct list_case *of = memory_take(sizeof *of);
    uint64_t random = 7;
    for (int round = 0; round < 6000; round++) {
        make_case(of, &random, round);
        bool sums_hold = of->total < INT64_MAX; /* else a rank depends on the side that it is looked for from */
        for (int i = 0; i < 6 && sums_hold; i++) {
            int64_t need = i == 0 ? 1 : i == 1 ? of->total : 1 + (int64_t)(next_random(&random) % (uint64_t)of->total);
            cr_assert_eq(value_list_rank(&of->list, of->total, need), plain_rank(of, need), "round %d, rank %lld of %lld", round,
                         (long long)need, (long long)of->total);
        }
        int64_t low = of->values[plain_rank(of, of->total / 2 + of->total % 2)],
                high = of->values[plain_rank(of, of->total / 2 + 1)];
        if (sums_hold)
            cr_assert_eq(value_list_median_doubled(&of->list, of->total), ns_plus(low, high), "round %d", round);
        int64_t centers[] = {ns_plus(low, high), 2 * of->values[of->list.count / 3], 0, -5, INT64_MAX};
        for (size_t i = 0; i < sizeof centers / sizeof *centers; i++) {
            if (round % 3 == 2 && i == 1)
                continue; /* twice a hostile value is none */
            cr_assert_eq(value_list_mad_quadrupled(&of->list, of->total, centers[i]), plain_mad(of, centers[i]),
                         "round %d, center %lld", round, (long long)centers[i]);
        }
    }
    free(of);
}
