/* Anybody's logger: columns and units by the words of the names and the first values. */
#include "recorder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ten frames of 16, 17, 16, 17 … ms: stamps and times multiplied and written with these formats. */
static char *log_text(const char *header, const char *row, double stamp_factor, double time_factor)
{
    char *text = malloc(4096), *at = text + sprintf(text, "%s\n", header);
    double stamp = 0;

    for (int i = 0; i < 10; i++) {
        double ms = 16 + i % 2;

        stamp += ms;
        at += sprintf(at, row, stamp * stamp_factor, ms * time_factor);
        *at++ = '\n';
    }
    *at = '\0';
    return text;
}

static void expect_frames(char *text, const char *note)
{
    struct recorder *recorder = record_text(text, &some_context);
    int64_t *times, *stamps;
    size_t count;

    cr_assert(recorder->fine, "%s: %s", text, recorder->error.text);
    times = recorded_column(recorder, SIZE_MAX, COLUMN_FRAME_TIME, &count);
    stamps = recorded_column(recorder, SIZE_MAX, COLUMN_STAMP, &count);
    cr_assert_eq(count, 10, "%s", text);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(times[i], (16 + (int64_t)i % 2) * NS_PER_MS, "%s: %lld", text, (long long)times[i]);
    cr_assert_eq(stamps[9] - stamps[0], 149 * NS_PER_MS, "%s: %lld", text, (long long)(stamps[9] - stamps[0]));
    cr_assert(recorded_note(recorder, "Guessed from the names"), "%s", text);
    cr_assert(recorded_note(recorder, note), "%s: no note with %s", text, note);
    free(times);
    free(stamps);
    recorder_free(recorder);
    free(text);
}

Test(guess, units_in_names)
{
    expect_frames(log_text("time_s,frameTime(ms)", "%.6f,%.3f", 1e-3, 1), "frame_time_ms=\"frameTime(ms)\"");
    expect_frames(log_text("elapsed ms,dt_us", "%.3f,%.0f", 1, 1000), "frame_time_us=\"dt_us\"");
    expect_frames(log_text("Timestamp [ns];Frame Time [s]", "%.0f;%.6f", 1e6, 1e-3), "frame_time_s=\"Frame Time [s]\"");
    expect_frames(log_text("ElapsedTime (\xC2\xB5s)\tDeltaSeconds", "%.0f\t%.6f", 1e3, 1e-3), "frame_time_s=\"DeltaSeconds\"");
    expect_frames(log_text("t in seconds|delta seconds", "%.6f|%.6f", 1e-3, 1e-3), "timestamp_s");
}

Test(guess, units_by_values)
{
    expect_frames(log_text("time,frametime", "%.6f,%.6f", 1e-3, 1e-3), "frame_time_s=\"frametime\" (the unit by the values)");
    expect_frames(log_text("time,frametime", "%.6f,%.3f", 1e-3, 1), "timestamp_s=\"time\" (the unit by the values)");
    expect_frames(log_text("time,frametime", "%.0f,%.0f", 1e6, 1e3), "timestamp_ns");
    expect_frames(log_text("time,dt", "%.0f,%.0f", 1e3, 1e6), "frame_time_ns");
}

/* The name is wrong by 1000, and the values say so. */
Test(guess, names_that_lie)
{
    expect_frames(log_text("time,frameTime(ms)", "%.6f,%.6f", 1e-3, 1e-3), "were read as s");
    expect_frames(log_text("time_ms,dt_ms", "%.3f,%.0f", 1, 1000000), "were read as ns");
}

