#include "stutterscope/tui/painter.h"

#include "stutterscope/base/memory.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define KNOWN_LOOKS      256 /* 2^8: what is left of a product after 24 bits */
#define COLOUR_SIZE      32  /* bytes that ask for a colour */
#define SHORTEST_MOVE    5   /* cells: over fewer, writing them again is shorter than moving the cursor */
#define SHORTEST_ERASURE 4   /* cells: fewer are written as blanks */
#define FIRST_DOUBTFUL   0x1F000 /* pictures: terminals are not of one mind how wide they are */
#define NOWHERE          (-1)
#define NO_STYLE         (~0u) /* of what is as if nothing was ever written there */
#define PIECE            16  /* cells of a row that are judged together */
#define FEWEST_DIFFERING 10  /* one cell of so many has to, before it is looked whether rows moved */
#define FEWEST_GAINED    8   /* pieces: for fewer, moving rows is no shorter than writing them */
#define MOST_MOVED       4   /* rows: a step, a turn of the wheel */

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
};

static const struct canvas_cell blank = {.text = " ", .width = 1, .style = ROLE_CHROME};

/* Without padding: no terminal of today needs to be waited for. */
static void add_capability(struct text_buffer *out, const char *capability)
{
    for (const char *at = capability; *at;) {
        const char *padding = strstr(at, "$<");
        size_t length = padding ? (size_t)(padding - at) : strlen(at);
        text_add_bytes(out, at, length);
        at += length;
        at = *at ? at + strcspn(at, ">") : at;
        at += *at == '>';
    }
}

static void add_expanded(const struct painter *painter, struct text_buffer *out, const char *capability, int first, int second)
{
    const char *expanded = *capability ? painter->language.expand(capability, first, second) : NULL;
    if (expanded)
        add_capability(out, expanded);
}

/* Most terminals drop the colours together with the attributes; the others have to be told. */
static void know_plain(struct painter *painter)
{
    struct text_buffer out = {0};
    add_capability(&out, painter->language.plain);
    if (out.count == 0 || !strstr(out.items, "\033["))
        add_capability(&out, painter->language.plain_colours);
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
    free(painter->glass);
    free(painter);
}

void painter_forget(struct painter *painter)
{
    painter->rows = painter->columns = 0;
}

/* ---- looks ---- */

static int colour_value(const struct painter_language *language, int index)
{
    if (language->swaps_colours && index < 8)
        return (index & 2) | (index & 1) << 2 | (index & 4) >> 2;
    if (!language->direct || index < 8)
        return index;
    int rgb = (int)colour_rgb(index);
    return rgb < 8 ? 8 : rgb; /* 0 … 7 are the palette */
}

static void know_colour(const struct painter *painter, const char *capability, int16_t *colour, char bytes[COLOUR_SIZE])
{
    struct text_buffer out = {0};
    bytes[0] = '\0';
    if (*colour < painter->language.colours && *colour != COLOUR_DEFAULT)
        add_expanded(painter, &out, capability, colour_value(&painter->language, *colour), 0);
    if (out.count > 0 && out.count < COLOUR_SIZE)
        memcpy(bytes, out.items, out.count + 1);
    else
        *colour = COLOUR_DEFAULT;
    free(out.items);
}

/* What the terminal cannot show is not asked for, so that what is known of its state stays true. */
static struct attributes possible(const struct painter_language *language, struct attributes look)
{
    bool coloured = look.foreground != COLOUR_DEFAULT || look.background != COLOUR_DEFAULT;
    unsigned refused = coloured ? language->uncoloured : 0;
    if (look.italic && *language->italic == '\0') {
        look.italic = false;
        look.underline = true;
    }
    look.bold = look.bold && *language->bold && !(refused & STYLE_BOLD);
    look.underline = look.underline && *language->underline && !(refused & STYLE_UNDERLINE);
    look.italic = look.italic && !(refused & STYLE_ITALIC);
    look.reverse = look.reverse && *language->reverse;
    if (look.reverse && (refused & STYLE_REVERSE)) /* where the cursor is has to be seen */
        look.foreground = look.background = COLOUR_DEFAULT;
    return look;
}

