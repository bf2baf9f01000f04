/*
 * A build against its baseline: which build that is, and the verdict for every group and stutter with its reason.
 */
#ifndef STUTTERSCOPE_MODEL_COMPARISON_H
#define STUTTERSCOPE_MODEL_COMPARISON_H

#include "stutterscope/model/model.h"
#include "stutterscope/model/triage.h"

struct baseline {
    int64_t build;      /* 0: none */
    bool pinned;
    char reason[160];   /* why none, or what was left out */
    struct { int64_t *items; size_t count, capacity; } runs; /* comparable baseline runs */
};
/*
 * The baseline of one group of key->build: `wanted` when given, else the pin of the cell, else the pin of the store,
 * else the nearest earlier build that is not marked bad and has runs in the group.
 */
bool model_baseline(struct model *model, const struct group_key *key, int64_t wanted, struct baseline *ret, struct error *error);
void baseline_free(struct baseline *baseline);
/* The build that is pinned as the baseline of a device and scene (0 and 0: of the store); 0: none. Reads nothing. */
int64_t model_pin(const struct model *model, int64_t device, int64_t scene);
/* The same, or that of the store where the cell has none. */
int64_t model_pin_for_cell(const struct model *model, int64_t device, int64_t scene);
/* The baseline most groups of the build have: for headings. */
int64_t model_usual_baseline(struct model *model, int64_t build, int64_t wanted);

/* One stutter with everything that is said about it. */
struct stutter_entry {
    struct stutter stutter;    /* of this build; figures are void when present is false */
    bool present;              /* false: gone or not exercised */
    char fingerprint[17];      /* 16 hex digits; the id is the first ten "@" build */
    char id[192];
    double weight, severity, occurrence;
    enum verdict verdict;
    bool history_short;
    bool doubted;              /* would be new or back, but the history is short and it may be chance */
    char reason[200];
    int64_t baseline_build;    /* 0: none */
    bool baseline_pinned;
    int64_t baseline_peak_ns, delta_peak_ns; /* VALUE_UNKNOWN */
    int64_t first_seen_build, last_clean_build; /* 0: unknown */
    struct triage_facts triage; /* state, owner, note, ticket */
    struct { int64_t *items; size_t count, capacity; } clean_devices; /* saw the event at the same scene, no such stutter */
};
struct stutter_entries {
    struct stutter_entry *items; /* worst severity first; absent ones last */
    size_t count, capacity;
};
/*
 * All stutters of the build, gone and not exercised ones too. baseline 0: the rule. as_it_is: do not analyse first.
 * Kept until reload, settings or weights change: cheap to ask for again.
 */
const struct stutter_entries *model_stutters(struct model *model, int64_t build, int64_t baseline, bool as_it_is,
                                             const struct progress *progress, struct error *error);
const struct stutter_entry *model_find_stutter(struct model *model, const char *id, struct error *error);

/* Comparison of one group's figure. */
struct group_comparison {
    struct group_key key;
    enum compared_figure figure; /* P95, P99, max, hitch ratio */
    int64_t baseline_build;
    struct figure_comparison comparison;
};
struct group_comparisons {
    struct group_comparison *items;
    size_t count, capacity;
};
/* Four figures per group of the build; kept like the stutters. NULL with error. */
const struct group_comparisons *model_compare_groups(struct model *model, int64_t build, int64_t baseline, bool as_it_is,
                                                     const struct progress *progress, struct error *error);

/* Present in the build, gameplay, and new, back or worse: what a hitch is. */
bool stutter_is_open(const struct stutter_entry *entry);

/* One character for lists and cells: * new, ^ worse, ! back, = same, v better, ' sporadic, ? none, - gone … */
char verdict_mark(enum verdict verdict);

#endif
