/* The chart: runs as dots, their median as a dash, the noise band, gaps, the lanes and marks below the axis.
 */
#include "trend.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "words.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TICKS = 16, MOST_LEVELS = 6, LABEL_LEAST = 4 };

struct points {
    double *x, *y;
    size_t count;
};

struct trend_plot {
    const struct trend_state *state;
    const struct trend_layout *layout;
    struct chart chart;
    struct chart_level levels[MOST_LEVELS];
    struct chart_tick ticks[MOST_TICKS];
    char tick_texts[MOST_TICKS][24];
    struct points runs, odd, medians;
    struct chart_series series[3];
};

static bool is_shown(const struct trend_layout *layout, size_t build)
{
    return trend_slot_column(layout, build) >= 0;
}

static void add_level(struct trend_plot *plot, double y, unsigned style, const char *character,
                      const char *label)
{
    if (!isnan(y) && plot->chart.level_count < MOST_LEVELS)
        plot->levels[plot->chart.level_count++] = (struct chart_level){y, style, character, label};
}

/* The band lies around what was usual: before the step, else the baseline. */
static void add_levels(struct trend_plot *plot)
{
    const struct history *history = plot->state->history;
    double centre = history->change.found ? history->change.before : NAN;
    double noise = history->change.found ? history->change_noise : history->noise;

    for (size_t b = 0; b < history->build_count; b++) {
        if (history->builds[b].build != history->baseline)
            continue;
        if (isnan(centre))
            centre = history->builds[b].median;
        if (!plot->state->hides_baseline)
            add_level(plot, history->builds[b].median, ROLE_BASELINE, "─", NULL);
    }
    add_level(plot, centre + noise, ROLE_THRESHOLD, "╌", NULL);
    add_level(plot, centre - noise, ROLE_THRESHOLD, "╌", NULL);
}

static void widen(double *low, double *high, double value)
{
    if (isnan(value))
        return;
    if (isnan(*low) || value < *low)
        *low = value;
    if (isnan(*high) || value > *high)
        *high = value;
}

static void find_range(struct trend_plot *plot)
{
    enum { ROWS_A_TICK = 3 };
    const struct history *history = plot->state->history;
    double low = NAN, high = NAN, step;
    int wanted = plot->layout->chart.rows / ROWS_A_TICK;

    for (size_t b = 0; b < history->build_count; b++)
        for (size_t i = 0; is_shown(plot->layout, b) && i < history->builds[b].runs.count; i++)
            widen(&low, &high, history->builds[b].runs.items[i].value);
    for (size_t i = 0; i < plot->chart.level_count; i++)
        widen(&low, &high, plot->levels[i].y);
    if (isnan(low))
        low = high = 0;
    if (!isnan(plot->state->alert) && plot->state->alert >= low &&
        plot->state->alert <= high + (high - low) / 4) {
        add_level(plot, plot->state->alert, ROLE_WARNING, "╌", "alert");
        widen(&low, &high, plot->state->alert);
    }
    if (high - low < 1)
        high = low + 1;
    step = chart_round_step(high - low, wanted < 1 ? 1 : wanted);
    plot->chart.y_low = floor(low / step) * step;
    plot->chart.y_high = ceil(high / step) * step;
    for (double y = plot->chart.y_low;
         y <= plot->chart.y_high + step / 2 && plot->chart.tick_count < MOST_TICKS; y += step) {
        size_t at = plot->chart.tick_count++;

        snprintf(plot->tick_texts[at], sizeof *plot->tick_texts, "%.20s",
                 word_number(y, step < 1 ? 1 : 0).text);
        plot->ticks[at] = (struct chart_tick){y, plot->tick_texts[at]};
    }
}

static void add_point(struct points *points, double x, double y)
{
    points->x[points->count] = x;
    points->y[points->count++] = y;
}

static struct points make_points(size_t most)
{
    return (struct points){memory_take((most + 1) * sizeof(double)), memory_take((most + 1) * sizeof(double)),
                           0};
}

