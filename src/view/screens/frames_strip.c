/* The whole run in one row: its scenes, all windows, and which part is shown. */
#include "frames.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "figure_text.h"
#include <stdlib.h>

static int column_of(const struct run_detail *detail, int columns, int64_t ns)
{
    double span = (double) (detail->last_ns - detail->first_ns);
    int column = span > 0 ? (int) ((double) (ns - detail->first_ns) / span * columns) : 0;
    return column < 0 ? 0 : column >= columns ? columns - 1 : column;
}

static void draw_visit(const struct frames *frames, struct canvas *canvas, struct area area, size_t index)
{
    const struct run_detail *detail = frames->detail;
    const struct run_visit *visit = &detail->visits.items[index];
    int from = column_of(detail, area.columns, visit->start_ns), to = column_of(detail, area.columns, visit->end_ns);
    bool here = frames->cursor < detail->count && visit->start_ns <= detail->stamp_ns[frames->cursor] &&
                detail->stamp_ns[frames->cursor] <= visit->end_ns;
    int room = to - from - 2;
    if (index > 0)
        canvas_put(canvas, area.row, area.column + from, ROLE_BORDER, "┼");
    if (room < 3)
        return;
    const char *name = model_scene_name(frames->session->model, visit->scene);
    char *cut = text_cut_middle(name, (size_t) room, "…");
    canvas_put(canvas, area.row, area.column + from + 1 + (index > 0), here ? ROLE_TITLE : ROLE_CHROME, cut);
    free(cut);
}

/* Brackets around what the chart shows; they move outwards so that a star between them is seen. */
static void draw_view(const struct frames *frames, struct canvas *canvas, struct area area)
{
    const struct run_detail *detail = frames->detail;
    int from = column_of(detail, area.columns, frames->view_from) - 1;
    int to = column_of(detail, area.columns, frames->view_to) + 1;
    canvas_put(canvas, area.row, area.column + (from < 0 ? 0 : from), ROLE_ANSWER | STYLE_BOLD, "[");
    canvas_put(canvas, area.row, area.column + (to >= area.columns ? area.columns - 1 : to), ROLE_ANSWER | STYLE_BOLD, "]");
}

static void draw_windows(const struct frames *frames, struct canvas *canvas, struct area area)
{
    const struct run_detail *detail = frames->detail;
    for (int pass = 0; pass < 2; pass++) /* gameplay over transitions */
        for (size_t i = 0; i < detail->windows.count; i++) {
            const struct stutter_window *window = &detail->windows.items[i];
            bool gameplay = window->label == LABEL_GAMEPLAY;
            if (gameplay != (pass == 1) || !frames_window_is_listed(frames, window))
                continue;
            bool here = frames->has_window && frames->window.id == window->id;
            canvas_put(canvas, area.row, area.column + column_of(detail, area.columns, window->peak_stamp_ns),
                       gameplay ? ROLE_DECIDE | STYLE_BOLD | (here ? STYLE_CURSOR : 0) : ROLE_WAIT, gameplay ? "*" : "'");
        }
}

void frames_draw_strip(const struct frames *frames, struct canvas *canvas, struct area area)
{
    const struct run_detail *detail = frames->detail;
    struct figure_text from = figure_time(frames_shown_time(frames, detail->first_ns));
    struct figure_text to = figure_time(frames_shown_time(frames, detail->last_ns));
    int left = (int) text_width(from.text) + 1, right = (int) text_width(to.text) + 1;
    area_take_left(&area, 1);
    if (area.columns > left + right + 20) {
        canvas_put(canvas, area.row, area.column, ROLE_CHROME, from.text);
        canvas_put(canvas, area.row, area.column + area.columns - right + 1, ROLE_CHROME, to.text);
        area_take_left(&area, left);
        area_take_right(&area, right);
    }
    canvas_horizontal(canvas, area.row, area.column, area.columns, ROLE_BORDER, "─");
    for (size_t i = 0; i < detail->visits.count; i++)
        draw_visit(frames, canvas, area, i);
    draw_view(frames, canvas, area);
    draw_windows(frames, canvas, area);
}
