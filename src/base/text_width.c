#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "text_width_ranges.h"

#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static bool is_in_ranges(const struct width_range *ranges, size_t count, uint32_t code_point)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (code_point > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && code_point >= ranges[low].first;
}

/* Tables of our own and not wcwidth(): it knows nothing in the "C" locale, and layouts should not depend on
 * the host. */
static size_t code_point_width(uint32_t code_point)
{
    if (code_point < 0x300)
        return 1;
    if ((code_point >= 0x2500 && code_point < 0x25fd) || (code_point >= 0x2800 && code_point < 0x2900))
        return 1; /* lines, blocks and dots of charts: most of what is no ASCII */
    if (is_in_ranges(zero_ranges, COUNT_OF(zero_ranges), code_point))
        return 0;
    return is_in_ranges(wide_ranges, COUNT_OF(wide_ranges), code_point) ? 2 : 1;
}

size_t text_character_width(uint32_t code_point)
{
    return code_point_width(code_point);
}

/* ASCII, a column each, is most of what there is. */
size_t text_width(const char *text)
{
    size_t width = 0;

    while (*text) {
        uint32_t code_point;

        if ((unsigned char)*text < 0x80) {
            width++;
            text++;
            continue;
        }
        text += text_decode(text, &code_point);
        width += code_point_width(code_point);
    }
    return width;
}

size_t text_fit(const char *text, size_t columns, size_t *ret_width)
{
    const char *at = text;
    size_t width = 0;

    while (*at) {
        uint32_t code_point;
        bool ascii = (unsigned char)*at < 0x80;
        size_t length = ascii ? 1 : text_decode(at, &code_point), next = width + (ascii ? 1 : code_point_width(code_point));

        if (next > columns)
            break;
        width = next;
        at += length;
    }
    if (ret_width)
        *ret_width = width;
    return (size_t)(at - text);
}

/* The shortest suffix start such that the rest fits into `columns`; never begins with a combining mark. */
static const char *fit_suffix(const char *text, size_t columns)
{
    size_t width = text_width(text);
    uint32_t code_point;

    while (width > columns) {
        size_t length = text_decode(text, &code_point);

        width -= code_point_width(code_point);
        text += length;
    }
    for (;;) {
        size_t length = text_decode(text, &code_point);

        if (length == 0 || code_point_width(code_point) > 0)
            return text;
        text += length;
    }
}

char *text_cut_end(const char *text, size_t columns, const char *mark)
{
    size_t mark_width = text_width(mark);

    if (!text[text_fit(text, columns, NULL)])
        return memory_copy_text(text);
    if (mark_width > columns) {
        mark = "";
        mark_width = 0;
    }
    return memory_print("%.*s%s", (int)text_fit(text, columns - mark_width, NULL), text, mark);
}

/* The longest tail of at most `columns` columns that begins with '_' or a blank; NULL when there is none. */
static const char *tail_at_word(const char *text, size_t columns)
{
    const char *tail = fit_suffix(text, columns);

    for (tail = tail == text ? text + 1 : tail; *tail; tail++) {
        if ((*tail == '_' || *tail == ' ') && tail[1] != '\0')
            return tail;
    }
    return NULL;
}

char *text_cut_middle(const char *text, size_t columns, const char *mark)
{
    size_t mark_width = text_width(mark), room;
    const char *tail;

    if (!text[text_fit(text, columns, NULL)])
        return memory_copy_text(text);
    if (mark_width + 2 > columns)
        return text_cut_end(text, columns, mark);
    room = columns - mark_width;
    /* Whole words at the end, leaving a third for the beginning; else fewer columns for it; else half and
     * half. */
    tail = tail_at_word(text, room * 2 / 3);
    if (!tail)
        tail = tail_at_word(text, room - 1);
    if (!tail)
        tail = fit_suffix(text, room / 2);
    return memory_print("%.*s%s%s", (int)text_fit(text, room - text_width(tail), NULL), text, mark, tail);
}
