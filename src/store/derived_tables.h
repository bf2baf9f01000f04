/*
 * The tables of what analysis computed, for those who read and those who write them.
 */
#ifndef STUTTERSCOPE_STORE_DERIVED_TABLES_H
#define STUTTERSCOPE_STORE_DERIVED_TABLES_H

#include "database.h"
#include "row.h"
#include "stutterscope/store/derived.h"
#include "stutterscope/store/summary.h"

/* fields: its own columns. place: where it belongs, read from its group (and the id, where it has one). */
struct derived_table {
    const char *name;
    const struct row_field *fields;
    size_t field_count;
    const struct row_field *place;
    size_t place_count;
};
extern const struct derived_table derived_groups, derived_runs, derived_events, derived_windows,
    derived_stutters, summary_table;

/* Results and the group in the store that they are of. */
struct placed_group {
    int64_t id, changed; /* changed: its version */
    const struct group_results *results;
};
/* In the open transaction; of these groups nothing is there. When it fails all has to be taken back. */
bool derived_insert(struct store *store, const struct placed_group *groups, size_t count, struct error *error);

/* The gameplay frames are the distribution itself; they are not stored twice. */
void derived_complete_labels(struct distribution *distribution);

#endif
