/* Where to begin, and where one was. */
#include "loop_internal.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/view/place.h"
#include "stutterscope/view/session.h"
#include <stdlib.h>
#include <string.h>

static void draw_nothing(const void *state, struct canvas *canvas, struct area area)
{
    struct area inside = area_centre(area, area.rows - 2, area.columns - 4);
    (void)state;
    canvas_put_wrapped(canvas, inside, ROLE_CHROME,
                       "What this screen shows is not analysed yet. It opens when that is done; Esc goes to the Map.");
}

static void answer(const void *state, struct line *line)
{
    (void)state;
    line_add(line, LINE_KEEP, ROLE_MISSING, "NOT ANALYSED YET");
}

static void destroy(void *state)
{
    (void)state;
}

bool loop_find_first(struct loop *loop, struct error *error)
{
    struct loop_options *options = loop->options;
    const struct screen_type waiting = {
        .kind = options->first, .name = "waiting", .draw = draw_nothing, .answer = answer, .destroy = destroy};
    struct error why = {0};
    bool found;

    if (options->find_first == NULL)
        return true;
    loop_push(loop, screen_wrap(&waiting, NULL));
    loop_draw(loop);
    loop_begin_progress(loop);
    loop->finding = true;
    found = options->find_first(options, &loop->progress, &why);
    loop->finding = false;
    screen_destroy(loop->stack.items[--loop->stack.count]);
    if (found || why.code == ERROR_STOPPED) {
        if (!found)
            options->first = SCREEN_MAP;
        return true;
    }
    *error = why;
    return false;
}

static void show_overlay(struct loop *loop, const char *action_name)
{
    for (int action = 0; action < ACTION_TABLE_COUNT; action++)
        if (action_opens_text((enum action)action) && strcmp(action_info((enum action)action)->name, action_name) == 0)
            loop_act(loop, (enum action)action);
}

/* The screen takes the words of the place with it, but for what lay on it. */
void loop_begin(struct loop *loop)
{
    struct session *session = loop->options->session;
    const char *shown = view_words_get(&session->opened.words, "show");
    char *name = shown && session->opened.kind == (int)loop->options->first ? memory_copy_text(shown) : NULL;

    loop_go(loop, loop->options->first);
    if (name && !loop->quit)
        show_overlay(loop, name);
    free(name);
}

char *loop_place(struct loop *loop)
{
    struct screen *screen = loop_main(loop);
    bool covered = loop_top(loop) != screen && action_opens_text(loop->shown);

    return place_of_screen(loop->options->session, screen, covered ? action_info(loop->shown)->name : NULL);
}
