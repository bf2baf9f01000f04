/* The chart of frame times with its bracket, and the lanes below it. */
#include "frames.h"

#include "figure_text.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Frames that reach into the view, as arrays for the chart; x counts from the left edge, in ns. */
struct samples {
    double *x, *x_end, *y, *y_labelled;
    size_t count;
};

static void samples_free(struct samples *samples)
{
    free(samples->x);
    free(samples->x_end);
    free(samples->y);
    free(samples->y_labelled);
}

/* shift: added to the run's times; apart: labelled frames into y_labelled instead of y. */
static struct samples take_samples(const struct frames *frames, const struct run_detail *detail,
                                   const int64_t *values, int64_t shift, double scale, bool apart)
{
    int64_t from = frames->view_from - shift, to = frames->view_to - shift;
    size_t first = detail->count ? run_detail_frame_at(detail, from) : 0, last = first;
    struct samples samples = {0};
    while (last < detail->count && frames_start_of(detail, last) < to)
        last++;
    size_t room = last - first + 1;
    samples.x = memory_take(room * sizeof *samples.x);
    samples.x_end = memory_take(room * sizeof *samples.x_end);
    samples.y = memory_take(room * sizeof *samples.y);
    samples.y_labelled = memory_take(room * sizeof *samples.y_labelled);
    for (size_t i = first; i < last; i++) {
        size_t at = samples.count++;
        bool labelled = apart && detail->labels[i] != LABEL_GAMEPLAY;
        double value = values[i] == VALUE_UNKNOWN ? NAN : (double)values[i] / scale;
        samples.x[at] = (double)(frames_start_of(detail, i) - from);
        samples.x_end[at] = (double)(detail->stamp_ns[i] - from);
        samples.y[at] = labelled ? NAN : value;
        samples.y_labelled[at] = labelled ? value : NAN;
    }
    return samples;
}

static struct chart_series series_of(const struct samples *samples, const double *y, unsigned style,
                                     enum chart_shape shape)
{
    return (struct chart_series){.x = samples->x,
                                 .x_end = samples->x_end,
                                 .y = y,
                                 .count = samples->count,
                                 .style = style,
                                 .shape = shape};
}

static double view_span(const struct frames *frames)
{
    return (double)(frames->view_to - frames->view_from);
}

/* Budget and alert threshold in ms: those of the window, else of the frame at the cursor. */
static void limits_of(const struct frames *frames, double *ret_budget, double *ret_alert)
{
    struct frame_limits limits =
        frame_limits_of(model_settings(frames->session->model), frames->detail->fps_milli[frames->cursor]);
    int64_t budget = frames->has_window ? frames->window.budget_ns : limits.budget_ns;
    int64_t alert = frames->has_window ? frames->window.limit_ns : limits.alert_ns;
    *ret_budget = (double)budget / NS_PER_MS;
    *ret_alert = (double)alert / NS_PER_MS;
}

/*
 * The highest value in view. Frames that are no gameplay are only drawn, unless they are what is looked at: a
 * loading frame of a second would press everything else to the ground.
 */
static double highest_shown(const struct frames *frames, enum frames_lane lane)
{
    const struct run_detail *detail = frames->detail;
    const int64_t *values = frames_lane_values(frames, lane);
    bool all = frames->has_window && frames->window.label != LABEL_GAMEPLAY;
    int64_t highest = 0, highest_of_all = 0;
    for (size_t i = run_detail_frame_at(detail, frames->view_from);
         i < detail->count && frames_start_of(detail, i) < frames->view_to; i++) {
        if (detail->labels[i] == LABEL_PAUSE)
            continue;
        if (values[i] > highest_of_all)
            highest_of_all = values[i];
        if (values[i] > highest && (all || detail->labels[i] == LABEL_GAMEPLAY))
            highest = values[i];
    }
    return (double)(highest > 0 ? highest : highest_of_all) / frames_lane_scale(lane);
}

/* ---- bracket ---- */

static int column_in(const struct frames *frames, struct area plot, int64_t ns)
{
    double part = (double)(ns - frames->view_from) / view_span(frames);
    int column = (int)floor(part * plot.columns);
    return column < 0 ? 0 : column >= plot.columns ? plot.columns - 1 : column;
}

