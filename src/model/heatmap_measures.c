#include "heatmap_measures.h"

#include "stutterscope/model/allocation.h"
#include <math.h>
#include <stdlib.h>

void heatmap_put_memory(struct heatmap *map, const struct snapshots *snapshots)
{
    for (size_t i = 0; i < map->devices.count * map->scenes.count; i++) {
        struct heat_cell *cell = &map->cells[i];
        struct snapshot_total total =
            snapshots_total(snapshots, map->devices.items[i / map->scenes.count]->id, map->scenes.items[i % map->scenes.count]->id);

        cell->value = total.bytes;
        cell->delta = total.delta;
        if (!total.known || (cell->state != STATE_NONE && cell->state != STATE_MISSING))
            continue;
        map->missing_cells -= cell->state == STATE_MISSING;
        map->data_cells++;
        cell->state = STATE_DATA;
    }
}

static void put_group(struct heat_cell *cell, const struct allocation *here, const struct allocations *before)
{
    const struct allocation *there = allocations_find(before, &here->key);

    if (!isnan(cell->value) && !(here->bytes_per_frame > cell->value))
        return;
    cell->value = here->bytes_per_frame;
    cell->quality = here->key.quality;
    cell->delta = there ? here->bytes_per_frame - there->bytes_per_frame : NAN;
}

bool heatmap_put_allocations(struct model *model, struct heatmap *map, int64_t quality, const struct progress *progress, struct error *error)
{
    struct allocations here = {0}, before = {0};
    bool good = model_allocations(model, map->build, progress, &here, error) &&
                (!map->baseline || model_allocations(model, map->baseline, progress, &before, error));

    for (size_t i = 0; i < map->devices.count * map->scenes.count && good; i++) {
        int64_t device = map->devices.items[i / map->scenes.count]->id, scene = map->scenes.items[i % map->scenes.count]->id;

        for (size_t a = 0; a < here.items.count; a++) {
            const struct group_key *key = &here.items.items[a].key;

            if (key->device == device && key->scene == scene && (quality < 0 || key->quality == quality))
                put_group(&map->cells[i], &here.items.items[a], &before);
        }
    }
    allocations_free(&here);
    allocations_free(&before);
    return good;
}
