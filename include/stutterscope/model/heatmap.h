/*
 * Device x scene: one cell per pair, one metric, and why a cell has no number.
 */
#ifndef STUTTERSCOPE_MODEL_HEATMAP_H
#define STUTTERSCOPE_MODEL_HEATMAP_H

#include "stutterscope/model/comparison.h"

enum metric {
    METRIC_SEVERITY,
    METRIC_PEAK,
    METRIC_P95,
    METRIC_P99,
    METRIC_MAX,
    METRIC_MEDIAN,
    METRIC_HITCH_RATIO,
    METRIC_RATE,
    METRIC_LOST,
    METRIC_GC,     /* bytes allocated per gameplay frame */
    METRIC_MEMORY, /* bytes of the scene's memory snapshots */
    METRIC_COUNT
};
struct metric_info {
    const char *name;  /* as on the command line: "severity", "p99" … */
    const char *title; /* for people: "severity", "P99 ms" … */
    const char *unit;
    const char *shown_unit; /* where there is little room, such as "MB"; NULL: unit */
    double per_shown;       /* of these units make one shown; 0: 1 */
};
extern const struct metric_info metrics[METRIC_COUNT];
/* Severity, peak, rate, lost: cells without a stutter have none. */
bool metric_is_of_stutters(enum metric metric);
bool metric_find(const char *name, enum metric *ret, struct error *error);

enum cell_state {
    STATE_NONE,    /* no frames, none expected */
    STATE_MISSING, /* expected, no runs in this build */
    STATE_DATA,
    STATE_CLEAN,   /* frames, but no gameplay stutter */
    STATE_SLOW,
    STATE_FEW,
    STATE_SAMPLED
};
const char *cell_state_name(enum cell_state state);

struct heat_cell {
    enum cell_state state;
    int64_t quality;       /* the one that decides the value */
    double value;          /* NaN: none */
    double delta;          /* against the baseline, in the metric's unit; NaN */
    double severity;       /* NaN when there are no frames */
    int64_t peak_ns, p95_ns, p99_ns; /* VALUE_UNKNOWN */
    const struct stutter_entry *stutter; /* the worst gameplay stutter; NULL */
    size_t stutters;       /* gameplay stutters of the cell */
    size_t transitions;    /* labelled ones, folded */
    char mark;             /* verdict mark of the worst thing in the cell; # somebody has it, = known or the same; ' ' none */
    uint32_t flags;        /* enum figure_flag of the deciding group */
    bool decide;           /* something undecided here */
};
struct heatmap {
    int64_t build, baseline;
    enum metric metric;
    struct { const struct device_row **items; size_t count, capacity; } devices; /* by tier, then name */
    struct { const struct text_row **items; size_t count, capacity; } scenes;    /* natural order */
    struct heat_cell *cells; /* devices x scenes */
    double quantiles[4];     /* of the values: 25, 50, 75, 90 %: heat steps; NaN when there are none */
    int64_t data_cells, missing_cells;
};
struct heatmap_request {
    int64_t build, baseline; /* 0: newest, rule */
    enum metric metric;
    int64_t quality;         /* -1: the worst of all */
    bool as_it_is;           /* do not analyse first (screens) */
};
/* Devices, scenes and what is missing alone: no values, and nothing is analysed or compared. */
bool model_heatmap_axes(struct model *model, int64_t build, struct heatmap **ret, struct error *error);
bool model_heatmap(struct model *model, const struct heatmap_request *request, const struct progress *progress,
                   struct heatmap **ret, struct error *error);
void heatmap_destroy(struct heatmap *heatmap);
const struct heat_cell *heatmap_cell(const struct heatmap *heatmap, size_t device, size_t scene);
/* 0 (lowest) … 4: the heat step of a value. */
int heatmap_step(const struct heatmap *heatmap, double value);

#endif
