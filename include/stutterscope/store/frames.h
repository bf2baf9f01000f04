/*
 * Frames as they are stored: segments and their columns.
 */
#ifndef STUTTERSCOPE_STORE_FRAMES_H
#define STUTTERSCOPE_STORE_FRAMES_H

#include "stutterscope/store/store.h"

struct segment_row {
    int64_t id, run, scene, quality;
    int64_t visit;   /* ordinal in the run */
    bool broken;     /* a clock step lies before it */
    int64_t target_fps_milli, refresh_milli_hz; /* of its frames; VALUE_UNKNOWN */
    int64_t count, min_ns, max_ns, sum_ns;
    int64_t first_stamp_ns, last_stamp_ns;
    uint32_t columns; /* bit 1 << enum frame_column: stored */
};
struct segment_list {
    struct segment_row *items;
    size_t count, capacity;
};
/* In run order: by run, visit, position. 0 in the filter: all. */
struct segment_filter {
    int64_t build, device, scene, run;
    int64_t quality;   /* -1: all (0 is the unknown quality) */
};
bool store_list_segments(struct store *store, const struct segment_filter *filter, struct segment_list *ret, struct error *error);
void segment_list_free(struct segment_list *list);

/*
 * One column of a segment into values[count]. A column that is not stored gives VALUE_UNKNOWN everywhere; in text
 * columns 0 is "no text". False with ERROR_STORE when the segment is damaged (names it).
 */
bool store_read_column(struct store *store, const struct segment_row *segment, enum frame_column column, int64_t *values,
                       struct error *error);
/* Single marks of a sparse text column (events): no dense array is made. items: index in the segment, text id. */
struct column_mark {
    size_t frame;
    int64_t value;
};
struct column_marks {
    struct column_mark *items;
    size_t count, capacity;
};
/* For text columns. Appends nothing when the column is not stored. */
bool store_read_marks(struct store *store, const struct segment_row *segment, enum frame_column column,
                      struct column_marks *ret, struct error *error);

/* All wanted columns (bits); absent ones stay NULL. Free with frame_columns_free(). */
bool store_read_columns(struct store *store, const struct segment_row *segment, uint32_t columns,
                        struct frame_columns *ret, struct error *error);
/*
 * The same for those who look at a few frames only: other values than those of the ranges are not defined. Ranges end
 * within the segment; not for stamps, each of which stands on those before it.
 */
bool store_read_columns_at(struct store *store, const struct segment_row *segment, uint32_t columns,
                           const struct frame_range *ranges, size_t range_count, struct frame_columns *ret,
                           struct error *error);
void frame_columns_free(struct frame_columns *columns);

#endif
