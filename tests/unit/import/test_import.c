/* Into a real store, through the door that the command line uses. */
#include "recorder.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/import/import.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *folder, *path;
static struct store *store;

static void open_store(void)
{
    char name[] = "/tmp/stutterscope-import-XXXXXX";
    struct error error = {0};

    cr_assert(mkdtemp(name) != NULL);
    folder = memory_copy_text(name);
    path = path_join(folder, "a.csv");
    char *file = path_join(folder, "store.db");
    cr_assert(store_open(file, STORE_CREATE, &store, &error), "%s", error.text);
    free(file);
}

static void close_store(void)
{
    char *command = memory_print("rm -rf '%s'", folder);

    store_close(store);
    cr_assert_eq(system(command), 0);
    free(command);
    free(folder);
    free(path);
}

TestSuite(import, .init = open_store, .fini = close_store);

static bool take(const char *text, const struct import_options *options, struct import_summary *ret,
                 struct error *error)
{
    cr_assert(path_write_all(path, text, strlen(text), error));
    return import_file(store, path, options, NULL, ret, error);
}

static void write_run(char *text, const char *line_end, const char *scene, int frames)
{
    text += sprintf(text, "timestamp_ms,frame_time_ms,device_model,build_id,scene%s", line_end);
    for (int i = 1; i <= frames; i++)
        text += sprintf(text, "%d,16,P,b,%s%s", 16 * i, scene, line_end);
}

static int64_t stored_frames(int64_t *ret_runs)
{
    struct run_filter all = {0};
    struct run_list runs = {0};
    struct error error = {0};
    int64_t frames = 0;

    cr_assert(store_list_runs(store, &all, &runs, &error), "%s", error.text);
    for (size_t i = 0; i < runs.count; i++)
        frames += runs.items[i].frames;
    *ret_runs = (int64_t)runs.count;
    run_list_free(&runs);
    return frames;
}

static void expect(const char *text, enum import_result result, int64_t runs, int64_t frames)
{
    struct import_summary summary;
    struct error error = {0};
    int64_t stored;

    cr_assert(take(text, NULL, &summary, &error), "%s", error.text);
    cr_assert_eq(summary.outcome.result, result, "%d", (int)summary.outcome.result);
    cr_assert_eq(stored_frames(&stored), frames);
    cr_assert_eq(stored, runs);
    json_destroy(summary.report);
}

Test(import, twice_grown_and_other_scene)
{
    char text[20000];

    write_run(text, "\n", "A", 100);
    expect(text, IMPORT_NEW, 1, 100);
    expect(text, IMPORT_ALREADY_THERE, 1, 100);
    write_run(text, "\r\n", "A", 100);
    expect(text, IMPORT_ALREADY_THERE, 1, 100);
    write_run(text, "\n", "A", 140);
    expect(text, IMPORT_GREW, 1, 140);
    write_run(text, "\n", "B", 100);
    expect(text, IMPORT_NEW, 2, 240);
}

Test(import, failed_file_leaves_nothing)
{
    struct import_summary summary;
    struct error error = {0};
    int64_t runs;
    char *text;

    cr_assert(!take("timestamp_ms,frame_time_ms,device_model,build_id,scene\n16,x,P,b,A\n", NULL, &summary,
                    &error));
    cr_assert(strstr(error.text, "a.csv: no frames: 1 row, all rejected"), "%s", error.text);
    cr_assert_eq(stored_frames(&runs), 0);
    text = import_report_text(summary.report);
    cr_assert(strstr(text, "not imported") && strstr(text, "1 not a number (first in line 2"), "%s", text);
    free(text);
    json_destroy(summary.report);
    memset(&error, 0, sizeof error);
    cr_assert(!import_file(store, "/no/such/file.csv", NULL, NULL, &summary, &error));
    cr_assert(strstr(error.text, "/no/such/file.csv"));
    json_destroy(summary.report);
}

/* What was read before it failed was not kept. */
Test(import, the_report_of_a_failed_file_claims_nothing)
{
    static const char words[] = "{\"file\":\"a.csv\",\"title\":\"CSV\",\"frames\":10,\"samples\":2,\"runs\":1,\"interval\":\"display\","
                                "\"run_list\":[{\"run\":\"r\",\"build\":\"b\",\"device\":\"d\",\"frames\":10}],"
                                "\"rejected\":{\"empty\":{\"count\":1,\"first_lines\":[4]}},"
                                "\"notes\":[\"The last line is cut: complete frames were taken.\"],"
                                "\"result\":{\"state\":\"failed\"},\"error\":\"a.csv: line 9: wrong\"}";
    struct error error = {0};
    struct json *report = json_parse(words, strlen(words), &error);
    char *text;

    cr_assert(report, "%s", error.text);
    text = import_report_text(report);
    cr_expect_str_eq(text, "a.csv: not imported (CSV)\n  a.csv: line 9: wrong\n  left out: 1 empty (first in line 4)\n");
    free(text);
    json_destroy(report);
}

Test(import, dry_run_stores_nothing_but_reports)
{
    struct import_options options = {.dry_run = true};
    struct import_summary summary;
    struct error error = {0};
    char text[20000];
    const struct json *run;
    double share;
    int64_t runs;

    write_run(text, "\n", "A", 100);
    cr_assert(take(text, &options, &summary, &error), "%s", error.text);
    cr_assert_eq(summary.frames, 100);
    cr_assert_eq(stored_frames(&runs), 0);
    cr_assert_str_eq(json_text(json_member(json_member(summary.report, "result"), "state")), "dry run");
    run = json_first(json_member(summary.report, "run_list"));
    cr_assert(json_number(json_member(run, "logged_share"), &share));
    cr_assert_float_eq(share, 1.0, 1e-9);
    cr_assert_str_eq(json_text(json_member(run, "sampling")), "every frame");
    json_destroy(summary.report);
}

Test(import, sampled_log_is_called_so)
{
    struct import_summary summary;
    struct error error = {0};
    char text[20000], *at = text, *words;

    at += sprintf(at, "timestamp_ms,frame_time_ms,device_model,build_id,scene\n");
    for (int i = 1; i <= 60; i++)
        at += sprintf(at, "%d,16,P,b,A\n", 100 * i);
    cr_assert(take(text, NULL, &summary, &error), "%s", error.text);
    words = import_report_text(summary.report);
    cr_assert(strstr(words, "sampled") && strstr(words, "16 %"), "%s", words);
    free(words);
    json_destroy(summary.report);
}

Test(import, context_from_the_path)
{
    struct import_options options = {.path_pattern = "{build}-{scene}-*.csv"};
    struct import_summary summary;
    struct error error = {0};
    struct text_list scenes = {0};

    options.context[CONTEXT_DEVICE] = "P";
    free(path);
    path = path_join(folder, "1.8.0-Forest_2-x.csv");
    cr_assert(take("timestamp_ms,frame_time_ms\n16,16\n32,16\n", &options, &summary, &error), "%s",
              error.text);
    cr_assert(store_list_scenes(store, &scenes, &error));
    cr_assert_eq(scenes.count, 1);
    cr_assert_str_eq(scenes.items[0].text, "Forest_2");
    text_list_free(&scenes);
    json_destroy(summary.report);
    options.path_pattern = "{build}/{colour}.csv";
    cr_assert(!take("x", &options, &summary, &error));
    cr_assert_eq(error.code, ERROR_USAGE);
    options.path_pattern = "{build}.json";
    cr_assert(!take("x", &options, &summary, &error));
    cr_assert(strstr(error.text, "does not fit"), "%s", error.text);
}
