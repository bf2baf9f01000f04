/*
 * Twelve builds, 1.7.9(410) … 1.8.0(421), one a night, five devices, five runs each, small enough to be
 * worked out by hand. 1.7.9(414) was built and never run. Every visit has 100 frames of 16.0 … 16.4 ms, but
 *   Raid_02    six frames of V, which so is P95, P99 and maximum. V is a base and, from 415 on, a step more;
 * the five runs lie -0.6 -0.3 0 0.3 0.6 around it: Galaxy A54 24.3 + 5.5, Galaxy A53 41.0 + 6.6, Redmi Note
 * 12 33.8 + 6.1 (mid) iPhone 12 22.1 (mid, iOS), Galaxy S23 Ultra 19.8 (high): no step Run 5 of (412) on the
 * Galaxy A54 is odd: 31.8. Its OS is Android 13, 14 from (417) on; that of run 5 of (411) on the iPhone is iOS 1. Battle_03  boss_spawn on frame 50; on the
 * Galaxy S23 Ultra it takes 31 ms, 92 from (418) on.
 */
#ifndef TESTS_VIEW_TWELVE_H
#define TESTS_VIEW_TWELVE_H

#include "stutterscope/store/store.h"

void twelve_fill(struct store *store);

#endif
