/* An import against answers made by hand: one run of three frames per build, all of them near a stutter. */
#include "../leftovers.h"
#include "fake_server.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/remote/frames.h"
#include "stutterscope/remote/import.h"
#include "stutterscope/store/frames.h"
#include "stutterscope/store/summary.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COLUMNS                                                                                                                     \
    {                                                                                                                               \
        "system.columns", 200,                                                                                                      \
            "name\ttype\nString\tString\nbuild_id\tString\ndevice_model\tString\nscene\tString\nrun_id\tString\ntimestamp_ns\tInt64\n" \
            "frame_time_ns\tInt64\nevent_name\tString\n",                                                                           \
            0                                                                                                                       \
    }
#define BUILDS {"cityHash64", 200, "ss_b\tss_n\tss_h\nString\tUInt64\tString\nb1\t3\t1\nb2\t3\t2\n", 0}
#define RUN_HEAD                                                                                                                     \
    "ss_dev\tss_soc\tss_code\tss_r\tss_n\tss_bad\tss_sum\tss_first\tss_last\tss_tf\tss_rf\tss_every\tss_over\tss_os\tss_gpu\tss_series\t" \
    "ss_scenario\tss_commit\tss_ci\tss_built\tss_started\tss_log\tss_outcome\tss_station\n"                                          \
    "String\tString\tString\tString\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\tString\tString\tString\tString\tString\t" \
    "String\tString\tString\tString\tString\tString\n"
#define RUNS                                                                                                                         \
    {                                                                                                                                \
        "ss_bad", 200,                                                                                                               \
            RUN_HEAD "Pixel\x1b[2J\t\t\tr1\t3\t1\t140000000\t20000000\t140000000\t-1\t-1\t-1\t-1\t14\t\t\t\t\t\t\t\t\t\t\n", 0            \
    }
#define KEPT_HEAD                                                                                                                    \
    "ss_r\tss_n\tss_wide\tss_gaps\tss_gap_ns\tss_i\tss_v\tss_t\tss_x\tss_sc\tss_q\tss_e\tss_c\tss_g\tss_gc\tss_dc\tss_tf\tss_rf\n"     \
    "String\tInt64\tUInt32\tUInt32\tInt64\tUInt32\tUInt64\tInt64\tInt64\tString\tString\tString\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\n"
#define ROW(i, t, x, e) "r1\t3\t0\t0\t0\t" i "\t1\t" t "\t" x "\tMenu\t\t" e "\t-1\t-1\t-1\t-1\t-1\t-1\n"
#define KEPT                                                                                                                         \
    {                                                                                                                                \
        "ss_core", 200, KEPT_HEAD ROW("1", "20000000", "20000000", "") ROW("2", "120000000", "100000000", "spawn")                    \
            ROW("3", "140000000", "20000000", ""), 0                                                                                 \
    }
#define FIGURE_HEAD                                                                                                                  \
    "ss_r\tss_s\tss_sc\tss_q\tss_n\tss_k\tss_d\tss_late\tss_over\tss_slow\tss_ex\tss_med2\tss_mad4\tss_p95\tss_p99\tss_min\tss_max\tss_low\t" \
    "ss_hot\tss_half\n"                                                                                                              \
    "String\tString\tString\tString\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\tUInt8\tInt64\n"
#define FIGURES "\t\tMenu\t\t3\t3\t140000000\t3\t1\t1\t90000000\t40000000\t0\t100000000\t100000000\t20000000\t100000000\t100000000\t0\t0\n"
#define OTHERS                                                                                                                       \
    {"ss_l%3E0", 200, "ss_r\tss_sc\tss_q\tss_l\tss_n\tss_d\tss_over\nString\tString\tString\tInt64\tInt64\tInt64\tInt64\n", 0},         \
        {"ss_oi", 200, "ss_r\tss_sc\tss_q\tss_o\tss_max\nString\tString\tString\tInt64\tInt64\nr1\tMenu\t\t0\t20000000\n", 0},          \
        {"ss_hx", 200, FIGURE_HEAD "r1" FIGURES, 0},                                                                                 \
    {                                                                                                                                \
        "ss_ds", 200, FIGURE_HEAD FIGURES, 0                                                                                         \
    }
static const struct fake_answer all[] = {COLUMNS, BUILDS, RUNS, KEPT, OTHERS, {0}};

