#include "csv.h"
#include "plain_number.h"

#include "stutterscope/base/memory.h"

#include <string.h>

/* The high bit of every byte of the word that equals c; exact. */
static inline uint64_t find_byte(uint64_t word, char c)
{
    uint64_t different = word ^ (EVERY_BYTE * (unsigned char)c), low = EVERY_BYTE * 0x7f;

    return ~(((different & low) + low) | different | low);
}

/* A decimal comma is one where the columns are separated by something else. */
static inline char other_mark(const struct csv *csv)
{
    return csv->separator == ',' ? '.' : ',';
}

/* The same, exact for the lowest byte only. */
static inline uint64_t find_first(uint64_t word, char c)
{
    uint64_t different = word ^ (EVERY_BYTE * (unsigned char)c);

    return (different - EVERY_BYTE) & ~different & EVERY_BYTE * 0x80;
}

/* Digits of any length, one by one, with at most one decimal mark; also no number at all. NULL: not plain. */
static const char *read_long_number(const struct csv *csv, const struct csv_step *step, const char *at, char stop, int64_t *ret)
{
    const char *begin = at;
    struct plain_number number = {0};
    bool mark;
    unsigned digit;

    for (; (digit = (unsigned)(*at - '0')) <= 9; at++)
        number.value = number.value * 10 + digit;
    mark = *at == '.' || *at == other_mark(csv);
    for (at += mark; mark && (digit = (unsigned)(*at - '0')) <= 9; at++, number.places++)
        number.value = number.value * 10 + digit;
    if (*at != stop || at - begin == mark) {
        if (at == begin && *at == stop && !step->required) {
            *ret = VALUE_UNKNOWN;
            return at + 1;
        }
        return NULL;
    }
    return at - begin <= 18 && plain_number_scale(&number, step->digits, ret) ? at + 1 : NULL;
}

/* Plain digits with at most one decimal mark, up to the separator. NULL: not plain. */
static inline const char *read_number(const struct csv *csv, const struct csv_step *step, const char *at, char stop, int64_t *ret)
{
    struct plain_number number;
    const char *end = plain_number_read(at, other_mark(csv), &number);

    if (!end || *end != stop)
        return read_long_number(csv, step, at, stop, ret);
    return plain_number_scale(&number, step->digits, ret) ? end + 1 : NULL;
}

/* The end of the field at `at`: its separator, or the '\n' of the last column. NULL: not plain. */
static inline const char *find_end(const struct csv *csv, const char *at, char stop)
{
    if (*at == '"') {
        for (at++; *at != '\n'; at++) {
            if (*at != '"')
                continue;
            if (at[1] != '"')
                break;
            at++;
        }
        return *at == '"' && at[1] == stop ? at + 1 : NULL;
    }
    while (*at != csv->separator && *at != '\n')
        at++;
    return *at == stop ? at : NULL;
}

/* The place after the count-th separator of the line, eight bytes at a time. NULL: quotes, or too few. */
static inline const char *skip_words(const char *at, char separator, size_t count)
{
    for (;; at += 8) {
        uint64_t word, found, line_end;

        memcpy(&word, at, sizeof word);
        line_end = find_first(word, '\n');
        if (!PLAIN_NUMBER_WORDS || find_first(word, '"'))
            return NULL;
        for (found = find_byte(word, separator) & (line_end - 1); found; found &= found - 1) {
            if (--count == 0)
                return at + __builtin_ctzll(found) / 8 + 1;
        }
        if (line_end)
            return NULL;
    }
}

/* The place after the next fields. last: they end the line. */
static const char *skip_fields(const struct csv *csv, const char *at, size_t count, bool last)
{
    size_t separated = last ? count - 1 : count;
    const char *next = separated ? skip_words(at, csv->separator, separated) : at;

    if (next && !last)
        return next;
    if (next && *next != '"') {
        next = find_end(csv, next, '\n');
        return next ? next + 1 : NULL;
    }
    for (size_t i = 0; i < count; i++) {
        at = find_end(csv, at, last && i + 1 == count ? '\n' : csv->separator);
        if (!at)
            return NULL;
        at++;
    }
    return at;
}

/* *other is set when the bytes are not those of the context that was expected. */
static inline const char *read_run(struct csv *csv, size_t run, const char *at, const char *end, bool last, bool *other)
{
    csv->begins[run] = at;
    if (csv->current != SIZE_MAX) {
        const struct csv_context *context = &csv->contexts.items[csv->guess];
        size_t begin = run ? context->ends[run - 1] : 0, length = context->ends[run] - begin;

        if (context->is_one_line && (size_t)(end - at) >= length && memcmp(at, context->key + begin, length) == 0) {
            csv->ends[run] = at + length;
            return (at[length - 1] == '\n') == last ? at + length : NULL; /* a row may leave out its last columns */
        }
    }
    *other = true;
    csv->ends[run] = skip_fields(csv, at, csv->runs[run].count, last);
    return csv->ends[run];
}

