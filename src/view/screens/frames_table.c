/* All frames of the run as exact values: an overlay. */
#include "frames.h"

#include "figure_text.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/finder.h"
#include "stutterscope/view/list.h"
#include <stdio.h>
#include <stdlib.h>

struct frames_table {
    struct frames *frames; /* the screen below, which lives longer */
    struct scroll scroll;
    struct finder finder;
};

enum {
    TABLE_FRAME,
    TABLE_END,
    TABLE_TIME,
    TABLE_CPU,
    TABLE_GPU,
    TABLE_GC,
    TABLE_DRAWS,
    TABLE_LABEL,
    TABLE_EVENT,
    TABLE_COLUMNS
};

static const struct list_column columns[TABLE_COLUMNS] = {
    [TABLE_FRAME] = {"frame", 5, 12, LINE_KEEP, ALIGN_RIGHT, CUT_HIDE},
    [TABLE_END] = {"ends at", 8, 14, 3, ALIGN_RIGHT, CUT_HIDE},
    [TABLE_TIME] = {"ms", 6, 14, LINE_KEEP, ALIGN_RIGHT, CUT_HIDE},
    [TABLE_CPU] = {"CPU ms", 6, 14, 1, ALIGN_RIGHT, CUT_HIDE},
    [TABLE_GPU] = {"GPU ms", 6, 14, 2, ALIGN_RIGHT, CUT_HIDE},
    [TABLE_GC] = {"GC bytes", 8, 14, 6, ALIGN_RIGHT, CUT_HIDE},
    [TABLE_DRAWS] = {"draws", 5, 9, 5, ALIGN_RIGHT, CUT_HIDE},
    [TABLE_LABEL] = {"label", 8, 12, 7, ALIGN_LEFT, CUT_END},
    [TABLE_EVENT] = {"event", 5, 24, 4, ALIGN_LEFT, CUT_MIDDLE, .takes_rest = true},
};

static void put_ns(struct list_cell *cell, int64_t ns)
{
    if (ns != VALUE_UNKNOWN)
        cell->text = number_print_scaled(cell->scratch, sizeof cell->scratch, ns, NS_PER_MS);
}

static void put_integer(struct list_cell *cell, int64_t value)
{
    snprintf(cell->scratch, sizeof cell->scratch, "%s", figure_grouped(value).text);
    cell->text = cell->scratch;
}

/* Name of the event that began with this frame. */
static const char *event_at(const struct frames *frames, size_t frame)
{
    const struct run_detail *detail = frames->detail;
    int64_t start = frames_start_of(detail, frame);
    size_t low = 0, high = detail->events.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (detail->events.items[middle].stamp_ns < start)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == detail->events.count || detail->events.items[low].stamp_ns != start)
        return "";
    const char *name = model_text(frames->session->model, detail->events.items[low].event);
    return name ? name : "";
}

static void get_cell(const void *user, int row, int column, struct list_cell *ret)
{
    const struct frames *frames = user;
    const struct run_detail *detail = frames->detail;
    size_t frame = (size_t)row;
    struct frame_limits limits =
        frame_limits_of(model_settings(frames->session->model), detail->fps_milli[frame]);
    bool over = detail->frame_ns[frame] > limits.alert_ns;
    switch (column) {
    case TABLE_FRAME:
        put_integer(ret, row + 1);
        break;
    case TABLE_END:
        snprintf(ret->scratch, sizeof ret->scratch, "%s",
                 figure_time_exact(frames_shown_time(frames, detail->stamp_ns[frame])).text);
        ret->text = ret->scratch;
        break;
    case TABLE_TIME:
        put_ns(ret, detail->frame_ns[frame]);
        ret->style = over ? ROLE_BAD | STYLE_BOLD : ROLE_CHROME;
        break;
    case TABLE_CPU:
        put_ns(ret, detail->cpu_ns[frame]);
        break;
    case TABLE_GPU:
        put_ns(ret, detail->gpu_ns[frame]);
        break;
    case TABLE_GC:
        put_integer(ret, detail->gc[frame]);
        break;
    case TABLE_DRAWS:
        put_integer(ret, detail->draw_calls[frame]);
        break;
    case TABLE_LABEL:
        ret->text = detail->labels[frame] == LABEL_GAMEPLAY
                        ? ""
                        : frame_label_name((enum frame_label)detail->labels[frame]);
        break;
    default:
        ret->text = event_at(frames, frame);
        break;
    }
}

