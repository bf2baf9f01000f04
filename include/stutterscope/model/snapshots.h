/*
 * Memory snapshots: bytes by scene and category, build by build, against the baseline. Snapshots that were taken while
 * a profiler ran stand apart: a profiler costs memory itself.
 */
#ifndef STUTTERSCOPE_MODEL_SNAPSHOTS_H
#define STUTTERSCOPE_MODEL_SNAPSHOTS_H

#include "stutterscope/model/model.h"

struct snapshot_point {
    double bytes;            /* median over the runs of what each run had; NaN: no snapshot */
    int64_t runs, snapshots;
};
/* One category in one scene of one device, with the same profiler. */
struct snapshot_series {
    int64_t device, scene;    /* scene 0: not known */
    char *category;
    char *profiler;           /* "": none ran */
    struct snapshot_point *builds; /* one per build of the model, in its order */
    size_t before;            /* position of the build compared with; SIZE_MAX: none */
    double delta;             /* bytes; NaN */
};
struct snapshots {
    int64_t build;
    size_t position, build_count; /* of the build among those of the model */
    struct { struct snapshot_series *items; size_t count, capacity; } series; /* by device, scene, category, profiler */
};

/* Of the build (0: the newest) against the baseline (0: pinned, else the nearest earlier build with the same). */
bool model_snapshots(struct model *model, int64_t build, int64_t baseline, struct snapshots **ret, struct error *error);
/* Is there any snapshot in the store? False too where it cannot be read. */
bool model_has_snapshots(struct model *model);
void snapshots_destroy(struct snapshots *snapshots);

/* The series of one scene of one device; they lie together. */
struct snapshot_range {
    const struct snapshot_series *items;
    size_t count;
};
struct snapshot_range snapshots_at(const struct snapshots *snapshots, int64_t device, int64_t scene);

/* All memory of one scene of one device. */
struct snapshot_total {
    bool known;
    double bytes, before, delta; /* before, delta: NaN unless every part has a counterpart in one and the same build */
    size_t before_build;         /* position; SIZE_MAX */
    const char *profiler;        /* those without one are preferred; never NULL */
    bool sum;                    /* of the categories; else the category that is called total */
    bool others;                 /* there are snapshots with another profiler, too */
};
/* Categories whose name holds "total" are the total; without one it is the sum of all categories. */
struct snapshot_total snapshots_total(const struct snapshots *snapshots, int64_t device, int64_t scene);
bool snapshot_is_total(const char *category);

#endif
