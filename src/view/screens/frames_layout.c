/* How the parts of the screen share its rows: what is most needed first, then the chart takes the rest. */
#include "frames.h"

enum {
    SIDE_FROM = 76, /* columns from which the readout stands at the side */
    CHART_LEAST = 4,
    CHART_MORE = 4,
    CHART_ENOUGH = 11
};

static int side_columns(int columns)
{
    return columns < SIDE_FROM ? 0 : columns < 96 ? 23 : columns < 140 ? 30 : 40;
}

/* One part: how many rows it gets in this round, if there are that many. */
struct claim {
    struct area *area; /* rows are counted up here first */
    int rows;
};

static void grant(struct area *area, int rows, int *left)
{
    if (*left >= rows) {
        area->rows += rows;
        *left -= rows;
    }
}

/* In the order of need; a lane that was not recorded claims nothing. */
static void share_rows(const struct frames *frames, struct frames_layout *layout, int rows, bool stacked)
{
    struct area *lanes = layout->lanes;
    bool has[LANE_COUNT];
    for (int lane = 0; lane < LANE_COUNT; lane++)
        has[lane] = lane != LANE_FRAME && frames_has_lane(frames, (enum frames_lane)lane);
    const struct claim claims[] = {
        {&layout->chart, CHART_LEAST},
        {&layout->times, 1},
        {&layout->readout, stacked ? 1 : 0},
        {&layout->bracket, 1},
        {&layout->names, 1},
        {&layout->runs, frames->runs.count > 1 ? 1 : 0},
        {&layout->readout, stacked ? 2 : 0},
        {&lanes[LANE_CPU], has[LANE_CPU] ? 2 : 0},
        {&lanes[LANE_GPU], has[LANE_GPU] ? 2 : 0},
        {&layout->marks, 1},
        {&layout->readout, stacked ? 2 : 0},
        {&layout->chart, CHART_MORE},
        {&lanes[LANE_GC], has[LANE_GC] ? 1 : 0},
        {&lanes[LANE_DRAWS], has[LANE_DRAWS] ? 1 : 0},
        {&layout->seen, 1},
        {&layout->chart, 1},
        {&lanes[LANE_CPU], has[LANE_CPU] ? 1 : 0},
        {&layout->readout, stacked ? 3 : 0},
    };
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        grant(claims[i].area, claims[i].rows, &rows);
    while (rows > 0 && layout->chart.rows < CHART_ENOUGH)
        grant(&layout->chart, 1, &rows);
    while (rows > 0) {
        grant(&layout->chart, 2, &rows);
        grant(&layout->chart, rows == 1, &rows);
        for (int lane = LANE_CPU; lane <= LANE_GPU; lane++)
            grant(&lanes[lane], has[lane] && rows > 0, &rows);
    }
}

static void place(struct area *part, struct area *left)
{
    *part = area_take_top(left, part->rows);
}

void frames_lay(const struct frames *frames, struct area body, struct frames_layout *ret)
{
    *ret = (struct frames_layout){0};
    bool stacked = side_columns(body.columns) == 0;
    ret->label_columns = body.columns >= 60 ? 5 : 4;
    ret->strip = area_take_top(&body, 1);
    ret->side = area_take_right(&body, side_columns(body.columns));
    share_rows(frames, ret, body.rows, stacked);
    place(&ret->bracket, &body);
    place(&ret->chart, &body);
    place(&ret->marks, &body);
    place(&ret->names, &body);
    place(&ret->times, &body);
    for (int lane = LANE_CPU; lane < LANE_COUNT; lane++)
        place(&ret->lanes[lane], &body);
    place(&ret->runs, &body);
    place(&ret->seen, &body);
    place(&ret->readout, &body);
}

int frames_plot_columns(const struct frames *frames, struct area body)
{
    struct frames_layout layout;
    frames_lay(frames, body, &layout);
    return layout.chart.columns - layout.label_columns;
}
