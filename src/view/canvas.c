#include "stutterscope/view/canvas.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct canvas {
    int rows, columns;
    enum glyph_set glyphs;
    struct canvas_cell *cells;
    int cursor_row, cursor_column; /* -1: hidden */
};

static const struct canvas_cell blank = {.text = " ", .width = 1, .style = ROLE_CHROME};

struct canvas *canvas_create(int rows, int columns, enum glyph_set glyphs)
{
    struct canvas *canvas = memory_take_zeroed(1, sizeof *canvas);
    canvas->glyphs = glyphs;
    canvas_resize(canvas, rows, columns);
    return canvas;
}

void canvas_destroy(struct canvas *canvas)
{
    if (canvas == NULL)
        return;
    free(canvas->cells);
    free(canvas);
}

void canvas_resize(struct canvas *canvas, int rows, int columns)
{
    canvas->rows = rows > 1 ? rows : 1;
    canvas->columns = columns > 1 ? columns : 1;
    free(canvas->cells);
    canvas->cells = memory_take_zeroed((size_t)canvas->rows * (size_t)canvas->columns, sizeof *canvas->cells);
    canvas_clear(canvas);
}

void canvas_clear(struct canvas *canvas)
{
    size_t columns = (size_t)canvas->columns;
    for (size_t i = 0; i < columns; i++)
        canvas->cells[i] = blank;
    for (int row = 1; row < canvas->rows; row++)
        memcpy(&canvas->cells[(size_t)row * columns], canvas->cells, columns * sizeof *canvas->cells);
    canvas->cursor_row = canvas->cursor_column = -1;
}

void canvas_copy(struct canvas *canvas, const struct canvas *from)
{
    memcpy(canvas->cells, from->cells, (size_t)from->rows * (size_t)from->columns * sizeof *from->cells);
    canvas->cursor_row = from->cursor_row;
    canvas->cursor_column = from->cursor_column;
}

int canvas_rows(const struct canvas *canvas)
{
    return canvas->rows;
}

int canvas_columns(const struct canvas *canvas)
{
    return canvas->columns;
}

struct area canvas_area(const struct canvas *canvas)
{
    return (struct area){0, 0, canvas->rows, canvas->columns};
}

enum glyph_set canvas_glyphs(const struct canvas *canvas)
{
    return canvas->glyphs;
}

static struct canvas_cell *cell_at(const struct canvas *canvas, int row, int column)
{
    if (row < 0 || column < 0 || row >= canvas->rows || column >= canvas->columns)
        return NULL;
    return &canvas->cells[(size_t)row * (size_t)canvas->columns + (size_t)column];
}

const struct canvas_cell *canvas_cell(const struct canvas *canvas, int row, int column)
{
    return cell_at(canvas, row, column);
}

/* Half a wide character must not survive when its other half is drawn over. */
static void break_pair(struct canvas *canvas, int row, int column)
{
    struct canvas_cell *cell = cell_at(canvas, row, column);
    struct canvas_cell *other = NULL;
    if (cell->width == 2)
        other = cell_at(canvas, row, column + 1);
    else if (cell->width == 0)
        other = cell_at(canvas, row, column - 1);
    if (other == NULL)
        return;
    unsigned style = other->style;
    *other = blank;
    other->style = style;
}

/* text: a character in eight bytes, zeros behind it. */
static void set_cell(struct canvas *canvas, int row, int column, unsigned style, const char text[8], int width)
{
    struct canvas_cell *cell = cell_at(canvas, row, column);
    if (cell->width != 1)
        break_pair(canvas, row, column);
    if (width == 2)
        break_pair(canvas, row, column + 1);
    *cell = (struct canvas_cell){.width = (uint8_t)width, .style = style};
    memcpy(cell->text, text, 8);
    if (width == 2)
        *cell_at(canvas, row, column + 1) = (struct canvas_cell){.text = "", .width = 0, .style = style};
}

static void set_ascii(struct canvas *canvas, int row, int column, unsigned style, char character)
{
    struct canvas_cell *cell = cell_at(canvas, row, column);
    if (cell->width != 1)
        break_pair(canvas, row, column);
    *cell = (struct canvas_cell){.text = {character}, .width = 1, .style = style};
}

static void add_mark(struct canvas *canvas, int row, int column, const char *mark)
{
    struct canvas_cell *cell = cell_at(canvas, row, column);
    if (cell && cell->width == 0)
        cell = cell_at(canvas, row, column - 1);
    if (cell && strlen(cell->text) + strlen(mark) < sizeof cell->text)
        memcpy(cell->text + strlen(cell->text), mark, strlen(mark) + 1);
}

