/*
 * What the files of Trend share: one figure of one cell or stutter over the builds, what changed beside it,
 * and the same on other devices. Everything is copied, so that analysis in the background cannot pull it
 * away.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_TREND_H
#define STUTTERSCOPE_VIEW_SCREENS_TREND_H

#include "stutterscope/model/findings.h"
#include "stutterscope/model/history.h"
#include "stutterscope/view/chart.h"
#include "stutterscope/view/finder.h"
#include "stutterscope/view/session.h"

/* What is shown. */
struct trend_subject {
    int64_t device, scene, quality;
    int64_t event; /* -1: the whole scene; 0: frames of no event */
    enum compared_figure figure;
};

/* What is compared below: the same scene elsewhere, or the same device elsewhere. */
enum trend_scope { TREND_EVENT, TREND_SCENE, TREND_DEVICE };

/* What may have changed beside the build; a text per build, "" where nothing is known. */
enum trend_lane { TREND_OS, TREND_QUALITY, TREND_SAMPLING, TREND_HEAT, TREND_LANES };

struct trend_build {
    int64_t build;
    char *name;   /* "(421)" */
    char *commit; /* NULL: not known */
    int64_t night_ms;
    char *lanes[TREND_LANES]; /* never NULL */
};

struct trend_other {
    int64_t device, scene;
    char *title, *tier, *family; /* family: "Android"; NULL: not known */
    double *medians;             /* as many as there are builds */
    bool found, same;            /* a step; at the same place */
    bool waits;                  /* not all of it is analysed */
    int64_t first_bad;
    double before, after;
};

struct trend_place {
    int64_t device, scene;
};

/* The newest build with runs against another one. */
struct trend_comparison {
    int64_t build;
    const char *what; /* "pinned", "oldest", "" */
    enum verdict verdict;
    double delta; /* NaN: none */
    char reason[200];
};

struct trend_state {
    struct session *session;
    struct trend_subject subject;
    bool has_subject;
    struct {
        int64_t device, scene;
        char stutter[192];
    } taken; /* the session's subject when ours was chosen */

    struct history *history; /* NULL: nothing to show */
    char **run_names;        /* of the history's runs, one after the other */
    size_t run_name_count;
    struct {
        struct trend_build *items;
        size_t count, capacity;
    } builds; /* parallel to the history's */
    struct {
        struct trend_other *items;
        size_t count, capacity;
    } others;
    struct {
        struct trend_place *items;
        size_t count, capacity;
    } everywhere; /* the others before the filter */
    struct {
        struct trend_comparison *items;
        size_t count, capacity;
    } comparisons;
    struct history_range range;
    bool has_range, range_moved; /* moved by hand */
    size_t now;                  /* the newest build with runs; SIZE_MAX: none has */
    char triage[80];             /* "filed MG-1211"; "": nothing of it is to decide or was decided */
    double alert;                /* ms; NaN for figures that are no frame time */

    enum trend_scope scope;
    struct scroll cursor; /* the build at the cursor */
    bool placed, hides_baseline, folds_others;
    int nights;        /* builds that are shown; 0: as many as there is room for */
    int64_t marked[2]; /* builds; 0: none */
    struct finder finder;
    int64_t *menu_builds; /* what the menu of baselines offers */
    enum compared_figure menu_figures[COMPARED_COUNT];
    bool waits, stopped; /* something is not analysed yet; nobody wants it to be */
    int64_t waited, shown_ms, took_ms;
};

/* trend_data.c, trend_subject.c, trend_others.c */
bool trend_recompute(void *state, const struct progress *progress, struct error *error);
void trend_clear(struct trend_state *state);
bool trend_choose(struct trend_state *state, struct error *error); /* has_subject: whether there is one */
/* The quality at which the device played the scene last, the preferred one if it did; -1: never. */
int64_t trend_quality_of(struct model *model, int64_t device, int64_t scene, int64_t preferred);
bool trend_find_others(struct trend_state *state, const struct progress *progress, struct error *error);
size_t trend_count_fitting(const void *state, const struct filter *filter, size_t *ret_of);
void trend_clear_others(struct trend_state *state);
enum screen_work trend_work(void *state, struct screen_progress *ret, struct error *error);
void trend_stop_work(void *state);

/* trend_words.c */
struct trend_word {
    char text[96];
};
struct trend_word trend_number(double value);                    /* one decimal; "?" unknown */
struct trend_word trend_signed(double value);                    /* "+5.5" */
const char *trend_figure_title(enum compared_figure figure);     /* "P99" */
const char *trend_figure_unit(enum compared_figure figure);      /* "ms" */
const char *trend_lane_title(enum trend_lane lane, int columns); /* shorter where there is no room for it */
const char *trend_build_name(const struct trend_state *state, size_t build); /* "(421)" */
size_t trend_lane_start(const struct trend_state *state,
                        enum trend_lane lane); /* bytes that all builds share: "Android " */
/* First build whose lane differs from the build with runs before it; SIZE_MAX: all are equal. */
size_t trend_lane_change(const struct trend_state *state, enum trend_lane lane);
char *trend_why(const struct trend_state *state);
/* "mid 2 of 2, high 0 of 4": on how many others the step is, too. A new string. */
char *trend_reading(const struct trend_state *state);

/* trend_layout.c */
struct trend_layout {
    struct area chart, labels, dates, lanes, marks, side, others; /* rows 0: not there */
    bool separate;                                                /* the side pane stands beside the chart */
    int tick_columns;                                             /* room for the figures of the axis */
    int slot;                                                     /* columns of a build */
    int first, shown;                                             /* builds */
    bool shows[TREND_LANES];
};
void trend_lay_out(const struct trend_state *state, struct area area, struct trend_layout *ret);
int trend_slot_column(const struct trend_layout *layout, size_t build); /* -1: not seen */

/* trend_draw.c, trend_chart.c, trend_side.c */
void trend_draw(const void *state, struct canvas *canvas, struct area area);
void trend_draw_chart(const struct trend_state *state, struct canvas *canvas,
                      const struct trend_layout *layout);
void trend_draw_side(const struct trend_state *state, struct canvas *canvas,
                     const struct trend_layout *layout);

/* trend_keep.c */
void trend_keep(const void *state, struct view_words *words);
void trend_take(void *state, const struct view_words *words, bool filled);

/* trend_act.c, trend_show.c */
extern const struct screen_handler trend_show_handlers[];
bool trend_act(void *state, const struct screen_event *event, struct screen_reply *reply);

#endif