static void free_points(struct points *points)
{
    free(points->x);
    free(points->y);
}

/* x counts columns: dots of runs in the first column of a slot, the dash of their median in the others. */
static void add_points(struct trend_plot *plot)
{
    const struct history *history = plot->state->history;
    const struct trend_layout *layout = plot->layout;
    size_t runs = 0;

    for (size_t b = 0; b < history->build_count; b++)
        runs += history->builds[b].runs.count;
    plot->runs = make_points(runs);
    plot->odd = make_points(runs);
    plot->medians = make_points(history->build_count * 2 * (size_t)layout->slot);
    for (size_t b = 0; b < history->build_count; b++) {
        const struct history_build *build = &history->builds[b];
        double start = ((double)b - layout->first) * layout->slot;
        int dash = layout->slot > 1 ? 1 : 0, end = layout->slot > 3 ? layout->slot - 1 : layout->slot;

        if (!is_shown(layout, b))
            continue;
        for (size_t i = 0; i < build->runs.count; i++)
            add_point(build->runs.items[i].odd ? &plot->odd : &plot->runs, start + (i % 2 ? 0.75 : 0.25),
                      build->runs.items[i].value);
        for (int half = 2 * dash; half < 2 * end && !isnan(build->median); half++)
            add_point(&plot->medians, start + 0.25 + half / 2.0, build->median);
    }
    plot->series[0] = (struct chart_series){.x = plot->runs.x,
                                            .y = plot->runs.y,
                                            .count = plot->runs.count,
                                            .style = ROLE_LANE_1,
                                            .shape = CHART_DOTS};
    plot->series[1] = (struct chart_series){.x = plot->odd.x,
                                            .y = plot->odd.y,
                                            .count = plot->odd.count,
                                            .style = ROLE_WARNING,
                                            .shape = CHART_DOTS};
    plot->series[2] = (struct chart_series){.x = plot->medians.x,
                                            .y = plot->medians.y,
                                            .count = plot->medians.count,
                                            .style = ROLE_LANE_1 | STYLE_BOLD,
                                            .shape = CHART_DOTS};
}

static void draw_gaps(const struct trend_plot *plot, struct canvas *canvas)
{
    const struct history *history = plot->state->history;
    const struct trend_layout *layout = plot->layout;
    int row = layout->chart.row + layout->chart.rows / 2;

    for (size_t b = 0; b < history->build_count; b++) {
        const struct history_build *build = &history->builds[b];
        int column = trend_slot_column(layout, b);

        if (column < 0 || build->runs.count)
            continue;
        if (build->waits)
            canvas_put(canvas, row, column, ROLE_MUTED, "…");
        else if (!build->has_frames)
            canvas_put_field(canvas, row, column, layout->slot, ROLE_MUTED, ALIGN_LEFT, CUT_HIDE,
                             layout->slot > 3 ? "gap" : "");
    }
}

/* ---- below the axis ---- */

/* The end of a build's name tells it from its neighbours; brackets are left out. */
static void put_build_name(struct canvas *canvas, int row, int column, int columns, unsigned style,
                           const char *name)
{
    char text[96];
    uint32_t ignored;

    text_print(text, sizeof text, "%s", name[0] == '(' ? name + 1 : name);
    if (name[0] == '(' && *text)
        text[strlen(text) - 1] = '\0';
    while ((int)text_width(text) > columns) {
        size_t first = text_decode(text, &ignored);

        memmove(text, text + first, strlen(text + first) + 1);
    }
    canvas_put(canvas, row, column, style, text);
}

