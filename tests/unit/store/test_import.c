#include "fixture.h"
#include "stutterscope/base/memory.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static struct store *store;
static struct error error;
static struct import_outcome outcome;

static void begin(void)
{
    scratch_make();
    store = open_store(scratch_path("store.db"), STORE_CREATE);
}

static void end(void)
{
    store_close(store);
    scratch_remove();
}

TestSuite(import, .init = begin, .fini = end);

#define IMPORT(path, fingerprint, facts, ...)                                                                \
    import_visits(store, path, fingerprint, &(facts), (const struct visit[]){__VA_ARGS__},                   \
                  sizeof((const struct visit[]){__VA_ARGS__}) / sizeof(struct visit), &outcome, &error)

static struct segment_list list_segments(void)
{
    struct segment_filter all = {.quality = -1};
    struct segment_list list = {0};
    cr_assert(store_list_segments(store, &all, &list, &error), "%s", error.text);
    return list;
}

static struct run_row only_run(void)
{
    struct run_filter all = {0};
    struct run_list list = {0};
    cr_assert(store_list_runs(store, &all, &list, &error), "%s", error.text);
    cr_assert_eq(list.count, 1, "%zu runs", list.count);
    struct run_row row = list.items[0];
    free(list.items);
    free(list.by_id);
    return row;
}

static void free_run(struct run_row row)
{
    struct run_list list = {0};
    array_push(&list, row);
    run_list_free(&list);
}

static void fail_with(void *user, const char *text)
{
    (void)user;
    cr_log_error("%s", text);
}

static void assert_sound(void)
{
    int64_t problems = -1;
    cr_assert(store_check(store, fail_with, NULL, &problems, &error), "%s", error.text);
    cr_assert_eq(problems, 0);
}

Test(import, stores_frames_and_facts)
{
    struct run_facts facts = plain_facts("1.8.0", "SM-S918N", "run-7");
    facts.soc = "SM8550";
    facts.model_code = "dm3q";
    facts.os = "Android 14";
    facts.started_at_ms = 1709259000000;
    facts.target_fps_milli = 60000;
    cr_assert(IMPORT("night/a.csv", "f1", facts, {"Menu", "High", 20 * MS, 20 * MS, 10, "open"},
                     {"Battle", NULL, 230 * MS, 30 * MS, 5, "boss"}),
              "%s", error.text);
    cr_assert_eq(outcome.result, IMPORT_NEW);
    cr_assert_eq(outcome.runs_new, 1);
    cr_assert_eq(outcome.frames_new, 15);
    cr_assert_eq(outcome.import, 1);
    cr_assert_eq(store_generation(store), 1);

    struct run_row run = only_run();
    cr_assert_str_eq(run.name, "run-7");
    cr_assert_str_eq(run.os, "Android 14");
    cr_assert_str_eq(run.series, "nightly");
    cr_assert_str_eq(run.interval, "present");
    cr_assert(run.log_url == NULL && run.notes == NULL);
    cr_assert_eq(run.started_at_ms, 1709259000000);
    cr_assert_eq(run.sampling.every, 1);
    cr_assert_eq(run.sampling.kept_over_ns, VALUE_UNKNOWN);
    cr_assert_eq(run.target_fps_milli, 60000);
    cr_assert_eq(run.frames, 15);
    cr_assert_eq(run.sum_ns, 10 * 20 * MS + 5 * 30 * MS);
    cr_assert_eq(run.first_stamp_ns, 20 * MS);
    cr_assert_eq(run.last_stamp_ns, 350 * MS);
    cr_assert_eq(run.first_frame_ns, 20 * MS);
    cr_assert_eq(run.gaps, 1);
    cr_assert_eq(run.gap_ns, 600 * MS);
    free_run(run);

    struct segment_list list = list_segments();
    cr_assert_eq(list.count, 2);
    cr_assert_eq(list.items[0].count, 10);
    cr_assert_eq(list.items[1].visit, 1);
    cr_assert_eq(list.items[1].min_ns, 30 * MS);
    cr_assert_neq(list.items[0].quality, 0);
    cr_assert_eq(list.items[1].quality, 0);
    cr_assert_eq(list.items[1].columns, 1u << COLUMN_STAMP | 1u << COLUMN_FRAME_TIME | 1u << COLUMN_EVENT);

    struct frame_columns columns;
    cr_assert(store_read_columns(store, &list.items[1], UINT32_MAX, &columns, &error), "%s", error.text);
    for (size_t i = 0; i < 5; i++) {
        cr_assert_eq(columns.values[COLUMN_STAMP][i], (230 + 30 * (int64_t)i) * MS);
        cr_assert_eq(columns.values[COLUMN_FRAME_TIME][i], 30 * MS);
    }
    cr_assert(columns.values[COLUMN_CPU] == NULL);
    struct text_list texts = {0};
    cr_assert(store_list_texts(store, &texts, &error));
    cr_assert_eq(texts.count, 2, "only texts that occur");
    cr_assert_str_eq(texts.items[1].text, "boss");
    cr_assert_eq(columns.values[COLUMN_EVENT][2], texts.items[1].id);
    cr_assert_eq(columns.values[COLUMN_EVENT][3], 0);
    struct column_marks marks = {0};
    cr_assert(store_read_marks(store, &list.items[1], COLUMN_EVENT, &marks, &error));
    cr_assert(store_read_marks(store, &list.items[1], COLUMN_STEP, &marks, &error));
    cr_assert_eq(marks.count, 1);
    cr_assert_eq(marks.items[0].frame, 2);
    cr_assert_eq(marks.items[0].value, texts.items[1].id);
    int64_t stamps[5], unknown[5];
    cr_assert(store_read_column(store, &list.items[1], COLUMN_STAMP, stamps, &error));
    cr_assert(memcmp(stamps, columns.values[COLUMN_STAMP], sizeof stamps) == 0);
    cr_assert(store_read_column(store, &list.items[1], COLUMN_GPU, unknown, &error));
    cr_assert_eq(unknown[4], VALUE_UNKNOWN);

    struct device_list devices = {0};
    cr_assert(store_list_devices(store, &devices, &error));
    cr_assert_str_eq(devices.items[0].chip, "SM8550");
    struct import_list imports = {0};
    cr_assert(store_list_imports(store, &imports, &error));
    cr_assert_eq(imports.count, 1);
    cr_assert_str_eq(imports.items[0].path, "night/a.csv");
    cr_assert_eq(imports.items[0].frames, 15);
    assert_sound();
    import_list_free(&imports);
    device_list_free(&devices);
    array_free(&marks);
    text_list_free(&texts);
    frame_columns_free(&columns);
    segment_list_free(&list);
}

