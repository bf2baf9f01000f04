/*
 * Foreign files into the store: recognises the format, reads it, tells what was taken. One file is one
 * transaction.
 */
#ifndef STUTTERSCOPE_IMPORT_IMPORT_H
#define STUTTERSCOPE_IMPORT_IMPORT_H

#include "stutterscope/base/json.h"
#include "stutterscope/base/progress.h"
#include "stutterscope/import/format.h"
#include "stutterscope/import/options.h"
#include "stutterscope/store/writer.h"

struct import_summary {
    struct import_outcome outcome;
    int64_t frames, rejected, runs;
    struct json *report; /* the whole report: see import_report in the man page; the caller destroys it */
};

/*
 * path "-": standard input. On false nothing was stored and the error names file, line, expected and found.
 * The report is filled as far as it got in both cases (ret->report may be NULL).
 */
bool import_file(struct store *store, const char *path, const struct import_options *options,
                 const struct progress *progress, struct import_summary *ret, struct error *error);
/* Does the name say that the file belongs to a capture beside it (FILE.meta.json, FILE.getprop, getprop.txt)? */
bool import_is_sidecar(const char *path);
/* Readable form of the report, lines ending in '\n'; a new string. */
char *import_report_text(const struct json *report);

#endif
