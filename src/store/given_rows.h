/*
 * Rows in memory as a table that statements read: INSERT … SELECT … FROM given_rows keeps thousands of them in one statement,
 * in half the time that binding and running one for each takes. Its columns: owner and number (of the part that the row is
 * in, the number one more with each row of it), c0, c1, … (the fields, in their order).
 */
#ifndef STUTTERSCOPE_STORE_GIVEN_ROWS_H
#define STUTTERSCOPE_STORE_GIVEN_ROWS_H

#include "row.h"
#include <stdbool.h>
#include <stdint.h>

#define GIVEN_FIELDS_MOST 48

/* Rows that lie one after the other and belong together. */
struct given_part {
    int64_t owner, number; /* number: of the first row */
    const void *rows;
    size_t count;
};

/* What the table shows, as long as it is there: rows of `size` bytes, part by part. */
struct given_rows {
    const struct row_field *fields; /* at most GIVEN_FIELDS_MOST */
    size_t size;
    const struct given_part *parts;
    size_t part_count;
};

/* Makes the table known to a connection; rows may change between statements. false: out of memory. */
bool given_rows_offer(sqlite3 *db, const struct given_rows *rows);

#endif
