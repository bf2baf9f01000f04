/* Reading what analysis computed. */
#include "derived_tables.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>

/* A query whose rows come in the order of their first column, the group. */
struct group_rows {
    sqlite3_stmt *query;
    int step;
};

static struct group_rows first_row(sqlite3_stmt *query)
{
    return (struct group_rows){query, query ? sqlite3_step(query) : SQLITE_ERROR};
}

/* To the row of that group, if it has one. */
static bool seek_group(struct group_rows *rows, int64_t group)
{
    while (rows->step == SQLITE_ROW && sqlite3_column_int64(rows->query, 0) < group)
        rows->step = sqlite3_step(rows->query);
    return rows->step == SQLITE_ROW && sqlite3_column_int64(rows->query, 0) == group;
}

static void merge_groups(struct group_rows *groups, struct group_rows *series, struct group_rows *kept, struct group_state_list *ret)
{
    for (; groups->step == SQLITE_ROW; groups->step = sqlite3_step(groups->query)) {
        int64_t id = sqlite3_column_int64(groups->query, 0);
        struct group_state group = {.key = {sqlite3_column_int64(groups->query, 1), sqlite3_column_int64(groups->query, 2),
                                            sqlite3_column_int64(groups->query, 3), sqlite3_column_int64(groups->query, 4)},
                                    .version = sqlite3_column_int64(groups->query, 5)};

        if (!seek_group(series, id))
            continue;
        for (; seek_group(series, id); series->step = sqlite3_step(series->query)) {
            group.frames += sqlite3_column_int64(series->query, 1);
            group.runs += sqlite3_column_int64(series->query, 2);
        }
        group.stale = !seek_group(kept, id) || store_column(kept->query, 1) != group.version;
        array_push(ret, group);
    }
}

/* Three tables that are read in the order they have are quicker than looking for each row of two of them. */
bool store_list_groups(struct store *store, const char *settings_key, const char *series, int64_t build,
                       struct group_state_list *ret, struct error *error)
{
    bool held = store_hold(store); /* all three as of one moment */
    struct group_rows groups = first_row(store_query(store, error,
                                                     "SELECT id, build, device, scene, quality, changed FROM frame_group"
                                                     " WHERE ?1 = 0 OR build = ?1 ORDER BY id",
                                                     "i", build));
    struct group_rows of_series = first_row(store_query(store, error,
                                                        "SELECT frame_group, frames, runs FROM group_series"
                                                        " WHERE ?1 IS NULL OR series = ?1 ORDER BY frame_group",
                                                        "s", series));
    struct group_rows kept = first_row(store_query(store, error,
                                                   "SELECT frame_group, version FROM distribution"
                                                   " WHERE analysis = (SELECT id FROM analysis WHERE key = ?1) ORDER BY frame_group",
                                                   "s", settings_key));
    if (groups.query && of_series.query && kept.query)
        merge_groups(&groups, &of_series, &kept, ret);

    bool fine = store_finish(store, groups.query, groups.step, error);
    fine = store_finish(store, of_series.query, of_series.step, fine ? error : NULL) && fine;
    fine = store_finish(store, kept.query, kept.step, fine ? error : NULL) && fine;
    if (held)
        store_release(store);
    return fine;
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
