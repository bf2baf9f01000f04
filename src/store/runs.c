#include "runs.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>

#define FIELD(column, kind, member)                                                                          \
    {                                                                                                        \
        column, kind, offsetof(struct run_row, member)                                                       \
    }

const struct row_field run_fields[] = {
    FIELD("build", ROW_INTEGER, build),
    FIELD("device", ROW_INTEGER, device),
    FIELD("name", ROW_NAME, name),
    FIELD("os", ROW_TEXT, os),
    FIELD("gpu_name", ROW_TEXT, gpu_name),
    FIELD("series", ROW_NAME, series),
    FIELD("log_url", ROW_TEXT, log_url),
    FIELD("outcome", ROW_TEXT, outcome),
    FIELD("station", ROW_TEXT, station),
    FIELD("scenario", ROW_TEXT, scenario),
    FIELD("conditions", ROW_TEXT, conditions),
    FIELD("started_at_ms", ROW_INTEGER, started_at_ms),
    FIELD("sample_every", ROW_INTEGER, sampling.every),
    FIELD("kept_over_ns", ROW_INTEGER, sampling.kept_over_ns),
    FIELD("target_fps_milli", ROW_INTEGER, target_fps_milli),
    FIELD("refresh_milli_hz", ROW_INTEGER, refresh_milli_hz),
    FIELD("interval", ROW_NAME, interval),
    FIELD("tests_holes", ROW_BOOL, tests_holes),
    FIELD("has_clock", ROW_BOOL, has_clock),
    FIELD("import", ROW_INTEGER, import),
    FIELD("frames", ROW_INTEGER, frames),
    FIELD("dropped", ROW_INTEGER, dropped),
    FIELD("rejected", ROW_INTEGER, rejected),
    FIELD("holes_wide", ROW_INTEGER, holes_wide),
    FIELD("holes_tested", ROW_INTEGER, holes_tested),
    FIELD("gaps", ROW_INTEGER, gaps),
    FIELD("gap_ns", ROW_INTEGER, gap_ns),
    FIELD("clock_steps", ROW_INTEGER, clock_steps),
    FIELD("first_stamp_ns", ROW_INTEGER, first_stamp_ns),
    FIELD("last_stamp_ns", ROW_INTEGER, last_stamp_ns),
    FIELD("first_frame_ns", ROW_INTEGER, first_frame_ns),
    FIELD("sum_ns", ROW_INTEGER, sum_ns),
    FIELD("notes", ROW_TEXT, notes),
    FIELD("summarised", ROW_BOOL, summarised),
    FIELD("limit_ns", ROW_INTEGER, limit_ns),
    FIELD("summary_settings", ROW_TEXT, summary_settings),
};
const size_t run_field_count = ROW_COUNT(run_fields);

static void read_row(sqlite3_stmt *query, struct run_row *row)
{
    row->id = sqlite3_column_int64(query, 0);
    row_read(query, 1, run_fields, run_field_count, row);
}

static char *select_runs(const char *where)
{
    struct text_buffer sql = {0};
    text_add(&sql, "SELECT id, ");
    row_add_columns(&sql, run_fields, run_field_count);
    text_add(&sql, " FROM run ");
    text_add(&sql, where);
    return text_take(&sql);
}

static int compare_places(const void *a, const void *b)
{
    const struct run_place *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static void note_places(struct run_list *list)
{
    free(list->by_id);
    list->by_id = list->count ? memory_take(list->count * sizeof *list->by_id) : NULL;
    for (size_t i = 0; i < list->count; i++)
        list->by_id[i] = (struct run_place){list->items[i].id, i};
    if (list->count)
        qsort(list->by_id, list->count, sizeof *list->by_id, compare_places);
}

const struct run_row *run_list_find(const struct run_list *list, int64_t run)
{
    const struct run_place wanted = {.id = run},
                           *place = list->by_id ? bsearch(&wanted, list->by_id, list->count, sizeof *list->by_id, compare_places) : NULL;

    return place ? &list->items[place->at] : NULL;
}

/* Conditions that are not asked for are left out, so that an index can be used. */
static char *run_condition(const struct run_filter *filter)
{
    return memory_print("WHERE %s AND %s AND %s AND (?3 IS NULL OR series = ?3) AND (?4 IS NULL OR name = ?4)",
                        filter->build ? "build = ?1" : "?1 = 0", filter->device ? "device = ?2" : "?2 = 0",
                        filter->run ? "id = ?5" : "?5 = 0");
}

/* Here and not in SQL, which would copy every row twice. Runs that say no start come last. */
static int compare_runs(const void *a, const void *b)
{
    const struct run_row *x = a, *y = b;
    bool x_known = x->started_at_ms != VALUE_UNKNOWN, y_known = y->started_at_ms != VALUE_UNKNOWN;
    if (x_known != y_known)
        return y_known - x_known;
    if (x_known && x->started_at_ms != y->started_at_ms)
        return x->started_at_ms < y->started_at_ms ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

bool store_list_runs(struct store *store, const struct run_filter *filter, struct run_list *ret,
                     struct error *error)
{
    char *where = run_condition(filter), *sql = select_runs(where);
    sqlite3_stmt *query =
        store_query(store, error, sql, "iissi", filter->build, filter->device, filter->series, filter->name, filter->run);
    free(sql);
    free(where);
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        array_push(ret, (struct run_row){0});
        struct run_row *row = &ret->items[ret->count - 1];
        read_row(query, row);
        /* Kept over a limit without "every": only spikes were kept, and that is not a full log. */
        if (row->sampling.every == VALUE_UNKNOWN && row->sampling.kept_over_ns == VALUE_UNKNOWN)
            row->sampling.every = 1;
    }
    if (ret->count)
        qsort(ret->items, ret->count, sizeof *ret->items, compare_runs);
    note_places(ret);
    return store_finish(store, query, step, error);
}

bool store_list_run_starts(struct store *store, const char *series, struct run_start_list *ret, struct error *error)
{
    sqlite3_stmt *query = store_query(store, error, "SELECT build, device, started_at_ms FROM run WHERE ?1 IS NULL OR series = ?1", "s", series);
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW)
        array_push(ret, (struct run_start){sqlite3_column_int64(query, 0), sqlite3_column_int64(query, 1), store_column(query, 2)});
    return store_finish(store, query, step, error);
}

void run_start_list_free(struct run_start_list *list)
{
    array_free(list);
}

bool run_row_read(struct store *store, int64_t id, struct run_row *ret, struct error *error)
{
    char *sql = select_runs("WHERE id = ?");
    sqlite3_stmt *query = store_query(store, error, sql, "i", id);
    free(sql);
    int step = query ? sqlite3_step(query) : SQLITE_ERROR;
    *ret = (struct run_row){0};
    if (step == SQLITE_ROW)
        read_row(query, ret);
    return store_finish(store, query, step, error);
}

void run_row_free(struct run_row *row)
{
    row_free_texts(run_fields, run_field_count, row);
}

void run_list_free(struct run_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        run_row_free(&list->items[i]);
    free(list->by_id);
    list->by_id = NULL;
    array_free(list);
}
