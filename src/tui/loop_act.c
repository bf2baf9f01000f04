/* From events to actions to screens. */
#include "loop_internal.h"

#include "stutterscope/base/clock.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/help.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETTLE_MS 150 /* a window that is dragged changes its size oftener */

#define SECOND_CLICK_MS 500
#define WHEEL_STEPS     3

static void say_key(struct loop *loop, const char *format, key_code key)
{
    char name[32], text[200];
    key_print(name, sizeof name, key);
    snprintf(text, sizeof text, format, name);
    loop_say(loop, ROLE_STATUS, text);
}

static bool ask_screen(struct loop *loop, struct screen *screen, struct screen_event *event)
{
    struct screen_reply reply = {0};
    event->area = screen->type->overlay ? canvas_area(loop->canvas) : chrome_body(loop->canvas);
    bool mine = screen->type->act != NULL && screen->type->act(screen->state, event, &reply);
    if (reply.open && !screen->type->overlay)
        loop->shown = event->action;
    if (mine)
        loop_apply(loop, &reply);
    reply_clear(&reply);
    return mine;
}

static void redraw(struct loop *loop, const struct screen_event *event)
{
    (void)event;
    loop_changes(loop);
    terminal_distrust(loop->terminal);
}

static void suspend(struct loop *loop, const struct screen_event *event)
{
    (void)event;
    terminal_suspend(loop->terminal);
}

static void interrupt(struct loop *loop, const struct screen_event *event)
{
    (void)event;
    if (loop_stop_work(loop))
        loop_say(loop, ROLE_STATUS, "stopped; R does it again");
    else
        loop->quit = true;
}

static void help(struct loop *loop, const struct screen_event *event)
{
    (void)event;
    loop_push(loop, help_open(loop->options->keymap, loop_main(loop)->type->kind));
}

static void command(struct loop *loop, const struct screen_event *event)
{
    (void)event;
    loop_open_command(loop);
}

static void go(struct loop *loop, const struct screen_event *event)
{
    loop_go(loop, (enum screen_kind)(event->argument - 1));
}

static void caps_lock(struct loop *loop, const struct screen_event *event)
{
    (void)event;
    loop_say(loop, ROLE_WARNING, "Caps Lock seems to be on: nothing was done, hjkl move");
}

static void reload(struct loop *loop, const struct screen_event *event)
{
    (void)event;
    loop_reload(loop);
    if (loop->message[0] == '\0')
        loop_say(loop, ROLE_STATUS, "read again");
}

static void back(struct loop *loop, const struct screen_event *event)
{
    if (loop->stack.count > 1 || event->action == ACTION_CLOSE)
        loop_pop(loop);
    else
        loop_say(loop, ROLE_STATUS, "this is the first screen; q quits");
}

static void copy_view(struct loop *loop, const struct screen_event *event)
{
    (void)event;
    char *text = loop_view_text(loop);
    loop_copy(loop, text);
    free(text);
}

static void write_view(struct loop *loop, const struct screen_event *event)
{
    (void)event;
    loop_offer_file(loop, NULL, strdup("stutterscope.txt"));
}

static void edit_view(struct loop *loop, const struct screen_event *event)
{
    (void)event;
    char *text = loop_view_text(loop);
    loop_edit(loop, text, false);
    free(text);
}

struct loop_handler {
    enum action action;
    void (*handle)(struct loop *loop, const struct screen_event *event);
};

/* What the loop does itself, whatever the screen. */
static const struct loop_handler always[] = {
    {ACTION_REDRAW, redraw},   {ACTION_SUSPEND, suspend}, {ACTION_INTERRUPT, interrupt}, {ACTION_HELP, help},
    {ACTION_COMMAND, command}, {ACTION_GO, go},           {ACTION_CAPS_LOCK, caps_lock}, {ACTION_NONE, NULL},
};

/* The same while an overlay lies on top: only what does not concern it. */
static const struct loop_handler above_overlays[] = {
    {ACTION_REDRAW, redraw},
    {ACTION_SUSPEND, suspend},
    {ACTION_INTERRUPT, interrupt},
    {ACTION_COPY, copy_view},
    {ACTION_WRITE, write_view},
    {ACTION_NONE, NULL},
};

/* What the loop does when the screen does not. */
static const struct loop_handler otherwise[] = {
    {ACTION_BACK, back},        {ACTION_CLOSE, back},     {ACTION_RELOAD, reload}, {ACTION_COPY, copy_view},
    {ACTION_WRITE, write_view}, {ACTION_EDIT, edit_view}, {ACTION_NONE, NULL},
};

static bool handle_by(const struct loop_handler *handlers, struct loop *loop,
                      const struct screen_event *event)
{
    for (; handlers->action != ACTION_NONE; handlers++) {
        if (handlers->action == event->action) {
            handlers->handle(loop, event);
            return true;
        }
    }
    return false;
}

