/* Drawing distributions: rare frames are what matters, so both axes of the histogram and the percentiles are
 * spread. */
#include "distribution.h"

#include "figure_text.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/chart.h"
#include "words.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_ROWS = 6, CHARTS_FROM = 6, CHART_GAP = 2, TICK_COLUMNS = 6, MOST_TICKS = 12 };

/* ---- histogram: frame times by powers, shares by powers ---- */

#define LEAST_SHARE 1e-5

struct histogram {
    double low, high; /* log10 of ms */
    size_t bins;
    double *x, *x_end, *y, *y_other;
};

static double log_ms(int64_t ns)
{
    return log10((double)ns / NS_PER_MS);
}

static void widen(const struct distribution_detail *detail, double *low, double *high)
{
    if (!detail)
        return;
    *low = fmin(*low, log_ms(detail->frame_ns[0]));
    *high = fmax(*high, log_ms(detail->frame_ns[detail->count - 1]));
}

static double height(const struct distribution_detail *detail, double from, double to)
{
    double share = detail ? distribution_detail_share(detail, llround(pow(10, from) * NS_PER_MS),
                                                      llround(pow(10, to) * NS_PER_MS))
                          : 0;

    return share > 0 ? log10(fmax(share, LEAST_SHARE)) : NAN;
}

static struct histogram make_histogram(const struct distribution_state *state, int columns)
{
    struct histogram histogram = {.low = INFINITY, .high = -INFINITY, .bins = (size_t)columns};

    widen(state->detail, &histogram.low, &histogram.high);
    widen(state->other, &histogram.low, &histogram.high);
    histogram.low = floor(histogram.low * 10) / 10 - 0.02;
    histogram.high += 0.03;
    if (histogram.high - histogram.low < 0.5)
        histogram.high = histogram.low + 0.5;
    histogram.x = memory_take(histogram.bins * sizeof *histogram.x);
    histogram.x_end = memory_take(histogram.bins * sizeof *histogram.x_end);
    histogram.y = memory_take(histogram.bins * sizeof *histogram.y);
    histogram.y_other = memory_take(histogram.bins * sizeof *histogram.y_other);
    for (size_t i = 0; i < histogram.bins; i++) {
        double width = (histogram.high - histogram.low) / (double)histogram.bins;

        histogram.x[i] = histogram.low + width * (double)i;
        histogram.x_end[i] = histogram.x[i] + width;
        histogram.y[i] = height(state->detail, histogram.x[i], histogram.x_end[i]);
        histogram.y_other[i] = height(state->other, histogram.x[i], histogram.x_end[i]);
    }
    return histogram;
}

static void free_histogram(struct histogram *histogram)
{
    free(histogram->x);
    free(histogram->x_end);
    free(histogram->y);
    free(histogram->y_other);
}

/* Round frame times below the axis, and where the budget and the alert threshold lie. */
static void draw_ms_axis(const struct distribution_state *state, struct canvas *canvas, int row,
                         struct area area, const struct chart *chart)
{
    static const int64_t round_ms[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
    int end = -1, budget = chart_column_of(area, chart, log_ms(state->detail->budget_ns)),
        alert = chart_column_of(area, chart, log_ms(state->detail->alert_ns));

    if (budget >= 0)
        canvas_vertical(canvas, area.row, budget, area.rows, ROLE_BORDER, "╎");
    if (alert >= 0)
        canvas_vertical(canvas, area.row, alert, area.rows, ROLE_THRESHOLD, "╎");
    for (size_t i = 0; i < sizeof round_ms / sizeof *round_ms; i++) {
        int column = chart_column_of(area, chart, log10((double)round_ms[i]));

        if (column <= end || column < 0)
            continue;
        end = column + canvas_print(canvas, row, column, ROLE_CHROME, "%lld", (long long)round_ms[i]);
    }
    if (end + 3 < area.column + area.columns)
        canvas_put(canvas, row, area.column + area.columns - 2, ROLE_MUTED, "ms");
}

static void draw_histogram(const struct distribution_state *state, struct canvas *canvas, struct area area)
{
    static const struct chart_tick ticks[] = {
        {0, "100 %"}, {-1, "10 %"}, {-2, "1 %"}, {-3, ".1 %"}, {-4, ".01 %"}};
    struct area axis = area_take_bottom(&area, 1), heading = area_take_top(&area, 1);
    struct chart chart = {.y_low = -5,
                          .y_high = 0.05,
                          .ticks = ticks,
                          .tick_count = sizeof ticks / sizeof *ticks,
                          .label_columns = TICK_COLUMNS,
                          .axis = true};
    int columns = area.columns - TICK_COLUMNS - 1;

    if (columns < 8 || area.rows < 2)
        return;

    struct histogram histogram = make_histogram(state, columns);
    struct chart_series series[] = {
        {.x = histogram.x,
         .x_end = histogram.x_end,
         .y = histogram.y,
         .count = histogram.bins,
         .style = ROLE_LANE_3,
         .shape = CHART_BARS},
        {.x = histogram.x,
         .x_end = histogram.x_end,
         .y = histogram.y_other,
         .count = histogram.bins,
         .style = ROLE_LANE_2 | STYLE_BOLD,
         .shape = CHART_STEPS},
    };

    chart.x_low = histogram.low;
    chart.x_high = histogram.high;
    chart.series = series;
    chart.series_count = state->other ? 2 : 1;
    canvas_put_field(canvas, heading.row, heading.column, heading.columns, ROLE_HEAD, ALIGN_LEFT, CUT_END,
                     "share of the frames by frame time");
    draw_ms_axis(state, canvas, axis.row, area, &chart);
    chart_draw(canvas, area, &chart);
    free_histogram(&histogram);
}

/* ---- percentile curve: 50 90 99 99.9 lie equally far apart ---- */

static double spread(double percent)
{
    return -log10(1 - percent / 100);
}

static void fill_curve(const struct distribution_detail *detail, double high, double *x, double *x_end,
                       double *y, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double part = high / (double)count, percent = 100 * (1 - pow(10, -(part * ((double)i + 0.5))));

        x[i] = part * (double)i;
        x_end[i] = x[i] + part;
        y[i] = detail ? (double)distribution_detail_percentile(detail, llround(percent * 1000)) / NS_PER_MS
                      : NAN;
    }
}

