/*
 * Frames as rows: runs one after the other, their segments unpacked column by column as far as a question needs them.
 * What is asked for run, build, device, scene and quality is looked up before anything is unpacked.
 */
#include "sql.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/store/frames.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum sql_column {
    SQL_RUN, SQL_RUN_ID, SQL_BUILD, SQL_DEVICE, SQL_CHIP, SQL_SERIES, SQL_OS, SQL_SCENE, SQL_QUALITY, SQL_VISIT, SQL_NUMBER,
    SQL_TIMESTAMP_MS, SQL_FRAME_TIME_MS, SQL_CPU_MS, SQL_GPU_MS, SQL_DISPLAY_MS, SQL_GC, SQL_DRAW_CALLS, SQL_MEMORY, SQL_EVENT, SQL_STEP,
    SQL_THERMAL, SQL_SCREENSHOT, SQL_DROPPED, SQL_TARGET_FPS, SQL_REFRESH_HZ, SQL_TIMESTAMP_NS, SQL_FRAME_TIME_NS, SQL_COLUMNS
};

static const char declaration[] =
    "CREATE TABLE frame (run TEXT, run_id INTEGER, build TEXT, device TEXT, chip TEXT, series TEXT, os TEXT, scene TEXT, quality TEXT,"
    " visit INTEGER, number INTEGER, timestamp_ms REAL, frame_time_ms REAL, cpu_frame_ms REAL, gpu_frame_ms REAL, display_interval_ms REAL,"
    " gc_alloc_bytes INTEGER, draw_calls INTEGER, memory_bytes INTEGER, event TEXT, step TEXT, thermal_state TEXT, screenshot TEXT,"
    " dropped INTEGER, target_fps REAL, refresh_hz REAL, timestamp_ns INTEGER, frame_time_ns INTEGER)";

/* Where a value of the segment comes from. */
static const struct {
    enum sql_column column;
    enum frame_column stored;
    enum { GIVE_MS, GIVE_INTEGER, GIVE_TEXT, GIVE_DROPPED } how;
} stored_columns[] = {
    {SQL_TIMESTAMP_MS, COLUMN_STAMP, GIVE_MS},      {SQL_FRAME_TIME_MS, COLUMN_FRAME_TIME, GIVE_MS}, {SQL_CPU_MS, COLUMN_CPU, GIVE_MS},
    {SQL_GPU_MS, COLUMN_GPU, GIVE_MS},              {SQL_DISPLAY_MS, COLUMN_DISPLAY, GIVE_MS},       {SQL_GC, COLUMN_GC, GIVE_INTEGER},
    {SQL_DRAW_CALLS, COLUMN_DRAW_CALLS, GIVE_INTEGER}, {SQL_MEMORY, COLUMN_MEMORY, GIVE_INTEGER},    {SQL_EVENT, COLUMN_EVENT, GIVE_TEXT},
    {SQL_STEP, COLUMN_STEP, GIVE_TEXT},             {SQL_THERMAL, COLUMN_THERMAL, GIVE_TEXT},        {SQL_SCREENSHOT, COLUMN_SCREENSHOT, GIVE_TEXT},
    {SQL_DROPPED, COLUMN_FLAGS, GIVE_DROPPED},      {SQL_TIMESTAMP_NS, COLUMN_STAMP, GIVE_INTEGER},  {SQL_FRAME_TIME_NS, COLUMN_FRAME_TIME, GIVE_INTEGER},
};

/* Constraints "column = value" that are looked up, one letter each in the plan. */
static const struct {
    enum sql_column column;
    char letter;
    bool text;
    double share; /* of the frames that are left, guessed */
} pushed[] = {
    {SQL_RUN_ID, 'i', false, 0.001}, {SQL_RUN, 'r', true, 0.002},   {SQL_BUILD, 'b', true, 0.02}, {SQL_DEVICE, 'd', true, 0.05},
    {SQL_SCENE, 's', true, 0.1},     {SQL_QUALITY, 'q', true, 0.5},
};
#define PUSHED (sizeof pushed / sizeof *pushed)

/* Names by id: position = id. */
struct sql_names {
    struct text_list list;
    const char **by_id;
    size_t count;
};

struct sql_table {
    sqlite3_vtab base;
    struct store *store;
    struct sql_names scenes, qualities, texts;
    struct build_list builds;
    struct device_list devices;
    bool loaded;
};

struct sql_cursor {
    sqlite3_vtab_cursor base;
    char *wanted[SQL_COLUMNS]; /* NULL: any */
    int64_t wanted_run;        /* 0: any */
    struct run_list runs;
    size_t run, segment, frame;
    int64_t before; /* frames of the run in earlier segments */
    struct segment_list segments;
    int64_t *values[COLUMN_COUNT]; /* of the segment; NULL: not read yet */
    bool end;
};

