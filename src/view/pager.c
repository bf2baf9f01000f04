#include "stutterscope/view/pager.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pager_clear(struct pager *pager)
{
    free(pager->text);
    free(pager->lines);
    finder_set(&pager->finder, NULL);
    *pager = (struct pager){0};
}

void pager_set(struct pager *pager, const char *text)
{
    struct {
        char **items;
        size_t count, capacity;
    } lines = {0};
    int first = pager->scroll.first;
    free(pager->text);
    free(pager->lines);
    pager->text = memory_copy_text(text);
    pager->width = 0;
    for (char *at = pager->text; *at;) {
        char *line = at;
        int width;
        array_push(&lines, line);
        at += strcspn(at, "\n");
        if (*at)
            *at++ = '\0';
        width = (int)text_width(line);
        pager->width = width > pager->width ? width : pager->width;
    }
    pager->lines = lines.items;
    pager->line_count = lines.count;
    scroll_set_count(&pager->scroll, (int)lines.count);
    pager->scroll.first = first < (int)lines.count ? first : 0;
    pager->scroll.selected = pager->scroll.first;
}

static int top_line(const struct pager *pager, int page)
{
    int last = pager->scroll.count - page;
    int top = pager->scroll.first > last ? last : pager->scroll.first;
    return top > 0 ? top : 0;
}

void pager_draw(struct canvas *canvas, struct area area, const struct pager *pager)
{
    int top = top_line(pager, area.rows);
    for (int i = 0; i < area.rows && top + i < pager->scroll.count; i++) {
        const char *text = pager->lines[top + i];
        struct area line = {area.row + i, area.column, 1, area.columns};
        /* Lines that start with # are headings. */
        unsigned style = text[0] == '#' ? ROLE_TITLE : ROLE_CHROME;
        canvas_put_field(canvas, line.row, line.column, line.columns, style, ALIGN_LEFT, CUT_END, text);
        finder_mark(&pager->finder, canvas, line, text);
    }
}

bool pager_act(struct pager *pager, const struct screen_event *event, int page)
{
    pager->scroll.first = top_line(pager, page);
    return scroll_act_view(&pager->scroll, event, page);
}

static struct scroll places(const void *owner, int step)
{
    const struct pager *pager = owner;
    (void)step;
    return (struct scroll){.count = pager->scroll.count, .selected = pager->scroll.first};
}

static bool has(const void *owner, int place, const char *text)
{
    const struct pager *pager = owner;
    return finder_contains(pager->lines[place], text);
}

static void go_to(void *owner, int place, struct screen_reply *reply)
{
    struct pager *pager = owner;
    (void)reply;
    pager->scroll.first = pager->scroll.selected = place;
}

bool pager_find(struct pager *pager, const struct screen_event *event, struct screen_reply *reply)
{
    static const struct finder_way way = {"find", "", " is not in this text", places, has, go_to};
    return finder_act(&pager->finder, &way, pager, event, reply);
}

/* The overlay. */

#define WAY_OUT "  Esc closes"

struct pager_overlay {
    char *title;
    struct pager pager;
};

static struct area box_area(const struct pager_overlay *overlay, struct area whole)
{
    int width = (int)text_width(overlay->title) + 4;
    width = overlay->pager.width > width ? overlay->pager.width : width;
    return area_centre(whole, overlay->pager.scroll.count + 2, width + 4);
}

static struct area text_area(struct area box)
{
    return area_centre(box, box.rows - 2, box.columns - 4);
}

static void draw_overlay(const void *state, struct canvas *canvas, struct area whole)
{
    const struct pager_overlay *overlay = state;
    struct area box = box_area(overlay, whole), inside = text_area(box);
    char place[64];
    canvas_fill(canvas, box, ROLE_CHROME, " ");
    canvas_box(canvas, box, ROLE_BORDER, overlay->title);
    pager_draw(canvas, inside, &overlay->pager);
    if (inside.rows < overlay->pager.scroll.count) {
        struct scroll shown = {.count = overlay->pager.scroll.count,
                               .first = top_line(&overlay->pager, inside.rows)};
        shown.selected = shown.first;
        scroll_print(&shown, inside.rows, place, sizeof place);
        /* It covers the last line of the screen, where keys are named. */
        bool has_room = (int)strlen(place) + (int)strlen(WAY_OUT) + 2 <= box.columns - 4;
        canvas_print(canvas, box.row + box.rows - 1, box.column + 2, ROLE_MUTED, " %s%s ", place, has_room ? WAY_OUT : "");
    }
}

static char *joined_lines(const struct pager *pager)
{
    struct text_buffer text = {0};
    text_add(&text, "");
    for (size_t i = 0; i < pager->line_count; i++)
        text_add_print(&text, "%s\n", pager->lines[i]);
    return text_take(&text);
}

static bool act_overlay(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct pager_overlay *overlay = state;
    if (pager_act(&overlay->pager, event, text_area(box_area(overlay, event->area)).rows) ||
        pager_find(&overlay->pager, event, reply))
        return true;
    switch (event->action) {
    case ACTION_ENTER:
    case ACTION_BACK:
    case ACTION_CLOSE:
    case ACTION_HELP:
        reply->close = true;
        return true;
    case ACTION_COPY: /* all of it, not only what there is room for */
        reply->copy = joined_lines(&overlay->pager);
        return true;
    case ACTION_WRITE:
        reply->write = joined_lines(&overlay->pager);
        reply->write_name = memory_copy_text("stutterscope.txt");
        return true;
    default:
        return false;
    }
}

static void destroy_overlay(void *state)
{
    struct pager_overlay *overlay = state;
    pager_clear(&overlay->pager);
    free(overlay->title);
    free(overlay);
}

static const struct hint hints[] = {
    {{ACTION_DOWN, ACTION_UP}, "scroll"},
    {{ACTION_BACK}, NULL},
    {{ACTION_FIND}, NULL},
    {{ACTION_COPY}, NULL},
    {{ACTION_WRITE}, NULL},
    {{ACTION_NONE}, NULL},
};

static const struct screen_type pager_screen = {
    .kind = SCREEN_NONE,
    .name = "text",
    .overlay = true,
    .only_reads = true,
    .destroy = destroy_overlay,
    .draw = draw_overlay,
    .hints = hints,
    .act = act_overlay,
};

struct screen *pager_open(const char *title, const char *text)
{
    struct pager_overlay *overlay = memory_take_zeroed(1, sizeof *overlay);
    overlay->title = memory_copy_text(title);
    pager_set(&overlay->pager, text);
    return screen_wrap(&pager_screen, overlay);
}

char *pager_text(const struct screen *screen)
{
    const struct pager_overlay *overlay = screen->state;

    return screen->type == &pager_screen ? joined_lines(&overlay->pager) : NULL;
}
