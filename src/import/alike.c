#include "alike.h"
#include "plain_number.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 8, RARELY = 64, SHORTEST_FRAME_NS = 1000 };

void alike_free(struct alike *alike)
{
    free(alike->text);
    alike->text = NULL;
    alike->known = false;
}

void alike_forget(struct alike *alike)
{
    alike->known = false;
}

bool alike_is_worthwhile(struct alike *alike)
{
    alike->misses = alike->helped ? 0 : alike->misses + 1;
    alike->helped = false;
    return alike->misses <= PATIENCE || alike->misses % RARELY == 0;
}

void alike_begin(struct alike *alike, const char *line, size_t length)
{
    if (alike->capacity < length + 1) {
        alike->capacity = length + 64;
        alike->text = memory_resize(alike->text, alike->capacity, 1);
    }
    memcpy(alike->text, line, length);
    alike->text[length] = '\n';
    alike->length = length + 1;
    alike->number_count = 0;
    alike->known = false;
}

/* Looks at words: the end of the line need not be followed by anything. */
static bool is_plain(const char *number, size_t length, char other_mark)
{
    enum { LONGEST = 16 };
    char text[LONGEST + 16] = {0};
    struct plain_number plain;

    if (length == 0 || length > LONGEST)
        return false;
    memcpy(text, number, length);
    return plain_number_read(text, other_mark, &plain) == text + length;
}

void alike_add_number(struct alike *alike, size_t begin, size_t length, char other_mark, int column, int digits)
{
    if (alike->number_count == ALIKE_NUMBERS || !is_plain(alike->text + begin, length, other_mark))
        return;
    alike->numbers[alike->number_count].begin = begin;
    alike->numbers[alike->number_count].end = begin + length;
    alike->numbers[alike->number_count].column = column;
    alike->numbers[alike->number_count].digits = digits;
    alike->number_count++;
}

void alike_end(struct alike *alike, const struct frame_batch *batch)
{
    bool changes[COLUMN_COUNT] = {false};

    for (size_t i = 0; i < alike->number_count; i++) {
        if (alike->numbers[i].column >= 0)
            changes[alike->numbers[i].column] = true;
    }
    alike->constant_count = 0;
    for (int column = 0; column < COLUMN_COUNT; column++) {
        if (!batch->values[column] || changes[column])
            continue;
        alike->constants[alike->constant_count].column = column;
        alike->constants[alike->constant_count].value = batch->values[column][batch->count - 1];
        alike->constant_count++;
    }
    alike->known = true;
}

/* One byte between two numbers is the most frequent case. */
static inline bool is_same(const char *a, const char *b, size_t length)
{
    return *a == *b && (length == 1 || memcmp(a, b, length) == 0);
}

/* The line at `at` into the batch's next place. Returns the next line; NULL: it is not alike. */
static inline const char *read_line(const struct alike *alike, const struct frame_batch *batch, char other_mark, const char *at,
                                    const char *end)
{
    size_t place = batch->count, from = 0;

    for (size_t i = 0; i < alike->number_count; i++) {
        size_t length = alike->numbers[i].begin - from;
        int column = alike->numbers[i].column;
        struct plain_number number;

        if ((size_t)(end - at) < length || (length > 0 && !is_same(at, alike->text + from, length)))
            return NULL;
        at = plain_number_read(at + length, other_mark, &number);
        if (!at || (column >= 0 && !plain_number_scale(&number, alike->numbers[i].digits, &batch->values[column][place])))
            return NULL;
        from = alike->numbers[i].end;
    }
    if ((size_t)(end - at) < alike->length - from || !is_same(at, alike->text + from, alike->length - from))
        return NULL;
    for (size_t i = 0; i < alike->constant_count; i++)
        batch->values[alike->constants[i].column][place] = alike->constants[i].value;
    return at + (alike->length - from);
}

bool alike_take(struct alike *alike, struct frame_batch *batch, char other_mark, const char **at, const char *end, int64_t *line,
                struct error *error)
{
    while (alike->known && *at < end) {
        const char *after;

        if (!frame_batch_make_place(batch, *line, error))
            return false;
        after = read_line(alike, batch, other_mark, *at, end);
        if (!after || batch->values[COLUMN_FRAME_TIME][batch->count] < SHORTEST_FRAME_NS)
            return true;
        if (batch->count == 0)
            batch->line = *line;
        batch->count++;
        alike->helped = true;
        (*line)++;
        *at = after;
    }
    return true;
}
