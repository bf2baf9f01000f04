/* The text of the ticket, wrapped as far as it is too wide; beside it checks and members. */
#include "ticket_view.h"

#include "stutterscope/base/text.h"

enum { SIDE_FROM = 96, SIDE_COLUMNS = 31 };

int ticket_page(struct area body)
{
    return body.rows > 1 ? body.rows : 1;
}

static void draw_text(const struct ticket_view *view, struct canvas *canvas, struct area area)
{
    const struct pager *pager = &view->pager;
    area_take_left(&area, 1);
    for (size_t i = (size_t)pager->scroll.first; i < pager->line_count && area.rows > 0; i++) {
        const char *line = pager->lines[i];
        unsigned style = line[0] == '#' ? ROLE_TITLE : ROLE_CHROME;
        int rows = *line ? canvas_put_wrapped(canvas, area, style, line) : 1;
        area_take_top(&area, rows > 0 ? rows : 1);
    }
}

static struct area put_heading(struct canvas *canvas, struct area area, const char *text)
{
    canvas_put_field(canvas, area.row, area.column, area.columns, ROLE_TITLE, ALIGN_LEFT, CUT_END, text);
    area_take_top(&area, 1);
    return area;
}

static void draw_side(const struct ticket_view *view, struct canvas *canvas, struct area area)
{
    canvas_vertical(canvas, area.row, area.column, area.rows, ROLE_BORDER, "│");
    area_take_left(&area, 1);
    area = put_heading(canvas, area, "CHECKS");
    for (size_t i = 0; i < view->checks.count && area.rows > 0; i++) {
        const struct ticket_check *check = &view->checks.items[i];
        struct area text = area;
        canvas_put(canvas, area.row, area.column, check->good ? ROLE_GOOD : ROLE_WARNING | STYLE_BOLD,
                   check->good ? "✓" : "!");
        area_take_left(&text, 2);
        int rows = canvas_put_wrapped(canvas, text, check->good ? ROLE_CHROME : ROLE_WARNING, check->text);
        area_take_top(&area, rows > 0 ? rows : 1);
    }
    area_take_top(&area, 1);
    if (area.rows < 2)
        return;
    area = put_heading(canvas, area, "MEMBERS (Space)");
    for (size_t i = 0; i < view->members.count && area.rows > 0; i++) {
        const struct ticket_member *member = &view->members.items[i];
        canvas_put(canvas, area.row, area.column, member->in ? ROLE_MARKED : ROLE_MUTED,
                   member->in ? "+" : "-");
        canvas_put_field(canvas, area.row, area.column + 2, area.columns - 2,
                         member->in ? ROLE_CHROME : ROLE_MUTED, ALIGN_LEFT, CUT_MIDDLE, member->title);
        area_take_top(&area, 1);
    }
}

void ticket_draw(const void *state, struct canvas *canvas, struct area area)
{
    const struct ticket_view *view = state;
    if (area.rows < 1 || area.columns < 8)
        return;
    if (area.columns >= SIDE_FROM && view->has_entry) {
        struct area side = area_take_right(&area, SIDE_COLUMNS);
        area_take_right(&area, 1);
        draw_side(view, canvas, side);
    }
    if (view->trouble && !view->edited) {
        area_take_left(&area, 2);
        canvas_put_wrapped(canvas, area, ROLE_CHROME, view->trouble);
        return;
    }
    draw_text(view, canvas, area);
}
