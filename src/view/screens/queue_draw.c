/* The list of lines with its sections, and the pane below it. */
#include "queue.h"

#include "figure_text.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/chart.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_ROWS = 1 /* column heads */, SECTION_GAP = 3, LEAST_BODY_FOR_PANE = 13, ROOM_FOR_REASON = 20 };

static bool is_folded_section(const struct queue *queue, size_t row)
{
    const struct queue_row *item = &queue->rows.items[row];
    return item->kind == ROW_SECTION && !queue_section_is_open(queue, item->section);
}

/* What a section's lines have in common, for wide screens. */
static const char *section_note(enum queue_section section)
{
    static const char *const notes[SECTION_COUNT] = {
        [SECTION_VERIFY] = "filed or done, V compares",
        [SECTION_DECIDED] = "filed, known …",
        [SECTION_UNCLEAR] = "not comparable",
        [SECTION_ONCE] = "not often enough, wait",
        [SECTION_SAME] = "",
        [SECTION_GONE] = "was there, event seen, no hit",
        [SECTION_NOT_EXERCISED] = "event not seen",
        [SECTION_TRANSITIONS] = "in no verdict",
    };
    return notes[section];
}

static size_t count_section(const struct queue *queue, enum queue_section section)
{
    return queue->counts[section];
}

static char *section_text(const struct queue *queue, size_t row, int columns)
{
    enum queue_section section = queue->rows.items[row].section;
    bool folded = is_folded_section(queue, row);
    const char *note = columns >= 100 ? section_note(section) : "";
    return memory_print("%s %s %zu%s%s", folded ? "▸" : "▾", queue_section_title(section),
                        count_section(queue, section), *note ? "  " : "", note);
}

int queue_lay(const struct queue *queue, int columns, struct queue_place *places)
{
    int row = 0, column = 0; /* row 0 is the heading of what is to decide, on which no cursor stands */
    bool joins = false;      /* the row before is a folded section */
    for (size_t i = 0; i < queue->rows.count; i++) {
        int width = 0;
        bool folded = is_folded_section(queue, i);
        if (folded) {
            char *text = section_text(queue, i, columns);
            width = (int)text_width(text);
            free(text);
        }
        if (!(folded && joins && column + width <= columns)) {
            row++;
            column = 0;
        }
        places[i] = (struct queue_place){row, column};
        column += width + SECTION_GAP;
        joins = folded;
    }
    return row + 1;
}

static struct queue_place *lay(const struct queue *queue, int columns, int *ret_rows)
{
    struct queue_place *places = memory_take_zeroed(queue->rows.count + 1, sizeof *places);
    *ret_rows = queue_lay(queue, columns, places);
    return places;
}

static int pane_height(const struct queue *queue, struct area body)
{
    if (body.rows < LEAST_BODY_FOR_PANE || queue->pane.title == NULL)
        return 0;
    bool boxed = body.rows >= 20;
    int rows = 0, wanted = queue_pane_rows(queue, body) + (boxed ? 2 : 1);
    free(lay(queue, body.columns, &rows));
    int most = body.rows - HEAD_ROWS - rows; /* without scrolling the list */
    int least = body.rows * 2 / 5;
    if (most < least)
        most = least;
    return wanted < most ? wanted : most;
}

struct area queue_list_area(const struct queue *queue, struct area body)
{
    area_take_bottom(&body, pane_height(queue, body));
    return body;
}

/* ---- columns ---- */

enum queue_column {
    QUEUE_MARK,
    QUEUE_WHAT,
    QUEUE_WHERE,
    QUEUE_DEVICES,
    QUEUE_SEVERITY,
    QUEUE_PEAK,
    QUEUE_DELTA,
    QUEUE_RUNS,
    QUEUE_WHY,
    QUEUE_COLUMN_COUNT
};

static const struct list_column line_columns[QUEUE_COLUMN_COUNT] = {
    [QUEUE_MARK] = {"", 1, 1, LINE_KEEP, ALIGN_LEFT, CUT_HIDE},
    [QUEUE_WHAT] = {"what", 12, 26, LINE_KEEP, ALIGN_LEFT, CUT_MIDDLE},
    [QUEUE_WHERE] = {"scene", 8, 18, 3, ALIGN_LEFT, CUT_MIDDLE},
    [QUEUE_DEVICES] = {"devices", 10, 22, 6, ALIGN_LEFT, CUT_END},
    [QUEUE_SEVERITY] = {"sev", 3, 6, 7, ALIGN_RIGHT, CUT_HIDE},
    [QUEUE_PEAK] = {"peak", 5, 7, LINE_KEEP, ALIGN_RIGHT, CUT_HIDE},
    [QUEUE_DELTA] = {"Δ", 6, 8, 5, ALIGN_RIGHT, CUT_HIDE},
    [QUEUE_RUNS] = {"runs", 4, 7, 2, ALIGN_RIGHT, CUT_HIDE},
    [QUEUE_WHY] = {"why it is here", 6, 0, 4, ALIGN_LEFT, CUT_END, .takes_rest = true},
};

