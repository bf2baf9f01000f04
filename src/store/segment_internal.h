/*
 * What the parts of the segment codec share. Nobody else includes this.
 */
#ifndef STUTTERSCOPE_STORE_SEGMENT_INTERNAL_H
#define STUTTERSCOPE_STORE_SEGMENT_INTERNAL_H

#include "segment_codec.h"
#include "varint.h"
#include <zstd.h>

enum segment_codec_id { SEGMENT_PLANES = 1, SEGMENT_RUNS = 2, SEGMENT_RESIDUAL = 3, SEGMENT_BITS = 4 };
#define SEGMENT_VERSION 1
#define SEGMENT_SEALED  2 /* the same, and a checksum behind it */

struct segment_codec {
    ZSTD_CCtx *pack, *pack_planes;
    ZSTD_DCtx *unpack;
    struct byte_buffer raw;  /* before packing, after unpacking */
    struct byte_buffer bits; /* the other way to pack, to compare */
    struct {
        int64_t *items;
        size_t count, capacity;
    } scaled; /* values divided by their unit */
    struct {
        int64_t *items;
        size_t count, capacity;
    } residual; /* of stamps */
    struct value_runs runs;
};

/* Room for `more` bytes behind the end; returns where they go. */
uint8_t *bytes_reserve(struct byte_buffer *buffer, size_t more);

void segment_write_zstd(struct segment_codec *codec, struct byte_buffer *out); /* codec->raw, appended */
/* The same in blocks of `piece` bytes, each with a code table of its own: bytes of different weight differ.
 */
void segment_write_zstd_pieces(struct segment_codec *codec, size_t piece, struct byte_buffer *out);
/* Into codec->raw; the size it must have, or (exact false) may have at most. */
bool segment_read_zstd(struct segment_codec *codec, const uint8_t *bytes, size_t size, size_t wanted,
                       bool exact, struct error *error);

/* Numbers of any kind: planes or runs, whichever fits. With codec and version byte, in both. */
void segment_pack_values(struct segment_codec *codec, const int64_t *values, size_t count,
                         struct byte_buffer *out);
/* Here and below: only the values of the ranges need to be put in, where they are fewer than all. */
/* Whether it is packed as runs, by a version that this program knows. */
bool segment_is_runs(const uint8_t *bytes, size_t size);
bool segment_unpack_values(struct segment_codec *codec, const uint8_t *bytes, size_t size,
                           const struct frame_range *ranges, size_t range_count, int64_t *values, size_t count,
                           struct error *error);

void segment_pack_stamps(struct segment_codec *codec, const int64_t *stamps, const int64_t *frame_times,
                         size_t count, struct byte_buffer *out);
/* bytes, here and below: behind codec and version byte. */
bool segment_unpack_stamps(struct segment_codec *codec, const uint8_t *bytes, size_t size,
                           const int64_t *frame_times, int64_t *stamps, size_t count, struct error *error);

void segment_pack_dense(struct segment_codec *codec, const int64_t *values, size_t count, struct byte_buffer *out);
/* Values divided by what all are multiples of; the unknown ones are as the one before (the first: the first known). */
struct dense_values {
    const int64_t *values;
    int64_t *scaled; /* may be used up by who packs */
    size_t count;
    size_t unit; /* its place in segment_units */
    bool has_unknown;
};
#define SEGMENT_UNITS 3
extern const int64_t segment_units[SEGMENT_UNITS];
void segment_pack_planes(struct segment_codec *codec, const struct dense_values *dense, struct byte_buffer *out);
bool segment_unpack_planes(struct segment_codec *codec, const uint8_t *bytes, size_t size,
                           const struct frame_range *ranges, size_t range_count, int64_t *values, size_t count,
                           struct error *error);
void segment_pack_bits(struct segment_codec *codec, const struct dense_values *dense, struct byte_buffer *out);
bool segment_unpack_bits(const uint8_t *bytes, size_t size, const struct frame_range *ranges, size_t range_count,
                         int64_t *values, size_t count, struct error *error);
/* Unknown is 0, and all the others are one more than their folded selves: no other folds to the greatest number. */
static inline uint64_t segment_value_to_code(int64_t value)
{
    return value == VALUE_UNKNOWN ? 0 : varint_fold(value) + 1;
}
static inline int64_t segment_code_to_value(uint64_t code)
{
    return code == 0 ? VALUE_UNKNOWN : varint_unfold(code - 1);
}

bool segment_read_runs(struct segment_codec *codec, const uint8_t *bytes, size_t size, size_t count,
                       struct value_runs *ret, struct error *error);
void segment_write_runs(struct segment_codec *codec, const struct value_runs *runs, struct byte_buffer *out);
/* False when there are more than `limit` of them: then *ret is of no use. */
bool segment_find_runs(const int64_t *values, size_t count, size_t limit, int64_t rest,
                       struct value_runs *ret);

#endif
