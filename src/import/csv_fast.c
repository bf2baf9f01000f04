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

#define EVERY_BYTE 0x0101010101010101ULL

/* The high bit of every byte of the word that equals c; exact. */
static inline uint64_t find_byte(uint64_t word, char c)
{
    uint64_t different = word ^ (EVERY_BYTE * (unsigned char)c), low = EVERY_BYTE * 0x7f;

    return ~(((different & low) + low) | different | low);
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HAS_WORDS 1
#else
#define HAS_WORDS 0
#endif

/* Eight decimal digits at once, the first in the lowest byte, values 0 … 9. */
static inline uint64_t eight_digits(uint64_t word)
{
    const uint64_t pairs = 0x000000FF000000FFULL;

    word = word * 10 + (word >> 8);
    return ((word & pairs) * 0x000F424000000064ULL + (word >> 16 & pairs) * 0x0000271000000001ULL) >> 32;
}

static inline bool are_digits(uint64_t word)
{
    return (((word + EVERY_BYTE * 0x76) | word) & EVERY_BYTE * 0x80) == 0;
}

struct short_number {
    uint64_t value;
    unsigned length, digits, places; /* of the field, without the point, behind it */
};

/* Up to seven characters before the stop, without a branch for each digit (they would be guessed wrong). */
static inline bool read_short(const char *at, char stop, struct short_number *ret)
{
    uint64_t word, stops, points, before;
    unsigned shift;

    memcpy(&word, at, sizeof word);
    stops = find_byte(word, stop);
    if (!stops)
        return false;
    points = find_byte(word, '.') & ((stops & -stops) - 1);
    ret->length = (unsigned)__builtin_ctzll(stops) / 8;
    ret->places = points ? ret->length - (unsigned)__builtin_ctzll(points) / 8 - 1 : 0;
    ret->digits = ret->length - (points != 0);
    if (ret->digits == 0)
        return false;
    /* Closes the gap of the point, then moves the last digit into the highest byte. */
    before = points ? ((points & -points) >> 7) - 1 : ~0ULL;
    word = (word & before) | (word >> 8 & ~before);
    shift = 64 - 8 * ret->digits;
    word = (word ^ EVERY_BYTE * '0') << shift;
    ret->value = eight_digits(word);
    return are_digits(word);
}

/* Up to 15 characters: eight digits and a short number. */
static inline bool read_words(const char *at, char stop, struct short_number *ret)
{
    uint64_t word;

    if (read_short(at, stop, ret))
        return true;
    memcpy(&word, at, sizeof word);
    word ^= EVERY_BYTE * '0';
    if (!are_digits(word) || !read_short(at + 8, stop, ret))
        return false;
    ret->value += eight_digits(word) * (uint64_t)powers[ret->digits];
    ret->length += 8;
    ret->digits += 8;
    return true;
}

/* Plain digits with at most one decimal mark, up to the separator. NULL: not plain. */
static inline const char *read_number(const struct csv *csv, const struct csv_step *step, const char *at,
                                      bool last, int64_t *ret)
{
    const char *begin = at, *mark = NULL;
    char stop = last ? '\n' : csv->separator;
    uint64_t value = 0;
    int shift = step->digits;
    struct short_number number;
    unsigned digit;

    if (HAS_WORDS && read_words(at, stop, &number)) {
        shift -= (int)number.places;
        if (shift < 0 || __builtin_mul_overflow((int64_t)number.value, powers[shift], ret))
            return NULL;
        return at + number.length + 1;
    }
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

/* The place after the count-th separator, eight bytes at a time (line.text has room for it). NULL: quotes, or
 * too few. */
static inline const char *skip_words(const char *at, const char *end, char separator, size_t count)
{
    for (; at < end; at += 8) {
        uint64_t word, found;

        memcpy(&word, at, sizeof word);
        if (!HAS_WORDS || find_byte(word, '"'))
            return NULL;
        for (found = find_byte(word, separator); found; found &= found - 1) {
            if (--count > 0)
                continue;
            at += __builtin_ctzll(found) / 8 + 1;
            return at <= end ? at : NULL;
        }
    }
    return NULL;
}

static const char *skip_fields(const struct csv *csv, const char *at, const char *end, size_t count,
                               bool last)
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

/* *other is set when the bytes are not those of the context that was expected. */
static inline const char *read_run(struct csv *csv, size_t run, const char *at, const char *end, bool last,
                                   bool *other)
{
    csv->begins[run] = at;
    if (csv->current != SIZE_MAX) {
        const struct csv_context *context = &csv->contexts.items[csv->guess];
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

    values[COLUMN_FRAME_TIME] = VALUE_UNKNOWN;
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
        if (!at || (at > end) != last) /* the line ends in its last column, not before and not later */
            return 0;
    }
    if (at != end + 1 || values[COLUMN_FRAME_TIME] < 1000)
        return 0;
    context = csv->guess;
    if ((other || csv->current == SIZE_MAX) && !csv_find_context(csv, &context))
        return 0;
    if ((context != csv->current || context != csv->guess) && !csv_enter_context(csv, context, error))
        return -1;
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
