#include "segment_internal.h"
#include "stutterscope/base/hash.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define ZSTD_LEVEL 3
#define SEAL_SIZE  4
/* Of ending a block earlier than zstd would. */
#define BLOCK_OVERHEAD_MAX 16
/* Packed as runs when a run comes on at least so many frames: dearer than a byte a value otherwise. */
#define FRAMES_PER_RUN 8

static ZSTD_CCtx *create_context(void)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (!context)
        abort();
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    return context;
}

struct segment_codec *segment_codec_create(void)
{
    struct segment_codec *codec = memory_take_zeroed(1, sizeof *codec);
    codec->pack = create_context();
    codec->pack_planes = create_context();
    codec->unpack = ZSTD_createDCtx();
    if (!codec->unpack)
        abort();
    /* planes are mostly noise: short matches in it are chance and cost more than the bytes that they stand
     * for */
    ZSTD_CCtx_setParameter(codec->pack_planes, ZSTD_c_strategy, ZSTD_fast);
    ZSTD_CCtx_setParameter(codec->pack_planes, ZSTD_c_minMatch, 7);
    return codec;
}

void segment_codec_destroy(struct segment_codec *codec)
{
    if (!codec)
        return;
    ZSTD_freeCCtx(codec->pack);
    ZSTD_freeCCtx(codec->pack_planes);
    ZSTD_freeDCtx(codec->unpack);
    array_free(&codec->raw);
    array_free(&codec->bits);
    array_free(&codec->scaled);
    array_free(&codec->residual);
    array_free(&codec->runs);
    free(codec);
}

bool segment_column_is_text(enum frame_column column)
{
    return column == COLUMN_EVENT || column == COLUMN_STEP || column == COLUMN_THERMAL ||
           column == COLUMN_SCREENSHOT;
}

uint8_t *bytes_reserve(struct byte_buffer *buffer, size_t more)
{
    array_reserve(buffer, buffer->count + more + 1); /* one more: there is always a place to point to */
    return buffer->items + buffer->count;
}

void segment_write_zstd(struct segment_codec *codec, struct byte_buffer *out)
{
    size_t room = ZSTD_compressBound(codec->raw.count);
    uint8_t *to = bytes_reserve(out, room);
    size_t size = ZSTD_compress2(codec->pack, to, room, codec->raw.items, codec->raw.count);
    if (ZSTD_isError(size))
        abort(); /* the room suffices: only memory can be missing */
    out->count += size;
}

void segment_write_zstd_pieces(struct segment_codec *codec, size_t piece, struct byte_buffer *out)
{
    size_t total = codec->raw.count;
    size_t room = ZSTD_compressBound(total) + (total / piece + 1) * BLOCK_OVERHEAD_MAX;
    ZSTD_outBuffer to = {bytes_reserve(out, room), room, 0};
    ZSTD_CCtx_reset(codec->pack_planes, ZSTD_reset_session_only);
    ZSTD_CCtx_setPledgedSrcSize(codec->pack_planes, total);
    for (size_t at = 0; at < total; at += piece) {
        ZSTD_inBuffer from = {codec->raw.items + at, total - at < piece ? total - at : piece, 0};
        size_t left = ZSTD_compressStream2(codec->pack_planes, &to, &from,
                                           at + from.size == total ? ZSTD_e_end : ZSTD_e_flush);
        if (left != 0)
            abort(); /* as above */
    }
    out->count += to.pos;
}

bool segment_read_zstd(struct segment_codec *codec, const uint8_t *bytes, size_t size, size_t wanted,
                       bool exact, struct error *error)
{
    unsigned long long told = ZSTD_getFrameContentSize(bytes, size);
    if (told == ZSTD_CONTENTSIZE_ERROR || told == ZSTD_CONTENTSIZE_UNKNOWN)
        return error_set(error, ERROR_STORE, "the packed bytes have no valid head");
    if (exact ? told != wanted : told > wanted)
        return error_set(error, ERROR_STORE, "it unpacks to %llu bytes where %zu were expected", told,
                         wanted);
    codec->raw.count = 0;
    uint8_t *to = bytes_reserve(&codec->raw, (size_t)told + 1);
    size_t got = ZSTD_decompressDCtx(codec->unpack, to, (size_t)told, bytes, size);
    if (ZSTD_isError(got))
        return error_set(error, ERROR_STORE, "unpacking failed (%s)", ZSTD_getErrorName(got));
    if (got != told)
        return error_set(error, ERROR_STORE, "it unpacks to %zu bytes where %llu were expected", got, told);
    codec->raw.count = got;
    return true;
}