/* What a code point becomes on this canvas: its text and columns. Returns the columns, 0 for a combining
 * mark. */
static int print_character(const struct canvas *canvas, uint32_t code_point, char text[8])
{
    if (code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0))
        code_point = 0xfffd;
    memset(text, 0, 8);
    text_encode(glyph_stand_in(canvas->glyphs, code_point), text);
    return (int)text_character_width(code_point);
}

/* What would turn the direction of everything after it. Cleaned text has none; a store may come from anywhere. */
static bool turns_direction(uint32_t code_point)
{
    return (code_point >= 0x202a && code_point <= 0x202e) || (code_point >= 0x2066 && code_point <= 0x2069) || code_point == 0x200e ||
           code_point == 0x200f || code_point == 0x61c;
}

static bool is_plain(char character)
{
    return character >= 0x20 && character < 0x7f;
}

/* A run of plain characters (NULL: blanks), most of what is drawn: what lies in columns [left, right). Of the characters below nothing stays; at
 * the edges half of one could. */
static void put_plain(struct canvas *canvas, int row, int column, int left, int right, unsigned style, const char *text, int length)
{
    int first = column > left ? column : left, end = column + length < right ? column + length : right;
    if (row < 0 || row >= canvas->rows || first >= end)
        return;
    struct canvas_cell cell = {.width = 1, .style = style}, *cells = cell_at(canvas, row, first);
    if (cells[0].width == 0)
        break_pair(canvas, row, first);
    if (cells[end - 1 - first].width == 2)
        break_pair(canvas, row, end - 1);
    cell.text[0] = ' ';
    for (int i = 0; i < end - first; i++) {
        if (text)
            cell.text[0] = text[first - column + i];
        cells[i] = cell;
    }
}

/* Puts what lies in columns [left, right) of the row; returns all columns of the text. */
static int put_clipped(struct canvas *canvas, int row, int column, int left, int right, unsigned style,
                       const char *text)
{
    int at = column;
    uint32_t code_point = 0;
    while (*text) {
        char shown[8];
        int plain = 0;
        while (is_plain(text[plain]))
            plain++;
        if (plain > 0) {
            put_plain(canvas, row, at, left, right, style, text, plain);
            at += plain;
            text += plain;
            continue;
        }
        text += text_decode(text, &code_point);
        int width = print_character(canvas, code_point, shown);
        if (width == 0) {
            if (at > column && at - 1 >= left && at <= right && row >= 0 && row < canvas->rows &&
                canvas->glyphs != GLYPHS_ASCII && !turns_direction(code_point))
                add_mark(canvas, row, at - 1, shown);
            continue;
        }
        bool inside = row >= 0 && row < canvas->rows && at >= left && at + width <= right;
        if (inside && width == 2 && canvas->glyphs == GLYPHS_ASCII) {
            /* A question mark for each column, so that the layout stays what it was. */
            set_ascii(canvas, row, at, style, '?');
            set_ascii(canvas, row, at + 1, style, '?');
        } else if (inside) {
            set_cell(canvas, row, at, style, shown, width);
        } else if (row >= 0 && row < canvas->rows && width == 2) {
            /* The half inside is a blank rather than half a character. */
            if (at >= left && at < right)
                set_ascii(canvas, row, at, style, ' ');
            if (at + 1 >= left && at + 1 < right)
                set_ascii(canvas, row, at + 1, style, ' ');
        }
        at += width;
    }
    return at - column;
}

void canvas_put_character(struct canvas *canvas, int row, int column, unsigned style, uint32_t code_point)
{
    char shown[8];
    if (cell_at(canvas, row, column) && print_character(canvas, code_point, shown) == 1)
        set_cell(canvas, row, column, style, shown, 1);
}

int canvas_put(struct canvas *canvas, int row, int column, unsigned style, const char *text)
{
    return put_clipped(canvas, row, column, 0, canvas->columns, style, text);
}