static unsigned mark_style(const struct queue_line *line)
{
    if (line->section == SECTION_DECIDE)
        return line->kind == QUEUE_SILENT || line->kind == QUEUE_PARTIAL ? ROLE_MISSING : ROLE_DECIDE;
    return line->section == SECTION_ONCE || line->section == SECTION_UNCLEAR ? ROLE_WAIT : ROLE_MUTED;
}

static void put_word(struct list_cell *cell, struct figure_text text)
{
    text_print(cell->scratch, sizeof cell->scratch, "%s", text.text);
    cell->text = cell->scratch;
}

static void get_line_cell(const struct queue *queue, const struct queue_line *line, int column,
                          struct list_cell *ret)
{
    switch ((enum queue_column)column) {
    case QUEUE_MARK:
        ret->text = queue_line_mark(line);
        ret->style = mark_style(line) | STYLE_BOLD;
        break;
    case QUEUE_WHAT:
        ret->text = line->what;
        break;
    case QUEUE_WHERE:
        ret->text = line->where;
        break;
    case QUEUE_DEVICES:
        ret->text = line->devices;
        break;
    case QUEUE_SEVERITY:
        if (line->kind == QUEUE_STUTTER)
            put_word(ret, figure_number(line->severity, 0));
        break;
    case QUEUE_PEAK:
        if (line->verdict == VERDICT_GONE && line->kind == QUEUE_STUTTER)
            ret->text = "gone";
        else
            put_word(ret, figure_ms(line->peak_ns));
        break;
    case QUEUE_DELTA:
        if (!queue->hides_delta)
            put_word(ret, figure_delta_ms(line->delta_ns));
        break;
    case QUEUE_RUNS:
        if (line->kind != QUEUE_DRIFT && line->kind != QUEUE_SLOW)
            put_word(ret, figure_share(line->runs_hit, line->runs));
        break;
    default:
        ret->text = line->why;
        break;
    }
}

static void get_member_cell(const struct queue *queue, const struct queue_line *line, size_t at, int column,
                            struct list_cell *ret)
{
    const struct stutter_entry *entry = &line->members.items[at];
    const char *quality = model_quality_name(queue->session->model, entry->stutter.key.quality);
    const struct device_row *device = model_device(queue->session->model, entry->stutter.key.device);
    const char mark[2] = {verdict_mark(entry->verdict), '\0'};
    switch ((enum queue_column)column) {
    case QUEUE_MARK:
        snprintf(ret->scratch, sizeof ret->scratch, "%s", line->section == SECTION_TRANSITIONS ? "" : mark);
        ret->text = ret->scratch;
        break;
    case QUEUE_WHAT:
        text_print(ret->scratch, sizeof ret->scratch, "  %s", device ? model_device_title(device) : "?");
        ret->text = ret->scratch;
        break;
    case QUEUE_WHERE:
        ret->text = quality ? quality : "";
        break;
    case QUEUE_SEVERITY:
        put_word(ret, entry->present ? figure_number(entry->severity, 0) : (struct figure_text){""});
        break;
    case QUEUE_PEAK:
        put_word(ret, entry->present ? figure_ms(entry->stutter.peak_ns) : (struct figure_text){"gone"});
        break;
    case QUEUE_DELTA:
        if (!queue->hides_delta)
            put_word(ret, figure_delta_ms(entry->delta_peak_ns));
        break;
    case QUEUE_RUNS:
        put_word(ret, figure_share(entry->stutter.runs_hit, entry->stutter.runs));
        break;
    case QUEUE_WHY:
        ret->text = entry->reason[0] ? entry->reason : verdict_name(entry->verdict);
        break;
    default:
        break;
    }
}

static void get_drift_cell(const struct queue *queue, const struct queue_line *line, size_t at, int column,
                           struct list_cell *ret)
{
    const struct group_comparison *drift = &line->drifts.items[at];
    const struct device_row *device = model_device(queue->session->model, drift->key.device);
    if (column == QUEUE_WHAT) {
        text_print(ret->scratch, sizeof ret->scratch, "  %s", device ? model_device_title(device) : "?");
        ret->text = ret->scratch;
    } else if (column == QUEUE_PEAK) {
        put_word(ret, figure_number(drift->comparison.after, 1));
    } else if (column == QUEUE_WHY) {
        ret->text = drift->comparison.reason;
    }
}

