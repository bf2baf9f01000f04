#include "database.h"
#include "stutterscope/base/memory.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool store_fail(struct store *store, int code, struct error *error)
{
    const char *path = store->path;
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_set(
            error, ERROR_LOCKED,
            "%s is locked: another program has been writing to it for longer than %g s. Wait until its "
            "import or analysis has ended, or close it (\"fuser -v %s\" names it), then try again; "
            "nothing was changed.",
            path, store->patience_ms / 1000.0, path);
    case SQLITE_FULL:
        return error_set(error, ERROR_IO,
                         "%s: no space is left on the disk. Nothing was changed; free some space "
                         "and try again.",
                         path);
    case SQLITE_READONLY:
        return error_set(error, ERROR_IO, "%s cannot be written: the file or its folder is read-only (%s).",
                         path, sqlite3_errmsg(store->db));
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return error_set(error, ERROR_STORE,
                         "%s is damaged (%s). Restore it from a backup or import the files again into a "
                         "new store.",
                         path, sqlite3_errmsg(store->db));
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN: {
        int system = sqlite3_system_errno(store->db);
        return error_set(error, ERROR_IO, "%s: %s%s%s.", path, sqlite3_errmsg(store->db), system ? ": " : "",
                         system ? strerror(system) : "");
    }
    default:
        return error_set(error, ERROR_STORE, "%s: %s.", path, sqlite3_errmsg(store->db));
    }
}

static sqlite3_stmt *find_statement(struct store *store, const char *sql, struct error *error)
{
    for (size_t i = 0; i < store->cache.count; i++) {
        struct cached_statement *cached = &store->cache.items[i];
        if (strcmp(cached->sql, sql) == 0 && !sqlite3_stmt_busy(cached->statement))
            return cached->statement;
    }
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    if (code != SQLITE_OK) {
        store_fail(store, code, error);
        return NULL;
    }
    array_push(&store->cache, (struct cached_statement){memory_copy_text(sql), statement});
    return statement;
}

static void bind_integer(sqlite3_stmt *query, int at, int64_t value)
{
    if (value == VALUE_UNKNOWN)
        sqlite3_bind_null(query, at);
    else
        sqlite3_bind_int64(query, at, value);
}

static sqlite3_stmt *query_list(struct store *store, struct error *error, const char *sql, const char *types,
                                va_list list)
{
    sqlite3_stmt *query = find_statement(store, sql, error);
    if (!query)
        return NULL;
    for (int i = 0; types[i] != '\0'; i++) {
        switch (types[i]) {
        case 'i':
            sqlite3_bind_int64(query, i + 1, va_arg(list, int64_t));
            break;
        case 'o':
            bind_integer(query, i + 1, va_arg(list, int64_t));
            break;
        case 'b':
            sqlite3_bind_int(query, i + 1, va_arg(list, int));
            break;
        case 'd':
            sqlite3_bind_double(query, i + 1, va_arg(list, double));
            break;
        default:
            sqlite3_bind_text(query, i + 1, va_arg(list, const char *), -1, SQLITE_TRANSIENT);
            break;
        }
    }
    return query;
}

sqlite3_stmt *store_query(struct store *store, struct error *error, const char *sql, const char *types, ...)
{
    va_list list;
    va_start(list, types);
    sqlite3_stmt *query = query_list(store, error, sql, types, list);
    va_end(list);
    return query;
}

bool store_finish(struct store *store, sqlite3_stmt *query, int step, struct error *error)
{
    if (!query)
        return false;
    bool fine = step == SQLITE_DONE || step == SQLITE_ROW;
    if (!fine)
        store_fail(store, step, error);
    sqlite3_reset(query);
    sqlite3_clear_bindings(query);
    return fine;
}

bool store_change(struct store *store, struct error *error, const char *sql, const char *types, ...)
{
    va_list list;
    va_start(list, types);
    sqlite3_stmt *query = query_list(store, error, sql, types, list);
    va_end(list);
    return store_finish(store, query, query ? sqlite3_step(query) : SQLITE_ERROR, error);
}

bool store_ask(struct store *store, struct error *error, int64_t fallback, int64_t *ret, const char *sql,
               const char *types, ...)
{
    va_list list;
    va_start(list, types);
    sqlite3_stmt *query = query_list(store, error, sql, types, list);
    va_end(list);
    int step = query ? sqlite3_step(query) : SQLITE_ERROR;
    int64_t answer = fallback;
    if (step == SQLITE_ROW && sqlite3_column_type(query, 0) != SQLITE_NULL)
        answer = sqlite3_column_int64(query, 0);
    if (!store_finish(store, query, step, error))
        return false;
    *ret = answer;
    return true;
}

bool store_execute(struct store *store, const char *sql, struct error *error)
{
    int code = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK || store_fail(store, code, error);
}

bool store_begin(struct store *store, struct error *error)
{
    if (!store->writable)
        return error_set(error, ERROR_IO, "%s was opened for reading only.", store->path);
    return store_execute(store, "BEGIN IMMEDIATE", error);
}

bool store_end(struct store *store, struct error *error)
{
    if (store_execute(store, "COMMIT", error))
        return true;
    store_roll_back(store);
    return false;
}

bool store_hold(struct store *store)
{
    return sqlite3_get_autocommit(store->db) && sqlite3_exec(store->db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK;
}

void store_release(struct store *store)
{
    sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
}

void store_roll_back(struct store *store)
{
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}

int64_t store_column(sqlite3_stmt *query, int column)
{
    if (sqlite3_column_type(query, column) == SQLITE_NULL)
        return VALUE_UNKNOWN;
    return sqlite3_column_int64(query, column);
}

char *store_column_text(sqlite3_stmt *query, int column)
{
    return memory_copy_text((const char *)sqlite3_column_text(query, column));
}
