/*
 * Much that is stale is computed by several threads: what they find is what one finds build by build, in the store and
 * in memory, and a failure of one is told.
 */
#include "fixture.h"
#include "internal.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/model/history.h"
#include <criterion/criterion.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUILDS = 3, DEVICES = 3, FRAMES = 70000, SLOW = 12 }; /* together more than threads begin with, each build less */

static const char *const build_names[BUILDS] = {"1.0", "1.1", "1.2"};

/* Another pattern of slow frames in every run, always the same in the same run. */
static void add_runs(struct fixture *fixture)
{
    for (int build = 0; build < BUILDS; build++)
        for (int device = 0; device < DEVICES; device++) {
            struct slow_frame slow[SLOW];
            char model[16];

            for (int i = 0; i < SLOW; i++)
                slow[i] = (struct slow_frame){500 + 5000 * (size_t)i + 7 * (size_t)(build + device), 40000 + 3700 * (build + 1) + 900 * i + 110 * device,
                                              30000, 1000 * i, i % 3 ? "boss" : NULL};
            snprintf(model, sizeof model, "device-%d", device);
            fixture_add(fixture, &(struct test_run){.build = build_names[build], .device = model, .scene = device % 2 ? "Lobby" : "Raid",
                                                    .quality = "High", .run = "a", .os = "Android 14", .frames = FRAMES, .slow = slow,
                                                    .slow_count = SLOW, .started_at_ms = VALUE_UNKNOWN});
        }
}

/* Ids of windows are given in the order of writing: only they may differ. */
static void print_results(struct model *model, char *text, size_t size)
{
    struct error error = {0};
    size_t at = 0;

    for (int b = 0; b < BUILDS; b++) {
        int64_t build;
        const struct build_results *results;

        cr_assert(model_find_build(model, build_names[b], &build, &error), "%s", error.text);
        results = model_results(model, build, true, NULL, &error);
        cr_assert_not_null(results, "%s", error.text);
        cr_assert(results->complete);
        for (size_t i = 0; i < results->groups.count; i++) {
            const struct group_figures *group = &results->groups.items[i];

            at += (size_t)snprintf(text + at, size - at, "group %lld %lld: %lld frames %f %f %lld %lld, %lld windows\n", (long long)group->key.device,
                                   (long long)group->key.scene, (long long)group->distribution.frames, group->distribution.median_ns,
                                   group->distribution.mad_ns, (long long)group->distribution.p99_ns, (long long)group->distribution.max_ns,
                                   (long long)group->windows);
        }

        const struct stutter_window_list *windows = results_all_windows(results, &error);

        cr_assert(windows && windows->count, "%s", error.text);
        for (size_t i = 0; i < windows->count; i++) {
            const struct stutter_window *window = &windows->items[i];

            at += (size_t)snprintf(text + at, size - at, "window %lld %lld-%lld %lld %lld cpu %lld %lld event %lld causes %u\n", (long long)window->run,
                                   (long long)window->start_ns, (long long)window->end_ns, (long long)window->peak_ns, (long long)window->over,
                                   (long long)window->cpu_peak_ns, (long long)window->gpu_at_peak_ns, (long long)window->event, (unsigned)window->causes);
        }
        for (size_t i = 0; i < results->stutters.count; i++)
            at += (size_t)snprintf(text + at, size - at, "stutter %lld %lld %lld\n", (long long)results->stutters.items[i].event,
                                   (long long)results->stutters.items[i].peak_ns, (long long)results->stutters.items[i].windows);
        cr_assert_lt(at, size - 1000);
    }
}

enum way { BUILD_BY_BUILD, ALL_AT_ONCE, PAST_THE_LOG, PAST_THE_LOG_IN_PARTS, IN_STEPS, IN_MEMORY };

