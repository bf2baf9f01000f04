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

/* Files that lie beside a capture, where it does not come from a folder. */
struct import_beside {
    void *user;
    /* The whole file as a new string of bytes; false: there is none of that path. */
    bool (*read)(void *user, const char *path, char **ret_bytes, size_t *ret_size);
};
/* A file to import. */
struct import_item {
    const char *path; /* its name: for messages, --path-pattern and what lies beside it; "-": standard input */
    struct byte_source *source;          /* its bytes, unpacked; taken over */
    const struct import_beside *beside;  /* NULL: the folder of the path */
    bool found;                          /* in a folder or archive: nobody named it */
};

/*
 * On false nothing was stored and the error names file, line, expected and found; its code is ERROR_FOREIGN when the
 * file is no telemetry at all. The report is filled as far as it
 * got in both cases (ret->report may be NULL). A dry run needs no store; with one it says what it would do to that.
 */
bool import_item(struct store *store, const struct import_item *item, const struct import_options *options,
                 const struct progress *progress, struct import_summary *ret, struct error *error);
/*
 * The same for a file as it lies there. path "-": standard input. Compressed files, archives and folders: intake.h.
 */
bool import_file(struct store *store, const char *path, const struct import_options *options,
                 const struct progress *progress, struct import_summary *ret, struct error *error);
/* Does the name say that the file belongs to a capture beside it (FILE.meta.json, FILE.getprop, getprop.txt)? */
bool import_is_sidecar(const char *path);
/* Readable form of the report, lines ending in '\n'; a new string. */
char *import_report_text(const struct json *report);

#endif