static int64_t greatest_frame(const struct distribution_state *state)
{
    int64_t greatest = state->detail->figures.max_ns;

    return state->other && state->other->figures.max_ns > greatest ? state->other->figures.max_ns : greatest;
}

static void draw_percent_axis(struct canvas *canvas, int row, struct area area, const struct chart *chart)
{
    static const struct chart_tick marks[] = {{0, "0"},   {50, "50"},     {90, "90"},
                                              {99, "99"}, {99.9, "99.9"}, {99.99, "99.99"}};
    int end = -1;

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        int column = chart_column_of(area, chart, spread(marks[i].value));

        if (column > end)
            end = column + canvas_put(canvas, row, column, ROLE_CHROME, marks[i].label);
    }
}

static void draw_curve(const struct distribution_state *state, struct canvas *canvas, struct area area)
{
    struct area axis = area_take_bottom(&area, 1), heading = area_take_top(&area, 1);
    size_t count = area.columns > TICK_COLUMNS + 1 ? (size_t)(area.columns - TICK_COLUMNS - 1) * 2 : 0;
    double *values[6], high, top, step;
    struct chart_tick ticks[MOST_TICKS];
    char texts[MOST_TICKS][16];
    struct chart chart = {.ticks = ticks, .label_columns = TICK_COLUMNS, .axis = true};

    if (count < 16 || area.rows < 2)
        return;
    for (int i = 0; i < 6; i++)
        values[i] = memory_take(count * sizeof(double));
    /* To the percentile that the last frame but one is at: more is not known. */
    high = fmin(fmax(log10((double)state->detail->figures.frames), 2.2), 4.5);
    fill_curve(state->detail, high, values[0], values[1], values[2], count);
    fill_curve(state->other, high, values[3], values[4], values[5], count);

    struct chart_series series[] = {
        {.x = values[0],
         .x_end = values[1],
         .y = values[2],
         .count = count,
         .style = ROLE_LANE_3,
         .shape = CHART_STEPS},
        {.x = values[3],
         .x_end = values[4],
         .y = values[5],
         .count = count,
         .style = ROLE_LANE_2 | STYLE_BOLD,
         .shape = CHART_STEPS},
    };
    const struct chart_level levels[] = {
        {(double)state->detail->budget_ns / NS_PER_MS, ROLE_BORDER, "╌", "budget"},
        {(double)state->detail->alert_ns / NS_PER_MS, ROLE_THRESHOLD, "╌", "alert"},
    };

    top = fmax((double)greatest_frame(state), (double)state->detail->alert_ns) / NS_PER_MS;
    step = chart_round_step(top, area.rows / 2 < 4 ? area.rows / 2 : 4);
    for (double y = 0; y <= top && chart.tick_count < MOST_TICKS; y += step) {
        snprintf(texts[chart.tick_count], sizeof *texts, "%.14s", word_number(y, 0).text);
        ticks[chart.tick_count] = (struct chart_tick){y, texts[chart.tick_count]};
        chart.tick_count++;
    }
    chart.x_high = high;
    chart.y_high = top * 1.02;
    chart.series = series;
    chart.series_count = state->other ? 2 : 1;
    chart.levels = levels;
    chart.level_count = 2;
    canvas_put_field(canvas, heading.row, heading.column, heading.columns, ROLE_HEAD, ALIGN_LEFT, CUT_END,
                     "frame time in ms by percentile");
    chart_draw(canvas, area, &chart);
    draw_percent_axis(canvas, axis.row, area, &chart);
    for (int i = 0; i < 6; i++)
        free(values[i]);
}

