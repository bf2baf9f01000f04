/* Below the chart: where events began, what they are called, and the time. */
#include "frames.h"

#include "figure_text.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct taken {
    bool *columns; /* of the row of names */
    int count;
};

static int column_of(const struct frames *frames, int columns, int64_t ns)
{
    double part = (double)(ns - frames->view_from) / (double)(frames->view_to - frames->view_from);
    int column = (int)floor(part * columns);
    return column >= columns ? columns - 1 : column;
}

/* The begin of the window's own event: it must be named, whatever else gives way. */
static bool is_own_event(const struct frames *frames, const struct run_event *event)
{
    const struct stutter_window *window = &frames->window;
    return frames->has_window && window->event == event->event && window->event_offset_ns != VALUE_UNKNOWN &&
           event->stamp_ns == window->start_ns - window->event_offset_ns;
}

static bool is_free(const struct taken *taken, int from, int width)
{
    for (int i = from - 1; i <= from + width; i++)
        if (i >= 0 && i < taken->count && taken->columns[i])
            return false;
    return from >= 0 && from + width <= taken->count;
}

static void put_name(const struct frames *frames, struct canvas *canvas, struct area plot, int row,
                     struct taken *taken, const struct run_event *event, bool own)
{
    const char *name = model_text(frames->session->model, event->event);
    int64_t offset = event->stamp_ns - frames->window.start_ns;
    bool says_offset = own && llabs(offset) >= NS_PER_S / 20;
    char *text = says_offset ? memory_print("%s %s%s s", name ? name : "?", offset < 0 ? "−" : "+",
                                            figure_number(fabs((double)offset / NS_PER_S), 1).text)
                             : memory_copy_text(name ? name : "?");
    int width = (int)text_width(text), at = column_of(frames, plot.columns, event->stamp_ns);
    /* Under its mark; at the right end it moves to the left. */
    int from = at + width > plot.columns ? plot.columns - width : at;
    if (is_free(taken, from, width)) {
        canvas_put(canvas, row, plot.column + from, ROLE_EVENT | (own ? STYLE_BOLD : 0), text);
        for (int i = from; i < from + width; i++)
            taken->columns[i] = true;
    }
    free(text);
}

static bool is_in_view(const struct frames *frames, const struct run_event *event)
{
    return event->stamp_ns >= frames->view_from && event->stamp_ns < frames->view_to;
}

static void draw_events(const struct frames *frames, struct canvas *canvas,
                        const struct frames_layout *layout, struct area plot)
{
    const struct run_detail *detail = frames->detail;
    struct taken taken = {memory_take_zeroed((size_t)plot.columns + 1, sizeof(bool)), plot.columns};
    if (layout->marks.rows)
        canvas_horizontal(canvas, layout->marks.row, plot.column, plot.columns, ROLE_BORDER, "─");
    for (int pass = 0; pass < 2; pass++) /* the window's own event takes its place first */
        for (size_t i = 0; i < detail->events.count; i++) {
            const struct run_event *event = &detail->events.items[i];
            if (!is_in_view(frames, event) || is_own_event(frames, event) != (pass == 0))
                continue;
            if (layout->marks.rows)
                canvas_put(canvas, layout->marks.row,
                           plot.column + column_of(frames, plot.columns, event->stamp_ns), ROLE_EVENT, "┴");
            if (layout->names.rows)
                put_name(frames, canvas, plot, layout->names.row, &taken, event, pass == 0);
        }
    free(taken.columns);
}

/* The smallest of 1, 2, 5 × 10^n ns whose labels have room. */
static int64_t time_step(const struct frames *frames, int columns)
{
    enum { LABEL_ROOM = 12 };
    int count = columns / LABEL_ROOM;
    double step = chart_round_step((double)(frames->view_to - frames->view_from), count > 0 ? count : 1);
    return step < NS_PER_MS ? NS_PER_MS : (int64_t)step;
}

/* The cursor stands above the chart; where that row is missing, it stands here, and times make room. */
static void draw_times(const struct frames *frames, struct canvas *canvas, const struct frames_layout *layout,
                       struct area plot)
{
    const struct run_detail *detail = frames->detail;
    int64_t step = time_step(frames, plot.columns), shown = frames_shown_time(frames, frames->view_from);
    int64_t first = shown - shown % step + (shown % step > 0 ? step : 0);
    int row = layout->times.row, next_free = 0, cursor = -1;
    if (layout->bracket.rows == 0)
        cursor = column_of(frames, plot.columns,
                           frames_start_of(detail, frames->cursor) + detail->frame_ns[frames->cursor] / 2);
    if (cursor >= 0)
        canvas_put(canvas, row, plot.column + cursor, ROLE_ANSWER | STYLE_BOLD, "▴");
    for (int64_t time = first; time < shown + frames->view_to - frames->view_from; time += step) {
        struct figure_text text = step % (NS_PER_S / 10) == 0 ? figure_time(time) : figure_time_exact(time);
        int width = (int)text_width(text.text);
        int column = column_of(frames, plot.columns, time - shown + frames->view_from) - width / 2;
        if (column < 0)
            column = 0;
        bool at_cursor = cursor >= column - 1 && cursor <= column + width;
        if (column < next_free || column + width > plot.columns || at_cursor)
            continue;
        canvas_put(canvas, row, plot.column + column, ROLE_CHROME, text.text);
        next_free = column + width + 2;
    }
}

void frames_draw_marks(const struct frames *frames, struct canvas *canvas, const struct frames_layout *layout)
{
    struct area plot = layout->chart;
    area_take_left(&plot, layout->label_columns);
    if (plot.columns < 1)
        return;
    if (layout->marks.rows || layout->names.rows)
        draw_events(frames, canvas, layout, plot);
    if (layout->times.rows)
        draw_times(frames, canvas, layout, plot);
}
