/*
 * What the files of the painter share and nobody else sees.
 */
#ifndef STUTTERSCOPE_TUI_PAINTER_PARTS_H
#define STUTTERSCOPE_TUI_PAINTER_PARTS_H

#include "stutterscope/tui/painter.h"
#include <stdint.h>
#include <string.h>

#define KNOWN_LOOKS 256   /* 2^8: what is left of a product after 24 bits */
#define COLOUR_SIZE 32    /* bytes that ask for a colour */
#define NOWHERE     (-1)
#define NO_STYLE    (~0u) /* of what is as if nothing was ever written there */

struct known_look {
    unsigned style;
    bool known;
    struct attributes attributes;
    char foreground[COLOUR_SIZE], background[COLOUR_SIZE];
};

struct painter {
    struct painter_language language;
    char plain[2 * COLOUR_SIZE]; /* attributes and colours off */
    bool places_as_ansi;         /* row and column can be printed here, */
    bool goes_as_ansi;           /* and a column alone */
    struct canvas_cell *glass;   /* rows × columns, as they look by now */
    int rows, columns;           /* 0: nothing is known */
    int all_rows;                /* of the terminal */
    int row, column;             /* of the cursor; NOWHERE: not known */
    struct attributes look;      /* what is written next has this, */
    unsigned style;              /* which is that of this style */
    struct known_look looks[KNOWN_LOOKS]; /* by style; the last of those that share a place */
    struct {
        uint32_t *there, *wanted; /* of pieces of the glass and of what is to be painted */
        bool known, fresh;        /* there; wanted */
    } sums;                       /* of painter_move.c */
};

static const struct canvas_cell painter_blank = {.text = " ", .width = 1, .style = ROLE_CHROME};

/* As words: this is asked for thousands of cells at every key. */
static inline bool painter_is_same(const struct canvas_cell *a, const struct canvas_cell *b)
{
    uint64_t left[2], right[2];
    _Static_assert(sizeof left == sizeof *a, "a cell is two words");
    memcpy(left, a, sizeof left);
    memcpy(right, b, sizeof right);
    return left[0] == right[0] && left[1] == right[1];
}

/* painter_look.c */
void painter_add_expanded(const struct painter *painter, struct text_buffer *out, const char *capability, int first, int second);
extern const struct known_look painter_no_look;
const struct known_look *painter_look_of(struct painter *painter, unsigned style);
void painter_become_plain(struct painter *painter, struct text_buffer *out);
void painter_change_look(struct painter *painter, const struct known_look *known, struct text_buffer *out);

/* painter_move.c: before painting, lets the terminal scroll what only moved. */
void painter_move_rows(struct painter *painter, const struct canvas *canvas, struct text_buffer *out);
/* After painting: what was wanted is there. */
void painter_keep_sums(struct painter *painter);

#endif
