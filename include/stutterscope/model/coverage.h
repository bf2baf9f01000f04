/*
 * What did not report: expected device x scenes, runs per device and build, since when something is missing.
 */
#ifndef STUTTERSCOPE_MODEL_COVERAGE_H
#define STUTTERSCOPE_MODEL_COVERAGE_H

#include "stutterscope/model/model.h"

enum coverage_state { COVERAGE_OK, COVERAGE_FEWER, COVERAGE_MISSING, COVERAGE_SKIPPED, COVERAGE_RETIRED, COVERAGE_NEVER };
const char *coverage_state_name(enum coverage_state state);

struct coverage_cell {
    enum coverage_state state;
    int64_t runs, expected; /* expected runs: median of the last 10 builds with runs */
    int64_t since;          /* first build without runs, when missing; 0 */
    int64_t last;           /* last build with runs; 0: never */
};
struct coverage_device {
    const struct device_row *device;
    struct coverage_cell cell;       /* of the whole device in the newest (asked) build */
    int64_t *runs_per_build;         /* one per build of the model */
    int64_t sampled_runs;            /* in this build: frames missing everywhere, or declared */
    int64_t interfered_runs, spike_runs; /* 0 until model_coverage_disturbed() counted them */
    char outcomes[96];               /* how this build's runs ended, where it is known: "4 completed, 1 crashed"; "" */
    int64_t play_ns;                 /* frame time recorded in this build */
    struct coverage_cell *scenes;    /* one per model scene */
};
struct coverage {
    int64_t build;
    struct coverage_device *devices; /* by tier, then name */
    size_t device_count, scene_count, build_count;
    int64_t runs, expected_runs;     /* of the build */
    size_t silent, partial, sampled; /* devices */
};
bool model_coverage(struct model *model, int64_t build, struct coverage **ret, struct error *error);
/*
 * Runs of the build, of those that were analysed, that the measuring disturbed, and those with only frames over a limit. It
 * reads the figures of every run, which the counts above do without.
 */
bool model_coverage_disturbed(struct model *model, struct coverage *coverage, struct error *error);
void coverage_destroy(struct coverage *coverage);
const struct coverage_device *coverage_find(const struct coverage *coverage, int64_t device);

#endif
