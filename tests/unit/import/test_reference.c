/*
 * Figures of real captures against an independent script's, per stream. Compared: frames, median, MAD, P95
 * and P99 by nearest rank, maximum. Not compared, because ours differ on purpose: time stamps (PresentMon 2
 * stamps the start of a frame, ours are ends; displayed frames end when they are shown), the script's windows
 * (budget and MAD floor), and the order of rows (the script sorts, we keep the file's).
 */
#include "recorder.h"
#include "stutterscope/base/json.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double member(const struct json *stream, const char *name)
{
    double value = -1;

    cr_assert(json_number(json_member(stream, name), &value), "%s", name);
    return value;
}

static void expect_ms(double ns, double ms, const char *what, const char *file, const char *stream)
{
    cr_expect(ns / 1e6 > ms - 0.0005 && ns / 1e6 < ms + 0.0005, "%s of %s %s: %.6f, expected %.6f", what,
              file, stream, ns / 1e6, ms);
}

static void check_stream(const char *file, const struct json *stream, bool display)
{
    struct import_options options = some_context;
    char *name = memory_print("telemetry/%s", file), *path = reference_path(name);
    struct recorder *recorder;
    struct recorded_figures figures;

    free(name);
    if (!path)
        return; /* kept elsewhere */
    options.stream = json_name(stream);
    options.interval = display ? "display" : "present";
    recorder = record_file(path, &options);
    cr_assert(recorder->fine, "%s %s: %s", file, json_name(stream), recorder->error.text);
    figures = recorded_figures(recorder, SIZE_MAX);
    cr_expect_eq(figures.frames, (size_t)member(stream, "frames"), "%s %s: %zu frames", file,
                 json_name(stream), figures.frames);
    cr_expect_eq(recorder->runs.count, 1);
    expect_ms(figures.median, member(stream, "median_ms"), "median", file, json_name(stream));
    expect_ms(figures.mad, member(stream, "mad_ms"), "MAD", file, json_name(stream));
    expect_ms((double)figures.p95, member(stream, "p95_nearest_rank"), "P95", file, json_name(stream));
    expect_ms((double)figures.p99, member(stream, "p99_nearest_rank"), "P99", file, json_name(stream));
    expect_ms((double)figures.max, member(stream, "max_ms"), "maximum", file, json_name(stream));
    expect_ms((double)figures.sum, member(stream, "sum_ms"), "sum", file, json_name(stream));
    recorder_free(recorder);
    free(path);
}

static bool is_presentmon(const char *file)
{
    static const char *const folders[] = {"presentmon_v1/", "presentmon_v2/", "ocat/", "frameview/"};

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (strncmp(file, folders[i], strlen(folders[i])) == 0)
            return true;
    }
    return strncmp(file, "capframex/", 10) == 0 && strlen(file) > 4 &&
           strcmp(file + strlen(file) - 4, ".csv") == 0;
}

Test(reference, presentmon_family, .timeout = 60)
{
    char *path = reference_path("telemetry/reference.json"), *text;
    struct error error = {0};
    struct json *reference;
    size_t size, streams = 0;

    if (!path)
        cr_skip_test("STUTTERSCOPE_REFERENCE does not name the reference data");
    cr_assert(path_read_all(path, 64 << 20, &text, &size, &error), "%s", error.text);
    reference = json_parse(text, size, &error);
    cr_assert(reference != NULL, "%s", error.text);
    for (const struct json *item = json_first(json_member(reference, "files")); item;
         item = json_next(item)) {
        const char *file = json_text(json_member(item, "file")),
                   *column = json_text(json_member(item, "frame_time"));
        bool display =
            strncmp(column, "MsBetweenDisplayChange", 22) == 0 || strncmp(column, "DisplayedTime", 13) == 0;

        if (!is_presentmon(file))
            continue;
        for (const struct json *stream = json_first(json_member(item, "streams")); stream;
             stream = json_next(stream)) {
            check_stream(file, stream, display);
            streams++;
        }
    }
    cr_assert_gt(streams, 10);
    json_destroy(reference);
    free(text);
    free(path);
}