static void draw_labels(const struct trend_state *state, struct canvas *canvas,
                        const struct trend_layout *layout)
{
    int every = (LABEL_LEAST + layout->slot - 1) / layout->slot, room = every * layout->slot - 1;

    canvas_put_field(canvas, layout->labels.row, layout->labels.column, layout->tick_columns, ROLE_HEAD,
                     ALIGN_LEFT, CUT_END, "build");
    if (layout->dates.rows)
        canvas_put_field(canvas, layout->dates.row, layout->dates.column, layout->tick_columns, ROLE_MUTED,
                         ALIGN_LEFT, CUT_END, "night");
    for (int i = 0; i < layout->shown; i++) {
        size_t b = (size_t)(layout->first + i);
        int column = trend_slot_column(layout, b);
        bool selected = (int)b == state->cursor.selected,
             marked = state->builds.items[b].build == state->marked[0] ||
                      state->builds.items[b].build == state->marked[1];
        unsigned style = (marked ? ROLE_MARKED : ROLE_HEAD) | (selected ? STYLE_CURSOR : 0);

        if (selected)
            canvas_fill(canvas,
                        (struct area){layout->labels.row, column, 1, layout->slot > 1 ? layout->slot - 1 : 1},
                        style, " ");
        if (i % every == 0 || (selected && layout->slot >= LABEL_LEAST))
            put_build_name(canvas, layout->labels.row, column, room, style, state->builds.items[b].name);
        if (marked)
            canvas_put(canvas, layout->labels.row, column - 1, ROLE_MARKED, "+");
        if (layout->dates.rows && i % every == 0 && state->history->builds[b].has_frames) {
            struct word date = word_date(state->builds.items[b].night_ms); /* "24 Nov 18:05" */
            size_t length = strcspn(date.text, " ");

            canvas_print(canvas, layout->dates.row, column, ROLE_MUTED, "%.*s", (int)length, date.text);
        }
    }
}

static void put_lane(struct canvas *canvas, const struct trend_layout *layout, int row, size_t build,
                     unsigned style, const char *text)
{
    int width = layout->slot > 1 ? layout->slot - 1 : 1;

    canvas_put_field(canvas, row, trend_slot_column(layout, build), width, style, ALIGN_LEFT,
                     width > 2 ? CUT_END : CUT_HIDE, text);
}

static void draw_run_lane(const struct trend_state *state, struct canvas *canvas,
                          const struct trend_layout *layout, int row)
{
    for (int i = 0; i < layout->shown; i++) {
        size_t b = (size_t)(layout->first + i);
        const struct history_build *build = &state->history->builds[b];
        bool next = state->has_range && state->range.next == b;
        char text[24];

        snprintf(text, sizeof text, "%zu", build->runs.count);
        if (next)
            put_lane(canvas, layout, row, b, ROLE_DECIDE | STYLE_BOLD, layout->slot > 4 ? "next" : "?");
        else if (build->runs.count)
            put_lane(canvas, layout, row, b, ROLE_CHROME, text);
        else if (build->sampled)
            put_lane(canvas, layout, row, b, ROLE_WARNING, "~");
        else
            put_lane(canvas, layout, row, b, build->waits ? ROLE_MUTED : ROLE_BAD,
                     build->waits        ? "…"
                     : build->has_frames ? "few"
                     : layout->slot > 2  ? "--"
                                         : "-");
    }
}

static void draw_lane(const struct trend_state *state, struct canvas *canvas,
                      const struct trend_layout *layout, enum trend_lane lane, int row)
{
    size_t skipped = trend_lane_start(state, lane), changed = trend_lane_change(state, lane);

    canvas_put_field(canvas, row, layout->lanes.column, layout->tick_columns, ROLE_HEAD, ALIGN_LEFT, CUT_END,
                     trend_lane_title(lane, layout->tick_columns));
    for (int i = 0; i < layout->shown; i++) {
        size_t b = (size_t)(layout->first + i);
        const char *text = state->builds.items[b].lanes[lane];

        if (!state->history->builds[b].has_frames && lane != TREND_OS)
            continue;
        put_lane(canvas, layout, row, b, b == changed ? ROLE_WARNING : ROLE_CHROME,
                 *text              ? text + skipped
                 : lane == TREND_OS ? ""
                                    : "·");
    }
}

