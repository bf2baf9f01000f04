/* Beside the chart: exact values, why this was picked, what probably caused it, what else is in the run. */
#include "frames.h"

#include "figure_text.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/line.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct figure_text value_text(const struct frames *frames, enum frames_lane lane, size_t frame)
{
    int64_t value = frames_lane_values(frames, lane)[frame];
    if (value == VALUE_UNKNOWN)
        return (struct figure_text){"–"};
    return figure_number((double)value / frames_lane_scale(lane), lane != LANE_DRAWS);
}

/* The columns of the readout: the frame at the cursor, the worst one when that is another, a typical one. */
struct readout {
    size_t frames[3];
    const char *heads[3];
    int count;
};

static struct readout readout_of(const struct frames *frames, bool narrow)
{
    struct readout readout = {.count = 0};
    bool at_worst = frames->has_window && frames->cursor == frames_peak_frame(frames);
    readout.frames[readout.count] = frames->cursor;
    readout.heads[readout.count++] = at_worst                                                  ? "worst"
                                     : frames->has_window && frames->cursor == frames->typical ? "typical"
                                                                                               : "here";
    if (frames->has_window && !at_worst && !(narrow && frames->cursor != frames->typical)) {
        readout.frames[readout.count] = frames_peak_frame(frames);
        readout.heads[readout.count++] = "worst";
    }
    if (frames->has_window && frames->cursor != frames->typical) {
        readout.frames[readout.count] = frames->typical;
        readout.heads[readout.count] = readout.count > 1 ? "typ." : "typical";
        readout.count++;
    }
    return readout;
}

static int draw_values(const struct frames *frames, struct canvas *canvas, struct area area)
{
    bool narrow = area.columns < 26;
    struct readout readout = readout_of(frames, narrow);
    int width = readout.count > 2 ? 7 : 8, label = area.columns - readout.count * width, row = area.row;
    for (int i = 0; i < readout.count; i++)
        canvas_put_field(canvas, row, area.column + label + i * width, width, ROLE_HEAD, ALIGN_RIGHT, CUT_END,
                         readout.heads[i]);
    row++;
    for (int lane = 0; lane < LANE_COUNT && row < area.row + area.rows; lane++) {
        if (lane != LANE_FRAME && !frames_has_lane(frames, (enum frames_lane)lane) && lane >= LANE_GC)
            continue;
        unsigned style = lane == (int)frames->lane ? STYLE_BOLD : 0;
        canvas_put_field(canvas, row, area.column, label, ROLE_CHROME | style, ALIGN_LEFT, CUT_END,
                         frames_lane_title((enum frames_lane)lane, label < 10));
        for (int i = 0; i < readout.count; i++)
            canvas_put_field(canvas, row, area.column + label + i * width, width, ROLE_CHROME | style,
                             ALIGN_RIGHT, CUT_HIDE,
                             value_text(frames, (enum frames_lane)lane, readout.frames[i]).text);
        row++;
    }
    if (row < area.row + area.rows) {
        int64_t stamp = frames_shown_time(frames, frames->detail->stamp_ns[frames->cursor]);
        char *frame = memory_print("frame %s", figure_grouped((int64_t)frames->cursor + 1).text);
        struct figure_text time = figure_time_exact(stamp);
        canvas_put_field(canvas, row, area.column, area.columns, ROLE_CHROME, ALIGN_LEFT, CUT_END, frame);
        canvas_put_field(canvas, row, area.column + (int)text_width(frame) + 1,
                         area.columns - (int)text_width(frame) - 1, ROLE_CHROME, ALIGN_RIGHT, CUT_HIDE,
                         time.text);
        free(frame);
        row++;
    }
    return row - area.row;
}

/* Draws lines, each wrapped; the first under the heading in its own style. Returns the rows used. */
static int draw_lines(struct canvas *canvas, struct area area, const char *heading, unsigned style,
                      const char *lines)
{
    struct area left = area;
    if (area.rows < 2 || lines == NULL)
        return 0;
    canvas_put_field(canvas, area.row, area.column, area.columns, ROLE_TITLE, ALIGN_LEFT, CUT_END, heading);
    area_take_top(&left, 1);
    char *copy = memory_copy_text(lines), *rest = copy;
    for (char *line = strsep(&rest, "\n"); line && left.rows > 0; line = strsep(&rest, "\n"))
        area_take_top(&left, canvas_put_wrapped(canvas, left, style, line));
    free(copy);
    return area.rows - left.rows;
}