static inline const char *read_text(struct csv *csv, int column, const char *at, char stop, int64_t *ret)
{
    const char *end;

    if (*at == stop) {
        *ret = VALUE_UNKNOWN;
        return at + 1;
    }
    if (*at == '"' || *at == ' ')
        return NULL;
    end = find_end(csv, at, stop);
    if (!end || end[-1] == ' ')
        return NULL;
    *ret = csv_text_id(csv, column, at, (size_t)(end - at));
    return end + 1;
}

/* The fields of a line from left to right, each step ends behind its separator. NULL: not plain. */
static inline const char *read_fields(struct csv *csv, const char *at, const char *end, size_t place, bool *other)
{
    size_t count = csv->steps.count;

    for (size_t i = 0; i < count && at; i++) {
        const struct csv_step *step = &csv->steps.items[i];
        bool last = i + 1 == count;
        char stop = last ? '\n' : csv->separator;

        switch (step->kind) {
        case CSV_NUMBER:
            at = read_number(csv, step, at, stop, &csv->batch.values[step->column][place]);
            break;
        case CSV_RUN:
            at = read_run(csv, step->run, at, end, last, other);
            break;
        case CSV_TEXT:
            at = read_text(csv, step->column, at, stop, &csv->batch.values[step->column][place]);
            break;
        case CSV_SKIP:
            at = skip_fields(csv, at, step->count, last);
            break;
        }
    }
    return at;
}

/* A new context hands over the batch: the frame that was read behind its frames becomes the first of the next. */
static void move_frame(struct csv *csv, size_t from)
{
    for (size_t i = 0; i < csv->steps.count; i++) {
        int64_t *values = csv->batch.values[csv->steps.items[i].column];

        if (csv->steps.items[i].kind <= CSV_TEXT)
            values[csv->batch.count] = values[from];
    }
}

/* 1: taken, *at is the next line; 0: not plain; -1: the sink failed. */
static inline int take_row(struct csv *csv, const char **at, const char *end, int64_t line, struct error *error)
{
    struct frame_batch *batch = &csv->batch;
    size_t place = batch->count, context = csv->guess;
    bool other = false;
    const char *after = read_fields(csv, *at, end, place, &other);

    if (!after || batch->values[COLUMN_FRAME_TIME][place] < 1000)
        return 0;
    if ((other || csv->current == SIZE_MAX) && !csv_find_context(csv, &context))
        return 0;
    if (context != csv->current || context != csv->guess) {
        if (!csv_enter_context(csv, context, error))
            return -1;
        if (batch->count != place)
            move_frame(csv, place);
    }
    if (batch->count == 0)
        batch->line = line;
    batch->count++;
    csv->frames++;
    *at = after;
    return 1;
}

/* The numbers among the next fields; column -1: nobody wants them. Returns what follows, NULL when the fields are not plain. */
static const char *learn_numbers(struct csv *csv, const char *row, const char *at, const struct csv_step *step, bool last)
{
    size_t fields = step->kind == CSV_SKIP ? step->count : 1;

    for (size_t field = 1; field <= fields; field++) {
        const char *end = find_end(csv, at, last && field == fields ? '\n' : csv->separator);

        if (!end)
            return NULL;
        if (step->kind != CSV_TEXT)
            alike_add_number(&csv->alike, (size_t)(at - row), (size_t)(end - at), other_mark(csv), step->kind == CSV_NUMBER ? step->column : -1,
                             step->digits);
        at = end + 1;
    }
    return at;
}

/* The plain row [row, after), which was read last, for those that are like it. */
static void learn_row(struct csv *csv, const char *row, const char *after)
{
    const char *at = row;

    alike_begin(&csv->alike, row, (size_t)(after - row) - 1);
    for (size_t i = 0; i < csv->steps.count && at; i++) {
        const struct csv_step *step = &csv->steps.items[i];

        at = step->kind == CSV_RUN ? csv->ends[step->run] : learn_numbers(csv, row, at, step, i + 1 == csv->steps.count);
    }
    if (at == after)
        alike_end(&csv->alike, &csv->batch);
}

/* Where rows of several runs take turns none is learned: the next one is of another context. */
static bool is_to_be_learned(struct csv *csv)
{
    return csv->guess == csv->current && alike_is_worthwhile(&csv->alike);
}

int csv_fast_rows(struct csv *csv, const char **at, const char *end, int64_t *line, struct error *error)
{
    while (*at < end) {
        const char *row;
        int64_t first = *line;
        int taken;

        if (!alike_take(&csv->alike, &csv->batch, other_mark(csv), at, end, line, error))
            return -1;
        csv->frames += *line - first;
        if (*at == end)
            break;
        if (!frame_batch_make_place(&csv->batch, *line, error))
            return -1;
        alike_forget(&csv->alike); /* whatever this row is, it may change the context or the columns */
        /* Runs take turns: another context comes, most probably, and then the frame would have to be moved. */
        if (csv->guess != csv->current && !frame_batch_flush(&csv->batch, error))
            return -1;
        row = *at;
        taken = take_row(csv, at, end, *line, error);
        if (taken <= 0)
            return taken;
        (*line)++;
        if (is_to_be_learned(csv))
            learn_row(csv, row, *at);
    }
    return 1;
}
