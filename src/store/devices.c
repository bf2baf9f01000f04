/* Devices as the telemetry names them, with what the devices file says about them. */
#include "database.h"
#include "row.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>

static const struct row_field fields[] = {
    {"id", ROW_INTEGER, offsetof(struct device_row, id)},
    {"model", ROW_NAME, offsetof(struct device_row, model)},
    {"chip", ROW_NAME, offsetof(struct device_row, chip)},
    {"name", ROW_TEXT, offsetof(struct device_row, name)},
    {"tier", ROW_TEXT, offsetof(struct device_row, tier)},
    {"target_fps_milli", ROW_INTEGER, offsetof(struct device_row, target_fps_milli)},
    {"weight", ROW_REAL, offsetof(struct device_row, weight)},
    {"declared", ROW_BOOL, offsetof(struct device_row, declared)},
};

bool store_list_devices(struct store *store, struct device_list *ret, struct error *error)
{
    /* a declaration with the chip wins over that of the whole model */
    sqlite3_stmt *query =
        store_query(store, error,
                    "SELECT d.id, d.model, d.chip, coalesce(e.name, m.name), coalesce(e.tier, m.tier),"
                    " coalesce(e.target_fps_milli, m.target_fps_milli), coalesce(e.weight, m.weight, 1.0),"
                    " e.rowid IS NOT NULL OR m.rowid IS NOT NULL"
                    " FROM device d"
                    " LEFT JOIN declared_device e ON e.model = d.model AND e.chip = d.chip"
                    " LEFT JOIN declared_device m ON m.model = d.model AND m.chip IS NULL"
                    " ORDER BY d.id",
                    "");
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        array_push(ret, (struct device_row){0});
        row_read(query, 0, fields, ROW_COUNT(fields), &ret->items[ret->count - 1]);
    }
    return store_finish(store, query, step, error);
}

bool store_list_declared_devices(struct store *store, struct device_list *ret, struct error *error)
{
    sqlite3_stmt *query = store_query(store, error,
                                      "SELECT 0, model, chip, name, tier, target_fps_milli, coalesce(weight, 1.0), 1"
                                      " FROM declared_device ORDER BY model, chip",
                                      "");
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        struct device_row *row;
        array_push(ret, (struct device_row){0});
        row = &ret->items[ret->count - 1];
        row_read(query, 0, fields, ROW_COUNT(fields), row);
        if (sqlite3_column_type(query, 2) == SQLITE_NULL) { /* a name is never NULL, but the whole model is */
            free(row->chip);
            row->chip = NULL;
        }
    }
    return store_finish(store, query, step, error);
}

void device_list_free(struct device_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        row_free_texts(fields, ROW_COUNT(fields), &list->items[i]);
    array_free(list);
}

/* Figures depend on the frame budget: what was computed with another target FPS is no longer current. */
static bool drop_figures(struct store *store, const struct device_row *row, struct error *error)
{
    return store_change(store, error,
                        "DELETE FROM distribution WHERE frame_group IN (SELECT g.id FROM frame_group g"
                        " JOIN device d ON d.id = g.device JOIN device_report r ON r.id = d.id"
                        " WHERE d.model = ?1 AND (?2 IS NULL OR d.chip = ?2) AND r.target_fps * 1000 IS NOT ?3)",
                        "sso", row->model, row->chip, row->target_fps_milli);
}

bool store_declare_device(struct store *store, const struct device_row *row, struct error *error)
{
    static const char *const for_model =
        "INSERT INTO declared_device (model, chip, name, tier, target_fps_milli, weight) VALUES (?, ?, ?, ?, "
        "?, ?)"
        " ON CONFLICT (model) WHERE chip IS NULL DO UPDATE SET name = excluded.name, tier = excluded.tier,"
        " target_fps_milli = excluded.target_fps_milli, weight = excluded.weight";
    static const char *const for_chip =
        "INSERT INTO declared_device (model, chip, name, tier, target_fps_milli, weight) VALUES (?, ?, ?, ?, "
        "?, ?)"
        " ON CONFLICT (model, chip) WHERE chip IS NOT NULL DO UPDATE SET name = excluded.name, tier = "
        "excluded.tier,"
        " target_fps_milli = excluded.target_fps_milli, weight = excluded.weight";
    return drop_figures(store, row, error) &&
           store_change(store, error, row->chip ? for_chip : for_model, "ssssod", row->model, row->chip, row->name, row->tier,
                        row->target_fps_milli, row->weight);
}
