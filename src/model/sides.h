/*
 * Per-run figures of a group or a stutter on one side of a comparison.
 */
#ifndef STUTTERSCOPE_MODEL_SIDES_H
#define STUTTERSCOPE_MODEL_SIDES_H

#include "internal.h"
#include "stutterscope/analysis/apart.h"

struct numbers {
    double *items;
    size_t count, capacity;
};

/* What one event did in the runs of one build's group. */
struct event_side {
    int64_t runs, hits, seen;
    struct numbers peaks; /* ms; runs in which frames belong to the event */
    struct numbers rates; /* windows per minute; all runs counted */
    struct { struct run_count *items; size_t count, capacity; } counts; /* the same as windows and minutes */
    int64_t peak_ns;      /* greatest over the runs; VALUE_UNKNOWN */
};

/* Only these runs (NULL: all that are not few or sampled and can show windows). Adds to the side. */
bool event_side_add(struct model *model, const struct group_key *key, int64_t event, const struct baseline *only,
                    struct event_side *side, struct error *error);
void event_side_start(struct event_side *side);
void event_side_free(struct event_side *side);

/* The build just before, when the stutter was gone there, is here again, and somebody had decided on it; else NULL. */
const char *entry_gone_in(const struct model *model, const struct stutter_entry *entry, const struct event_side *here,
                          const struct event_side *before, int64_t build_before);

/* P95, P99, max (ms) or hitch ratio (ms/s) of one run; NaN for figures of an event. */
double run_figure_value(const struct run_figures *run, enum compared_figure figure);
/* A group's figure per run; the same choice of runs. */
bool group_side_add(struct model *model, const struct group_key *key, enum compared_figure figure,
                    const struct baseline *only, struct numbers *numbers, struct error *error);

/* So many builds of a group are its long history. */
enum { RANK_BUILDS = 30 };

/* How the runs of a build stand against the long history of their cell. */
struct standing {
    struct rank_test rank;
    struct apart apart;
    bool ever_hit;                            /* any earlier run had a window with the event */
    int64_t hits, seen, hits_before, seen_before; /* of an event: occurrences with a window, occurrences */
    int64_t runs_hit, runs, runs_hit_before, runs_before;
};
/*
 * Runs of key->build against those of up to 30 builds up to `last` (the baseline), all qualities of the device and scene
 * as strata. event -1: a figure of the whole group. as_it_is: of what is analysed already.
 */
bool side_standing(struct model *model, const struct group_key *key, int64_t event, enum compared_figure figure, int64_t last,
                   bool as_it_is, struct standing *ret, struct error *error);
/* Chance of the hits of a standing: of occurrences; of runs when the event was never met before. */
double standing_hit_chance(const struct standing *standing);

#endif
