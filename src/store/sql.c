/* SELECT only, on a connection of its own. */
#include "stutterscope/store/sql.h"
#include "sql.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LONGEST_VALUE (100 << 20)

static bool is_among(const char *name, const char *const *names)
{
    for (; name && *names; names++)
        if (strcasecmp(name, *names) == 0)
            return true;
    return false;
}

/* What is not named here is not done: writing, attaching, settings, transactions. */
static int authorize(void *user, int action, const char *first, const char *second, const char *schema, const char *trigger)
{
    static const char *const pragmas[] = {"table_info", "table_xinfo", "table_list", NULL};
    static const char *const forbidden[] = {"load_extension", "fts3_tokenizer", "writefile", "readfile", "edit", NULL};

    (void)user;
    (void)schema;
    (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return is_among(second, forbidden) ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
        return is_among(first, pragmas) ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

static bool only_blanks(const char *text)
{
    return text[strspn(text, " \t\r\n;")] == '\0';
}

static bool prepare(struct store *store, const char *sql, sqlite3_stmt **ret, struct error *error)
{
    const char *rest = "";
    int code = sqlite3_prepare_v2(store->db, sql, -1, ret, &rest);

    if (code == SQLITE_AUTH)
        return error_set(error, ERROR_USAGE, "only SELECT is possible here: the store is read, not changed (%s)", sqlite3_errmsg(store->db));
    if (code == SQLITE_ERROR)
        return error_set(error, ERROR_USAGE, "the statement is wrong: %s", sqlite3_errmsg(store->db));
    if (code != SQLITE_OK)
        return store_fail(store, code, error);
    if (!*ret)
        return error_set(error, ERROR_USAGE, "expected a SELECT statement, found nothing");
    if (!only_blanks(rest)) {
        char *clean = text_clean(rest, strlen(rest)), *cut = text_cut_end(clean, 60, "…");

        error_set(error, ERROR_USAGE, "expected one statement, found more behind it: %s", cut);
        free(clean);
        free(cut);
        return false;
    }
    return sqlite3_stmt_readonly(*ret) || error_set(error, ERROR_USAGE, "only SELECT is possible here: the store is read, not changed");
}

static struct sql_value value_at(sqlite3_stmt *query, int column)
{
    struct sql_value value = {.kind = SQL_NULL};

    switch (sqlite3_column_type(query, column)) {
    case SQLITE_INTEGER:
        value.kind = SQL_INTEGER;
        value.integer = sqlite3_column_int64(query, column);
        break;
    case SQLITE_FLOAT:
        value.kind = SQL_REAL;
        value.real = sqlite3_column_double(query, column);
        break;
    case SQLITE_TEXT:
        value.kind = SQL_TEXT;
        value.text = (const char *)sqlite3_column_text(query, column);
        break;
    case SQLITE_BLOB:
        value.kind = SQL_BYTES;
        value.integer = sqlite3_column_bytes(query, column);
        break;
    default:
        break;
    }
    return value;
}

static void give_names(sqlite3_stmt *query, int count, const struct sql_sink *sink)
{
    const char **names = memory_take_zeroed((size_t)count + 1, sizeof *names);

    for (int i = 0; i < count; i++)
        names[i] = sqlite3_column_name(query, i);
    sink->columns(sink->user, names, (size_t)count);
    free(names);
}

static bool give_rows(struct store *store, sqlite3_stmt *query, const struct sql_sink *sink, struct error *error)
{
    int count = sqlite3_column_count(query), step;
    struct sql_value *values = memory_take_zeroed((size_t)count + 1, sizeof *values);
    bool goes_on = true;

    give_names(query, count, sink);
    while (goes_on && (step = sqlite3_step(query)) == SQLITE_ROW) {
        for (int i = 0; i < count; i++)
            values[i] = value_at(query, i);
        goes_on = sink->row(sink->user, values);
    }
    free(values);
    if (!goes_on || step == SQLITE_DONE)
        return true;
    if ((step & 0xff) == SQLITE_ERROR || (step & 0xff) == SQLITE_TOOBIG)
        return error_set(error, ERROR_USAGE, "%s", sqlite3_errmsg(store->db));
    return store_fail(store, step, error);
}

bool store_sql(const char *path, const char *sql, const struct sql_sink *sink, struct error *error)
{
    struct store *store;
    sqlite3_stmt *query = NULL;
    bool good;

    if (!store_open(path, STORE_READ, &store, error))
        return false;
    sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
    good = sql_add_frames(store, error);
    sqlite3_set_authorizer(store->db, authorize, NULL);
    good = good && prepare(store, sql, &query, error) && give_rows(store, query, sink, error);
    sqlite3_finalize(query);
    store_close(store);
    return good;
}
