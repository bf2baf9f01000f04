/* Reading what is summarised, and where its frames are. */
#include "stutterscope/store/summary.h"
#include "derived_tables.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>

bool store_list_source_builds(struct store *store, const char *address, struct source_build_list *ret,
                              struct error *error)
{
    sqlite3_stmt *query =
        store_query(store, error,
                    "SELECT b.build, b.content FROM source_build b JOIN source s ON s.id = b.source"
                    " WHERE s.address = ? ORDER BY b.build",
                    "s", address);
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW)
        array_push(ret, (struct source_build_row){store_column_name(query, 0), store_column_name(query, 1)});
    return store_finish(store, query, step, error);
}

void source_build_list_free(struct source_build_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].build);
        free(list->items[i].content);
    }
    array_free(list);
}

bool store_read_run_source(struct store *store, int64_t run, struct run_source *ret, struct error *error)
{
    char **const texts[] = {&ret->address,    &ret->build, &ret->device, &ret->soc,
                            &ret->model_code, &ret->name,  &ret->maps};
    *ret = (struct run_source){0};
    sqlite3_stmt *query =
        store_query(store, error,
                    "SELECT s.address, r.build, r.device, r.soc, r.model_code, r.name, r.maps"
                    " FROM source_run r JOIN source s ON s.id = r.source WHERE r.run = ?",
                    "i", run);
    int step = query ? sqlite3_step(query) : SQLITE_ERROR;
    for (size_t i = 0; step == SQLITE_ROW && i < sizeof texts / sizeof *texts; i++)
        *texts[i] = store_column_name(query, (int)i);
    return store_finish(store, query, step, error);
}

void run_source_free(struct run_source *source)
{
    free(source->address);
    free(source->build);
    free(source->device);
    free(source->soc);
    free(source->model_code);
    free(source->name);
    free(source->maps);
    *source = (struct run_source){0};
}

static bool read_rows(struct store *store, int64_t build, int64_t device, const char *series,
                      struct summary_list *ret, struct error *error)
{
    struct text_buffer sql = {0};
    text_add(&sql, "SELECT ");
    row_add_columns(&sql, summary_table.fields, summary_table.field_count);
    text_add_print(&sql, " FROM %s WHERE build = ? AND device = ? AND series = ?", summary_table.name);
    sqlite3_stmt *query = store_query(store, error, sql.items, "iis", build, device, series);
    array_free(&sql);
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        struct summary_row row = {0};
        row_read(query, 0, summary_table.fields, summary_table.field_count, &row);
        derived_complete_labels(&row.distribution);
        array_push(&ret->rows, row);
    }
    return store_finish(store, query, step, error);
}

bool store_read_summary(struct store *store, int64_t build, int64_t device, const char *series,
                        struct summary_list *ret, struct error *error)
{
    if (!read_rows(store, build, device, series, ret, error))
        return false;
    sqlite3_stmt *query =
        store_query(store, error,
                    "SELECT p.run, p.scene, p.quality, p.event, p.peak_ns FROM summary_peak p"
                    " JOIN run r ON r.id = p.run WHERE r.build = ? AND r.device = ? AND r.series = ?",
                    "iis", build, device, series);
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW)
        array_push(&ret->peaks,
                   (struct summary_peak_row){sqlite3_column_int64(query, 0), sqlite3_column_int64(query, 1),
                                             sqlite3_column_int64(query, 2), sqlite3_column_int64(query, 3),
                                             sqlite3_column_int64(query, 4)});
    return store_finish(store, query, step, error);
}

void summary_list_free(struct summary_list *list)
{
    array_free(&list->rows);
    array_free(&list->peaks);
}
