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

static void check_figures(const char *file, const struct json *stream, const struct recorder *recorder, size_t run)
{
    struct recorded_figures figures = recorded_figures(recorder, run);

    cr_expect_eq(figures.frames, (size_t)member(stream, "frames"), "%s %s: %zu frames", file, json_name(stream),
                 figures.frames);
    expect_ms(figures.median, member(stream, "median_ms"), "median", file, json_name(stream));
    expect_ms(figures.mad, member(stream, "mad_ms"), "MAD", file, json_name(stream));
    expect_ms((double)figures.p95, member(stream, "p95_nearest_rank"), "P95", file, json_name(stream));
    expect_ms((double)figures.p99, member(stream, "p99_nearest_rank"), "P99", file, json_name(stream));
    expect_ms((double)figures.max, member(stream, "max_ms"), "maximum", file, json_name(stream));
    expect_ms((double)figures.sum, member(stream, "sum_ms"), "sum", file, json_name(stream));
}

static void check_stream(const char *file, const struct json *stream, bool display)
{
    struct import_options options = some_context;
    char *name = memory_print("telemetry/%s", file), *path = reference_path(name);
    struct recorder *recorder;

    free(name);
    if (!path)
        return; /* kept elsewhere */
    options.stream = json_name(stream);
    options.interval = display ? "display" : "present";
    recorder = record_file(path, &options);
    cr_assert(recorder->fine, "%s %s: %s", file, json_name(stream), recorder->error.text);
    cr_expect_eq(recorder->runs.count, 1);
    check_figures(file, stream, recorder, SIZE_MAX);
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

/* The files of a folder that the reference data has figures of; NULL: the data is not there. */
static struct json *load_reference(char **ret_text)
{
    char *path = reference_path("telemetry/reference.json");
    struct error error = {0};
    struct json *reference;
    size_t size;

    if (!path)
        return NULL;
    cr_assert(path_read_all(path, 64 << 20, ret_text, &size, &error), "%s", error.text);
    reference = json_parse(*ret_text, size, &error);
    cr_assert(reference != NULL, "%s", error.text);
    free(path);
    return reference;
}

static bool is_in(const struct json *item, const char *folder)
{
    return strncmp(json_text(json_member(item, "file")), folder, strlen(folder)) == 0;
}

/* The script stamps the start of a frame, ours are ends; both leave out rows with flags and unfinished ones. */
Test(reference, gfxinfo, .timeout = 60)
{
    char *text;
    struct json *reference = load_reference(&text);

    if (!reference)
        cr_skip_test("STUTTERSCOPE_REFERENCE does not name the reference data");
    for (const struct json *item = json_first(json_member(reference, "files")); item; item = json_next(item)) {
        if (!is_in(item, "gfxinfo/"))
            continue;
        for (const struct json *stream = json_first(json_member(item, "streams")); stream; stream = json_next(stream))
            check_stream(json_text(json_member(item, "file")), stream, false);
    }
    json_destroy(reference);
    free(text);
}

/* "benchmark#iterN" of the script is our run "HASH benchmark #N". */
static void check_iteration(const char *file, const struct json *stream, const struct recorder *recorder)
{
    const char *mark = strstr(json_name(stream), "#iter");
    char *end = memory_print(" %.*s #%s", (int)(mark - json_name(stream)), json_name(stream), mark + 5);
    bool found = false;

    for (size_t run = 0; run < recorder->runs.count; run++) {
        const char *name = recorder->runs.items[run].name;

        if (strlen(name) < strlen(end) || strcmp(name + strlen(name) - strlen(end), end) != 0)
            continue;
        check_figures(file, stream, recorder, run);
        found = true;
    }
    cr_expect(found, "%s: no run %s", file, end);
    free(end);
}

Test(reference, macrobenchmark, .timeout = 60)
{
    char *text;
    struct json *reference = load_reference(&text);

    if (!reference)
        cr_skip_test("STUTTERSCOPE_REFERENCE does not name the reference data");
    for (const struct json *item = json_first(json_member(reference, "files")); item; item = json_next(item)) {
        const char *file = json_text(json_member(item, "file"));
        char *name = memory_print("telemetry/%s", file), *path = reference_path(name);

        if (path && is_in(item, "macrobenchmark/")) {
            struct recorder *recorder = record_file(
                path, &(struct import_options){.context = {[CONTEXT_BUILD] = "b1"}}); /* it names device and scene */

            cr_assert(recorder->fine, "%s", recorder->error.text);
            for (const struct json *stream = json_first(json_member(item, "streams")); stream;
                 stream = json_next(stream))
                check_iteration(file, stream, recorder);
            recorder_free(recorder);
        }
        free(path);
        free(name);
    }
    json_destroy(reference);
    free(text);
}

Test(reference, surfaceflinger)
{
    char *path = reference_path("telemetry/surfaceflinger/latency_real_device_two_frames.txt");
    struct recorder *recorder;

    if (!path)
        cr_skip_test("STUTTERSCOPE_REFERENCE does not name the reference data");
    recorder = record_file(path, &some_context);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_eq(recorded_frames(recorder), 1);
    cr_expect_eq(recorded_figures(recorder, SIZE_MAX).max, 2102436642905497 - 2102436592973938);
    recorder_free(recorder);
    free(path);
    path = reference_path("telemetry/surfaceflinger/latency_surfaceview_all_zero_soloX249.txt");
    recorder = record_file(path, &some_context);
    cr_expect_not(recorder->fine);
    cr_expect(strstr(recorder->error.text, "(BLAST)#0"), "%s", recorder->error.text);
    recorder_free(recorder);
    free(path);
}

/* Cut anywhere: an error or a word about the cut, and never a frame that the whole file does not have. */
static void cut_file(const char *name)
{
    char *path = reference_path(name), *bytes;
    struct error error = {0};
    struct recorder *whole;
    struct recorded_figures all;
    uint32_t random = 12345;
    size_t size;

    if (!path)
        return;
    cr_assert(path_read_all(path, 64 << 20, &bytes, &size, &error), "%s", error.text);
    whole = record_bytes(bytes, size, &some_context);
    cr_assert(whole->fine, "%s", whole->error.text);
    all = recorded_figures(whole, SIZE_MAX);
    for (int i = 0; i < 50; i++) {
        struct recorder *recorder;
        struct recorded_figures figures;
        size_t place;

        random = random * 1664525 + 1013904223;
        place = (size_t)((uint64_t)random * size >> 32);
        recorder = record_bytes(bytes, place, &some_context);
        figures = recorded_figures(recorder, SIZE_MAX);
        cr_expect(!recorder->fine || recorded_note(recorder, "cut"), "%s cut at %zu", name, place);
        cr_expect(figures.frames <= all.frames && figures.max <= all.max, "%s cut at %zu", name, place);
        cr_expect(figures.frames == 0 || figures.min >= all.min, "%s cut at %zu", name, place);
        recorder_free(recorder);
    }
    recorder_free(whole);
    free(bytes);
    free(path);
}

Test(reference, android_captures_cut_anywhere, .timeout = 60)
{
    static const char *const names[] = {"telemetry/gfxinfo/framestats_android13_utf16le_crlf.txt",
                                        "telemetry/gfxinfo/framestats_android13plus_120hz_a_bom.txt",
                                        "telemetry/macrobenchmark/firetv_aftkm_android11_before_v1.json",
                                        "telemetry/surfaceflinger/latency_real_device_two_frames.txt"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cut_file(names[i]);
}
