/*
 * The formats: one struct each, one table of all. The first question to a file is put here: what are you?
 */
#ifndef STUTTERSCOPE_IMPORT_FORMAT_H
#define STUTTERSCOPE_IMPORT_FORMAT_H

#include "stutterscope/import/reader.h"

/* The file is known and cannot be used; the error says what to do instead. */
#define DETECT_REFUSED (-1)
/* Something with separators, no name of which is known: chosen only to say so. */
#define DETECT_ANY_TABLE 1

struct import_format {
    const char *name;          /* "csv": for --format */
    const char *title;         /* "Canonical CSV" */
    const char *recognised_by; /* for the man page */
    /* 0 … 100, or DETECT_REFUSED with the advice in *refusal. */
    int (*detect)(const struct import_sample *sample, const struct import_options *options,
                  struct error *refusal);
    bool (*read)(const struct import_reader *reader, struct error *error);
    bool samples_only; /* gives samples (sink->sample) and never frames */
    bool lines;        /* one line is one record: a last line without a line end is worth a word */
};

/* The table, NULL at its end. */
extern const struct import_format *const import_formats[];
/* The format that the user named or the one with the highest score. NULL with an error. */
const struct import_format *import_format_find(const struct import_sample *sample,
                                               const struct import_options *options, struct error *error);

#endif
