#include "stutterscope/model/sql.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/store/sql.h"
#include <stdlib.h>
#include <string.h>

struct asked {
    struct table *table;
    size_t limit;
};

/* Names of one block with the texts behind them, so that the table frees all at once. */
static void take_columns(void *user, const char *const *names, size_t count)
{
    struct asked *asked = user;
    size_t bytes = 0;
    struct table_column *columns;
    char *text;

    for (size_t i = 0; i < count; i++)
        bytes += strlen(names[i]) + 1;
    columns = memory_take_zeroed(1, (count + 1) * sizeof *columns + bytes);
    text = (char *)(columns + count + 1);
    for (size_t i = 0; i < count; i++) {
        columns[i] = (struct table_column){text, text, COLUMN_SHOWN};
        text = stpcpy(text, names[i]) + 1;
    }
    asked->table = table_create("sql", columns, count);
    asked->table->owned_columns = columns;
}

static bool take_row(void *user, const struct sql_value *values)
{
    struct asked *asked = user;
    struct cell *row;

    if (asked->limit && asked->table->row_count == asked->limit)
        return false;
    row = table_add_row(asked->table);
    for (size_t i = 0; i < asked->table->column_count; i++) {
        switch (values[i].kind) {
        case SQL_INTEGER:
            cell_set_integer(&row[i], values[i].integer);
            break;
        case SQL_REAL:
            cell_set_real(&row[i], values[i].real);
            break;
        case SQL_TEXT:
            cell_set_text(&row[i], values[i].text);
            break;
        case SQL_BYTES: {
            char *text = memory_print("(%lld bytes)", (long long)values[i].integer);

            cell_set_text(&row[i], text);
            free(text);
            break;
        }
        case SQL_NULL:
            break;
        }
    }
    return true;
}

struct table *table_sql(const char *store_path, const char *sql, size_t limit, struct error *error)
{
    struct asked asked = {NULL, limit};
    const struct sql_sink sink = {&asked, take_columns, take_row};

    if (store_sql(store_path, sql, &sink, error))
        return asked.table;
    table_destroy(asked.table);
    return NULL;
}
