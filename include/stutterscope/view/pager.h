/*
 * Reading a text: scrolling, finding. As a part of a screen, or as an overlay of its own (help, why, output
 * of a verb).
 */
#ifndef STUTTERSCOPE_VIEW_PAGER_H
#define STUTTERSCOPE_VIEW_PAGER_H

#include "stutterscope/view/finder.h"

struct pager {
    char *text;   /* lines end in NUL bytes */
    char **lines; /* into text */
    size_t line_count;
    int width; /* columns of the widest line */
    struct scroll scroll;
    struct finder finder; /* what was looked for is highlighted */
};

/* Takes a copy; lines are cleaned by the caller (text_clean_lines). */
void pager_set(struct pager *pager, const char *text);
void pager_clear(struct pager *pager);
void pager_draw(struct canvas *canvas, struct area area, const struct pager *pager);
bool pager_act(struct pager *pager, const struct screen_event *event, int page);
/* Does the actions of finding, from the top line on; false for all other actions. */
bool pager_find(struct pager *pager, const struct screen_event *event, struct screen_reply *reply);

/* The overlay: a box in the middle with this title; closes with Esc, q and Enter, finds with /. */
struct screen *pager_open(const char *title, const char *text);
/* What such an overlay shows, a new string; NULL: it is something else. */
char *pager_text(const struct screen *screen);

#endif