static const struct known_look no_look = {.attributes = {.foreground = COLOUR_DEFAULT, .background = COLOUR_DEFAULT}};

static const struct known_look *look_of(struct painter *painter, unsigned style)
{
    struct known_look *known = &painter->looks[style * 2654435761u >> 24];
    if (style == NO_STYLE)
        return &no_look;
    if (known->known && known->style == style)
        return known;
    const struct painter_language *language = &painter->language;
    known->style = style;
    known->known = true;
    known->attributes = possible(language, theme_look(&language->theme, language->depth, style));
    know_colour(painter, language->foreground, &known->attributes.foreground, known->foreground);
    know_colour(painter, language->background, &known->attributes.background, known->background);
    return known;
}

static bool is_same_look(const struct attributes *a, const struct attributes *b)
{
    return a->foreground == b->foreground && a->background == b->background && a->bold == b->bold &&
           a->underline == b->underline && a->italic == b->italic && a->reverse == b->reverse;
}

static bool loses_attribute(const struct attributes *from, const struct attributes *to)
{
    return (from->bold && !to->bold) || (from->underline && !to->underline) || (from->italic && !to->italic) ||
           (from->reverse && !to->reverse);
}

static bool loses_colour(const struct attributes *from, const struct attributes *to)
{
    return (from->foreground != COLOUR_DEFAULT && to->foreground == COLOUR_DEFAULT) ||
           (from->background != COLOUR_DEFAULT && to->background == COLOUR_DEFAULT);
}

static void become_plain(struct painter *painter, struct text_buffer *out)
{
    if (!is_same_look(&painter->look, &no_look.attributes))
        text_add(out, painter->plain);
    painter->look = no_look.attributes;
    painter->style = NO_STYLE;
}

static void change_look(struct painter *painter, const struct known_look *known, struct text_buffer *out)
{
    const struct painter_language *language = &painter->language;
    struct attributes *now = &painter->look;
    const struct attributes *to = &known->attributes;
    bool loses = loses_colour(now, to);
    if (loses_attribute(now, to) || (loses && *language->plain_colours == '\0')) {
        become_plain(painter, out);
    } else if (loses) {
        add_capability(out, language->plain_colours);
        now->foreground = now->background = COLOUR_DEFAULT;
    }
    if (to->bold && !now->bold)
        add_capability(out, language->bold);
    if (to->underline && !now->underline)
        add_capability(out, language->underline);
    if (to->italic && !now->italic)
        add_capability(out, language->italic);
    if (to->reverse && !now->reverse)
        add_capability(out, language->reverse);
    if (to->foreground != now->foreground)
        text_add(out, known->foreground);
    if (to->background != now->background)
        text_add(out, known->background);
    *now = *to;
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

/* As words: this is asked for thousands of cells at every key. */
static bool is_same(const struct canvas_cell *a, const struct canvas_cell *b)
{
    uint64_t left[2], right[2];
    _Static_assert(sizeof left == sizeof *a, "a cell is two words");
    memcpy(left, a, sizeof left);
    memcpy(right, b, sizeof right);
    return left[0] == right[0] && left[1] == right[1];
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
        add_expanded(painter, out, painter->language.place, row, column);
    }
    painter->row = row;
    painter->column = column;
}

/* What a blank shows of a look is its background. */
static bool is_worn(struct painter *painter, const struct canvas_cell *cell)
{
    unsigned style = style_of(cell);
    return style == painter->style || (cell->text[0] == ' ' && cell->text[1] == '\0' &&
                                       shows_blank_alike(&painter->look, &look_of(painter, style)->attributes));
}

static void wear_style(struct painter *painter, const struct canvas_cell *cell, struct text_buffer *out)
{
    if (is_worn(painter, cell))
        return;
    unsigned style = style_of(cell);
    change_look(painter, look_of(painter, style), out);
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
    const struct attributes *look = &look_of(painter, style_of(cell))->attributes;
    return !look->underline && !look->reverse && (look->background == COLOUR_DEFAULT || painter->language.erases_coloured);
}