static char *events_text(const struct frames *frames)
{
    struct text_buffer text = {0};
    const char *before = model_text(frames->session->model, frames->window.event_before);
    const char *after = model_text(frames->session->model, frames->window.event_after);
    if (before)
        text_add_print(&text, "before: %s", before);
    if (after)
        text_add_print(&text, "%safter: %s", text.count ? "\n" : "", after);
    return text_take(&text);
}

/* A line each, no more than there are rows for. */
static char *windows_text(const struct frames *frames, int rows)
{
    struct text_buffer text = {0};
    for (size_t i = 0; i < frames->detail->windows.count && rows > 0; i++) {
        const struct stutter_window *window = &frames->detail->windows.items[i];
        const char *event = model_text(frames->session->model, window->event);
        if (window->id == frames->window.id || !frames_window_is_listed(frames, window))
            continue;
        rows--;
        text_add_print(&text, "%s%s  %s ms %s", text.count ? "\n" : "",
                       figure_time(frames_shown_time(frames, window->peak_stamp_ns)).text,
                       figure_ms(window->peak_ns).text,
                       window->label != LABEL_GAMEPLAY ? frame_label_name(window->label)
                       : event                         ? event
                                                       : "");
    }
    return text_take(&text);
}

static void take_rows(struct area *area, int rows, bool gap)
{
    area_take_top(area, rows + (rows > 0 && gap ? 1 : 0));
}

/* The texts share what is left: the estimate always keeps its first lines. */
static void draw_texts(const struct frames *frames, struct canvas *canvas, struct area area)
{
    enum { CAUSE_LEAST = 4, ROOMY = 12 };
    bool gap = area.rows >= ROOMY;
    struct area why = area;
    area_take_bottom(&why, CAUSE_LEAST);
    take_rows(&area, draw_lines(canvas, why, "WHY PICKED", ROLE_CHROME, frames->why), gap);
    take_rows(&area,
              draw_lines(canvas, area, area.columns < 26 ? "CAUSE (estimate)" : "PROBABLE CAUSE (estimate)",
                         ROLE_ESTIMATE, frames->cause),
              gap);
    char *events = events_text(frames);
    if (*events)
        take_rows(&area, draw_lines(canvas, area, "EVENTS", ROLE_CHROME, events), gap);
    char *windows = windows_text(frames, area.rows);
    if (*windows)
        take_rows(&area, draw_lines(canvas, area, "OTHER WINDOWS OF THE RUN", ROLE_CHROME, windows), gap);
    free(events);
    free(windows);
}

void frames_draw_side(const struct frames *frames, struct canvas *canvas, struct area area)
{
    if (area.columns < 12 || area.rows < 1)
        return;
    canvas_vertical(canvas, area.row, area.column + 1, area.rows, ROLE_BORDER, "│");
    area_take_left(&area, 2);
    int used = draw_values(frames, canvas, area);
    take_rows(&area, used, area.rows - used >= 8);
    if (frames->has_window)
        draw_texts(frames, canvas, area);
    else if (area.rows > 0)
        canvas_put_wrapped(canvas, area, ROLE_CHROME, "no window of this stutter in this run");
}

/* Below the chart, where there is no room at its side. */
void frames_draw_readout(const struct frames *frames, struct canvas *canvas, struct area area)
{
    struct line line = {0};
    bool at_worst = frames->has_window && frames->cursor == frames_peak_frame(frames);
    if (area.rows < 1)
        return;
    line_print(&line, LINE_KEEP, ROLE_CHROME | STYLE_BOLD, "%s ms",
               value_text(frames, LANE_FRAME, frames->cursor).text);
    for (int lane = LANE_CPU; lane < LANE_COUNT; lane++)
        if (frames_has_lane(frames, (enum frames_lane)lane))
            line_print(&line, lane, ROLE_CHROME, "  %s %s", frames_lane_title((enum frames_lane)lane, true),
                       value_text(frames, (enum frames_lane)lane, frames->cursor).text);
    line_print(&line, 6, ROLE_CHROME, "  at %s",
               figure_time_exact(frames_shown_time(frames, frames->detail->stamp_ns[frames->cursor])).text);
    if (at_worst)
        line_add(&line, 5, ROLE_CHROME, "  worst");
    line_draw(canvas, area.row, area.column + 1, area.columns - 1, &line);
    line_clear(&line);
    area_take_top(&area, 1);
    area_take_left(&area, 1);
    if (frames->has_window && area.rows >= 2) {
        struct area why = area;
        area_take_bottom(&why, area.rows / 2);
        take_rows(&area, draw_lines(canvas, why, "WHY PICKED", ROLE_CHROME, frames->why), false);
        draw_lines(canvas, area, "PROBABLE CAUSE (estimate)", ROLE_ESTIMATE, frames->cause);
    }
}