static int fail(struct sql_table *table, const struct error *error)
{
    sqlite3_free(table->base.zErrMsg);
    table->base.zErrMsg = sqlite3_mprintf("%s", error->text);
    return SQLITE_ERROR;
}

/* ---- names ---- */

static void index_names(struct sql_names *names)
{
    for (size_t i = 0; i < names->list.count; i++)
        names->count = (size_t)names->list.items[i].id + 1 > names->count ? (size_t)names->list.items[i].id + 1 : names->count;
    names->by_id = memory_take_zeroed(names->count + 1, sizeof *names->by_id);
    for (size_t i = 0; i < names->list.count; i++)
        names->by_id[names->list.items[i].id] = names->list.items[i].text;
}

static const char *name_of(const struct sql_names *names, int64_t id)
{
    return id > 0 && (size_t)id < names->count ? names->by_id[id] : NULL;
}

static void free_names(struct sql_names *names)
{
    text_list_free(&names->list);
    free(names->by_id);
    memset(names, 0, sizeof *names);
}

static bool load_names(struct sql_table *table, struct error *error)
{
    struct store *store = table->store;

    if (table->loaded)
        return true;
    table->loaded = true;
    if (!store_list_scenes(store, &table->scenes.list, error) || !store_list_qualities(store, &table->qualities.list, error) ||
        !store_list_texts(store, &table->texts.list, error) || !store_list_builds(store, &table->builds, error) ||
        !store_list_devices(store, &table->devices, error))
        return false;
    index_names(&table->scenes);
    index_names(&table->qualities);
    index_names(&table->texts);
    return true;
}

static const char *build_name(const struct sql_table *table, int64_t id)
{
    for (size_t i = 0; i < table->builds.count; i++)
        if (table->builds.items[i].id == id)
            return table->builds.items[i].name;
    return NULL;
}

static const struct device_row *device_of(const struct sql_table *table, int64_t id)
{
    for (size_t i = 0; i < table->devices.count; i++)
        if (table->devices.items[i].id == id)
            return &table->devices.items[i];
    return NULL;
}

/* ---- the table ---- */

static int frames_connect(sqlite3 *db, void *user, int count, const char *const *arguments, sqlite3_vtab **ret, char **ret_error)
{
    struct sql_table *table;
    int code = sqlite3_declare_vtab(db, declaration);

    (void)count;
    (void)arguments;
    if (code != SQLITE_OK) {
        *ret_error = sqlite3_mprintf("%s", sqlite3_errmsg(db));
        return code;
    }
    table = memory_take_zeroed(1, sizeof *table);
    table->store = user;
    *ret = &table->base;
    return SQLITE_OK;
}

static int frames_disconnect(sqlite3_vtab *base)
{
    struct sql_table *table = (struct sql_table *)base;

    free_names(&table->scenes);
    free_names(&table->qualities);
    free_names(&table->texts);
    build_list_free(&table->builds);
    device_list_free(&table->devices);
    free(table);
    return SQLITE_OK;
}

static bool can_push(sqlite3_index_info *info, int constraint, size_t which)
{
    return info->aConstraint[constraint].usable && info->aConstraint[constraint].op == SQLITE_INDEX_CONSTRAINT_EQ &&
           info->aConstraint[constraint].iColumn == (int)pushed[which].column &&
           (!pushed[which].text || strcmp(sqlite3_vtab_collation(info, constraint), "BINARY") == 0);
}

/* SQLite looks at every row again, so a lookup may be wider than the constraint, never narrower. */
static int frames_plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
    char plan[PUSHED + 1] = "";
    int argument = 0;

    (void)base;
    info->estimatedCost = 1e7;
    for (size_t which = 0; which < PUSHED; which++) {
        for (int i = 0; i < info->nConstraint; i++) {
            if (!can_push(info, i, which))
                continue;
            plan[argument++] = pushed[which].letter;
            info->aConstraintUsage[i].argvIndex = argument;
            info->estimatedCost *= pushed[which].share;
            break;
        }
    }
    info->estimatedRows = (sqlite3_int64)info->estimatedCost;
    info->idxStr = sqlite3_mprintf("%s", plan);
    info->needToFreeIdxStr = 1;
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

static int frames_open(sqlite3_vtab *base, sqlite3_vtab_cursor **ret)
{
    struct sql_cursor *cursor = memory_take_zeroed(1, sizeof *cursor);

    (void)base;
    *ret = &cursor->base;
    return SQLITE_OK;
}

