#include "json_alike.h"
#include "plain_number.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>
#include <string.h>

void json_alike_free(struct json_alike *alike)
{
    free(alike->text);
    alike->text = NULL;
    alike->known = false;
}

void json_alike_forget(struct json_alike *alike)
{
    alike->known = false;
}

/* A value that was given to a name of samples would have to be looked at again. */
static bool has_samples(const struct json_frames *frames)
{
    for (int i = 0; i < SAMPLE_PARTS; i++) {
        if (frames->sample_parts[i].text)
            return true;
    }
    return false;
}

static void keep_text(struct json_alike *alike, const char *line, size_t length)
{
    if (alike->capacity < length + 1) {
        alike->capacity = length + 64;
        alike->text = memory_resize(alike->text, alike->capacity, 1);
    }
    memcpy(alike->text, line, length);
    alike->text[length] = '\n';
    alike->length = length + 1;
}

/* Where the numbers that change stand; those that are not plain have to stay as they are. */
static void keep_numbers(struct json_alike *alike, const struct json_frames *frames, const char *line, bool changes[COLUMN_COUNT])
{
    alike->number_count = 0;
    for (size_t i = 0; i < frames->number_count; i++) {
        const struct json_number *number = &frames->numbers[i];
        const struct column_target *target = &frames->slots.items[number->slot].target;
        int column = target->kind == COLUMN_IS_NUMBER ? target->index : -1;
        struct plain_number plain;

        if (plain_number_read(number->text, '.', &plain) != number->text + number->length)
            continue;
        alike->numbers[alike->number_count].begin = (size_t)(number->text - line);
        alike->numbers[alike->number_count].end = (size_t)(number->text - line) + number->length;
        alike->numbers[alike->number_count].column = column;
        alike->numbers[alike->number_count].digits = plain_number_digits(target->scale);
        alike->number_count++;
        if (column >= 0)
            changes[column] = true;
    }
}

static void keep_constants(struct json_alike *alike, const struct json_frames *frames, const bool changes[COLUMN_COUNT])
{
    alike->constant_count = 0;
    for (int column = 0; column < COLUMN_COUNT; column++) {
        if (!frames->batch.values[column] || changes[column])
            continue;
        alike->constants[alike->constant_count].column = column;
        alike->constants[alike->constant_count].value = frames->values[column];
        alike->constant_count++;
    }
}

void json_alike_learn(struct json_alike *alike, const struct json_frames *frames, const char *line, size_t length)
{
    bool changes[COLUMN_COUNT] = {false};

    alike->known = frames->taken && frames->number_count < JSON_NUMBERS && !has_samples(frames);
    if (!alike->known)
        return;
    keep_text(alike, line, length);
    keep_numbers(alike, frames, line, changes);
    keep_constants(alike, frames, changes);
}

/* The line at `at` into the batch's next place. Returns the next line; NULL: it is not alike. */
static inline const char *read_line(const struct json_alike *alike, struct json_frames *frames, const char *at, const char *end)
{
    size_t place = frames->batch.count, from = 0;

    for (size_t i = 0; i < alike->number_count; i++) {
        size_t length = alike->numbers[i].begin - from;
        int column = alike->numbers[i].column;
        struct plain_number number;

        if ((size_t)(end - at) < length || memcmp(at, alike->text + from, length) != 0)
            return NULL;
        at = plain_number_read(at + length, '.', &number);
        if (!at || (column >= 0 && !plain_number_scale(&number, alike->numbers[i].digits, &frames->batch.values[column][place])))
            return NULL;
        from = alike->numbers[i].end;
    }
    if ((size_t)(end - at) < alike->length - from || memcmp(at, alike->text + from, alike->length - from) != 0)
        return NULL;
    for (size_t i = 0; i < alike->constant_count; i++)
        frames->batch.values[alike->constants[i].column][place] = alike->constants[i].value;
    return at + (alike->length - from);
}

bool json_alike_take(const struct json_alike *alike, struct json_frames *frames, const char **at, const char *end, int64_t *line,
                     struct error *error)
{
    struct frame_batch *batch = &frames->batch;

    while (alike->known && *at < end) {
        const char *after;

        if (batch->count > 0 && (batch->count == BATCH_FRAMES || *line != batch->line + (int64_t)batch->count) &&
            !frame_batch_flush(batch, error))
            return false;
        after = read_line(alike, frames, *at, end);
        if (!after)
            return true;
        if (batch->count == 0)
            batch->line = *line;
        batch->count++;
        frames->frames++;
        frames->rows++;
        (*line)++;
        *at = after;
    }
    return true;
}
