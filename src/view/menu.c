#include "stutterscope/view/menu.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/finder.h"
#include <stdlib.h>
#include <string.h>

struct menu {
    char *title;
    struct {
        char **items;
        size_t count, capacity;
    } items, notes;
    struct scroll scroll;
    void *owner;
    void (*choose)(void *owner, int index, struct screen_reply *reply);
    enum action again;
    struct finder finder;
};

#define MENU_GAP 2

static int widest(char *const *texts, size_t count)
{
    int width = 0;
    for (size_t i = 0; i < count; i++) {
        int wanted = texts[i] ? (int)text_width(texts[i]) : 0;
        width = wanted > width ? wanted : width;
    }
    return width;
}

static struct area box_area(const struct menu *menu, struct area whole)
{
    int notes = widest(menu->notes.items, menu->notes.count);
    int width = widest(menu->items.items, menu->items.count) + (notes ? notes + MENU_GAP : 0) + 2;
    int title = (int)text_width(menu->title) + 2;
    return area_centre(whole, (int)menu->items.count + 2, (width > title ? width : title) + 4);
}

static void draw(const void *state, struct canvas *canvas, struct area whole)
{
    const struct menu *menu = state;
    struct area box = box_area(menu, whole), inside = area_inside(box);
    int top = scroll_top(&menu->scroll, inside.rows);
    int width = widest(menu->items.items, menu->items.count);
    canvas_fill(canvas, box, ROLE_CHROME, " ");
    canvas_box(canvas, box, ROLE_BORDER, menu->title);
    for (int i = 0; i < inside.rows && top + i < menu->scroll.count; i++) {
        bool selected = top + i == menu->scroll.selected;
        unsigned style = selected ? ROLE_SELECTED : ROLE_CHROME;
        size_t at = (size_t)top + (size_t)i;
        const char *note = at < menu->notes.count ? menu->notes.items[at] : NULL;
        canvas_fill(canvas, (struct area){inside.row + i, inside.column, 1, inside.columns}, style, " ");
        canvas_put(canvas, inside.row + i, inside.column, style, selected ? "▸" : " ");
        canvas_put_field(canvas, inside.row + i, inside.column + 2,
                         width < inside.columns - 3 ? width : inside.columns - 3, style, ALIGN_LEFT,
                         CUT_MIDDLE, menu->items.items[top + i]);
        if (note)
            canvas_put_field(canvas, inside.row + i, inside.column + 2 + width + MENU_GAP,
                             inside.columns - 3 - width - MENU_GAP, style, ALIGN_LEFT, CUT_END, note);
    }
}

static struct scroll places(const void *owner, int step)
{
    const struct menu *menu = owner;
    (void)step;
    return menu->scroll;
}

static bool has(const void *owner, int place, const char *text)
{
    const struct menu *menu = owner;
    const char *note = (size_t)place < menu->notes.count ? menu->notes.items[place] : NULL;
    return finder_contains(menu->items.items[place], text) || finder_contains(note, text);
}

static void go_to(void *owner, int place, struct screen_reply *reply)
{
    struct menu *menu = owner;
    (void)reply;
    menu->scroll.selected = place;
}

static const struct finder_way finder_way = {"find", "nothing here has ", "", places, has, go_to};

static void choose(struct menu *menu, struct screen_reply *reply)
{
    reply->close = true;
    if (menu->scroll.count > 0)
        menu->choose(menu->owner, menu->scroll.selected, reply);
}

static bool act(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct menu *menu = state;
    struct area inside = area_inside(box_area(menu, event->area));
    if (scroll_act(&menu->scroll, event, inside.rows))
        return true;
    if (event->action == ACTION_ENTER || (menu->again != ACTION_NONE && event->action == menu->again)) {
        choose(menu, reply);
        return true;
    }
    if (finder_act(&menu->finder, &finder_way, menu, event, reply))
        return true;
    if (event->action == ACTION_GO && event->argument <= menu->scroll.count) {
        scroll_select(&menu->scroll, event->argument - 1, inside.rows);
        choose(menu, reply);
        return true;
    }
    if (event->action == ACTION_CLICK) {
        if (!area_contains(inside, event->row, event->column)) {
            reply->close = true;
            return true;
        }
        scroll_select(&menu->scroll, scroll_top(&menu->scroll, inside.rows) + event->row - inside.row,
                      inside.rows);
        choose(menu, reply);
        return true;
    }
    if (event->action == ACTION_BACK || event->action == ACTION_CLOSE) {
        reply->close = true;
        return true;
    }
    return false;
}

static void destroy(void *state)
{
    struct menu *menu = state;
    for (size_t i = 0; i < menu->items.count; i++)
        free(menu->items.items[i]);
    for (size_t i = 0; i < menu->notes.count; i++)
        free(menu->notes.items[i]);
    array_free(&menu->items);
    array_free(&menu->notes);
    free(menu->title);
    finder_set(&menu->finder, NULL);
    free(menu);
}

static const struct hint hints[] = {
    {{ACTION_DOWN, ACTION_UP}, "move"},
    {{ACTION_ENTER}, "choose"},
    {{ACTION_BACK}, NULL},
    {{ACTION_FIND}, NULL},
    {{ACTION_NONE}, NULL},
};

static const struct screen_type menu_screen = {
    .kind = SCREEN_NONE,
    .name = "menu",
    .overlay = true,
    .destroy = destroy,
    .draw = draw,
    .hints = hints,
    .act = act,
};

struct screen *menu_open(const struct menu_options *options)
{
    struct menu *menu = memory_take_zeroed(1, sizeof *menu);
    menu->title = memory_copy_text(options->title);
    for (size_t i = 0; options->items[i]; i++) {
        array_push(&menu->items, memory_copy_text(options->items[i]));
        if (options->notes)
            array_push(&menu->notes, memory_copy_text(options->notes[i]));
    }
    scroll_set_count(&menu->scroll, (int)menu->items.count);
    scroll_select(&menu->scroll, options->selected, 0);
    menu->owner = options->owner;
    menu->choose = options->choose;
    menu->again = options->again;
    return screen_wrap(&menu_screen, menu);
}