/* The more frequent of the two values that "nothing here" may have, by a sample. */
static int64_t find_rest(const int64_t *values, size_t count)
{
    size_t zeros = 0, unknown = 0;
    for (size_t i = 0; i < count; i += count / 128 + 1) {
        zeros += values[i] == 0;
        unknown += values[i] == VALUE_UNKNOWN;
    }
    return unknown > zeros ? VALUE_UNKNOWN : 0;
}

static bool all_equal(const int64_t *values, size_t count)
{
    return memcmp(values, values + 1, (count - 1) * sizeof *values) == 0;
}

void segment_pack_values(struct segment_codec *codec, const int64_t *values, size_t count,
                         struct byte_buffer *out)
{
    if (!all_equal(values, count) &&
        segment_find_runs(values, count, count / FRAMES_PER_RUN, find_rest(values, count), &codec->runs))
        segment_write_runs(codec, &codec->runs, out);
    else
        segment_pack_dense(codec, values, count, out);
}

static void pack_texts(struct segment_codec *codec, const int64_t *values, size_t count,
                       struct byte_buffer *out)
{
    array_reserve(&codec->residual, count);
    int64_t *clean = codec->residual.items;
    for (size_t i = 0; i < count; i++)
        clean[i] = values[i] == VALUE_UNKNOWN ? 0 : values[i];
    segment_find_runs(clean, count, count, 0, &codec->runs);
    segment_write_runs(codec, &codec->runs, out);
}

/* A column that was packed behind `start` gets its seal: so that no flipped bit passes for a frame. */
static void seal(struct byte_buffer *out, size_t start)
{
    out->items[start + 1] = SEGMENT_SEALED;
    uint64_t sum = hash_bytes(out->items + start, out->count - start);
    uint8_t *to = bytes_reserve(out, SEAL_SIZE);
    for (int i = 0; i < SEAL_SIZE; i++)
        to[i] = (uint8_t)(sum >> 8 * i);
    out->count += SEAL_SIZE;
}

void segment_pack(struct segment_codec *codec, enum frame_column column, const int64_t *values,
                  const int64_t *frame_times, size_t count, struct byte_buffer *out)
{
    size_t start = out->count;
    if (column == COLUMN_STAMP)
        segment_pack_stamps(codec, values, frame_times, count, out);
    else if (segment_column_is_text(column))
        pack_texts(codec, values, count, out);
    else
        segment_pack_values(codec, values, count, out);
    seal(out, start);
}

void segment_pack_runs(struct segment_codec *codec, const struct value_runs *runs, struct byte_buffer *out)
{
    size_t start = out->count;
    segment_write_runs(codec, runs, out);
    seal(out, start);
}

static bool fill_from_runs(const struct value_runs *runs, int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = runs->rest;
    for (size_t i = 0; i < runs->count; i++)
        for (size_t j = 0; j < runs->items[i].length; j++)
            values[runs->items[i].first + j] = runs->items[i].value;
    return true;
}

static bool check_version(const uint8_t *bytes, size_t size, struct error *error)
{
    if (size < 2)
        return error_set(error, ERROR_STORE, "it has %zu bytes", size);
    if (bytes[1] != SEGMENT_VERSION && bytes[1] != SEGMENT_SEALED)
        return error_set(error, ERROR_STORE, "its packing has version %d; this program knows versions up to %d",
                         bytes[1], SEGMENT_SEALED);
    return true;
}