/* ---- tables ---- */

struct figures_table {
    struct canvas *canvas;
    struct area area;
    int label_columns, figure_columns;
};

static struct area field_of(const struct figures_table *table, int row, int index, int count)
{
    return (struct area){table->area.row + row,
                         table->area.column + table->label_columns + index * table->figure_columns, 1,
                         count * table->figure_columns};
}

static void put_figure(const struct figures_table *table, int row, int index, unsigned style,
                       const char *text)
{
    struct area field = field_of(table, row, index, 1);

    canvas_put_field(table->canvas, field.row, field.column, field.columns, style, ALIGN_RIGHT, CUT_HIDE,
                     text);
}

static void put_head(const struct figures_table *table, int index, int count, unsigned style,
                     const char *name)
{
    struct area field = field_of(table, 0, index, count);

    canvas_put_field(table->canvas, field.row, field.column + 1, field.columns - 1, style, ALIGN_RIGHT,
                     CUT_MIDDLE, name);
}

static void put_label(const struct figures_table *table, int row, unsigned style, const char *text)
{
    canvas_put_field(table->canvas, table->area.row + row, table->area.column, table->label_columns, style,
                     ALIGN_LEFT, CUT_END, text);
}

/* In few columns: "1234", "123k". */
static void put_count(const struct figures_table *table, int row, int index, int64_t count)
{
    char text[64];

    if (count < 100000 || table->figure_columns > 8)
        snprintf(text, sizeof text, "%s", figure_grouped(count).text);
    else
        snprintf(text, sizeof text, "%lldk", (long long)(count / 1000));
    put_figure(table, row, index, ROLE_CHROME, text);
}

static void put_over(const struct figures_table *table, int row, int index,
                     const struct distribution_detail *detail, int64_t limit)
{
    struct time_over over = distribution_detail_over(detail, limit);
    char time[128];

    put_count(table, row, index, over.frames);
    if (over.ns < NS_PER_S)
        snprintf(time, sizeof time, "%s ms", word_number((double)over.ns / NS_PER_MS, 0).text);
    else
        snprintf(time, sizeof time, "%s s", figure_number((double)over.ns / NS_PER_S, 1).text);
    put_figure(table, row, index + 1, over.frames ? ROLE_CHROME : ROLE_MUTED, over.frames ? time : "·");
}

/* Frames over what people feel, and the time that these frames took. */
static void draw_over(const struct distribution_state *state, const struct figures_table *table)
{
    const struct {
        const char *label;
        int64_t limit;
    } rows[] = {
        {"1× ", state->detail->budget_ns},
        {"2× ", 2 * state->detail->budget_ns},
        {"", 50 * NS_PER_MS},
        {"", 100 * NS_PER_MS},
        {"", 700 * NS_PER_MS},
    };

    put_label(table, 0, ROLE_HEAD, "over ms");
    put_head(table, 0, 2, ROLE_LANE_3, state->name);
    if (state->other)
        put_head(table, 2, 2, ROLE_LANE_2, state->other_name);
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows) && i + 1 < table->area.rows; i++) {
        char label[112];

        snprintf(label, sizeof label, "%s%s", rows[i].label,
                 word_number((double)rows[i].limit / NS_PER_MS, 1).text);
        put_label(table, 1 + i, ROLE_CHROME, label);
        put_over(table, 1 + i, 0, state->detail, rows[i].limit);
        if (state->other)
            put_over(table, 1 + i, 2, state->other, rows[i].limit);
    }
}

static int64_t figure_of(const struct distribution_detail *detail, int64_t percent_milli)
{
    return percent_milli < 100000 ? distribution_detail_percentile(detail, percent_milli)
                                  : detail->figures.max_ns;
}

