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
    if (is_in_ranges(zero_ranges, COUNT_OF(zero_ranges), code_point))
        return 0;
    return is_in_ranges(wide_ranges, COUNT_OF(wide_ranges), code_point) ? 2 : 1;
}

size_t text_width(const char *text)
{
    uint32_t code_point;
    size_t length, width = 0;

    for (; *text && (unsigned char)*text < 0x80; text++) /* most texts end here: ASCII, a column each */
        width++;
    while ((length = text_decode(text, &code_point)) > 0) {
        width += code_point_width(code_point);
        text += length;
    }
    return width;
}

size_t text_fit(const char *text, size_t columns, size_t *ret_width)
{
    const char *at = text;
    uint32_t code_point;
    size_t length, width = 0;

    while ((length = text_decode(at, &code_point)) > 0) {
        size_t next = width + code_point_width(code_point);

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

    if (text_width(text) <= columns)
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

    if (text_width(text) <= columns)
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
