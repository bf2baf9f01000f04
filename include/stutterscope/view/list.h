/*
 * A table on a screen: columns that give way by priority, a head that stays, a selected row, marks. The rows
 * come from a function, so any data can be shown.
 */
#ifndef STUTTERSCOPE_VIEW_LIST_H
#define STUTTERSCOPE_VIEW_LIST_H

#include "stutterscope/view/canvas.h"
#include "stutterscope/view/scroll.h"

struct list_column {
    const char *head;
    int least, most; /* columns on the screen; most 0: as wide as the widest text that is seen */
    int priority;    /* LINE_KEEP never left out; else the highest number goes first */
    enum align align;
    enum cut cut;
    bool takes_rest; /* gets what is left over (one column of the table) */
};

struct list_cell {
    const char *text; /* clean; may point to scratch */
    unsigned style;
    char scratch[128];
};

struct list {
    const struct list_column *columns;
    int column_count;
    /* Fills the cell, which comes as "" in ROLE_CHROME. */
    void (*get)(const void *user, int row, int column, struct list_cell *ret);
    bool (*is_marked)(const void *user, int row); /* NULL: no marks */
    const void *user;
    int sorted_by; /* its head gets an arrow; -1: none */
    bool descending;
    const char *empty; /* what to say when there are no rows: why, and what to do */
};

#define LIST_HEAD_ROWS 1
#define LIST_GAP       2 /* columns between two columns */

/* Rows of the list that an area shows: the page for scroll_act(). */
int list_page(struct area area);
void list_draw(struct canvas *canvas, struct area area, const struct list *list, const struct scroll *scroll);
/* The row at a place of the canvas, -1 where there is none. */
int list_row_at(struct area area, const struct scroll *scroll, int row, int column);
/* Widths for `columns` columns in all, 0 for those left out; used by list_draw(). widths[column_count]. */
void list_fit_columns(const struct list *list, const struct scroll *scroll, struct area area, int *widths);

#endif
