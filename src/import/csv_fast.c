#include "csv.h"

#include "stutterscope/base/memory.h"

#include <string.h>

static const int64_t powers[19] = {1LL,
                                   10LL,
                                   100LL,
                                   1000LL,
                                   10000LL,
                                   100000LL,
                                   1000000LL,
                                   10000000LL,
                                   100000000LL,
                                   1000000000LL,
                                   10000000000LL,
                                   100000000000LL,
                                   1000000000000LL,
                                   10000000000000LL,
                                   100000000000000LL,
                                   1000000000000000LL,
                                   10000000000000000LL,
                                   100000000000000000LL,
                                   1000000000000000000LL};

/* Plain digits with at most one decimal mark, up to the separator. NULL: not plain. */
static inline const char *read_number(const struct csv *csv, const struct csv_step *step, const char *at, bool last,
                                      int64_t *ret)
{
    const char *begin = at, *mark = NULL;
    char stop = last ? '\n' : csv->separator;
    uint64_t value = 0;
    int shift = step->digits;
    unsigned digit;

    for (; (digit = (unsigned)(*at - '0')) <= 9; at++)
        value = value * 10 + digit;
    if (*at == '.' || (*at == ',' && csv->separator != ',')) {
        mark = at++;
        for (; (digit = (unsigned)(*at - '0')) <= 9; at++)
            value = value * 10 + digit;
        shift -= (int)(at - mark - 1);
    }
    if (*at != stop || at - begin == (mark ? 1 : 0)) {
        if (at == begin && *at == stop && !step->required) {
            *ret = VALUE_UNKNOWN;
            return at + 1;
        }
        return NULL;
    }
    if (shift < 0 || at - begin > 18 || __builtin_mul_overflow((int64_t)value, powers[shift], ret))
        return NULL;
    return at + 1;
}

/* The end of the field at `at`: its separator, or the line's '\n' for the last column. NULL: not plain. */
static inline const char *find_end(const struct csv *csv, const char *at, const char *end, bool last)
{
    char stop = last ? '\n' : csv->separator;

    if (*at == '"') {
        for (at++; at < end; at++) {
            if (*at != '"')
                continue;
            if (at[1] != '"')
                break;
            at++;
        }
        return at < end && at[1] == stop ? at + 1 : NULL;
    }
    if (last)
        return memchr(at, csv->separator, (size_t)(end - at)) ? NULL : end;
    while (*at != stop) {
        if (at == end)
            return NULL;
        at++;
    }
    return at;
}

#define EVERY_BYTE 0x0101010101010101ULL

/* The high bit of every byte of the word that equals c; exact. */
static inline uint64_t find_byte(uint64_t word, char c)
{
    uint64_t different = word ^ (EVERY_BYTE * (unsigned char)c), low = EVERY_BYTE * 0x7f;

    return ~(((different & low) + low) | different | low);
}

/* The place after the count-th separator, eight bytes at a time (line.text has room for it). NULL: quotes, or too few. */
static inline const char *skip_words(const char *at, const char *end, char separator, size_t count)
{
    for (; at < end; at += 8) {
        uint64_t word, found;
        size_t here;

        memcpy(&word, at, sizeof word);
        if (find_byte(word, '"'))
            return NULL;
        found = find_byte(word, separator);
        here = (size_t)__builtin_popcountll(found);
        if (here < count) {
            count -= here;
            continue;
        }
        while (--count > 0)
            found &= found - 1;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        at += __builtin_ctzll(found) / 8 + 1;
#else
        return NULL;
#endif
        return at <= end ? at : NULL;
    }
    return NULL;
}

static const char *skip_fields(const struct csv *csv, const char *at, const char *end, size_t count, bool last)
{
    const char *stop;

    if (last && count == 1)
        stop = at;
    else
        stop = skip_words(at, end, csv->separator, last ? count - 1 : count);
    if (stop && !last)
        return stop;
    if (stop && *stop != '"')
        return memchr(stop, csv->separator, (size_t)(end - stop)) ? NULL : end + 1;
    for (size_t i = 0; i < count; i++) {
        at = find_end(csv, at, end, last && i + 1 == count);
        if (!at)
            return NULL;
        at++;
    }
    return at;
}

/* *other is set when the bytes are not those of the context before. */
static inline const char *read_run(struct csv *csv, size_t run, const char *at, const char *end, bool last, bool *other)
{
    csv->begins[run] = at;
    if (csv->current != SIZE_MAX) {
        const struct csv_context *context = &csv->contexts.items[csv->current];
        size_t begin = run ? context->ends[run - 1] : 0, length = context->ends[run] - begin;

        if ((size_t)(end + 1 - at) >= length && memcmp(at, context->key + begin, length) == 0) {
            csv->ends[run] = at + length;
            return at + length;
        }
    }
    *other = true;
    csv->ends[run] = skip_fields(csv, at, end, csv->runs[run].count, last);
    return csv->ends[run];
}

static inline const char *read_text(struct csv *csv, int column, const char *at, const char *end, bool last,
                                    int64_t *ret)
{
    const char *stop;

    if (*at == (last ? '\n' : csv->separator)) {
        *ret = VALUE_UNKNOWN;
        return at + 1;
    }
    if (*at == '"' || *at == ' ')
        return NULL;
    stop = find_end(csv, at, end, last);
    if (!stop || stop[-1] == ' ')
        return NULL;
    *ret = csv_text_id(csv, column, at, (size_t)(stop - at));
    return stop + 1;
}

int csv_fast_row(struct csv *csv, const char *text, const char *end, int64_t line, struct error *error)
{
    struct frame_batch *batch = &csv->batch;
    int64_t values[COLUMN_COUNT];
    const char *at = text;
    bool other = false;
    size_t context;

    for (size_t i = 0; i < csv->steps.count; i++) {
        const struct csv_step *step = &csv->steps.items[i];
        bool last = i + 1 == csv->steps.count;

        switch (step->kind) {
        case CSV_NUMBER:
            at = read_number(csv, step, at, last, &values[step->column]);
            break;
        case CSV_RUN:
            at = read_run(csv, step->run, at, end, last, &other);
            break;
        case CSV_TEXT:
            at = read_text(csv, step->column, at, end, last, &values[step->column]);
            break;
        case CSV_SKIP:
            at = skip_fields(csv, at, end, step->count, last);
            break;
        }
        if (!at)
            return 0;
    }
    if (at != end + 1 || values[COLUMN_FRAME_TIME] < 1000)
        return 0;
    if (other || csv->current == SIZE_MAX) {
        if (!csv_find_context(csv, &context))
            return 0;
        if (!csv_enter_context(csv, context, error))
            return -1;
    }
    if (batch->count > 0 && (batch->count == BATCH_FRAMES || line != batch->line + (int64_t)batch->count) &&
        !frame_batch_flush(batch, error))
        return -1;
    if (batch->count == 0)
        batch->line = line;
    for (size_t i = 0; i < csv->steps.count; i++) {
        int column = csv->steps.items[i].column;

        if (csv->steps.items[i].kind <= CSV_TEXT)
            batch->values[column][batch->count] = values[column];
    }
    batch->count++;
    csv->frames++;
    return 1;
}
