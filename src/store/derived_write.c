/* Keeping what analysis computed: whole groups at a time, for the settings used last. */
#include "derived_tables.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>

/* Sets of results for so many different settings are kept; the one used longest ago goes first. */
#define ANALYSES_KEPT 3

void group_results_free(struct group_results *results)
{
    array_free(&results->runs);
    array_free(&results->events);
    array_free(&results->windows);
    array_free(&results->stutters);
}

#define USED_LONG_AGO "(SELECT id FROM analysis ORDER BY used DESC LIMIT -1 OFFSET ?)"

static bool drop_analyses(struct store *store, struct error *error)
{
    static const char *const statements[] = {
        "DELETE FROM distribution WHERE analysis IN " USED_LONG_AGO,
        "DELETE FROM run_distribution WHERE analysis IN " USED_LONG_AGO,
        "DELETE FROM event_figure WHERE analysis IN " USED_LONG_AGO,
        "DELETE FROM window WHERE analysis IN " USED_LONG_AGO,
        "DELETE FROM stutter WHERE analysis IN " USED_LONG_AGO,
        "DELETE FROM stutter_verdict WHERE analysis IN " USED_LONG_AGO,
        "DELETE FROM clean_device WHERE analysis IN " USED_LONG_AGO,
        "DELETE FROM group_verdict WHERE analysis IN " USED_LONG_AGO,
        "DELETE FROM comparison WHERE analysis IN " USED_LONG_AGO,
        "DELETE FROM analysis WHERE id IN " USED_LONG_AGO,
    };
    int64_t count;
    if (!store_ask(store, error, 0, &count, "SELECT count(*) FROM analysis", ""))
        return false;
    for (size_t i = 0; count > ANALYSES_KEPT && i < sizeof statements / sizeof *statements; i++)
        if (!store_change(store, error, statements[i], "i", (int64_t)ANALYSES_KEPT))
            return false;
    return true;
}

/*
 * Verdicts were made from results that are about to change: from here on they are made anew. Their rows go when those that
 * take their place come; nobody has to wait for that here.
 */
static bool disown_verdicts(struct store *store, struct error *error)
{
    return store_change(store, error, "UPDATE comparison SET stamp = '' WHERE analysis = ?", "i", store->derived.analysis);
}

static bool use_analysis(struct store *store, const char *key, struct error *error)
{
    return store_change(
               store, error,
               "INSERT INTO analysis (key, used) VALUES (?1, (SELECT ifnull(max(used), 0) + 1 FROM analysis))"
               " ON CONFLICT (key) DO UPDATE SET used = excluded.used",
               "s", key) &&
           store_ask(store, error, 0, &store->derived.analysis, "SELECT id FROM analysis WHERE key = ?", "s",
                     key) &&
           drop_analyses(store, error) && disown_verdicts(store, error);
}

/*
 * What the rows refer to was looked up in the same transaction, or has the version that the results were made of: to
 * look for it again with each row costs as much as writing it. Outside of transactions only.
 */
static bool check_references(struct store *store, bool check, struct error *error)
{
    return store_execute(store, check ? "PRAGMA foreign_keys = ON" : "PRAGMA foreign_keys = OFF", error);
}

bool store_derived_begin(struct store *store, const char *settings_key, struct error *error)
{
    if (!check_references(store, false, error))
        return false;
    if (!store_begin(store, error)) {
        check_references(store, true, NULL);
        return false;
    }
    if (!use_analysis(store, settings_key, error)) {
        store_roll_back(store);
        check_references(store, true, NULL);
        return false;
    }
    store->derived.open = true;
    store->derived.failed = false;
    return true;
}

/* One row; the statement is bound to the group and stays prepared for the next. */
static bool insert_row(struct store *store, sqlite3_stmt *query, const struct derived_table *table, const void *row,
                       struct error *error)
{
    row_bind(query, 3, table->fields, table->field_count, row);
    int step = sqlite3_step(query);
    sqlite3_reset(query);
    return step == SQLITE_DONE || store_fail(store, step, error);
}

static sqlite3_stmt *prepare_rows(struct store *store, const struct derived_table *table, struct error *error)
{
    struct text_buffer sql = {0};
    text_add_print(&sql, "INSERT INTO %s (frame_group, analysis, ", table->name);
    row_add_columns(&sql, table->fields, table->field_count);
    if (table == &derived_groups)
        text_add(&sql, ", version");
    text_add(&sql, ") VALUES (?, ?");
    row_add_marks(&sql, table->field_count + (table == &derived_groups));
    text_add(&sql, ")");
    char *text = text_take(&sql);
    sqlite3_stmt *query = store_query(store, error, text, "");
    free(text);
    return query;
}

/* NULL with error. To be given back with store_finish(). */
static sqlite3_stmt *begin_rows(struct store *store, const struct derived_table *table, int64_t group,
                                struct error *error)
{
    static const struct derived_table *const tables[DERIVED_TABLES] = {
        &derived_groups, &derived_runs, &derived_events, &derived_windows, &derived_stutters};
    size_t at = 0;
    while (tables[at] != table)
        at++;
    if (!store->derived.insert[at])
        store->derived.insert[at] = prepare_rows(store, table, error);
    sqlite3_stmt *query = store->derived.insert[at];
    if (query) {
        sqlite3_bind_int64(query, 1, group);
        sqlite3_bind_int64(query, 2, store->derived.analysis);
    }
    return query;
}

