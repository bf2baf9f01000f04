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
    int64_t before;

    if (!store_ask(store, error, 0, &before, "SELECT id FROM analysis WHERE key = ?", "s", key))
        return false;
    store->derived.fresh = before == 0;
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
    store->derived.next_window = 0;
    return true;
}

/*
 * ?1 group, ?2 analysis, ?3 what the table needs besides: the version of a group, the id of the first window. The columns are
 * in the order of the table, else SQLite copies each value once more.
 */
static char *compose_insert(const struct derived_table *table)
{
    bool windows = table == &derived_windows, groups = table == &derived_groups;
    struct text_buffer sql = {0};

    /* All is taken back together when one fails: no copies for taking back the statement alone. */
    text_add_print(&sql, "INSERT OR FAIL INTO %s (%sframe_group, analysis, %s", table->name, windows ? "id, " : "",
                   groups ? "version, " : "");
    row_add_columns(&sql, table->fields, table->field_count);
    text_add_print(&sql, ") SELECT %s?1, ?2%s", windows ? "?3 + place, " : "", groups ? ", ?3" : "");
    for (size_t i = 0; i < table->field_count; i++)
        text_add_print(&sql, ", c%zu", i);
    text_add(&sql, " FROM given_rows");
    return text_take(&sql);
}

static sqlite3_stmt *prepare_rows(struct store *store, const struct derived_table *table, struct error *error)
{
    if (!store->derived.offered && !given_rows_offer(store->db, &store->derived.given)) {
        store_fail(store, SQLITE_NOMEM, error);
        return NULL;
    }
    store->derived.offered = true;
    char *text = compose_insert(table);
    sqlite3_stmt *query = store_query(store, error, text, "");
    free(text);
    return query;
}

/* The statement of a table, prepared once. NULL with error. To be given back with store_finish(). */
static sqlite3_stmt *statement_of(struct store *store, const struct derived_table *table, struct error *error)
{
    static const struct derived_table *const tables[DERIVED_TABLES] = {
        &derived_groups, &derived_runs, &derived_events, &derived_windows, &derived_stutters};
    size_t at = 0;
    while (tables[at] != table)
        at++;
    if (!store->derived.insert[at])
        store->derived.insert[at] = prepare_rows(store, table, error);
    return store->derived.insert[at];
}

/* All rows in one statement. besides: see compose_insert(). */
static bool insert_rows(struct store *store, const struct derived_table *table, int64_t group, int64_t besides, const void *rows,
                        size_t count, size_t size, struct error *error)
{
    if (count == 0)
        return true;
    sqlite3_stmt *query = statement_of(store, table, error);
    if (!query)
        return false;
    sqlite3_bind_int64(query, 1, group);
    sqlite3_bind_int64(query, 2, store->derived.analysis);
    if (sqlite3_bind_parameter_count(query) > 2)
        sqlite3_bind_int64(query, 3, besides);
    store->derived.given = (struct given_rows){table->fields, rows, count, size};
    return store_finish(store, query, sqlite3_step(query), error);
}

/* Stutters name their worst window by its place in the list: in the store by its id. */
static bool insert_stutters(struct store *store, int64_t group, const struct group_results *results, int64_t first_window,
                            struct error *error)
{
    size_t count = results->stutters.count;
    struct stutter *rows = memory_take((count + 1) * sizeof *rows);
    bool fine;

    for (size_t i = 0; i < count; i++) {
        rows[i] = results->stutters.items[i];
        bool known = rows[i].worst_window >= 0 && (size_t)rows[i].worst_window < results->windows.count;
        rows[i].worst_window = known ? first_window + rows[i].worst_window : VALUE_UNKNOWN;
    }
    fine = insert_rows(store, &derived_stutters, group, 0, rows, count, sizeof *rows, error);
    free(rows);
    return fine;
}

/* Only one writes: the ids that this transaction gives follow each other. */
static bool find_next_window(struct store *store, struct error *error)
{
    int64_t last;

    if (store->derived.next_window > 0)
        return true;
    if (!store_ask(store, error, 0, &last, "SELECT max(id) FROM window", ""))
        return false;
    store->derived.next_window = last + 1;
    return true;
}

static bool insert_windows(struct store *store, int64_t group, const struct group_results *results,
                           struct error *error)
{
    if (results->windows.count == 0 && results->stutters.count == 0)
        return true;
    if (!find_next_window(store, error))
        return false;
    int64_t first = store->derived.next_window;
    store->derived.next_window += (int64_t)results->windows.count;
    return insert_rows(store, &derived_windows, group, first, results->windows.items, results->windows.count,
                       sizeof *results->windows.items, error) &&
           insert_stutters(store, group, results, first, error);
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
    /* All that is put has a distribution, and what was not put in this transaction has another analysis. */
    static const char *const look_fresh =
        "SELECT EXISTS (SELECT 1 FROM distribution WHERE frame_group = ?1 AND analysis = ?2)";
    /* Usually there is nothing, and to look costs less than five statements that find nothing. */
    if (!store_ask(store, error, 0, &there, store->derived.fresh ? look_fresh : look, "ii", group, store->derived.analysis))
        return false;
    for (size_t i = 0; there && i < sizeof statements / sizeof *statements; i++)
        if (!store_change(store, error, statements[i], "ii", group, store->derived.analysis))
            return false;
    return true;
}

/* *ret: 0 when it is not there any more. */
static bool find_group(struct store *store, const struct group_key *key, int64_t *ret, int64_t *ret_changed,
                       struct error *error)
{
    sqlite3_stmt *query = store_query(
        store, error, "SELECT id, changed FROM frame_group WHERE build = ? AND device = ? AND scene = ? AND quality = ?", "iiii",
        key->build, key->device, key->scene, key->quality);
    int step = query ? sqlite3_step(query) : SQLITE_ERROR;

    if (step == SQLITE_ROW) {
        *ret = sqlite3_column_int64(query, 0);
        *ret_changed = sqlite3_column_int64(query, 1);
    }
    return store_finish(store, query, step, error);
}

static bool put_group(struct store *store, const struct group_results *results, struct error *error)
{
    const struct group_key *key = &results->group.key;
    int64_t group = 0, changed = 0;
    if (!find_group(store, key, &group, &changed, error))
        return false;
    if (group == 0 || (results->version != 0 && results->version != changed))
        return true; /* an import has changed its frames meanwhile: it stays stale */
    return delete_group(store, group, error) && 
           insert_rows(store, &derived_groups, group, changed, &results->group, 1, sizeof results->group, error) &&
           insert_rows(store, &derived_runs, group, 0, results->runs.items, results->runs.count,
                       sizeof *results->runs.items, error) &&
           insert_rows(store, &derived_events, group, 0, results->events.items, results->events.count,
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

bool store_derived_go_direct(struct store *store)
{
    if (store->journal != JOURNAL_LOG)
        return false;
    store_try_journal(store, JOURNAL_ROLLBACK);
    /* To write pages before the end would wait for those who read. */
    return store->journal == JOURNAL_ROLLBACK && store_execute(store, "PRAGMA cache_spill = OFF", NULL);
}

void store_derived_leave_direct(struct store *store)
{
    store_execute(store, "PRAGMA cache_spill = ON", NULL);
    store_try_journal(store, JOURNAL_LOG);
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
