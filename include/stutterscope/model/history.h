/*
 * One figure of one group or stutter over all builds: per run, with the noise band and the build since when it is so.
 */
#ifndef STUTTERSCOPE_MODEL_HISTORY_H
#define STUTTERSCOPE_MODEL_HISTORY_H

#include "stutterscope/analysis/change_point.h"
#include "stutterscope/model/comparison.h"

struct history_run {
    int64_t run;
    const char *name, *os;  /* of the history's run lists */
    double value;
    bool odd; /* far from the other runs of its build and its neighbours, and at most a third of its build's runs is: named, never deciding */
};
struct history_build {
    int64_t build;
    struct { struct history_run *items; size_t count, capacity; } runs; /* that count: not few, not sampled */
    size_t sampled;      /* runs left out because frames are missing */
    double median;       /* NaN without runs */
    bool has_frames;
    bool waits;          /* its results are missing or older than its frames */
};
struct history {
    struct group_key key;           /* build: the newest looked at */
    int64_t event;                  /* -1: the whole group */
    enum compared_figure figure;
    struct history_build *builds;   /* all builds of the model up to key.build, oldest first */
    size_t build_count;
    struct change_point change;     /* first_after is an index into builds */
    int64_t last_good, first_bad;   /* builds on both sides of the change; 0 without one */
    size_t not_run;                 /* builds between them without runs */
    double noise;                   /* 3 x 1.4826 x MAD of the last 5 builds before key.build; NaN: history short */
    double change_noise;            /* the same before first_bad: what the step has to be measured by; NaN without one */
    size_t waiting;                 /* builds that wait for analysis */
    int64_t baseline;               /* 0: none */
    bool hidden_by_baseline;        /* the change for the worse is older than the baseline, so the comparison cannot see it */
    char *answer;                   /* one sentence: step or no step, where, how big, how sure */
};
/* figure: P95, P99, max, hitch ratio for a whole group (event -1); peak or rate for an event (0: frames of no event). */
bool model_history(struct model *model, const struct group_key *key, int64_t event, enum compared_figure figure, int64_t baseline,
                   bool as_it_is, const struct progress *progress, struct history **ret, struct error *error);
void history_destroy(struct history *history);
/*
 * For screens that do not want to wait: analyses one device in one build that has frames in this scene, key->device
 * first, newest builds first, up to key->build. *ret_left: how many of them still wait.
 */
bool model_analyze_history_step(struct model *model, const struct group_key *key, int64_t *ret_left, struct error *error);

/* Which builds can have brought a change, when it shows in builds[first_bad] first. All are indices into builds. */
struct history_range {
    size_t first_bad;
    size_t last_good; /* the nearest before it with runs; SIZE_MAX: none */
    size_t not_run;   /* builds between them */
    size_t next;      /* the one of these that is worth running next: it halves the range; SIZE_MAX: none is left */
};
void history_range_at(const struct history *history, size_t first_bad, struct history_range *ret);

bool compared_figure_find(const char *name, enum compared_figure *ret, struct error *error);

#endif
