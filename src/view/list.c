#include "stutterscope/view/list.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>

#define MARK_COLUMNS 2 /* cursor and mark at the left of every row */

int list_page(struct area area)
{
    return area.rows > LIST_HEAD_ROWS ? area.rows - LIST_HEAD_ROWS : 0;
}

int list_row_at(struct area area, const struct scroll *scroll, int row, int column)
{
    if (!area_contains(area, row, column) || row < area.row + LIST_HEAD_ROWS)
        return -1;
    int at = scroll_top(scroll, list_page(area)) + row - area.row - LIST_HEAD_ROWS;
    return at < scroll->count ? at : -1;
}

static void get_cell(const struct list *list, int row, int column, struct list_cell *ret)
{
    ret->text = "";
    ret->style = ROLE_CHROME;
    ret->scratch[0] = '\0';
    list->get(list->user, row, column, ret);
}

/* Columns that the head and the rows on the screen want. */
static int wanted_width(const struct list *list, const struct scroll *scroll, int page, int column)
{
    const struct list_column *rule = &list->columns[column];
    if (rule->most > 0 && rule->most == rule->least)
        return rule->most;
    int wanted = (int)text_width(rule->head) + (list->sorted_by == column ? 1 : 0);
    int top = scroll_top(scroll, page);
    for (int row = top; row < scroll->count && row < top + page; row++) {
        struct list_cell cell;
        get_cell(list, row, column, &cell);
        int width = (int)text_width(cell.text);
        if (width > wanted)
            wanted = width;
    }
    if (rule->most > 0 && wanted > rule->most)
        wanted = rule->most;
    return wanted < rule->least ? rule->least : wanted;
}

static int used_width(const int *widths, int count)
{
    int used = MARK_COLUMNS, shown = 0;
    for (int i = 0; i < count; i++) {
        used += widths[i];
        shown += widths[i] > 0;
    }
    return used + (shown > 1 ? (shown - 1) * LIST_GAP : 0);
}

/* The shown column that is the next to go; -1 when all others must stay. */
static int least_important(const struct list *list, const int *widths)
{
    int found = -1;
    for (int i = 0; i < list->column_count; i++)
        if (widths[i] > 0 && list->columns[i].priority > LINE_KEEP &&
            (found < 0 || list->columns[i].priority >= list->columns[found].priority))
            found = i;
    return found;
}

void list_fit_columns(const struct list *list, const struct scroll *scroll, struct area area, int *widths)
{
    int *wanted = memory_take((size_t)(list->column_count + 1) * sizeof *wanted);
    for (int i = 0; i < list->column_count; i++)
        widths[i] = wanted[i] = wanted_width(list, scroll, list_page(area), i);
    /* First the columns give up what they have over their least width, then the least important ones go. */
    int excess = used_width(widths, list->column_count) - area.columns;
    for (int i = list->column_count - 1; i >= 0 && excess > 0; i--) {
        int least = list->columns[i].least > 0 ? list->columns[i].least : 1;
        int give = widths[i] - least;
        if (give > excess)
            give = excess;
        if (give > 0) {
            widths[i] -= give;
            excess -= give;
        }
    }
    int gone = 0;
    while (used_width(widths, list->column_count) > area.columns &&
           (gone = least_important(list, widths)) >= 0)
        widths[gone] = 0;
    /* A column that went may have left more room than was needed: the others get back what they wanted. */
    for (int i = 0; i < list->column_count; i++) {
        int spare = area.columns - used_width(widths, list->column_count);
        if (widths[i] == 0 || spare <= 0)
            continue;
        int more = wanted[i] - widths[i];
        widths[i] += more < spare ? (more > 0 ? more : 0) : spare;
    }
    free(wanted);
    int spare = area.columns - used_width(widths, list->column_count);
    for (int i = 0; i < list->column_count && spare > 0; i++)
        if (list->columns[i].takes_rest && widths[i] > 0) {
            widths[i] += spare;
            spare = 0;
        }
}

static void draw_head(struct canvas *canvas, struct area area, const struct list *list, const int *widths)
{
    int at = area.column + MARK_COLUMNS;
    for (int i = 0; i < list->column_count; i++) {
        if (widths[i] == 0)
            continue;
        const struct list_column *rule = &list->columns[i];
        char *head = list->sorted_by == i ? memory_print("%s%s", rule->head, list->descending ? "▾" : "▴")
                                          : memory_copy_text(rule->head);
        canvas_put_field(canvas, area.row, at, widths[i], ROLE_HEAD | (list->sorted_by == i ? STYLE_BOLD : 0),
                         rule->align, CUT_MIDDLE, head);
        free(head);
        at += widths[i] + LIST_GAP;
    }
}

static void draw_row(struct canvas *canvas, struct area line, const struct list *list, const int *widths,
                     int row, bool selected)
{
    bool marked = list->is_marked != NULL && list->is_marked(list->user, row);
    unsigned ground = selected ? ROLE_SELECTED : marked ? ROLE_MARKED : ROLE_CHROME;
    canvas_fill(canvas, line, ground, " ");
    canvas_put(canvas, line.row, line.column, ground, selected ? "▸" : " ");
    if (marked)
        canvas_put(canvas, line.row, line.column + 1, ROLE_MARKED, "+");
    int at = line.column + MARK_COLUMNS;
    for (int i = 0; i < list->column_count; i++) {
        if (widths[i] == 0)
            continue;
        struct list_cell cell;
        get_cell(list, row, i, &cell);
        unsigned style = cell.style;
        if (STYLE_ROLE(style) == ROLE_CHROME)
            style = STYLE_FLAGS(style) | ground;
        canvas_put_field(canvas, line.row, at, widths[i], style, list->columns[i].align, list->columns[i].cut,
                         cell.text);
        at += widths[i] + LIST_GAP;
    }
}

void list_draw(struct canvas *canvas, struct area area, const struct list *list, const struct scroll *scroll)
{
    if (area.rows <= 0 || area.columns <= 0)
        return;
    if (scroll->count == 0) {
        canvas_put_wrapped(canvas, area, ROLE_CHROME, list->empty ? list->empty : "nothing here");
        return;
    }
    int *widths = memory_take_zeroed((size_t)list->column_count, sizeof *widths);
    int page = list_page(area), top = scroll_top(scroll, page);
    list_fit_columns(list, scroll, area, widths);
    draw_head(canvas, area, list, widths);
    for (int i = 0; i < page && top + i < scroll->count; i++)
        draw_row(canvas, (struct area){area.row + LIST_HEAD_ROWS + i, area.column, 1, area.columns}, list,
                 widths, top + i, top + i == scroll->selected);
    free(widths);
}
