/*
 * Rows of segments and their columns, for those who read and those who write them.
 */
#ifndef STUTTERSCOPE_STORE_SEGMENTS_H
#define STUTTERSCOPE_STORE_SEGMENTS_H

#include "database.h"
#include "row.h"
#include "stutterscope/store/frames.h"

/* All but id and import, in this order. */
extern const struct row_field segment_fields[];
extern const size_t segment_field_count;
/* "frame_time": names the table segment_frame_time. */
extern const char *const segment_column_names[COLUMN_COUNT];

/* The packed bytes; valid until store_finish() of *ret_query. */
bool segment_fetch(struct store *store, int64_t segment, enum frame_column column, sqlite3_stmt **ret_query,
                   const void **ret_bytes, size_t *ret_size, struct error *error);

#endif
