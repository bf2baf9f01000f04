#include "stutterscope/import/source.h"

#include "stutterscope/base/memory.h"

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BLOCK 65536

/* iconv keeps its state between blocks; bytes of a character that is cut by a block's end wait in `in`. */
struct decode_source {
    struct byte_source base;
    iconv_t converter;
    size_t unit; /* bytes to skip after a broken sequence */
    bool ended;
    char in[BLOCK], out[BLOCK * 3];
    size_t in_count, out_at, out_count;
};

static const char replacement[3] = {'\xEF', '\xBF', '\xBD'}; /* U+FFFD, without an end */

/* Converts what is in `in` as far as possible; keeps an unfinished rest. */
static void convert_block(struct decode_source *decode)
{
    char *in = decode->in, *out = decode->out;
    size_t left = decode->in_count, room = sizeof decode->out, skip;

    while (left > 0 && room > 8) {
        if (iconv(decode->converter, &in, &left, &out, &room) != (size_t)-1)
            break;
        if (errno == E2BIG || (errno == EINVAL && !decode->ended))
            break;
        if (room <= 8)
            break;
        memcpy(out, replacement, sizeof replacement);
        out += sizeof replacement;
        room -= sizeof replacement;
        skip = left < decode->unit ? left : decode->unit;
        in += skip;
        left -= skip;
    }
    memmove(decode->in, in, left);
    decode->in_count = left;
    decode->out_at = 0;
    decode->out_count = (size_t)(out - decode->out);
}

static bool decode_read(struct byte_source *source, char *bytes, size_t size, size_t *ret,
                        struct error *error)
{
    struct decode_source *decode = (struct decode_source *)source;

    while (decode->out_at == decode->out_count) {
        size_t got = 0;

        if (!decode->ended && decode->in_count < BLOCK) {
            if (!source_read(source->below, decode->in + decode->in_count, BLOCK - decode->in_count, &got,
                             error))
                return false;
            decode->ended = got == 0;
        }
        decode->in_count += got;
        if (decode->ended && decode->in_count == 0) {
            *ret = 0;
            return true;
        }
        convert_block(decode);
    }
    size_t left = decode->out_count - decode->out_at, take = left < size ? left : size;
    memcpy(bytes, decode->out + decode->out_at, take);
    decode->out_at += take;
    *ret = take;
    return true;
}

static void decode_close(struct byte_source *source)
{
    struct decode_source *decode = (struct decode_source *)source;

    source_close(source->below);
    iconv_close(decode->converter);
    free(decode);
}

struct byte_source *source_decode(struct byte_source *below, const char *encoding, struct error *error)
{
    iconv_t converter = iconv_open("UTF-8", encoding);
    struct decode_source *decode;

    if (converter == (iconv_t)-1) {
        error_set(
            error, ERROR_USAGE,
            "The encoding \"%s\" is not known here. Names are those of iconv (see iconv -l), for example "
            "UTF-16LE, CP949, GB18030, SHIFT_JIS, ISO-8859-1.",
            encoding);
        source_close(below);
        return NULL;
    }
    decode = memory_take_zeroed(1, sizeof *decode);
    decode->base.read = decode_read;
    decode->base.close = decode_close;
    decode->base.below = below;
    decode->base.total = below->total;
    decode->converter = converter;
    decode->unit = strncasecmp(encoding, "UTF-16", 6) == 0 || strncasecmp(encoding, "UCS-2", 5) == 0 ? 2 : 1;
    return &decode->base;
}
