#include "flat_json.h"

#include <stdint.h>
#include <string.h>

#define DEEPEST 100

const char *flat_skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

/* at stands after the opening quote; returns the closing one. */
static const char *find_quote(const char *at, const char *end, bool *escaped)
{
    for (;;) {
        const char *quote = memchr(at, '"', (size_t)(end - at)), *back;

        if (!quote)
            return NULL;
        back = memchr(at, '\\', (size_t)(quote - at));
        if (!back)
            return quote;
        *escaped = true;
        if (back + 2 > end)
            return NULL;
        at = back + 2;
    }
}

static const char *skip_nested(const char *at, const char *end)
{
    char closing[DEEPEST];
    size_t depth = 0;
    bool ignored;

    for (; at < end; at++) {
        switch (*at) {
        case '{':
        case '[':
            if (depth == DEEPEST)
                return NULL;
            closing[depth++] = *at == '{' ? '}' : ']';
            break;
        case '}':
        case ']':
            if (depth == 0 || closing[--depth] != *at)
                return NULL;
            if (depth == 0)
                return at + 1;
            break;
        case '"':
            at = find_quote(at + 1, end, &ignored);
            if (!at)
                return NULL;
            break;
        }
    }
    return NULL;
}

static const bool ends_word[256] = {
    [','] = true, ['}'] = true, [']'] = true, [' '] = true, ['\t'] = true, ['\n'] = true, ['\r'] = true, [':'] = true,
};

const char *flat_read_value(const char *at, const char *end, struct flat_value *ret)
{
    const char *begin = at, *stop;

    if (at == end)
        return NULL;
    ret->escaped = false;
    if (*at == '"') {
        stop = find_quote(at + 1, end, &ret->escaped);
        if (!stop)
            return NULL;
        *ret = (struct flat_value){FLAT_TEXT, at + 1, (size_t)(stop - at - 1), ret->escaped};
        return stop + 1;
    }
    if (*at == '{' || *at == '[') {
        stop = skip_nested(at, end);
        if (!stop)
            return NULL;
        *ret = (struct flat_value){*at == '{' ? FLAT_OBJECT : FLAT_ARRAY, at, (size_t)(stop - at), false};
        return stop;
    }
    while (at < end && !ends_word[(unsigned char)*at])
        at++;
    if (at == begin)
        return NULL;
    *ret = (struct flat_value){FLAT_WORD, begin, (size_t)(at - begin), false};
    return at;
}

const char *flat_read_member(const char *at, const char *end, struct flat_value *ret_name,
                             struct flat_value *ret_value)
{
    at = flat_skip_blanks(at, end);
    if (at == end || *at != '"')
        return NULL;
    at = flat_read_value(at, end, ret_name);
    if (!at)
        return NULL;
    at = flat_skip_blanks(at, end);
    if (at == end || *at != ':')
        return NULL;
    at = flat_read_value(flat_skip_blanks(at + 1, end), end, ret_value);
    if (!at)
        return NULL;
    at = flat_skip_blanks(at, end);
    return at < end && (*at == ',' || *at == '}') ? at : NULL;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_unit(const char *at, const char *end, uint32_t *ret)
{
    uint32_t unit = 0;

    if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return false;
    for (int i = 2; i < 6; i++) {
        int digit = hex_digit(at[i]);

        if (digit < 0)
            return false;
        unit = unit * 16 + (uint32_t)digit;
    }
    *ret = unit;
    return true;
}

/* "\u1234" or a surrogate pair; lone surrogates become U+FFFD. */
static const char *add_unicode(const char *at, const char *end, struct text_buffer *ret)
{
    uint32_t code, low;
    char bytes[4];

    if (!read_unit(at, end, &code)) {
        text_add(ret, "\xEF\xBF\xBD");
        return at + 2;
    }
    at += 6;
    if (code >= 0xD800 && code < 0xDC00 && read_unit(at, end, &low) && low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        at += 6;
    } else if (code >= 0xD800 && code < 0xE000) {
        code = 0xFFFD;
    }
    text_add_bytes(ret, bytes, text_encode(code, bytes));
    return at;
}

void flat_unescape(const struct flat_value *value, struct text_buffer *ret)
{
    static const char names[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    const char *at = value->text, *end = at + value->length;

    while (at < end) {
        const char *back = memchr(at, '\\', (size_t)(end - at)), *name;

        text_add_bytes(ret, at, (size_t)((back ? back : end) - at));
        if (!back || back + 1 >= end)
            return;
        if (back[1] == 'u') {
            at = add_unicode(back, end, ret);
            continue;
        }
        name = strchr(names, back[1]);
        text_add_bytes(ret, name && back[1] ? &meanings[name - names] : &back[1], 1);
        at = back + 2;
    }
}

bool flat_is(const struct flat_value *value, const char *text)
{
    return value->length == strlen(text) && memcmp(value->text, text, value->length) == 0;
}

bool flat_find(const struct flat_value *object, const char *name, struct flat_value *ret)
{
    const char *end = object->text + object->length, *at = flat_skip_blanks(object->text + 1, end);
    struct flat_value key;

    while (at && at < end && *at != '}') {
        at = flat_read_member(at, end, &key, ret);
        if (at && flat_is(&key, name))
            return true;
        if (at && *at == ',')
            at++;
    }
    return false;
}

const char *flat_find_open(const char *object, const char *end, const char *wanted)
{
    const char *at = object + 1;
    struct flat_value name, value;

    while (at && at < end) {
        at = flat_skip_blanks(at, end);
        if (at < end && *at == ',')
            at = flat_skip_blanks(at + 1, end);
        if (at >= end || *at != '"' || !(at = flat_read_value(at, end, &name)))
            return NULL;
        at = flat_skip_blanks(at, end);
        if (at >= end || *at != ':')
            return NULL;
        at = flat_skip_blanks(at + 1, end);
        if (at < end && flat_is(&name, wanted))
            return at;
        at = at < end ? flat_read_value(at, end, &value) : NULL;
    }
    return NULL;
}
