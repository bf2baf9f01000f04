#include "stutterscope/view/chart.h"

#include "plot.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdlib.h>

struct area chart_plot_area(struct area area, const struct chart *chart)
{
    area_take_left(&area, chart->label_columns);
    area_take_left(&area, chart->axis ? 1 : 0);
    return area;
}

/* The part, of `parts` equal ones from low to high, in which the value lies; the ends belong to the outer
 * parts. */
static int part_of(double value, double low, double high, int parts)
{
    double part = floor((value - low) / (high - low) * parts);
    if (part < 0)
        return 0;
    return part >= parts ? parts - 1 : (int)part;
}

static bool has_range(double low, double high)
{
    return isfinite(low) && isfinite(high) && low < high;
}

int chart_column_of(struct area area, const struct chart *chart, double x)
{
    struct area plot = chart_plot_area(area, chart);
    if (plot.columns < 1 || !has_range(chart->x_low, chart->x_high) ||
        !(x >= chart->x_low && x <= chart->x_high))
        return -1;
    return plot.column + part_of(x, chart->x_low, chart->x_high, plot.columns);
}

int chart_row_of(struct area area, const struct chart *chart, double y)
{
    struct area plot = chart_plot_area(area, chart);
    if (plot.rows < 1 || !has_range(chart->y_low, chart->y_high) ||
        !(y >= chart->y_low && y <= chart->y_high))
        return -1;
    return plot.row + plot.rows - 1 - part_of(y, chart->y_low, chart->y_high, plot.rows);
}

void chart_maxima(const struct chart_series *series, double x_low, double x_high, double *maxima,
                  size_t count)
{
    for (size_t i = 0; i < count; i++)
        maxima[i] = NAN;
    if (count == 0 || !has_range(x_low, x_high))
        return;
    double part = (x_high - x_low) / (double)count;
    for (size_t i = 0; i < series->count; i++) {
        double from = series->x[i], to = series->x_end ? series->x_end[i] : from;
        if (isnan(series->y[i]) || !(to >= x_low) || !(from <= x_high) || (to <= x_low && from < x_low))
            continue;
        int first = part_of(from, x_low, x_high, (int)count), last = first;
        if (to > from) {
            /* Where a sample ends exactly at the start of a part, it does not reach into it. */
            double end = ceil((to - x_low) / part) - 1;
            last = end < first ? first : end >= (double)count ? (int)count - 1 : (int)end;
        }
        for (int at = first; at <= last; at++)
            if (isnan(maxima[at]) || series->y[i] > maxima[at])
                maxima[at] = series->y[i];
    }
}

static int dot_row(const struct chart *chart, double y, int rows)
{
    return rows - 1 - part_of(y, chart->y_low, chart->y_high, rows);
}

/* Joins neighbours upright on the side of the higher one, so that a spike of one column stays one column
 * wide. */
static void plot_steps(struct plot *plot, const struct chart *chart, const double *maxima, unsigned style)
{
    int columns = plot_columns(plot), rows = plot_rows(plot), before = -1;
    for (int x = 0; x < columns; x++) {
        if (isnan(maxima[x])) {
            before = -1;
            continue;
        }
        int y = dot_row(chart, maxima[x], rows);
        plot_set(plot, x, y, style);
        int higher = y < before ? x : x - 1;
        for (int at = y < before ? y : before; before >= 0 && at <= (y < before ? before : y); at++)
            plot_set(plot, higher, at, style);
        before = y;
    }
}

static void plot_filled(struct plot *plot, const struct chart *chart, const double *maxima, unsigned style)
{
    int rows = plot_rows(plot);
    for (int x = 0; x < plot_columns(plot); x++)
        for (int y = isnan(maxima[x]) ? rows : dot_row(chart, maxima[x], rows); y < rows; y++)
            plot_set(plot, x, y, style);
}

static void plot_points(struct plot *plot, const struct chart *chart, const struct chart_series *series)
{
    for (size_t i = 0; i < series->count; i++) {
        double x = series->x[i];
        if (isnan(series->y[i]) || !(x >= chart->x_low && x <= chart->x_high))
            continue;
        plot_set(plot, part_of(x, chart->x_low, chart->x_high, plot_columns(plot)),
                 dot_row(chart, series->y[i], plot_rows(plot)), series->style);
    }
}