Test(import, the_same_content_changes_nothing)
{
    struct run_facts facts = plain_facts("1", "A", "r");
    cr_assert(IMPORT("first.csv", "f1", facts, {"S", NULL, 20 * MS, 20 * MS, 10, NULL}));
    cr_assert(IMPORT("second.csv", "f1", facts, {"S", NULL, 20 * MS, 20 * MS, 10, NULL}));
    cr_assert_eq(outcome.result, IMPORT_ALREADY_THERE);
    cr_assert_str_eq(outcome.earlier_path, "first.csv");
    cr_assert_gt(outcome.earlier_at_ms, 1500000000000);
    cr_assert_eq(store_generation(store), 1);
    /* other bytes, the same frames */
    cr_assert(IMPORT("third.json", "f3", facts, {"S", NULL, 20 * MS, 20 * MS, 10, NULL}));
    cr_assert_eq(outcome.result, IMPORT_ALREADY_THERE);
    cr_assert_eq(outcome.runs_unchanged, 1);
    cr_assert_eq(count_rows(store, "import"), 1);
    cr_assert_eq(count_rows(store, "segment"), 1);
    /* the same bytes for another build are another import */
    struct run_facts other = plain_facts("2", "A", "r");
    cr_assert(IMPORT("first.csv", "f1", other, {"S", NULL, 20 * MS, 20 * MS, 10, NULL}));
    cr_assert_eq(outcome.result, IMPORT_NEW);
    assert_sound();
}

