/* What lies beside a capture, through the door that the command line uses. */
#include "../leftovers.h"
#include "recorder.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/import/import.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char *folder;
static struct store *store;

static void write_file(const char *name, const char *text)
{
    char *path = path_join(folder, name);
    struct error error = {0};

    cr_assert(path_write_all(path, text, strlen(text), &error), "%s", error.text);
    free(path);
}

static void open_folder(void)
{
    char name[] = "/tmp/stutterscope-beside-XXXXXX", *file;
    struct error error = {0};

    cr_assert(mkdtemp(name) != NULL);
    leftover_note(name);
    folder = memory_copy_text(name);
    file = path_join(folder, "store.db");
    cr_assert(store_open(file, STORE_CREATE, &store, &error), "%s", error.text);
    free(file);
}

static void close_folder(void)
{
    char *command = memory_print("rm -rf '%s'", folder);

    store_close(store);
    cr_assert_eq(system(command), 0);
    free(command);
    free(folder);
}

TestSuite(sidecar, .init = open_folder, .fini = close_folder);

static bool take(const char *name, const struct import_options *options, struct error *error)
{
    char *path = path_join(folder, name);
    struct import_summary summary;
    bool fine = import_file(store, path, options, NULL, &summary, error);

    json_destroy(summary.report);
    free(path);
    return fine;
}

static void expect_stored(const char *build, const char *model, const char *chip, const char *os,
                          const char *run)
{
    struct run_filter all = {0};
    struct run_list runs = {0};
    struct device_list devices = {0};
    struct build_list builds = {0};
    struct error error = {0};

    cr_assert(store_list_runs(store, &all, &runs, &error), "%s", error.text);
    cr_assert(store_list_devices(store, &devices, &error), "%s", error.text);
    cr_assert(store_list_builds(store, &builds, &error), "%s", error.text);
    cr_assert_eq(runs.count, 1);
    cr_expect_str_eq(builds.items[0].name, build);
    cr_expect_str_eq(devices.items[0].model, model);
    cr_expect_str_eq(devices.items[0].chip, chip);
    cr_expect_str_eq(runs.items[0].os, os);
    if (run)
        cr_expect_str_eq(runs.items[0].name, run);
    run_list_free(&runs);
    device_list_free(&devices);
    build_list_free(&builds);
}

static const char latency[] = "16666667\n1\t1000000000\t3\n1\t1020000000\t3\n\n";
static const char getprop[] =
    "[ro.build.version.release]: [14]\r\n[ro.product.model]: [Model [X]]\r\n"
    "[ro.board.platform]: [board]\r\n[ro.soc.model]: [CHIP1]\r\n[ro.product.name]: [name]\r\n";

Test(sidecar, getprop_tells_the_device)
{
    struct error error = {0};

    write_file("a.txt", latency);
    write_file("getprop.txt", getprop);
    cr_assert(take("a.txt",
                   &(struct import_options){.context = {[CONTEXT_BUILD] = "b", [CONTEXT_SCENE] = "s"}},
                   &error),
              "%s", error.text);
    expect_stored("b", "Model [X]", "CHIP1", "Android 14", NULL);
}

Test(sidecar, options_and_file_win_over_getprop)
{
    struct error error = {0};

    write_file("a.csv", "timestamp_ms,frame_time_ms,device_model,build_id,scene\n16,16,Phone,b,s\n");
    write_file("a.getprop", getprop);
    cr_assert(take("a.csv", &(struct import_options){.context = {[CONTEXT_OS] = "Android 13"}}, &error), "%s",
              error.text);
    expect_stored("b", "Phone", "CHIP1", "Android 13", NULL);
}

Test(sidecar, meta_says_what_the_file_does_not)
{
    struct error error = {0};

    write_file("a.txt", latency);
    write_file("a.txt.meta.json", "{\"build_id\": \"b7\", \"device_model\": \"Phone\", \"scene\": \"Arena\", "
                                  "\"run_id\": 12, \"os_version\": "
                                  "\"no\", \"mood\": \"good\"}");
    write_file("a.txt.getprop", getprop);
    cr_assert(take("a.txt", &(struct import_options){.context = {[CONTEXT_OS] = "Android 13"}}, &error), "%s",
              error.text);
    expect_stored("b7", "Phone", "CHIP1", "Android 13", "12");
}

Test(sidecar, meta_may_use_the_names_of_the_options)
{
    struct error error = {0};

    write_file("a.txt", latency);
    write_file("a.txt.meta.json", "{\"build\": \"b7\", \"device\": \"Phone\", \"scene\": \"Arena\", \"run\": \"r1\", \"os\": \"iOS 18\", "
                                  "\"ci_run\": 5, \"model-code\": \"m\", \"soc\": \"A18\", \"buil\": 1}");
    cr_assert(take("a.txt", NULL, &error), "%s", error.text);
    expect_stored("b7", "Phone", "A18", "iOS 18", "r1");
}

Test(sidecar, a_broken_meta_is_an_error)
{
    struct error error = {0};

    write_file("a.txt", latency);
    write_file("a.txt.meta.json", "{\"build_id\": ");
    cr_expect_not(take("a.txt", &some_context, &error));
    cr_expect(strstr(error.text, "a.txt.meta.json"), "%s", error.text);
    write_file("a.txt.meta.json", "[1]");
    cr_expect_not(take("a.txt", &some_context, &error));
    cr_expect(strstr(error.text, "expected an object"), "%s", error.text);
}

Test(sidecar, by_themselves_they_are_no_captures)
{
    struct error error = {0};

    write_file("getprop.txt", getprop);
    write_file("a.txt.meta.json", "{\"build_id\": \"b\"}");
    write_file(
        "metrics.json",
        "{\n \"timeStampBegin\": \"2024-01-01\", \"cpuMetrics\": {\"cumulativeCPUTime\": \"20 sec\"}}\n");
    cr_expect_not(take("getprop.txt", &some_context, &error));
    cr_expect(strstr(error.text, "getprop dump"), "%s", error.text);
    cr_expect_not(take("a.txt.meta.json", &some_context, &error));
    cr_expect(strstr(error.text, "describes another file"), "%s", error.text);
    cr_expect_not(take("metrics.json", &some_context, &error));
    cr_expect(strstr(error.text, "MetricKit"), "%s", error.text);
    cr_expect(import_is_sidecar("x/getprop.txt"));
    cr_expect(import_is_sidecar("x/a.csv.meta.json"));
    cr_expect_not(import_is_sidecar("x/a.csv"));
}
