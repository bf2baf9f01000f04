#include "id_index.h"

#include <stdlib.h>

static int compare_places(const void *a, const void *b)
{
    const struct id_place *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

void id_index_sort(struct id_index *index)
{
    if (index->count)
        qsort(index->items, index->count, sizeof *index->items, compare_places);
}

const struct id_place *id_index_find(const struct id_index *index, int64_t id, size_t *ret_count)
{
    size_t low = 0, high = index->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (index->items[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    for (*ret_count = 0; low + *ret_count < index->count && index->items[low + *ret_count].id == id; ++*ret_count)
        ;
    return *ret_count ? &index->items[low] : NULL;
}

const struct id_place *id_index_find_only(const struct id_index *index, int64_t id)
{
    uint64_t guess = index->count ? (uint64_t)id - (uint64_t)index->items[0].id : 0;
    size_t count;

    if (guess < index->count && index->items[guess].id == id)
        return &index->items[guess];
    return id_index_find(index, id, &count);
}