static void analyse_and_print(enum way way, char *text, size_t size)
{
    struct analysis_settings settings;
    struct fixture fixture;
    struct model *model;
    struct error error = {0};

    fixture_open(&fixture);
    add_runs(&fixture);
    model = fixture_model(&fixture);
    if (way == IN_MEMORY) { /* settings that are tried */
        settings = *model_settings(model);
        settings.gap_ns += 1;
        cr_assert(model_try_settings(model, &settings, &error), "%s", error.text);
    }
    if (way == PAST_THE_LOG || way == PAST_THE_LOG_IN_PARTS) {
        model->sizes.direct = 0;
        if (way == PAST_THE_LOG_IN_PARTS)
            model->sizes.direct_transaction = 2 * FRAMES;
    }
    for (int b = 0; b < BUILDS && way == BUILD_BY_BUILD; b++) {
        int64_t build;

        cr_assert(model_find_build(model, build_names[b], &build, &error), "%s", error.text);
        cr_assert(model_analyze(model, build, NULL, &error), "%s", error.text);
    }
    for (int64_t left = 1; left > 0 && way == IN_STEPS;)
        cr_assert(model_analyze_step(model, model_newest_build(model), &left, &error), "%s", error.text);
    if (way != BUILD_BY_BUILD && way != IN_STEPS)
        cr_assert(model_analyze(model, 0, NULL, &error), "%s", error.text);
    print_results(model, text, size);
    fixture_close(&fixture, model);
}

Test(analyze_all, threads_find_what_one_finds)
{
    enum { SIZE = 1 << 16 };
    char *expected = memory_take(SIZE), *found = memory_take(SIZE);

    analyse_and_print(BUILD_BY_BUILD, expected, SIZE);
    cr_assert_not_null(strstr(expected, "window"));
    for (enum way way = ALL_AT_ONCE; way <= IN_MEMORY; way++) {
        analyse_and_print(way, found, SIZE);
        cr_assert_str_eq(found, expected, "way %d", (int)way);
    }
    free(expected);
    free(found);
}

