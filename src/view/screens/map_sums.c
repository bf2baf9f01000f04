/* What the rows and the columns of the Map come to: how many cells are hit, or the median of a figure. */
#include "map.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "words.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool counts_hits(const struct map_state *state)
{
    return metric_is_of_stutters(state->session->metric) && !state->session->shows_delta;
}

/* Heard of in this build, so that it can be counted. */
static bool has_data(const struct map_cell *cell)
{
    return cell->heat.state != STATE_NONE && cell->heat.state != STATE_MISSING;
}

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct values {
    double *items;
    size_t count, capacity;
};

static void add_cell(const struct map_state *state, const struct map_row *row, const struct map_cell *cell, struct map_sum *sum,
                     struct values *values)
{
    double value = map_value(state, row, cell);

    if (!has_data(cell) || row->sentence)
        return;
    sum->of++;
    sum->hit += cell->entry != SIZE_MAX || cell->drift != MAP_NO_DRIFT || cell->heat.state == STATE_SLOW;
    if (!counts_hits(state) && !isnan(value))
        array_push(values, value);
}

static double middle_of(struct values *values)
{
    size_t count = values->count, middle = count / 2;

    if (!count)
        return NAN;
    qsort(values->items, count, sizeof *values->items, compare_values);
    return count % 2 ? values->items[middle] : (values->items[middle - 1] + values->items[middle]) / 2;
}

static void finish_sum(struct map_sum *sum, struct values *values)
{
    sum->median = middle_of(values);
    values->count = 0;
}

void map_add_up(struct map_state *state)
{
    const struct map_rows *devices = map_devices(state);
    struct values values = {0};

    free(state->row_sums);
    free(state->column_sums);
    state->row_sums = memory_take_zeroed(state->rows.count + 1, sizeof *state->row_sums);
    state->column_sums = memory_take_zeroed(state->columns.count + 1, sizeof *state->column_sums);
    for (size_t r = 0; r < state->rows.count; r++) {
        for (size_t c = 0; c < state->columns.count; c++)
            add_cell(state, &state->rows.items[r], map_cell_at(state, (int)r, (int)c), &state->row_sums[r], &values);
        finish_sum(&state->row_sums[r], &values);
    }
    for (size_t c = 0; c < state->columns.count; c++) { /* over all devices, also where a row holds several */
        for (size_t d = 0; d < devices->count; d++)
            add_cell(state, &devices->items[d], map_device_cell(state, d, (int)c), &state->column_sums[c], &values);
        finish_sum(&state->column_sums[c], &values);
    }
    array_free(&values);
}

/* ---- drawing ---- */

const char *map_sum_title(const struct map_state *state)
{
    return counts_hits(state) ? "hit" : "median";
}

static void draw_sum(const struct map_state *state, struct canvas *canvas, int row, int column, int columns,
                     const struct map_sum *sum)
{
    double median = map_shown(state, sum->median);
    struct text_buffer text = {0};
    char *shown;

    if (counts_hits(state))
        text_add_print(&text, "%zu/%zu", sum->hit, sum->of);
    else if (!isnan(median))
        text_add(&text, state->session->shows_delta ? word_signed(median, fabs(median) < 9.95).text
                                                    : word_number(median, median < 99.95).text);
    shown = text_take(&text);
    if (counts_hits(state) && (int)strlen(shown) > columns)
        snprintf(shown, strlen(shown) + 1, "%zu", sum->hit); /* of how many gives way */
    if (sum->of)
        canvas_put_field(canvas, row, column, columns, counts_hits(state) && !sum->hit ? ROLE_MUTED : ROLE_CHROME, ALIGN_RIGHT, CUT_HIDE,
                         shown);
    free(shown);
}

void map_draw_row_sum(const struct map_state *state, struct canvas *canvas, const struct map_layout *layout,
                      int index, int row)
{
    draw_sum(state, canvas, row,
             layout->grid.column + layout->head_columns + layout->slot * layout->page_columns + layout->todo_columns,
             layout->sum_columns - 1, &state->row_sums[index]);
}

void map_draw_sums(const struct map_state *state, struct canvas *canvas, const struct map_layout *layout)
{
    int row = layout->summary.row, at = layout->grid.column + layout->head_columns;

    canvas_put_field(canvas, row, layout->grid.column + layout->tier_columns + 1, layout->name_columns, ROLE_HEAD,
                     ALIGN_LEFT, CUT_END,
                     !counts_hits(state) ? "median" : layout->name_columns < 11 ? "hit" : "devices hit");
    for (int c = layout->first_column; c < layout->first_column + layout->page_columns; c++)
        draw_sum(state, canvas, row, at + (c - layout->first_column) * layout->slot + 1, layout->digits + 2, &state->column_sums[c]);
}
