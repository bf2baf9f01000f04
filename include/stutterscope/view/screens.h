/*
 * All screens, as tables of functions: what the loop shows and the command line draws. A screen that does not exist yet
 * is declared here and NULL in the list; its tab is left out.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_H
#define STUTTERSCOPE_VIEW_SCREENS_H

#include "stutterscope/view/screen.h"

extern const struct screen_type map_screen;    /* device x scene */
extern const struct screen_type queue_screen;  /* what is to decide */
extern const struct screen_type frames_screen; /* one window from close by */
extern const struct screen_type trend_screen;  /* one figure over the builds */
extern const struct screen_type cover_screen;  /* what did not report */
extern const struct screen_type ticket_screen; /* the text of a ticket */
extern const struct screen_type tune_screen;   /* the settings */
extern const struct screen_type memory_screen; /* memory snapshots by scene and category */

/* By kind; NULL: there is no such screen yet. */
extern const struct screen_type *const all_screens[SCREEN_COUNT];

#endif
