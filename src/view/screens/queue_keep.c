/* The Queue as words of a place: order, what is unfolded, the row. Lines have no names; they are counted. */
#include "queue.h"

#include "queue_act.h"
#include <string.h>

static const char *const orders[ORDER_COUNT] = {"severity", "peak", "change", "runs", "what", "scene"};

void queue_keep(const void *user, struct view_words *words)
{
    const struct queue *queue = user;

    if (queue->order != ORDER_SEVERITY)
        view_words_put(words, "order", orders[queue->order]);
    view_words_put_switch(words, "reversed", queue->reversed);
    view_words_put_switch(words, "without-change", queue->hides_delta);
    for (int section = 0; section < SECTION_COUNT; section++)
        if (queue->open[section])
            view_words_add_number(words, "open", section);
    for (size_t i = 0; i < queue->lines.count; i++)
        if (queue->lines.items[i].unfolded)
            view_words_add_number(words, "lines", (int64_t)i);
    if (queue->selected)
        view_words_put_number(words, "row", (int64_t)queue->selected);
    if (queue->first)
        view_words_put_number(words, "top", queue->first);
}

void queue_take(void *user, const struct view_words *words, bool filled)
{
    struct queue *queue = user;
    const char *order = view_words_get(words, "order");
    int64_t number;

    if (!filled) {
        for (int i = 0; order && i < ORDER_COUNT; i++)
            if (strcmp(order, orders[i]) == 0)
                queue->order = (enum queue_order)i;
        queue->reversed = view_words_has(words, "reversed");
        queue->hides_delta = view_words_has(words, "without-change");
        for (size_t i = 0; view_words_number_at(words, "open", i, &number); i++)
            if (number >= 0 && number < SECTION_COUNT)
                queue->open[number] = true;
        return;
    }
    for (size_t i = 0; view_words_number_at(words, "lines", i, &number); i++)
        if (number >= 0 && number < (int64_t)queue->lines.count)
            queue->lines.items[number].unfolded = true;
    queue_make_rows(queue);
    if (view_words_number(words, "row", 0, (int64_t)queue->rows.count - 1, &number))
        queue->selected = (size_t)number;
    view_words_place_at(words, "top", 0, (int)queue->rows.count, &queue->first);
    queue_describe(queue);
}