static void get_cell(const void *user, int row, int column, struct list_cell *ret)
{
    const struct queue *queue = user;
    const struct queue_row *item = &queue->rows.items[row];
    if (item->kind == ROW_SECTION)
        return;
    const struct queue_line *line = &queue->lines.items[item->line];
    if (item->kind == ROW_LINE)
        get_line_cell(queue, line, column, ret);
    else if (line->kind == QUEUE_STUTTER)
        get_member_cell(queue, line, item->member, column, ret);
    else
        get_drift_cell(queue, line, item->member, column, ret);
}

static struct list line_list(const struct queue *queue)
{
    static const int sorted_columns[ORDER_COUNT] = {
        [ORDER_SEVERITY] = QUEUE_SEVERITY, [ORDER_PEAK] = QUEUE_PEAK, [ORDER_CHANGE] = QUEUE_DELTA,
        [ORDER_RUNS] = QUEUE_RUNS,         [ORDER_WHAT] = QUEUE_WHAT, [ORDER_WHERE] = QUEUE_WHERE};
    bool normal = queue->order == ORDER_SEVERITY && !queue->reversed;
    bool by_name = queue->order == ORDER_WHAT || queue->order == ORDER_WHERE;
    return (struct list){.columns = line_columns,
                         .column_count = QUEUE_COLUMN_COUNT,
                         .get = get_cell,
                         .user = queue,
                         .sorted_by = normal ? -1 : sorted_columns[queue->order],
                         .descending = by_name == queue->reversed};
}

/* ---- rows ---- */

static bool is_marked(const struct queue *queue, size_t row)
{
    const struct queue_row *item = &queue->rows.items[row];
    const struct queue_line *line = queue_line_at(queue, row);
    if (line == NULL || line->kind != QUEUE_STUTTER)
        return false;
    if (item->kind == ROW_MEMBER)
        return session_is_marked(queue->session, line->members.items[item->member].id);
    for (size_t i = 0; i < line->members.count; i++)
        if (session_is_marked(queue->session, line->members.items[i].id))
            return true;
    return false;
}

/* The reason where there is room for it, else one word. */
static const char *short_why(const struct queue *queue, size_t row)
{
    const struct queue_line *line = queue_line_at(queue, row);
    const struct stutter_entry *entry = queue_entry_at(queue, row);
    if (line->kind == QUEUE_SILENT || line->kind == QUEUE_PARTIAL)
        return line->kind == QUEUE_SILENT ? "silent" : "fewer";
    if (line->section == SECTION_TRANSITIONS)
        return "";
    enum verdict verdict = entry ? entry->verdict : line->verdict;
    return verdict == VERDICT_NONE ? "none" : verdict_name(verdict);
}

static void draw_fields(const struct queue *queue, struct canvas *canvas, struct area line, const int *widths,
                        size_t row)
{
    bool selected = row == queue->selected, marked = is_marked(queue, row);
    unsigned ground = selected ? ROLE_SELECTED : marked ? ROLE_MARKED : ROLE_CHROME;
    int at = line.column + 2;
    canvas_fill(canvas, line, ground, " ");
    canvas_put(canvas, line.row, line.column, ground, selected ? "▸" : " ");
    if (marked)
        canvas_put(canvas, line.row, line.column + 1, ROLE_MARKED, "+");
    for (int i = 0; i < QUEUE_COLUMN_COUNT; i++) {
        if (widths[i] == 0)
            continue;
        struct list_cell cell = {.text = "", .style = ROLE_CHROME};
        get_cell(queue, (int)row, i, &cell);
        if (i == QUEUE_WHY && widths[i] < ROOM_FOR_REASON)
            cell.text = short_why(queue, row);
        unsigned style =
            STYLE_ROLE(cell.style) == ROLE_CHROME ? STYLE_FLAGS(cell.style) | ground : cell.style;
        canvas_put_field(canvas, line.row, at, widths[i], style, line_columns[i].align, line_columns[i].cut,
                         cell.text);
        at += widths[i] + LIST_GAP;
    }
}

static void draw_section(const struct queue *queue, struct canvas *canvas, struct area line, int column,
                         size_t row)
{
    char *text = section_text(queue, row, line.columns);
    unsigned style = row == queue->selected ? ROLE_SELECTED : ROLE_TITLE;
    int width = (int)text_width(text), room = line.columns - column;
    canvas_put_field(canvas, line.row, line.column + column, width < room ? width : room, style, ALIGN_LEFT,
                     CUT_END, text);
    free(text);
}

static void draw_heads(struct canvas *canvas, struct area area, const struct list *list, const int *widths)
{
    int at = area.column + 2;
    for (int i = 0; i < QUEUE_COLUMN_COUNT; i++) {
        if (widths[i] == 0)
            continue;
        bool sorted = list->sorted_by == i;
        bool why = i == QUEUE_WHY && widths[i] < ROOM_FOR_REASON;
        char *head = memory_print("%s%s", why ? "why" : line_columns[i].head,
                                  !sorted            ? ""
                                  : list->descending ? "▾"
                                                     : "▴");
        canvas_put_field(canvas, area.row, at, widths[i], ROLE_HEAD | (sorted ? STYLE_BOLD : 0),
                         line_columns[i].align, CUT_END, head);
        free(head);
        at += widths[i] + LIST_GAP;
    }
}

