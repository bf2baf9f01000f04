/*
 * Values beside frames and memory snapshots, taken together by build: the median over the runs of what each run had,
 * and which build they are compared with.
 */
#ifndef STUTTERSCOPE_MODEL_SAMPLE_GROUPS_H
#define STUTTERSCOPE_MODEL_SAMPLE_GROUPS_H

#include "internal.h"
#include "stutterscope/store/samples.h"

/* One name (with its unit or profiler) in one scene of one device in one build. */
struct sample_group {
    const struct sample_row *first; /* its names */
    int64_t runs, values;
    double median, min, max;
};
struct sample_groups {
    struct sample_group *items;
    size_t count, capacity;
};

/* The same device, scene, name and unit; what differs in one of these is never compared. */
bool sample_same_series(const struct sample_row *a, const struct sample_row *b);
/* Rows come by device, scene, name, unit, build, and must outlive the groups. Free with array_free(). */
void sample_groups_make(const struct sample_list *rows, struct sample_groups *ret);
/*
 * What a group is compared with: the build that is wanted (0: the rule), else the pinned one, else the nearest earlier
 * one that is not marked bad and has the same values; NULL when that build has none.
 */
const struct sample_group *sample_group_baseline(const struct model *model, const struct sample_groups *groups, const struct sample_group *group,
                                                 int64_t wanted);

#endif