static int cursor_column(const struct frames *frames, struct area plot)
{
    const struct run_detail *detail = frames->detail;
    return plot.column +
           column_in(frames, plot,
                     frames_start_of(detail, frames->cursor) + detail->frame_ns[frames->cursor] / 2);
}

static void draw_bracket(const struct frames *frames, struct canvas *canvas, struct area area,
                         struct area plot)
{
    const struct stutter_window *window = &frames->window;
    if (frames->has_window && window->end_ns > frames->view_from && window->start_ns < frames->view_to) {
        int from = column_in(frames, plot, window->start_ns),
            to = column_in(frames, plot, window->end_ns - 1);
        char *text = memory_print(" window %s ", figure_seconds(window->end_ns - window->start_ns).text);
        int width = (int)text_width(text);
        canvas_horizontal(canvas, area.row, plot.column + from, to - from + 1, ROLE_BORDER, "─");
        if (window->start_ns >= frames->view_from)
            canvas_put(canvas, area.row, plot.column + from, ROLE_BORDER, "┌");
        if (window->end_ns <= frames->view_to && to > from)
            canvas_put(canvas, area.row, plot.column + to, ROLE_BORDER, "┐");
        if (to - from - 4 >= width)
            canvas_put(canvas, area.row, plot.column + to - 1 - width, ROLE_TITLE, text);
        else if (to + 1 + width <= plot.columns)
            canvas_put(canvas, area.row, plot.column + to + 1, ROLE_TITLE, text);
        free(text);
    }
    canvas_put_field(canvas, area.row, area.column, area.columns - plot.columns, ROLE_LANE_1, ALIGN_LEFT,
                     CUT_END, "ms");
    canvas_put(canvas, area.row, cursor_column(frames, plot), ROLE_ANSWER | STYLE_BOLD, "▾");
}

/* ---- frame times ---- */

enum { MOST_TICKS = 10 };

struct ticks {
    struct chart_tick items[MOST_TICKS];
    struct figure_text texts[MOST_TICKS];
    size_t count;
};

static void add_tick(struct ticks *ticks, double value)
{
    if (ticks->count == MOST_TICKS)
        return;
    ticks->texts[ticks->count] = figure_number(value, 0);
    ticks->items[ticks->count] = (struct chart_tick){value, NULL};
    ticks->count++;
}

/* Budget, threshold, and round figures above them. */
static void make_ticks(struct ticks *ticks, double budget, double alert, double high, int rows)
{
    double step = chart_round_step(high, rows / 2 > 1 ? rows / 2 : 1), per_row = high / rows;
    ticks->count = 0;
    if (alert - budget > per_row)
        add_tick(ticks, budget);
    add_tick(ticks, alert);
    for (int i = 1; i * step < high; i++)
        if (i * step - alert > per_row * 1.5)
            add_tick(ticks, i * step);
    for (size_t i = 0; i < ticks->count; i++)
        ticks->items[i].label = ticks->texts[i].text;
}

void frames_draw_chart(const struct frames *frames, struct canvas *canvas, const struct frames_layout *layout)
{
    struct area area = layout->chart;
    double budget = 0, alert = 0;
    if (area.rows < 1 || area.columns <= layout->label_columns)
        return;
    limits_of(frames, &budget, &alert);
    struct samples own = take_samples(frames, frames->detail, frames->detail->frame_ns, 0, NS_PER_MS, true),
                   other = {0};
    double high = fmax(highest_shown(frames, LANE_FRAME) * 1.06, alert * 1.3);
    struct chart_series series[3];
    size_t count = 0;
    if (frames->overlay.detail) {
        other = take_samples(frames, frames->overlay.detail, frames->overlay.detail->frame_ns,
                             frames->overlay.shift_ns, NS_PER_MS, false);
        series[count++] = series_of(&other, other.y, ROLE_BASELINE, CHART_STEPS);
    }
    series[count++] = series_of(&own, own.y_labelled, ROLE_MUTED, CHART_STEPS);
    series[count++] = series_of(&own, own.y, ROLE_LANE_1, CHART_STEPS);
    const struct chart_level levels[] = {{budget, ROLE_MUTED, "·", NULL},
                                         {alert, ROLE_THRESHOLD, "╌", "alert"}};
    struct ticks ticks;
    make_ticks(&ticks, budget, alert, high, area.rows);
    struct chart chart = {.x_low = 0,
                          .x_high = view_span(frames),
                          .y_low = 0,
                          .y_high = high,
                          .series = series,
                          .series_count = count,
                          .levels = levels,
                          .level_count = 2,
                          .ticks = ticks.items,
                          .tick_count = ticks.count,
                          .label_columns = layout->label_columns};
    struct area plot = chart_plot_area(area, &chart);
    chart.label_columns--; /* a blank between labels and plot */
    struct area shifted = area;
    chart_draw(canvas, plot,
               &(struct chart){.x_low = 0,
                               .x_high = chart.x_high,
                               .y_low = 0,
                               .y_high = high,
                               .series = series,
                               .series_count = count,
                               .levels = levels,
                               .level_count = 2});
    shifted.columns = layout->label_columns - 1;
    for (size_t i = 0; i < ticks.count; i++) {
        int row = chart_row_of(area, &chart, ticks.items[i].value);
        if (row >= 0)
            canvas_put_field(canvas, row, shifted.column, shifted.columns, ROLE_CHROME, ALIGN_RIGHT, CUT_HIDE,
                             ticks.items[i].label);
    }
    if (layout->bracket.rows)
        draw_bracket(frames, canvas, layout->bracket, plot);
    samples_free(&own);
    samples_free(&other);
}