Test(import, a_grown_file_replaces_its_run)
{
    struct run_facts facts = plain_facts("1", "A", "r");
    struct visit first = {"S", NULL, 20 * MS, 20 * MS, 10, NULL},
                 longer = {"S", NULL, 20 * MS, 20 * MS, 12, "end"},
                 next = {"T", NULL, 300 * MS, 20 * MS, 4, NULL};
    cr_assert(IMPORT("a.csv", "f1", facts, first));
    struct run_row run = only_run();
    int64_t id = run.id;
    free_run(run);
    cr_assert(IMPORT("a.csv", "f2", facts, longer, next), "%s", error.text);
    cr_assert_eq(outcome.result, IMPORT_GREW);
    cr_assert_eq(outcome.runs_replaced, 1);
    cr_assert_eq(outcome.frames_new, 6);
    run = only_run();
    cr_assert_eq(run.id, id);
    cr_assert_eq(run.frames, 16);
    cr_assert_eq(run.gaps, 1, "the measures are those of the new file");
    cr_assert_eq(run.import, 2);
    free_run(run);
    cr_assert_eq(count_rows(store, "segment"), 2);
    cr_assert_eq(count_rows(store, "segment_frame_time"), 2);
    assert_sound();
    /* the shorter one again: other bytes, then the first bytes */
    cr_assert(IMPORT("b.csv", "f3", facts, first));
    cr_assert_eq(outcome.result, IMPORT_ALREADY_THERE);
    cr_assert(IMPORT("a.csv", "f1", facts, first));
    cr_assert_eq(outcome.result, IMPORT_ALREADY_THERE);
    cr_assert_str_eq(outcome.earlier_path, "a.csv");
    cr_assert_eq(store_generation(store), 2);
}

Test(import, other_frames_of_a_run_extend_it)
{
    struct run_facts facts = plain_facts("1", "A", "r"), more = facts;
    more.log_url = "https://log";
    cr_assert(IMPORT("b.csv", "f1", facts, {"S", NULL, 5000 * MS, 20 * MS, 10, NULL}));
    /* earlier on the clock: the visits are put in order */
    cr_assert(IMPORT("a.csv", "f2", more, {"T", NULL, 20 * MS, 20 * MS, 5, NULL},
                     {"S", NULL, 120 * MS, 20 * MS, 6, NULL}),
              "%s", error.text);
    cr_assert_eq(outcome.result, IMPORT_GREW);
    cr_assert_eq(outcome.runs_extended, 1);
    cr_assert_eq(outcome.frames_new, 11);
    struct run_row run = only_run();
    cr_assert_eq(run.frames, 21);
    cr_assert_eq(run.gaps, 2);
    cr_assert_eq(run.first_stamp_ns, 20 * MS);
    cr_assert_eq(run.last_stamp_ns, 5180 * MS);
    cr_assert_eq(run.sum_ns, 21 * 20 * MS);
    cr_assert_str_eq(run.log_url, "https://log");
    free_run(run);
    struct segment_list list = list_segments();
    cr_assert_eq(list.count, 3);
    for (size_t i = 0; i < 3; i++)
        cr_assert_eq(list.items[i].visit, (int64_t)i);
    cr_assert_eq(list.items[0].first_stamp_ns, 20 * MS);
    cr_assert_eq(list.items[2].first_stamp_ns, 5000 * MS);
    segment_list_free(&list);
    assert_sound();
}

Test(import, overlapping_frames_are_refused_and_both_imports_named)
{
    struct run_facts facts = plain_facts("1.8.0", "A", "run-9");
    cr_assert(IMPORT("one.csv", "f1", facts, {"S", NULL, 20 * MS, 20 * MS, 10, NULL}));
    /* the second half of it and more; then the same stamps with other frame times */
    cr_assert(!IMPORT("two.csv", "f2", facts, {"S", NULL, 120 * MS, 20 * MS, 10, NULL}));
    cr_assert_eq(error.code, ERROR_INPUT);
    cr_assert(strstr(error.text, "one.csv") && strstr(error.text, "two.csv") && strstr(error.text, "run-9"),
              "%s", error.text);
    cr_assert(!IMPORT("three.csv", "f3", facts, {"X", NULL, 9000 * MS, 20 * MS, 3, NULL},
                      {"S", NULL, 200 * MS, 30 * MS, 10, NULL}));
    cr_assert_eq(store_generation(store), 1);
    cr_assert_eq(count_rows(store, "scene"), 1, "nothing of a refused file is left");
    cr_assert_eq(count_rows(store, "segment"), 1);
    /* the same stamps in another scene are no overlap */
    cr_assert(IMPORT("four.csv", "f4", facts, {"T", NULL, 120 * MS, 20 * MS, 10, NULL}), "%s", error.text);
    cr_assert_eq(outcome.runs_extended, 1);
    assert_sound();
}

