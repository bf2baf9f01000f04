/* Who reads a text that lies on a screen waits for the text only: what lies below is kept while nothing can have changed it. */
#include "loop_internal.h"

#include "stutterscope/base/text.h"
#include <string.h>

void loop_changes(struct loop *loop)
{
    loop->changes = loop->changes + 1 ? loop->changes + 1 : 1;
}

static bool is_same_size(const struct canvas *a, const struct canvas *b)
{
    return a && canvas_rows(a) == canvas_rows(b) && canvas_columns(a) == canvas_columns(b);
}

static bool is_known(const struct loop *loop, const struct chrome *chrome)
{
    return loop->below.changes == loop->changes && is_same_size(loop->below.canvas, loop->canvas) &&
           loop->below.store == chrome->store && strcmp(loop->below.clock, chrome->clock ? chrome->clock : "") == 0;
}

static void keep(struct loop *loop, const struct chrome *chrome)
{
    if (!is_same_size(loop->below.canvas, loop->canvas)) {
        canvas_destroy(loop->below.canvas);
        loop->below.canvas = canvas_create(canvas_rows(loop->canvas), canvas_columns(loop->canvas), canvas_glyphs(loop->canvas));
    }
    canvas_copy(loop->below.canvas, loop->canvas);
    loop->below.changes = loop->changes;
    loop->below.store = chrome->store;
    text_print(loop->below.clock, sizeof loop->below.clock, "%s", chrome->clock ? chrome->clock : "");
}

void loop_draw_stack(struct loop *loop, struct chrome *chrome)
{
    const struct screen *top = loop_top(loop);
    bool has_message = chrome->message && *chrome->message;
    if (!top->type->overlay || !top->type->only_reads || has_message) {
        loop->below.changes = 0;
        loop_draw_screens(loop, chrome, loop->stack.count);
        return;
    }
    if (is_known(loop, chrome)) {
        canvas_copy(loop->canvas, loop->below.canvas);
    } else {
        loop_draw_screens(loop, chrome, loop->stack.count - 1);
        keep(loop, chrome);
    }
    chrome_draw_above(loop->canvas, chrome, top);
}