static void draw_percentiles(const struct distribution_state *state, const struct figures_table *table)
{
    static const struct {
        const char *label;
        int64_t percent_milli;
    } rows[] = {{"50 %", 50000}, {"95 %", 95000}, {"99 %", 99000}, {"99.9 %", 99900}, {"max", 100000}};

    put_label(table, 0, ROLE_HEAD, "ms at");
    put_head(table, 0, 1, ROLE_LANE_3, state->name);
    if (state->other) {
        put_head(table, 1, 1, ROLE_LANE_2, state->other_name);
        put_head(table, 2, 1, ROLE_HEAD, "change");
    }
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows) && i + 1 < table->area.rows; i++) {
        int64_t here = figure_of(state->detail, rows[i].percent_milli);

        put_label(table, 1 + i, ROLE_CHROME, rows[i].label);
        put_figure(table, 1 + i, 0, ROLE_CHROME, figure_ms(here).text);
        if (!state->other)
            continue;

        int64_t there = figure_of(state->other, rows[i].percent_milli);

        put_figure(table, 1 + i, 1, ROLE_CHROME, figure_ms(there).text);
        put_figure(table, 1 + i, 2,
                   here > there   ? ROLE_BAD
                   : here < there ? ROLE_GOOD
                                  : ROLE_MUTED,
                   figure_delta_ms(here - there).text);
    }
}

/* Side by side, else one below the other as far as there is room. */
static void draw_tables(const struct distribution_state *state, struct canvas *canvas, struct area area)
{
    enum { WIDE_FROM = 90, MOST_GAP = 12, FIGURES = 7 };
    bool wide = area.columns >= WIDE_FROM;
    struct figures_table table = {canvas, area, wide ? 10 : 8, wide ? 10 : 7};
    int over = table.label_columns + (state->other ? 4 : 2) * table.figure_columns;
    int percentiles = table.label_columns + (state->other ? 3 : 1) * table.figure_columns,
        gap = area.columns - over - percentiles;

    if (gap >= CHART_GAP) {
        table.area = area_take_left(&area, over);
        draw_over(state, &table);
        area_take_left(&area, gap < MOST_GAP ? gap : MOST_GAP);
        table.area = area;
        draw_percentiles(state, &table);
        return;
    }
    table.area = area_take_top(&area, TABLE_ROWS);
    draw_percentiles(state, &table);
    table.area = area;
    if (area.rows > 1)
        draw_over(state, &table);
}

/* "▆ (421) 5 runs, 12 345 frames, 8 min   ─ (420) …" */
static void draw_sides(const struct distribution_state *state, struct canvas *canvas, struct area area)
{
    struct line line = {0};

    line_print(&line, LINE_KEEP, ROLE_LANE_3, "█ %s", state->name)->least = 8;
    line_print(&line, 2, ROLE_CHROME, " %zu run%s", state->detail->runs,
               text_plural((int64_t)state->detail->runs));
    line_print(&line, 1, ROLE_CHROME, " %s frames", figure_grouped(state->detail->figures.frames).text);
    line_print(&line, 3, ROLE_CHROME, " %s", word_duration(state->detail->figures.duration_ns).text);
    if (state->other) {
        line_print(&line, LINE_KEEP, ROLE_LANE_2 | STYLE_BOLD, "   ─ %s", state->other_name)->least = 10;
        line_print(&line, 2, ROLE_CHROME, " %zu run%s", state->other->runs,
                   text_plural((int64_t)state->other->runs));
        line_print(&line, 1, ROLE_CHROME, " %s frames", figure_grouped(state->other->figures.frames).text);
        line_print(&line, 3, ROLE_CHROME, " %s", word_duration(state->other->figures.duration_ns).text);
    }
    if (*state->note)
        line_print(&line, 1, ROLE_MISSING, "  %s", state->note)->least = 16;
    line_draw(canvas, area.row, area.column, area.columns, &line);
    line_clear(&line);
}

void distribution_draw(const void *user, struct canvas *canvas, struct area whole)
{
    const struct distribution_state *state = user;
    struct area box = area_centre(whole, whole.rows > 14 ? whole.rows - 3 : whole.rows,
                                  whole.columns > 60 ? whole.columns - 2 : whole.columns),
                inside, tables, left;
    char *title = memory_print("Distribution  %s", state->title);

    canvas_fill(canvas, box, ROLE_CHROME, " ");
    canvas_box(canvas, box, ROLE_BORDER, title);
    free(title);
    inside = area_inside(box);
    area_take_left(&inside, 1);
    area_take_right(&inside, 1);
    draw_sides(state, canvas, area_take_top(&inside, 1));
    tables = area_take_bottom(&inside, inside.rows >= TABLE_ROWS + CHARTS_FROM ? TABLE_ROWS : inside.rows);
    draw_tables(state, canvas, tables);
    if (inside.rows < CHARTS_FROM - 1)
        return;
    if (inside.columns >= 60) {
        left = area_take_left(&inside, (inside.columns - CHART_GAP) / 2);
        draw_histogram(state, canvas, left);
        area_take_left(&inside, CHART_GAP);
        draw_curve(state, canvas, inside);
    } else
        draw_histogram(state, canvas, inside);
}
