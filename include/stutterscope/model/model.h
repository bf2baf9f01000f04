/*
 * What the faces (screens, verbs, tickets) ask: names, figures, verdicts of one store under one set of settings. The
 * model asks the store, runs the analysis where its results are missing, and keeps them in the store.
 */
#ifndef STUTTERSCOPE_MODEL_MODEL_H
#define STUTTERSCOPE_MODEL_MODEL_H

#include "stutterscope/analysis/compare.h"
#include "stutterscope/analysis/settings.h"
#include "stutterscope/base/figures.h"
#include "stutterscope/base/progress.h"
#include "stutterscope/store/derived.h"
#include "stutterscope/store/store.h"

struct model;

struct model_options {
    enum store_mode mode;
    const char *series;                    /* NULL: nightly */
    const struct analysis_settings *settings; /* NULL: those of the store, else the defaults */
    bool lists_later; /* model_reload() follows before anything of builds, devices, runs is asked: imports change them anyway */
};
bool model_open(const char *path, const struct model_options *options, struct model **ret, struct error *error);
void model_close(struct model *model);
/* Reads everything anew (after an import, or `R`). */
bool model_reload(struct model *model, struct error *error);
/* True when imports arrived since the last load. */
bool model_has_news(struct model *model);
/* True when another connection changed anything since the last load: imports, decisions, names. */
bool model_is_behind(struct model *model);

struct store *model_store(struct model *model);
const char *model_path(const struct model *model);
const char *model_series(const struct model *model);
const struct analysis_settings *model_settings(const struct model *model);
/* Other thresholds from now on (Tune). Results of the old ones stay in the store. */
bool model_change_settings(struct model *model, const struct analysis_settings *settings, struct error *error);
/*
 * The same for trying: unless they are those of the store, results stay in memory, so that many tries push nothing out
 * of the store.
 */
bool model_try_settings(struct model *model, const struct analysis_settings *settings, struct error *error);
/* What the team saved in the store, over the defaults. */
bool model_stored_settings(struct model *model, struct analysis_settings *ret, struct error *error);
/* Other settings than those of the store are in use. */
bool model_is_tuned(const struct model *model);
/* Saves the settings in use for everybody (a budget override is not among what is saved). */
bool model_save_settings(struct model *model, struct error *error);

/* ---- names ---- */
const struct build_list *model_builds(const struct model *model); /* oldest first; those with runs in the series or declared */
const struct device_list *model_devices(const struct model *model);
const struct text_list *model_scenes(const struct model *model);
const struct text_list *model_qualities(const struct model *model);
/* NULL-safe; ids that are not there give "?" (quality 0: NULL, unknown). */
const struct build_row *model_build(const struct model *model, int64_t id);
const struct device_row *model_device(const struct model *model, int64_t id);
const char *model_build_name(const struct model *model, int64_t id);    /* NULL for 0 */
const char *model_scene_name(const struct model *model, int64_t id);
const char *model_quality_name(const struct model *model, int64_t id);  /* NULL for 0 */
const char *model_text(const struct model *model, int64_t id);          /* event names …; NULL for 0 */
const char *model_device_title(const struct device_row *device);        /* name, else model */
/* Position in model_builds(), -1 when it is not there. */
int64_t model_build_position(const struct model *model, int64_t build);
/* The newest build with frames in the series, else the newest with runs; 0 when the store has neither. */
int64_t model_newest_build(const struct model *model);
bool model_has_frames(const struct model *model); /* of any build, in the series */
/* Exact name, else a unique part of it; errors list what is there. */
bool model_find_build(const struct model *model, const char *name, int64_t *ret, struct error *error);
bool model_find_device(const struct model *model, const char *name, int64_t *ret, struct error *error);
bool model_find_scene(const struct model *model, const char *name, int64_t *ret, struct error *error);
/* The series has runs, or the store has none at all; else the error lists the series that have. */
bool model_check_series(struct model *model, struct error *error);
/* Some event has exactly this name, case ignored; else the error lists events. */
bool model_check_event(struct model *model, const char *name, struct error *error);
bool model_find_quality(const struct model *model, const char *name, int64_t *ret, struct error *error);
/* Runs of a build and device in the series (0: all); free with run_list_free(). */
bool model_list_runs(struct model *model, int64_t build, int64_t device, struct run_list *ret, struct error *error);
/* True when the holes say that frames are missing everywhere. */
bool run_row_is_sampled(const struct run_row *run);
/* Only frames over a limit were kept (a limit is declared, every N-th frame is not): windows, no distribution. */
bool run_row_is_spike_only(const struct run_row *run);

/* ---- analysis ---- */

/* Makes the results of this build (0: of all) current. Can be stopped; what was done stays. */
bool model_analyze(struct model *model, int64_t build, const struct progress *progress, struct error *error);
/* Nothing of it waits for analysis. Reads nothing. */
bool model_build_is_complete(const struct model *model, int64_t build);
/* The same for the build and all those that its comparison looks back on. */
bool model_comparison_is_complete(const struct model *model, int64_t build);
/*
 * The same in small steps for a living screen: analyses one device of the build, then of those its comparison looks back
 * on, newest first. *ret_left: devices that still wait.
 */
bool model_analyze_step(struct model *model, int64_t build, int64_t *ret_left, struct error *error);

/* All results of one build, sorted by device, scene, quality (then run, event, label). Valid until reload. */
struct build_results {
    int64_t build;
    bool complete; /* false: some groups wait for analysis */
    struct group_figures_list groups;
    struct run_figures_list runs; /* these three are read when they are asked for: use the functions below */
    struct event_figures_list events;
    struct stutter_window_list windows;
    struct stutter_list stutters;
};
/* Analyses what is missing first unless `as_it_is`. NULL with error. */
const struct build_results *model_results(struct model *model, int64_t build, bool as_it_is,
                                          const struct progress *progress, struct error *error);
/*
 * The results of one group as they are; the rest of the build may be missing in them. Costs the rows of the group, unless
 * the whole build was read already. NULL with error.
 */
const struct build_results *model_group_results(struct model *model, const struct group_key *key, struct error *error);
const struct group_figures *results_group(const struct build_results *results, const struct group_key *key);
/* Rows of one group: pointer to the first, count in *ret_count. */
const struct run_figures *results_runs(const struct build_results *results, const struct group_key *key, size_t *ret_count);
const struct event_figures *results_events(const struct build_results *results, const struct group_key *key, size_t *ret_count);
const struct stutter_window *results_windows(const struct build_results *results, const struct group_key *key, size_t *ret_count);
const struct stutter *results_stutters(const struct build_results *results, const struct group_key *key, size_t *ret_count);
/* Of the whole build; NULL with error. */
const struct run_figures_list *results_all_runs(const struct build_results *results, struct error *error);
const struct event_figures_list *results_all_events(const struct build_results *results, struct error *error);
const struct stutter_window_list *results_all_windows(const struct build_results *results, struct error *error);
const struct stutter_window *results_window(const struct build_results *results, int64_t id);
const struct stutter_window *results_worst_window(const struct build_results *results, const struct stutter *stutter); /* NULL: not there */

/* Builds (ids, newest first) before `build` that have frames in the group; at most `limit`. Bad builds are left out. */
size_t model_earlier_builds(const struct model *model, const struct group_key *key, int64_t *ret, size_t limit);
bool model_group_has_frames(const struct model *model, const struct group_key *key);
/* What most of its frames are held against, as their segments, runs and device say; of a group without frames: its device. */
bool model_group_limits(struct model *model, const struct group_key *key, struct frame_limits *ret, struct error *error);

#endif
