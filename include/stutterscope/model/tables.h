/*
 * The tables behind the verbs, field by field as documented in stutterscope(1). Each returns a new table or NULL.
 */
#ifndef STUTTERSCOPE_MODEL_TABLES_H
#define STUTTERSCOPE_MODEL_TABLES_H

#include "stutterscope/model/coverage.h"
#include "stutterscope/model/detail.h"
#include "stutterscope/model/heatmap.h"
#include "stutterscope/model/table.h"

/* What a verb was asked for; 0, NULL and -1 (quality): all. */
struct table_request {
    int64_t build;          /* -1: all builds */
    int64_t baseline;
    int64_t device, scene, quality, run;
    const char *event, *verdict, *state, *label, *run_name, *kind;
    const char *name;       /* glob: of samples, or categories of snapshots */
    bool with_transitions;  /* stutters and windows of every label (default: all are listed; false hides them) */
    enum metric metric;
    const char *figure;     /* of trend: "p95_ms", … ; NULL: P95, or the peak of an event */
    const int64_t *percentiles_milli; /* of stats and runs */
    size_t percentile_count;
    int64_t within_ns;      /* events; 0: the usual */
    int64_t from_ns, to_ns; /* frames; VALUE_UNKNOWN */
    bool fetch;             /* frames of summarised runs are asked for */
    int64_t today_ms;       /* nights without upload; VALUE_UNKNOWN: now */
    const struct progress *progress;
};
void table_request_default(struct table_request *request);

struct table *table_builds(struct model *model, const struct table_request *request, struct error *error);
struct table *table_devices(struct model *model, const struct table_request *request, struct error *error);
struct table *table_runs(struct model *model, const struct table_request *request, struct error *error);
struct table *table_stats(struct model *model, const struct table_request *request, struct error *error);
struct table *table_heatmap(struct model *model, const struct table_request *request, struct error *error);
struct table *table_stutters(struct model *model, const struct table_request *request, struct error *error);
struct table *table_windows(struct model *model, const struct table_request *request, struct error *error);
struct table *table_frames(struct model *model, const struct table_request *request, struct error *error);
struct table *table_compare(struct model *model, const struct table_request *request, struct error *error);
/* Events with the share of their occurrences that a window follows, against the scene's base rate. */
struct table *table_events(struct model *model, const struct table_request *request, struct error *error);
/* One figure over the builds: of a device and scene, of an event there when the request names one. */
struct table *table_trend(struct model *model, const struct table_request *request, struct error *error);
/* Values beside frames, and memory snapshots, per build; the change against the baseline. Like with like: one unit, one profiler. */
struct table *table_samples(struct model *model, const struct table_request *request, struct error *error);
struct table *table_snapshots(struct model *model, const struct table_request *request, struct error *error);
struct table *table_coverage(struct model *model, const struct table_request *request, struct error *error);

#endif