Test(guess, context_and_other_columns)
{
    struct recorder *recorder = record_text("Build,Device,Level,Quality,Time (s),Frame Time (ms),CPU Time (ms),GPU (ms),CPU %,fps,Marker\n"
                                            "b7,Pixel 8,Cave,High,0.016,16,9,7,35,60,\n"
                                            "b7,Pixel 8,Cave,High,0.033,17,10,8,35,60,boss\n",
                                            NULL);
    int64_t *values;
    size_t count;

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_str_eq(recorder->runs.items[0].build, "b7");
    cr_assert_str_eq(recorder->segments.items[0].scene, "Cave");
    cr_assert_str_eq(recorder->segments.items[0].quality, "High");
    values = recorded_column(recorder, SIZE_MAX, COLUMN_CPU, &count);
    cr_assert_eq(values[1], 10 * NS_PER_MS);
    free(values);
    values = recorded_column(recorder, SIZE_MAX, COLUMN_GPU, &count);
    cr_assert_eq(values[1], 8 * NS_PER_MS);
    free(values);
    values = recorded_column(recorder, SIZE_MAX, COLUMN_EVENT, &count);
    cr_assert_str_eq(dictionary_text(recorder->texts, (uint32_t)values[1]), "boss");
    free(values);
    cr_assert_eq(recorder->reading.log->left_out.count, 2); /* the share of the CPU and the 1 Hz value are no times */
    recorder_free(recorder);
}

Test(guess, no_time_stamps)
{
    struct recorder *recorder = record_text("n,dt_ms\n1,16\n2,17\n3,Nov\n4,16\n", &some_context);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), 3);
    cr_assert_eq(recorded_rejects(recorder, REJECT_NOT_A_NUMBER), 1);
    cr_assert(recorded_note(recorder, "order only"));
    recorder_free(recorder);
    /* A clock on the wall is no number. */
    recorder = record_text("time,dt_ms\n02:10:00.1,16\n02:10:00.2,17\n", &some_context);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), 2);
    cr_assert(recorded_note(recorder, "holds no numbers"));
    recorder_free(recorder);
}

Test(guess, header_again_and_decimal_comma)
{
    struct recorder *recorder =
        record_text("Zeit;dt [s]\n1;0,016\n2;0,017\n\nZeit;dt [s]\n3;0,018\n", &some_context);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), 3);
    cr_assert_eq(recorder->reading.log->rejected, 0);
    recorder_free(recorder);
}

/* A number of a frame, or frames per second, is no frame time; nor is a column without a name for it. */
Test(guess, nothing_is_invented)
{
    static const char *const texts[] = {"time,fps\n1,60\n2,60\n", "frame_ms,timestamp_ms\n16,16\n", "frame,value\n1,16.6\n",
                                        "cpu,gpu\n16,10\n"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct recorder *recorder = record_text(texts[i], &some_context);

        cr_assert(!recorder->fine, "%s", texts[i]);
        cr_assert(strstr(recorder->error.text, "frame_time_ms"), "%s", recorder->error.text);
        recorder_free(recorder);
    }
}

Test(guess, maps_win)
{
    static const char *const maps[] = {"frame_time_ms=value", "timestamp_s=dt"};
    struct import_options options = some_context;
    struct recorder *recorder;

    options.maps = maps;
    options.map_count = 2;
    recorder = record_text("dt,value\n1,16\n2,17\n", &options);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorder->segments.items[0].columns.values[COLUMN_FRAME_TIME][1], 17 * NS_PER_MS);
    cr_assert_eq(recorder->segments.items[0].columns.values[COLUMN_STAMP][1], 2 * NS_PER_S);
    recorder_free(recorder);
}

/* A title, facts and a blank line stand before the table; and prose that only speaks of it. */
Test(guess, a_header_behind_other_lines)
{
    static const char *const texts[] = {"Smoothness Logger 2.1\n\ntimestamp_ms,frame_time_ms\n16,16\n32,16\n",
                                        "Logger;2.1\nDevice;Pixel 8\n\nTime (ms);Frame Time (ms);note\n16,0;16,0;x\n32,0;16,0;y\n"};
    struct recorder *recorder;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        recorder = record_text(texts[i], &some_context);
        cr_assert(recorder->fine, "%s", recorder->error.text);
        cr_expect_eq(recorded_frames(recorder), 2);
        cr_expect_eq(recorded_figures(recorder, SIZE_MAX).sum, 32 * (int64_t)NS_PER_MS);
        cr_expect(recorded_note(recorder, i == 0 ? "The header is in line 3" : "The header is in line 4"));
        recorder_free(recorder);
    }
    recorder = record_text("Notes, of all kinds\nEvery row has timestamp_ms, frame_time_ms\nand so on, of course\n", &some_context);
    cr_expect_not(recorder->fine);
    cr_expect_eq(recorder->error.code, ERROR_FOREIGN, "%s", recorder->error.text);
    recorder_free(recorder);
}
