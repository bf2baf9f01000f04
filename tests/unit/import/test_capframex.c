#include "recorder.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define RUN1                                                                                                 \
    "{\"Hash\":\"aa11\",\"PresentMonRuntime\":\"DXGI\",\"SampleTime\":1,\"CaptureData\":{"                   \
    "\"TimeInSeconds\":[0.0,0.02,0.0450],\n\"MsBetweenPresents\":[10.5,20,25.0],"                            \
    "\"MsInPresentAPI\":[1,2,3],\"MsBetweenDisplayChange\":[10,0,35],\"MsUntilDisplayed\":[5,0,6],"          \
    "\"PcLatency\":null,\"Dropped\":[false,true,false]},\"SensorData2\":{\"x\":{\"Name\":\"f\",\"Values\":[" \
    "1,2]}}}"
#define RUN2                                                                                                 \
    "{\"Hash\":\"bb22\",\"CaptureData\":{\"MsBetweenPresents\":[8,9],\"TimeInSeconds\":[5,5.009],"           \
    "\"Dropped\":null,"                                                                                      \
    "\"GpuActive\":[6,7.5],\"CpuActive\":[4,null]}}"
static const char whole[] = "{\n \"Hash\":\"h\",\"Info\":{\"AppVersion\":\"1.7.0.4\",\"Processor\":\"Ryzen "
                            "7\",\"GPU\":\"RX \\\"6800\\\"\","
                            "\"GameName\":null,\"OS\":\"Windows "
                            "11\",\"Comment\":\"Forest\",\"CreationDate\":\"2023-05-01T10:00:00Z\"},"
                            "\"Runs\":[" RUN1 ",\n" RUN2 "]}\n";

static const struct import_options build = {.context[CONTEXT_BUILD] = "b1"};

static void expect_values(const struct recorder *r, size_t run, enum frame_column column,
                          const int64_t *wanted, size_t count)
{
    size_t found;
    int64_t *values = recorded_column(r, run, column, &found);

    cr_assert_eq(found, count, "%zu values", found);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(values[i], wanted[i], "value %zu is %lld", i, (long long)values[i]);
    free(values);
}

Test(capframex, runs_stay_apart)
{
    struct recorder *r = record_text(whole, &build);

    cr_assert(r->fine, "%s", r->error.text);
    cr_assert_str_eq(r->reading.format->name, "capframex");
    cr_assert_eq(r->runs.count, 2);
    cr_expect_str_eq(r->runs.items[0].name, "aa11");
    cr_expect_str_eq(r->runs.items[1].name, "bb22");
    cr_expect_str_eq(r->runs.items[0].device, "Ryzen 7 / RX \"6800\"");
    cr_expect_str_eq(r->runs.items[0].os, "Windows 11");
    cr_expect_eq(r->runs.items[0].facts.started_at_ms, 1682935200000);
    cr_expect_str_eq(r->segments.items[0].scene, "Forest");
    cr_expect_str_eq(r->reading.log->version, "1.7.0.4");
    expect_values(r, 0, COLUMN_FRAME_TIME, (int64_t[]){10500000, 20000000, 25000000}, 3);
    expect_values(r, 0, COLUMN_STAMP, (int64_t[]){0, 20000000, 45000000}, 3);
    expect_values(r, 0, COLUMN_DISPLAY, (int64_t[]){10000000, VALUE_UNKNOWN, 35000000}, 3);
    expect_values(r, 0, COLUMN_FLAGS, (int64_t[]){0, FRAME_DROPPED, 0}, 3);
    cr_expect_eq(r->runs.items[0].measures.dropped, 1);
    expect_values(r, 1, COLUMN_FRAME_TIME, (int64_t[]){8000000, 9000000}, 2);
    expect_values(r, 1, COLUMN_GPU, (int64_t[]){6000000, 7500000}, 2);
    expect_values(r, 1, COLUMN_CPU, (int64_t[]){4000000, VALUE_UNKNOWN}, 2);
    recorder_free(r);
}

Test(capframex, display_intervals_on_request)
{
    struct import_options options = build;
    struct recorder *r;

    options.interval = "display";
    r = record_text(whole, &options);
    cr_assert(r->fine, "%s", r->error.text);
    expect_values(r, 0, COLUMN_FRAME_TIME, (int64_t[]){10000000, 35000000}, 2);
    expect_values(r, 0, COLUMN_STAMP, (int64_t[]){5000000, 51000000}, 2);
    cr_expect_geq(recorded_rejects(r, REJECT_NOT_DISPLAYED), 1);
    recorder_free(r);
}

Test(capframex, arrays_may_be_null_or_short)
{
    struct recorder *r =
        record_text("{\"Info\":{\"Processor\":\"P\",\"GPU\":null,\"Comment\":null},\"Runs\":[{\"Hash\":null,"
                    "\"CaptureData\":{\"MsBetweenPresents\":[16,\"NaN\",-2,18],\"TimeInSeconds\":null,"
                    "\"Dropped\":[false],\"PresentMode\":null}},{\"CaptureData\":null},"
                    "{\"CaptureData\":{\"MsBetweenPresents\":null}}]}",
                    &some_context);

    cr_assert(r->fine, "%s", r->error.text);
    cr_expect_eq(r->runs.count, 1);
    expect_values(r, 0, COLUMN_FRAME_TIME, (int64_t[]){16000000, 18000000}, 2);
    cr_expect_not(r->runs.items[0].facts.has_clock);
    cr_expect_eq(recorded_rejects(r, REJECT_NOT_FINITE), 1);
    cr_expect_eq(recorded_rejects(r, REJECT_NEGATIVE), 1);
    cr_expect(recorded_note(r, "Dropped has 1 values for 4 frames"));
    recorder_free(r);
}

Test(capframex, a_cut_at_any_byte_gives_whole_runs_only)
{
    for (size_t size = 0; size < sizeof whole - 2; size++) {
        struct recorder *r = record_bytes(whole, size, &some_context);
        int64_t frames = recorded_frames(r);

        cr_assert(frames == 0 || frames == 3 || frames == 5, "cut at %zu", size);
        cr_assert_eq(frames > 0, r->fine, "cut at %zu", size);
        if (frames > 0)
            cr_assert(recorded_note(r, "breaks off"), "cut at %zu", size);
        recorder_free(r);
    }
}