static void draw_nothing(const struct queue *queue, struct canvas *canvas, struct area area)
{
    const char *text =
        queue->session->build == 0 ? "The store is empty: `stutterscope import FILE` puts telemetry into it."
        : queue->filtered          ? "The filter hides everything: f changes it, an empty one shows all."
                                   : "No stutter here: nothing is over the alert threshold in this scope.";
    area_take_left(&area, 2);
    canvas_put_wrapped(canvas, area, ROLE_CHROME, text);
}

/* Widths from all rows, so that they stay the same while one scrolls. */
static void fit(const struct queue *queue, struct area area, int *widths)
{
    struct list list = line_list(queue);
    struct scroll all = {.count = (int)queue->rows.count};
    area.rows = all.count + LIST_HEAD_ROWS;
    list_fit_columns(&list, &all, area, widths);
}

static int list_rows(struct area area)
{
    return area.rows > HEAD_ROWS ? area.rows - HEAD_ROWS : 0;
}

/* The heading of what is to decide is seen together with its first line. */
static int top_row(const struct queue *queue, const struct queue_place *places, int rows, int page)
{
    struct scroll scroll = {.count = rows, .first = queue->first};
    if (queue->rows.count)
        scroll.selected = places[queue->selected].row;
    int top = scroll_top(&scroll, page);
    return top == 1 && scroll.selected < page ? 0 : top;
}

static void draw_list(const struct queue *queue, struct canvas *canvas, struct area area)
{
    int widths[QUEUE_COLUMN_COUNT] = {0}, rows = 0;
    struct list list = line_list(queue);
    fit(queue, area, widths);
    struct area heads = area_take_top(&area, 1);
    draw_heads(canvas, heads, &list, widths);
    struct queue_place *places = lay(queue, area.columns, &rows);
    int top = top_row(queue, places, rows, area.rows);
    if (top == 0 && area.rows > 0)
        canvas_print(canvas, area.row, area.column + 1, ROLE_TITLE, "TO DECIDE %zu%s",
                     count_section(queue, SECTION_DECIDE),
                     queue->counts[SECTION_DECIDE] ? "" : queue->to_decide ? "  nothing in this scope" : "  nothing is left");
    if (queue->rows.count == 0) {
        area_take_top(&area, 1);
        draw_nothing(queue, canvas, area);
    }
    for (size_t i = 0; i < queue->rows.count; i++) {
        int at = places[i].row - top;
        struct area line = {area.row + at, area.column, 1, area.columns};
        if (at < 0 || at >= area.rows)
            continue;
        if (queue->rows.items[i].kind == ROW_SECTION)
            draw_section(queue, canvas, line, places[i].column, i);
        else
            draw_fields(queue, canvas, line, widths, i);
    }
    free(places);
}

void queue_draw(const void *state, struct canvas *canvas, struct area area)
{
    const struct queue *queue = state;
    int rows = pane_height(queue, area);
    struct area pane = area_take_bottom(&area, rows);
    draw_list(queue, canvas, area);
    if (rows < 2)
        return;
    if (area.rows + rows >= 20) {
        canvas_box(canvas, pane, ROLE_BORDER, queue->pane.title);
        pane = area_inside(pane);
    } else {
        canvas_horizontal(canvas, pane.row, pane.column, pane.columns, ROLE_BORDER, "─");
        canvas_print(canvas, pane.row, pane.column + 2, ROLE_TITLE, " %s ", queue->pane.title);
        area_take_top(&pane, 1);
    }
    queue_pane_draw(queue, canvas, pane);
}

int queue_row_at(const struct queue *queue, struct area body, int row, int column)
{
    struct area area = queue_list_area(queue, body);
    int rows = 0, found = -1;
    if (!area_contains(area, row, column) || queue->rows.count == 0)
        return -1;
    struct queue_place *places = lay(queue, area.columns, &rows);
    int wanted = row - area.row - HEAD_ROWS + top_row(queue, places, rows, list_rows(area));
    for (size_t i = 0; i < queue->rows.count && row >= area.row + HEAD_ROWS; i++)
        if (places[i].row == wanted && area.column + places[i].column <= column)
            found = (int)i;
    free(places);
    return found;
}

void queue_show_selected(struct queue *queue, struct area body)
{
    struct area area = queue_list_area(queue, body);
    int rows = 0;
    struct queue_place *places = lay(queue, area.columns, &rows);
    queue->first = top_row(queue, places, rows, list_rows(area));
    free(places);
}
