/*
 * Which groups of a device of a build have current results: when an import has touched some of its groups, the others, and
 * the runs that are in none of the touched ones, need not be looked at again.
 */
#ifndef STUTTERSCOPE_MODEL_ANALYZE_CURRENT_H
#define STUTTERSCOPE_MODEL_ANALYZE_CURRENT_H

#include "internal.h"
#include "stutterscope/store/frames.h"

struct current_group {
    int64_t scene, quality;
};
struct current_groups {
    struct current_group *items;
    size_t count, capacity;
};

void current_groups_list(const struct model *model, int64_t build, int64_t device, struct current_groups *ret);
bool current_groups_have(const struct current_groups *current, int64_t scene, int64_t quality);
/* Leaves the segments of runs that have one of another group: labels and gaps need all of a run. */
void current_groups_skip_runs(const struct current_groups *current, struct segment_list *segments);

#endif
