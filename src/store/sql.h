/*
 * The virtual table "frame" of one connection.
 */
#ifndef STORE_SQL_INTERNAL_H
#define STORE_SQL_INTERNAL_H

#include "database.h"

/* store must stay open as long as its connection has the table. */
bool sql_add_frames(struct store *store, struct error *error);

#endif
