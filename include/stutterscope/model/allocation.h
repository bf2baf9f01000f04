/*
 * What the garbage collector's heap got: bytes allocated per gameplay frame, where the frames say so.
 */
#ifndef STUTTERSCOPE_MODEL_ALLOCATION_H
#define STUTTERSCOPE_MODEL_ALLOCATION_H

#include "stutterscope/base/progress.h"
#include "stutterscope/model/model.h"

/* One group: each figure is the median over the runs of what each run had. */
struct allocation {
    struct group_key key;
    double bytes_per_frame; /* mean of a run */
    double max_bytes;       /* greatest of a run */
    int64_t runs;
};
struct allocations {
    int64_t build;
    struct { struct allocation *items; size_t count, capacity; } items;
};

/* Labelled frames (pauses, loading, interference …) and runs that kept spikes only are left out. */
bool model_allocations(struct model *model, int64_t build, const struct progress *progress, struct allocations *ret,
                       struct error *error);
void allocations_free(struct allocations *allocations);
const struct allocation *allocations_find(const struct allocations *allocations, const struct group_key *key); /* any build; NULL */

#endif
