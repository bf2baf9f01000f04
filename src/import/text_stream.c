#include "text_stream.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct counting_source {
    struct byte_source base;
    int64_t *bytes;
};

static bool counting_read(struct byte_source *source, char *bytes, size_t size, size_t *ret,
                          struct error *error)
{
    if (!source_read(source->below, bytes, size, ret, error))
        return false;
    *((struct counting_source *)source)->bytes += (int64_t)*ret;
    return true;
}

static void counting_close(struct byte_source *source)
{
    source_close(source->below);
    free(source);
}

struct byte_source *text_stream_count(struct byte_source *below, int64_t *bytes)
{
    struct counting_source *counting = memory_take_zeroed(1, sizeof *counting);

    counting->base = (struct byte_source){counting_read, counting_close, below, below->total};
    counting->bytes = bytes;
    return &counting->base;
}

bool text_stream_has_mark(const char *bytes, size_t size, const char *mark)
{
    return size >= strlen(mark) && memcmp(bytes, mark, strlen(mark)) == 0;
}

size_t text_stream_normalise(char *text, size_t size, bool *cr, int64_t *nul_bytes)
{
    char *out, *in, *end = text + size;

    if (size == 0)
        return 0;
    in = text;
    if (*cr && *in == '\n')
        in++;
    *cr = end[-1] == '\r';
    if (!memchr(in, '\r', (size_t)(end - in)) && !memchr(in, 0, (size_t)(end - in))) {
        if (in > text)
            memmove(text, in, (size_t)(end - in));
        return (size_t)(end - in);
    }
    for (out = text; in < end; in++) {
        if (*in == '\r') {
            *out++ = '\n';
            if (in + 1 < end && in[1] == '\n')
                in++;
        } else if (*in == 0) {
            (*nul_bytes)++;
        } else {
            *out++ = *in;
        }
    }
    return (size_t)(out - text);
}

/* Leaves out the byte order marks at the beginning of the text (some tools write two). */
static size_t skip_marks(struct text_stream *stream, char *text, size_t size)
{
    size_t skip = 0;

    if (stream->begun)
        return size;
    stream->begun = true;
    while (text_stream_has_mark(text + skip, size - skip, "\xEF\xBB\xBF"))
        skip += 3;
    memmove(text, text + skip, size - skip);
    return size - skip;
}

bool text_stream_read(struct text_stream *stream, char *place, size_t *ret_size, bool *ret_ended, struct error *error)
{
    size_t got = 0;

    if (!source_read_full(stream->text, place, TEXT_BLOCK_BYTES, &got, error))
        return false;
    *ret_ended = got < TEXT_BLOCK_BYTES;
    got = skip_marks(stream, place, got);
    *ret_size = text_stream_normalise(place, got, &stream->pending_cr, &stream->nul_bytes);
    return true;
}
