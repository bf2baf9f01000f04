/* Reading what analysis computed. */
#include "derived_tables.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>

bool store_list_groups(struct store *store, const char *settings_key, const char *series, int64_t build,
                       struct group_state_list *ret, struct error *error)
{
#define GROUPS(series)                                                                                       \
    "SELECT g.build, g.device, g.scene, g.quality, c.frames, c.runs, g.changed, d.version IS NOT g.changed"  \
    " FROM frame_group g JOIN " series " LEFT JOIN distribution d"                                            \
    " ON d.frame_group = g.id AND d.analysis = (SELECT id FROM analysis WHERE key = ?1)"                      \
    " WHERE ?3 = 0 OR g.build = ?3 ORDER BY g.build, g.device, g.scene, g.quality"
    static const char *const of_one =
        GROUPS("group_series c ON c.frame_group = g.id AND c.series = ?2"); /* without sums: it has one row a group */
    static const char *const of_all =
        GROUPS("(SELECT frame_group, sum(frames) AS frames, sum(runs) AS runs FROM group_series"
               " WHERE ?2 IS NULL GROUP BY frame_group) c ON c.frame_group = g.id");
    sqlite3_stmt *query =
        store_query(store, error, series ? of_one : of_all, "ssi", settings_key, series, build);
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        struct group_state group = {
            .key = {sqlite3_column_int64(query, 0), sqlite3_column_int64(query, 1),
                    sqlite3_column_int64(query, 2), sqlite3_column_int64(query, 3)},
            .frames = sqlite3_column_int64(query, 4),
            .runs = sqlite3_column_int64(query, 5),
            .version = sqlite3_column_int64(query, 6),
            .stale = sqlite3_column_int(query, 7) != 0,
        };
        array_push(ret, group);
    }
    return store_finish(store, query, step, error);
}

void group_state_list_free(struct group_state_list *list)
{
    array_free(list);
}

/* Only the conditions that are asked for: so that SQLite picks the index of just these. */
static sqlite3_stmt *select_rows(struct store *store, const struct derived_table *table,
                                 const char *settings_key, const struct derived_filter *filter,
                                 struct error *error)
{
    struct text_buffer sql = {0};
    text_add(&sql, "SELECT ");
    row_add_columns(&sql, table->place, table->place_count);
    for (size_t i = 0; i < table->field_count; i++)
        text_add_print(&sql, ", t.%s", table->fields[i].column);
    text_add_print(&sql, " FROM frame_group g JOIN %s t ON t.frame_group = g.id", table->name);
    text_add(&sql, " WHERE t.analysis = (SELECT id FROM analysis WHERE key = ?1)"
                   " AND ?2 + ?3 + ?4 + ?5 + ?6 IS NOT NULL"); /* uses every parameter */
    text_add(&sql, filter->build ? " AND g.build = ?2" : "");
    text_add(&sql, filter->device ? " AND g.device = ?3" : "");
    text_add(&sql, filter->scene ? " AND g.scene = ?4" : "");
    text_add(&sql, filter->quality >= 0 ? " AND g.quality = ?5" : "");
    bool has_run = table != &derived_groups && table != &derived_stutters;
    text_add(&sql, filter->run && has_run ? " AND t.run = ?6" : "");
    char *text = text_take(&sql);
    sqlite3_stmt *query = store_query(store, error, text, "siiiii", settings_key, filter->build,
                                      filter->device, filter->scene, filter->quality, filter->run);
    free(text);
    return query;
}

static void read_fields(sqlite3_stmt *query, const struct derived_table *table, void *row)
{
    row_read(query, 0, table->place, table->place_count, row);
    row_read(query, (int)table->place_count, table->fields, table->field_count, row);
}

bool store_read_groups(struct store *store, const char *settings_key, const struct derived_filter *filter,
                       struct group_figures_list *ret, struct error *error)
{
    sqlite3_stmt *query = select_rows(store, &derived_groups, settings_key, filter, error);
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        struct group_figures row = {0};
        read_fields(query, &derived_groups, &row);
        derived_complete_labels(&row.distribution);
        array_push(ret, row);
    }
    return store_finish(store, query, step, error);
}

bool store_read_run_figures(struct store *store, const char *settings_key,
                            const struct derived_filter *filter, struct run_figures_list *ret,
                            struct error *error)
{
    sqlite3_stmt *query = select_rows(store, &derived_runs, settings_key, filter, error);
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        struct run_figures row = {0};
        read_fields(query, &derived_runs, &row);
        derived_complete_labels(&row.distribution);
        array_push(ret, row);
    }
    return store_finish(store, query, step, error);
}

bool store_read_event_figures(struct store *store, const char *settings_key,
                              const struct derived_filter *filter, struct event_figures_list *ret,
                              struct error *error)
{
    sqlite3_stmt *query = select_rows(store, &derived_events, settings_key, filter, error);
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        struct event_figures row = {0};
        read_fields(query, &derived_events, &row);
        array_push(ret, row);
    }
    return store_finish(store, query, step, error);
}

bool store_read_windows(struct store *store, const char *settings_key, const struct derived_filter *filter,
                        struct stutter_window_list *ret, struct error *error)
{
    sqlite3_stmt *query = select_rows(store, &derived_windows, settings_key, filter, error);
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        struct stutter_window row = {0};
        read_fields(query, &derived_windows, &row);
        array_push(ret, row);
    }
    return store_finish(store, query, step, error);
}

bool store_read_stutters(struct store *store, const char *settings_key, const struct derived_filter *filter,
                         struct stutter_list *ret, struct error *error)
{
    sqlite3_stmt *query = select_rows(store, &derived_stutters, settings_key, filter, error);
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        struct stutter row = {0};
        read_fields(query, &derived_stutters, &row);
        array_push(ret, row);
    }
    return store_finish(store, query, step, error);
}
