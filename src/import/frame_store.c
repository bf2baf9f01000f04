#include "frame_store.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>
#include <string.h>

static void fill_unknown(int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = VALUE_UNKNOWN;
}

static void grow(struct frame_store *store, size_t wanted)
{
    size_t capacity = store->capacity ? store->capacity : 256;

    while (capacity < wanted)
        capacity *= 2;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (store->values[i])
            store->values[i] = memory_resize(store->values[i], capacity, sizeof(int64_t));
    }
    store->capacity = capacity;
}

static void append_column(struct frame_store *store, int column, const int64_t *from, size_t count)
{
    int64_t **values = &store->values[column];

    if (!*values) {
        if (!from)
            return;
        *values = memory_take(store->capacity * sizeof(int64_t));
        fill_unknown(*values, store->count);
    }
    if (!from)
        fill_unknown(*values + store->count, count);
    else
        memcpy(*values + store->count, from, count * sizeof(int64_t));
}

/* Interleaved files come row by row: the usual case without calls. */
static void append_one(struct frame_store *store, const struct frame_columns *columns, size_t start)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (store->values[i])
            store->values[i][store->count] = columns->values[i] ? columns->values[i][start] : VALUE_UNKNOWN;
        else if (columns->values[i])
            append_column(store, i, columns->values[i] + start, 1);
    }
    store->count++;
}

void frame_store_append(struct frame_store *store, const struct frame_columns *columns, size_t start,
                        size_t count)
{
    if (store->count + count > store->capacity)
        grow(store, store->count + count);
    if (count == 1) {
        append_one(store, columns, start);
        return;
    }
    for (int i = 0; i < COLUMN_COUNT; i++)
        append_column(store, i, columns->values[i] ? columns->values[i] + start : NULL, count);
    store->count += count;
}

void frame_store_clear(struct frame_store *store)
{
    store->count = 0;
}

void frame_store_free(struct frame_store *store)
{
    for (int i = 0; i < COLUMN_COUNT; i++)
        free(store->values[i]);
    memset(store, 0, sizeof *store);
}
