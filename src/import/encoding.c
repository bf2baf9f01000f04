#include "encoding.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct evidence {
    size_t sequences;              /* whole ones of UTF-8 */
    size_t stretches, short_ones;  /* of bytes that are no UTF-8; of one or two bytes */
    size_t lines;                  /* with such stretches */
    bool in_first_line;
    size_t pairs, typical, singles, broken; /* of a double-byte encoding */
};

/* Length of the UTF-8 sequence; 0: none, SIZE_MAX: cut by the end. */
static size_t utf8_sequence(const unsigned char *at, size_t left)
{
    size_t length = *at >= 0xC2 && *at <= 0xDF ? 2 : *at >= 0xE0 && *at <= 0xEF ? 3 : *at >= 0xF0 && *at <= 0xF4 ? 4 : 0;

    for (size_t i = 1; i < length; i++) {
        if (i == left)
            return SIZE_MAX;
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    }
    return length;
}

static void count_utf8(const unsigned char *bytes, size_t size, struct evidence *ret)
{
    size_t line = 0, last_line = SIZE_MAX;

    for (size_t i = 0; i < size;) {
        size_t length, begin = i;

        if (bytes[i] < 0x80) {
            line += bytes[i++] == '\n';
            continue;
        }
        length = utf8_sequence(bytes + i, size - i);
        if (length == SIZE_MAX)
            return;
        if (length > 0) {
            ret->sequences++;
            i += length;
            continue;
        }
        while (i < size && bytes[i] >= 0x80)
            i++;
        ret->stretches++;
        ret->short_ones += i - begin <= 2;
        ret->lines += line != last_line;
        ret->in_first_line |= line == 0;
        last_line = line;
    }
}

static void count_cp949(const unsigned char *bytes, size_t size, struct evidence *ret)
{
    for (size_t i = 0; i + 1 < size; i++) {
        unsigned char lead = bytes[i], trail = bytes[i + 1];

        if (lead < 0x80)
            continue;
        if (lead < 0x81 || lead > 0xFE || trail < 0x41 || (trail > 0x5A && trail < 0x61) || (trail > 0x7A && trail < 0x81) ||
            trail > 0xFE) {
            ret->broken++;
            continue;
        }
        ret->pairs++;
        ret->typical += lead >= 0xB0 && lead <= 0xC8 && trail >= 0xA1;
        i++;
    }
}

static void count_shift_jis(const unsigned char *bytes, size_t size, struct evidence *ret)
{
    for (size_t i = 0; i + 1 < size; i++) {
        unsigned char lead = bytes[i], trail = bytes[i + 1];

        if (lead < 0x80)
            continue;
        if (lead >= 0xA1 && lead <= 0xDF) {
            ret->singles++;
            continue;
        }
        if (lead == 0x80 || lead == 0xA0 || lead > 0xFC || trail < 0x40 || trail == 0x7F || trail > 0xFC) {
            ret->broken++;
            continue;
        }
        ret->pairs++;
        ret->typical += lead <= 0x9F;
        i++;
    }
}

const char *encoding_guess(const char *bytes, size_t size, bool begins_file)
{
    const unsigned char *text = (const unsigned char *)bytes;
    struct evidence utf8 = {0}, korean = {0}, japanese = {0};

    count_utf8(text, size, &utf8);
    if (utf8.stretches == 0 || utf8.sequences >= utf8.stretches)
        return utf8.sequences ? "UTF-8" : NULL;
    if (utf8.lines < 2 && !(utf8.in_first_line && begins_file))
        return NULL;
    count_cp949(text, size, &korean);
    if (korean.broken == 0 && korean.pairs > 0 && korean.typical * 4 >= korean.pairs * 3)
        return "CP949";
    count_shift_jis(text, size, &japanese);
    if (japanese.broken == 0 && japanese.pairs > japanese.singles / 2 && japanese.typical * 2 >= japanese.pairs)
        return "CP932";
    return utf8.short_ones * 3 >= utf8.stretches * 2 ? "WINDOWS-1252" : NULL;
}

/* ---- as a source ---- */

struct guess_source {
    struct byte_source base;
    const char **name;
    struct byte_source *decoder; /* once something else than UTF-8 was found; owns what is below then */
    bool decided, begun;
};

static bool is_ascii(const char *bytes, size_t size)
{
    unsigned char all = 0;

    for (size_t i = 0; i < size; i++)
        all |= (unsigned char)bytes[i];
    return all < 0x80;
}

/* The caller's bytes are full already: what decides stands among them. */
static bool guess_read(struct byte_source *source, char *bytes, size_t size, size_t *ret, struct error *error)
{
    struct guess_source *guess = (struct guess_source *)source;
    const char *found;

    if (guess->decoder)
        return source_read(guess->decoder, bytes, size, ret, error);
    if (guess->decided)
        return source_read(source->below, bytes, size, ret, error);
    if (!source_read_full(source->below, bytes, size, ret, error))
        return false;
    found = is_ascii(bytes, *ret) ? NULL : encoding_guess(bytes, *ret, !guess->begun);
    guess->begun = true;
    if (!found)
        return true;
    guess->decided = true;
    if (strcmp(found, "UTF-8") == 0)
        return true;
    *guess->name = found;
    guess->decoder = source_decode(source_put_before(bytes, *ret, source->below), found, error);
    source->below = NULL; /* the decoder's, also when there is none */
    return guess->decoder && source_read(guess->decoder, bytes, size, ret, error);
}

static void guess_close(struct byte_source *source)
{
    source_close(((struct guess_source *)source)->decoder);
    source_close(source->below);
    free(source);
}

struct byte_source *source_guess_encoding(struct byte_source *below, const char **name)
{
    struct guess_source *guess = memory_take_zeroed(1, sizeof *guess);

    guess->base = (struct byte_source){guess_read, guess_close, below, below->total};
    guess->name = name;
    return &guess->base;
}
