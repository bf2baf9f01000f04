/*
 * What the files of model/ share and nobody else sees.
 */
#ifndef STUTTERSCOPE_MODEL_INTERNAL_H
#define STUTTERSCOPE_MODEL_INTERNAL_H

#include "id_index.h"
#include "stutterscope/analysis/distribution.h"
#include "stutterscope/model/comparison.h"
#include "stutterscope/model/model.h"
#include "stutterscope/remote/frames.h"

/* How many earlier builds with data a judgement looks at (definitions: 5, and the baseline beside them). */
enum { HISTORY_BUILDS = 5, HISTORY_LOOK_BACK = 12 };

/* Threads that analyse, beside the one that keeps what they found. */
enum { MODEL_HELPERS = 2 };

/* Rows of one group in a sorted list. */
struct row_range {
    int64_t device, scene, quality;
    size_t first, count;
};
struct row_ranges {
    struct row_range *items;
    size_t count, capacity;
};

struct cached_build {
    struct build_results results;
    struct model *model; /* runs, events and windows are read when somebody asks for them */
    bool has_runs, has_events, has_windows;
    struct build_results taken; /* results that are kept in memory only; rows in no order */
    struct run_list runs; /* of the series, all devices */
    struct {
        struct row_ranges groups, runs, events, windows, stutters;
    } ranges; /* of results */
    bool loaded;
    struct group_key key; /* of a part: all its rows belong to it; build 0: the whole build */
    struct { struct cached_build **items; size_t count, capacity; } parts; /* single groups, read while the whole was not */
};

/* Decisions as the store has them, in the order of their fingerprints under today's names; a pinned baseline is one, too. */
struct triage_state_row {
    char fingerprint[17]; /* with renames applied */
    const struct triage_row *row;
    const char *scene, *event; /* with renames applied */
};
struct triage_book {
    struct triage_list rows;
    struct rename_list renames;
    struct { struct triage_state_row *items; size_t count, capacity; } sorted;
    struct baseline_pin_list pins;
};

struct cached_entries {
    int64_t build, baseline;
    bool as_it_is;
    struct stutter_entries entries;
    struct group_comparisons comparisons;
    bool has_entries, has_comparisons;
    bool looked; /* for what the store keeps of it */
};

/* Frames of a run whose frames stay in a server, as they were asked for. */
struct fetched_stretch {
    int64_t run;
    struct remote_frames frames;
};

/* From how many frames on analysis takes other ways; tests take them with fewer. */
struct analysis_sizes {
    int64_t threads, transaction, direct, direct_transaction;
};
extern const struct analysis_sizes analysis_sizes;

struct model {
    struct store *store;
    struct analysis_sizes sizes;
    char *series;
    struct analysis_settings settings;
    char *key;          /* of the settings and the series: names the derived rows */
    bool tuned;         /* the settings are others than those of the store */
    bool keeps_results; /* derived rows are written to the store; else they stay in memory */
    int64_t generation;   /* of the imports, */
    int64_t version;      /* and of all that others write, when everything was read last */

    struct build_list builds;
    struct device_list devices;
    struct id_index build_places, device_places;
    struct text_list scenes, qualities, texts;
    uint32_t *classes;               /* enum event_class of texts.items[i] */
    int64_t newest;                  /* build; 0: no runs */
    struct group_state_list groups;  /* with frames in the series, sorted by device, scene, quality, build position */

    struct triage_book triage;

    struct run_start_list starts;    /* of the runs of the series, all builds, once somebody asked for them */
    bool has_starts;

    struct { struct fetched_stretch *items; size_t count, capacity; } fetched;
    struct store *helpers[MODEL_HELPERS]; /* connections of the threads that analyse; NULL: not needed so far */

    struct cached_build *cached;     /* parallel to builds */
    struct { struct cached_entries **items; size_t count, capacity; } entries;
};

