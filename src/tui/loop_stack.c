/* Which screen lies on which. */
#include "loop_internal.h"

#include "stutterscope/base/memory.h"
#include <stdio.h>

struct screen *loop_top(const struct loop *loop)
{
    return loop->stack.items[loop->stack.count - 1];
}

struct screen *loop_main(const struct loop *loop)
{
    size_t at = loop->stack.count - 1;
    while (at > 0 && loop->stack.items[at]->type->overlay)
        at--;
    return loop->stack.items[at];
}

void loop_push(struct loop *loop, struct screen *screen)
{
    loop_changes(loop);
    array_push(&loop->stack, screen);
    if (screen->type->overlay && screen->type->work)
        loop_start_work(loop);
}

void loop_recompute(struct loop *loop, struct screen *screen)
{
    struct error error = {0};
    loop_changes(loop);
    loop_begin_progress(loop);
    if (!screen_recompute(screen, &loop->progress, &error))
        loop_say(loop, ROLE_ERROR, error.code == ERROR_STOPPED ? "stopped; R does it again" : error.text);
    loop_start_work(loop);
}

static void drop_top(struct loop *loop)
{
    loop_changes(loop);
    screen_destroy(loop_top(loop));
    loop->stack.count--;
}

void loop_pop(struct loop *loop)
{
    bool overlay = loop_top(loop)->type->overlay;
    if (loop->stack.count == 1) {
        loop->quit = true;
        return;
    }
    drop_top(loop);
    if (!loop_top(loop)->type->overlay)
        loop->shown = ACTION_NONE;
    if (overlay) {
        loop_start_work(loop);
        return;
    }
    if (!loop_main(loop)->computed)
        loop_recompute(loop, loop_main(loop));
    else
        loop_start_work(loop);
}

/* A screen that is on the stack already is gone back to: the way back never gets longer than there are
 * screens. */
void loop_go(struct loop *loop, enum screen_kind kind)
{
    const struct screen_type *type = kind < SCREEN_COUNT ? loop->options->types[kind] : NULL;
    if (type == NULL) {
        loop_say(loop, ROLE_ERROR, "there is no such screen");
        loop->quit = loop->stack.count == 0;
        return;
    }
    size_t at = 0;
    while (at < loop->stack.count && loop->stack.items[at]->type != type)
        at++;
    while (loop->stack.count > 0 && loop_top(loop)->type->overlay)
        drop_top(loop);
    while (at < loop->stack.count && loop->stack.count > at + 1)
        drop_top(loop);
    loop->shown = ACTION_NONE;
    if (at >= loop->stack.count)
        loop_push(loop, screen_create(type, loop->options->session));
    loop_recompute(loop, loop_main(loop));
}

void loop_reload(struct loop *loop)
{
    for (size_t i = 0; i < loop->stack.count; i++)
        loop->stack.items[i]->computed = false;
    loop_recompute(loop, loop_main(loop));
}