/* ---- lanes ---- */

static const unsigned lane_styles[LANE_COUNT] = {ROLE_LANE_1, ROLE_LANE_2, ROLE_LANE_3, ROLE_LANE_4,
                                                 ROLE_LANE_4};

/* CPU and GPU have one scale, so that they can be compared by eye. */
static double lane_high(const struct frames *frames, enum frames_lane lane)
{
    double high = highest_shown(frames, lane);
    if (lane <= LANE_GPU)
        high = fmax(high, highest_shown(frames, lane == LANE_CPU ? LANE_GPU : LANE_CPU));
    return high > 0 ? high * 1.05 : 1;
}

static void draw_highest(struct canvas *canvas, struct area area, enum frames_lane lane, double highest)
{
    bool small = lane == LANE_GC && highest < 0.1;
    char *text = memory_print(" max %s%s",
                              figure_number(small ? highest * 1024 : highest, lane == LANE_GC && !small).text,
                              lane != LANE_GC ? ""
                              : small         ? " KB"
                                              : " MB");
    int width = (int)text_width(text);
    if (width < area.columns / 3)
        canvas_put(canvas, area.row, area.column + area.columns - width, ROLE_CHROME, text);
    free(text);
}

void frames_draw_lane(const struct frames *frames, struct canvas *canvas, struct area area, int label_columns,
                      enum frames_lane lane)
{
    static const char *const names[LANE_COUNT] = {"ms", "CPU", "GPU", "GC", "draw"};
    if (area.rows < 1 || area.columns <= label_columns)
        return;
    struct samples samples = take_samples(frames, frames->detail, frames_lane_values(frames, lane), 0,
                                          frames_lane_scale(lane), true);
    enum chart_shape shape = lane <= LANE_GPU ? CHART_STEPS : CHART_BARS;
    const struct chart_series series[] = {series_of(&samples, samples.y_labelled, ROLE_MUTED, shape),
                                          series_of(&samples, samples.y, lane_styles[lane], shape)};
    double budget = 0, alert = 0;
    limits_of(frames, &budget, &alert);
    const struct chart_level level = {alert, ROLE_THRESHOLD, "╌", NULL};
    struct area plot = area;
    canvas_put_field(canvas, area.row, area.column, label_columns,
                     lane_styles[lane] | (lane == frames->lane ? STYLE_CURSOR : 0), ALIGN_LEFT, CUT_END,
                     names[lane]);
    area_take_left(&plot, label_columns);
    chart_draw(canvas, plot,
               &(struct chart){.x_low = 0,
                               .x_high = view_span(frames),
                               .y_low = 0,
                               .y_high = lane_high(frames, lane),
                               .series = series,
                               .series_count = 2,
                               .levels = &level,
                               .level_count = lane <= LANE_GPU && area.rows > 1});
    if (lane > LANE_GPU)
        draw_highest(canvas, plot, lane, highest_shown(frames, lane));
    samples_free(&samples);
}
