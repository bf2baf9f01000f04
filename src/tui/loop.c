#include "loop_internal.h"

#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORK_REDRAW_MS 100
#define NEWS_MS 1000
#define FIRST_NOT_FOUND 2

void loop_say(struct loop *loop, unsigned style, const char *text)
{
    text_print(loop->message, sizeof loop->message, "%s", text);
    loop->message_style = style;
}

static void adopt_size(struct loop *loop)
{
    int rows = 0, columns = 0;
    terminal_size(loop->terminal, &rows, &columns);
    if (rows != canvas_rows(loop->canvas) || columns != canvas_columns(loop->canvas))
        canvas_resize(loop->canvas, rows, columns);
}

/* A box may lie on the status line: what was done is said all the same, until the next key. */
static void draw_message_above(struct loop *loop)
{
    int row = canvas_rows(loop->canvas) - 2, columns = canvas_columns(loop->canvas), width = (int)text_width(loop->message);
    if (width == 0 || row < 0)
        return;
    canvas_put_field(loop->canvas, row, 0, 1, ROLE_STATUS, ALIGN_LEFT, CUT_END, "");
    canvas_put_field(loop->canvas, row, 1, width < columns - 1 ? width : columns - 1, loop->message_style, ALIGN_LEFT, CUT_END, loop->message);
    canvas_put_field(loop->canvas, row, 1 + width, 1, ROLE_STATUS, ALIGN_LEFT, CUT_END, "");
}

void loop_draw_screens(struct loop *loop, struct chrome *chrome, size_t top)
{
    struct screen *main = loop_main(loop);
    size_t first = 0;
    top = top < loop->stack.count ? top : loop->stack.count;
    while (first < top && loop->stack.items[first] != main)
        first++;
    for (size_t i = first + 1; i < top; i++)
        chrome->covered = chrome->covered || loop->stack.items[i]->type->covers;
    chrome_draw(loop->canvas, chrome, main);
    for (size_t i = first + 1; i < top; i++)
        chrome_draw_above(loop->canvas, chrome, loop->stack.items[i]);
}

void loop_draw(struct loop *loop)
{
    struct chrome chrome = {.keymap = loop->options->keymap};
    struct screen *screen = loop_main(loop);
    adopt_size(loop);
    if (loop->options->fill_chrome)
        loop->options->fill_chrome(loop->options->session, &chrome);
    chrome.message = loop->message[0] ? loop->message : loop->work_text;
    chrome.message_style = loop->message[0] ? loop->message_style : ROLE_STATUS;
    loop_draw_stack(loop, &chrome);
    struct screen *top = loop_top(loop);
    if (top != screen && !top->type->takes_text)
        draw_message_above(loop);
    struct screen_image image;
    bool has_image = top->type->image && top->type->image(top->state, canvas_area(loop->canvas), &image);
    terminal_keep_image(loop->terminal, has_image ? &image : NULL);
    terminal_draw(loop->terminal, loop->canvas);
    if (has_image)
        terminal_show_image(loop->terminal, &image);
}

static struct input_event next_event(struct loop *loop, int timeout_ms)
{
    if (loop->queued == 0)
        return input_wait(loop->terminal, timeout_ms);
    struct input_event event = loop->queue[0];
    loop->queued--;
    memmove(loop->queue, loop->queue + 1, loop->queued * sizeof *loop->queue);
    return event;
}

/* Milliseconds until a changed size counts as the one that stays; -1: nothing is waited for. */
static int settles_in(const struct loop *loop)
{
    int64_t left = loop->settle_at - clock_steady_ms();
    return !loop->settle_at ? -1 : left > 0 ? (int)left : 0;
}

/*
 * Every turn draws everything: what differs is found by the painter, so nothing has to be remembered as dirty.
 * Only steps of work, which may be many, are drawn no oftener than a person can see.
 */
static void turn(struct loop *loop)
{
    struct input_event event = {.kind = INPUT_NONE};
    int64_t drawn = clock_steady_ms();
    bool changed = false;
    while (loop->screen_works || loop->session_works) {
        event = next_event(loop, 0);
        if (event.kind != INPUT_NONE)
            break;
        changed = loop_work(loop) || changed;
        bool is_last = !(loop->screen_works || loop->session_works);
        if (changed && (is_last || clock_steady_ms() - drawn >= WORK_REDRAW_MS))
            return;
    }
    if (event.kind == INPUT_NONE)
        event = next_event(loop, settles_in(loop));
    if (event.kind == INPUT_NONE && settles_in(loop) == 0) {
        loop->settle_at = 0;
        terminal_settle(loop->terminal);
    }
    loop_handle(loop, &event);
    free(event.text);
    /* More keys may be waiting (a held key, a wheel): draw once for all of them, as long as that is not for
     * long. */
    int64_t until = clock_steady_ms() + 50;
    while (!loop->quit && event.kind != INPUT_NONE && clock_steady_ms() < until) {
        event = next_event(loop, 0);
        if (event.kind == INPUT_NONE)
            break;
        loop_handle(loop, &event);
        free(event.text);
    }
}

/* With a key, so that an idle program does nothing, but not with every one: people do not type after news. */
static void look_for_news(struct loop *loop)
{
    int64_t now = clock_steady_ms();
    if (!loop->options->look_for_news || now - loop->looked_ms < NEWS_MS)
        return;
    loop->looked_ms = now;
    if (loop->options->look_for_news(loop->options->session))
        loop_draw(loop);
}

int loop_run(struct loop_options *options, struct error *error)
{
    struct loop loop = {.options = options, .terminal = options->terminal, .changes = 1, .looked_ms = clock_steady_ms()};
    int rows = 0, columns = 0;
    input_begin();
    terminal_size(loop.terminal, &rows, &columns);
    loop.canvas = canvas_create(rows, columns, terminal_glyphs(loop.terminal));
    loop.clicked_row = -1;
    if (!loop_find_first(&loop, error))
        loop.status = FIRST_NOT_FOUND;
    else if (!loop.quit)
        loop_begin(&loop);
    while (loop.status != FIRST_NOT_FOUND && !loop.quit) {
        loop_draw(&loop);
        look_for_news(&loop);
        turn(&loop);
    }
    options->left = loop.stack.count ? loop_place(&loop) : NULL;
    while (loop.stack.count > 0)
        screen_destroy(loop.stack.items[--loop.stack.count]);
    for (size_t i = 0; i < loop.queued; i++)
        free(loop.queue[i].text);
    array_free(&loop.stack);
    free(loop.writing);
    free(loop.writing_name);
    canvas_destroy(loop.canvas);
    canvas_destroy(loop.below.canvas);
    return loop.status;
}
