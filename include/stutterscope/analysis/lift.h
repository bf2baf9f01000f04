/*
 * Event lift: is an event followed by a stutter window more often than any moment of the scene is?
 */
#ifndef STUTTERSCOPE_ANALYSIS_LIFT_H
#define STUTTERSCOPE_ANALYSIS_LIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a window starts at `at` or within so many ns after it; starts sorted. */
bool window_follows(const int64_t *starts, size_t count, int64_t at, int64_t within_ns);
/* How much of [from, to) is followed by a window's start within so many ns, counting windows of this stretch only. */
int64_t time_followed(const int64_t *starts, size_t count, int64_t from, int64_t to, int64_t within_ns);
/* P(X >= k) of a binomial variable. */
double binomial_at_least(int64_t k, int64_t n, double p);

struct lift {
    int64_t occurrences, followed;
    double share;    /* followed / occurrences */
    double base;     /* share of the scene's time that is followed by a window */
    double expected; /* occurrences x base */
    double lift;     /* share / base; NaN with base 0 */
    double chance;   /* of so many or more followed, at the base rate */
    bool stands_out; /* at least 2 followed, twice the base rate, and chance x events asked at most 1 % */
};
/* events: how many different events of this scene are asked about. */
void lift_measure(int64_t occurrences, int64_t followed, double base, size_t events, struct lift *ret);

#endif
