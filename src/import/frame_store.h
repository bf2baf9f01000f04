/*
 * Frames column by column in growable arrays, private to import.
 */
#ifndef IMPORT_FRAME_STORE_H
#define IMPORT_FRAME_STORE_H

#include "stutterscope/base/telemetry.h"

struct frame_store {
    size_t count, capacity;
    int64_t *values[COLUMN_COUNT]; /* NULL: no frame has the column */
};

/* Appends frames [start, start + count) of columns; columns that one side lacks are filled with
 * VALUE_UNKNOWN. */
void frame_store_append(struct frame_store *store, const struct frame_columns *columns, size_t start,
                        size_t count);
void frame_store_clear(struct frame_store *store); /* keeps the memory and the set of columns */
void frame_store_free(struct frame_store *store);

#endif
