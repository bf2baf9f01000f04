/* Rows of what analysis computed, table by table: all that is put at once in one statement for each. */
#include "derived_tables.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>

/*
 * ?1 analysis. The owner of a row is its group; its number is the version of the group or the id of the window. The columns
 * are in the order of the table, else SQLite copies each value once more.
 */
static char *compose_insert(const struct derived_table *table)
{
    bool windows = table == &derived_windows, groups = table == &derived_groups;
    struct text_buffer sql = {0};

    /* All is taken back together when one fails: no copies for taking back the statement alone. */
    text_add_print(&sql, "INSERT OR FAIL INTO %s (%sframe_group, analysis, %s", table->name, windows ? "id, " : "",
                   groups ? "version, " : "");
    row_add_columns(&sql, table->fields, table->field_count);
    text_add_print(&sql, ") SELECT %sowner, ?1%s", windows ? "number, " : "", groups ? ", number" : "");
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

/* The parts, rows of `size` bytes, in one statement. */
static bool insert_parts(struct store *store, const struct derived_table *table, size_t size, const struct given_part *parts,
                         size_t count, struct error *error)
{
    size_t rows = 0;
    for (size_t i = 0; i < count; i++)
        rows += parts[i].count;
    sqlite3_stmt *query = rows ? statement_of(store, table, error) : NULL;
    if (!query)
        return rows == 0;
    sqlite3_bind_int64(query, 1, store->derived.analysis);
    store->derived.given = (struct given_rows){table->fields, size, parts, count};
    return store_finish(store, query, sqlite3_step(query), error);
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

/* Stutters name their worst window by its place in the list: in the store by its id. */
static struct stutter *name_worst_windows(const struct group_results *results, int64_t first_window)
{
    size_t count = results->stutters.count;
    struct stutter *rows = memory_take((count + 1) * sizeof *rows);

    for (size_t i = 0; i < count; i++) {
        rows[i] = results->stutters.items[i];
        bool known = rows[i].worst_window >= 0 && (size_t)rows[i].worst_window < results->windows.count;
        rows[i].worst_window = known ? first_window + rows[i].worst_window : VALUE_UNKNOWN;
    }
    return rows;
}

/* parts: room for as many as there are groups. */
static bool insert_figures(struct store *store, const struct placed_group *groups, size_t count, struct given_part *parts,
                           struct error *error)
{
    for (size_t i = 0; i < count; i++)
        parts[i] = (struct given_part){groups[i].id, groups[i].changed, &groups[i].results->group, 1};
    if (!insert_parts(store, &derived_groups, sizeof(struct group_figures), parts, count, error))
        return false;
    for (size_t i = 0; i < count; i++)
        parts[i] = (struct given_part){groups[i].id, 0, groups[i].results->runs.items, groups[i].results->runs.count};
    if (!insert_parts(store, &derived_runs, sizeof(struct run_figures), parts, count, error))
        return false;
    for (size_t i = 0; i < count; i++)
        parts[i] = (struct given_part){groups[i].id, 0, groups[i].results->events.items, groups[i].results->events.count};
    return insert_parts(store, &derived_events, sizeof(struct event_figures), parts, count, error);
}

static bool insert_stutters(struct store *store, const struct placed_group *groups, size_t count, int64_t first_window,
                            struct given_part *parts, struct error *error)
{
    struct stutter **rows = memory_take((count + 1) * sizeof *rows);
    bool fine;

    for (size_t i = 0; i < count; i++) {
        rows[i] = name_worst_windows(groups[i].results, first_window);
        first_window += (int64_t)groups[i].results->windows.count;
        parts[i] = (struct given_part){groups[i].id, 0, rows[i], groups[i].results->stutters.count};
    }
    fine = insert_parts(store, &derived_stutters, sizeof(struct stutter), parts, count, error);
    for (size_t i = 0; i < count; i++)
        free(rows[i]);
    free(rows);
    return fine;
}

static bool insert_windows(struct store *store, const struct placed_group *groups, size_t count, struct given_part *parts,
                           struct error *error)
{
    if (!find_next_window(store, error))
        return false;
    int64_t first = store->derived.next_window;
    for (size_t i = 0; i < count; i++) {
        const struct group_results *results = groups[i].results;
        parts[i] = (struct given_part){groups[i].id, store->derived.next_window, results->windows.items, results->windows.count};
        store->derived.next_window += (int64_t)results->windows.count;
    }
    return insert_parts(store, &derived_windows, sizeof(struct stutter_window), parts, count, error) &&
           insert_stutters(store, groups, count, first, parts, error);
}

bool derived_insert(struct store *store, const struct placed_group *groups, size_t count, struct error *error)
{
    struct given_part *parts = memory_take((count + 1) * sizeof *parts);
    bool fine = insert_figures(store, groups, count, parts, error) && insert_windows(store, groups, count, parts, error);
    free(parts);
    return fine;
}