static bool is_over(const void *user, int row)
{
    const struct frames *frames = user;
    const struct run_detail *detail = frames->detail;
    struct frame_limits limits =
        frame_limits_of(model_settings(frames->session->model), detail->fps_milli[row]);
    return detail->frame_ns[row] > limits.alert_ns;
}

static struct area table_area(struct area whole)
{
    return area_inside(area_centre(whole, whole.rows - 4, whole.columns));
}

static void draw(const void *state, struct canvas *canvas, struct area whole)
{
    const struct frames_table *table = state;
    struct area inside = table_area(whole),
                box = {inside.row - 1, inside.column - 1, inside.rows + 2, inside.columns + 2};
    struct list list = {.columns = columns,
                        .column_count = TABLE_COLUMNS,
                        .get = get_cell,
                        .is_marked = is_over,
                        .user = table->frames,
                        .sorted_by = -1,
                        .empty = "no frames"};
    char place[64];
    canvas_fill(canvas, box, ROLE_CHROME, " ");
    canvas_box(canvas, box, ROLE_BORDER, "frames (+ over the threshold)");
    list_draw(canvas, inside, &list, &table->scroll);
    scroll_print(&table->scroll, list_page(inside), place, sizeof place);
    canvas_print(canvas, box.row + box.rows - 1, box.column + 2, ROLE_MUTED,
                 " %s · Enter shows it in the chart ", place);
}

/* ---- finding, by event and label ---- */

static struct scroll places(const void *owner, int step)
{
    const struct frames_table *table = owner;
    (void)step;
    return table->scroll;
}

static bool has(const void *owner, int place, const char *text)
{
    const struct frames_table *table = owner;
    enum frame_label label = (enum frame_label)table->frames->detail->labels[place];
    return finder_contains(event_at(table->frames, (size_t)place), text) ||
           (label != LABEL_GAMEPLAY && finder_contains(frame_label_name(label), text));
}

static void go_to(void *owner, int place, struct screen_reply *reply)
{
    struct frames_table *table = owner;
    (void)reply;
    table->scroll.selected = place;
}

static const struct finder_way finder_way = {
    "find event or label", "no frame has ", " as its event or label", places, has, go_to};

static void destroy(void *state)
{
    struct frames_table *table = state;
    finder_set(&table->finder, NULL);
    free(table);
}

static bool act(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames_table *table = state;
    struct area inside = table_area(event->area);
    if (finder_act(&table->finder, &finder_way, table, event, reply))
        return true;
    if (scroll_act(&table->scroll, event, list_page(inside)))
        return true;
    if (event->action == ACTION_CLICK) {
        int row = list_row_at(inside, &table->scroll, event->row, event->column);
        if (row >= 0)
            scroll_select(&table->scroll, row, list_page(inside));
        return true;
    }
    if (event->action == ACTION_ENTER)
        frames_set_cursor(table->frames, (size_t)table->scroll.selected);
    if (event->action == ACTION_ENTER || event->action == ACTION_BACK || event->action == ACTION_CLOSE) {
        reply->close = true;
        return true;
    }
    return false;
}

static const struct hint hints[] = {
    {{ACTION_DOWN, ACTION_UP}, "move"},
    {{ACTION_ENTER}, "in the chart"},
    {{ACTION_BACK}, NULL},
    {{ACTION_FIND}, NULL},
    {{ACTION_COPY}, NULL},
    {{ACTION_WRITE}, NULL},
    {{ACTION_NONE}, NULL},
};

static const struct screen_type table_screen = {
    .kind = SCREEN_NONE,
    .name = "frames table",
    .overlay = true,
    .destroy = destroy,
    .draw = draw,
    .hints = hints,
    .act = act,
};

struct screen *frames_open_table(struct frames *frames)
{
    enum { CONTEXT = 6 };
    struct frames_table *table = memory_take_zeroed(1, sizeof *table);
    table->frames = frames;
    scroll_set_count(&table->scroll, (int)frames->detail->count);
    table->scroll.first = frames->cursor > CONTEXT ? (int)frames->cursor - CONTEXT : 0;
    table->scroll.selected = (int)frames->cursor;
    return screen_wrap(&table_screen, table);
}
