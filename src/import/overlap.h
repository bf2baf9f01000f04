/*
 * Rings that are dumped again and again overlap: the same frame stands in several dumps, perhaps unfinished
 * in the first. This finds, for every frame, the one row that counts.
 */
#ifndef IMPORT_OVERLAP_H
#define IMPORT_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct overlap_row {
    int64_t key;   /* the same for the same frame */
    bool complete; /* a complete row counts rather than an earlier incomplete one */
    bool repeated; /* set: another row of the same key counts */
};

void overlap_mark(struct overlap_row *rows, size_t count);

#endif