static void drop_values(struct sql_cursor *cursor)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        free(cursor->values[i]);
        cursor->values[i] = NULL;
    }
}

static void reset(struct sql_cursor *cursor)
{
    drop_values(cursor);
    segment_list_free(&cursor->segments);
    run_list_free(&cursor->runs);
    for (int i = 0; i < SQL_COLUMNS; i++) {
        free(cursor->wanted[i]);
        cursor->wanted[i] = NULL;
    }
    cursor->wanted_run = 0;
    cursor->run = cursor->segment = cursor->frame = 0;
    cursor->before = 0;
    cursor->end = false;
}

static int frames_close(sqlite3_vtab_cursor *base)
{
    reset((struct sql_cursor *)base);
    free(base);
    return SQLITE_OK;
}

/* ---- rows ---- */

static bool fits(const char *wanted, const char *found)
{
    return !wanted || (found && strcmp(wanted, found) == 0);
}

static bool run_fits(const struct sql_table *table, const struct sql_cursor *cursor, const struct run_row *run)
{
    const struct device_row *device = device_of(table, run->device);

    return (!cursor->wanted_run || cursor->wanted_run == run->id) && fits(cursor->wanted[SQL_RUN], run->name) &&
           fits(cursor->wanted[SQL_BUILD], build_name(table, run->build)) && fits(cursor->wanted[SQL_DEVICE], device ? device->model : NULL);
}

static bool segment_fits(const struct sql_table *table, const struct sql_cursor *cursor, const struct segment_row *segment)
{
    return fits(cursor->wanted[SQL_SCENE], name_of(&table->scenes, segment->scene)) &&
           fits(cursor->wanted[SQL_QUALITY], name_of(&table->qualities, segment->quality));
}

/* From the place where the cursor stands to the next frame there is. */
static bool settle(const struct sql_table *table, struct sql_cursor *cursor, struct error *error)
{
    for (; cursor->run < cursor->runs.count; cursor->run++) {
        const struct run_row *run = &cursor->runs.items[cursor->run];
        struct segment_filter filter = {.run = run->id, .quality = -1};

        if (!run_fits(table, cursor, run))
            continue;
        if (cursor->segments.count == 0 && !store_list_segments(table->store, &filter, &cursor->segments, error))
            return false;
        for (; cursor->segment < cursor->segments.count; cursor->segment++) {
            const struct segment_row *segment = &cursor->segments.items[cursor->segment];

            if (segment_fits(table, cursor, segment) && (int64_t)cursor->frame < segment->count)
                return true;
            drop_values(cursor);
            cursor->before += segment->count;
            cursor->frame = 0;
        }
        segment_list_free(&cursor->segments);
        cursor->segment = 0;
        cursor->before = 0;
    }
    cursor->end = true;
    return true;
}

static int frames_filter(sqlite3_vtab_cursor *base, int number, const char *plan, int count, sqlite3_value **values)
{
    struct sql_cursor *cursor = (struct sql_cursor *)base;
    struct sql_table *table = (struct sql_table *)base->pVtab;
    struct run_filter all = {0};
    struct error error = {0};

    (void)number;
    reset(cursor);
    for (int i = 0; i < count; i++) {
        for (size_t which = 0; which < PUSHED; which++) {
            if (pushed[which].letter != plan[i])
                continue;
            if (sqlite3_value_type(values[i]) == SQLITE_NULL)
                cursor->end = true; /* equal to nothing */
            else if (!pushed[which].text)
                cursor->wanted_run = sqlite3_value_int64(values[i]);
            else
                cursor->wanted[pushed[which].column] = memory_copy_text((const char *)sqlite3_value_text(values[i]));
        }
    }
    if (cursor->end)
        return SQLITE_OK;
    if (!load_names(table, &error) || !store_list_runs(table->store, &all, &cursor->runs, &error) || !settle(table, cursor, &error))
        return fail(table, &error);
    return SQLITE_OK;
}

static int frames_next(sqlite3_vtab_cursor *base)
{
    struct sql_cursor *cursor = (struct sql_cursor *)base;
    struct sql_table *table = (struct sql_table *)base->pVtab;
    struct error error = {0};

    cursor->frame++;
    return settle(table, cursor, &error) ? SQLITE_OK : fail(table, &error);
}

static int frames_end(sqlite3_vtab_cursor *base)
{
    return ((struct sql_cursor *)base)->end;
}

