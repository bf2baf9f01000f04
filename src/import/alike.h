/*
 * Lines that differ from a line before in numbers only, which nearly all lines of telemetry do: the bytes between the numbers are
 * compared, the numbers read where they lie. Whatever differs otherwise is left to the reader of the format.
 */
#ifndef IMPORT_ALIKE_H
#define IMPORT_ALIKE_H

#include "stutterscope/import/batch.h"

#define ALIKE_NUMBERS 24

struct alike {
    bool known;
    char *text; /* the line that was learned, with its end */
    size_t length, capacity;
    struct {
        size_t begin, end; /* in text */
        int column;        /* enum frame_column; -1: a number that nobody wants */
        int digits;        /* its unit is 10 to the power of this in that of the column; -1: none is */
    } numbers[ALIKE_NUMBERS];
    size_t number_count;
    struct {
        int column;
        int64_t value;
    } constants[COLUMN_COUNT]; /* of the columns in use that no number stands for */
    size_t constant_count;
    bool helped;     /* a line like it came */
    unsigned misses; /* lines that were learned for nothing, one after the other */
};

void alike_free(struct alike *alike);
/* What was learned does not hold for the lines that follow. */
void alike_forget(struct alike *alike);
/* Is the line before the next worth being learned? Not often where lines are never alike. */
bool alike_is_worthwhile(struct alike *alike);
/*
 * Learns a line whose frame is the last of the batch: begin, its numbers from left to right, end. Numbers that are not plain, or too
 * many, have to stay as they are.
 */
void alike_begin(struct alike *alike, const char *line, size_t length);
void alike_add_number(struct alike *alike, size_t begin, size_t length, char other_mark, int column, int digits);
void alike_end(struct alike *alike, const struct frame_batch *batch);
/*
 * Adds frames from the lines [*at, end), the first of which is *line, up to the first that is not alike, or whose frame time is
 * below 1 µs; end stands behind a '\n', and 16 bytes more can be looked at. other_mark: decimal mark beside '.'. false: the sink
 * failed.
 */
bool alike_take(struct alike *alike, struct frame_batch *batch, char other_mark, const char **at, const char *end, int64_t *line,
                struct error *error);

#endif