static char path[64];
static struct store *store;
static int told, unchanged;
static int64_t nameless, rejected;
/* Of the next imports. */
static const char *const *maps, *only;
static size_t map_count;
static int64_t target_fps;

static void open_scratch(void)
{
    struct error error = {0};

    snprintf(path, sizeof path, "/tmp/stutterscope-remote-XXXXXX");
    close(mkstemp(path));
    leftover_note(path);
    cr_assert(store_open(path, STORE_CREATE, &store, &error), "%s", error.text);
    unsetenv("STUTTERSCOPE_CLICKHOUSE_USER");
    unsetenv("STUTTERSCOPE_CLICKHOUSE_PASSWORD");
    unsetenv("STUTTERSCOPE_CLICKHOUSE_CREDENTIALS");
    setenv("XDG_CONFIG_HOME", "/nowhere", 1);
}

static void close_scratch(void)
{
    store_close(store);
    unlink(path);
}

static void tell(void *user, const struct remote_build_report *report)
{
    (void)user;
    if (!report->build) {
        nameless += report->rejected;
        return;
    }
    told++;
    rejected += report->rejected;
    unchanged += report->unchanged;
}

static bool import(const struct fake_server *fake, int64_t factor_milli, struct error *error)
{
    struct analysis_settings settings;
    struct remote_import import = {
        .address = fake->address, .settings = &settings, .tell = tell, .maps = maps, .map_count = map_count, .build = only, .target_fps_milli = target_fps};

    analysis_settings_default(&settings);
    settings.factor_milli = factor_milli;
    told = unchanged = 0;
    nameless = rejected = 0;
    return remote_import(store, &import, error);
}

static size_t stored_builds(const struct fake_server *fake)
{
    struct source_build_list list = {0};
    struct error error;
    char *address = memory_print("%s/frames", fake->address);
    size_t count;

    cr_assert(store_list_source_builds(store, address, &list, &error));
    count = list.count;
    source_build_list_free(&list);
    free(address);
    return count;
}

TestSuite(import, .init = open_scratch, .fini = close_scratch);

Test(import, facts_frames_and_figures_arrive)
{
    struct fake_server fake = {0};
    struct error error = {0};
    struct run_list runs = {0};
    struct segment_list segments = {0};
    struct summary_list summary = {0};
    struct run_source source;

    fake_server_start(&fake, all);
    cr_assert(import(&fake, 2000, &error), "%s", error.text);
    cr_assert_eq(told, 2);
    cr_assert(store_list_runs(store, &(struct run_filter){0}, &runs, &error));
    cr_assert_eq(runs.count, 2);
    cr_assert(runs.items[0].summarised);
    cr_assert_eq(runs.items[0].frames, 3);
    cr_assert_eq(runs.items[0].rejected, 1);
    cr_assert_eq(runs.items[0].limit_ns, 33333333, "2 x 16.67 ms, rounded down");
    cr_assert_str_eq(runs.items[0].summary_settings, "factor=2 fps=auto labels=on device-fps=auto");
    cr_assert_str_eq(runs.items[0].os, "14");
    cr_assert(store_list_segments(store, &(struct segment_filter){.run = runs.items[0].id, .quality = -1}, &segments, &error));
    cr_assert_eq(segments.count, 1);
    cr_assert_eq(segments.items[0].count, 3);
    cr_assert(store_read_summary(store, runs.items[0].build, runs.items[0].device, "nightly", &summary, &error));
    cr_assert_eq(summary.rows.count, 2, "of the run, and of all runs");
    for (size_t i = 0; i < summary.rows.count; i++) {
        cr_assert_eq(summary.rows.items[i].distribution.median_ns, 20e6);
        cr_assert_eq(summary.rows.items[i].distribution.mad_ns, 0);
        cr_assert_eq(summary.rows.items[i].distribution.p99_ns, 100000000);
        cr_assert_eq(summary.rows.items[i].distribution.low1_ns, 100e6);
    }
    cr_assert_eq(summary.peaks.count, 1);
    cr_assert(store_read_run_source(store, runs.items[0].id, &source, &error));
    cr_assert_str_eq(source.device, "Pixel\x1b[2J", "as the server has it");
    cr_assert(strstr(source.address, fake.address));
    run_source_free(&source);

    struct device_list devices = {0};

    cr_assert(store_list_devices(store, &devices, &error));
    cr_assert(!strchr(devices.items[0].model, '\x1b'), "%s", devices.items[0].model);
    device_list_free(&devices);
    summary_list_free(&summary);
    segment_list_free(&segments);
    run_list_free(&runs);
    fake_server_stop(&fake);
}

