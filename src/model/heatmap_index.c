#include "heatmap_index.h"

#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* false: no cell of the map. */
static bool find_cell(const struct heatmap_index *index, const struct group_key *key, int64_t *ret)
{
    size_t count;
    const struct id_place *row = id_index_find(&index->rows, key->device, &count),
                          *column = id_index_find(&index->columns, key->scene, &count);

    if (!row || !column)
        return false;
    *ret = (int64_t)(row->at * index->width + column->at);
    return true;
}

static void add(const struct heatmap_index *index, struct id_index *to, const struct group_key *key, size_t at)
{
    int64_t cell;

    if (find_cell(index, key, &cell))
        array_push(to, (struct id_place){cell, at});
}

static void add_findings(struct heatmap_index *index, const struct findings *findings)
{
    size_t position = 0;

    index->finding_order = memory_take((findings->items.count + 1) * sizeof *index->finding_order);
    for (size_t l = 0; l < findings->lines.count; l++) {
        const struct finding_line *line = &findings->lines.items[l];

        for (size_t i = line->first; i < line->first + line->count; i++) {
            add(index, &index->findings, &findings->items.items[i].key, position);
            index->finding_order[position++] = i;
        }
    }
}

void heatmap_index_make(struct heatmap_index *index, const struct heatmap *map, const struct build_results *results,
                        const struct stutter_entries *entries, const struct findings *findings, const struct group_comparisons *comparisons)
{
    memset(index, 0, sizeof *index);
    index->width = map->scenes.count;
    for (size_t i = 0; i < map->devices.count; i++)
        array_push(&index->rows, (struct id_place){map->devices.items[i]->id, i});
    for (size_t i = 0; i < map->scenes.count; i++)
        array_push(&index->columns, (struct id_place){map->scenes.items[i]->id, i});
    id_index_sort(&index->rows);
    id_index_sort(&index->columns);
    for (size_t i = 0; i < results->groups.count; i++)
        add(index, &index->groups, &results->groups.items[i].key, i);
    for (size_t i = 0; i < entries->count; i++)
        add(index, &index->entries, &entries->items[i].stutter.key, i);
    for (size_t i = 0; i < comparisons->count; i++)
        add(index, &index->comparisons, &comparisons->items[i].key, i);
    add_findings(index, findings);
    id_index_sort(&index->groups);
    id_index_sort(&index->entries);
    id_index_sort(&index->findings);
    id_index_sort(&index->comparisons);
}

void heatmap_index_free(struct heatmap_index *index)
{
    array_free(&index->rows);
    array_free(&index->columns);
    array_free(&index->groups);
    array_free(&index->entries);
    array_free(&index->findings);
    array_free(&index->comparisons);
    free(index->finding_order);
}
