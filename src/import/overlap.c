#include "overlap.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>

/* By key; then the row that counts before the others, the earlier before the later. */
static int compare_rows(const void *a, const void *b)
{
    const struct overlap_row *left = *(struct overlap_row *const *)a,
                             *right = *(struct overlap_row *const *)b;

    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    if (left->complete != right->complete)
        return left->complete ? -1 : 1;
    return left < right ? -1 : left > right;
}

void overlap_mark(struct overlap_row *rows, size_t count)
{
    struct overlap_row **order = memory_take((count + 1) * sizeof *order);

    for (size_t i = 0; i < count; i++)
        order[i] = &rows[i];
    qsort(order, count, sizeof *order, compare_rows);
    for (size_t i = 0; i < count; i++)
        order[i]->repeated = i > 0 && order[i]->key == order[i - 1]->key;
    free(order);
}
