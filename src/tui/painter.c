#include "painter_parts.h"

#include "stutterscope/base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define SHORTEST_MOVE    5   /* cells: over fewer, writing them again is shorter than moving the cursor */
#define SHORTEST_ERASURE 4   /* cells: fewer are written as blanks */
#define FIRST_DOUBTFUL   0x1F000 /* pictures: terminals are not of one mind how wide they are */

/* Most terminals drop the colours together with the attributes; the others have to be told. */
static void know_plain(struct painter *painter)
{
    struct text_buffer out = {0};
    painter_add_capability(&out, painter->language.plain);
    if (out.count == 0 || !strstr(out.items, "\033["))
        painter_add_capability(&out, painter->language.plain_colours);
    snprintf(painter->plain, sizeof painter->plain, "%s", out.items ? out.items : "");
    free(out.items);
}

struct painter *painter_create(const struct painter_language *language)
{
    struct painter *painter = memory_take_zeroed(1, sizeof *painter);
    painter->language = *language;
    painter->places_as_ansi = strcmp(language->place, "\033[%i%p1%d;%p2%dH") == 0;
    painter->goes_as_ansi = strcmp(language->place_in_row, "\033[%i%p1%dG") == 0;
    know_plain(painter);
    return painter;
}

void painter_destroy(struct painter *painter)
{
    if (painter == NULL)
        return;
    free(painter->sums.there);
    free(painter->sums.wanted);
    free(painter->glass);
    free(painter);
}

void painter_forget(struct painter *painter)
{
    painter->rows = painter->columns = 0;
}

/* ---- cells ---- */

static bool is_ascii(const struct canvas_cell *cell)
{
    return cell->text[0] >= ' ' && cell->text[0] <= '~' && cell->text[1] == '\0';
}

static bool is_half(const struct canvas_cell *cell)
{
    return cell->width == 0;
}

/* As if nothing was ever written there: plain, whatever a theme says of this role. */
static bool is_empty(const struct canvas_cell *cell)
{
    return cell->style == ROLE_CHROME && cell->text[0] == ' ' && cell->text[1] == '\0';
}

static unsigned style_of(const struct canvas_cell *cell)
{
    return is_empty(cell) ? NO_STYLE : cell->style;
}

static bool shows_blank_alike(const struct attributes *a, const struct attributes *b)
{
    return a->background == b->background && !a->underline && !b->underline && !a->reverse && !b->reverse;
}

static void add_locale_character(struct text_buffer *out, uint32_t code_point)
{
    char bytes[64];
    mbstate_t state = {0};
    size_t size = wcrtomb(bytes, (wchar_t)code_point, &state);
    text_add_bytes(out, size == (size_t)-1 ? "?" : bytes, size == (size_t)-1 ? 1 : size);
}

/*
 * A character that the C library cannot place would shift the rest of the row; a mark without a character would stick to
 * the one before. Returns whether all terminals agree on how wide this is.
 */
static bool add_character(const struct painter *painter, const struct canvas_cell *cell, struct text_buffer *out)
{
    uint32_t first = 0, mark = 0;
    size_t length = text_decode(cell->text, &first);
    const char *marks = cell->text + length;
    int width = length > 0 ? wcwidth((wchar_t)first) : -1;
    if (width < 1) {
        text_add_bytes(out, "? ", cell->width == 2 ? 2 : 1);
        return true;
    }
    if (painter->language.utf8)
        text_add_bytes(out, cell->text, length);
    else
        add_locale_character(out, first);
    for (const char *at = marks; (length = text_decode(at, &mark)) > 0; at += length)
        if (painter->language.utf8 && wcwidth((wchar_t)mark) == 0)
            text_add_bytes(out, at, length);
    return *marks == '\0' && width == (int)cell->width && first < FIRST_DOUBTFUL;
}

static void add_byte(struct text_buffer *out, char byte)
{
    if (out->count + 1 >= out->capacity)
        array_reserve(out, out->count + 2);
    out->items[out->count++] = byte;
    out->items[out->count] = '\0';
}

static void add_number(struct text_buffer *out, int number)
{
    if (number >= 10)
        add_number(out, number / 10);
    add_byte(out, (char)('0' + number % 10));
}

void painter_place(struct painter *painter, int row, int column, struct text_buffer *out)
{
    if (painter->row == row && painter->column == column)
        return;
    if (painter->row == row && painter->goes_as_ansi) {
        text_add_bytes(out, "\033[", 2);
        add_number(out, column + 1);
        add_byte(out, 'G');
    } else if (painter->places_as_ansi) {
        text_add_bytes(out, "\033[", 2);
        add_number(out, row + 1);
        add_byte(out, ';');
        add_number(out, column + 1);
        add_byte(out, 'H');
    } else {
        painter_add_expanded(painter, out, painter->language.place, row, column);
    }
    painter->row = row;
    painter->column = column;
}

/* What a painter_blank shows of a look is its background. */
static bool is_worn(struct painter *painter, const struct canvas_cell *cell)
{
    unsigned style = style_of(cell);
    return style == painter->style || (cell->text[0] == ' ' && cell->text[1] == '\0' &&
                                       shows_blank_alike(&painter->look, &painter_look_of(painter, style)->attributes));
}

static void wear_style(struct painter *painter, const struct canvas_cell *cell, struct text_buffer *out)
{
    if (is_worn(painter, cell))
        return;
    unsigned style = style_of(cell);
    painter_change_look(painter, painter_look_of(painter, style), out);
    painter->style = style;
}