static void draw_lanes(const struct trend_state *state, struct canvas *canvas,
                       const struct trend_layout *layout)
{
    int row = layout->lanes.row, end = row + layout->lanes.rows;

    canvas_put_field(canvas, row, layout->lanes.column, layout->tick_columns, ROLE_HEAD, ALIGN_LEFT, CUT_END,
                     "runs");
    draw_run_lane(state, canvas, layout, row++);
    for (int lane = 0; lane < TREND_LANES && row < end; lane++)
        if (layout->shows[lane])
            draw_lane(state, canvas, layout, (enum trend_lane)lane, row++);
}

struct trend_mark {
    char text[48];
    unsigned style;
    int column;
};

static void add_mark(struct trend_mark *mark, const char *word, unsigned style)
{
    size_t used = strlen(mark->text);

    snprintf(mark->text + used, sizeof mark->text - used, "%s%s", used ? "=" : "", word);
    if (!used)
        mark->style = style;
}

static struct trend_mark mark_of(const struct trend_state *state, const struct trend_layout *layout,
                                 size_t build)
{
    bool worse =
        !state->history->change.found || state->history->change.after > state->history->change.before;
    struct trend_mark mark = {.column = trend_slot_column(layout, build)};

    if (state->has_range && build == state->range.last_good)
        add_mark(&mark, worse ? "good" : "before", ROLE_GOOD);
    if (state->has_range && build == state->range.first_bad)
        add_mark(&mark, worse ? "bad" : "after", worse ? ROLE_BAD : ROLE_GOOD);
    if (state->builds.items[build].build == state->history->baseline)
        add_mark(&mark, "base", ROLE_BASELINE);
    if (build == state->now)
        add_mark(&mark, "now", ROLE_CHROME);
    return mark;
}

/* "good▴▴bad  ▴base ▴now": the word stands behind its sign, before it where something follows, else the sign
 * is alone. */
static void draw_marks(const struct trend_state *state, struct canvas *canvas,
                       const struct trend_layout *layout)
{
    int end = layout->chart.column + layout->chart.columns, used = layout->chart.column;

    for (int i = 0; i < layout->shown; i++) {
        size_t build = (size_t)(layout->first + i);
        struct trend_mark mark = mark_of(state, layout, build);
        int width = (int)text_width(mark.text), room = end;

        if (!width)
            continue;
        for (int next = layout->shown - 1; next > i; next--) {
            struct trend_mark other = mark_of(state, layout, (size_t)(layout->first + next));

            room = *other.text ? other.column : room;
        }
        canvas_put(canvas, layout->marks.row, mark.column, mark.style, "▴");
        if (mark.column + 1 + width <= room)
            canvas_put(canvas, layout->marks.row, mark.column + 1, mark.style, mark.text);
        else if (mark.column - width >= used)
            canvas_put(canvas, layout->marks.row, mark.column - width, mark.style, mark.text);
        used = mark.column + 1 + (mark.column + 1 + width <= room ? width + 1 : 0);
    }
}

void trend_draw_chart(const struct trend_state *state, struct canvas *canvas,
                      const struct trend_layout *layout)
{
    struct trend_plot plot = {.state = state, .layout = layout};

    plot.chart = (struct chart){.x_low = 0,
                                .x_high = layout->chart.columns - layout->tick_columns - 1,
                                .series = plot.series,
                                .series_count = 3,
                                .levels = plot.levels,
                                .ticks = plot.ticks,
                                .label_columns = layout->tick_columns,
                                .axis = true};
    if (layout->chart.rows < 1 || plot.chart.x_high < 1)
        return;
    add_levels(&plot);
    find_range(&plot);
    add_points(&plot);
    draw_gaps(&plot, canvas);
    chart_draw(canvas, layout->chart, &plot.chart);
    free_points(&plot.runs);
    free_points(&plot.odd);
    free_points(&plot.medians);
    draw_labels(state, canvas, layout);
    draw_lanes(state, canvas, layout);
    draw_marks(state, canvas, layout);
}
