/*
 * Working out what is missing while a screen is looked at: one device after the other, shown again now and
 * then.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_ANALYSIS_STEPS_H
#define STUTTERSCOPE_VIEW_SCREENS_ANALYSIS_STEPS_H

#include "stutterscope/view/screen.h"
#include "stutterscope/view/session.h"

/* Plain data, all zero at first. */
struct analysis_steps {
    bool stopped;              /* the user wants no more of it, or it failed; until R */
    int64_t waited;            /* devices that waited at the beginning */
    int64_t shown_ms, took_ms; /* when it was last shown, and how long that took */
};

/* screen_type.work of a screen; show: its recompute. Ends at once when nothing is missing. */
enum screen_work analysis_steps_work(struct analysis_steps *steps, struct session *session, void *state,
                                     bool (*show)(void *state, const struct progress *progress,
                                                  struct error *error),
                                     struct screen_progress *ret, struct error *error);

#endif
