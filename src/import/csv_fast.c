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

static const char *skip_fields(const struct csv *csv, const char *at, const char *end, size_t count, bool last)
{
    for (size_t i = 0; i < count; i++) {
        at = find_end(csv, at, end, last && i + 1 == count);
        if (!at)
            return NULL;
        at++;
    }
    return at;
}

static inline const char *read_run(struct csv *csv, struct csv_text_run *run, const char *at, const char *end,
                                   bool last)
{
    const char *stop;

    if ((size_t)(end + 1 - at) >= run->last_length && run->last_length > 0 &&
        memcmp(at, run->last, run->last_length) == 0) {
        csv->variants[run - csv->runs] = run->last_variant;
        return at + run->last_length;
    }
    stop = skip_fields(csv, at, end, run->count, last);
    if (!stop)
        return NULL;
    csv->variants[run - csv->runs] = csv_find_variant(csv, run, at, stop);
    return csv->variants[run - csv->runs] == 0 ? NULL : stop;
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

    for (size_t i = 0; i < csv->steps.count; i++) {
        const struct csv_step *step = &csv->steps.items[i];
        bool last = i + 1 == csv->steps.count;

        switch (step->kind) {
        case CSV_NUMBER:
            at = read_number(csv, step, at, last, &values[step->column]);
            break;
        case CSV_RUN:
            at = read_run(csv, step->run, at, end, last);
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
    if (memcmp(csv->variants, csv->last_variants, csv->run_count * sizeof *csv->variants) != 0 &&
        !csv_set_context(csv, error))
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
