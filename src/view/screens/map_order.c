/* Which rows and columns of the Map are shown, in which order, and where the cursor is. */
#include "map.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- order ---- */

struct ranked_row {
    struct map_row row;
    size_t index;
    double worst;
};

static double worst_of_row(const struct map_state *state, size_t row)
{
    double worst = -1;

    for (size_t c = 0; c < state->columns.count; c++) {
        double value = map_value(state, &state->rows.items[row], map_cell_at(state, (int)row, (int)c));

        if (value > worst)
            worst = value;
    }
    return worst;
}

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked_row *x = a, *y = b;

    if (x->worst != y->worst)
        return x->worst < y->worst ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

static void sort_rows(struct map_state *state)
{
    size_t rows = state->rows.count, columns = state->columns.count;
    struct ranked_row *ranked = memory_take((rows + 1) * sizeof *ranked);
    struct map_cell *cells = memory_take((rows * columns + 1) * sizeof *cells);

    for (size_t r = 0; r < rows; r++)
        ranked[r] = (struct ranked_row){state->rows.items[r], r,
                                        state->sort == MAP_WORST_FIRST ? worst_of_row(state, r) : 0};
    if (rows)
        qsort(ranked, rows, sizeof *ranked, compare_ranked);
    for (size_t r = 0; r < rows; r++) {
        const struct ranked_row *from = &ranked[state->descending ? rows - 1 - r : r];

        state->rows.items[r] = from->row;
        memcpy(cells + r * columns, state->cells + from->index * columns, columns * sizeof *cells);
    }
    free(state->cells);
    state->cells = cells;
    free(ranked);
}

static int mark_rank(char mark)
{
    static const char order[] = "*!^";
    const char *at = mark ? strchr(order, mark) : NULL;

    return at ? (int)(at - order) : 9;
}

static void count_open(struct map_state *state)
{
    for (size_t r = 0; r < state->rows.count; r++) {
        /* A device that is silent or partial counts while somebody has to decide on that. */
        state->rows.items[r].open = 0;
        for (size_t i = 0; i < state->open.count; i++)
            state->rows.items[r].open +=
                (state->open.items[i].item.kind == OPEN_SILENT || state->open.items[i].item.kind == OPEN_PARTIAL) &&
                state->open.items[i].item.device == state->rows.items[r].device;
        for (size_t c = 0; c < state->columns.count; c++) {
            const struct map_cell *cell = map_cell_at(state, (int)r, (int)c);
            struct map_column *column = &state->columns.items[c];

            if (!cell->heat.decide)
                continue;
            state->rows.items[r].open++;
            if (mark_rank(cell->heat.mark) < mark_rank(column->mark))
                column->mark = cell->heat.mark;
        }
    }
}

void map_arrange(struct map_state *state)
{
    state->hidden = false;
    map_note_places(state);
    if (state->session->filter)
        map_filter(state);
    count_open(state);
    map_collapse(state);
    sort_rows(state);
    map_add_up(state);
    scroll_set_count(&state->row, (int)state->rows.count);
    scroll_set_count(&state->column, (int)state->columns.count);
    scroll_set_count(&state->list, (int)state->open.count);
}

/* ---- cursor ---- */

bool map_go_to(struct map_state *state, int64_t device, int64_t scene)
{
    const struct map_rows *devices = map_devices(state);
    size_t found = SIZE_MAX;
    int row = -1, column = scene ? -1 : state->column.selected;

    for (size_t d = 0; d < devices->count; d++)
        if (devices->items[d].device == device)
            found = d;
    for (size_t r = 0; found != SIZE_MAX && r < state->rows.count; r++)
        if (map_row_holds(state, &state->rows.items[r], &devices->items[found]))
            row = (int)r;
    for (size_t c = 0; c < state->columns.count; c++)
        if (state->columns.items[c].scene == scene)
            column = (int)c;
    if (row < 0 || column < 0)
        return false;
    state->row.selected = row;
    state->column.selected = column;
    state->came_for = found;
    return true;
}

static bool go_to_greatest(struct map_state *state)
{
    double greatest = 0;
    int at = -1, cells = (int)(state->rows.count * state->columns.count);

    for (int i = 0; i < cells; i++)
        if (state->cells[i].heat.value > greatest) {
            greatest = state->cells[i].heat.value;
            at = i;
        }
    if (at < 0)
        return false;
    state->row.selected = at / (int)state->columns.count;
    state->column.selected = at % (int)state->columns.count;
    return true;
}

void map_place(struct map_state *state)
{
    const struct session *session = state->session;

    if (session->device && map_go_to(state, session->device, session->scene)) {
        state->placed = true;
        return;
    }
    if (state->placed) /* what was chosen is hidden: stay near */
        return;
    for (size_t i = 0; i < state->open.count && !state->placed; i++)
        state->placed = map_go_to(state, state->open.items[i].item.device, state->open.items[i].item.scene);
    if (!state->placed)
        state->placed = go_to_greatest(state);
}

int map_open_here(const struct map_state *state)
{
    const struct map_row *row = map_row_here(state);
    const struct map_column *column = map_column_here(state);
    const struct map_cell *cell = map_cell_here(state);
    const struct stutter_entry *entry = map_entry_of(state, cell);

    for (size_t i = 0; row && column && i < state->open.count; i++) {
        const struct open_item *item = &state->open.items[i].item;
        bool here = item->device == row->device;

        if (item->kind == OPEN_STUTTER)
            here = item->scene == column->scene && entry && map_is_open(entry) &&
                   entry->stutter.event == item->event;
        else if (item->kind == OPEN_DRIFT)
            here = item->scene == column->scene && cell->drift != MAP_NO_DRIFT;
        else if (item->kind == OPEN_SLOW)
            here = item->scene == column->scene && here;
        if (here)
            return (int)i;
    }
    return -1;
}

void map_choose(struct map_state *state)
{
    const struct map_row *row = map_row_here(state);
    const struct map_column *column = map_column_here(state);
    const struct stutter_entry *entry = map_entry_of(state, map_cell_here(state));
    int open = map_open_here(state);

    state->verify_at = -1;
    if (row && column) {
        state->session->device = row->device;
        state->session->scene = column->scene;
        if (entry)
            session_choose_stutter(state->session, entry);
        else if (state->session->stutter[0]) {
            state->session->stutter[0] = '\0';
            state->session->run = state->session->window = 0;
        }
    }
    if (open >= 0)
        state->list.selected = open;
    map_find_detail(state);
}
