/* Stutters and comparisons of a build are many and large: which of them are of a cell is looked up, not looked for. */
#include "map.h"

#include "stutterscope/base/memory.h"
#include <stdlib.h>

/* By scene; those of a scene stay worst first. */
static int compare_entry_keys(const void *a, const void *b)
{
    const struct map_entry_key *x = a, *y = b;

    return x->scene != y->scene ? (x->scene > y->scene) - (x->scene < y->scene) : (x->entry > y->entry) - (x->entry < y->entry);
}

static int compare_cells(const struct group_key *a, const struct group_key *b)
{
    return a->scene != b->scene ? (a->scene > b->scene) - (a->scene < b->scene) : (a->device > b->device) - (a->device < b->device);
}

static int compare_comparisons(const void *a, const void *b)
{
    const struct group_comparison *x = a, *y = b;
    int order = compare_cells(&x->key, &y->key);

    order = order ? order : (x->key.quality > y->key.quality) - (x->key.quality < y->key.quality);
    return order ? order : (int)x->figure - (int)y->figure;
}

void map_index_make(struct map_state *state, const struct group_comparisons *comparisons)
{
    for (size_t i = 0; i < state->entries.count; i++) {
        const struct stutter_entry *entry = &state->entries.items[i];
        const struct stutter *stutter = &entry->stutter;

        array_push(&state->entry_keys, (struct map_entry_key){.scene = stutter->key.scene,
                                                              .device = stutter->key.device,
                                                              .event = stutter->event,
                                                              .label = stutter->label,
                                                              .present = entry->present,
                                                              .entry = i});
    }
    if (state->entry_keys.count)
        qsort(state->entry_keys.items, state->entry_keys.count, sizeof *state->entry_keys.items, compare_entry_keys);
    for (size_t i = 0; i < comparisons->count; i++)
        array_push(&state->comparisons, comparisons->items[i]);
    if (state->comparisons.count)
        qsort(state->comparisons.items, state->comparisons.count, sizeof *state->comparisons.items, compare_comparisons);
}

void map_index_clear(struct map_state *state)
{
    array_free(&state->entry_keys);
    array_free(&state->comparisons);
}

const struct map_entry_key *map_entry_keys(const struct map_state *state, int64_t scene, size_t *ret_count)
{
    const struct map_entry_key *keys = state->entry_keys.items;
    size_t low = 0, high = state->entry_keys.count, end;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (keys[middle].scene < scene)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < state->entry_keys.count && keys[end].scene == scene;)
        end++;
    *ret_count = end - low;
    return *ret_count ? keys + low : NULL;
}

const struct group_comparison *map_comparisons(const struct map_state *state, int64_t device, int64_t scene, size_t *ret_count)
{
    const struct group_comparison *comparisons = state->comparisons.items;
    const struct group_key cell = {.device = device, .scene = scene};
    size_t low = 0, high = state->comparisons.count, end;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_cells(&comparisons[middle].key, &cell) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < state->comparisons.count && compare_cells(&comparisons[end].key, &cell) == 0;)
        end++;
    *ret_count = end - low;
    return *ret_count ? comparisons + low : NULL;
}
