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

void map_summary_begin(struct map_summary *summary)
{
    *summary = (struct map_summary){0};
}

void map_summary_add(struct map_summary *summary, const struct map_state *state, const struct map_row *row,
                     const struct map_cell *cell)
{
    double value = map_value(state, row, cell);

    if (!has_data(cell) || row->sentence)
        return;
    summary->of++;
    summary->hit += cell->entry != SIZE_MAX || cell->drift != MAP_NO_DRIFT || cell->heat.state == STATE_SLOW;
    if (!counts_hits(state) && !isnan(value))
        array_push(&summary->values, value);
}

double map_summary_median(struct map_summary *summary)
{
    size_t count = summary->values.count, middle = count / 2;

    if (!count)
        return NAN;
    qsort(summary->values.items, count, sizeof *summary->values.items, compare_values);
    return count % 2 ? summary->values.items[middle]
                     : (summary->values.items[middle - 1] + summary->values.items[middle]) / 2;
}

void map_summary_end(struct map_summary *summary)
{
    array_free(&summary->values);
}

/* ---- drawing ---- */

const char *map_sum_title(const struct map_state *state)
{
    return counts_hits(state) ? "hit" : "median";
}

static void draw_sum(const struct map_state *state, struct canvas *canvas, int row, int column, int columns,
                     struct map_summary *summary)
{
    double median = map_shown(state, map_summary_median(summary));
    struct text_buffer text = {0};
    char *shown;

    if (counts_hits(state))
        text_add_print(&text, "%zu/%zu", summary->hit, summary->of);
    else if (!isnan(median))
        text_add(&text, state->session->shows_delta ? word_signed(median, fabs(median) < 9.95).text
                                                    : word_number(median, median < 99.95).text);
    shown = text_take(&text);
    if (counts_hits(state) && (int)strlen(shown) > columns)
        snprintf(shown, strlen(shown) + 1, "%zu", summary->hit); /* of how many gives way */
    if (summary->of)
        canvas_put_field(canvas, row, column, columns,
                         counts_hits(state) && !summary->hit ? ROLE_MUTED : ROLE_CHROME, ALIGN_RIGHT, CUT_HIDE, shown);
    free(shown);
}

void map_draw_row_sum(const struct map_state *state, struct canvas *canvas, const struct map_layout *layout,
                      int index, int row)
{
    const struct map_row *device = &state->rows.items[index];
    struct map_summary summary;

    map_summary_begin(&summary);
    for (int c = 0; c < (int)state->columns.count; c++)
        map_summary_add(&summary, state, device, map_cell_at(state, index, c));
    draw_sum(state, canvas, row,
             layout->grid.column + layout->head_columns + layout->slot * layout->page_columns + layout->todo_columns,
             layout->sum_columns - 1, &summary);
    map_summary_end(&summary);
}

/* Over all devices, also where a row holds several. */
void map_draw_sums(const struct map_state *state, struct canvas *canvas, const struct map_layout *layout)
{
    const struct map_rows *devices = map_devices(state);
    int row = layout->summary.row, at = layout->grid.column + layout->head_columns;

    canvas_put_field(canvas, row, layout->grid.column + layout->tier_columns + 1, layout->name_columns, ROLE_HEAD,
                     ALIGN_LEFT, CUT_END,
                     !counts_hits(state) ? "median" : layout->name_columns < 11 ? "hit" : "devices hit");
    for (int c = layout->first_column; c < layout->first_column + layout->page_columns; c++) {
        struct map_summary summary;

        map_summary_begin(&summary);
        for (size_t d = 0; d < devices->count; d++)
            map_summary_add(&summary, state, &devices->items[d], map_device_cell(state, d, c));
        draw_sum(state, canvas, row, at + (c - layout->first_column) * layout->slot + 1, layout->digits + 2, &summary);
        map_summary_end(&summary);
    }
}