uint32_t model_text_class(const struct model *model, int64_t id);
struct cached_build *model_cached(struct model *model, int64_t build);
/* Where and when all runs of the series were. Reads them once. */
const struct run_start_list *model_run_starts(struct model *model, struct error *error);
/* Runs of the build in the series; empty when there are none. Reads them once. */
const struct run_list *model_build_runs(struct model *model, int64_t build, struct error *error);
/* Range of the sorted group list with this device, scene, quality. */
size_t model_group_range(const struct model *model, const struct group_key *key, size_t *ret_count);
/* The same for all groups of a device. */
size_t model_device_range(const struct model *model, int64_t device, size_t *ret_count);
/* Position in the list of scenes; SIZE_MAX: not there. */
size_t model_scene_position(const struct model *model, int64_t scene);
int compare_group_keys(const struct group_key *a, const struct group_key *b); /* device, scene, quality, build */
int compare_devices_for_people(const struct device_row *a, const struct device_row *b); /* by tier, then name */

/*
 * analyze.c: the groups of one device of one build. Computing only reads the model, so that another thread may do it
 * with a copy that has a connection of its own; keeping is for the thread of the model, with a transaction open.
 */
struct device_results {
    struct group_results *items;
    size_t count, capacity;
};
/* What computing needs for one device after the other, made with the model's settings; one for each thread. */
struct device_scratch {
    struct distribution_builder *run;
    struct { struct distribution_builder **items; size_t count, capacity; } groups;
};
struct device_scratch device_scratch_create(const struct analysis_settings *settings);
void device_scratch_free(struct device_scratch *scratch);
bool analyze_compute(struct model *model, int64_t build, int64_t device, struct device_scratch *scratch,
                     struct device_results *ret, struct error *error);
bool analyze_keep(struct model *model, int64_t build, int64_t device, struct device_results *results,
                  struct error *error);
void device_results_free(struct device_results *results);
/* results.c: takes over results that stay in memory. */
void results_take(struct model *model, struct group_results *results);
/* With the runs and events of all groups read: for those who look at every group. */
const struct build_results *model_whole_results(struct model *model, int64_t build, bool as_it_is, const struct progress *progress, struct error *error);
void results_forget(struct model *model);
void results_forget_cached(struct model *model, int64_t build); /* there is more than was read */
void entries_forget(struct model *model);

/*
 * kept_verdicts.c: entries and comparisons of a build against its usual baseline, as the store keeps them. Taking fills in
 * both when what is kept is of today; keeping writes both when they are there and made of complete results.
 */
void verdicts_take(struct model *model, struct cached_entries *cached);
void verdicts_keep(struct model *model, const struct cached_entries *cached);

/*
 * comparison.c: analyses everything that the comparison of this build will look at, so that later steps can take results as
 * they are; and an entry without a verdict.
 */
bool comparison_prepare(struct model *model, int64_t build, int64_t wanted, bool as_it_is, const struct progress *progress, struct error *error);
void entry_start(const struct model *model, struct stutter_entry *entry, const struct stutter *stutter, bool present);

/* Drops what was compared for builds after this one (0: nothing): a decision may change their verdicts. */
void entries_forget_after(struct model *model, int64_t build);
/* What was kept for these builds, or a new empty one. */
struct cached_entries *entries_find(struct model *model, int64_t build, int64_t baseline, bool as_it_is);
/* Fills in what was decided, for these or for all stutters that were compared. */
void entries_fill_triage(struct model *model, struct stutter_entries *entries);
void entries_refresh_triage(struct model *model);
struct triage_subject entry_subject(const struct stutter_entry *entry);

/* triage.c: reads decisions, renames and pinned baselines anew; where that fails, those from before stay. */
bool triage_load(struct model *model, struct error *error);
void triage_forget(struct model *model);
/* The decision on this subject, or NULL. A row without a state holds an owner or note only. */
const struct triage_row *triage_find(const struct model *model, const struct triage_subject *subject);
/* What holds in subject->key.build. open: it is a finding there; back: its verdict. */
void triage_fill(const struct model *model, const struct triage_subject *subject, bool open, bool back, struct triage_facts *ret);
/* Today's name of a scene or event. */
const char *triage_new_name(const struct model *model, enum rename_kind kind, const char *name);

/* fps of a segment's frames by the order of the definitions; milli. */
int64_t model_fps_milli(const struct model *model, const struct run_row *run, const struct device_row *device,
                        int64_t target_fps_milli, int64_t refresh_milli_hz);
/* Whether a run can have windows under these settings. */
bool run_can_show_windows(const struct run_row *run, int64_t alert_ns);

#endif