Test(import, runs_without_a_name_are_named_after_their_content)
{
    struct run_facts facts = plain_facts("1", "A", NULL);
    struct visit first = {"S", NULL, 20 * MS, 20 * MS, 10, NULL},
                 longer = {"S", NULL, 20 * MS, 20 * MS, 30, NULL};
    cr_assert(IMPORT("a.csv", "f1", facts, first));
    struct run_row run = only_run();
    cr_assert_eq(strlen(run.name), 12);
    cr_assert_eq(strspn(run.name, "0123456789abcdef"), 12);
    char *name = memory_copy_text(run.name);
    int64_t id = run.id;
    free_run(run);
    cr_assert(IMPORT("copy.csv", "f2", facts, first));
    cr_assert_eq(outcome.result, IMPORT_ALREADY_THERE);
    cr_assert(IMPORT("a.csv", "f3", facts, longer), "%s", error.text);
    cr_assert_eq(outcome.runs_replaced, 1);
    cr_assert_eq(outcome.frames_new, 20);
    run = only_run();
    cr_assert_eq(run.id, id);
    cr_assert_str_neq(run.name, name);
    free_run(run);
    free(name);
    /* the shorter again, another beginning, another device */
    cr_assert(IMPORT("short.csv", "f4", facts, first));
    cr_assert_eq(outcome.result, IMPORT_ALREADY_THERE);
    cr_assert(IMPORT("b.csv", "f5", facts, {"S", NULL, 20 * MS, 21 * MS, 10, NULL}));
    cr_assert_eq(outcome.runs_new, 1);
    facts.device_model = "B";
    cr_assert(IMPORT("c.csv", "f6", facts, longer));
    cr_assert_eq(outcome.runs_new, 1);
    cr_assert_eq(count_rows(store, "run"), 3);
    assert_sound();
}