/* The first of the cells that are blank alike up to the end, or their number where erasing them would not be shorter. */
static int find_erasure(struct painter *painter, const struct canvas_cell *cells, const struct canvas_cell *glass)
{
    int end = painter->columns, first = end, differing = 0;
    if (*painter->language.erase == '\0' || !is_erasable(painter, &cells[end - 1]))
        return end;
    while (first > 0 && is_same(&cells[first - 1], &cells[end - 1]))
        first--;
    for (int column = first; column < end && differing < SHORTEST_ERASURE; column++)
        differing += !is_same(&glass[column], &cells[end - 1]);
    return differing == SHORTEST_ERASURE ? first : end;
}

static int skip_same(const struct canvas_cell *cells, const struct canvas_cell *glass, int column, int end)
{
    while (column < end && is_same(&cells[column], &glass[column]))
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
        add_capability(out, painter->language.erase);
    }
    memcpy(glass, cells, (size_t)painter->columns * sizeof *cells);
}

/* ---- rows that moved ---- */

struct move {
    int first, last; /* rows of the glass that scroll */
    int by;          /* rows upwards; negative: downwards */
    int gain;        /* pieces of rows that need not be written */
};

/* Sums of the pieces of all rows, row by row: what is to be there and what is there. */
struct pieces {
    int rows, per_row;
    uint64_t *wanted, *there;
};

/* Half of the cells, and of those what says most: two pieces with the same sum only make a move look better than it is. */
static uint64_t sum_of_cells(const struct canvas_cell *cells, int count)
{
    uint64_t sum = 0, text, rest;
    for (int i = 0; i < count; i += 2) {
        memcpy(&text, cells[i].text, sizeof text);
        rest = (uint64_t)cells[i].style << 32;
        sum = (sum ^ text ^ rest) * 0x9e3779b97f4a7c15u;
    }
    return sum ^ sum >> 32;
}

static void sum_row(const struct painter *painter, const struct canvas_cell *cells, int per_row, uint64_t *sums)
{
    for (int piece = 0; piece < per_row; piece++) {
        int first = piece * PIECE, left = painter->columns - first;
        sums[piece] = sum_of_cells(&cells[first], left < PIECE ? left : PIECE);
    }
}

static struct pieces sum_pieces(const struct painter *painter, const struct canvas *canvas)
{
    struct pieces pieces = {.rows = painter->rows, .per_row = (painter->columns + PIECE - 1) / PIECE};
    size_t count = (size_t)pieces.rows * (size_t)pieces.per_row;
    pieces.wanted = memory_take_zeroed(2 * count, sizeof *pieces.wanted);
    pieces.there = pieces.wanted + count;
    for (int row = 0; row < pieces.rows; row++) {
        size_t at = (size_t)row * (size_t)pieces.per_row;
        sum_row(painter, canvas_cell(canvas, row, 0), pieces.per_row, pieces.wanted + at);
        sum_row(painter, painter->glass + (size_t)row * (size_t)painter->columns, pieces.per_row, pieces.there + at);
    }
    return pieces;
}

/* Pieces of a row that are right when that row of the glass is there. */
static int count_right(const struct pieces *pieces, int row, int glass_row)
{
    const uint64_t *wanted = pieces->wanted + (size_t)row * (size_t)pieces->per_row;
    const uint64_t *there = pieces->there + (size_t)glass_row * (size_t)pieces->per_row;
    int count = 0;
    for (int piece = 0; piece < pieces->per_row; piece++)
        count += wanted[piece] == there[piece];
    return count;
}

/* The stretch of rows that gains most; the rows that are freed at its end are blank and lose what was right. */
static struct move best_of(const struct pieces *pieces, int by)
{
    struct move best = {.by = by};
    int begin = by < 0 ? -by : 0, end = by > 0 ? pieces->rows - by : pieces->rows;
    for (int row = begin, first = begin, sum = 0; row < end; row++) {
        if (sum <= 0) {
            first = row;
            sum = 0;
        }
        sum += count_right(pieces, row, row + by) - count_right(pieces, row, row);
        if (sum > best.gain)
            best = (struct move){.first = by < 0 ? first + by : first, .last = by > 0 ? row + by : row, .by = by, .gain = sum};
    }
    for (int i = 0; best.gain > 0 && i < abs(by); i++) {
        int freed = by > 0 ? best.last - i : best.first + i;
        best.gain -= count_right(pieces, freed, freed);
    }
    return best;
}

