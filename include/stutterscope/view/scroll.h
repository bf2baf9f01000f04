/*
 * Selection and scrolling of anything that has rows. Plain data; the height is known only when drawing, so it
 * is an argument.
 */
#ifndef STUTTERSCOPE_VIEW_SCROLL_H
#define STUTTERSCOPE_VIEW_SCROLL_H

#include "stutterscope/view/screen.h"

struct scroll {
    int count;    /* rows there are */
    int selected; /* 0 … count - 1; 0 when there are none */
    int first;    /* row at the top, as far as the height allows */
};

/* A new number of rows; the selection stays where it is or goes to the last row. */
void scroll_set_count(struct scroll *scroll, int count);
void scroll_select(struct scroll *scroll, int row, int page);
/* The row to draw at the top of `page` rows so that the selected one is seen. */
int scroll_top(const struct scroll *scroll, int page);
/* Does the moves up, down, first, last, half page, page; false for all other actions. */
bool scroll_act(struct scroll *scroll, const struct screen_event *event, int page);
/* For texts, which have no selected row: the same moves on the top row. */
bool scroll_act_view(struct scroll *scroll, const struct screen_event *event, int page);
/* "12-30 of 88", "all 4"; buffer is returned. */
char *scroll_print(const struct scroll *scroll, int page, char *buffer, size_t size);

#endif
