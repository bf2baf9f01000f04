#include "given_rows.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/telemetry.h"
#include "stutterscope/base/text.h"
#include <stdbool.h>
#include <stdlib.h>

enum { COLUMN_OWNER, COLUMN_NUMBER, COLUMN_FIRST_FIELD };

struct given_table {
    sqlite3_vtab base;
    const struct given_rows *rows;
};

struct given_cursor {
    sqlite3_vtab_cursor base;
    const struct given_rows *rows;
    const struct given_part *part, *end;
    size_t at;    /* row of the part */
    int64_t from; /* rows of the parts before */
};

static int connect_table(sqlite3 *db, void *user, int count, const char *const *words, sqlite3_vtab **ret, char **ret_error)
{
    struct text_buffer sql = {0};
    struct given_table *table;
    int code;

    (void)count, (void)words, (void)ret_error;
    text_add(&sql, "CREATE TABLE given (owner, number");
    for (int i = 0; i < GIVEN_FIELDS_MOST; i++)
        text_add_print(&sql, ", c%d", i);
    text_add(&sql, ")");
    char *text = text_take(&sql);
    code = sqlite3_declare_vtab(db, text);
    free(text);
    if (code != SQLITE_OK)
        return code;
    table = memory_take_zeroed(1, sizeof *table);
    table->rows = user;
    *ret = &table->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

/* There is one way: all of them, in their order. */
static int choose_way(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    info->estimatedCost = 1000;
    info->estimatedRows = 1000;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **ret)
{
    struct given_cursor *cursor = memory_take_zeroed(1, sizeof *cursor);

    cursor->rows = ((struct given_table *)table)->rows;
    *ret = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    free(cursor);
    return SQLITE_OK;
}

static void skip_empty_parts(struct given_cursor *cursor)
{
    while (cursor->part < cursor->end && cursor->at == cursor->part->count) {
        cursor->from += (int64_t)cursor->part->count;
        cursor->part++;
        cursor->at = 0;
    }
}

static int begin_rows(sqlite3_vtab_cursor *base, int way, const char *name, int count, sqlite3_value **values)
{
    struct given_cursor *cursor = (struct given_cursor *)base;

    (void)way, (void)name, (void)count, (void)values;
    cursor->part = cursor->rows->parts;
    cursor->end = cursor->part + cursor->rows->part_count;
    cursor->at = 0;
    cursor->from = 0;
    skip_empty_parts(cursor);
    return SQLITE_OK;
}

static int go_to_next(sqlite3_vtab_cursor *base)
{
    struct given_cursor *cursor = (struct given_cursor *)base;

    cursor->at++;
    skip_empty_parts(cursor);
    return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
    const struct given_cursor *cursor = (const struct given_cursor *)base;

    return cursor->part == cursor->end;
}

/* One field of a row, as the value of a column. */
static void give_field(sqlite3_context *context, const struct row_field *field, const void *row)
{
    const void *at = (const char *)row + field->offset;

    switch (field->kind) {
    case ROW_INTEGER:
        if (*(const int64_t *)at == VALUE_UNKNOWN)
            sqlite3_result_null(context);
        else
            sqlite3_result_int64(context, *(const int64_t *)at);
        break;
    case ROW_BOOL:
        sqlite3_result_int(context, *(const bool *)at);
        break;
    case ROW_INT:
        sqlite3_result_int64(context, *(const unsigned *)at);
        break;
    case ROW_REAL:
        sqlite3_result_double(context, *(const double *)at);
        break;
    case ROW_TEXT:
    case ROW_NAME:
        sqlite3_result_text(context, *(char *const *)at, -1, SQLITE_TRANSIENT);
        break;
    }
}

static int give_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    const struct given_cursor *cursor = (const struct given_cursor *)base;
    const struct given_rows *rows = cursor->rows;
    const struct given_part *part = cursor->part;

    if (column >= COLUMN_FIRST_FIELD)
        give_field(context, &rows->fields[column - COLUMN_FIRST_FIELD], (const char *)part->rows + cursor->at * rows->size);
    else
        sqlite3_result_int64(context, column == COLUMN_OWNER ? part->owner : part->number + (int64_t)cursor->at);
    return SQLITE_OK;
}

static int give_id(sqlite3_vtab_cursor *base, sqlite3_int64 *ret)
{
    const struct given_cursor *cursor = (const struct given_cursor *)base;

    *ret = cursor->from + (int64_t)cursor->at;
    return SQLITE_OK;
}

/* Without xCreate it is there by its name alone, and no statement can make or drop one. */
static const sqlite3_module given_module = {
    .xConnect = connect_table,
    .xBestIndex = choose_way,
    .xDisconnect = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = begin_rows,
    .xNext = go_to_next,
    .xEof = is_at_end,
    .xColumn = give_column,
    .xRowid = give_id,
};

bool given_rows_offer(sqlite3 *db, const struct given_rows *rows)
{
    return sqlite3_create_module(db, "given_rows", &given_module, (void *)rows) == SQLITE_OK;
}
