/*
 * A SELECT statement as a table: see stutterscope(1) for the virtual table "frame" and the tables beside it.
 */
#ifndef STUTTERSCOPE_MODEL_SQL_H
#define STUTTERSCOPE_MODEL_SQL_H

#include "stutterscope/model/table.h"

/* At most `limit` rows (0: all); NULL with an error. */
struct table *table_sql(const char *store_path, const char *sql, size_t limit, struct error *error);

#endif
