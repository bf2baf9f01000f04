#include "open_step.h"

#include <stdlib.h>

static bool is_line_of(const struct open_item *item, const struct stutter_entry *entry)
{
    return entry && item->event == entry->stutter.event && item->scene == entry->stutter.key.scene &&
           entry->stutter.label == LABEL_GAMEPLAY;
}

bool open_step(struct session *session, const struct stutter_entry *now, bool forward, bool *ret_found,
               struct error *error)
{
    struct open_items open = {0};
    const struct open_item *first = NULL, *next = NULL;
    bool passed = false;
    *ret_found = false;
    if (!session_open_items(session, &open, error)) {
        free(open.items);
        return false;
    }
    for (size_t i = 0; i < open.count; i++) {
        const struct open_item *item = &open.items[forward ? i : open.count - 1 - i];
        if (item->kind != OPEN_STUTTER)
            continue;
        if (first == NULL)
            first = item;
        if (passed && next == NULL)
            next = item;
        passed |= is_line_of(item, now);
    }
    if (next == NULL)
        next = first;
    if (next && !is_line_of(next, now)) {
        session_choose_stutter(session, next->worst);
        session->run = 0;
        session->window = next->worst->stutter.worst_window;
        *ret_found = true;
    }
    free(open.items);
    return true;
}