int canvas_print(struct canvas *canvas, int row, int column, unsigned style, const char *format, ...)
{
    char short_text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(short_text, sizeof short_text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return 0;
    if ((size_t)length < sizeof short_text)
        return canvas_put(canvas, row, column, style, short_text);
    char *text = memory_take((size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    int used = canvas_put(canvas, row, column, style, text);
    free(text);
    return used;
}

static int indent_of(enum align align, int columns, int width)
{
    return align == ALIGN_LEFT ? 0 : align == ALIGN_RIGHT ? columns - width : (columns - width) / 2;
}

/* Most fields: plain characters that fit. false: others, nothing was done. */
static bool put_plain_field(struct canvas *canvas, int row, int column, int columns, unsigned style, enum align align, const char *text)
{
    int length = 0, left = column > 0 ? column : 0;
    int right = column + columns < canvas->columns ? column + columns : canvas->columns;
    while (length < columns && is_plain(text[length]))
        length++;
    if (text[length])
        return false;
    int first = column + indent_of(align, columns, length), end = first + length;
    put_plain(canvas, row, column, left, right, style, NULL, first - column);
    put_plain(canvas, row, first, left, right, style, text, length);
    put_plain(canvas, row, end, left, right, style, NULL, column + columns - end);
    return true;
}

void canvas_put_field(struct canvas *canvas, int row, int column, int columns, unsigned style,
                      enum align align, enum cut cut, const char *text)
{
    if (columns <= 0 || put_plain_field(canvas, row, column, columns, style, align, text))
        return;
    canvas_fill(canvas, (struct area){row, column, 1, columns}, style, " ");
    size_t fitting = 0;
    char *shorter = NULL;
    if (text[text_fit(text, (size_t)columns, &fitting)]) {
        if (cut == CUT_HIDE)
            return;
        const char *mark = glyphs_of(canvas->glyphs)->ellipsis;
        shorter = cut == CUT_MIDDLE ? text_cut_middle(text, (size_t)columns, mark)
                                    : text_cut_end(text, (size_t)columns, mark);
        text = shorter;
        fitting = text_width(text);
    }
    int width = (int)fitting;
    int indent = indent_of(align, columns, width);
    int left = column > 0 ? column : 0;
    int right = column + columns < canvas->columns ? column + columns : canvas->columns;
    put_clipped(canvas, row, column + indent, left, right, style, text);
    free(shorter);
}

/* Bytes of the next row of wrapped text; *ret_skip includes the blanks and the newline that end it. */
static size_t next_wrapped(const char *text, int columns, size_t *ret_skip)
{
    size_t fits = text_fit(text, (size_t)columns, NULL);
    const char *newline = memchr(text, '\n', fits);
    if (newline || !text[fits] || text[fits] == '\n') {
        size_t line = newline ? (size_t)(newline - text) : fits;
        *ret_skip = line + (text[line] == '\n');
        return line;
    }
    size_t end = fits;
    while (end > 0 && text[end] != ' ')
        end--;
    if (end == 0) {
        uint32_t code_point = 0;
        end =
            fits > 0 ? fits : text_decode(text, &code_point); /* a word wider than the area; always get on */
        *ret_skip = end;
        return end;
    }
    *ret_skip = end + strspn(text + end, " ");
    return end;
}

/* The last row that there is room for shows that more follows. */
static void put_last_row(struct canvas *canvas, struct area area, unsigned style, const char *text)
{
    char *rest = memory_copy_text(text);
    for (char *at = rest; (at = strchr(at, '\n')) != NULL;)
        *at = ' ';
    canvas_put_field(canvas, area.row + area.rows - 1, area.column, area.columns, style, ALIGN_LEFT, CUT_END, rest);
    free(rest);
}

int canvas_put_wrapped(struct canvas *canvas, struct area area, unsigned style, const char *text)
{
    if (area.columns <= 0)
        return 0;
    int row = 0;
    while (*text) {
        size_t skip = 0;
        size_t length = next_wrapped(text, area.columns, &skip);
        if (row == area.rows - 1 && text[skip]) {
            put_last_row(canvas, area, style, text);
        } else if (row < area.rows) {
            char *line = memory_copy_bytes(text, length);
            put_clipped(canvas, area.row + row, area.column, 0, canvas->columns, style, line);
            free(line);
        }
        row++;
        text += skip;
    }
    return row;
}

void canvas_place_cursor(struct canvas *canvas, int row, int column)
{
    bool inside = cell_at(canvas, row, column) != NULL;
    canvas->cursor_row = inside ? row : -1;
    canvas->cursor_column = inside ? column : -1;
}

bool canvas_cursor(const struct canvas *canvas, int *ret_row, int *ret_column)
{
    if (canvas->cursor_row < 0)
        return false;
    *ret_row = canvas->cursor_row;
    *ret_column = canvas->cursor_column;
    return true;
}

/* Where the area and the canvas overlap. */
static struct area clip(const struct canvas *canvas, struct area area)
{
    int top = area.row > 0 ? area.row : 0;
    int left = area.column > 0 ? area.column : 0;
    int bottom = area.row + area.rows < canvas->rows ? area.row + area.rows : canvas->rows;
    int right = area.column + area.columns < canvas->columns ? area.column + area.columns : canvas->columns;
    return (struct area){top, left, bottom > top ? bottom - top : 0, right > left ? right - left : 0};
}

void canvas_fill(struct canvas *canvas, struct area area, unsigned style, const char *character)
{
    area = clip(canvas, area);
    uint32_t code_point = 0;
    char shown[8];
    if (text_decode(character, &code_point) == 0 || print_character(canvas, code_point, shown) != 1 || area.columns <= 0)
        return;
    struct canvas_cell cell = {.width = 1, .style = style};
    memcpy(cell.text, shown, sizeof shown);
    for (int row = area.row; row < area.row + area.rows; row++) {
        struct canvas_cell *cells = cell_at(canvas, row, area.column);
        /* Of the characters inside nothing stays; at the edges half of one could. */
        if (cells[0].width == 0)
            break_pair(canvas, row, area.column);
        if (cells[area.columns - 1].width == 2)
            break_pair(canvas, row, area.column + area.columns - 1);
        if (row > area.row) {
            memcpy(cells, cell_at(canvas, area.row, area.column), (size_t)area.columns * sizeof *cells);
            continue;
        }
        for (int i = 0; i < area.columns; i++)
            cells[i] = cell;
    }
}

void canvas_add_flags(struct canvas *canvas, struct area area, unsigned flags)
{
    area = clip(canvas, area);
    for (int row = area.row; row < area.row + area.rows; row++)
        for (int column = area.column; column < area.column + area.columns; column++)
            cell_at(canvas, row, column)->style |= STYLE_FLAGS(flags);
}

void canvas_set_role(struct canvas *canvas, struct area area, enum role role)
{
    area = clip(canvas, area);
    for (int row = area.row; row < area.row + area.rows; row++) {
        for (int column = area.column; column < area.column + area.columns; column++) {
            struct canvas_cell *cell = cell_at(canvas, row, column);
            cell->style = STYLE_FLAGS(cell->style) | role;
        }
    }
}

void canvas_horizontal(struct canvas *canvas, int row, int column, int columns, unsigned style,
                       const char *character)
{
    canvas_fill(canvas, (struct area){row, column, 1, columns}, style, character);
}

void canvas_vertical(struct canvas *canvas, int row, int column, int rows, unsigned style,
                     const char *character)
{
    canvas_fill(canvas, (struct area){row, column, rows, 1}, style, character);
}

void canvas_box(struct canvas *canvas, struct area area, unsigned style, const char *title)
{
    if (area.rows < 2 || area.columns < 2)
        return;
    int bottom = area.row + area.rows - 1, right = area.column + area.columns - 1;
    canvas_horizontal(canvas, area.row, area.column + 1, area.columns - 2, style, "─");
    canvas_horizontal(canvas, bottom, area.column + 1, area.columns - 2, style, "─");
    canvas_vertical(canvas, area.row + 1, area.column, area.rows - 2, style, "│");
    canvas_vertical(canvas, area.row + 1, right, area.rows - 2, style, "│");
    canvas_put(canvas, area.row, area.column, style, "┌");
    canvas_put(canvas, area.row, right, style, "┐");
    canvas_put(canvas, bottom, area.column, style, "└");
    canvas_put(canvas, bottom, right, style, "┘");
    int room = area.columns - 6; /* corner, line, blank at both sides */
    if (title == NULL || *title == '\0' || room < 1)
        return;
    int width = (int)text_width(title);
    int shown = width < room ? width : room;
    canvas_put_field(canvas, area.row, area.column + 2, shown + 2, ROLE_TITLE, ALIGN_LEFT, CUT_END, " ");
    canvas_put_field(canvas, area.row, area.column + 3, shown, ROLE_TITLE, ALIGN_LEFT, CUT_END, title);
}

char *canvas_dump_text(const struct canvas *canvas)
{
    struct text_buffer out = {0};
    for (int row = 0; row < canvas->rows; row++) {
        size_t end = out.count;
        for (int column = 0; column < canvas->columns; column++) {
            const char *text = cell_at(canvas, row, column)->text;
            text_add(&out, text);
            if (strcmp(text, " ") != 0)
                end = out.count;
        }
        while (out.count > end)
            out.items[--out.count] = '\0';
        text_add(&out, "\n");
    }
    return text_take(&out);
}

char *canvas_dump_roles(const struct canvas *canvas)
{
    size_t size = (size_t)canvas->rows * ((size_t)canvas->columns + 1) + 1;
    char *out = memory_take(size), *at = out;
    for (int row = 0; row < canvas->rows; row++) {
        for (int column = 0; column < canvas->columns; column++) {
            unsigned style = cell_at(canvas, row, column)->style;
            *at++ = style & (STYLE_CURSOR | STYLE_REVERSE) ? '@' : role_letter(STYLE_ROLE(style));
        }
        *at++ = '\n';
    }
    *at = '\0';
    return out;
}
