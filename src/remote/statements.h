/*
 * The questions to the server, all of them. Tried with ClickHouse 18.16.1 (two shards behind a Distributed table); they
 * keep to what that version knows: no window functions, no WITH subqueries, no DateTime64.
 */
#ifndef STUTTERSCOPE_REMOTE_STATEMENTS_H
#define STUTTERSCOPE_REMOTE_STATEMENTS_H

#include "columns.h"
#include "stutterscope/base/text.h"

/* Which rows: of a build, of one of its devices, of some of its runs. Texts as the server has them. */
struct remote_scope {
    const struct remote_address *address;
    const struct remote_columns *columns;
    const char *build;
    const char *device, *soc, *model_code; /* device NULL: all */
    const char *const *runs;               /* NULL: all */
    size_t run_count;
};
/* What frames are measured by. */
struct remote_measure {
    int64_t factor_milli;
    int64_t fixed_fps_milli;  /* 0: none */
    int64_t device_fps_milli; /* 0: not known */
};

/* All builds (build NULL), or the one: name, frames, a text that is another one when anything is. Rows that say no build are
 * a build without a name. */
enum { BUILD_NAME, BUILD_FRAMES, BUILD_CONTENT, BUILD_COLUMNS };
extern const struct answer_column build_columns[BUILD_COLUMNS];
void statement_builds(struct text_buffer *sql, const struct remote_address *address, const struct remote_columns *columns,
                      const char *build);

/* The runs of a build, by device; rows that say no device or no run have an empty one. */
enum {
    RUN_DEVICE, RUN_SOC, RUN_MODEL_CODE, RUN_NAME, RUN_FRAMES, RUN_REJECTED, RUN_SUM, RUN_FIRST, RUN_LAST, RUN_TARGET, RUN_REFRESH,
    RUN_EVERY, RUN_KEPT_OVER, RUN_OS, RUN_GPU_NAME, RUN_SERIES, RUN_SCENARIO, RUN_COMMIT, RUN_CI_RUN, RUN_BUILT_AT, RUN_STARTED_AT,
    RUN_LOG_URL, RUN_OUTCOME, RUN_STATION, RUN_COLUMNS
};
extern const struct answer_column run_columns[RUN_COLUMNS];
void statement_runs(struct text_buffer *sql, const struct remote_scope *scope);

/*
 * Frames that decide about labels, events and windows, in the order of the runs: those over limit_ns, with an event,
 * behind a gap, among the first 11 of a visit, the last one; and the neighbours of all these. Figures of the whole run stand in every
 * row of it.
 */
enum {
    KEPT_RUN, KEPT_COUNT, KEPT_WIDE, KEPT_GAPS, KEPT_GAP_NS, KEPT_ORDINAL, KEPT_VISIT, KEPT_STAMP, KEPT_FRAME, KEPT_SCENE,
    KEPT_QUALITY, KEPT_EVENT, KEPT_CPU, KEPT_GPU, KEPT_GC, KEPT_DRAW_CALLS, KEPT_TARGET, KEPT_REFRESH, KEPT_COLUMNS
};
extern const struct answer_column kept_columns[KEPT_COLUMNS];
void statement_kept(struct text_buffer *sql, const struct remote_scope *scope, int64_t limit_ns);

/* All frames that lie inside ranges of stamps of their runs, in order. Needs the table of range_structure(). */
enum {
    INSIDE_RUN, INSIDE_STAMP, INSIDE_FRAME, INSIDE_SCENE, INSIDE_QUALITY, INSIDE_EVENT, INSIDE_CPU, INSIDE_GPU, INSIDE_GC,
    INSIDE_DRAW_CALLS, INSIDE_TARGET, INSIDE_REFRESH, INSIDE_COLUMNS
};
extern const struct answer_column inside_columns[INSIDE_COLUMNS];
void statement_inside(struct text_buffer *sql, const struct remote_scope *scope);
/* Frames of one run that end after from_ns and start before to_ns; the same columns. */
void statement_stretch(struct text_buffer *sql, const struct remote_scope *scope, int64_t from_ns, int64_t to_ns);

#define REMOTE_SPANS "ss_spans"
/* run, then from, to: exclusive */
char *range_structure(const struct remote_columns *columns);
/*
 * run, series, FPS and refresh rate of the run, how it was sampled; labelled stretches (from and to exclusive, latest
 * start, label); what events own (likewise, a number of the event).
 */
char *span_structure(const struct remote_columns *columns);

/* Gameplay frames of every run, or of all runs of a series, in a scene at a quality. Both need the table of spans. */
enum {
    FIGURE_RUN, FIGURE_SERIES, FIGURE_SCENE, FIGURE_QUALITY, FIGURE_FRAMES, FIGURE_KEPT, FIGURE_DURATION, FIGURE_LATE, FIGURE_OVER,
    FIGURE_SLOW_FRAMES, FIGURE_EXCESS, FIGURE_MEDIAN2, FIGURE_MAD4, FIGURE_P95, FIGURE_P99, FIGURE_MIN, FIGURE_MAX, FIGURE_SLOWEST,
    FIGURE_HOT, FIGURE_HALF, FIGURE_COLUMNS
};
extern const struct answer_column figure_columns[FIGURE_COLUMNS];
void statement_figures(struct text_buffer *sql, const struct remote_scope *scope, const struct remote_measure *measure, bool pooled);

/* Labelled frames, likewise by run. */
enum { LABELLED_RUN, LABELLED_SCENE, LABELLED_QUALITY, LABELLED_LABEL, LABELLED_FRAMES, LABELLED_NS, LABELLED_OVER, LABELLED_COLUMNS };
extern const struct answer_column labelled_columns[LABELLED_COLUMNS];
void statement_labelled(struct text_buffer *sql, const struct remote_scope *scope, const struct remote_measure *measure);

/* The greatest gameplay frame that each event owns; 0: no event. */
enum { PEAK_RUN, PEAK_SCENE, PEAK_QUALITY, PEAK_EVENT, PEAK_NS, PEAK_COLUMNS };
extern const struct answer_column peak_columns[PEAK_COLUMNS];
void statement_peaks(struct text_buffer *sql, const struct remote_scope *scope);

#endif
