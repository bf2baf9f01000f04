#include "recorder.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define MS INT64_C(1000000)

static const char small[] =
    "{\"context\": {\"build\": {\"brand\": \"x\", \"device\": \"dev\", \"model\": \"Model X\", \"version\": "
    "{\"sdk\": 31}}},\n"
    " \"benchmarks\": [\n"
    "  {\"name\": \"scroll\", \"params\": {\"mode\": \"None\", \"rows\": 5}, \"className\": \"A\",\n"
    "   \"sampledMetrics\": {\"frameDurationCpuMs\": {\"P50\": 6.25, \"runs\": [[5.1, 6.25, 40.000001], [7, "
    "8e0]]},\n"
    "                      \"frameOverrunMs\": {\"P50\": -3, \"runs\": [[-3.0, -2.0, 12.5], [-1, 0]]}}},\n"
    "  {\"name\": \"startup\", \"className\": \"A\", \"metrics\": {\"timeToInitialDisplayMs\": {\"runs\": "
    "[300.0]}}}\n"
    " ]}\n";

static const struct import_options only_build = {.context = {[CONTEXT_BUILD] = "b1"}};

Test(macrobenchmark, iterations_are_runs_without_a_clock)
{
    struct recorder *recorder = record_text(small, &only_build);
    int64_t *times;
    size_t count;

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_str_eq(recorder->reading.format->name, "macrobenchmark");
    cr_assert_eq(recorder->runs.count, 2);
    cr_expect_str_eq(recorder->runs.items[0].device, "Model X");
    cr_expect_str_eq(recorder->runs.items[0].os, "Android 12");
    cr_expect_str_eq(recorder->segments.items[0].scene, "scroll (mode=None, rows=5)");
    cr_expect(strstr(recorder->runs.items[1].name, " scroll (mode=None, rows=5) #1"));
    cr_expect_not(recorder->runs.items[0].facts.has_clock);
    cr_expect_not(recorder->runs.items[0].facts.tests_holes);
    times = recorded_column(recorder, 0, COLUMN_FRAME_TIME, &count);
    cr_assert_eq(count, 3);
    cr_expect_eq(times[1], 6250000);
    cr_expect_eq(times[2], 40000001);
    free(times);
    times = recorded_column(recorder, 1, COLUMN_CPU, &count);
    cr_assert_eq(count, 2);
    cr_expect_eq(times[1], 8 * MS);
    free(times);
    cr_expect(recorded_note(recorder, "1 of 5 frames missed their deadline"));
    cr_expect(recorded_note(recorder, "by 12.5 ms"));
    cr_expect(recorded_note(recorder, "1 of 2 benchmarks have no frame times"));
    recorder_free(recorder);
}

Test(macrobenchmark, another_file_is_another_run)
{
    struct recorder *first = record_text(small, &only_build), *second;
    char *changed = strdup(small);

    *strstr(changed, "5.1") = '4';
    second = record_text(changed, &only_build);
    cr_expect_str_neq(first->runs.items[0].name, second->runs.items[0].name);
    free(changed);
    recorder_free(first);
    recorder_free(second);
}

Test(macrobenchmark, classes_tell_equal_names_apart)
{
    struct recorder *recorder = record_text(
        "{\"context\":{},\"benchmarks\":["
        "{\"name\":\"a\",\"className\":\"A\",\"sampledMetrics\":{\"frameDurationCpuMs\":{\"runs\":[[1,2]]}}},"
        "{\"name\":\"a\",\"className\":\"B\",\"sampledMetrics\":{\"frameDurationCpuMs\":{\"runs\":[[3,null,"
        "\"x\",-1,0]]}}}]}",
        &(struct import_options){.context = {[CONTEXT_BUILD] = "b1", [CONTEXT_DEVICE] = "d"}});

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorder->segments.count, 2);
    cr_expect_str_eq(recorder->segments.items[0].scene, "A.a");
    cr_expect_str_eq(recorder->segments.items[1].scene, "B.a");
    cr_expect_eq(recorded_frames(recorder), 3);
    cr_expect_eq(recorder->reading.log->rejected, 4);
    recorder_free(recorder);
}

Test(macrobenchmark, a_cut_document_is_refused)
{
    for (size_t size = 40; size < sizeof small - 3; size += 7) {
        struct recorder *recorder = record_bytes(small, size, &only_build);

        cr_expect_not(recorder->fine, "cut at %zu", size);
        recorder_free(recorder);
    }
}

Test(macrobenchmark, no_frames_say_what_to_measure)
{
    struct recorder *recorder =
        record_text("{\"context\": {}, \"benchmarks\": [{\"name\": \"startup\"}]}", &some_context);

    cr_expect_not(recorder->fine);
    cr_expect(strstr(recorder->error.text, "FrameTimingMetric"), "%s", recorder->error.text);
    recorder_free(recorder);
}
