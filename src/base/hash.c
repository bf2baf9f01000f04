#include "stutterscope/base/hash.h"

#include "stutterscope/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

struct hash_stream {
    XXH3_state_t *state;
};

struct hash_stream *hash_stream_create(void)
{
    struct hash_stream *stream = memory_take(sizeof *stream);

    stream->state = XXH3_createState();
    if (!stream->state) {
        fputs("stutterscope: out of memory\n", stderr);
        abort();
    }
    XXH3_128bits_reset(stream->state);
    return stream;
}

void hash_stream_add(struct hash_stream *stream, const void *bytes, size_t size)
{
    if (size > 0)
        XXH3_128bits_update(stream->state, bytes, size);
}

void hash_stream_print(const struct hash_stream *stream, char hex[33])
{
    XXH128_canonical_t canonical;

    /* The canonical form is the same on every byte order. */
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(stream->state));
    for (size_t i = 0; i < sizeof canonical.digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", canonical.digest[i]);
}

void hash_stream_destroy(struct hash_stream *stream)
{
    if (!stream)
        return;
    XXH3_freeState(stream->state);
    free(stream);
}

uint64_t hash_bytes(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}
