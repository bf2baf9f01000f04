/*
 * The report of an import as JSON: what was taken, what was not, and what was guessed.
 */
#ifndef IMPORT_REPORT_H
#define IMPORT_REPORT_H

#include "stutterscope/import/read.h"

/* All but "result" and "error", which are known after the commit. */
struct json *report_make(const char *path, const struct import_reading *reading);

#endif
