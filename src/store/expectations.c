/* Which device × scenes should have runs. */
#include "database.h"
#include "row.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"expected", "retired", "skipped"};

static const struct row_field fields[] = {
    {"device_model", ROW_NAME, offsetof(struct expectation_row, device_model)},
    {"scene", ROW_TEXT, offsetof(struct expectation_row, scene)},
    {"build", ROW_TEXT, offsetof(struct expectation_row, build)},
    {"note", ROW_TEXT, offsetof(struct expectation_row, note)},
};

bool store_list_expectations(struct store *store, struct expectation_list *ret, struct error *error)
{
    sqlite3_stmt *query = store_query(
        store, error, "SELECT kind, device_model, scene, build, note FROM expectation ORDER BY id", "");
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        struct expectation_row row = {0};
        while (row.kind < EXPECTATION_SKIPPED && !store_column_is(query, 0, kinds[row.kind]))
            row.kind++;
        row_read(query, 1, fields, ROW_COUNT(fields), &row);
        array_push(ret, row);
    }
    return store_finish(store, query, step, error);
}

bool store_add_expectation(struct store *store, const struct expectation_row *row, struct error *error)
{
    return store_change(
        store, error,
        "INSERT INTO expectation (kind, device_model, scene, build, note) VALUES (?, ?, ?, ?, ?)", "sssss",
        kinds[row->kind], row->device_model, row->scene, row->build, row->note);
}

bool store_clear_expectations(struct store *store, enum expectation_kind kind, struct error *error)
{
    return store_change(store, error, "DELETE FROM expectation WHERE kind = ?", "s", kinds[kind]);
}

void expectation_list_free(struct expectation_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        row_free_texts(fields, ROW_COUNT(fields), &list->items[i]);
    array_free(list);
}
