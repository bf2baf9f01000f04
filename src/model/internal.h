/*
 * What the files of model/ share and nobody else sees.
 */
#ifndef STUTTERSCOPE_MODEL_INTERNAL_H
#define STUTTERSCOPE_MODEL_INTERNAL_H

#include "stutterscope/model/comparison.h"
#include "stutterscope/model/model.h"

/* How many earlier builds with data a judgement looks at (definitions: 5, and the baseline beside them). */
enum { HISTORY_BUILDS = 5, HISTORY_LOOK_BACK = 12 };

struct cached_build {
    struct build_results results;
    struct build_results taken; /* results that are kept in memory only; rows in no order */
    struct run_list runs; /* of the series, all devices */
    bool loaded;
};

struct cached_entries {
    int64_t build, baseline;
    bool as_it_is;
    struct stutter_entries entries;
    struct group_comparisons comparisons;
    bool has_entries, has_comparisons;
};

struct model {
    struct store *store;
    char *series;
    struct analysis_settings settings;
    char *key;          /* of the settings and the series: names the derived rows */
    bool keeps_results; /* derived rows are written to the store; else they stay in memory */
    int64_t generation;

    struct build_list builds;
    struct device_list devices;
    struct text_list scenes, qualities, texts;
    uint32_t *classes;               /* enum event_class of texts.items[i] */
    struct group_state_list groups;  /* with frames in the series, sorted by device, scene, quality, build position */

    struct cached_build *cached;     /* parallel to builds */
    struct { struct cached_entries **items; size_t count, capacity; } entries;
};

uint32_t model_text_class(const struct model *model, int64_t id);
struct cached_build *model_cached(struct model *model, int64_t build);
/* Runs of the build in the series; empty when there are none. Reads them once. */
const struct run_list *model_build_runs(struct model *model, int64_t build, struct error *error);
const struct run_row *run_list_find(const struct run_list *list, int64_t run);
/* Range of the sorted group list with this device, scene, quality. */
size_t model_group_range(const struct model *model, const struct group_key *key, size_t *ret_count);
int compare_group_keys(const struct group_key *a, const struct group_key *b); /* device, scene, quality, build */
int compare_devices_for_people(const struct device_row *a, const struct device_row *b); /* by tier, then name */

/* analyze.c: analyses the stale groups of one device of one build. */
bool analyze_device(struct model *model, int64_t build, int64_t device, struct error *error);
/* results.c: takes over results that stay in memory. */
void results_take(struct model *model, struct group_results *results);
void results_forget(struct model *model);
void entries_forget(struct model *model);

/* fps of a segment's frames by the order of the definitions; milli. */
int64_t model_fps_milli(const struct model *model, const struct run_row *run, const struct device_row *device,
                        int64_t target_fps_milli, int64_t refresh_milli_hz);
/* Whether a run can have windows under these settings. */
bool run_can_show_windows(const struct run_row *run, int64_t alert_ns);

#endif
