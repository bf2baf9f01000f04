#include "perfetto.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#define MOST_UNPACKED (1LL << 30) /* of one compressed packet: more is no trace but a trap */

/* ---- zlib ---- */

struct zlib_source {
    struct byte_source base;
    z_stream stream;
    bool ended;
    int64_t given;
};

static bool too_much(int64_t given, struct error *error)
{
    return given > MOST_UNPACKED &&
           !error_set(error, ERROR_INPUT, "a compressed packet holds more than %lld MiB.", MOST_UNPACKED >> 20);
}

static bool zlib_read(struct byte_source *source, char *bytes, size_t size, size_t *ret, struct error *error)
{
    struct zlib_source *zlib = (struct zlib_source *)source;
    int result = Z_OK;

    *ret = 0;
    if (size > 1 << 20)
        size = 1 << 20;
    zlib->stream.next_out = (Bytef *)bytes;
    zlib->stream.avail_out = (uInt)size;
    while (!zlib->ended && *ret == 0 && result == Z_OK) {
        result = inflate(&zlib->stream, Z_NO_FLUSH);
        *ret = size - zlib->stream.avail_out;
        zlib->ended = result == Z_STREAM_END;
    }
    zlib->given += (int64_t)*ret;
    if (too_much(zlib->given, error))
        return false;
    if (zlib->ended || *ret > 0)
        return true;
    return error_set(error, ERROR_INPUT, "a compressed packet is damaged.");
}

static void zlib_close(struct byte_source *source)
{
    inflateEnd(&((struct zlib_source *)source)->stream);
    free(source);
}

struct byte_source *trace_source_zlib(const char *bytes, size_t size)
{
    struct zlib_source *zlib = memory_take_zeroed(1, sizeof *zlib);

    zlib->base.read = zlib_read;
    zlib->base.close = zlib_close;
    zlib->stream.next_in = (Bytef *)(uintptr_t)bytes; /* zlib does not write there */
    zlib->stream.avail_in = (uInt)size;
    /* 32: zlib's own header or gzip's. */
    if (inflateInit2(&zlib->stream, 15 + 32) != Z_OK)
        abort();
    return &zlib->base;
}

/* ---- zstd ---- */

struct zstd_source {
    struct byte_source base;
    ZSTD_DStream *stream;
    ZSTD_inBuffer in;
    size_t hint; /* 0: a frame is complete */
    int64_t given;
};

static bool zstd_read(struct byte_source *source, char *bytes, size_t size, size_t *ret, struct error *error)
{
    struct zstd_source *zstd = (struct zstd_source *)source;
    ZSTD_outBuffer out = {bytes, size, 0};

    *ret = 0;
    while (out.pos == 0) {
        size_t at = zstd->in.pos, result;

        if (zstd->hint == 0 && at == zstd->in.size)
            return true;
        result = ZSTD_decompressStream(zstd->stream, &out, &zstd->in);
        if (ZSTD_isError(result) || (out.pos == 0 && zstd->in.pos == at && result != 0))
            return error_set(error, ERROR_INPUT, "a compressed packet is damaged.");
        zstd->hint = result;
    }
    *ret = out.pos;
    zstd->given += (int64_t)*ret;
    return !too_much(zstd->given, error);
}

static void zstd_close(struct byte_source *source)
{
    ZSTD_freeDStream(((struct zstd_source *)source)->stream);
    free(source);
}

struct byte_source *trace_source_zstd(const char *bytes, size_t size)
{
    struct zstd_source *zstd = memory_take_zeroed(1, sizeof *zstd);

    zstd->base.read = zstd_read;
    zstd->base.close = zstd_close;
    zstd->stream = ZSTD_createDStream();
    zstd->in = (ZSTD_inBuffer){bytes, size, 0};
    zstd->hint = 1;
    if (!zstd->stream)
        abort();
    return &zstd->base;
}
