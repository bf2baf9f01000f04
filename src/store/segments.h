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

#endif
