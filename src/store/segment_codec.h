/*
 * Packs one column of a segment into bytes and back, without any loss. Bytes that were damaged or never were
 * a packed column are refused with a reason; they are never read or written out of bounds.
 *
 * Every packed column begins with a codec byte and a version byte and ends with a checksum of all before it (4 bytes;
 * not in stores of the first version).
 *   planes    the values divided by their unit, as they are or as differences, minus their least; byte planes and zstd.
 *             Columns whose values are all equal need no plane, only the value.
 *   bits      the values divided by their unit, as distances from a base in so many bits; those that do not fit follow
 *   runs      stretches of equal values between stretches of a default (0 or unknown), as varints and zstd
 *   residual  stamps: the first stamp, then what is left of each after what the frame times let expect (planes or runs)
 */
#ifndef STUTTERSCOPE_STORE_SEGMENT_CODEC_H
#define STUTTERSCOPE_STORE_SEGMENT_CODEC_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/telemetry.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More frames are stored as several segments of one visit: so memory stays flat and a damaged count cannot
 * hurt. */
#define SEGMENT_FRAMES_MAX ((size_t)1 << 20)

/* Contexts and buffers, used again for every column. One user at a time. */
struct segment_codec;
struct segment_codec *segment_codec_create(void);
void segment_codec_destroy(struct segment_codec *codec);

struct byte_buffer {
    uint8_t *items;
    size_t count, capacity;
};

/* Columns whose values are ids of texts. They are always packed as runs; unknown is packed as 0 (no text). */
bool segment_column_is_text(enum frame_column column);

/*
 * Appends the packed column to *out. count: 1 … SEGMENT_FRAMES_MAX. frame_times: needed for COLUMN_STAMP
 * only.
 */
void segment_pack(struct segment_codec *codec, enum frame_column column, const int64_t *values,
                  const int64_t *frame_times, size_t count, struct byte_buffer *out);
bool segment_unpack(struct segment_codec *codec, enum frame_column column, const void *bytes, size_t size,
                    const int64_t *frame_times, int64_t *values, size_t count, struct error *error);

/* The same for any column but stamps, and for those who look at a few frames only: other values than those of the ranges,
 * which end at most at count, are not defined. */
bool segment_unpack_at(struct segment_codec *codec, enum frame_column column, const void *bytes, size_t size,
                       const struct frame_range *ranges, size_t range_count, int64_t *values, size_t count,
                       struct error *error);

/* Stretches of equal values other than the default, ascending. */
struct value_run {
    size_t first, length;
    int64_t value;
};
struct value_runs {
    struct value_run *items;
    size_t count, capacity;
    int64_t rest; /* what lies between the runs: 0 or VALUE_UNKNOWN */
};
/* Of a column packed as runs (text columns are). Replaces what *ret held. */
bool segment_unpack_runs(struct segment_codec *codec, const void *bytes, size_t size, size_t count,
                         struct value_runs *ret, struct error *error);
void segment_pack_runs(struct segment_codec *codec, const struct value_runs *runs, struct byte_buffer *out);

#endif
