/* Which files came in, and when. */
#include "database.h"
#include "row.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>

static const struct row_field fields[] = {
    {"id", ROW_INTEGER, offsetof(struct import_row, id)},
    {"path", ROW_NAME, offsetof(struct import_row, path)},
    {"format", ROW_NAME, offsetof(struct import_row, format)},
    {"fingerprint", ROW_NAME, offsetof(struct import_row, fingerprint)},
    {"imported_at_ms", ROW_INTEGER, offsetof(struct import_row, imported_at_ms)},
    {"bytes", ROW_INTEGER, offsetof(struct import_row, bytes)},
    {"frames", ROW_INTEGER, offsetof(struct import_row, frames)},
    {"rejected", ROW_INTEGER, offsetof(struct import_row, rejected)},
    {"report", ROW_TEXT, offsetof(struct import_row, report)},
};

bool store_list_imports(struct store *store, struct import_list *ret, struct error *error)
{
    sqlite3_stmt *query =
        store_query(store, error,
                    "SELECT id, path, format, fingerprint, imported_at_ms, bytes, frames, rejected, report"
                    " FROM import ORDER BY id",
                    "");
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        array_push(ret, (struct import_row){0});
        row_read(query, 0, fields, ROW_COUNT(fields), &ret->items[ret->count - 1]);
    }
    return store_finish(store, query, step, error);
}

void import_list_free(struct import_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        row_free_texts(fields, ROW_COUNT(fields), &list->items[i]);
    array_free(list);
}
