/* Reading frames: rows of segments, and columns unpacked. */
#include "segments.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define FIELD(column, kind, member)                                                                          \
    {                                                                                                        \
        column, kind, offsetof(struct segment_row, member)                                                   \
    }

const struct row_field segment_fields[] = {
    FIELD("run", ROW_INTEGER, run),
    FIELD("scene", ROW_INTEGER, scene),
    FIELD("quality", ROW_INTEGER, quality),
    FIELD("visit", ROW_INTEGER, visit),
    FIELD("broken", ROW_BOOL, broken),
    FIELD("target_fps_milli", ROW_INTEGER, target_fps_milli),
    FIELD("refresh_milli_hz", ROW_INTEGER, refresh_milli_hz),
    FIELD("frames", ROW_INTEGER, count),
    FIELD("min_ns", ROW_INTEGER, min_ns),
    FIELD("max_ns", ROW_INTEGER, max_ns),
    FIELD("sum_ns", ROW_INTEGER, sum_ns),
    FIELD("first_stamp_ns", ROW_INTEGER, first_stamp_ns),
    FIELD("last_stamp_ns", ROW_INTEGER, last_stamp_ns),
    FIELD("columns", ROW_INT, columns),
};
const size_t segment_field_count = ROW_COUNT(segment_fields);

const char *const segment_column_names[COLUMN_COUNT] = {
    [COLUMN_STAMP] = "stamp",
    [COLUMN_FRAME_TIME] = "frame_time",
    [COLUMN_CPU] = "cpu",
    [COLUMN_GPU] = "gpu",
    [COLUMN_DISPLAY] = "display",
    [COLUMN_GC] = "gc",
    [COLUMN_DRAW_CALLS] = "draw_calls",
    [COLUMN_MEMORY] = "memory",
    [COLUMN_EVENT] = "event",
    [COLUMN_STEP] = "step",
    [COLUMN_THERMAL] = "thermal",
    [COLUMN_SCREENSHOT] = "screenshot",
    [COLUMN_FLAGS] = "flags",
};

/* Only the conditions that are asked for: so that SQLite picks the index of just these. */
static char *select_segments(const struct segment_filter *filter)
{
    struct text_buffer sql = {0};
    text_add(&sql, "SELECT s.id");
    for (size_t i = 0; i < segment_field_count; i++)
        text_add_print(&sql, ", s.%s", segment_fields[i].column);
    text_add(&sql, " FROM run r JOIN segment s ON s.run = r.id"
                   " WHERE ?1 + ?2 + ?3 + ?4 + ?5 IS NOT NULL"); /* uses every parameter */
    text_add(&sql, filter->run ? " AND r.id = ?1" : "");
    text_add(&sql, filter->build ? " AND r.build = ?2" : "");
    text_add(&sql, filter->device ? " AND r.device = ?3" : "");
    text_add(&sql, filter->scene ? " AND s.scene = ?4" : "");
    text_add(&sql, filter->quality >= 0 ? " AND s.quality = ?5" : "");
    return text_take(&sql);
}

static int compare_segments(const void *left, const void *right)
{
    const struct segment_row *a = left, *b = right;
    if (a->run != b->run)
        return a->run < b->run ? -1 : 1;
    if (a->visit != b->visit)
        return a->visit < b->visit ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

/* Mostly they are in order already, run by run: SQLite would pack all of them to sort them. */
static void put_in_order(struct segment_row *rows, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (compare_segments(&rows[i - 1], &rows[i]) > 0) {
            qsort(rows, count, sizeof *rows, compare_segments);
            return;
        }
}

bool store_list_segments(struct store *store, const struct segment_filter *filter, struct segment_list *ret,
                         struct error *error)
{
    char *sql = select_segments(filter);
    sqlite3_stmt *query = store_query(store, error, sql, "iiiii", filter->run, filter->build, filter->device,
                                      filter->scene, filter->quality);
    free(sql);
    int step = SQLITE_ERROR;
    int64_t damaged = 0;
    size_t before = ret->count;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        struct segment_row row = {.id = sqlite3_column_int64(query, 0)};
        row_read(query, 1, segment_fields, segment_field_count, &row);
        if (row.count < 1 || row.count > (int64_t)SEGMENT_FRAMES_MAX) {
            damaged = row.id;
            break;
        }
        array_push(ret, row);
    }
    if (!store_finish(store, query, step, error))
        return false;
    if (ret->count > before)
        put_in_order(ret->items + before, ret->count - before);
    return damaged == 0 ||
           error_set(error, ERROR_STORE, "%s is damaged: segment %lld has an impossible number of frames.",
                     store->path, (long long)damaged);
}

