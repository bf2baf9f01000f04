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
    /* What was put in this transaction has a distribution, and all else is of other analyses. */
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

static int compare_placed(const void *left, const void *right)
{
    const struct placed_group *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

/* Those whose frames are still the same, without what was there of them, by their ids: rows are then added in order. */
static bool place_groups(struct store *store, const struct group_results *results, size_t count, struct placed_group *ret,
                         size_t *ret_count, struct error *error)
{
    *ret_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct placed_group placed = {.results = &results[i]};
        if (!find_group(store, &results[i].group.key, &placed.id, &placed.changed, error))
            return false;
        if (placed.id == 0 || (results[i].version != 0 && results[i].version != placed.changed))
            continue; /* an import has changed its frames meanwhile: it stays stale */
        if (!delete_group(store, placed.id, error))
            return false;
        ret[(*ret_count)++] = placed;
    }
    if (*ret_count > 1)
        qsort(ret, *ret_count, sizeof *ret, compare_placed);
    return true;
}

bool store_derived_put(struct store *store, const struct group_results *results, size_t count, struct error *error)
{
    if (!store->derived.open || store->derived.failed)
        return error_set(error, ERROR_USAGE, "no transaction for results is open");
    struct placed_group *placed = memory_take((count + 1) * sizeof *placed);
    size_t placed_count;
    bool fine = place_groups(store, results, count, placed, &placed_count, error) &&
                derived_insert(store, placed, placed_count, error);
    free(placed);
    if (!fine) {
        store->derived.failed = true;
        store_roll_back(store);
    }
    return fine;
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
