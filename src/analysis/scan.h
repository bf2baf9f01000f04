/*
 * Looking through many frame times for the few that matter: whole blocks at a time, without a branch for each value,
 * so that compilers can work on several at once. All are exact for every int64_t: a block that holds a damaged value
 * is looked through one by one. For the sources of analysis/ only.
 */
#ifndef STUTTERSCOPE_ANALYSIS_SCAN_H
#define STUTTERSCOPE_ANALYSIS_SCAN_H

#include "walk.h"

#define SCAN_BLOCK 32

/*
 * Whether a value of the block may be over the limit, which is at least 0: the sign of limit - value says so for every
 * value that is; values far below zero may wrap around to the same sign.
 */
static inline bool scan_may_be_over(const int64_t *values, int64_t limit)
{
    uint64_t any = 0;
    for (size_t k = 0; k < SCAN_BLOCK; k++)
        any |= (uint64_t)limit - (uint64_t)values[k];
    return any >> 63;
}

/* The first of [first, end) that is over the limit; end when none is. */
static inline size_t scan_over(const int64_t *values, size_t first, size_t end, int64_t limit)
{
    size_t i = first;
    for (; limit >= 0 && i + SCAN_BLOCK <= end; i += SCAN_BLOCK)
        if (scan_may_be_over(values + i, limit))
            for (size_t k = i; k < i + SCAN_BLOCK; k++)
                if (values[k] > limit)
                    return k;
    while (i < end && values[i] <= limit)
        i++;
    return i < end ? i : end;
}

/* The greatest of [first, end) and of what was the greatest before; VALUE_UNKNOWN is the least number. */
static inline int64_t scan_greatest(const int64_t *values, size_t first, size_t end, int64_t greatest)
{
    size_t i = first;
    while (i < end) {
        bool whole = end - first >= SCAN_BLOCK;
        if (whole && end - i < SCAN_BLOCK)
            i = end - SCAN_BLOCK; /* some are looked at twice */
        size_t stop = whole ? i + SCAN_BLOCK : end;
        if (whole && greatest >= 0 && !scan_may_be_over(values + i, greatest)) {
            i = stop;
            continue;
        }
        for (; i < stop; i++)
            greatest = values[i] > greatest ? values[i] : greatest;
    }
    return greatest;
}

/* Sum of a block whose values are neither negative nor so large that it could overflow; false: there are others. */
static inline bool scan_sum_block(const int64_t *values, int64_t *ret)
{
    uint64_t any = 0, sum = 0;
    for (size_t k = 0; k < SCAN_BLOCK; k++) {
        any |= (uint64_t)values[k];
        sum += (uint64_t)values[k];
    }
    *ret = (int64_t)sum;
    return any >> 56 == 0;
}

/*
 * Adds [*at, end) up onto *time_ns as long as it is below the limit; *at becomes the first that was not added.
 * INT64_MAX as limit: all of them, unless time itself ends.
 */
static inline void scan_add_up_to(const int64_t *values, size_t end, int64_t limit_ns, size_t *at, int64_t *time_ns)
{
    while (*at < end && *time_ns < limit_ns) {
        size_t stop = *at + SCAN_BLOCK <= end ? *at + SCAN_BLOCK : end;
        int64_t sum;
        if (stop - *at == SCAN_BLOCK && scan_sum_block(values + *at, &sum) && ns_plus(*time_ns, sum) < limit_ns) {
            *time_ns += sum;
            *at = stop;
            continue;
        }
        for (; *at < stop && *time_ns < limit_ns; (*at)++)
            *time_ns = ns_plus(*time_ns, values[*at]);
    }
}

/* How many of the values are below the limit. */
static inline size_t scan_count_below(const int64_t *values, size_t count, int64_t limit)
{
    size_t below = 0, i = 0;
    for (; limit >= 0 && i + SCAN_BLOCK <= count; i += SCAN_BLOCK) {
        uint64_t any = 0, here = 0;
        for (size_t k = 0; k < SCAN_BLOCK; k++) {
            any |= (uint64_t)values[i + k];
            here += ((uint64_t)values[i + k] - (uint64_t)limit) >> 63;
        }
        if (any >> 63)
            break;
        below += here;
    }
    for (; i < count; i++)
        below += values[i] < limit;
    return below;
}

#endif
