/* Drawing Trend: chart, pane, and the table of the others. */
#include "trend.h"

#include "stutterscope/base/text.h"
#include "words.h"
#include <math.h>

enum {
    TITLE_LEAST = 12,
    TITLE_MOST = 26,
    SPARK_LEAST = 6,
    SPARK_MOST = 20,
    FIGURE_COLUMNS = 7,
    STEP_COLUMNS = 16,
    WORD_COLUMNS = 8
};

static bool is_listed(const struct trend_state *state, const struct trend_other *other)
{
    return !state->folds_others || other->found;
}

/* Columns of the table; 0: left out. */
struct others_columns {
    int title, tier, family, spark, before, after, step;
};

static int grant(int *room, int wanted)
{
    if (*room < wanted)
        return 0;
    *room -= wanted;
    return wanted;
}

static struct others_columns share(const struct trend_state *state, int room)
{
    struct others_columns columns = {0};
    int widest = TITLE_LEAST;

    for (size_t i = 0; i < state->others.count; i++) {
        int width = (int)text_width(state->others.items[i].title);

        widest = width > widest ? width : widest;
    }
    widest = widest > TITLE_MOST ? TITLE_MOST : widest;
    columns.title = grant(&room, TITLE_LEAST + 1);
    columns.step = grant(&room, STEP_COLUMNS);
    columns.after = grant(&room, FIGURE_COLUMNS);
    columns.before = grant(&room, FIGURE_COLUMNS);
    columns.spark = grant(&room, SPARK_LEAST + 2);
    columns.title += grant(&room, widest - TITLE_LEAST);
    if (state->scope != TREND_DEVICE) {
        columns.tier = grant(&room, WORD_COLUMNS);
        columns.family = grant(&room, WORD_COLUMNS);
    }
    for (int more = SPARK_MOST - SPARK_LEAST; columns.spark && more > 0; more--)
        if (grant(&room, 1))
            columns.spark++;
    return columns;
}

/* The last builds, two a column, on a scale of their own: where it rose, not how high it is. */
static void draw_spark(const struct trend_state *state, const struct trend_other *other,
                       struct canvas *canvas, int row, int column, int columns)
{
    size_t builds = state->builds.count, count = (size_t)columns * 2 < builds ? (size_t)columns * 2 : builds;
    double low = NAN, high = NAN, span;

    for (size_t i = builds - count; i < builds; i++) {
        low = isnan(low) || other->medians[i] < low ? other->medians[i] : low;
        high = isnan(high) || other->medians[i] > high ? other->medians[i] : high;
    }
    if (isnan(low))
        return;
    /* Small differences stay small: the scale spans at least a tenth. */
    span = high - low > low / 10 ? high - low : low / 10;
    chart_put_sparkline(canvas, row, column, ROLE_LANE_1, other->medians + builds - count, count, low,
                        low + span);
}

static void draw_step(const struct trend_state *state, const struct trend_other *other, struct canvas *canvas,
                      int row, int column)
{
    if (other->found)
        canvas_print(canvas, row, column, other->same ? ROLE_BAD : ROLE_WARNING, "%s %s",
                     word_short_build(state->session->model, other->first_bad).text,
                     trend_signed(other->after - other->before).text);
    else
        canvas_put(canvas, row, column, ROLE_MUTED, other->waits ? "…" : "none");
}

static void draw_other(const struct trend_state *state, const struct trend_other *other,
                       struct canvas *canvas, int row, int column, const struct others_columns *columns)
{
    canvas_put_field(canvas, row, column, columns->title - 1, ROLE_CHROME, ALIGN_LEFT, CUT_MIDDLE,
                     other->title);
    column += columns->title;
    canvas_put_field(canvas, row, column, columns->tier - 1, ROLE_CHROME, ALIGN_LEFT, CUT_END, other->tier);
    column += columns->tier;
    canvas_put_field(canvas, row, column, columns->family - 1, ROLE_CHROME, ALIGN_LEFT, CUT_END,
                     other->family ? other->family : "");
    column += columns->family;
    if (columns->spark)
        draw_spark(state, other, canvas, row, column, columns->spark - 2);
    column += columns->spark;
    canvas_put_field(canvas, row, column, columns->before, ROLE_CHROME, ALIGN_RIGHT, CUT_HIDE,
                     trend_number(other->before).text);
    column += columns->before;
    canvas_put_field(canvas, row, column, columns->after, ROLE_CHROME, ALIGN_RIGHT, CUT_HIDE,
                     trend_number(other->after).text);
    if (columns->step)
        draw_step(state, other, canvas, row, column + columns->after + 2);
}

static void draw_heads(const struct trend_state *state, struct canvas *canvas, int row, int column,
                       const struct others_columns *columns, size_t count)
{
    int left = columns->title + columns->tier + columns->family + columns->spark;
    struct line title = {0};

    line_add(&title, LINE_KEEP, ROLE_TITLE,
             state->scope == TREND_DEVICE ? "SAME DEVICE, OTHER SCENES" : "SAME SCENE, OTHER DEVICES");
    line_print(&title, 1, ROLE_MUTED, "  %zu%s", count, state->folds_others ? " with a step" : "");
    line_draw(canvas, row, column, left - 1, &title);
    line_clear(&title);
    column += left;
    canvas_put_field(canvas, row, column, columns->before, ROLE_HEAD, ALIGN_RIGHT, CUT_HIDE, "before");
    column += columns->before;
    canvas_put_field(canvas, row, column, columns->after, ROLE_HEAD, ALIGN_RIGHT, CUT_HIDE, "after");
    if (columns->step)
        canvas_put(canvas, row, column + columns->after + 2, ROLE_HEAD, "step");
}

static void draw_others(const struct trend_state *state, struct canvas *canvas, struct area area)
{
    struct others_columns columns = share(state, area.columns - 1);
    size_t count = 0;
    int row = area.row + 1;

    for (size_t i = 0; i < state->others.count; i++) {
        if (!is_listed(state, &state->others.items[i]))
            continue;
        if (row < area.row + area.rows)
            draw_other(state, &state->others.items[i], canvas, row++, area.column + 1, &columns);
        count++;
    }
    draw_heads(state, canvas, area.row, area.column + 1, &columns, count);
}

static void draw_nothing(const struct trend_state *state, struct canvas *canvas, struct area area)
{
    struct area inside = area_centre(area, area.rows - 2, area.columns - 4);

    canvas_put_wrapped(canvas, inside, ROLE_CHROME,
                       state->session->build
                           ? "No cell with frames was chosen: choose one on the Map (1) and come back with 4."
                           : "This store has no runs yet: stutterscope import FILE… brings some.");
}

void trend_draw(const void *user, struct canvas *canvas, struct area area)
{
    const struct trend_state *state = user;
    struct trend_layout layout;

    if (!state->history) {
        draw_nothing(state, canvas, area);
        return;
    }
    trend_lay_out(state, area, &layout);
    trend_draw_chart(state, canvas, &layout);
    trend_draw_side(state, canvas, &layout);
    if (layout.others.rows > 1)
        draw_others(state, canvas, layout.others);
}
