/* Finding on the Map: the next cell whose device, scene or event contains a text. Hides nothing. */
#include "map.h"

static bool is_in_row(const struct map_state *state, const struct map_row *row, int64_t device)
{
    const struct map_rows *devices = map_devices(state);

    for (size_t i = 0; i < devices->count; i++)
        if (devices->items[i].device == device)
            return map_row_holds(state, row, &devices->items[i]);
    return false;
}

/* A name of a row or a column is found once, at its first cell; an event in every cell that has it. */
static bool has(const void *user, int place, const char *wanted)
{
    const struct map_state *state = user;
    int row = place / (int)state->columns.count, column = place % (int)state->columns.count;
    const struct map_row *device = &state->rows.items[row];
    const struct map_column *scene = &state->columns.items[column];

    for (size_t i = 0; column == 0 && state->rows_of != MAP_DEVICES && i < state->members.count; i++)
        if (map_row_holds(state, device, &state->members.items[i]) && finder_contains(state->members.items[i].title, wanted))
            return true;
    if ((column == 0 && finder_contains(device->title, wanted)) || (row == 0 && finder_contains(scene->name, wanted)))
        return true;
    for (size_t i = 0; i < state->entries.count; i++) {
        const struct stutter_entry *entry = &state->entries.items[i];

        if (entry->present && entry->stutter.label == LABEL_GAMEPLAY &&
            is_in_row(state, device, entry->stutter.key.device) && entry->stutter.key.scene == scene->scene &&
            finder_contains(model_text(state->session->model, entry->stutter.event), wanted))
            return true;
    }
    return false;
}

static struct scroll places(const void *user, int step)
{
    const struct map_state *state = user;
    int columns = (int)state->columns.count;

    (void)step;
    return (struct scroll){.count = columns * (int)state->rows.count,
                           .selected = state->row.selected * columns + state->column.selected};
}

static void go_to(void *user, int place, struct screen_reply *reply)
{
    struct map_state *state = user;

    (void)reply;
    state->row.selected = place / (int)state->columns.count;
    state->column.selected = place % (int)state->columns.count;
    map_choose(state);
}

void map_find(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    static const struct finder_way way = {"find device, scene or event", "no device, scene or stutter has ", "", places, has, go_to};
    struct map_state *state = user;

    finder_act(&state->finder, &way, state, event, reply);
}