void segment_list_free(struct segment_list *list)
{
    array_free(list);
}

static bool damaged(struct store *store, int64_t segment, enum frame_column column,
                    const struct error *reason, struct error *error)
{
    char why[sizeof reason->text];
    memcpy(why, reason->text, sizeof why); /* reason and error may be the same */
    return error_set(
        error, ERROR_STORE,
        "%s is damaged: column %s of segment %lld cannot be read: %s. \"stutterscope check\" tells what "
        "is affected.",
        store->path, segment_column_names[column], (long long)segment, why);
}

/* Packed columns of one segment; valid until the query is finished. */
struct packed_columns {
    sqlite3_stmt *query;
    const void *bytes[COLUMN_COUNT]; /* NULL: it is not there */
    size_t sizes[COLUMN_COUNT];
};

/* All in one row: what a statement costs besides is as much as to find a column. */
static char *compose_fetch(uint32_t columns)
{
    struct text_buffer select = {0}, from = {0};
    int lead = -1;
    for (int column = 0; column < COLUMN_COUNT; column++) {
        if (!(columns & 1u << column))
            continue;
        text_add_print(&select, "%s c%d.data", lead < 0 ? "SELECT" : ",", column);
        text_add_print(&from, lead < 0 ? " FROM segment_%s c%d" : " LEFT JOIN segment_%s c%d ON c%d.segment = ?1",
                       segment_column_names[column], column, column);
        if (lead < 0)
            lead = column;
    }
    char *tables = text_take(&from);
    text_add_print(&select, "%s WHERE c%d.segment = ?1", tables, lead);
    free(tables);
    return text_take(&select);
}

/* Prepared once for the same columns. */
static sqlite3_stmt *fetch_statement(struct store *store, uint32_t columns, struct error *error)
{
    for (size_t i = 0; i < store->fetches.count; i++)
        if (store->fetches.items[i].columns == columns)
            return store->fetches.items[i].statement;
    char *sql = compose_fetch(columns);
    sqlite3_stmt *query = store_query(store, error, sql, "");
    free(sql);
    if (query)
        array_push(&store->fetches, (struct fetch_statement){columns, query});
    return query;
}

/* columns: at least one. To be ended with store_finish(). */
static bool fetch_packed(struct store *store, int64_t segment, uint32_t columns, struct packed_columns *ret, struct error *error)
{
    sqlite3_stmt *query = fetch_statement(store, columns, error);
    if (!query)
        return false;
    sqlite3_bind_int64(query, 1, segment);
    int step = sqlite3_step(query), at = 0;
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        return store_finish(store, query, step, error);
    *ret = (struct packed_columns){.query = query};
    for (int column = 0; column < COLUMN_COUNT && step == SQLITE_ROW; column++)
        if (columns & 1u << column) {
            ret->bytes[column] = sqlite3_column_blob(query, at);
            ret->sizes[column] = (size_t)sqlite3_column_bytes(query, at++);
        }
    return true;
}

/* The values of some frames, or with ranges NULL of all. */
static bool unpack_fetched(struct store *store, const struct segment_row *segment, const struct packed_columns *packed,
                           enum frame_column column, const int64_t *frame_times, const struct frame_range *ranges,
                           size_t range_count, int64_t *values, struct error *error)
{
    const void *bytes = packed->bytes[column];
    size_t size = packed->sizes[column], count = (size_t)segment->count;
    struct error reason;
    bool fine = bytes ? ranges ? segment_unpack_at(store->codec, column, bytes, size, ranges, range_count, values, count, &reason)
                               : segment_unpack(store->codec, column, bytes, size, frame_times, values, count, &reason)
                      : error_set(&reason, ERROR_STORE, "it is not there");
    return fine || damaged(store, segment->id, column, &reason, error);
}

/* One column, all of its values. */
static bool read_packed(struct store *store, const struct segment_row *segment, enum frame_column column,
                        const int64_t *frame_times, int64_t *values, struct error *error)
{
    struct packed_columns packed;
    if (!fetch_packed(store, segment->id, 1u << column, &packed, error))
        return false;
    bool fine = unpack_fetched(store, segment, &packed, column, frame_times, NULL, 0, values, error);
    store_finish(store, packed.query, SQLITE_ROW, NULL);
    return fine;
}

static void fill_unknown(int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = VALUE_UNKNOWN;
}

