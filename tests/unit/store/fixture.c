#include "../leftovers.h"
#include "fixture.h"
#include "stutterscope/base/memory.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], paths[4][160];

void scratch_make(void)
{
    snprintf(folder, sizeof folder, "/tmp/stutterscope-store-XXXXXX");
    cr_assert(mkdtemp(folder) != NULL);
    leftover_note(folder);
}

void scratch_remove(void)
{
    leftover_remove(folder);
}

const char *scratch_path(const char *name)
{
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof *paths, "%s/%s", folder, name);
    return path;
}

struct store *open_store(const char *path, enum store_mode mode)
{
    struct store *store = NULL;
    struct error error = {0};
    cr_assert(store_open(path, mode, &store, &error), "%s", error.text);
    return store;
}

struct run_facts plain_facts(const char *build, const char *device, const char *run)
{
    return (struct run_facts){
        .build = build,
        .device_model = device,
        .name = run,
        .built_at_ms = VALUE_UNKNOWN,
        .started_at_ms = VALUE_UNKNOWN,
        .sample_every = VALUE_UNKNOWN,
        .kept_over_ns = VALUE_UNKNOWN,
        .target_fps_milli = VALUE_UNKNOWN,
        .refresh_milli_hz = VALUE_UNKNOWN,
        .tests_holes = true,
        .has_clock = true,
    };
}

static bool add_visit(struct store_writer *writer, struct dictionary *texts, size_t run,
                      const struct visit *visit, int64_t ordinal, struct error *error)
{
    struct segment_facts facts = {visit->scene, visit->quality, ordinal, false, VALUE_UNKNOWN, VALUE_UNKNOWN};
    struct frame_columns columns = {.count = visit->count};
    for (int i = 0; i < 3; i++) {
        static const enum frame_column wanted[] = {COLUMN_STAMP, COLUMN_FRAME_TIME, COLUMN_EVENT};
        columns.values[wanted[i]] = memory_take_zeroed(visit->count, sizeof(int64_t));
    }
    for (size_t i = 0; i < visit->count; i++) {
        columns.values[COLUMN_STAMP][i] = visit->first_end_ns + (int64_t)i * visit->frame_ns;
        columns.values[COLUMN_FRAME_TIME][i] = visit->frame_ns;
        if (i == 2 && visit->event)
            columns.values[COLUMN_EVENT][i] = dictionary_add(texts, visit->event, strlen(visit->event));
    }
    bool fine = store_writer_add_segment(writer, run, &facts, &columns, error);
    frame_columns_free(&columns);
    return fine;
}

bool import_visits(struct store *store, const char *path, const char *fingerprint,
                   const struct run_facts *facts, const struct visit *visits, size_t count,
                   struct import_outcome *ret, struct error *error)
{
    struct dictionary *texts = dictionary_create();
    struct store_writer *writer = NULL;
    struct run_measures measures = {.gaps = 1, .gap_ns = 600 * MS};
    struct import_facts import = {.path = path, .format = "test", .fingerprint = fingerprint, .bytes = 99};
    size_t run = 0;
    dictionary_add(texts, "something else", 14); /* so that the ids differ from those of the store */
    bool fine =
        store_writer_begin(store, texts, &writer, error) && store_writer_add_run(writer, facts, &run, error);
    for (size_t i = 0; fine && i < count; i++)
        fine = add_visit(writer, texts, run, &visits[i], (int64_t)i, error);
    if (fine) {
        store_writer_set_measures(writer, run, &measures);
        fine = store_writer_commit(writer, &import, ret, error);
    } else {
        store_writer_abort(writer);
    }
    dictionary_destroy(texts);
    return fine;
}

int64_t count_rows(struct store *store, const char *table)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *query = NULL;
    char *sql = memory_print("SELECT count(*) FROM %s", table);
    cr_assert_eq(sqlite3_open_v2(store_path(store), &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &query, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    cr_assert_eq(sqlite3_step(query), SQLITE_ROW);
    int64_t count = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    sqlite3_close(db);
    free(sql);
    return count;
}
