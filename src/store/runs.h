/*
 * The columns of a run, for those who read and those who write them.
 */
#ifndef STUTTERSCOPE_STORE_RUNS_H
#define STUTTERSCOPE_STORE_RUNS_H

#include "database.h"
#include "row.h"

/* All but id and anonymous, in the order of run_fields. */
extern const struct row_field run_fields[];
extern const size_t run_field_count;

void run_row_free(struct run_row *row); /* its texts */
/* As it is stored: sampling.every is unknown when no sampling was declared. */
bool run_row_read(struct store *store, int64_t id, struct run_row *ret, struct error *error);

#endif