Test(analyze_all, a_damaged_segment_is_told_and_the_rest_can_be_analysed_again)
{
    struct fixture fixture;
    struct model *model;
    struct error error = {0};
    sqlite3 *db;

    fixture_open(&fixture);
    add_runs(&fixture);
    model = fixture_model(&fixture);
    cr_assert_eq(sqlite3_open(fixture.path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, "CREATE TABLE aside AS SELECT * FROM segment_frame_time WHERE segment = 5;"
                                  "UPDATE segment_frame_time SET data = x'00' WHERE segment = 5", NULL, NULL, NULL), SQLITE_OK);
    cr_assert_not(model_analyze(model, 0, NULL, &error));
    cr_assert_not_null(strstr(error.text, "segment 5"), "%s", error.text);
    cr_assert_eq(sqlite3_exec(db, "UPDATE segment_frame_time SET data = (SELECT data FROM aside) WHERE segment = 5;"
                                  "DROP TABLE aside", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    cr_assert(model_analyze(model, 0, NULL, &error), "%s", error.text);
    for (int b = 0; b < BUILDS; b++) {
        int64_t build;

        cr_assert(model_find_build(model, build_names[b], &build, &error), "%s", error.text);
        cr_assert(model_results(model, build, true, NULL, &error)->complete);
    }
    fixture_close(&fixture, model);
}

static void assert_log(const char *path)
{
    sqlite3 *db;
    sqlite3_stmt *query;

    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, "PRAGMA journal_mode", -1, &query, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_step(query), SQLITE_ROW);
    cr_assert_str_eq((const char *)sqlite3_column_text(query, 0), "wal");
    sqlite3_finalize(query);
    sqlite3_close(db);
}

/* While somebody reads, results go into the log as always, and what is read stays; the store keeps its log. */
Test(analyze_all, somebody_reads_while_much_is_written)
{
    struct fixture fixture;
    struct model *model;
    struct error error = {0};
    sqlite3 *db;
    sqlite3_stmt *query;

    fixture_open(&fixture);
    add_runs(&fixture);
    model = fixture_model(&fixture);
    model->sizes.direct = 0;
    cr_assert_eq(sqlite3_open(fixture.path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, "BEGIN; SELECT count(*) FROM distribution", NULL, NULL, NULL), SQLITE_OK);
    cr_assert(model_analyze(model, 0, NULL, &error), "%s", error.text);
    cr_assert_eq(sqlite3_prepare_v2(db, "SELECT count(*) FROM distribution", -1, &query, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_step(query), SQLITE_ROW);
    cr_assert_eq(sqlite3_column_int(query, 0), 0);
    sqlite3_finalize(query);
    sqlite3_close(db);
    assert_log(fixture.path);
    fixture_close(&fixture, model);
}

Test(analyze_all, past_the_log_and_back)
{
    struct fixture fixture;
    struct model *model;
    struct error error = {0};

    fixture_open(&fixture);
    add_runs(&fixture);
    model = fixture_model(&fixture);
    model->sizes.direct = 0;
    cr_assert(model_analyze(model, 0, NULL, &error), "%s", error.text);
    assert_log(fixture.path);
    fixture_close(&fixture, model);
}

static bool stop_at_the_second(void *user, const char *what, int64_t done, int64_t total)
{
    (void)user;
    (void)what;
    (void)total;
    return done < 1;
}

Test(analyze_all, it_can_be_stopped_and_what_was_done_stays)
{
    const struct progress progress = {stop_at_the_second, NULL};
    struct fixture fixture;
    struct model *model;
    struct error error = {0};
    int64_t left;

    fixture_open(&fixture);
    add_runs(&fixture);
    model = fixture_model(&fixture);
    cr_assert_not(model_analyze(model, 0, &progress, &error));
    cr_assert_eq(error.code, ERROR_STOPPED);
    cr_assert(model_reload(model, &error), "%s", error.text);
    model_analyze_step(model, model_newest_build(model), &left, &error);
    cr_assert_lt(left, BUILDS * DEVICES);
    cr_assert(model_analyze(model, 0, NULL, &error), "%s", error.text);
    fixture_close(&fixture, model);
}

/* Where the system gives no thread (here: none with so much of a stack) the calling one does it all. */
Test(analyze_all, without_threads_one_does_it)
{
    enum { SIZE = 1 << 16 };
    char *expected = memory_take(SIZE), *found = memory_take(SIZE);
    pthread_attr_t huge;

    analyse_and_print(ALL_AT_ONCE, expected, SIZE);
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, (size_t)1 << 47);
    cr_assert_eq(pthread_setattr_default_np(&huge), 0);
    analyse_and_print(ALL_AT_ONCE, found, SIZE);
    cr_assert_str_eq(found, expected);
    free(expected);
    free(found);
}

/* A device of two qualities in two builds: two steps, counted as such. */
Test(analyze_all, steps_of_a_history_are_counted_once)
{
    static const char *const qualities[] = {"High", "Low"};
    struct fixture fixture;
    struct error error = {0};
    int64_t left = -1;

    fixture_open(&fixture);
    for (int i = 0; i < 4; i++)
        fixture_add(&fixture, &(struct test_run){.build = build_names[i / 2], .device = "device", .scene = "Raid", .quality = qualities[i % 2],
                                                 .run = qualities[i % 2], .os = "Android 14", .frames = 100, .started_at_ms = VALUE_UNKNOWN});

    struct model *model = fixture_model(&fixture);
    struct group_key key = {.build = model_newest_build(model)};

    key.scene = model_scenes(model)->items[0].id;
    key.device = model_devices(model)->items[0].id;
    cr_assert(model_analyze_history_step(model, &key, &left, &error), "%s", error.text);
    cr_assert_eq(left, 1, "%lld", (long long)left);
    cr_assert(model_build_is_complete(model, key.build), "the newest first");
    cr_assert(model_analyze_history_step(model, &key, &left, &error), "%s", error.text);
    cr_assert_eq(left, 0);
    cr_assert(model_analyze_history_step(model, &key, &left, &error), "%s", error.text);
    cr_assert_eq(left, 0);
    fixture_close(&fixture, model);
}

/* One run at each quality, one that changes it, and one at the first quality that comes last. */
static void add_run_of(struct fixture *fixture, const char *name, const char *quality, const char *then_quality)
{
    struct slow_frame slow[] = {{700 + 11 * (size_t)name[0], 90000, 30000, 1000, "boss"}, {1900, 60000 + 500 * (int64_t)name[0], 1000, 40000, NULL}};

    fixture_add(fixture, &(struct test_run){.build = "1.0", .device = "device", .scene = "Raid", .quality = quality, .then_quality = then_quality,
                                            .run = name, .os = "Android 14", .frames = 3000, .slow = slow, .slow_count = 2,
                                            .started_at_ms = VALUE_UNKNOWN});
}

static void add_first_runs(struct fixture *fixture)
{
    add_run_of(fixture, "a", "High", NULL);
    add_run_of(fixture, "b", "Low", NULL);
    add_run_of(fixture, "c", "High", "Low");
}

static void analyse(struct fixture *fixture)
{
    struct model *model = fixture_model(fixture);
    struct error error = {0};

    cr_assert(model_analyze(model, 0, NULL, &error), "%s", error.text);
    model_close(model);
}

static int64_t ask(const char *path, const char *beside, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *query;
    char *attach = memory_print("ATTACH '%s' AS beside", beside);

    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, attach, NULL, NULL, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &query, NULL), SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
    cr_assert_eq(sqlite3_step(query), SQLITE_ROW, "%s: %s", sql, sqlite3_errmsg(db));
    int64_t answer = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    sqlite3_close(db);
    free(attach);
    return answer;
}