static void draw_bars(struct canvas *canvas, struct area area, const struct chart *chart,
                      const struct chart_series *series)
{
    const struct glyphs *glyphs = glyphs_of(canvas_glyphs(canvas));
    double *maxima = memory_take_zeroed((size_t)area.columns + 1, sizeof *maxima);
    chart_maxima(series, chart->x_low, chart->x_high, maxima, (size_t)area.columns);
    for (int column = 0; column < area.columns; column++) {
        if (isnan(maxima[column]))
            continue;
        /* At least an eighth: what was measured is seen. */
        int eighths = part_of(maxima[column], chart->y_low, chart->y_high, area.rows * 8) + 1;
        for (int row = 0; row < area.rows && eighths > 0; row++, eighths -= 8)
            canvas_put(canvas, area.row + area.rows - 1 - row, area.column + column, series->style,
                       glyphs->bar[eighths < 8 ? eighths : 8]);
    }
    free(maxima);
}

static void draw_series(struct canvas *canvas, struct area area, const struct chart *chart,
                        const struct chart_series *series)
{
    if (series->shape == CHART_BARS) {
        draw_bars(canvas, area, chart, series);
        return;
    }
    struct plot *plot = plot_create(area, canvas_glyphs(canvas));
    size_t columns = (size_t)plot_columns(plot);
    double *maxima = memory_take_zeroed(columns + 1, sizeof *maxima);
    if (series->shape == CHART_DOTS) {
        plot_points(plot, chart, series);
    } else {
        chart_maxima(series, chart->x_low, chart->x_high, maxima, columns);
        if (series->shape == CHART_STEPS)
            plot_steps(plot, chart, maxima, series->style);
        else
            plot_filled(plot, chart, maxima, series->style);
    }
    plot_put(plot, canvas);
    free(maxima);
    plot_destroy(plot);
}

static void draw_labels(struct canvas *canvas, struct area area, const struct chart *chart)
{
    struct area plot = chart_plot_area(area, chart);
    if (chart->axis)
        canvas_vertical(canvas, plot.row, plot.column - 1, plot.rows, ROLE_BORDER, "│");
    for (size_t i = 0; i < chart->tick_count; i++) {
        int row = chart_row_of(area, chart, chart->ticks[i].value);
        if (row < 0)
            continue;
        canvas_put_field(canvas, row, area.column, chart->label_columns, ROLE_CHROME, ALIGN_RIGHT, CUT_HIDE,
                         chart->ticks[i].label);
        if (chart->axis)
            canvas_put(canvas, row, plot.column - 1, ROLE_BORDER, "┤");
    }
}

void chart_draw(struct canvas *canvas, struct area area, const struct chart *chart)
{
    struct area plot = chart_plot_area(area, chart);
    if (plot.rows < 1 || plot.columns < 1 || !has_range(chart->x_low, chart->x_high) ||
        !has_range(chart->y_low, chart->y_high))
        return;
    draw_labels(canvas, area, chart);
    for (size_t i = 0; i < chart->level_count; i++) {
        const struct chart_level *level = &chart->levels[i];
        int row = chart_row_of(area, chart, level->y);
        if (row >= 0)
            canvas_horizontal(canvas, row, plot.column, plot.columns, level->style, level->character);
    }
    for (size_t i = 0; i < chart->series_count; i++)
        draw_series(canvas, plot, chart, &chart->series[i]);
    for (size_t i = 0; i < chart->level_count; i++) {
        const struct chart_level *level = &chart->levels[i];
        int row = chart_row_of(area, chart, level->y);
        int width = level->label ? (int)text_width(level->label) : 0;
        if (row >= 0 && width > 0 && width <= plot.columns / 3)
            canvas_put(canvas, row, plot.column + plot.columns - width, level->style, level->label);
    }
}

double chart_round_step(double range, int count)
{
    if (!isfinite(range) || range <= 0 || count < 1)
        return 1;
    double rough = range / count, power = pow(10, floor(log10(rough)));
    double digit = rough / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}
