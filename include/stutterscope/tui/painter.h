/*
 * What differs between the glass of a terminal and a canvas, as bytes for that terminal. What the terminal understands
 * comes as data, so nothing here needs one.
 */
#ifndef STUTTERSCOPE_TUI_PAINTER_H
#define STUTTERSCOPE_TUI_PAINTER_H

#include "stutterscope/base/text.h"
#include "stutterscope/view/canvas.h"
#include "stutterscope/view/theme.h"
#include <stdbool.h>

/*
 * Capabilities of a terminal as its description has them (terminfo(5)); "" for what it lacks. Padding in them ("$<5>") is
 * not sent. They are kept as pointers, as is expand.
 */
struct painter_language {
    struct theme theme;
    enum colour_depth depth;
    int colours;          /* how many it has; others are left out */
    bool utf8;            /* else what wcrtomb() makes of a character, or '?' */
    bool direct;          /* colours are RGB values */
    bool swaps_colours;   /* red and blue change places (setf, setb) */
    bool wraps_at_once;   /* behind the last column the cursor is in the next row: the very last cell would scroll */
    bool erases_coloured; /* erasing leaves the background colour that is on */
    unsigned uncoloured;  /* STYLE_BOLD, …: what cannot be shown together with colours */
    const char *clear;    /* the whole glass */
    const char *erase;    /* up to the end of the row */
    const char *place;    /* the cursor: row, column */
    const char *place_in_row; /* column */
    const char *region;   /* what scrolls: first row, last row */
    const char *scroll_up, *scroll_down; /* by a row, with the cursor in the last, the first row of the region */
    const char *plain;    /* no attribute, no colour */
    const char *bold, *underline, *reverse, *italic;
    const char *foreground, *background; /* a colour */
    const char *plain_colours;
    /* Puts parameters into a capability; the string is used before the next call. */
    const char *(*expand)(const char *capability, int first, int second);
};

struct painter;

/* Adds a capability without its padding. */
void painter_add_capability(struct text_buffer *out, const char *capability);

struct painter *painter_create(const struct painter_language *language);
void painter_destroy(struct painter *painter); /* NULL is allowed */

/* Nothing is known of the glass: the next painting clears it and is a whole one. */
void painter_forget(struct painter *painter);
/*
 * Adds what makes rows × columns of the glass look like the canvas, as far as that reaches (what it does not cover stays
 * empty). Another size than before is a glass of which nothing is known. may_scroll: rows may be moved (a picture would move
 * with them). No attribute is on afterwards.
 */
void painter_paint(struct painter *painter, const struct canvas *canvas, int rows, int columns, bool may_scroll, struct text_buffer *out);
/* Adds what moves the cursor. */
void painter_place(struct painter *painter, int row, int column, struct text_buffer *out);

#endif
