/*
 * Where things of the Map go. Columns at the left are frozen and give way by priority; when even the
 * narrowest do not leave room for every scene, scenes scroll. What is left over goes to the pane, and at the
 * end to what is to decide.
 */
#include "map.h"

#include "stutterscope/base/text.h"
#include <string.h>

enum {
    LEAST_COLUMNS = 56, /* below: the list of what is to decide */
    LEAST_ROWS = 11,
    ROWS_FOR_COVERAGE = 25,
    ROWS_FOR_TWO_HEADS = 20,
    TIER_LEAST = 4,
    TIER_MOST = 6,
    NAME_LEAST = 10,
    NAME_USUAL = 13,
    FPS_COLUMNS = 4,
    WEIGHT_COLUMNS = 4,
    TODO_COLUMNS = 5,
    SUM_COLUMNS = 8,
    SLOT_MOST = 16,
    SIDE_LEAST = 56, /* columns of a pane beside the map */
    SIDE_MOST = 76,
    SIDE_ROWS = 20,
    PANE_BOX = 5, /* rows of the pane with its box */
    PANE_MOST = 7,
    OPEN_LEAST = 3
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Where some are marked as sampled, every name leaves a column for the mark. */
static int widest_title(const struct map_state *state)
{
    int widest = NAME_LEAST;
    bool sampled = false;

    for (size_t i = 0; i < state->rows.count; i++)
        sampled |= state->rows.items[i].sampled;
    for (size_t i = 0; i < state->rows.count; i++) {
        int width = (int)text_width(state->rows.items[i].title) + (state->rows.items[i].sampled ? 2 : sampled ? 1 : 0);

        widest = width > widest ? width : widest;
    }
    return widest;
}

/* As wide as its heading, "tier", unless there are none. */
static int widest_tier(const struct map_state *state)
{
    int widest = 0;

    for (size_t i = 0; i < state->rows.count; i++) {
        int width = (int)text_width(state->rows.items[i].tier);

        widest = width > widest ? width : widest;
    }
    return widest == 0 ? 0 : widest < TIER_LEAST ? TIER_LEAST : smaller(widest, TIER_MOST);
}

static int widest_scene(const struct map_state *state)
{
    int widest = 0;

    for (size_t i = 0; i < state->columns.count; i++) {
        int width = (int)text_width(state->columns.items[i].name);

        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Takes up to `wanted` columns from what is spare, or none when there is not enough for all of them. */
static int grant(int *spare, int wanted)
{
    if (wanted <= 0 || *spare < wanted)
        return 0;
    *spare -= wanted;
    return wanted;
}

static void lay_out_columns(const struct map_state *state, struct area area, struct map_layout *layout)
{
    int count = (int)state->columns.count, titles = widest_title(state), tiers = widest_tier(state), spare, names, pane;

    double greatest = map_shown(state, state->greatest);

    layout->digits = greatest >= 9999.5                                 ? 5
                     : greatest >= 999.5 || state->session->shows_delta ? 4
                                                                        : 3;
    layout->slot = layout->digits + 4;
    layout->tier_columns = tiers > 0;
    layout->name_columns = smaller(titles, NAME_USUAL);
    spare = area.columns - layout->tier_columns - 1 - layout->name_columns - layout->slot * count;
    if (spare < 0 && spare + layout->name_columns >= NAME_LEAST) {
        layout->name_columns += spare;
        spare = 0;
    }
    layout->page_columns = count;
    if (spare < 0) { /* scenes scroll */
        layout->page_columns =
            (area.columns - layout->tier_columns - 1 - layout->name_columns) / layout->slot;
        spare = area.columns - layout->tier_columns - 1 - layout->name_columns -
                layout->slot * layout->page_columns;
    }
    layout->name_columns += smaller(spare, titles - layout->name_columns);
    spare =
        area.columns - layout->tier_columns - 1 - layout->name_columns - layout->slot * layout->page_columns;
    layout->fps_columns = grant(&spare, FPS_COLUMNS);
    layout->weight_columns = grant(&spare, WEIGHT_COLUMNS);
    layout->todo_columns = grant(&spare, TODO_COLUMNS);
    layout->tier_columns += grant(&spare, tiers ? tiers : 0);
    /* Names of scenes come first, and so does the pane. */
    names = layout->page_columns * (smaller(widest_scene(state) + 3, SLOT_MOST) - layout->slot);
    pane = spare >= SIDE_LEAST && area.rows >= SIDE_ROWS ? SIDE_LEAST : 0;
    if (layout->todo_columns && spare - (pane ? pane : names > 0 ? names : 0) >= SUM_COLUMNS)
        layout->sum_columns = grant(&spare, SUM_COLUMNS);
    layout->side = spare >= SIDE_LEAST && area.rows >= SIDE_ROWS;
    if (layout->side)
        spare -= smaller(spare, SIDE_MOST);
    if (layout->page_columns > 0) {
        int wider =
            smaller(spare / layout->page_columns, smaller(widest_scene(state) + 3, SLOT_MOST) - layout->slot);

        layout->slot += wider > 0 ? wider : 0;
    }
    layout->head_columns =
        layout->tier_columns + 1 + layout->name_columns + layout->fps_columns + layout->weight_columns;
    layout->first_column = scroll_top(&state->column, layout->page_columns);
}

bool map_starts_tier(const struct map_state *state, int row)
{
    return row == 0 || strcmp(state->rows.items[row].tier, state->rows.items[row - 1].tier) != 0;
}

static int count_separators(const struct map_state *state)
{
    int count = 0;

    for (size_t i = 1; i < state->rows.count && state->sort == MAP_BY_TIER; i++)
        count += map_starts_tier(state, (int)i);
    return count;
}

/* Rows of the pane below the map: boxed, a rule and two lines, or one line. */
static int pane_rows(const struct map_layout *layout, int rows)
{
    if (layout->side)
        return 0;
    return layout->boxed ? PANE_BOX : rows >= 17 ? 3 : rows >= 13 ? 2 : 1;
}

static void lay_out_rows(const struct map_state *state, struct area area, struct map_layout *layout)
{
    int rows = (int)state->rows.count, separators = count_separators(state), spare;
    struct area left = area;

    layout->boxed = area.rows >= ROWS_FOR_COVERAGE || layout->side;
    layout->two_heads = area.rows >= ROWS_FOR_TWO_HEADS && widest_scene(state) > layout->slot - 2;
    if (area.rows >= ROWS_FOR_COVERAGE)
        layout->coverage = area_take_top(&left, 1);
    if (layout->side) {
        int map = layout->head_columns + layout->slot * layout->page_columns + layout->todo_columns +
                  layout->sum_columns;

        layout->pane = area_take_right(&left, smaller(left.columns - map - 1, SIDE_MOST));
    }
    layout->heads = area_take_top(&left, layout->two_heads ? 2 : 1);

    int pane = pane_rows(layout, area.rows);

    spare = left.rows - 1 - pane - rows;
    layout->separators = separators > 0 && spare >= separators;
    spare -= layout->separators ? separators : 0;
    if (!layout->side && layout->boxed && spare > 0) {
        int more = smaller(spare, PANE_MOST - PANE_BOX);

        pane += more;
        spare -= more;
    }
    if (!layout->side)
        layout->pane = area_take_bottom(&left, pane);
    layout->grid = area_take_top(&left, smaller(left.rows - 1, rows + (layout->separators ? separators : 0)));
    /* Only what neither the legend nor what is to decide needs. */
    if (left.rows - 1 > (state->open.count ? (int)state->open.count + 1 : 0))
        layout->summary = area_take_top(&left, 1);
    layout->legend = area_take_top(&left, 1);
    if (left.rows >= OPEN_LEAST && state->open.count)
        layout->open = left;
    layout->page_rows = layout->separators ? rows : layout->grid.rows;
    layout->first_row = scroll_top(&state->row, layout->page_rows);
}

void map_lay_out(const struct map_state *state, struct area area, struct map_layout *ret)
{
    memset(ret, 0, sizeof *ret);
    ret->list = state->session->is_linear || area.columns < LEAST_COLUMNS || area.rows < LEAST_ROWS;
    if (ret->list) {
        ret->open = area;
        ret->page_rows = area.rows;
        return;
    }
    lay_out_columns(state, area, ret);
    lay_out_rows(state, area, ret);
}

int map_canvas_row(const struct map_state *state, const struct map_layout *layout, int row)
{
    int at = layout->grid.row + row - layout->first_row;

    if (row < layout->first_row)
        return -1;
    for (int i = 1; i <= row && layout->separators; i++)
        at += map_starts_tier(state, i);
    return at < layout->grid.row + layout->grid.rows ? at : -1;
}
