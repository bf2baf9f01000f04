/* The whole run in one row: its scenes, all windows, and which part is shown. */
#include "frames.h"

#include "figure_text.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>

static int column_of(const struct run_detail *detail, int columns, int64_t ns)
{
    double span = (double)(detail->last_ns - detail->first_ns);
    int column = span > 0 ? (int)((double)(ns - detail->first_ns) / span * columns) : 0;
    return column < 0 ? 0 : column >= columns ? columns - 1 : column;
}

/* What stands on a column of the strip already: names take only what is free. */
struct strip {
    const struct frames *frames;
    struct canvas *canvas;
    struct area area;
    bool *taken;
};

static void put(struct strip *strip, int column, unsigned style, const char *character)
{
    column = column < 0 ? 0 : column >= strip->area.columns ? strip->area.columns - 1 : column;
    canvas_put(strip->canvas, strip->area.row, strip->area.column + column, style, character);
    strip->taken[column] = true;
}

/* The longest free stretch in [from, to). */
static int find_room(const struct strip *strip, int from, int to, int *ret_length)
{
    int best = from, longest = 0;
    for (int at = from; at < to; at++) {
        int length = 0;
        while (at + length < to && !strip->taken[at + length])
            length++;
        if (length > longest) {
            longest = length;
            best = at;
        }
        at += length;
    }
    *ret_length = longest;
    return best;
}

static void put_name(struct strip *strip, size_t index)
{
    enum { LEAST_NAME = 4 };
    const struct frames *frames = strip->frames;
    const struct run_detail *detail = frames->detail;
    const struct run_visit *visit = &detail->visits.items[index];
    int from = column_of(detail, strip->area.columns, visit->start_ns),
        to = column_of(detail, strip->area.columns, visit->end_ns);
    bool here = visit->start_ns <= detail->stamp_ns[frames->cursor] &&
                detail->stamp_ns[frames->cursor] <= visit->end_ns;
    const char *name = model_scene_name(frames->session->model, visit->scene);
    int length = 0, width = (int)text_width(name);
    int at = find_room(strip, from + 1, to, &length);
    if (width > length - 2) /* names shorter than their room keep a dash on both sides */
        width = length;
    if (width < LEAST_NAME)
        return;
    char *cut = text_cut_middle(name, (size_t)width, "…");
    canvas_put(strip->canvas, strip->area.row, strip->area.column + at + (width <= length - 2),
               here ? ROLE_TITLE : ROLE_CHROME, cut);
    free(cut);
}

static void put_windows(struct strip *strip)
{
    const struct frames *frames = strip->frames;
    const struct run_detail *detail = frames->detail;
    for (int pass = 0; pass < 2; pass++) /* gameplay over transitions */
        for (size_t i = 0; i < detail->windows.count; i++) {
            const struct stutter_window *window = &detail->windows.items[i];
            bool gameplay = window->label == LABEL_GAMEPLAY;
            if (gameplay != (pass == 1) || !frames_window_is_listed(frames, window))
                continue;
            bool here = frames->has_window && frames->window.id == window->id;
            put(strip, column_of(detail, strip->area.columns, window->peak_stamp_ns),
                gameplay ? ROLE_DECIDE | STYLE_BOLD | (here ? STYLE_CURSOR : 0) : ROLE_WAIT,
                gameplay ? "*" : "'");
        }
}

static void draw_line(const struct frames *frames, struct canvas *canvas, struct area area)
{
    const struct run_detail *detail = frames->detail;
    struct strip strip = {frames, canvas, area, memory_take_zeroed((size_t)area.columns + 1, sizeof(bool))};
    canvas_horizontal(canvas, area.row, area.column, area.columns, ROLE_BORDER, "─");
    for (size_t i = 1; i < detail->visits.count; i++)
        put(&strip, column_of(detail, area.columns, detail->visits.items[i].start_ns), ROLE_BORDER, "┼");
    /* Brackets around what the chart shows stand one further out, so that a star at the edge is seen. */
    put(&strip, column_of(detail, area.columns, frames->view_from) - 1, ROLE_ANSWER | STYLE_BOLD, "[");
    put(&strip, column_of(detail, area.columns, frames->view_to) + 1, ROLE_ANSWER | STYLE_BOLD, "]");
    put_windows(&strip);
    for (size_t i = 0; i < detail->visits.count; i++)
        put_name(&strip, i);
    free(strip.taken);
}

void frames_draw_strip(const struct frames *frames, struct canvas *canvas, struct area area)
{
    const struct run_detail *detail = frames->detail;
    struct figure_text from = figure_time(frames_shown_time(frames, detail->first_ns));
    struct figure_text to = figure_time(frames_shown_time(frames, detail->last_ns));
    int left = (int)text_width(from.text) + 1, right = (int)text_width(to.text) + 1;
    area_take_left(&area, 1);
    if (area.columns > left + right + 20) {
        canvas_put(canvas, area.row, area.column, ROLE_CHROME, from.text);
        canvas_put(canvas, area.row, area.column + area.columns - right + 1, ROLE_CHROME, to.text);
        area_take_left(&area, left);
        area_take_right(&area, right);
    }
    if (area.columns > 0)
        draw_line(frames, canvas, area);
}
