/*
 * Whether "not seen any more" means anything: how likely it is to see nothing although nothing was fixed.
 */
#ifndef STUTTERSCOPE_ANALYSIS_LUCK_H
#define STUTTERSCOPE_ANALYSIS_LUCK_H

#include <stdint.h>

#define LUCK_LIMIT 0.05 /* above: not enough */

/* Hits per occurrence, at most 1; NaN without occurrences. */
double hit_rate(int64_t windows, int64_t seen);
/* (1 - hit rate)^seen: 1 when nothing was seen; NaN when the rate is not known. */
double luck_of(double rate, int64_t seen);
/* How many more occurrences without a hit bring luck to LUCK_LIMIT or below; 0: enough; -1: none would (rate 0 or unknown). */
int64_t luck_needs(double rate, int64_t seen);

#endif