static int frames_row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *ret)
{
    const struct sql_cursor *cursor = (struct sql_cursor *)base;

    *ret = cursor->segments.items[cursor->segment].id << 21 | (int64_t)cursor->frame;
    return SQLITE_OK;
}

/* ---- values ---- */

static void give_text(sqlite3_context *context, const char *text)
{
    if (text)
        sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_result_null(context);
}

static void give_scaled(sqlite3_context *context, int64_t value, double scale)
{
    if (value == VALUE_UNKNOWN)
        sqlite3_result_null(context);
    else
        sqlite3_result_double(context, (double)value / scale);
}

static int give_stored(struct sql_table *table, struct sql_cursor *cursor, sqlite3_context *context, size_t which)
{
    const struct segment_row *segment = &cursor->segments.items[cursor->segment];
    enum frame_column column = stored_columns[which].stored;
    struct error error = {0};
    int64_t value;

    if (!cursor->values[column]) {
        cursor->values[column] = memory_take_zeroed((size_t)segment->count, sizeof(int64_t));
        if (!store_read_column(table->store, segment, column, cursor->values[column], &error))
            return fail(table, &error);
    }
    value = cursor->values[column][cursor->frame];
    switch (stored_columns[which].how) {
    case GIVE_MS:
        give_scaled(context, value, 1e6);
        break;
    case GIVE_TEXT:
        give_text(context, name_of(&table->texts, value));
        break;
    case GIVE_DROPPED:
        sqlite3_result_int(context, value != VALUE_UNKNOWN && (value & FRAME_DROPPED));
        break;
    case GIVE_INTEGER:
        if (value == VALUE_UNKNOWN)
            sqlite3_result_null(context);
        else
            sqlite3_result_int64(context, value);
        break;
    }
    return SQLITE_OK;
}

static void give_fact(const struct sql_table *table, const struct sql_cursor *cursor, sqlite3_context *context, int column)
{
    const struct run_row *run = &cursor->runs.items[cursor->run];
    const struct segment_row *segment = &cursor->segments.items[cursor->segment];
    const struct device_row *device = device_of(table, run->device);

    switch (column) {
    case SQL_RUN: give_text(context, run->name); break;
    case SQL_RUN_ID: sqlite3_result_int64(context, run->id); break;
    case SQL_BUILD: give_text(context, build_name(table, run->build)); break;
    case SQL_DEVICE: give_text(context, device ? device->model : NULL); break;
    case SQL_CHIP: give_text(context, device ? device->chip : NULL); break;
    case SQL_SERIES: give_text(context, run->series); break;
    case SQL_OS: give_text(context, run->os); break;
    case SQL_SCENE: give_text(context, name_of(&table->scenes, segment->scene)); break;
    case SQL_QUALITY: give_text(context, name_of(&table->qualities, segment->quality)); break;
    case SQL_VISIT: sqlite3_result_int64(context, segment->visit); break;
    case SQL_NUMBER: sqlite3_result_int64(context, cursor->before + (int64_t)cursor->frame + 1); break;
    case SQL_TARGET_FPS: give_scaled(context, segment->target_fps_milli != VALUE_UNKNOWN ? segment->target_fps_milli : run->target_fps_milli, 1000); break;
    case SQL_REFRESH_HZ: give_scaled(context, segment->refresh_milli_hz != VALUE_UNKNOWN ? segment->refresh_milli_hz : run->refresh_milli_hz, 1000); break;
    default: sqlite3_result_null(context); break;
    }
}

static int frames_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    struct sql_cursor *cursor = (struct sql_cursor *)base;
    struct sql_table *table = (struct sql_table *)base->pVtab;

    for (size_t i = 0; i < sizeof stored_columns / sizeof *stored_columns; i++)
        if ((int)stored_columns[i].column == column)
            return give_stored(table, cursor, context, i);
    give_fact(table, cursor, context, column);
    return SQLITE_OK;
}

/* Without xCreate the table is simply there, in no schema and in no file. */
static const sqlite3_module frames_module = {
    .xConnect = frames_connect,
    .xBestIndex = frames_plan,
    .xDisconnect = frames_disconnect,
    .xOpen = frames_open,
    .xClose = frames_close,
    .xFilter = frames_filter,
    .xNext = frames_next,
    .xEof = frames_end,
    .xColumn = frames_column,
    .xRowid = frames_row_id,
};

bool sql_add_frames(struct store *store, struct error *error)
{
    int code = sqlite3_create_module_v2(store->db, "frame", &frames_module, store, NULL);

    if (code != SQLITE_OK)
        return store_fail(store, code, error);
    return store_execute(store, "SELECT 1 FROM frame LIMIT 0", error); /* declared now: later nothing may be declared */
}
