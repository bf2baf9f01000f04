/* Finding on the Map: the next cell whose device, scene or event contains a text. Hides nothing. */
#include "map.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/view/prompt.h"
#include <stdlib.h>
#include <string.h>

static bool contains(const char *text, const char *wanted)
{
    return text && strcasestr(text, wanted) != NULL;
}

static bool is_in_row(const struct map_state *state, const struct map_row *row, int64_t device)
{
    const struct map_rows *devices = map_devices(state);

    for (size_t i = 0; i < devices->count; i++)
        if (devices->items[i].device == device)
            return map_row_holds(state, row, &devices->items[i]);
    return false;
}

/* A name of a row or a column is found once, at its first cell; an event in every cell that has it. */
static bool is_hit(const struct map_state *state, int row, int column, const char *wanted)
{
    const struct map_row *device = &state->rows.items[row];
    const struct map_column *scene = &state->columns.items[column];

    for (size_t i = 0; column == 0 && state->rows_of != MAP_DEVICES && i < state->members.count; i++)
        if (map_row_holds(state, device, &state->members.items[i]) && contains(state->members.items[i].title, wanted))
            return true;
    if ((column == 0 && contains(device->title, wanted)) || (row == 0 && contains(scene->name, wanted)))
        return true;
    for (size_t i = 0; i < state->entries.count; i++) {
        const struct stutter_entry *entry = &state->entries.items[i];

        if (entry->present && entry->stutter.label == LABEL_GAMEPLAY &&
            is_in_row(state, device, entry->stutter.key.device) && entry->stutter.key.scene == scene->scene &&
            contains(model_text(state->session->model, entry->stutter.event), wanted))
            return true;
    }
    return false;
}

void map_find_again(struct map_state *state, int step, struct screen_reply *reply)
{
    int columns = (int)state->columns.count, cells = columns * (int)state->rows.count;
    int at = state->row.selected * columns + state->column.selected;

    if (!state->find || !*state->find) {
        reply_say(reply, "nothing was looked for yet: / finds");
        return;
    }
    for (int tried = 1; tried <= cells; tried++) {
        int next = ((at + step * tried) % cells + cells) % cells;

        if (!is_hit(state, next / columns, next % columns, state->find))
            continue;
        state->row.selected = next / columns;
        state->column.selected = next % columns;
        map_choose(state);
        return;
    }
    reply_say(reply, "no device, scene or stutter has \"%s\"", state->find);
}

static void accept(void *user, const char *text, struct screen_reply *reply)
{
    struct map_state *state = user;

    if (!*text)
        return;
    free(state->find);
    state->find = memory_copy_text(text);
    map_find_again(state, 1, reply);
}

void map_ask_find(struct map_state *state, struct screen_reply *reply)
{
    reply->open = prompt_open(
        &(struct prompt_options){.label = "find device, scene or event", .owner = state, .accept = accept});
}