/* Windows were written in another order, so their ids are others. */
static void check_same(const char *path, const char *beside)
{
    static const char *const rows[] = {
        "* FROM %s.run_distribution", "* FROM %s.event_figure",
        "* FROM %s.distribution WHERE frame_group = (SELECT min(id) FROM frame_group)",
        "frame_group, run, label, event, peak_ns, z, causes, segment, first_frame, last_frame FROM %s.window",
        "frame_group, label, event, peak_ns, runs_hit, runs, seen, windows, over, excess_ns, play_ns, causes FROM %s.stutter",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *here = memory_print(rows[i], "main"), *there = memory_print(rows[i], "beside");
        char *sql = memory_print("SELECT (SELECT count(*) FROM (SELECT %s EXCEPT SELECT %s)) + (SELECT count(*) FROM (SELECT %s EXCEPT SELECT %s))"
                                 " + 1000 * (SELECT count(*) = 0 FROM (SELECT %s))",
                                 here, there, there, here, here);

        cr_assert_eq(ask(path, beside, sql), 0, "%s", sql);
        free(here);
        free(there);
        free(sql);
    }
}

Test(analyze_all, what_is_current_is_left)
{
    struct fixture fixture, whole;
    struct error error = {0};

    fixture_open(&whole);
    add_first_runs(&whole);
    add_run_of(&whole, "d", "High", NULL);
    analyse(&whole);
    fixture_open(&fixture);
    add_first_runs(&fixture);
    analyse(&fixture);
    cr_assert(store_open(fixture.path, STORE_WRITE, &fixture.store, &error), "%s", error.text);
    add_run_of(&fixture, "d", "High", NULL);
    store_close(fixture.store);
    fixture.store = NULL;

    sqlite3 *db;

    cr_assert_eq(sqlite3_open(fixture.path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, "UPDATE distribution SET median_ns = 1", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    analyse(&fixture);
    cr_assert_eq(ask(fixture.path, whole.path, "SELECT count(*) FROM distribution"), 2);
    cr_assert_eq(ask(fixture.path, whole.path, "SELECT max(frame_group) = (SELECT max(id) FROM frame_group) AND count(*) = 1"
                                               " FROM distribution WHERE median_ns = 1"), 1, "the one that no run came to");
    check_same(fixture.path, whole.path);
    fixture_close(&fixture, NULL);
    fixture_close(&whole, NULL);
}
