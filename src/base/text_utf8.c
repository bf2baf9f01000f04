#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <string.h>

#define REPLACEMENT 0xFFFD

static bool is_continuation(unsigned char byte, unsigned char low, unsigned char high)
{
    return byte >= low && byte <= high;
}

/*
 * Decodes at most size bytes (size > 0). Broken input gives U+FFFD and the length of the part that could have
 * begun a character (at least 1), as Unicode recommends. Tight bounds of the second byte keep out overlong
 * forms, surrogates and code points over U+10FFFF.
 */
static size_t decode_bounded(const char *text, size_t size, uint32_t *ret_code_point, bool *ret_valid)
{
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char lead = bytes[0], low = 0x80, high = 0xBF;
    size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t value = length == 1 ? lead : lead & (0x7FU >> length);

    *ret_code_point = REPLACEMENT;
    *ret_valid = false;
    if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4)
        return 1;
    if (lead == 0xE0)
        low = 0xA0;
    else if (lead == 0xED)
        high = 0x9F;
    else if (lead == 0xF0)
        low = 0x90;
    else if (lead == 0xF4)
        high = 0x8F;
    for (size_t i = 1; i < length; i++) {
        if (i >= size || !is_continuation(bytes[i], low, high))
            return i;
        value = value << 6 | (bytes[i] & 0x3FU);
        low = 0x80;
        high = 0xBF;
    }
    *ret_code_point = value;
    *ret_valid = true;
    return length;
}

size_t text_decode(const char *text, uint32_t *ret_code_point)
{
    bool valid;

    if ((unsigned char)*text < 0x80) {
        *ret_code_point = (unsigned char)*text;
        return *text != '\0';
    }
    return decode_bounded(text, 4, ret_code_point, &valid); /* the NUL ends it: no byte of a character is one */
}

size_t text_encode(uint32_t code_point, char buffer[4])
{
    if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF))
        code_point = REPLACEMENT;
    if (code_point < 0x80) {
        buffer[0] = (char)code_point;
        return 1;
    }
    if (code_point < 0x800) {
        buffer[0] = (char)(0xC0 | code_point >> 6);
        buffer[1] = (char)(0x80 | (code_point & 0x3F));
        return 2;
    }
    if (code_point < 0x10000) {
        buffer[0] = (char)(0xE0 | code_point >> 12);
        buffer[1] = (char)(0x80 | (code_point >> 6 & 0x3F));
        buffer[2] = (char)(0x80 | (code_point & 0x3F));
        return 3;
    }
    buffer[0] = (char)(0xF0 | code_point >> 18);
    buffer[1] = (char)(0x80 | (code_point >> 12 & 0x3F));
    buffer[2] = (char)(0x80 | (code_point >> 6 & 0x3F));
    buffer[3] = (char)(0x80 | (code_point & 0x3F));
    return 4;
}

bool text_is_valid_utf8(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size;) {
        uint32_t code_point;
        bool valid;

        i += decode_bounded(bytes + i, size - i, &code_point, &valid);
        if (!valid)
            return false;
    }
    return true;
}

enum treatment { TREAT_REPLACE, TREAT_DROP };

struct treated_range {
    uint32_t first, last;
    enum treatment treatment;
};

/* What could move the cursor, turn the direction, hide text or end a line. Sorted. */
static const struct treated_range treated_ranges[] = {
    {0x0000, 0x001F, TREAT_REPLACE}, /* C0 (tab and newline are handled before) */
    {0x007F, 0x009F, TREAT_REPLACE}, /* DEL, C1 */
    {0x00AD, 0x00AD, TREAT_DROP},    /* soft hyphen */
    {0x034F, 0x034F, TREAT_DROP},    /* combining grapheme joiner */
    {0x061C, 0x061C, TREAT_DROP},    /* Arabic letter mark */
    {0x180B, 0x180F, TREAT_DROP},    /* Mongolian selectors */
    {0x200B, 0x200F, TREAT_DROP},    /* zero-width blanks and joiners, direction marks */
    {0x2028, 0x202E, TREAT_REPLACE}, /* line and paragraph separator, bidi embeddings and overrides */
    {0x2060, 0x2065, TREAT_DROP},    /* word joiner, invisible operators */
    {0x2066, 0x2069, TREAT_REPLACE}, /* bidi isolates */
    {0x206A, 0x206F, TREAT_DROP},    /* deprecated formats */
    {0xFE00, 0xFE0F,
     TREAT_DROP}, /* variation selectors: terminals disagree about what they do to the width */
    {0xFEFF, 0xFEFF, TREAT_DROP},    /* byte order mark */
    {0xFFF9, 0xFFFB, TREAT_DROP},    /* interlinear annotations */
    {0xFFFE, 0xFFFF, TREAT_REPLACE}, /* no characters */
    {0xE0000, 0xE0FFF, TREAT_DROP},  /* tags, variation selectors */
};

static const struct treated_range *find_treated(uint32_t code_point)
{
    for (size_t i = 0; i < sizeof treated_ranges / sizeof *treated_ranges; i++) {
        if (code_point < treated_ranges[i].first)
            return NULL;
        if (code_point <= treated_ranges[i].last)
            return &treated_ranges[i];
    }
    return NULL;
}

static char *clean(const char *bytes, size_t size, bool keep_lines)
{
    struct text_buffer buffer = {0};

    array_reserve(&buffer, size + 1);
    for (size_t i = 0; i < size;) {
        const struct treated_range *treated;
        uint32_t code_point;
        char encoded[4];
        bool valid;

        /* Windows line ends count as one newline. */
        if (bytes[i] == '\r' && i + 1 < size && bytes[i + 1] == '\n')
            i++;
        i += decode_bounded(bytes + i, size - i, &code_point, &valid);
        if (code_point == '\t' || (code_point == '\n' && !keep_lines))
            code_point = ' ';
        treated = code_point == '\n' ? NULL : find_treated(code_point);
        if (treated && treated->treatment == TREAT_DROP)
            continue;
        if (treated)
            code_point = REPLACEMENT;
        text_add_bytes(&buffer, encoded, text_encode(code_point, encoded));
    }
    return text_take(&buffer);
}

char *text_clean(const char *bytes, size_t size)
{
    return clean(bytes, size, false);
}

char *text_clean_lines(const char *bytes, size_t size)
{
    return clean(bytes, size, true);
}

size_t text_units(const char *text)
{
    size_t units = 0, length;
    uint32_t code_point;

    for (; (length = text_decode(text, &code_point)) > 0; text += length)
        units += code_point > 0xFFFF ? 2 : 1;
    return units;
}