Test(import, what_is_there_is_not_asked_for_unless_the_settings_are_others)
{
    struct fake_server fake = {0};
    struct error error = {0};

    fake_server_start(&fake, all);
    cr_assert(import(&fake, 2000, &error), "%s", error.text);
    cr_assert(import(&fake, 2000, &error), "%s", error.text);
    cr_assert_eq(unchanged, 2);
    cr_assert(import(&fake, 1500, &error), "%s", error.text);
    cr_assert_eq(unchanged, 0);

    struct run_list runs = {0};

    cr_assert(store_list_runs(store, &(struct run_filter){0}, &runs, &error));
    cr_assert_eq(runs.count, 2, "in place of the earlier ones");
    cr_assert_eq(runs.items[0].limit_ns, 25000000);
    run_list_free(&runs);
    fake_server_stop(&fake);
}

Test(import, a_build_is_stored_whole_or_not_and_the_next_import_goes_on)
{
    static const struct fake_answer half[] = {
        COLUMNS, BUILDS, {"='b2'", 500, "Code: 279, e.displayText() = DB::NetException: All connection tries failed.", 0}, RUNS, KEPT, OTHERS, {0}};
    struct fake_server fake = {0};
    struct error error = {0};
    char *questions;

    fake_server_start(&fake, half);
    cr_assert(!import(&fake, 2000, &error));
    cr_assert(strstr(error.text, "build b2: clickhouse://") && strstr(error.text, "a shard"), "%s", error.text);
    cr_assert_eq(told, 1);
    cr_assert_eq(stored_builds(&fake), 1);
    fake_server_stop(&fake);
    fake_server_start(&fake, all); /* at the same port */
    cr_assert(import(&fake, 2000, &error), "%s", error.text);
    cr_assert_eq(unchanged, 1);
    cr_assert_eq(stored_builds(&fake), 2);
    questions = fake_server_questions(&fake);
    cr_assert(!strstr(questions, "='b1'"), "it was there");
    free(questions);
    fake_server_stop(&fake);
}

