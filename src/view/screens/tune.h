/*
 * What the files of Tune share: the settings as sliders, and what becomes of the stutters of the shown build
 * when they are changed, against what the settings of the store say.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_TUNE_H
#define STUTTERSCOPE_VIEW_SCREENS_TUNE_H

#include "analysis_steps.h"
#include "stutterscope/model/heatmap.h"
#include "stutterscope/view/finder.h"
#include "stutterscope/view/session.h"

/* The settings that people tune; the others are set in the store or on the command line. */
#define TUNE_SETTINGS 6

struct tune_setting {
    const char *name;  /* as analysis_settings_set() knows it */
    const char *title; /* "MAD floor" */
    const char *unit;
    double low, high;         /* ends of the slider */
    const char *const *stops; /* what less and more go through; NULL at the end */
};
extern const struct tune_setting tune_settings[TUNE_SETTINGS];

/* What a stutter is to somebody who decides, the most important first. */
enum tune_class {
    TUNE_TICKET,
    TUNE_DECIDE,
    TUNE_INVESTIGATING,
    TUNE_KNOWN,
    TUNE_WONT_FIX,
    TUNE_DONE,
    TUNE_ONCE,
    TUNE_UNCLEAR,
    TUNE_SAME,
    TUNE_CLASSES
};

struct tune_stutter {
    char fingerprint[17];
    enum tune_class class;
    int64_t device, scene, event, peak_ns, windows;
};
struct tune_stutters {
    struct tune_stutter *items;
    size_t count, capacity;
    size_t by_class[TUNE_CLASSES];
    int64_t windows;
    size_t lines; /* of what is to decide */
};

struct tune_cell {
    bool has_frames, missing;
    size_t kept, lost, gained;
};

struct tune_device {
    int64_t device;
    char *title;
    bool waits; /* not analysed with these settings yet */
};

struct tune_state {
    struct session *session;
    struct analysis_settings stored; /* of the store */
    int64_t build;                   /* which `was` is about */
    bool has_was;
    struct tune_stutters was, now;
    struct {
        struct tune_stutter *items;
        size_t count, capacity;
    } lost; /* tickets first, then by peak */
    size_t gained;
    struct {
        struct tune_device *items;
        size_t count, capacity;
    } devices;
    struct {
        char **items;
        size_t count, capacity;
    } scenes;
    struct tune_cell *cells; /* devices x scenes */
    size_t waiting;          /* devices */
    struct scroll setting, row;
    struct finder finder;
    size_t found; /* row of the map, behind them of what is lost; SIZE_MAX: none */
    struct analysis_steps steps;
    int64_t changed_ms, took_ms; /* since the last change until everything was there; 0: not yet */
};

bool tune_recompute(void *state, const struct progress *progress, struct error *error);
void tune_clear(struct tune_state *state);
const char *tune_class_title(enum tune_class class); /* "ticket" */
size_t tune_count(const struct tune_stutters *stutters, enum tune_class class);
size_t tune_count_lost(const struct tune_state *state, enum tune_class class);
/* Another value in between; false when it is the last one already. */
bool tune_step(struct analysis_settings *settings, size_t setting, int step);
bool tune_differs(const struct tune_state *state, size_t setting); /* from the store */

void tune_find(void *state, const struct screen_event *event, struct screen_reply *reply); /* tune_find.c */
bool tune_is_found(const struct tune_state *state, bool lost, size_t index);             /* where the hit is */
void tune_show_json(void *state, const struct screen_event *event, struct screen_reply *reply); /* tune_json.c */
void tune_draw(const void *state, struct canvas *canvas, struct area area);
bool tune_act(void *state, const struct screen_event *event, struct screen_reply *reply);

#endif
