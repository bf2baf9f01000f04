/*
 * In the place of zstd where there is none for the target: keeps the bytes as they are behind their size. Only what the
 * coding of segments calls.
 */
#ifndef STUTTERSCOPE_TESTS_PORTABLE_ZSTD_H
#define STUTTERSCOPE_TESTS_PORTABLE_ZSTD_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct ZSTD_CCtx {
    size_t pledged;
} ZSTD_CCtx;
typedef struct ZSTD_DCtx {
    char none;
} ZSTD_DCtx;
typedef struct {
    const void *src;
    size_t size, pos;
} ZSTD_inBuffer;
typedef struct {
    void *dst;
    size_t size, pos;
} ZSTD_outBuffer;

enum { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag, ZSTD_c_strategy, ZSTD_c_minMatch };
enum { ZSTD_fast, ZSTD_reset_session_only };
enum { ZSTD_e_flush, ZSTD_e_end };
#define ZSTD_CONTENTSIZE_UNKNOWN ((unsigned long long)-1)
#define ZSTD_CONTENTSIZE_ERROR   ((unsigned long long)-2)
#define ZSTD_STAND_IN_HEAD       8
#define ZSTD_STAND_IN_FAULT      ((size_t)-1)

static inline ZSTD_CCtx *ZSTD_createCCtx(void)
{
    return calloc(1, sizeof(ZSTD_CCtx));
}

static inline ZSTD_DCtx *ZSTD_createDCtx(void)
{
    return calloc(1, sizeof(ZSTD_DCtx));
}

static inline size_t ZSTD_freeCCtx(ZSTD_CCtx *context)
{
    free(context);
    return 0;
}

static inline size_t ZSTD_freeDCtx(ZSTD_DCtx *context)
{
    free(context);
    return 0;
}

static inline size_t ZSTD_CCtx_setParameter(ZSTD_CCtx *context, int what, int value)
{
    (void)context, (void)what, (void)value;
    return 0;
}

static inline size_t ZSTD_CCtx_reset(ZSTD_CCtx *context, int what)
{
    (void)what;
    context->pledged = 0;
    return 0;
}

static inline size_t ZSTD_CCtx_setPledgedSrcSize(ZSTD_CCtx *context, unsigned long long size)
{
    context->pledged = (size_t)size;
    return 0;
}

static inline unsigned ZSTD_isError(size_t size)
{
    return size == ZSTD_STAND_IN_FAULT;
}

static inline const char *ZSTD_getErrorName(size_t size)
{
    return ZSTD_isError(size) ? "of another size" : "no error";
}

static inline size_t ZSTD_compressBound(size_t size)
{
    return size + ZSTD_STAND_IN_HEAD;
}

static inline void zstd_stand_in_head(uint8_t *to, uint64_t size)
{
    for (int i = 0; i < ZSTD_STAND_IN_HEAD; i++)
        to[i] = (uint8_t)(size >> 8 * i);
}

static inline size_t ZSTD_compress2(ZSTD_CCtx *context, void *to, size_t room, const void *from, size_t size)
{
    (void)context;
    if (room < size + ZSTD_STAND_IN_HEAD)
        return ZSTD_STAND_IN_FAULT;
    zstd_stand_in_head(to, size);
    memcpy((uint8_t *)to + ZSTD_STAND_IN_HEAD, from, size);
    return size + ZSTD_STAND_IN_HEAD;
}

static inline size_t ZSTD_compressStream2(ZSTD_CCtx *context, ZSTD_outBuffer *to, ZSTD_inBuffer *from, int end)
{
    size_t head = to->pos == 0 ? ZSTD_STAND_IN_HEAD : 0, size = from->size - from->pos;

    (void)end;
    if (to->size - to->pos < head + size)
        return ZSTD_STAND_IN_FAULT;
    if (head)
        zstd_stand_in_head(to->dst, context->pledged);
    memcpy((uint8_t *)to->dst + to->pos + head, (const uint8_t *)from->src + from->pos, size);
    to->pos += head + size;
    from->pos = from->size;
    return 0;
}

static inline unsigned long long ZSTD_getFrameContentSize(const void *bytes, size_t size)
{
    unsigned long long told = 0;

    if (size < ZSTD_STAND_IN_HEAD)
        return ZSTD_CONTENTSIZE_ERROR;
    for (int i = ZSTD_STAND_IN_HEAD; i-- > 0;)
        told = told << 8 | ((const uint8_t *)bytes)[i];
    return told;
}

static inline size_t ZSTD_decompressDCtx(ZSTD_DCtx *context, void *to, size_t room, const void *bytes, size_t size)
{
    (void)context;
    if (size < ZSTD_STAND_IN_HEAD || size - ZSTD_STAND_IN_HEAD != room)
        return ZSTD_STAND_IN_FAULT;
    memcpy(to, (const uint8_t *)bytes + ZSTD_STAND_IN_HEAD, room);
    return room;
}

#endif
