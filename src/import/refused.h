/*
 * Files that are known and hold no frames at all: each with the advice what to do instead.
 */
#ifndef IMPORT_REFUSED_H
#define IMPORT_REFUSED_H

#include "stutterscope/import/input.h"

/* true with the advice in *error. */
bool import_is_refused(const struct import_sample *sample, struct error *error);

#endif
