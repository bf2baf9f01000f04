/*
 * The frame around every screen: tabs, where, answer, status and keys; and the whole screen put together as
 * the terminal shows it. Needs no terminal.
 */
#ifndef STUTTERSCOPE_VIEW_CHROME_H
#define STUTTERSCOPE_VIEW_CHROME_H

#include "stutterscope/view/canvas.h"
#include "stutterscope/view/keymap.h"
#include "stutterscope/view/screen.h"

#define CHROME_LEAST_ROWS    12
#define CHROME_LEAST_COLUMNS 40

struct chrome {
    const char *store, *user, *clock; /* right end of line 1; NULL or "": left out */
    struct {
        char badge[12]; /* "5", "!2"; "" none */
        bool missing;   /* the badge speaks of missing data */
        bool absent;    /* there is no such screen: no tab */
    } tabs[SCREEN_COUNT];
    bool tuned;          /* other settings than the store's: said beside the build */
    const char *message; /* in place of the screen's own status; NULL: none */
    unsigned message_style;
    bool covered; /* what lies above leaves only tabs, status and keys to be seen: the rest is left blank */
    const struct keymap *keymap; /* NULL: default keys are not known, hints are left out */
};

/* The part of the canvas that the screen's draw gets (below three lines, above two); empty when it is too
 * small. */
struct area chrome_body(const struct canvas *canvas);
/*
 * Clears and draws the screen with its chrome; below 12 rows or 40 columns one line that says so. A failure
 * of the screen is shown in place of the body.
 */
void chrome_draw(struct canvas *canvas, const struct chrome *chrome, const struct screen *screen);
/* What lies on the screen that was drawn: over it, with its own keys in the last line, if it names any, and never those of
 * the screen below, which do nothing now. */
void chrome_draw_above(struct canvas *canvas, const struct chrome *chrome, const struct screen *overlay);
/* A line of hints ("I investigate  F file…") for use in a body. */
void chrome_draw_hints(struct canvas *canvas, int row, int column, int columns, const struct keymap *keymap,
                       const struct hint *hints);

#endif