/* Answers that lie, each instead of the right one. */
Test(import, what_cannot_be_is_refused_and_nothing_is_stored)
{
    static const struct {
        struct fake_answer answer;
        const char *says;
    } lies[] = {
        {{"system.columns", 200, "name\ttype\nString\tString\n", 0}, "there is no such table"},
        {{"system.columns", 200, "name\ttype\nString\tString\nbuild_id\tString\nuid\tInt64\n", 0}, "the table has no column device_model; it has build_id, uid"},
        {{"cityHash64", 200, "ss_b\tss_n\tss_h\nString\tUInt64\tString\n", 0}, "no frames of any build"},
        {{"cityHash64", 200, "ss_b\tss_n\tss_h\nString\tUInt64\tFloat64\n", 0}, "expected text for the column ss_h"},
        {{"ss_core", 200, KEPT_HEAD "r2\t3\t0\t0\t0\t1\t1\t1\t20000000\tMenu\t\t\t-1\t-1\t-1\t-1\t-1\t-1\n", 0}, "a run that was not there before"},
        {{"ss_core", 200, KEPT_HEAD ROW("2", "20000000", "20000000", "") ROW("1", "120000000", "100000000", ""), 0}, "other frames than before"},
        {{"ss_core", 200, KEPT_HEAD ROW("4", "20000000", "20000000", ""), 0}, "other frames than before"},
        {{"ss_core", 200, KEPT_HEAD ROW("1", "9000000000000000000", "20000000", ""), 0}, "other frames than before"},
        {{"ss_core", 200, KEPT_HEAD ROW("1", "20000000", "-5", ""), 0}, "other frames than before"},
        {{"ss_core", 200, KEPT_HEAD ROW("1", "20000000", "20000000", ""), 9}, "cut"},
        {{"ss_bad", 200, RUN_HEAD "P\t\t\tr1\t9223372036854775807\t1\t1\t1\t1\t-1\t-1\t-1\t-1\t\t\t\t\t\t\t\t\t\t\t\n", 0}, "impossible counts"},
        {{"ss_l%3E0", 200, "ss_r\tss_sc\tss_q\tss_l\tss_n\tss_d\tss_over\nString\tString\tString\tInt64\tInt64\tInt64\tInt64\nr1\tMenu\t\t1\t1\t9223372036854775807\t1\n", 0},
         "other frames than before"},
        {{"ss_oi", 200, "ss_r\tss_sc\tss_q\tss_o\tss_max\nString\tString\tString\tInt64\tInt64\nr1\tMenu\t\t0\t-1\n", 0}, "other frames than before"},
        {{"ss_l%3E0", 200, "ss_r\tss_sc\tss_q\tss_l\tss_n\tss_d\tss_over\nString\tString\tString\tInt64\tInt64\tInt64\tInt64\nr1\tMenu\t\t77\t1\t1\t1\n", 0},
         "a label that was not sent"},
        {{"ss_oi", 200, "ss_r\tss_sc\tss_q\tss_o\tss_max\nString\tString\tString\tInt64\tInt64\nr1\tMenu\t\t99\t20000000\n", 0}, "an event that was not sent"},
        {{"ss_hx", 200, FIGURE_HEAD "r1\t\tMenu\t\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\n", 0}, "figures of no frames"},
        {{"ss_ds", 500, "", 0}, "no ClickHouse server"},
    };

    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct fake_answer answers[16] = {lies[i].answer};
        struct fake_server fake = {0};
        struct error error = {0};
        struct run_list runs = {0};
        bool per_run = strcmp(lies[i].answer.word, "ss_ds") == 0;

        /* the figures of runs have that word, too: theirs comes first */
        memcpy(answers + 1, all, sizeof all);
        if (per_run) {
            answers[0] = all[6];
            answers[1] = lies[i].answer;
        }
        if (per_run)
            memcpy(answers + 2, all, sizeof all);
        fake_server_start(&fake, answers);
        cr_assert(!import(&fake, 2000, &error), "%zu", i);
        cr_assert(strstr(error.text, lies[i].says), "%zu: %s", i, error.text);
        cr_assert(store_list_runs(store, &(struct run_filter){0}, &runs, &error));
        cr_assert_eq(runs.count, 0, "%zu", i);
        run_list_free(&runs);
        fake_server_stop(&fake);
    }
}

static int64_t limit_of_first_run(void)
{
    struct run_list runs = {0};
    struct error error = {0};
    int64_t limit_ns;

    cr_assert(store_list_runs(store, &(struct run_filter){0}, &runs, &error));
    limit_ns = runs.items[0].limit_ns;
    run_list_free(&runs);
    return limit_ns;
}

/* The device's own FPS decides, also of a device that never uploaded before; its chip goes before its model. */
Test(import, the_target_fps_is_that_of_the_device)
{
    static const struct fake_answer plain[] = {
        COLUMNS, BUILDS, {"ss_bad", 200, RUN_HEAD "Pixel\t\t\tr1\t3\t1\t140000000\t20000000\t140000000\t-1\t-1\t-1\t-1\t14\t\t\t\t\t\t\t\t\t\t\n", 0}, KEPT, OTHERS, {0}};
    struct device_row of_model = {.model = (char *)"Pixel", .target_fps_milli = 30000, .weight = 1},
                      of_chip = {.model = (char *)"Pixel", .chip = (char *)"Tensor", .target_fps_milli = 120000, .weight = 1};
    struct fake_server fake = {0};
    struct error error = {0};

    cr_assert(store_declare_device(store, &of_model, &error));
    cr_assert(store_declare_device(store, &of_chip, &error), "another one: the run says no chip");
    fake_server_start(&fake, plain);
    cr_assert(import(&fake, 2000, &error), "%s", error.text);
    cr_assert_eq(limit_of_first_run(), 66666666, "2 x 33.33 ms, rounded down");

    target_fps = 20000; /* said by hand: that of the runs, whatever the devices file says */
    cr_assert(import(&fake, 2000, &error), "%s", error.text);
    cr_assert_eq(unchanged, 0);
    target_fps = 0;

    char *questions = fake_server_questions(&fake);

    cr_assert(strstr(questions, "max(toInt64(20000)) AS ss_tf"), "%s", questions);
    free(questions);
    fake_server_stop(&fake);
}

