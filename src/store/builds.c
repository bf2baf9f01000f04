/* Builds and their order. */
#include "database.h"
#include "row.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>

static const struct row_field fields[] = {
    {"id", ROW_INTEGER, offsetof(struct build_row, id)},
    {"name", ROW_NAME, offsetof(struct build_row, name)},
    {"commit_id", ROW_TEXT, offsetof(struct build_row, commit)},
    {"ci_run", ROW_TEXT, offsetof(struct build_row, ci_run)},
    {"built_at_ms", ROW_INTEGER, offsetof(struct build_row, built_at_ms)},
    {"id", ROW_INTEGER,
     offsetof(struct build_row, first_import)}, /* ids are given in the order of first sight */
    {"bad", ROW_BOOL, offsetof(struct build_row, bad)},
};

static int compare_versions(const void *a, const void *b)
{
    const struct build_row *first = a, *second = b;
    int order = text_compare_natural(first->name, second->name);
    return order ? order : (first->id > second->id) - (first->id < second->id);
}

static int compare_times(const void *a, const void *b)
{
    const struct build_row *first = a, *second = b;
    int order = (first->built_at_ms > second->built_at_ms) - (first->built_at_ms < second->built_at_ms);
    return order ? order : compare_versions(a, b);
}

static void sort_builds(struct build_list *list)
{
    bool timed = list->count > 0;
    for (size_t i = 0; i < list->count; i++)
        timed = timed && list->items[i].built_at_ms != VALUE_UNKNOWN;
    if (list->count > 1)
        qsort(list->items, list->count, sizeof *list->items, timed ? compare_times : compare_versions);
    list->order = timed ? "build time" : "version";
}

bool store_list_builds(struct store *store, struct build_list *ret, struct error *error)
{
    sqlite3_stmt *query =
        store_query(store, error, "SELECT id, name, commit_id, ci_run, built_at_ms, id, bad FROM build", "");
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        array_push(ret, (struct build_row){0});
        row_read(query, 0, fields, ROW_COUNT(fields), &ret->items[ret->count - 1]);
    }
    sort_builds(ret);
    return store_finish(store, query, step, error);
}

void build_list_free(struct build_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        row_free_texts(fields, ROW_COUNT(fields), &list->items[i]);
    array_free(list);
}

bool store_update_build(struct store *store, const struct build_row *row, struct error *error)
{
    return store_change(
        store, error,
        "UPDATE build SET name = ?, commit_id = ?, ci_run = ?, built_at_ms = ?, bad = ? WHERE id = ?",
        "sssobi", row->name, row->commit, row->ci_run, row->built_at_ms, (int)row->bad, row->id);
}

bool store_find_or_add_build(struct store *store, const char *name, int64_t *ret_id, struct error *error)
{
    /* In one statement, so that none is added whose id could not be told. */
    return store_ask(store, error, 0, ret_id,
                     "INSERT INTO build (name) VALUES (?) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id", "s", name);
}
