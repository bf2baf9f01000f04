/* The Map with one row for all devices of a tier, a system or a chip: each cell shows the device of the row that needs
 * somebody first, and everything that is said about the cell is said about that device. */
#include "map.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const rows_titles[MAP_ROWS_COUNT] = {
    [MAP_DEVICES] = "devices", [MAP_TIERS] = "tiers", [MAP_SYSTEMS] = "systems", [MAP_CHIPS] = "chips"};

const char *map_rows_title(enum map_rows_of rows_of)
{
    return rows_titles[rows_of];
}

/* ---- what is behind a row ---- */

const struct map_rows *map_devices(const struct map_state *state)
{
    return state->rows_of == MAP_DEVICES ? &state->rows : &state->members;
}

const struct map_cell *map_device_cell(const struct map_state *state, size_t device, int column)
{
    const struct map_cell *cells = state->rows_of == MAP_DEVICES ? state->cells : state->member_cells;

    return &cells[device * state->columns.count + (size_t)column];
}

bool map_row_holds(const struct map_state *state, const struct map_row *row, const struct map_row *device)
{
    return state->rows_of == MAP_DEVICES ? row->device == device->device : strcmp(row->group, device->group) == 0;
}

/* The one that somebody came for, else the one that the cell shows. */
size_t map_member_here(const struct map_state *state)
{
    const struct map_cell *cell = map_cell_at(state, state->row.selected, state->column.selected);

    if (state->came_for < state->members.count && cell &&
        map_row_holds(state, &state->rows.items[state->row.selected], &state->members.items[state->came_for]))
        return state->came_for;
    return cell ? cell->member : SIZE_MAX;
}

/* ---- making rows ---- */

/* Systems differ by name, not by version. */
static void name_groups(struct map_state *state)
{
    for (size_t i = 0; i < state->members.count; i++) {
        struct map_row *row = &state->members.items[i];
        const struct device_row *device = model_device(state->session->model, row->device);

        if (state->rows_of == MAP_SYSTEMS) {
            row->group = session_system_of(state->session, state->session->build, row->device);
            if (!row->group)
                row->group = session_system_of(state->session, row->last, row->device);
            if (!row->group)
                row->group = memory_copy_text("system unknown");
        } else if (state->rows_of == MAP_TIERS)
            row->group = memory_copy_text(*row->tier ? row->tier : "tier unknown");
        else
            row->group = memory_copy_text(device && device->chip && *device->chip ? device->chip : "chip unknown");
    }
}

static size_t find_row(struct map_state *state, const struct map_row *member)
{
    struct map_row row = {.fps_milli = member->fps_milli, .coverage = COVERAGE_MISSING};

    for (size_t r = 0; r < state->rows.count; r++)
        if (strcmp(state->rows.items[r].group, member->group) == 0)
            return r;
    row.group = memory_copy_text(member->group);
    row.title = memory_copy_text(member->group);
    row.tier = memory_copy_text("");
    array_push(&state->rows, row);
    return state->rows.count - 1;
}

static void add_member(struct map_row *row, const struct map_row *member)
{
    row->devices++;
    row->weight += member->weight;
    row->what_if += member->what_if;
    row->open += member->open;
    row->runs += member->runs;
    row->expected += member->expected;
    row->sampled |= member->sampled;
    row->missing += member->sentence != NULL;
    if (row->fps_milli != member->fps_milli)
        row->fps_milli = VALUE_UNKNOWN;
    if (member->coverage != COVERAGE_MISSING)
        row->coverage = member->coverage;
}

/* What to decide before what is known, more before less, what tells something before what does not. */
static int rank_of_state(enum cell_state state)
{
    static const enum cell_state order[] = {STATE_NONE, STATE_MISSING, STATE_CLEAN, STATE_SAMPLED, STATE_FEW, STATE_SLOW};

    for (int i = 0; i < (int)(sizeof order / sizeof *order); i++)
        if (order[i] == state)
            return i;
    return (int)(sizeof order / sizeof *order);
}

static bool needs_more(const struct map_state *state, const struct map_row *a, const struct map_cell *x,
                       const struct map_row *b, const struct map_cell *y)
{
    double mine = map_value(state, a, x), other = map_value(state, b, y);

    mine = isnan(mine) ? -INFINITY : mine;
    other = isnan(other) ? -INFINITY : other;
    if (x->heat.decide != y->heat.decide)
        return x->heat.decide;
    if (mine != other && (mine > 0 || other > 0))
        return mine > other;
    return rank_of_state(x->heat.state) > rank_of_state(y->heat.state);
}

static void fill_cells(struct map_state *state, const size_t *row_of)
{
    size_t columns = state->columns.count;

    state->cells = memory_take_zeroed(state->rows.count * columns + 1, sizeof *state->cells);
    for (size_t i = 0; i < state->rows.count * columns; i++)
        state->cells[i].member = SIZE_MAX;
    for (size_t m = 0; m < state->members.count; m++)
        for (size_t c = 0; c < columns; c++) {
            struct map_cell *cell = &state->cells[row_of[m] * columns + c];
            const struct map_cell *from = &state->member_cells[m * columns + c];

            if (cell->member == SIZE_MAX || needs_more(state, &state->members.items[m], from,
                                                       &state->members.items[cell->member], cell)) {
                *cell = *from;
                cell->member = m;
            }
        }
}

static void name_row(struct map_row *row)
{
    if (row->devices > 1) {
        free(row->title);
        row->title = memory_print("%s ×%zu", row->group, row->devices);
    }
    if (row->missing == row->devices)
        row->sentence = memory_print("no data from %s%zu device%s", row->devices > 1 ? "all " : "", row->devices,
                                     text_plural((int64_t)row->devices));
}

void map_collapse(struct map_state *state)
{
    size_t *row_of;

    if (state->rows_of == MAP_DEVICES)
        return;
    state->members = state->rows;
    state->member_cells = state->cells;
    state->rows = (struct map_rows){0};
    name_groups(state);
    row_of = memory_take_zeroed(state->members.count + 1, sizeof *row_of);
    for (size_t i = 0; i < state->members.count; i++) {
        row_of[i] = find_row(state, &state->members.items[i]);
        add_member(&state->rows.items[row_of[i]], &state->members.items[i]);
    }
    for (size_t r = 0; r < state->rows.count; r++)
        name_row(&state->rows.items[r]);
    fill_cells(state, row_of);
    free(row_of);
}