static struct move find_move(const struct painter *painter, const struct canvas *canvas)
{
    struct move best = {.gain = 0};
    struct pieces pieces = sum_pieces(painter, canvas);
    for (int by = -MOST_MOVED; by <= MOST_MOVED; by++) {
        struct move move = by == 0 ? best : best_of(&pieces, by);
        if (move.gain > best.gain)
            best = move;
    }
    free(pieces.wanted);
    return best;
}

/* Looking for what moved costs more than writing a few rows. */
static bool differs_much(const struct painter *painter, const struct canvas *canvas)
{
    int differing = 0;
    for (int row = 0; row < painter->rows; row++) {
        const struct canvas_cell *cells = canvas_cell(canvas, row, 0), *glass = painter->glass + (size_t)row * (size_t)painter->columns;
        for (int column = 0; column + PIECE <= painter->columns; column += PIECE)
            differing += !is_same(&cells[column + PIECE / 2], &glass[column + PIECE / 2]);
    }
    return differing * PIECE * FEWEST_DIFFERING > painter->rows * painter->columns;
}

static void move_glass(struct painter *painter, const struct move *move)
{
    size_t columns = (size_t)painter->columns, kept = (size_t)(move->last - move->first + 1 - abs(move->by));
    struct canvas_cell *first = painter->glass + (size_t)move->first * columns, *other = first + (size_t)abs(move->by) * columns;
    memmove(move->by > 0 ? first : other, move->by > 0 ? other : first, kept * columns * sizeof *first);
    struct canvas_cell *freed = move->by > 0 ? first + kept * columns : first;
    for (size_t i = 0; i < (size_t)abs(move->by) * columns; i++)
        freed[i] = blank;
}

static void scroll(struct painter *painter, const struct move *move, struct text_buffer *out)
{
    const struct painter_language *language = &painter->language;
    become_plain(painter, out);
    add_expanded(painter, out, language->region, move->first, move->last);
    painter->row = painter->column = NOWHERE; /* where a region leaves the cursor is not the same everywhere */
    painter_place(painter, move->by > 0 ? move->last : move->first, 0, out);
    for (int i = 0; i < abs(move->by); i++)
        add_capability(out, move->by > 0 ? language->scroll_up : language->scroll_down);
    add_expanded(painter, out, language->region, 0, painter->all_rows - 1);
    painter->row = painter->column = NOWHERE;
    move_glass(painter, move);
}

/* Texts and lists move by rows: the terminal can do that by itself, which counts on a slow line. */
static void scroll_what_moved(struct painter *painter, const struct canvas *canvas, struct text_buffer *out)
{
    const struct painter_language *language = &painter->language;
    if (!*language->region || !*language->scroll_up || !*language->scroll_down || painter->rows <= 2 * MOST_MOVED ||
        !differs_much(painter, canvas))
        return;
    struct move move = find_move(painter, canvas);
    if (move.gain >= FEWEST_GAINED)
        scroll(painter, &move, out);
}

/* A glass that is cleared is blank; where that is not possible, no cell of it is like any that is to be there. */
static void begin_anew(struct painter *painter, int rows, int columns, struct text_buffer *out)
{
    size_t count = (size_t)rows * (size_t)columns;
    const char *clear = painter->language.clear;
    painter->glass = memory_resize(painter->glass, count + 1, sizeof *painter->glass);
    for (size_t i = 0; i < count; i++)
        painter->glass[i] = *clear ? blank : (struct canvas_cell){.width = 1};
    text_add(out, painter->plain);
    add_capability(out, clear);
    painter->look = no_look.attributes;
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
        scroll_what_moved(painter, canvas, out);
    for (int row = 0; row < rows; row++)
        paint_row(painter, canvas_cell(canvas, row, 0), row, out);
    become_plain(painter, out);
}