static bool act(struct loop *loop, struct screen_event *event)
{
    struct screen *top = loop_top(loop);
    if (top->type->overlay)
        return ask_screen(loop, top, event) || handle_by(above_overlays, loop, event);
    if (handle_by(always, loop, event))
        return true;
    if (event->action < ACTION_TABLE_COUNT && !action_is_on(event->action, top->type->kind))
        return false;
    return ask_screen(loop, top, event) || handle_by(otherwise, loop, event);
}

void loop_act(struct loop *loop, enum action action)
{
    struct screen_event event = {.action = action, .argument = 1};
    act(loop, &event);
}

static void handle_text_key(struct loop *loop, key_code key)
{
    char text[5] = "";
    struct screen_event event = {.action = keymap_find_editing(loop->options->keymap, key), .argument = 1};
    if (event.action == ACTION_TYPE) {
        text[text_encode(key, text)] = '\0';
        event.text = text;
    }
    if (event.action != ACTION_NONE)
        act(loop, &event);
}

static void handle_key(struct loop *loop, key_code key)
{
    loop->message[0] = '\0';
    if (loop_top(loop)->type->takes_text) {
        handle_text_key(loop, key);
        return;
    }
    struct keymap_match match = keymap_find(loop->options->keymap, key);
    struct screen_event event = {.action = match.action,
                                 .argument = match.action == ACTION_GO ? match.argument : 1};
    if (match.action == ACTION_NONE) {
        say_key(loop, "%s does nothing, ? lists the keys", key);
    } else if (match.input_method && action_info(match.action)->decides) {
        char text[128], name[32];
        keymap_print_first(loop->options->keymap, match.action, name, sizeof name);
        snprintf(text, sizeof text, "the input method is on: press %s to decide", name);
        loop_say(loop, ROLE_WARNING, text);
    } else if (!act(loop, &event)) {
        say_key(loop, "%s: not here, ? lists the keys", key);
    }
}

static void handle_paste(struct loop *loop, const char *pasted)
{
    loop->message[0] = '\0';
    if (!loop_top(loop)->type->takes_text) {
        loop_say(loop, ROLE_STATUS, "pasted text is no command: nothing was done");
        return;
    }
    struct screen_event event = {.action = ACTION_TYPE, .argument = 1, .text = pasted};
    act(loop, &event);
}

/* The number of the tab at a place of line 1, 0 for none: the nearest digit to the left that begins a tab. */
static int tab_at(const struct canvas *canvas, int column)
{
    for (; column >= 0; column--) {
        const struct canvas_cell *cell = canvas_cell(canvas, 0, column),
                                 *next = canvas_cell(canvas, 0, column + 1);
        const struct canvas_cell *before = canvas_cell(canvas, 0, column - 1);
        if (cell == NULL || STYLE_ROLE(cell->style) == ROLE_MISSING)
            continue;
        bool begins = before == NULL || strcmp(before->text, " ") == 0 || strcmp(before->text, "[") == 0;
        bool alone = next == NULL || strcmp(next->text, " ") == 0 || strcmp(next->text, "]") == 0;
        bool bold = (cell->style & STYLE_BOLD) != 0; /* a badge */
        if (begins && alone && !bold && cell->text[0] >= '1' && cell->text[0] < '1' + SCREEN_COUNT && cell->text[1] == '\0')
            return cell->text[0] - '0';
    }
    return 0;
}

static void handle_mouse(struct loop *loop, const struct input_event *mouse)
{
    struct screen_event event = {.row = mouse->row, .column = mouse->column, .argument = WHEEL_STEPS};
    loop->message[0] = '\0';
    if (mouse->button != BUTTON_LEFT) {
        event.action = mouse->button == BUTTON_WHEEL_UP ? ACTION_UP : ACTION_DOWN;
        if (!loop_top(loop)->type->takes_text)
            act(loop, &event);
        return;
    }
    int64_t now = clock_steady_ms();
    bool second = mouse->twice || (now - loop->clicked_at < SECOND_CLICK_MS && mouse->row == loop->clicked_row &&
                                   mouse->column == loop->clicked_column);
    loop->clicked_at = second ? 0 : now;
    loop->clicked_row = mouse->row;
    loop->clicked_column = mouse->column;
    event.action = ACTION_CLICK;
    event.argument = second ? 2 : 1;
    if (mouse->row == 0 && !loop_top(loop)->type->overlay && tab_at(loop->canvas, mouse->column) > 0) {
        event.action = ACTION_GO;
        event.argument = tab_at(loop->canvas, mouse->column);
    }
    act(loop, &event);
}

void loop_handle(struct loop *loop, const struct input_event *event)
{
    switch (event->kind) {
    case INPUT_KEY:
        handle_key(loop, event->key);
        break;
    case INPUT_PASTE:
        handle_paste(loop, event->text);
        break;
    case INPUT_MOUSE:
        handle_mouse(loop, event);
        break;
    case INPUT_STOP:
        terminal_suspend(loop->terminal);
        break;
    case INPUT_END:
        loop->quit = true;
        loop->status = event->signal ? 128 + event->signal : 129;
        break;
    case INPUT_RESIZE:
        loop->settle_at = clock_steady_ms() + SETTLE_MS;
        break;
    case INPUT_NONE:
        break;
    }
}
