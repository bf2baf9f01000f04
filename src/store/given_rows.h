/*
 * Rows in memory as a table that statements read: INSERT … SELECT … FROM given_rows keeps thousands of them in one statement,
 * in half the time that binding and running one for each takes.  Its columns: place (0, 1, … in the list), c0, c1, … (the
 * fields, in their order).
 */
#ifndef STUTTERSCOPE_STORE_GIVEN_ROWS_H
#define STUTTERSCOPE_STORE_GIVEN_ROWS_H

#include "row.h"
#include <stdbool.h>
#include <stdint.h>

#define GIVEN_FIELDS_MOST 48

/* What the table shows, as long as it is there: rows of `size` bytes. */
struct given_rows {
    const struct row_field *fields; /* at most GIVEN_FIELDS_MOST */
    const void *rows;
    size_t count, size;
};

/* Makes the table known to a connection; rows may change between statements. false: out of memory. */
bool given_rows_offer(sqlite3 *db, const struct given_rows *rows);

#endif
