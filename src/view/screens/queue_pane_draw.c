/* How the pane looks: a table of devices, then sentences. */
#include "queue.h"

#include "figure_text.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/chart.h"
#include <stdio.h>

enum pane_column {
    PANE_DEVICE,
    PANE_QUALITY,
    PANE_PEAK,
    PANE_BASE,
    PANE_DELTA,
    PANE_RUNS,
    PANE_SEVERITY,
    PANE_CPU,
    PANE_GPU,
    PANE_CAUSE,
    PANE_BUILDS,
    PANE_COLUMN_COUNT
};

static const struct list_column pane_columns[PANE_COLUMN_COUNT] = {
    [PANE_DEVICE] = {"device", 10, 26, LINE_KEEP, ALIGN_LEFT, CUT_MIDDLE},
    [PANE_QUALITY] = {"Q", 6, 7, 8, ALIGN_LEFT, CUT_END},
    [PANE_PEAK] = {"peak", 5, 7, LINE_KEEP, ALIGN_RIGHT, CUT_HIDE},
    [PANE_BASE] = {"base", 4, 7, 5, ALIGN_RIGHT, CUT_HIDE},
    [PANE_DELTA] = {"Δ", 5, 8, 2, ALIGN_RIGHT, CUT_HIDE},
    [PANE_RUNS] = {"runs", 9, 18, 1, ALIGN_LEFT, CUT_END},
    [PANE_SEVERITY] = {"sev", 5, 7, 3, ALIGN_RIGHT, CUT_HIDE},
    [PANE_CPU] = {"CPU", 4, 6, 6, ALIGN_RIGHT, CUT_HIDE},
    [PANE_GPU] = {"GPU", 4, 6, 7, ALIGN_RIGHT, CUT_HIDE},
    [PANE_CAUSE] = {"cause (est.)", 12, 0, 4, ALIGN_LEFT, CUT_END, .takes_rest = true},
    [PANE_BUILDS] = {"builds", QUEUE_BUILDS / 2, QUEUE_BUILDS / 2, 9, ALIGN_LEFT, CUT_HIDE},
};

static void put_word(struct list_cell *cell, struct figure_text text)
{
    text_print(cell->scratch, sizeof cell->scratch, "%s", text.text);
    cell->text = cell->scratch;
}

static void get_pane_cell(const void *user, int row, int column, struct list_cell *ret)
{
    const struct queue *queue = user;
    const struct pane_member *member = &queue->pane.members.items[row];
    const struct stutter_entry *entry = member->entry;
    switch ((enum pane_column)column) {
    case PANE_DEVICE:
        ret->text = member->device;
        break;
    case PANE_QUALITY:
        ret->text = member->quality;
        break;
    case PANE_PEAK:
        put_word(ret, entry->present ? figure_ms(entry->stutter.peak_ns) : (struct figure_text){"gone"});
        break;
    case PANE_BASE:
        put_word(ret, figure_ms(entry->baseline_peak_ns));
        ret->style = ROLE_BASELINE;
        break;
    case PANE_DELTA:
        put_word(ret, figure_delta_ms(entry->delta_peak_ns));
        break;
    case PANE_RUNS:
        ret->text = member->strip;
        break;
    case PANE_SEVERITY:
        put_word(ret, entry->present ? figure_number(entry->severity, 1) : (struct figure_text){""});
        break;
    case PANE_CPU:
        put_word(ret, figure_ms(member->cpu_ns));
        break;
    case PANE_GPU:
        put_word(ret, figure_ms(member->gpu_ns));
        break;
    case PANE_CAUSE:
        ret->text = member->cause;
        ret->style = ROLE_ESTIMATE;
        break;
    default:
        break;
    }
}

static struct list pane_list(const struct queue *queue)
{
    return (struct list){.columns = pane_columns,
                         .column_count = PANE_COLUMN_COUNT,
                         .get = get_pane_cell,
                         .user = queue,
                         .sorted_by = -1};
}

/* The member at the cursor when the line is unfolded; no row is selected otherwise. */
static int member_row(const struct queue *queue)
{
    const struct queue_row *row = &queue->rows.items[queue->selected];
    return row->kind == ROW_MEMBER ? (int)row->member : -1;
}

static void draw_sparklines(const struct queue *queue, struct canvas *canvas, struct area area,
                            const struct list *list, const struct scroll *scroll)
{
    int widths[PANE_COLUMN_COUNT] = {0}, at = area.column + 2, page = list_page(area);
    list_fit_columns(list, scroll, area, widths);
    if (widths[PANE_BUILDS] == 0)
        return;
    for (int i = 0; i < PANE_BUILDS; i++)
        at += widths[i] ? widths[i] + LIST_GAP : 0;
    int top = scroll_top(scroll, page);
    for (int i = 0; i < page && top + i < scroll->count; i++)
        chart_put_sparkline(canvas, area.row + LIST_HEAD_ROWS + i, at, ROLE_LANE_1,
                            queue->pane.members.items[top + i].history, QUEUE_BUILDS, 0, queue->pane.highest);
}

static int member_rows(const struct queue *queue)
{
    return queue->pane.members.count ? (int)queue->pane.members.count + LIST_HEAD_ROWS : 0;
}

int queue_pane_rows(const struct queue *queue, struct area area)
{
    (void)area;
    return member_rows(queue) + (int)queue->pane.texts.count;
}

/* A list always has a selected row; while the line as a whole is selected, none of its devices is. */
static void take_cursor_away(struct canvas *canvas, struct area area)
{
    int row = area.row + LIST_HEAD_ROWS;
    if (area.rows <= LIST_HEAD_ROWS)
        return;
    for (int column = area.column; column < area.column + area.columns; column++) {
        const struct canvas_cell *cell = canvas_cell(canvas, row, column);
        if (cell == NULL || cell->width == 0 || STYLE_ROLE(cell->style) != ROLE_SELECTED)
            continue;
        char text[CANVAS_TEXT_SIZE];
        text_print(text, sizeof text, "%s", cell->text);
        canvas_put(canvas, row, column, ROLE_CHROME | STYLE_FLAGS(cell->style),
                   column == area.column ? " " : text);
    }
}

void queue_pane_draw(const struct queue *queue, struct canvas *canvas, struct area area)
{
    const struct queue_pane *pane = &queue->pane;
    int texts = (int)pane->texts.count;
    if (pane->members.count) {
        /* At least two rows of devices; texts give way from the end. */
        int most = area.rows - (texts < 2 ? texts : 2);
        struct area top = area_take_top(&area, member_rows(queue) < most ? member_rows(queue) : most);
        struct list list = pane_list(queue);
        int at = member_row(queue);
        struct scroll scroll = {.count = (int)pane->members.count, .selected = at < 0 ? 0 : at};
        list_draw(canvas, top, &list, &scroll);
        if (at < 0)
            take_cursor_away(canvas, top);
        draw_sparklines(queue, canvas, top, &list, &scroll);
    }
    for (int i = 0; i < texts && i < area.rows; i++) {
        const struct pane_text *text = &pane->texts.items[i];
        int indent = *text->label ? 11 : 2;

        canvas_put_field(canvas, area.row + i, area.column + 2, 8, ROLE_HEAD, ALIGN_LEFT, CUT_END,
                         text->label);
        canvas_put_field(canvas, area.row + i, area.column + indent, area.columns - indent, text->style,
                         ALIGN_LEFT, CUT_END, text->text);
    }
}
