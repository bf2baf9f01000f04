/* Texts and lists move by rows: the terminal can do that by itself, which counts on a slow line. */
#include "painter_parts.h"

#include "stutterscope/base/memory.h"
#include <stdlib.h>

#define PIECE            16  /* cells of a row that are judged together */
#define FEWEST_DIFFERING 10  /* one cell of so many has to, before it is looked whether rows moved */
#define FEWEST_GAINED    8   /* pieces: for fewer, moving rows is no shorter than writing them */
#define MOST_MOVED       4   /* rows: a step, a turn of the wheel */

struct move {
    int first, last; /* rows of the glass that scroll */
    int by;          /* rows upwards; negative: downwards */
    int gain;        /* pieces of rows that need not be written */
};

/* Sums of the pieces of all rows, row by row: what is to be there and what is there. */
struct pieces {
    int rows, per_row;
    const uint32_t *wanted, *there;
    int *staying; /* pieces of each row that are right as they are */
};

/* Half of the cells, and of those what says most: two pieces with the same sum only make a move look better than it is. */
static uint32_t sum_of_cells(const struct canvas_cell *cells, int count)
{
    uint64_t sum = 0, text, rest;
    for (int i = 0; i < count; i += 2) {
        memcpy(&text, cells[i].text, sizeof text);
        rest = (uint64_t)cells[i].style << 32;
        sum = (sum ^ text ^ rest) * 0x9e3779b97f4a7c15u;
    }
    return (uint32_t)(sum >> 32);
}

static void sum_row(const struct canvas_cell *cells, int columns, uint32_t *sums)
{
    for (int first = 0; first < columns; first += PIECE)
        *sums++ = sum_of_cells(&cells[first], columns - first < PIECE ? columns - first : PIECE);
}

/* Pieces of a row that are right when that row of the glass is there. */
static int count_right(const struct pieces *pieces, int row, int glass_row)
{
    const uint32_t *wanted = pieces->wanted + (size_t)row * (size_t)pieces->per_row;
    const uint32_t *there = pieces->there + (size_t)glass_row * (size_t)pieces->per_row;
    int count = 0;
    for (int piece = 0; piece < pieces->per_row; piece++)
        count += wanted[piece] == there[piece];
    return count;
}

/* What was wanted last is there now, unless something else was painted since. */
static struct pieces sum_pieces(struct painter *painter, const struct canvas *canvas)
{
    struct pieces pieces = {.rows = painter->rows, .per_row = (painter->columns + PIECE - 1) / PIECE};
    size_t per_row = (size_t)pieces.per_row, count = (size_t)pieces.rows * per_row;
    painter->sums.wanted = memory_resize(painter->sums.wanted, count, sizeof *painter->sums.wanted);
    painter->sums.there = memory_resize(painter->sums.there, count, sizeof *painter->sums.there);
    for (int row = 0; row < pieces.rows; row++) {
        sum_row(canvas_cell(canvas, row, 0), painter->columns, painter->sums.wanted + (size_t)row * per_row);
        if (!painter->sums.known)
            sum_row(painter->glass + (size_t)row * (size_t)painter->columns, painter->columns, painter->sums.there + (size_t)row * per_row);
    }
    painter->sums.fresh = true;
    pieces.wanted = painter->sums.wanted;
    pieces.there = painter->sums.there;
    pieces.staying = memory_take((size_t)pieces.rows * sizeof *pieces.staying);
    for (int row = 0; row < pieces.rows; row++)
        pieces.staying[row] = count_right(&pieces, row, row);
    return pieces;
}

void painter_keep_sums(struct painter *painter)
{
    uint32_t *wanted = painter->sums.wanted;
    painter->sums.known = painter->sums.fresh;
    if (painter->sums.fresh) {
        painter->sums.wanted = painter->sums.there;
        painter->sums.there = wanted;
    }
    painter->sums.fresh = false;
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
        sum += count_right(pieces, row, row + by) - pieces->staying[row];
        if (sum > best.gain)
            best = (struct move){.first = by < 0 ? first + by : first, .last = by > 0 ? row + by : row, .by = by, .gain = sum};
    }
    for (int i = 0; best.gain > 0 && i < abs(by); i++)
        best.gain -= pieces->staying[by > 0 ? best.last - i : best.first + i];
    return best;
}

static struct move find_move(struct painter *painter, const struct canvas *canvas)
{
    struct move best = {.gain = 0};
    struct pieces pieces = sum_pieces(painter, canvas);
    for (int by = -MOST_MOVED; by <= MOST_MOVED; by++) {
        struct move move = by == 0 ? best : best_of(&pieces, by);
        if (move.gain > best.gain)
            best = move;
    }
    free(pieces.staying);
    return best;
}

/* Looking for what moved costs more than writing a few rows. */
static bool differs_much(const struct painter *painter, const struct canvas *canvas)
{
    int differing = 0;
    for (int row = 0; row < painter->rows; row++) {
        const struct canvas_cell *cells = canvas_cell(canvas, row, 0), *glass = painter->glass + (size_t)row * (size_t)painter->columns;
        for (int column = 0; column + PIECE <= painter->columns; column += PIECE)
            differing += !painter_is_same(&cells[column + PIECE / 2], &glass[column + PIECE / 2]);
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
        freed[i] = painter_blank;
}

static void scroll(struct painter *painter, const struct move *move, struct text_buffer *out)
{
    const struct painter_language *language = &painter->language;
    painter_become_plain(painter, out);
    painter_add_expanded(painter, out, language->region, move->first, move->last);
    painter->row = painter->column = NOWHERE; /* where a region leaves the cursor is not the same everywhere */
    painter_place(painter, move->by > 0 ? move->last : move->first, 0, out);
    for (int i = 0; i < abs(move->by); i++)
        painter_add_capability(out, move->by > 0 ? language->scroll_up : language->scroll_down);
    painter_add_expanded(painter, out, language->region, 0, painter->all_rows - 1);
    painter->row = painter->column = NOWHERE;
    move_glass(painter, move);
}

void painter_move_rows(struct painter *painter, const struct canvas *canvas, struct text_buffer *out)
{
    const struct painter_language *language = &painter->language;
    if (!*language->region || !*language->scroll_up || !*language->scroll_down || painter->rows <= 2 * MOST_MOVED ||
        !differs_much(painter, canvas))
        return;
    struct move move = find_move(painter, canvas);
    if (move.gain >= FEWEST_GAINED)
        scroll(painter, &move, out);
}