/* A sealed column is what was written, or nothing; *size becomes the size without the seal. Columns of older stores
 * have none. */
static bool break_seal(const uint8_t *bytes, size_t *size, struct error *error)
{
    if (*size < 2 || bytes[1] != SEGMENT_SEALED)
        return true;
    if (*size < 2 + SEAL_SIZE)
        return error_set(error, ERROR_STORE, "it has %zu bytes", *size);
    *size -= SEAL_SIZE;
    uint64_t sum = hash_bytes(bytes, *size);
    for (int i = 0; i < SEAL_SIZE; i++)
        if (bytes[*size + (size_t)i] != (uint8_t)(sum >> 8 * i))
            return error_set(error, ERROR_STORE, "its bytes are not those that were written (checksum)");
    return true;
}

bool segment_is_runs(const uint8_t *bytes, size_t size)
{
    return size >= 2 && bytes[0] == SEGMENT_RUNS && (bytes[1] == SEGMENT_VERSION || bytes[1] == SEGMENT_SEALED);
}

bool segment_unpack_values(struct segment_codec *codec, const uint8_t *bytes, size_t size,
                           const struct frame_range *ranges, size_t range_count, int64_t *values, size_t count,
                           struct error *error)
{
    if (!check_version(bytes, size, error))
        return false;
    if (bytes[0] == SEGMENT_PLANES)
        return segment_unpack_planes(codec, bytes + 2, size - 2, ranges, range_count, values, count, error);
    if (bytes[0] == SEGMENT_BITS)
        return segment_unpack_bits(bytes + 2, size - 2, ranges, range_count, values, count, error);
    if (bytes[0] == SEGMENT_RUNS)
        return segment_read_runs(codec, bytes + 2, size - 2, count, &codec->runs, error) &&
               fill_from_runs(&codec->runs, values, count);
    return error_set(error, ERROR_STORE, "its packing has the unknown number %d", bytes[0]);
}

bool segment_unpack(struct segment_codec *codec, enum frame_column column, const void *bytes, size_t size,
                    const int64_t *frame_times, int64_t *values, size_t count, struct error *error)
{
    if (count < 1 || count > SEGMENT_FRAMES_MAX)
        return error_set(error, ERROR_STORE, "it is said to have %zu frames", count);
    if (!break_seal(bytes, &size, error))
        return false;
    if (column != COLUMN_STAMP)
        return segment_unpack_values(codec, bytes, size, &(struct frame_range){0, count}, 1, values, count, error);
    if (!check_version(bytes, size, error))
        return false;
    if (((const uint8_t *)bytes)[0] != SEGMENT_RESIDUAL)
        return error_set(error, ERROR_STORE, "it is not packed as stamps");
    return segment_unpack_stamps(codec, (const uint8_t *)bytes + 2, size - 2, frame_times, values, count,
                                 error);
}

bool segment_unpack_at(struct segment_codec *codec, enum frame_column column, const void *bytes, size_t size,
                       const struct frame_range *ranges, size_t range_count, int64_t *values, size_t count,
                       struct error *error)
{
    if (count < 1 || count > SEGMENT_FRAMES_MAX || column == COLUMN_STAMP)
        return error_set(error, ERROR_STORE, "no few of %zu frames can be unpacked", count);
    return break_seal(bytes, &size, error) &&
           segment_unpack_values(codec, bytes, size, ranges, range_count, values, count, error);
}

bool segment_unpack_runs(struct segment_codec *codec, const void *bytes, size_t size, size_t count,
                         struct value_runs *ret, struct error *error)
{
    const uint8_t *at = bytes;
    if (count < 1 || count > SEGMENT_FRAMES_MAX)
        return error_set(error, ERROR_STORE, "it is said to have %zu frames", count);
    if (!break_seal(at, &size, error) || !check_version(at, size, error))
        return false;
    if (at[0] != SEGMENT_RUNS)
        return error_set(error, ERROR_STORE, "it is not packed as runs");
    return segment_read_runs(codec, at + 2, size - 2, count, ret, error);
}
