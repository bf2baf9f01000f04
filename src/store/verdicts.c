/* Verdicts of builds: read and written whole. */
#include "stutterscope/store/verdicts.h"
#include "database.h"
#include "derived_tables.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>

/* The verdicts of so many builds are kept for each of the settings. */
#define BUILDS_KEPT 8

#define STUTTER(column, kind)                                                                                \
    {                                                                                                        \
#column, kind, offsetof(struct stutter_verdict_row, stutter.column)                                  \
    }
#define PLACE_OF_STUTTER(column)                                                                             \
    {                                                                                                        \
#column, ROW_INTEGER, offsetof(struct stutter_verdict_row, stutter.key.column)                       \
    }
#define PLACE_OF_GROUP(column)                                                                               \
    {                                                                                                        \
#column, ROW_INTEGER, offsetof(struct group_verdict_row, key.column)                                 \
    }

static const struct row_field stutter_fields[] = {
    PLACE_OF_STUTTER(device),
    PLACE_OF_STUTTER(scene),
    PLACE_OF_STUTTER(quality),
    STUTTER(label, ROW_INT),
    STUTTER(event, ROW_INTEGER),
    STUTTER(peak_ns, ROW_INTEGER),
    STUTTER(runs_hit, ROW_INTEGER),
    STUTTER(runs, ROW_INTEGER),
    STUTTER(seen, ROW_INTEGER),
    STUTTER(windows, ROW_INTEGER),
    STUTTER(over, ROW_INTEGER),
    STUTTER(excess_ns, ROW_INTEGER),
    STUTTER(play_ns, ROW_INTEGER),
    STUTTER(worst_window, ROW_INTEGER),
    STUTTER(causes, ROW_INT),
    ROW_FIELD(stutter_verdict_row, present, ROW_BOOL),
    ROW_FIELD(stutter_verdict_row, verdict, ROW_INT),
    ROW_FIELD(stutter_verdict_row, history_short, ROW_BOOL),
    ROW_FIELD(stutter_verdict_row, doubted, ROW_BOOL),
    ROW_FIELD(stutter_verdict_row, reason, ROW_NAME),
    ROW_FIELD(stutter_verdict_row, baseline_build, ROW_INTEGER),
    ROW_FIELD(stutter_verdict_row, baseline_pinned, ROW_BOOL),
    ROW_FIELD(stutter_verdict_row, baseline_peak_ns, ROW_INTEGER),
    ROW_FIELD(stutter_verdict_row, delta_peak_ns, ROW_INTEGER),
    ROW_FIELD(stutter_verdict_row, first_seen_build, ROW_INTEGER),
    ROW_FIELD(stutter_verdict_row, last_clean_build, ROW_INTEGER),
};
static const struct row_field clean_fields[] = {
    ROW_FIELD(clean_device_row, place, ROW_INTEGER),
    ROW_FIELD(clean_device_row, device, ROW_INTEGER),
};
static const struct row_field group_fields[] = {
    PLACE_OF_GROUP(device),
    PLACE_OF_GROUP(scene),
    PLACE_OF_GROUP(quality),
    ROW_FIELD(group_verdict_row, figure, ROW_INT),
    ROW_FIELD(group_verdict_row, baseline_build, ROW_INTEGER),
    ROW_FIELD(group_verdict_row, verdict, ROW_INT),
    ROW_FIELD(group_verdict_row, before, ROW_REAL),
    ROW_FIELD(group_verdict_row, after, ROW_REAL),
    ROW_FIELD(group_verdict_row, delta, ROW_REAL),
    ROW_FIELD(group_verdict_row, delta_percent, ROW_REAL),
    ROW_FIELD(group_verdict_row, noise, ROW_REAL),
    ROW_FIELD(group_verdict_row, history_short, ROW_BOOL),
    ROW_FIELD(group_verdict_row, reason, ROW_NAME),
};

/* has_place: its rows are numbered; else they say themselves where they belong. */
struct verdict_table {
    const char *name;
    const struct row_field *fields;
    size_t field_count, row_size;
    bool has_place;
};
static const struct verdict_table stutter_table = {"stutter_verdict", stutter_fields, ROW_COUNT(stutter_fields),
                                                   sizeof(struct stutter_verdict_row), true};
static const struct verdict_table clean_table = {"clean_device", clean_fields, ROW_COUNT(clean_fields),
                                                 sizeof(struct clean_device_row), false};
static const struct verdict_table group_table = {"group_verdict", group_fields, ROW_COUNT(group_fields),
                                                 sizeof(struct group_verdict_row), true};

void build_verdicts_free(struct build_verdicts *verdicts)
{
    for (size_t i = 0; i < verdicts->stutters.count; i++)
        row_free_texts(stutter_fields, ROW_COUNT(stutter_fields), &verdicts->stutters.items[i]);
    for (size_t i = 0; i < verdicts->groups.count; i++)
        row_free_texts(group_fields, ROW_COUNT(group_fields), &verdicts->groups.items[i]);
    array_free(&verdicts->stutters);
    array_free(&verdicts->clean);
    array_free(&verdicts->groups);
}

static sqlite3_stmt *select_rows(struct store *store, const struct verdict_table *table, int64_t analysis, int64_t build,
                                 struct error *error)
{
    struct text_buffer sql = {0};
    text_add(&sql, "SELECT ");
    row_add_columns(&sql, table->fields, table->field_count);
    text_add_print(&sql, " FROM %s WHERE analysis = ? AND build = ? ORDER BY place", table->name);
    sqlite3_stmt *query = store_query(store, error, sql.items, "ii", analysis, build);
    array_free(&sql);
    return query;
}

