/*
 * Lines built from parts with priorities. What does not fit is worded shorter, cut, or left out, the least
 * important part first, so that a narrow terminal never loses what matters most.
 */
#ifndef STUTTERSCOPE_VIEW_LINE_H
#define STUTTERSCOPE_VIEW_LINE_H

#include "stutterscope/view/canvas.h"
#include <stddef.h>

#define LINE_KEEP 0 /* the priority of parts that are never left out, only cut when even they do not fit */

struct line_part {
    char *text;       /* with the blanks that separate it from its neighbours: they go when it goes */
    char *short_text; /* what to say where there is less room; NULL: nothing shorter */
    unsigned style;
    int priority; /* LINE_KEEP, else 1 (important) … 9 (first to go) */
    int least;    /* may be cut with an ellipsis down to so many columns; 0: as a whole or not at all */
    bool right;   /* stands at the right end of the line */
};

/* Plain data, all zero at first: struct line line = {0}; */
struct line {
    struct line_part *items;
    size_t count, capacity;
};

void line_clear(struct line *line); /* releases everything; the line can be used again */
/* Adds a part; the text is copied and may be changed through the returned part, valid until the next
 * line_add(). */
struct line_part *line_add(struct line *line, int priority, unsigned style, const char *text);
__attribute__((format(printf, 4, 5))) struct line_part *line_print(struct line *line, int priority,
                                                                   unsigned style, const char *format, ...);
/* The same with a shorter wording. */
struct line_part *line_add_two(struct line *line, int priority, unsigned style, const char *text,
                               const char *short_text);
/* Puts what is added after it at the right end. */
void line_add_right(struct line *line, int priority, unsigned style, const char *text);

/*
 * Draws into one row. Order of giving way, for the highest priority number first: short wordings, cutting
 * down to `least`, leaving out (last part first). Parts of ROLE_MISSING count as LINE_KEEP, and are the last
 * ones to be cut.
 */
void line_draw(struct canvas *canvas, int row, int column, int columns, const struct line *line);
/* The columns that the line needs when nothing gives way. */
int line_width(const struct line *line);

#endif
