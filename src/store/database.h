/*
 * What the files of this folder share: the open store, statements, transactions, and SQLite's failures in our
 * words.
 *
 * A query reads like this:
 *     sqlite3_stmt *query = store_query(store, error, "SELECT … WHERE id = ?", "i", id);
 *     int step = SQLITE_ERROR;
 *     while (query && (step = sqlite3_step(query)) == SQLITE_ROW)
 *         …
 *     return store_finish(store, query, step, error);
 */
#ifndef STUTTERSCOPE_STORE_DATABASE_H
#define STUTTERSCOPE_STORE_DATABASE_H

#include "given_rows.h"
#include "segment_codec.h"
#include "stutterscope/store/store.h"
#include <sqlite3.h>

#define STORE_APPLICATION_ID 0x53747363 /* "Stsc" */

#define DERIVED_TABLES 5

/* How a transaction can be taken back: changed pages go to a log (WAL), or the old ones to a journal. */
enum store_journal {
    JOURNAL_LOG,
    JOURNAL_ROLLBACK,
};

struct cached_statement {
    char *sql;
    sqlite3_stmt *statement;
};

/* Reads these columns of a segment (bits by enum frame_column) in one row. */
struct fetch_statement {
    uint32_t columns;
    sqlite3_stmt *statement;
};

struct store {
    sqlite3 *db;
    char *path;
    bool writable;
    int patience_ms;
    enum store_journal journal;
    uint64_t large_import; /* bytes of packed frames that are written past the log, see writer_commit.c */
    struct segment_codec *codec;
    struct value_runs runs;
    struct {
        int64_t *items;
        size_t count, capacity;
    } frame_times; /* for stamps, when only these are wanted */
    struct {
        struct cached_statement *items;
        size_t count, capacity;
    } cache;
    struct {
        struct fetch_statement *items;
        size_t count, capacity;
    } fetches; /* kept with the others in the cache; see frames.c */
    struct {
        bool open, failed, offered;
        bool fresh; /* before this transaction there was no analysis with these settings */
        int64_t analysis;
        int64_t next_window; /* its id; 0: not known yet */
        struct given_rows given; /* what the statements below insert */
        sqlite3_stmt *insert[DERIVED_TABLES]; /* kept with the others in the cache; NULL: not prepared yet */
    } derived;
};

/*
 * A statement with its parameters bound; types has a letter for each: i int64_t; o int64_t, VALUE_UNKNOWN is
 * NULL; b int (bool); d double, NaN is NULL; s text or NULL. NULL with an error when it fails. Statements are
 * kept and used again: end every one with store_finish().
 */
sqlite3_stmt *store_query(struct store *store, struct error *error, const char *sql, const char *types, ...);
/* Ends a query. step: what sqlite3_step() said last; true when it was SQLITE_DONE or SQLITE_ROW. query may be
 * NULL. */
bool store_finish(struct store *store, sqlite3_stmt *query, int step, struct error *error);
/* Runs a statement that returns no rows. */
bool store_change(struct store *store, struct error *error, const char *sql, const char *types, ...);
/* The first column of the first row; the fallback when there is no row or it is NULL. */
bool store_ask(struct store *store, struct error *error, int64_t fallback, int64_t *ret, const char *sql,
               const char *types, ...);
/* One or more statements without parameters. */
bool store_execute(struct store *store, const char *sql, struct error *error);

/*
 * Changes the journal where nobody else has the store open (busy timeout: as it is set); it stays as it is otherwise, see
 * store->journal.
 */
bool store_use_journal(struct store *store, enum store_journal journal, struct error *error);
/* The same if it can be done at once; a store is right with either. */
void store_try_journal(struct store *store, enum store_journal journal);
/* Takes the lock for writing at once, so that waiting for others happens here and nowhere later. */
bool store_begin(struct store *store, struct error *error);
bool store_end(struct store *store, struct error *error); /* when it fails nothing was changed */
void store_roll_back(struct store *store);

/* Says in *error what SQLite's last failure means for the user. Always returns false. */
bool store_fail(struct store *store, int code, struct error *error);

int64_t store_column(sqlite3_stmt *query, int column);    /* NULL is VALUE_UNKNOWN */
char *store_column_text(sqlite3_stmt *query, int column); /* new string; NULL is NULL */
/* Of a column that is never NULL; in a damaged store it may be, and nobody has to ask. */
char *store_column_name(sqlite3_stmt *query, int column);
bool store_column_is(sqlite3_stmt *query, int column, const char *text);

/* Opening step by step (open.c). */
bool store_migrate(struct store *store, struct error *error);

#endif