static void write_cell(struct painter *painter, const struct canvas_cell *cell, struct text_buffer *out)
{
    bool is_last = painter->column + (int)cell->width >= painter->columns;
    bool fits = painter->column + (int)cell->width <= painter->columns, agreed = true;
    if (is_last && painter->row + 1 == painter->rows && painter->language.wraps_at_once)
        return;
    wear_style(painter, cell, out);
    if (is_ascii(cell) || !fits)
        add_byte(out, fits ? cell->text[0] : ' ');
    else
        agreed = add_character(painter, cell, out);
    painter->column += (int)cell->width;
    if (is_last || !agreed)
        painter->row = painter->column = NOWHERE;
}

/* ---- rows ---- */

/* Over a few cells that would look the same, writing is shorter than moving. */
static bool can_write_up_to(struct painter *painter, const struct canvas_cell *cells, int row, int column)
{
    if (painter->row != row || painter->column > column || column - painter->column > SHORTEST_MOVE)
        return false;
    for (int at = painter->column; at < column; at++)
        if (!is_ascii(&cells[at]) || !is_worn(painter, &cells[at]))
            return false;
    return true;
}

static void go_to(struct painter *painter, const struct canvas_cell *cells, int row, int column, struct text_buffer *out)
{
    if (!can_write_up_to(painter, cells, row, column))
        painter_place(painter, row, column, out);
    while (painter->column < column)
        write_cell(painter, &cells[painter->column], out);
}

/* What erasing leaves behind when this cell's look is worn. */
static bool is_erasable(struct painter *painter, const struct canvas_cell *cell)
{
    if (cell->text[0] != ' ' || cell->text[1] != '\0')
        return false;
    const struct attributes *look = &painter_look_of(painter, style_of(cell))->attributes;
    return !look->underline && !look->reverse && (look->background == COLOUR_DEFAULT || painter->language.erases_coloured);
}

/* The first of the cells that are painter_blank alike up to the end, or their number where erasing them would not be shorter. */
static int find_erasure(struct painter *painter, const struct canvas_cell *cells, const struct canvas_cell *glass)
{
    int end = painter->columns, first = end, differing = 0;
    if (*painter->language.erase == '\0' || !is_erasable(painter, &cells[end - 1]))
        return end;
    while (first > 0 && painter_is_same(&cells[first - 1], &cells[end - 1]))
        first--;
    for (int column = first; column < end && differing < SHORTEST_ERASURE; column++)
        differing += !painter_is_same(&glass[column], &cells[end - 1]);
    return differing == SHORTEST_ERASURE ? first : end;
}

static int skip_same(const struct canvas_cell *cells, const struct canvas_cell *glass, int column, int end)
{
    while (column < end && painter_is_same(&cells[column], &glass[column]))
        column++;
    return column;
}

static void paint_row(struct painter *painter, const struct canvas_cell *cells, int row, struct text_buffer *out)
{
    struct canvas_cell *glass = painter->glass + (size_t)row * (size_t)painter->columns;
    if (memcmp(glass, cells, (size_t)painter->columns * sizeof *cells) == 0)
        return;
    int end = find_erasure(painter, cells, glass), column = 0;
    while ((column = skip_same(cells, glass, column, end)) < end) {
        int first = column;
        while (first > 0 && is_half(&cells[first]))
            first--;
        go_to(painter, cells, row, first, out);
        write_cell(painter, &cells[first], out);
        column = first + (cells[first].width == 2 ? 2 : 1);
    }
    if (end < painter->columns) {
        wear_style(painter, &cells[end], out);
        painter_place(painter, row, end, out);
        painter_add_capability(out, painter->language.erase);
    }
    memcpy(glass, cells, (size_t)painter->columns * sizeof *cells);
}

/* A glass that is cleared is blank; where that is not possible, no cell of it is like any that is to be there. */
static void begin_anew(struct painter *painter, int rows, int columns, struct text_buffer *out)
{
    size_t count = (size_t)rows * (size_t)columns;
    const char *clear = painter->language.clear;
    painter->glass = memory_resize(painter->glass, count + 1, sizeof *painter->glass);
    for (size_t i = 0; i < count; i++)
        painter->glass[i] = *clear ? painter_blank : (struct canvas_cell){.width = 1};
    text_add(out, painter->plain);
    painter_add_capability(out, clear);
    painter->look = painter_no_look.attributes;
    painter->style = NO_STYLE;
    painter->rows = rows;
    painter->columns = columns;
}

void painter_paint(struct painter *painter, const struct canvas *canvas, int rows, int columns, bool may_scroll, struct text_buffer *out)
{
    painter->all_rows = rows;
    rows = canvas_rows(canvas) < rows ? canvas_rows(canvas) : rows;
    columns = canvas_columns(canvas) < columns ? canvas_columns(canvas) : columns;
    painter->row = painter->column = NOWHERE; /* other programs and pictures may have moved it */
    if (painter->rows != rows || painter->columns != columns)
        begin_anew(painter, rows, columns, out);
    else if (may_scroll)
        painter_move_rows(painter, canvas, out);
    for (int row = 0; row < rows; row++)
        paint_row(painter, canvas_cell(canvas, row, 0), row, out);
    painter_keep_sums(painter);
    painter_become_plain(painter, out);
}
