#include "stutterscope/view/finder.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/prompt.h"
#include <stdlib.h>
#include <string.h>

void finder_set(struct finder *finder, const char *text)
{
    char *copy = text ? memory_copy_text(text) : NULL;

    free(finder->text);
    finder->text = copy;
}

bool finder_contains(const char *text, const char *wanted)
{
    return text && strcasestr(text, wanted) != NULL;
}

static void look(const struct finder *finder, const struct finder_way *way, void *owner, int step, struct screen_reply *reply)
{
    struct scroll places = way->places(owner, step);

    for (int tried = 1; tried <= places.count; tried++) {
        int place = ((places.selected + step * tried) % places.count + places.count) % places.count;

        if (!way->has(owner, place, finder->text))
            continue;
        way->go(owner, place, reply);
        return;
    }
    reply_say(reply, "%s\"%s\"%s", way->before, finder->text, way->after);
}

static void accept(void *user, const char *text, struct screen_reply *reply)
{
    struct finder *finder = user;

    if (!*text)
        return;
    finder_set(finder, text);
    look(finder, finder->way, finder->owner, 1, reply);
}

bool finder_act(struct finder *finder, const struct finder_way *way, void *owner, const struct screen_event *event,
                struct screen_reply *reply)
{
    if (event->action == ACTION_FIND) {
        finder->way = way;
        finder->owner = owner;
        reply->open = prompt_open(&(struct prompt_options){.label = way->label, .owner = finder, .accept = accept});
        return true;
    }
    if (event->action != ACTION_FIND_NEXT && event->action != ACTION_FIND_PREVIOUS)
        return false;
    if (finder->text)
        look(finder, way, owner, event->action == ACTION_FIND_NEXT ? 1 : -1, reply);
    else
        reply_say(reply, "nothing was looked for yet: / finds");
    return true;
}

void finder_mark(const struct finder *finder, struct canvas *canvas, struct area line, const char *text)
{
    size_t length = finder->text ? strlen(finder->text) : 0;

    for (const char *at = text; length && (at = strcasestr(at, finder->text)) != NULL; at += length) {
        char *before = memory_copy_bytes(text, (size_t)(at - text)), *match = memory_copy_bytes(at, length);
        int column = (int)text_width(before), width = (int)text_width(match), room = line.columns - column;

        if (room > 0)
            canvas_set_role(canvas, (struct area){line.row, line.column + column, 1, width < room ? width : room}, ROLE_MATCH);
        free(before);
        free(match);
    }
}