bool store_read_column(struct store *store, const struct segment_row *segment, enum frame_column column,
                       int64_t *values, struct error *error)
{
    if (!(segment->columns & 1u << column)) {
        fill_unknown(values, (size_t)segment->count);
        return true;
    }
    if (column != COLUMN_STAMP)
        return read_packed(store, segment, column, NULL, values, error);
    array_reserve(&store->frame_times, (size_t)segment->count);
    int64_t *frame_times = store->frame_times.items;
    return read_packed(store, segment, COLUMN_FRAME_TIME, NULL, frame_times, error) &&
           read_packed(store, segment, COLUMN_STAMP, frame_times, values, error);
}

bool store_read_marks(struct store *store, const struct segment_row *segment, enum frame_column column,
                      struct column_marks *ret, struct error *error)
{
    if (!(segment->columns & 1u << column))
        return true;
    struct packed_columns packed;
    struct error reason;
    if (!segment_column_is_text(column))
        return error_set(error, ERROR_USAGE, "column %s has no marks", segment_column_names[column]);
    if (!fetch_packed(store, segment->id, 1u << column, &packed, error))
        return false;
    bool fine = packed.bytes[column] ? segment_unpack_runs(store->codec, packed.bytes[column], packed.sizes[column],
                                                           (size_t)segment->count, &store->runs, &reason)
                                     : error_set(&reason, ERROR_STORE, "it is not there");
    store_finish(store, packed.query, SQLITE_ROW, NULL);
    if (!fine)
        return damaged(store, segment->id, column, &reason, error);
    for (size_t i = 0; i < store->runs.count; i++) {
        const struct value_run *run = &store->runs.items[i];
        for (size_t j = 0; j < run->length; j++)
            array_push(ret, (struct column_mark){run->first + j, run->value});
    }
    return true;
}

/* Returns the columns that there are. */
static uint32_t take_columns(const struct segment_row *segment, uint32_t columns, struct frame_columns *ret)
{
    *ret = (struct frame_columns){.count = (size_t)segment->count};
    columns &= segment->columns & ((1u << COLUMN_COUNT) - 1);
    for (int column = 0; column < COLUMN_COUNT; column++)
        if (columns & 1u << column)
            ret->values[column] = memory_take(ret->count * sizeof(int64_t));
    return columns;
}

/* Into the values that were taken for them, all but the stamps. */
static bool unpack_columns(struct store *store, const struct segment_row *segment, const struct packed_columns *packed,
                           const struct frame_range *ranges, size_t range_count, struct frame_columns *ret, struct error *error)
{
    bool fine = true;
    for (int column = 0; fine && column < COLUMN_COUNT; column++)
        if (column != COLUMN_STAMP && ret->values[column])
            fine = unpack_fetched(store, segment, packed, column, NULL, ranges, range_count, ret->values[column], error);
    return fine;
}

bool store_read_columns_at(struct store *store, const struct segment_row *segment, uint32_t columns,
                           const struct frame_range *ranges, size_t range_count, struct frame_columns *ret,
                           struct error *error)
{
    struct packed_columns packed;
    columns = take_columns(segment, columns & ~(1u << COLUMN_STAMP), ret);
    if (columns == 0)
        return true;
    bool fine = fetch_packed(store, segment->id, columns, &packed, error);
    if (fine) {
        fine = unpack_columns(store, segment, &packed, ranges, range_count, ret, error);
        store_finish(store, packed.query, SQLITE_ROW, NULL);
    }
    if (!fine)
        frame_columns_free(ret);
    return fine;
}

bool store_read_columns(struct store *store, const struct segment_row *segment, uint32_t columns,
                        struct frame_columns *ret, struct error *error)
{
    struct packed_columns packed;
    columns = take_columns(segment, columns, ret);
    if (columns == 0)
        return true;
    int64_t *stamps = ret->values[COLUMN_STAMP], *frame_times = ret->values[COLUMN_FRAME_TIME];
    bool fine = fetch_packed(store, segment->id, columns, &packed, error);
    if (fine) {
        fine = unpack_columns(store, segment, &packed, NULL, 0, ret, error);
        if (fine && stamps && frame_times) /* last: stamps stand on the frame times */
            fine = unpack_fetched(store, segment, &packed, COLUMN_STAMP, frame_times, NULL, 0, stamps, error);
        store_finish(store, packed.query, SQLITE_ROW, NULL);
    }
    if (fine && stamps && !frame_times)
        fine = store_read_column(store, segment, COLUMN_STAMP, stamps, error);
    if (!fine)
        frame_columns_free(ret);
    return fine;
}

void frame_columns_free(struct frame_columns *columns)
{
    for (int column = 0; column < COLUMN_COUNT; column++)
        free(columns->values[column]);
    *columns = (struct frame_columns){0};
}