/* Rows that are left out are counted: of no build, of no device or run, and those with senseless times. */
Test(import, rows_left_out_are_counted)
{
    static const struct fake_answer holes[] = {
        COLUMNS,
        {"cityHash64", 200, "ss_b\tss_n\tss_h\nString\tUInt64\tString\n\t5\t3\nb1\t3\t1\n", 0},
        {"ss_bad", 200,
         RUN_HEAD "\t\t\tr1\t2\t1\t40000000\t20000000\t40000000\t-1\t-1\t-1\t-1\t\t\t\t\t\t\t\t\t\t\t\n"
                  "Pixel\t\t\t\t4\t0\t80000000\t20000000\t80000000\t-1\t-1\t-1\t-1\t\t\t\t\t\t\t\t\t\t\t\n"
                  "Pixel\t\t\tr0\t0\t7\t0\t0\t0\t-1\t-1\t-1\t-1\t\t\t\t\t\t\t\t\t\t\t\n"
                  "Pixel\t\t\tr1\t3\t1\t140000000\t20000000\t140000000\t-1\t-1\t-1\t-1\t14\t\t\t\t\t\t\t\t\t\t\n",
         0},
        KEPT, OTHERS, {0}};
    struct fake_server fake = {0};
    struct error error = {0};
    struct import_list imports = {0};

    fake_server_start(&fake, holes);
    cr_assert(import(&fake, 2000, &error), "%s", error.text);
    cr_assert_eq(told, 1);
    cr_assert_eq(nameless, 5);
    cr_assert_eq(rejected, 2 + 1 + 4 + 7 + 1);
    cr_assert(store_list_imports(store, &imports, &error));
    cr_assert_eq(imports.count, 1);
    cr_assert(strstr(imports.items[0].report, "\"rejected_rows\":15") && strstr(imports.items[0].report, "\"count\":15"), "%s",
              imports.items[0].report);
    import_list_free(&imports);
    fake_server_stop(&fake);
}

Test(import, of_one_build_only_that_is_asked_for)
{
    struct fake_server fake = {0};
    struct error error = {0};
    char *questions;

    fake_server_start(&fake, all);
    only = "b1";
    import(&fake, 2000, &error);
    only = NULL;
    questions = fake_server_questions(&fake);
    cr_assert(strstr(questions, "WHERE `build_id`='b1' GROUP BY ss_b"), "%s", questions);
    free(questions);
    fake_server_stop(&fake);
}

/* Where a table has several columns that would do, the order of the names decides, not that of the table. */
Test(import, of_two_columns_the_better_name_counts)
{
    static const struct fake_answer two[] = {
        {"system.columns", 200,
         "name\ttype\nString\tString\nbuild\tString\nbuild_id\tString\ndevice\tString\ndevice_model\tString\nscene\tString\nrun_id\tString\n"
         "timestamp_ms\tInt64\ntimestamp_ns\tInt64\nframe_ns\tInt64\nframe_time_ms\tFloat64\nevent_name\tString\n",
         0},
        BUILDS, RUNS, KEPT, OTHERS, {0}};
    struct fake_server fake = {0};
    struct error error = {0};
    char *questions;

    fake_server_start(&fake, two);
    cr_assert(import(&fake, 2000, &error), "%s", error.text);
    questions = fake_server_questions(&fake);
    cr_assert(strstr(questions, "`build_id`") && !strstr(questions, "`build`"), "%s", questions);
    cr_assert(strstr(questions, "`device_model`") && !strstr(questions, "`device`"));
    cr_assert(strstr(questions, "`timestamp_ns`") && !strstr(questions, "`timestamp_ms`"));
    cr_assert(strstr(questions, "`frame_time_ms`") && !strstr(questions, "`frame_ns`"), "frame_time goes before frame, whatever the unit");
    free(questions);
    fake_server_stop(&fake);
}

Test(import, a_misspelt_map_is_refused)
{
    static const char *const wrong[] = {"frame_tme_ms=dauer", "dauer", "scene"};
    static const char *const says[] = {"was \"frame_time_ms\" meant?", "expected NAME=COLUMN", "expected NAME=COLUMN"};
    struct fake_server fake = {0};

    fake_server_start(&fake, all);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error error = {0};

        maps = &wrong[i];
        map_count = 1;
        cr_assert(!import(&fake, 2000, &error));
        cr_assert(strstr(error.text, says[i]), "%s", error.text);
    }
    maps = NULL;
    map_count = 0;
    fake_server_stop(&fake);
}

