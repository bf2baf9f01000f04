/*
 * What the user says about an import. Plain data; strings are borrowed for as long as the import runs.
 */
#ifndef STUTTERSCOPE_IMPORT_OPTIONS_H
#define STUTTERSCOPE_IMPORT_OPTIONS_H

#include "stutterscope/import/sink.h"

struct import_options {
    const char *context[CONTEXT_COUNT]; /* what the user says; wins over the file. NULL: not said */
    const char *fallback[CONTEXT_COUNT]; /* where neither the user nor the file says */
    const char *beside;                  /* a sentence for the report: where some of this comes from; NULL */
    const char *format;                 /* name of a format; NULL: found by content */
    const char *stream;                 /* which stream; NULL: the rule of the format */
    const char *interval;               /* "present" or "display"; NULL: the format's default */
    const char *encoding;               /* NULL: guessed */
    const char *const *maps;            /* "frame_time_ms=Dauer": canonical column = column of the file */
    size_t map_count;
    const char *path_pattern; /* "{device}/{build}/{scene}.csv"; NULL */
    bool dry_run;
};

#endif