static bool insert_rows(struct store *store, const struct derived_table *table, int64_t group,
                        const void *rows, size_t count, size_t size, struct error *error)
{
    if (count == 0)
        return true;
    sqlite3_stmt *query = begin_rows(store, table, group, error);
    bool fine = query != NULL;
    for (size_t i = 0; fine && i < count; i++)
        fine = insert_row(store, query, table, (const char *)rows + i * size, error);
    store_finish(store, query, SQLITE_DONE, NULL);
    return fine;
}

static bool insert_group(struct store *store, int64_t group, const struct group_figures *figures,
                         int64_t version, struct error *error)
{
    sqlite3_stmt *query = begin_rows(store, &derived_groups, group, error);
    if (!query)
        return false;
    sqlite3_bind_int64(query, 3 + (int)derived_groups.field_count, version);
    bool fine = insert_row(store, query, &derived_groups, figures, error);
    store_finish(store, query, SQLITE_DONE, NULL);
    return fine;
}

/* Stutters name their worst window by its place in the list: in the store by its id. */
static bool insert_stutters(struct store *store, int64_t group, const struct group_results *results,
                            const int64_t *ids, struct error *error)
{
    sqlite3_stmt *query = begin_rows(store, &derived_stutters, group, error);
    bool fine = query != NULL;
    for (size_t i = 0; fine && i < results->stutters.count; i++) {
        struct stutter row = results->stutters.items[i];
        bool known = row.worst_window >= 0 && (size_t)row.worst_window < results->windows.count;
        row.worst_window = known ? ids[row.worst_window] : VALUE_UNKNOWN;
        fine = insert_row(store, query, &derived_stutters, &row, error);
    }
    store_finish(store, query, SQLITE_DONE, NULL);
    return fine;
}

static bool insert_windows(struct store *store, int64_t group, const struct group_results *results,
                           struct error *error)
{
    if (results->windows.count == 0 && results->stutters.count == 0)
        return true;
    int64_t *ids = memory_take((results->windows.count + 1) * sizeof *ids);
    sqlite3_stmt *query = begin_rows(store, &derived_windows, group, error);
    bool fine = query != NULL;
    for (size_t i = 0; fine && i < results->windows.count; i++) {
        fine = insert_row(store, query, &derived_windows, &results->windows.items[i], error);
        ids[i] = sqlite3_last_insert_rowid(store->db);
    }
    store_finish(store, query, SQLITE_DONE, NULL);
    fine = fine && insert_stutters(store, group, results, ids, error);
    free(ids);
    return fine;
}

static bool delete_group(struct store *store, int64_t group, struct error *error)
{
    static const char *const statements[] = {
        "DELETE FROM distribution WHERE frame_group = ? AND analysis = ?",
        "DELETE FROM run_distribution WHERE frame_group = ? AND analysis = ?",
        "DELETE FROM event_figure WHERE frame_group = ? AND analysis = ?",
        "DELETE FROM window WHERE frame_group = ? AND analysis = ?",
        "DELETE FROM stutter WHERE frame_group = ? AND analysis = ?",
    };
    int64_t there;
    static const char *const look =
        "SELECT EXISTS (SELECT 1 FROM distribution WHERE frame_group = ?1 AND analysis = ?2)"
        " OR EXISTS (SELECT 1 FROM run_distribution WHERE frame_group = ?1 AND analysis = ?2)"
        " OR EXISTS (SELECT 1 FROM event_figure WHERE frame_group = ?1 AND analysis = ?2)"
        " OR EXISTS (SELECT 1 FROM window WHERE frame_group = ?1 AND analysis = ?2)"
        " OR EXISTS (SELECT 1 FROM stutter WHERE frame_group = ?1 AND analysis = ?2)";
    /* Usually there is nothing, and to look costs less than five statements that find nothing. */
    if (!store_ask(store, error, 0, &there, look, "ii", group, store->derived.analysis))
        return false;
    for (size_t i = 0; there && i < sizeof statements / sizeof *statements; i++)
        if (!store_change(store, error, statements[i], "ii", group, store->derived.analysis))
            return false;
    return true;
}

static bool put_group(struct store *store, const struct group_results *results, struct error *error)
{
    const struct group_key *key = &results->group.key;
    int64_t group, changed;
    static const char *const find =
        "SELECT id FROM frame_group WHERE build = ? AND device = ? AND scene = ? AND quality = ?";
    if (!store_ask(store, error, 0, &group, find, "iiii", key->build, key->device, key->scene,
                   key->quality) ||
        !store_ask(store, error, 0, &changed, "SELECT changed FROM frame_group WHERE id = ?", "i", group))
        return false;
    if (group == 0 || (results->version != 0 && results->version != changed))
        return true; /* an import has changed its frames meanwhile: it stays stale */
    return delete_group(store, group, error) && insert_group(store, group, &results->group, changed, error) &&
           insert_rows(store, &derived_runs, group, results->runs.items, results->runs.count,
                       sizeof *results->runs.items, error) &&
           insert_rows(store, &derived_events, group, results->events.items, results->events.count,
                       sizeof *results->events.items, error) &&
           insert_windows(store, group, results, error);
}

bool store_derived_put(struct store *store, const struct group_results *results, struct error *error)
{
    if (!store->derived.open || store->derived.failed)
        return error_set(error, ERROR_USAGE, "no transaction for results is open");
    if (put_group(store, results, error))
        return true;
    store->derived.failed = true;
    store_roll_back(store);
    return false;
}

bool store_derived_end(struct store *store, struct error *error)
{
    bool fine = store->derived.open && !store->derived.failed;
    store->derived.open = store->derived.failed = false;
    if (fine)
        fine = store_end(store, error);
    else
        error_set(error, ERROR_STORE, "%s: the results could not be kept.", store->path);
    check_references(store, true, NULL);
    return fine;
}
