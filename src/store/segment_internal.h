/*
 * What the parts of the segment codec share. Nobody else includes this.
 */
#ifndef STUTTERSCOPE_STORE_SEGMENT_INTERNAL_H
#define STUTTERSCOPE_STORE_SEGMENT_INTERNAL_H

#include "segment_codec.h"
#include "varint.h"
#include <zstd.h>

enum segment_codec_id { SEGMENT_PLANES = 1, SEGMENT_RUNS = 2, SEGMENT_RESIDUAL = 3 };
#define SEGMENT_VERSION 1
#define SEGMENT_SEALED  2 /* the same, and a checksum behind it */

struct segment_codec {
    ZSTD_CCtx *pack, *pack_planes;
    ZSTD_DCtx *unpack;
    struct byte_buffer raw; /* before packing, after unpacking */
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
bool segment_unpack_values(struct segment_codec *codec, const uint8_t *bytes, size_t size,
                           const struct frame_range *ranges, size_t range_count, int64_t *values, size_t count,
                           struct error *error);

void segment_pack_stamps(struct segment_codec *codec, const int64_t *stamps, const int64_t *frame_times,
                         size_t count, struct byte_buffer *out);
/* bytes, here and below: behind codec and version byte. */
bool segment_unpack_stamps(struct segment_codec *codec, const uint8_t *bytes, size_t size,
                           const int64_t *frame_times, int64_t *stamps, size_t count, struct error *error);

void segment_pack_planes(struct segment_codec *codec, const int64_t *values, size_t count,
                         struct byte_buffer *out);
bool segment_unpack_planes(struct segment_codec *codec, const uint8_t *bytes, size_t size,
                           const struct frame_range *ranges, size_t range_count, int64_t *values, size_t count,
                           struct error *error);
bool segment_read_runs(struct segment_codec *codec, const uint8_t *bytes, size_t size, size_t count,
                       struct value_runs *ret, struct error *error);
void segment_write_runs(struct segment_codec *codec, const struct value_runs *runs, struct byte_buffer *out);
/* False when there are more than `limit` of them: then *ret is of no use. */
bool segment_find_runs(const int64_t *values, size_t count, size_t limit, int64_t rest,
                       struct value_runs *ret);

#endif
