/* Who gets which rows and columns: the chart with its axis and lanes, the answer beside or below it, the
 * others. */
#include "trend.h"

#include "stutterscope/base/text.h"
#include <string.h>

enum {
    SIDE_FROM = 76, /* columns from which the pane stands beside the chart */
    CHART_LEAST = 3,
    CHART_ENOUGH = 18,
    SLOT_USUAL = 4, /* as many builds as fit with so many columns each, unless somebody zooms */
    SLOT_MOST = 14,
    LANES_ALL_FROM = 26, /* rows from which lanes that say nothing are shown, too */
    DATES_FROM = 20
};

static int side_columns(int columns)
{
    return columns < SIDE_FROM ? 0 : columns < 96 ? 26 : columns < 140 ? 38 : 56;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void share_columns(const struct trend_state *state, struct trend_layout *layout)
{
    int room = layout->chart.columns - layout->tick_columns - 1, builds = (int)state->builds.count, wanted;

    room = larger(room, 1);
    wanted = state->nights ? state->nights : larger(1, room / SLOT_USUAL);
    layout->shown = larger(1, smaller(smaller(wanted, room), builds));
    layout->slot = larger(1, smaller(room / layout->shown, SLOT_MOST));
    layout->first = scroll_top(&state->cursor, layout->shown);
    if (!state->nights && layout->shown < builds && state->cursor.selected + layout->shown / 2 >= builds)
        layout->first = builds - layout->shown; /* near its end the series is seen to its end */
}

/* Lanes with something to tell; all of them where there is room. */
static int choose_lanes(const struct trend_state *state, struct trend_layout *layout, int rows)
{
    int count = 0;

    for (int lane = 0; lane < TREND_LANES; lane++) {
        layout->shows[lane] =
            rows >= LANES_ALL_FROM || trend_lane_change(state, (enum trend_lane)lane) != SIZE_MAX;
        count += layout->shows[lane];
    }
    return count;
}

static int others_rows(const struct trend_state *state, int rows)
{
    int count = (int)state->others.count, most = rows >= 40   ? 16
                                                 : rows >= 26 ? 9
                                                 : rows >= 22 ? 5
                                                 : rows >= 15 ? 3
                                                              : 0;

    return count ? smaller(count + 1, most) : 0;
}

void trend_lay_out(const struct trend_state *state, struct area area, struct trend_layout *ret)
{
    struct area left = area;
    int lanes, side = side_columns(area.columns), stacked;

    memset(ret, 0, sizeof *ret);
    ret->separate = side > 0;
    ret->tick_columns = area.columns >= 96 ? 8 : 5;
    ret->others = area_take_bottom(&left, others_rows(state, area.rows));
    if (ret->separate) {
        ret->side = area_take_right(&left, side);
        lanes = 1 + choose_lanes(state, ret, area.rows);
    } else {
        lanes = 1 + (area.rows >= 12 ? choose_lanes(state, ret, area.rows) : 0);
        stacked = larger(1, (left.rows - CHART_LEAST - lanes - 2) / 2);
        ret->side = area_take_bottom(&left, stacked);
    }
    ret->marks = area_take_bottom(&left, 1);
    ret->lanes = area_take_bottom(&left, smaller(lanes, larger(1, left.rows - CHART_LEAST - 1)));
    if (area.rows >= DATES_FROM)
        ret->dates = area_take_bottom(&left, 1);
    ret->labels = area_take_bottom(&left, 1);
    ret->chart = left;
    if (ret->chart.rows > CHART_ENOUGH && !ret->separate)
        ret->chart.rows = left.rows;
    share_columns(state, ret);
}

int trend_slot_column(const struct trend_layout *layout, size_t build)
{
    int index = (int)build - layout->first;

    if (index < 0 || index >= layout->shown)
        return -1;
    return layout->chart.column + layout->tick_columns + 1 + index * layout->slot;
}