#define READ_ROWS(store, table, type, analysis, build, list, fine, error)                                    \
    do {                                                                                                     \
        sqlite3_stmt *query_ = fine ? select_rows(store, table, analysis, build, error) : NULL;              \
        int step_ = SQLITE_ERROR;                                                                            \
        while (query_ && (step_ = sqlite3_step(query_)) == SQLITE_ROW) {                                     \
            array_push(list, (struct type){0});                                                              \
            row_read(query_, 0, (table)->fields, (table)->field_count, &(list)->items[(list)->count - 1]);   \
        }                                                                                                    \
        fine = store_finish(store, query_, step_, error) && fine;                                            \
    } while (0)

static bool read_all(struct store *store, int64_t analysis, int64_t build, struct build_verdicts *ret, struct error *error)
{
    bool fine = true;
    READ_ROWS(store, &stutter_table, stutter_verdict_row, analysis, build, &ret->stutters, fine, error);
    READ_ROWS(store, &clean_table, clean_device_row, analysis, build, &ret->clean, fine, error);
    READ_ROWS(store, &group_table, group_verdict_row, analysis, build, &ret->groups, fine, error);
    for (size_t i = 0; i < ret->stutters.count; i++)
        ret->stutters.items[i].stutter.key.build = build;
    for (size_t i = 0; i < ret->groups.count; i++)
        ret->groups.items[i].key.build = build;
    return fine;
}

bool store_read_verdicts(struct store *store, const char *settings_key, int64_t build, const char *stamp, struct build_verdicts *ret,
                         bool *ret_found, struct error *error)
{
    int64_t analysis;
    bool held = store_hold(store);
    bool fine = store_ask(store, error, 0, &analysis,
                          "SELECT a.id FROM analysis a JOIN comparison c ON c.analysis = a.id"
                          " WHERE a.key = ? AND c.build = ? AND c.stamp = ?",
                          "sis", settings_key, build, stamp);
    *ret = (struct build_verdicts){0};
    *ret_found = fine && analysis;
    fine = fine && (!analysis || read_all(store, analysis, build, ret, error));
    if (held)
        store_release(store);
    if (!fine) {
        build_verdicts_free(ret);
        *ret_found = false;
    }
    return fine;
}

static sqlite3_stmt *prepare_insert(struct store *store, const struct verdict_table *table, int64_t analysis, int64_t build)
{
    struct text_buffer sql = {0};
    text_add_print(&sql, "INSERT INTO %s (analysis, build, %s", table->name, table->has_place ? "place, " : "");
    row_add_columns(&sql, table->fields, table->field_count);
    text_add(&sql, ") VALUES (?, ?");
    row_add_marks(&sql, table->field_count + table->has_place);
    text_add(&sql, ")");
    sqlite3_stmt *query = store_query(store, NULL, sql.items, "ii", analysis, build);
    array_free(&sql);
    return query;
}

static bool insert_rows(struct store *store, const struct verdict_table *table, int64_t analysis, int64_t build, const void *rows, size_t count)
{
    sqlite3_stmt *query = prepare_insert(store, table, analysis, build);
    bool fine = query != NULL;
    for (size_t i = 0; fine && i < count; i++) {
        if (table->has_place)
            sqlite3_bind_int64(query, 3, (int64_t)i);
        row_bind(query, 3 + table->has_place, table->fields, table->field_count, (const char *)rows + i * table->row_size);
        fine = sqlite3_step(query) == SQLITE_DONE;
        sqlite3_reset(query);
    }
    store_finish(store, query, SQLITE_DONE, NULL);
    return fine;
}

static bool replace(struct store *store, const char *settings_key, int64_t build, const char *stamp, const struct build_verdicts *verdicts)
{
    int64_t analysis;
    if (!store_ask(store, NULL, 0, &analysis, "SELECT id FROM analysis WHERE key = ?", "s", settings_key) || !analysis)
        return false;
    return store_change(store, NULL, "DELETE FROM comparison WHERE analysis = ? AND build = ?", "ii", analysis, build) &&
           store_change(store, NULL,
                        "INSERT INTO comparison (analysis, build, stamp, used)"
                        " VALUES (?1, ?2, ?3, (SELECT ifnull(max(used), 0) + 1 FROM comparison WHERE analysis = ?1))",
                        "iis", analysis, build, stamp) &&
           insert_rows(store, &stutter_table, analysis, build, verdicts->stutters.items, verdicts->stutters.count) &&
           insert_rows(store, &clean_table, analysis, build, verdicts->clean.items, verdicts->clean.count) &&
           insert_rows(store, &group_table, analysis, build, verdicts->groups.items, verdicts->groups.count) &&
           store_change(store, NULL,
                        "DELETE FROM comparison WHERE analysis = ?1 AND used <="
                        " (SELECT max(used) FROM comparison WHERE analysis = ?1) - ?2",
                        "ii", analysis, (int64_t)BUILDS_KEPT);
}

bool store_keep_verdicts(struct store *store, const char *settings_key, int64_t build, const char *stamp, const struct build_verdicts *verdicts)
{
    int patience = store->patience_ms;
    bool open;
    if (!store->writable || !sqlite3_get_autocommit(store->db))
        return false;
    store_set_patience(store, 0);
    open = store_begin(store, NULL);
    store_set_patience(store, patience);
    if (!open)
        return false;
    if (replace(store, settings_key, build, stamp, verdicts))
        return store_end(store, NULL);
    store_roll_back(store);
    return false;
}
