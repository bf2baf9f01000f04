/*
 * A row of a canonical file that is no frame but a value beside frames, or a snapshot of memory. What is a frame and has
 * a value too is a frame; how often that was so is said at the end.
 */
#ifndef IMPORT_SAMPLE_ROW_H
#define IMPORT_SAMPLE_ROW_H

#include "stutterscope/import/columns.h"
#include "stutterscope/import/sink.h"

enum sample_row_time {
    SAMPLE_ROW_NO_TIME,
    SAMPLE_ROW_ZERO_TIME, /* what tools fill in that have to write a number */
    SAMPLE_ROW_TIME       /* something else, a number or not */
};

struct sample_row {
    struct {
        const char *text; /* not NUL-terminated */
        size_t length;
    } parts[SAMPLE_PARTS];
    int64_t stamp_ns; /* VALUE_UNKNOWN */
    const char *bad_stamp; /* what stands where a time stamp is expected and is none; NULL: nothing */
    size_t bad_stamp_length;
};

/* Rows that are frames although they name a value, too. */
struct sample_rows_left {
    int64_t count, first_line;
};

/* Of a frame time as it was read: value when fault is NUMBER_OK. */
enum sample_row_time sample_row_time(enum number_fault fault, int64_t value_ns);
/*
 * Is the row a value? present: 1 << part of all parts that are there. A name counts beside a frame time only with its value,
 * a category only with its bytes, and both only if the time is 0. *left counts the rows that are frames all the same.
 */
bool sample_row_is_one(unsigned present, enum sample_row_time time, int64_t line, struct sample_rows_left *left);
/* To the sink as a sample, as a snapshot, as both, or as a rejected row. comma: it may be the decimal mark. */
bool sample_row_give(const struct sample_row *row, const struct import_sink *sink, const struct import_context *context,
                     bool comma, int64_t line, struct error *error);
/* The note about them, if there were any. */
void sample_rows_tell_left(const struct sample_rows_left *left, const struct import_sink *sink);

#endif