Test(import, nothing_is_left_after_an_abort)
{
    struct dictionary *texts = dictionary_create();
    struct store_writer *writer = NULL;
    struct run_facts facts = plain_facts("1", "A", "r");
    size_t run;
    cr_assert(store_writer_begin(store, texts, &writer, &error));
    cr_assert(store_writer_add_run(writer, &facts, &run, &error));
    int64_t times[3] = {16 * MS, 17 * MS, 18 * MS};
    struct frame_columns columns = {.count = 3, .values = {[COLUMN_FRAME_TIME] = times}};
    struct segment_facts segment = {
        .scene = "S", .target_fps_milli = VALUE_UNKNOWN, .refresh_milli_hz = VALUE_UNKNOWN};
    cr_assert(store_writer_add_segment(writer, run, &segment, &columns, &error));
    store_writer_abort(writer);
    dictionary_destroy(texts);
    static const char *const tables[] = {
        "build", "device", "scene", "run", "segment", "import", "segment_frame_time"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        cr_assert_eq(count_rows(store, tables[i]), 0, "%s", tables[i]);
}

/* A disk that is full: files cannot grow any more. */
Test(import, a_full_disk_leaves_the_store_as_it_was)
{
    struct run_facts facts = plain_facts("1", "A", "r");
    cr_assert(IMPORT("a.csv", "f1", facts, {"S", NULL, 20 * MS, 20 * MS, 10, NULL}));
    struct rlimit limit, small = {600000, 0};
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small.rlim_max = limit.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool fine = true;
    char name[] = "r00";
    for (int i = 0; fine && i < 100; i++) {
        name[1] = (char)('0' + i / 10);
        name[2] = (char)('0' + i % 10);
        facts.name = name;
        fine = IMPORT("b.csv", name, facts, {name, NULL, 20 * MS, 20 * MS, 10, name});
    }
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_assert(!fine);
    cr_assert_eq(error.code, ERROR_IO, "%s", error.text);
    int64_t imports = store_generation(store);
    cr_assert_eq(count_rows(store, "run"), imports);
    cr_assert_eq(count_rows(store, "segment_frame_time"), imports);
    cr_assert(IMPORT("b.csv", "again", facts, {"S", NULL, 20 * MS, 20 * MS, 10, NULL}), "%s", error.text);
    cr_assert_eq(store_generation(store), imports + 1);
    assert_sound();
}

Test(import, build_and_device_must_be_known)
{
    struct run_facts facts = plain_facts(NULL, "A", "r");
    cr_assert(!IMPORT("a.csv", "f1", facts, {"S", NULL, 20 * MS, 20 * MS, 10, NULL}));
    cr_assert(strstr(error.text, "--build") != NULL, "%s", error.text);
    facts = plain_facts("1", "", "r");
    cr_assert(!IMPORT("a.csv", "f1", facts, {"S", NULL, 20 * MS, 20 * MS, 10, NULL}));
    cr_assert(strstr(error.text, "--device") != NULL, "%s", error.text);
}

/* More than fits into memory at once goes through the temporary file, and comes back in the order of the
 * runs. */
Test(import, many_interleaved_runs)
{
    enum { RUNS = 5, PIECES = 12, FRAMES = 20000 };
    struct dictionary *texts = dictionary_create();
    struct store_writer *writer = NULL;
    struct frame_columns columns = {.count = FRAMES};
    static const enum frame_column wanted[] = {COLUMN_STAMP, COLUMN_FRAME_TIME, COLUMN_CPU, COLUMN_GPU,
                                               COLUMN_MEMORY};
    for (int i = 0; i < 5; i++)
        columns.values[wanted[i]] = memory_take(FRAMES * sizeof(int64_t));
    cr_assert(store_writer_begin(store, texts, &writer, &error));
    size_t runs[RUNS];
    char name[] = "r0";
    for (int r = 0; r < RUNS; r++, name[1]++) {
        struct run_facts facts = plain_facts("1", "A", name);
        cr_assert(store_writer_add_run(writer, &facts, &runs[r], &error));
    }
    uint64_t state = 1;
    int64_t sums[RUNS] = {0};
    for (int p = 0; p < PIECES; p++) {
        for (int r = 0; r < RUNS; r++) {
            for (size_t i = 0; i < FRAMES; i++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                columns.values[COLUMN_FRAME_TIME][i] = (int64_t)(state >> 38) + 1000;
                columns.values[COLUMN_CPU][i] = columns.values[COLUMN_GPU][i] = (int64_t)(state >> 30);
                columns.values[COLUMN_MEMORY][i] = (int64_t)(state >> 24);
                sums[r] += columns.values[COLUMN_FRAME_TIME][i];
                columns.values[COLUMN_STAMP][i] = sums[r];
            }
            struct segment_facts facts = {"S", NULL, p, false, VALUE_UNKNOWN, VALUE_UNKNOWN};
            cr_assert(store_writer_add_segment(writer, runs[r], &facts, &columns, &error), "%s", error.text);
        }
    }
    /* the last piece is still in the arrays */
    struct import_facts facts = {.path = "big.csv", .format = "test", .fingerprint = "f"};
    cr_assert(store_writer_commit(writer, &facts, &outcome, &error), "%s", error.text);
    cr_assert_eq(outcome.runs_new, RUNS);
    cr_assert_eq(outcome.frames_new, RUNS * PIECES * FRAMES);
    struct segment_list list = list_segments();
    cr_assert_eq(list.count, RUNS * PIECES);
    struct frame_columns back;
    cr_assert(store_read_columns(store, &list.items[RUNS * PIECES - 1], UINT32_MAX, &back, &error), "%s",
              error.text);
    for (int i = 0; i < 5; i++)
        cr_assert(memcmp(back.values[wanted[i]], columns.values[wanted[i]], FRAMES * sizeof(int64_t)) == 0);
    frame_columns_free(&back);
    frame_columns_free(&columns);
    segment_list_free(&list);
    dictionary_destroy(texts);
    assert_sound();
    /* no temporary file is left */
    DIR *entries = opendir(scratch_path(""));
    for (struct dirent *entry; (entry = readdir(entries));)
        cr_assert(strncmp(entry->d_name, ".stutterscope", 13) != 0);
    closedir(entries);
}

Test(import, very_long_visits_become_several_segments)
{
    enum { FRAMES = (1 << 20) + 5 };
    struct dictionary *texts = dictionary_create();
    struct store_writer *writer = NULL;
    struct run_facts facts = plain_facts("1", "A", "r");
    struct segment_facts segment = {"S", NULL, 0, true, VALUE_UNKNOWN, VALUE_UNKNOWN};
    struct frame_columns columns = {.count = FRAMES};
    columns.values[COLUMN_FRAME_TIME] = memory_take(FRAMES * sizeof(int64_t));
    for (size_t i = 0; i < FRAMES; i++)
        columns.values[COLUMN_FRAME_TIME][i] = 16 * MS;
    size_t run;
    cr_assert(store_writer_begin(store, texts, &writer, &error));
    cr_assert(store_writer_add_run(writer, &facts, &run, &error));
    cr_assert(store_writer_add_segment(writer, run, &segment, &columns, &error));
    struct import_facts import = {.path = "a", .format = "test", .fingerprint = "f"};
    cr_assert(store_writer_commit(writer, &import, &outcome, &error), "%s", error.text);
    struct segment_list list = list_segments();
    cr_assert_eq(list.count, 2);
    cr_assert(list.items[0].broken && !list.items[1].broken);
    cr_assert_eq(list.items[1].count, 5);
    cr_assert_eq(list.items[1].visit, list.items[0].visit);
    cr_assert_eq(list.items[0].first_stamp_ns, VALUE_UNKNOWN);
    segment_list_free(&list);
    frame_columns_free(&columns);
    dictionary_destroy(texts);
}

/* A reader that has begun keeps seeing what it saw; a new question sees what was committed. */
Test(import, readers_and_a_writer_do_not_wait_for_each_other)
{
    struct run_facts facts = plain_facts("1", "A", "r");
    cr_assert(IMPORT("a.csv", "f1", facts, {"S", NULL, 20 * MS, 20 * MS, 10, NULL}));
    struct store *reader = open_store(store_path(store), STORE_READ);
    sqlite3 *old = NULL;
    cr_assert_eq(sqlite3_open(store_path(store), &old), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(old, "BEGIN; SELECT * FROM run", NULL, NULL, NULL), SQLITE_OK);
    cr_assert_eq(store_generation(reader), 1);
    store_set_patience(store, 1);
    facts.name = "r2";
    cr_assert(IMPORT("b.csv", "f2", facts, {"S", NULL, 20 * MS, 20 * MS, 10, NULL}), "%s", error.text);
    cr_assert_eq(store_generation(reader), 2);
    store_close(reader);
    sqlite3_close(old);
}

static void collect(void *user, const char *text)
{
    strncat(user, text, 3000 - strlen(user));
}

Test(import, damage_is_found_and_named)
{
    struct run_facts facts = plain_facts("1", "A", "r");
    cr_assert(IMPORT("a.csv", "f1", facts, {"S", NULL, 20 * MS, 20 * MS, 10, "e"},
                     {"T", NULL, 300 * MS, 20 * MS, 10, NULL}));
    sqlite3 *other = NULL;
    cr_assert_eq(sqlite3_open(store_path(store), &other), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(other,
                              "UPDATE segment_event SET data = x'02010001' WHERE segment = 1;"
                              "DELETE FROM segment_stamp WHERE segment = 2;"
                              "UPDATE segment SET max_ns = 5 WHERE id = 2;"
                              "UPDATE run SET frames = 21",
                              NULL, NULL, NULL),
                 SQLITE_OK);
    sqlite3_close(other);
    char found[4000] = "";
    int64_t problems;
    cr_assert(store_check(store, collect, found, &problems, &error), "%s", error.text);
    cr_assert_eq(problems, 4, "%s", found);
    cr_assert(strstr(found, "column event of segment 1") && strstr(found, "column stamp of segment 2") &&
                  strstr(found, "least, greatest or sum") && strstr(found, "run r: 21 frames are noted"),
              "%s", found);
    struct segment_list list = list_segments();
    struct column_marks marks = {0};
    cr_assert(!store_read_marks(store, &list.items[0], COLUMN_EVENT, &marks, &error));
    cr_assert_eq(error.code, ERROR_STORE);
    segment_list_free(&list);
}
