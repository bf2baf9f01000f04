/* Settings of the store, and the baselines that are pinned. */
#include "database.h"
#include "stutterscope/base/memory.h"

char *store_get_setting(struct store *store, const char *name)
{
    sqlite3_stmt *query = store_query(store, NULL, "SELECT value FROM setting WHERE name = ?", "s", name);
    int step = query ? sqlite3_step(query) : SQLITE_ERROR;
    char *value = step == SQLITE_ROW ? store_column_text(query, 0) : NULL;
    store_finish(store, query, step, NULL);
    return value;
}

bool store_set_setting(struct store *store, const char *name, const char *value, struct error *error)
{
    if (!value)
        return store_change(store, error, "DELETE FROM setting WHERE name = ?", "s", name);
    return store_change(store, error, "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", "ss",
                        name, value);
}

bool store_list_baselines(struct store *store, struct baseline_pin_list *ret, struct error *error)
{
    sqlite3_stmt *query = store_query(store, error, "SELECT device, scene, build FROM baseline ORDER BY device, scene", "");
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW)
        array_push(ret, (struct baseline_pin){sqlite3_column_int64(query, 0), sqlite3_column_int64(query, 1),
                                              sqlite3_column_int64(query, 2)});
    return store_finish(store, query, step, error);
}
