/* What one file may name, what it must name, and in which unit: refused with advice, in bounded memory. */
#include "recorder.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/limits.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char header[] = "build_id,device_model,scene,run_id,event_name,timestamp_ms,frame_time_ms\n";

/* Rows in which everything is the same but what the format writes the number of the row to. */
static struct recorder *record_rows(const char *row, size_t rows)
{
    struct text_buffer text = {0};
    struct recorder *recorder;

    text_add(&text, header);
    for (size_t i = 0; i < rows; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        text_add_print(&text, row, i);
#pragma GCC diagnostic pop
    }
    recorder = record_bytes(text.items, text.count, NULL);
    array_free(&text);
    return recorder;
}

static void expect_limit(const char *row, size_t most, const char *what, const char *option)
{
    struct recorder *recorder = record_rows(row, most);

    cr_expect(recorder->fine, "%zu rows of %s: %s", most, row, recorder->error.text);
    cr_expect_eq(recorded_frames(recorder), (int64_t)most, "%s", row);
    recorder_free(recorder);
    recorder = record_rows(row, most + 1);
    cr_expect(!recorder->fine, "%s", row);
    cr_expect(strstr(recorder->error.text, what) && strstr(recorder->error.text, option), "%s", recorder->error.text);
    recorder_free(recorder);
}

Test(limits, names, .timeout = 120)
{
    expect_limit("b%zu,D,S,r,,16,16\n", IMPORT_MOST_NAMES, "different builds", "--build");
    expect_limit("b,D%zu,S,r,,16,16\n", IMPORT_MOST_NAMES, "different devices", "--map device_model=COLUMN");
    expect_limit("b,D,S%zu,r,,16,16\n", IMPORT_MOST_NAMES, "different scenes", "split the file");
    expect_limit("b,D,S,r%zu,,16,16\n", IMPORT_MOST_RUNS, "different runs", "--run");
}

Test(limits, texts, .timeout = 120)
{
    expect_limit("b,D,S,r,e%zu,16,16\n", IMPORT_MOST_TEXTS - 4, "different texts", "event_name=none");
}

/* The first column repeats as often as it likes. */
Test(limits, many_frames_are_no_matter)
{
    struct recorder *recorder = record_rows("b,D,S,r,,16,16\n", 60000);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    recorder_free(recorder);
}

Test(limits, all_that_is_missing_is_named_at_once)
{
    static const char *const words[] = {"build_id", "device_model", "--build", "--device", "--scene", "line 2"};
    struct recorder *recorder = record_text("timestamp_ms,frame_time_ms\n16,16\n32,16\n", NULL);

    cr_assert(!recorder->fine);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cr_expect(strstr(recorder->error.text, words[i]), "%s in %s", words[i], recorder->error.text);
    recorder_free(recorder);
    recorder = record_text("scene,build_id,timestamp_ms,frame_time_ms\nS,b,16,16\nS,b,32,16\n", NULL);
    cr_expect(strstr(recorder->error.text, "--device") && !strstr(recorder->error.text, "--build"), "%s", recorder->error.text);
    recorder_free(recorder);
}

static struct recorder *record_unit(const char *time, const struct import_options *options)
{
    struct text_buffer text = {0};
    struct recorder *recorder;

    text_add(&text, "build_id,device_model,scene,timestamp_ms,frame_time_ms\n");
    for (int i = 1; i <= 20; i++)
        text_add_print(&text, "b,D,S,%d,%s\n", 17 * i, time);
    recorder = record_bytes(text.items, text.count, options);
    array_free(&text);
    return recorder;
}

Test(limits, seconds_in_a_column_of_milliseconds)
{
    static const char *const maps[] = {"frame_time_s=frame_time_ms"};
    struct import_options options = {.maps = maps, .map_count = 1};
    struct recorder *recorder = record_unit("0.017", NULL);
    int64_t *times;
    size_t count;

    cr_assert(!recorder->fine);
    cr_expect(strstr(recorder->error.text, "frame_time_s=COLUMN"), "%s", recorder->error.text);
    recorder_free(recorder);
    recorder = record_unit("0.017", &options);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    times = recorded_column(recorder, SIZE_MAX, COLUMN_FRAME_TIME, &count);
    cr_assert_eq(count, 20);
    cr_expect_eq(times[7], 17 * NS_PER_MS);
    free(times);
    recorder_free(recorder);
    recorder = record_unit("17000000", NULL); /* nanoseconds */
    cr_expect(!recorder->fine);
    recorder_free(recorder);
    recorder = record_unit("0.9", NULL); /* 1100 FPS: some menus do that */
    cr_expect(recorder->fine, "%s", recorder->error.text);
    recorder_free(recorder);
}

Test(limits, a_mapped_column_must_be_there)
{
    static const char *const wrong[] = {"event_name=Marke"}, *const right[] = {"event_name=EVENT", "cpu_frame_ms=none"};
    struct import_options options = {.maps = wrong, .map_count = 1};
    const char text[] = "build_id,device_model,scene,timestamp_ms,frame_time_ms,Event\nb,D,S,16,16,x\nb,D,S,32,16,\n";
    struct recorder *recorder = record_text(text, &options);

    cr_assert(!recorder->fine);
    cr_expect(strstr(recorder->error.text, "Marke") && strstr(recorder->error.text, "frame_time_ms, Event"), "%s", recorder->error.text);
    recorder_free(recorder);
    options = (struct import_options){.maps = right, .map_count = 2};
    recorder = record_text(text, &options);
    cr_expect(recorder->fine, "%s", recorder->error.text);
    recorder_free(recorder);
}

/* A new name in every line of NDJSON. */
Test(limits, names_of_members)
{
    struct text_buffer text = {0};
    struct recorder *recorder;

    for (int i = 0; i < 5000; i++)
        text_add_print(&text, "{\"k%d\":1,\"build_id\":\"b\",\"device_model\":\"D\",\"scene\":\"S\",\"timestamp_ms\":%d,\"frame_time_ms\":16}\n", i, 16 * i);
    text_add(&text, "{\"gpu_frame_ms\":7,\"build_id\":\"b\",\"device_model\":\"D\",\"scene\":\"S\",\"timestamp_ms\":80000,\"frame_time_ms\":16}\n");
    recorder = record_bytes(text.items, text.count, NULL);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_eq(recorded_frames(recorder), 5001);
    cr_expect_leq(recorder->reading.log->left_out.count, 1000);
    for (size_t i = 0; i < recorder->segments.count; i++) {
        const struct frame_columns *columns = &recorder->segments.items[i].columns;

        if (i + 1 == recorder->segments.count)
            cr_expect_eq(columns->values[COLUMN_GPU][columns->count - 1], 7 * NS_PER_MS);
    }
    recorder_free(recorder);
    array_free(&text);
}