/* Between the two frames over the limit one is missing, and what comes for it is not believed. */
Test(import, frames_between_are_checked)
{
#define INSIDE_HEAD                                                                                                                  \
    "ss_r\tss_t\tss_x\tss_sc\tss_q\tss_e\tss_c\tss_g\tss_gc\tss_dc\tss_tf\tss_rf\n"                                                 \
    "String\tInt64\tInt64\tString\tString\tString\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\n"
#define INSIDE(t, x, scene) "r1\t" t "\t" x "\t" scene "\t\t\t-1\t-1\t-1\t-1\t-1\t-1\n"
    static const struct {
        const char *body, *says; /* NULL: it is taken, or what does not fit is left out */
        int64_t frames;          /* that are stored */
    } cases[] = {
        {INSIDE_HEAD INSIDE("150000000", "20000000", "Menu"), NULL, 3},
        {INSIDE_HEAD INSIDE("150000000", "20000000", "Arena"), NULL, 2},
        {INSIDE_HEAD INSIDE("150000000", "-5", "Menu"), "other frames than before", 0},
        {INSIDE_HEAD INSIDE("-9223372036854775807", "20000000", "Menu"), "other frames than before", 0},
        {INSIDE_HEAD INSIDE("160000000", "20000000", "Menu") INSIDE("150000000", "20000000", "Menu"), "other frames than before", 0},
    };
    static const struct fake_answer kept = {
        "ss_core", 200, KEPT_HEAD ROW("1", "120000000", "100000000", "") ROW("3", "280000000", "100000000", ""), 0};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake_answer answers[16] = {{"ss_as", 200, cases[i].body, 0}, COLUMNS, BUILDS, RUNS, kept, OTHERS, {0}};
        struct fake_server fake = {0};
        struct error error = {0};
        struct segment_list segments = {0};
        int64_t frames = 0;

        fake_server_start(&fake, answers);
        only = "b1";
        cr_assert_eq(import(&fake, 2000, &error), !cases[i].says, "%zu: %s", i, error.text);
        only = NULL;
        cr_assert(!cases[i].says || strstr(error.text, cases[i].says), "%zu: %s", i, error.text);
        if (!cases[i].says) {
            cr_assert(store_list_segments(store, &(struct segment_filter){.quality = -1}, &segments, &error));
            for (size_t s = 0; s < segments.count; s++)
                frames += segments.items[s].count;
            cr_assert_eq(frames, cases[i].frames * 2, "%zu: of two builds", i);
        }
        segment_list_free(&segments);
        fake_server_stop(&fake);
        close_scratch(); /* the next server is another one */
        open_scratch();
    }
}

Test(import, frames_on_demand)
{
    static const struct fake_answer answers[] = {
        COLUMNS,
        {"ss_t>10 AND", 200,
         "ss_r\tss_t\tss_x\tss_sc\tss_q\tss_e\tss_c\tss_g\tss_gc\tss_dc\tss_tf\tss_rf\n"
         "String\tInt64\tInt64\tString\tString\tString\tInt64\tInt64\tInt64\tInt64\tInt64\tInt64\n"
         "r\t100000\t50000\tMenu\t\t\t-1\t7\t-1\t-1\t-1\t-1\n",
         0},
        {0}};
    struct fake_server fake = {0};
    struct error error = {0};
    struct remote_frames frames = {0};

    fake_server_start(&fake, answers);

    struct run_source source = {fake.address, (char *)"b", (char *)"d", (char *)"", (char *)"", (char *)"it's", (char *)"[]"};

    cr_assert(remote_fetch_frames(&source, 10, 2000, NULL, &frames, &error), "%s", error.text);
    cr_assert_eq(frames.count, 1);
    cr_assert_eq(frames.items[0].frame_ns, 50000);
    cr_assert_eq(frames.items[0].cpu_ns, VALUE_UNKNOWN);
    cr_assert_eq(frames.items[0].gpu_ns, 7);

    char *questions = fake_server_questions(&fake);

    cr_assert(strstr(questions, "IN ('it\\'s')"), "%s", questions);
    free(questions);
    array_free(&frames);
    fake_server_stop(&fake);
    cr_assert(!remote_fetch_frames(&source, 10, 2000, NULL, &frames, &error));
    cr_assert(strstr(error.text, "nothing answers there"), "%s", error.text);
}
