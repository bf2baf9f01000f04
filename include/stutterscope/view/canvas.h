/*
 * A grid of cells, each a character with its role: the only thing that screens draw on. Text is clipped and
 * cut by columns, a wide character is there as a whole or not at all, and nothing here knows of a terminal.
 */
#ifndef STUTTERSCOPE_VIEW_CANVAS_H
#define STUTTERSCOPE_VIEW_CANVAS_H

#include "stutterscope/view/glyphs.h"
#include "stutterscope/view/theme.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct canvas;

struct area {
    int row, column, rows, columns;
};

/* Cuts rows or columns off an area: the cut part is returned, the area is what is left. Never negative. */
struct area area_take_top(struct area *area, int rows);
struct area area_take_bottom(struct area *area, int rows);
struct area area_take_left(struct area *area, int columns);
struct area area_take_right(struct area *area, int columns);
/* The area without a border of one cell; the middle of an area. */
struct area area_inside(struct area area);
struct area area_centre(struct area area, int rows, int columns);
bool area_contains(struct area area, int row, int column);

#define CANVAS_TEXT_SIZE 11 /* a character with its combining marks, two of three bytes; further marks are dropped */

/* Sixteen bytes without gaps: every key clears, fills and compares thousands of them, as bytes. */
struct canvas_cell {
    char text[CANVAS_TEXT_SIZE]; /* UTF-8; "" in the right half of a wide character, " " where nothing was
                                    drawn */
    uint8_t width;               /* 1, 2, or 0 in the right half of a wide character */
    unsigned style;
};

/* Sizes under 1 count as 1. Everything is blank. */
struct canvas *canvas_create(int rows, int columns, enum glyph_set glyphs);
void canvas_destroy(struct canvas *canvas);
/* A new size; everything is blank afterwards. */
void canvas_resize(struct canvas *canvas, int rows, int columns);
void canvas_clear(struct canvas *canvas);
/* The cells and the cursor of another canvas of the same size. */
void canvas_copy(struct canvas *canvas, const struct canvas *from);

int canvas_rows(const struct canvas *canvas);
int canvas_columns(const struct canvas *canvas);
struct area canvas_area(const struct canvas *canvas);
enum glyph_set canvas_glyphs(const struct canvas *canvas);
/* NULL outside. */
const struct canvas_cell *canvas_cell(const struct canvas *canvas, int row, int column);

/*
 * All putting functions clip at the area given, else at the canvas; positions may lie outside. Control
 * characters that should not be there become U+FFFD. They return the columns that were used (also the clipped
 * ones).
 */
int canvas_put(struct canvas *canvas, int row, int column, unsigned style, const char *text);
/* One character of one column; nothing outside. */
void canvas_put_character(struct canvas *canvas, int row, int column, unsigned style, uint32_t code_point);
__attribute__((format(printf, 5, 6))) int canvas_print(struct canvas *canvas, int row, int column,
                                                       unsigned style, const char *format, ...);

enum align { ALIGN_LEFT, ALIGN_RIGHT, ALIGN_CENTRE };
enum cut {
    CUT_END,    /* "boss_spa…" */
    CUT_MIDDLE, /* "Galaxy…Ultra": names with a common prefix stay different */
    CUT_HIDE    /* nothing rather than a part: numbers */
};
/* Puts text into exactly `columns` columns, padded with blanks of the style, cut with an ellipsis. */
void canvas_put_field(struct canvas *canvas, int row, int column, int columns, unsigned style,
                      enum align align, enum cut cut, const char *text);
/* Text over several rows, broken at blanks; what does not fit any more is told by an ellipsis. Returns the rows that
 * the whole text needs. */
int canvas_put_wrapped(struct canvas *canvas, struct area area, unsigned style, const char *text);

/* Fills with a character of one column (" "). */
void canvas_fill(struct canvas *canvas, struct area area, unsigned style, const char *character);
/* Changes only how things look; the flags are added, ROLE_CHROME in `role` leaves the role. */
void canvas_add_flags(struct canvas *canvas, struct area area, unsigned flags);
void canvas_set_role(struct canvas *canvas, struct area area, enum role role);

/* ─ and │ (or another character of one column, such as ╌). */
void canvas_horizontal(struct canvas *canvas, int row, int column, int columns, unsigned style,
                       const char *character);
void canvas_vertical(struct canvas *canvas, int row, int column, int rows, unsigned style,
                     const char *character);
/* A box along the border of the area, with a title in its upper line (NULL: none). Areas under 2 × 2 stay as
 * they are. */
void canvas_box(struct canvas *canvas, struct area area, unsigned style, const char *title);

/* Where the terminal's cursor is to stand (input methods show their window there); else it is hidden. */
void canvas_place_cursor(struct canvas *canvas, int row, int column);
bool canvas_cursor(const struct canvas *canvas, int *ret_row, int *ret_column);

/* Lines without blanks at their ends, each ended by '\n'; new strings. */
char *canvas_dump_text(const struct canvas *canvas);
/* A letter for the role of every cell (role_letter()); STYLE_CURSOR and STYLE_REVERSE as '@'. */
char *canvas_dump_roles(const struct canvas *canvas);

#endif
