/* The Map as words of a place: rows, order, weights that are tried; the cursor is the session's. */
#include "map.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include <stdlib.h>
#include <string.h>

static const char *const row_names[MAP_ROWS_COUNT] = {"devices", "tiers", "systems", "chips"};
static const char weight_prefix[] = "weight.";

void map_keep(const void *user, struct view_words *words)
{
    const struct map_state *state = user;

    if (state->rows_of != MAP_DEVICES)
        view_words_put(words, "rows", row_names[state->rows_of]);
    view_words_put_switch(words, "worst-first", state->sort == MAP_WORST_FIRST);
    view_words_put_switch(words, "reversed", state->descending);
    for (size_t i = 0; i < state->what_if_count; i++) {
        const struct device_row *device = model_device(state->session->model, state->what_if[i].device);
        char value[40], *name;

        if (!device || state->what_if[i].weight == device->weight)
            continue;
        name = memory_print("%s%s", weight_prefix, device->model);
        view_words_put(words, name, number_print_double(value, sizeof value, state->what_if[i].weight, 6));
        free(name);
    }
    if (state->verify_at >= 0)
        view_words_put_number(words, "verify", state->verify_at);
    if (state->list.selected)
        view_words_put_number(words, "line", state->list.selected);
    if (state->row.first || state->column.first || state->list.first) {
        view_words_add_number(words, "top", state->row.first);
        view_words_add_number(words, "top", state->column.first);
        view_words_add_number(words, "top", state->list.first);
    }
}

static void take_weights(struct map_state *state, const struct view_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *name = words->items[i].name, *value = words->items[i].value;
        struct error ignored;
        int64_t device;
        double weight;

        if (strncmp(name, weight_prefix, strlen(weight_prefix)) != 0 ||
            number_parse_double(value, strlen(value), &weight) != NUMBER_OK || !(weight >= 0 && weight <= 100) ||
            !model_find_device(state->session->model, name + strlen(weight_prefix), &device, &ignored))
            continue;
        map_try_weight(state, device, weight);
    }
}

void map_take(void *user, const struct view_words *words, bool filled)
{
    struct map_state *state = user;
    const char *rows = view_words_get(words, "rows");

    if (!filled) {
        for (int i = 0; rows && i < MAP_ROWS_COUNT; i++)
            if (strcmp(rows, row_names[i]) == 0)
                state->rows_of = (enum map_rows_of)i;
        state->sort = view_words_has(words, "worst-first") ? MAP_WORST_FIRST : MAP_BY_TIER;
        state->descending = view_words_has(words, "reversed");
        take_weights(state, words);
        return;
    }
    view_words_place_at(words, "top", 0, state->row.count, &state->row.first);
    view_words_place_at(words, "top", 1, state->column.count, &state->column.first);
    view_words_place_at(words, "top", 2, state->list.count, &state->list.first);
    view_words_place_at(words, "line", 0, (int)state->open.count, &state->list.selected);
    view_words_place_at(words, "verify", 0, (int)state->verify.count, &state->verify_at);
}
