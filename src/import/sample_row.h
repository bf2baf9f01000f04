/*
 * A row of a canonical file that is no frame but a value beside frames, or a snapshot of memory.
 */
#ifndef IMPORT_SAMPLE_ROW_H
#define IMPORT_SAMPLE_ROW_H

#include "stutterscope/import/columns.h"
#include "stutterscope/import/sink.h"

struct sample_row {
    struct {
        const char *text; /* not NUL-terminated */
        size_t length;
    } parts[SAMPLE_PARTS];
    int64_t stamp_ns; /* VALUE_UNKNOWN */
};

/* Is there a name or a category? */
bool sample_row_is_one(const struct sample_row *row);
/* To the sink as a sample, or as a rejected row. comma: it may be the decimal mark. */
bool sample_row_give(const struct sample_row *row, const struct import_sink *sink, const struct import_context *context,
                     bool comma, int64_t line, struct error *error);

#endif
