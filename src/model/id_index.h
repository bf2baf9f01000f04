/*
 * Ids to positions in a list that is sorted by something else.
 */
#ifndef STUTTERSCOPE_MODEL_ID_INDEX_H
#define STUTTERSCOPE_MODEL_ID_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct id_place {
    int64_t id;
    size_t at;
};
struct id_index {
    struct id_place *items; /* add with array_push(), then sort */
    size_t count, capacity;
};

/* Equal ids stay in the order of their positions. */
void id_index_sort(struct id_index *index);
/* The first place with the id, and how many follow each other; NULL and 0: none. */
const struct id_place *id_index_find(const struct id_index *index, int64_t id, size_t *ret_count);
/* The place of an id that is there once at most; NULL: it is not. At once where ids follow each other without a hole. */
const struct id_place *id_index_find_only(const struct id_index *index, int64_t id);

#endif
