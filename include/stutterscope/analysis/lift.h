/*
 * Event lift: is an event followed by a stutter window more often than any moment of the scene is?
 */
#ifndef STUTTERSCOPE_ANALYSIS_LIFT_H
#define STUTTERSCOPE_ANALYSIS_LIFT_H

#include "stutterscope/analysis/piece.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a window starts at `at` or within so many ns after it; starts sorted. */
bool window_follows(const int64_t *starts, size_t count, int64_t at, int64_t within_ns);
/* How much of [from, to) is followed by a window's start within so many ns. */
int64_t time_followed(const int64_t *starts, size_t count, int64_t from, int64_t to, int64_t within_ns);
/*
 * Gameplay of a visit and how much of it is followed by a window's start within so many ns. pieces: of one visit, in order,
 * without a clock step inside; starts: of its gameplay windows, sorted. Frames left out of a summary are gameplay as those
 * around them; gaps are nothing.
 */
struct lift_time {
    int64_t play_ns, followed_ns;
};
void lift_time_of(const struct frame_piece *pieces, size_t count, const int64_t *starts, size_t start_count,
                  int64_t within_ns, struct lift_time *ret);
/* P(X >= k) of a binomial variable. */
double binomial_at_least(int64_t k, int64_t n, double p);

struct lift {
    int64_t occurrences, followed;
    double share;    /* followed / occurrences */
    double base;     /* share of the scene's gameplay that is followed by a window */
    double expected; /* occurrences x base */
    double lift;     /* share / base; NaN with base 0 */
    double chance;   /* of so many or more followed, at the base rate */
    bool stands_out; /* at least 2 followed, twice the base rate, and chance x events asked at most 1 % */
};
/* events: how many different events of this scene are asked about. */
void lift_measure(int64_t occurrences, int64_t followed, double base, size_t events, struct lift *ret);

#endif
