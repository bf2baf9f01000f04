/*
 * Reading one file from bytes to segments, without a store: what import_file() does before it commits, and
 * what tests do with a recorder.
 */
#ifndef STUTTERSCOPE_IMPORT_READ_H
#define STUTTERSCOPE_IMPORT_READ_H

#include "stutterscope/base/progress.h"
#include "stutterscope/import/assemble.h"
#include "stutterscope/import/format.h"

struct import_reading {
    const struct import_format *format; /* NULL: not recognised */
    const char *encoding;               /* lives as long as input */
    int64_t bytes;
    struct import_log *log;
    struct assembler *assembler; /* its runs; NULL when it did not come so far */
    struct import_input *input;
};

/*
 * Takes the source over. *ret is filled as far as it got, also on false; free it with import_reading_free().
 * Errors begin with the path.
 */
bool import_read(struct byte_source *source, const char *path, const struct import_options *options,
                 struct dictionary *texts, const struct segment_sink *sink, const struct progress *progress,
                 struct import_reading *ret, struct error *error);
void import_reading_free(struct import_reading *reading);

#endif
