/*
 * What the files of the Frames screen share: one run from close by, the window at the cursor, and the part
 * that is shown. Times are the run's own clock unless a name says otherwise.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_FRAMES_H
#define STUTTERSCOPE_VIEW_SCREENS_FRAMES_H

#include "analysis_steps.h"
#include "stutterscope/model/detail.h"
#include "stutterscope/view/chart.h"
#include "stutterscope/view/finder.h"
#include "stutterscope/view/screens.h"
#include "stutterscope/view/session.h"

enum frames_lane { LANE_FRAME, LANE_CPU, LANE_GPU, LANE_GC, LANE_DRAWS, LANE_COUNT };

/* A run of the baseline, laid under the shown one. */
struct frames_overlay {
    struct run_detail *detail; /* NULL: none */
    int64_t shift_ns;          /* added to its times */
    char *title;               /* "1.7.9(418) run 1 at boss_spawn": what it is, where it was aligned */
};

struct frames {
    struct session *session;
    bool has_entry;
    struct stutter_entry entry; /* a copy without its list of devices */
    struct stutter_runs runs;   /* of the entry's build and device; of the device when there is no entry */
    struct run_detail *detail;  /* NULL: nothing to show */
    bool has_window;            /* false: the run is clean, or has no stutter chosen */
    struct stutter_window window;
    size_t cursor, typical;        /* frames of the run */
    int64_t view_from, view_to;    /* what the chart shows */
    int64_t view_window, view_run; /* what it was fitted to: kept while these stay */
    enum frames_lane lane;
    int lanes_shown; /* 0: all, 1: frame, CPU and GPU, 2: frame times only */
    bool wants_overlay;
    struct frames_overlay overlay;
    char *why, *cause; /* lines */
    struct finder finder;
    char *opened;   /* what `o` opened last */
    char *baseline; /* name of the entry's baseline; NULL: none */
    bool waits;
    bool wants_fetch;       /* the next load asks the server for the frames of the view */
    struct error not_fetched; /* why it did not give them, */
    int64_t not_fetched_of;   /* of which run */
    struct analysis_steps steps;
};

/* ---- frames_load.c ---- */

bool frames_load(struct frames *frames, const struct progress *progress, struct error *error);
void frames_unload(struct frames *frames);
/* Puts this window of the shown run at the cursor, and the stutter that it belongs to into the session. */
void frames_choose_window(struct frames *frames, const struct stutter_window *window);
/* Windows that `,` and `.` go to: gameplay, with transitions when those are unfolded, as far as they fit the filter. */
bool frames_window_is_listed(const struct frames *frames, const struct stutter_window *window);
size_t frames_count_fitting(const void *state, const struct filter *filter, size_t *ret_of);
/* ---- frames_overlay.c ---- */

bool frames_load_overlay(struct frames *frames, struct error *error);
void frames_drop_overlay(struct frames *frames);
/* Begin of the event in the scene of this run: the index-th, else the first; false when it never occurs. */
bool frames_find_event(const struct run_detail *detail, int64_t scene, int64_t event, size_t index,
                       int64_t *ret_ns);

/* ---- frames_view.c: the part that is shown ---- */

void frames_fit(struct frames *frames);
void frames_zoom(struct frames *frames, int steps); /* > 0: in */
void frames_pan(struct frames *frames, double part);
void frames_move_cursor(struct frames *frames, int steps,
                        int columns); /* by frames, or columns when these are fewer */
void frames_set_cursor(struct frames *frames, size_t frame);
int64_t frames_start_of(const struct run_detail *detail, size_t frame);
/* Times as people read them: the run's clock; counted from the run's start where that clock is a date or an
 * uptime. */
struct figure_text;
int64_t frames_shown_time(const struct frames *frames, int64_t ns);
size_t frames_peak_frame(const struct frames *frames);
bool frames_has_lane(const struct frames *frames, enum frames_lane lane); /* recorded and shown */
const int64_t *frames_lane_values(const struct frames *frames, enum frames_lane lane);
double frames_lane_scale(enum frames_lane lane); /* units of the store in one of the readout: ns in a ms */
const char *frames_lane_title(enum frames_lane lane, bool narrow);

/* ---- frames.c ---- */

bool frames_has_frames(const struct frames *frames); /* of a run */
size_t frames_run_number(const struct frames *frames); /* of the shown run, as line 2 counts; 0: none */
/* ---- frames_keep.c ---- */

void frames_keep(const void *state, struct view_words *words);
void frames_take(void *state, const struct view_words *words, bool filled);

/* ---- drawing ---- */

struct frames_layout {
    struct area strip, bracket, chart, marks, names, times, lanes[LANE_COUNT], runs, seen, readout, side;
    int label_columns;
};
void frames_lay(const struct frames *frames, struct area body, struct frames_layout *ret);
int frames_plot_columns(const struct frames *frames, struct area body);
void frames_draw(const void *state, struct canvas *canvas, struct area area);
void frames_draw_strip(const struct frames *frames, struct canvas *canvas, struct area area);
void frames_draw_chart(const struct frames *frames, struct canvas *canvas,
                       const struct frames_layout *layout);
void frames_draw_marks(const struct frames *frames, struct canvas *canvas,
                       const struct frames_layout *layout);
void frames_draw_lane(const struct frames *frames, struct canvas *canvas, struct area area, int label_columns,
                      enum frames_lane lane);
void frames_draw_side(const struct frames *frames, struct canvas *canvas, struct area area);
void frames_draw_readout(const struct frames *frames, struct canvas *canvas, struct area area);

/* ---- frames_act.c, frames_find.c, frames_open.c, frames_show.c, frames_table.c ---- */

void frames_open(void *state, const struct screen_event *event, struct screen_reply *reply);
void frames_find(void *state, const struct screen_event *event, struct screen_reply *reply);
extern const struct screen_handler frames_show_handlers[];
void frames_opened(void *state, int status, struct screen_reply *reply);
bool frames_act(void *state, const struct screen_event *event, struct screen_reply *reply);
/* The exact values of all frames, at the cursor; Enter there moves the cursor here. */
struct screen *frames_open_table(struct frames *frames);

#endif
