#include "recorder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS NS_PER_MS
#define V1                                                                                                   \
    "Application,ProcessID,SwapChainAddress,Runtime,Dropped,TimeInSeconds,MsBetweenPresents,"                \
    "MsBetweenDisplayChange,MsInPresentAPI,MsUntilDisplayed\n"
#define V2                                                                                                   \
    "Application,ProcessID,SwapChainAddress,FrameType,CPUStartQPC,FrameTime,CPUBusy,CPUWait,GPUBusy,"        \
    "DisplayLatency,DisplayedTime\n"

static int64_t value(const struct recorder *recorder, enum frame_column column, size_t frame)
{
    size_t count;
    int64_t *values = recorded_column(recorder, SIZE_MAX, column, &count), result = values[frame];

    cr_assert_lt(frame, count);
    free(values);
    return result;
}

static const char v1[] = V1 "dwm.exe,1,0x1,DXGI,0,0.010,8,8,1,9\n"
                            "dwm.exe,1,0x1,DXGI,0,0.018,8,8,1,9\n"
                            "dwm.exe,1,0x1,DXGI,0,0.026,8,8,1,9\n"
                            "game.exe,2,0x2,DXGI,0,1.016,16,16,2.5,20\n"
                            "game.exe,2,0x2,DXGI,1,1.024,8,0,3,0\n"
                            "game.exe,2,0x2,DXGI,0,1.032,8,16.5,3,21\n";

Test(presentmon, version_1_by_presents)
{
    struct recorder *recorder = record_text(v1, &some_context);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_str_eq(recorder->reading.log->chosen_stream,
                     "game.exe|2|0x2"); /* not dwm, though it has more rows */
    cr_assert_eq(recorder->reading.log->streams.count, 2);
    cr_assert_eq(recorded_frames(recorder), 3);
    cr_assert_eq(recorded_rejects(recorder, REJECT_OTHER_STREAM), 3);
    cr_assert_str_eq(recorder->runs.items[0].interval, "present");
    cr_assert_eq(recorder->runs.items[0].measures.dropped, 1);
    cr_assert_eq(recorder->runs.items[0].measures.rejected, 0);
    cr_assert_eq(value(recorder, COLUMN_STAMP, 0), 1016 * MS); /* the present ends the frame */
    cr_assert_eq(value(recorder, COLUMN_FRAME_TIME, 1), 8 * MS);
    cr_assert_eq(value(recorder, COLUMN_FLAGS, 1), FRAME_DROPPED);
    cr_assert_eq(value(recorder, COLUMN_FLAGS, 2), 0);
    cr_assert_eq(value(recorder, COLUMN_DISPLAY, 1), VALUE_UNKNOWN);
    cr_assert_eq(value(recorder, COLUMN_DISPLAY, 2), 16500000);
    cr_assert_eq(value(recorder, COLUMN_CPU, 0), VALUE_UNKNOWN);
    cr_assert_eq(value(recorder, COLUMN_CPU, 1), 5500000); /* 8 - 2.5 of the row before */
    recorder_free(recorder);
}

/* "cat a.csv b.csv": the header of the second one begins with a byte order mark; and what a spreadsheet saves. */
Test(presentmon, a_second_recording_with_its_mark)
{
    static const char text[] = "sep=;\n" V1 "game.exe,2,0x2,DXGI,0,1.016,16,16,2.5,20\ngame.exe,2,0x2,DXGI,0,1.032,16,16,2.5,20\n\xEF\xBB\xBF" V1
                               "game.exe,2,0x2,DXGI,0,7.010,10,10,2.5,20\n";
    char semicolons[sizeof text];
    struct recorder *recorder = record_text(text + 6, &some_context);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_eq(recorded_frames(recorder), 3);
    cr_expect_eq(recorded_rejects(recorder, REJECT_OTHER_STREAM), 0);
    cr_expect_not(recorded_note(recorder, "local time"));
    recorder_free(recorder);
    for (size_t i = 0; i < sizeof text; i++)
        semicolons[i] = text[i] == ',' ? ';' : text[i] == '.' ? ',' : text[i];
    recorder = record_text(semicolons, &some_context);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_eq(recorded_frames(recorder), 3);
    cr_expect_eq(value(recorder, COLUMN_STAMP, 0), 1016 * MS);
    recorder_free(recorder);
}

Test(presentmon, version_1_by_display)
{
    struct import_options options = some_context;
    struct recorder *recorder;

    options.interval = "display";
    recorder = record_text(v1, &options);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), 2);
    cr_assert_eq(recorded_rejects(recorder, REJECT_NOT_DISPLAYED), 1);
    cr_assert_str_eq(recorder->runs.items[0].interval, "display");
    cr_assert_eq(value(recorder, COLUMN_FRAME_TIME, 1), 16500000);
    cr_assert_eq(value(recorder, COLUMN_DISPLAY, 1), 8 * MS);
    cr_assert_eq(value(recorder, COLUMN_STAMP, 1), (1032 + 21) * MS);
    recorder_free(recorder);
}

Test(presentmon, stream_by_key_glob_and_process)
{
    static const char *const wanted[] = {"dwm.exe|1|0x1", "DWM*", "dwm.exe"};
    struct import_options options = some_context;
    struct recorder *recorder;

    for (size_t i = 0; i < 3; i++) {
        options.stream = wanted[i];
        recorder = record_text(v1, &options);
        cr_assert(recorder->fine, "%s", recorder->error.text);
        cr_assert_str_eq(recorder->reading.log->chosen_stream, "dwm.exe|1|0x1");
        cr_assert_eq(recorded_frames(recorder), 3);
        recorder_free(recorder);
    }
    options.stream = "other.exe";
    recorder = record_text(v1, &options);
    cr_assert(!recorder->fine);
    cr_assert(strstr(recorder->error.text, "game.exe|2|0x2 (3 rows)"), "%s", recorder->error.text);
    recorder_free(recorder);
}

/* 10 MHz ticks; the stamp is the start of the frame there, the end here. */
static const char v2[] = V2 "g,2,0x2,Application,10000000,16,10,6,7.5,30,16.5\n"
                            "g,2,0x2,Intel XeSS-FG,10000000,NA,NA,NA,NA,38,8\n"
                            "g,2,0x2,Application,10160000,20,14,6,7.5,NA,NA\n"
                            "g,2,0x2,Repeated,10360000,16,10,6,7.5,30,16\n"
                            "g,2,0x2,Application,10360000,16,10,6,7.5,30,16\n"
                            "g,2,0x2,Application,10520000,16,10,6,7.5,30,16\n"
                            "g,2,0x2,Application,10680000,16,10,6,7.5,30,16\n";

Test(presentmon, version_2_by_presents)
{
    struct recorder *recorder = record_text(v2, &some_context);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), 5);
    cr_assert_eq(recorded_rejects(recorder, REJECT_REPEATED), 1);
    cr_assert_eq(recorder->reading.log->rejected, 2); /* the generated one has no frame time */
    cr_assert_eq(value(recorder, COLUMN_STAMP, 0), 1016 * MS);
    cr_assert_eq(value(recorder, COLUMN_STAMP, 1), 1036 * MS);
    cr_assert_eq(value(recorder, COLUMN_CPU, 1), 14 * MS);
    cr_assert_eq(value(recorder, COLUMN_GPU, 0), 7500000);
    cr_assert_eq(recorder->runs.items[0].measures.dropped, 1);
    cr_assert_eq(recorder->runs.items[0].measures.holes_wide, 0);
    recorder_free(recorder);
}

Test(presentmon, frame_time_of_the_beta_is_busy_plus_wait)
{
    struct recorder *recorder =
        record_text("Application,ProcessID,SwapChainAddress,CPUStartQPC,CPUBusy,CPUWait,DisplayedTime\n"
                    "g,1,0x1,0,10.5,6.25,16\ng,1,0x1,167500,10,6,0.0000\n",
                    &some_context);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(value(recorder, COLUMN_FRAME_TIME, 0), 16750000);
    cr_assert_eq(value(recorder, COLUMN_STAMP, 0), 16750000);
    cr_assert_eq(value(recorder, COLUMN_FLAGS, 1), FRAME_DROPPED);
    recorder_free(recorder);
}

Test(presentmon, cpu_start_in_milliseconds_or_seconds)
{
    for (int seconds = 0; seconds < 2; seconds++) {
        char text[2000] = "Application,ProcessID,SwapChainAddress,CPUStartTime,FrameTime\n";
        struct recorder *recorder;

        for (int i = 0; i < 20; i++)
            sprintf(text + strlen(text), "g,1,0x1,%.4f,16\n", 16.0 * i / (seconds ? 1000 : 1));
        recorder = record_text(text, &some_context);
        cr_assert(recorder->fine, "%s", recorder->error.text);
        cr_assert_eq(value(recorder, COLUMN_STAMP, 0), 16 * MS);
        cr_assert_eq(value(recorder, COLUMN_STAMP, 19), 320 * MS);
        recorder_free(recorder);
    }
}

/* Four significant digits: 1145 of 3500 stamps were equal in a real file. */
Test(presentmon, coarse_stamps_are_integrated)
{
    char text[4000] = V1;
    struct recorder *recorder;

    for (int i = 0; i < 40; i++)
        sprintf(text + strlen(text), "g,1,0x1,DXGI,0,%.1f,16.5,16.5,1,20\n", 100.0 + 0.0165 * i);
    recorder = record_text(text, &some_context);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert(recorded_note(recorder, "coarse"));
    cr_assert_eq(value(recorder, COLUMN_STAMP, 39) - value(recorder, COLUMN_STAMP, 0), 39 * 16500000);
    cr_assert_eq(recorder->runs.items[0].measures.holes_tested, 0);
    recorder_free(recorder);
}

Test(presentmon, ocat_tells_the_system_in_its_first_row)
{
    struct import_options options = {.context = {[CONTEXT_BUILD] = "b"}};
    struct recorder *recorder =
        record_text("Application,ProcessID,SwapChainAddress,Dropped,TimeInSeconds,MsBetweenPresents,"
                    "Motherboard,OS,Processor,GPU,Comment\n"
                    "m.exe,1,0x1,0,0.010,10,\"Board, Inc.\",\"Windows 10 (1809)\",i9,RTX,Tunnel\n"
                    "m.exe,1,0x1,0,0.020,10\n",
                    &options);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), 2);
    cr_assert_str_eq(recorder->reading.log->version, "OCAT");
    cr_assert_str_eq(recorder->runs.items[0].os, "Windows 10 (1809)");
    cr_assert_str_eq(recorder->runs.items[0].device, "i9 / RTX");
    cr_assert_str_eq(recorder->segments.items[0].scene, "Tunnel");
    recorder_free(recorder);
}

Test(presentmon, capframex_remarks)
{
    struct import_options options = {.context = {[CONTEXT_BUILD] = "b"}};
    struct recorder *recorder =
        record_text("//GameName=re.exe\n//CreationDate=2019-03-30\n//CreationTime=12:01:36\n//OS=Windows\n"
                    "//Processor=i9\n//GPU=RTX\n//Comment=Hall\n" V1
                    "g,1,0x1,DXGI,0,0.010,10,10,1,20\ng,1,0x1,DXGI,0,0.020,10,10,1,2",
                    &options);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_str_eq(recorder->reading.log->version, "CapFrameX");
    cr_assert_str_eq(recorder->segments.items[0].scene, "Hall");
    cr_assert_eq(recorder->runs.items[0].facts.started_at_ms,
                 1553947296000); /* date -u -d 2019-03-30T12:01:36 */
    cr_expect(recorded_note(recorder, "start time of the run is said without its zone"));
    recorder_free(recorder);
}

/* --date_time: no zeros before month, day and hour; a minute ends between the rows. */
Test(presentmon, stamps_that_are_dates)
{
    static const char *const headers[] = {"TimeInSeconds,MsBetweenPresents", "TimeInDateTime,MsBetweenPresents", "CPUStartDateTime,FrameTime"};

    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        bool is_start = i == 2;
        char text[600];
        struct recorder *recorder;

        snprintf(text, sizeof text,
                 "Application,ProcessID,SwapChainAddress,%s\n<unknown>,1,0x1,2024-5-1 9:03:59.990000001,16\n"
                 "<unknown>,1,0x1,2024-5-1 9:04:00.006000001,16\n<unknown>,1,0x1,2024-5-1 9:04:00.022000001,16\n"
                 "<unknown>,1,0x1,2024-13-1 9:04:00.038,16\n"
                 "<unknown>,1,0x1,9999-12-1 9:04:00.038,16\n",
                 headers[i]);
        recorder = record_text(text, &some_context);
        cr_assert(recorder->fine, "%s: %s", headers[i], recorder->error.text);
        cr_assert_eq(recorded_frames(recorder), 3, "%s", headers[i]);
        cr_assert_eq(recorded_rejects(recorder, REJECT_BAD_STAMP), 2, "%s", headers[i]);
        /* date -u -d 2024-05-01T09:03:59 is 1714554239 */
        cr_expect_eq(value(recorder, COLUMN_STAMP, 0), 1714554239990000001 + (is_start ? 16 * MS : 0), "%s", headers[i]);
        cr_expect_eq(value(recorder, COLUMN_STAMP, 1) - value(recorder, COLUMN_STAMP, 0), 16 * MS, "%s", headers[i]);
        cr_expect(recorded_note(recorder, "local time of the computer, without its zone"), "%s", headers[i]);
        recorder_free(recorder);
    }
}

/* Frame generation: every other row was shown only, and tells nothing of the application. */
static const char generated[] =
    "Application,ProcessID,SwapChainAddress,FrameType,CPUStartTime,FrameTime,CPUBusy,CPUWait,GPUBusy,DisplayLatency,DisplayedTime\n"
    "g,1,0x1,Application,1000,20,15,5,8,30,10\ng,1,0x1,AMD_AFMF,NA,NA,NA,NA,NA,NA,10\n"
    "g,1,0x1,Application,1020,20,15,5,8,30,10\ng,1,0x1,AMD_AFMF,NA,NA,NA,NA,NA,NA,10\n"
    "g,1,0x1,Application,1040,20,15,5,8,30,10\n";

Test(presentmon, generated_rows_without_times)
{
    struct import_options options = some_context;
    struct recorder *recorder = record_text(generated, &options);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_eq(recorded_frames(recorder), 3);
    cr_expect_eq(recorded_rejects(recorder, REJECT_GENERATED), 2);
    recorder_free(recorder);
    options.interval = "display";
    recorder = record_text(generated, &options);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), 5); /* all were on the screen, one after the other */
    for (size_t i = 0; i < 5; i++) {
        cr_expect_eq(value(recorder, COLUMN_FRAME_TIME, i), 10 * MS);
        cr_expect_eq(value(recorder, COLUMN_STAMP, i), (1040 + 10 * (int64_t)i) * MS); /* 1000 + 30 + 10, … */
    }
    recorder_free(recorder);
}

/* PresentMon and FrameView quote nothing: commas in names move the fields behind them. */
Test(presentmon, names_with_commas)
{
    struct import_options options = {.context = {[CONTEXT_BUILD] = "b", [CONTEXT_SCENE] = "s"}};
    struct recorder *recorder = record_text(V1 "my,own,game.exe,2,0x2,DXGI,0,1.016,16,16,2.5,20\n"
                                               "my,own,game.exe,2,0x2,DXGI,0,1.032,16,16,2.5,20\n"
                                               "other.exe,3,0x2,DXGI,0,1.032,7,7,2.5,20,,\n",
                                            &some_context);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_str_eq(recorder->reading.log->chosen_stream, "my,own,game.exe|2|0x2");
    cr_assert_eq(recorded_frames(recorder), 2);
    cr_expect_eq(value(recorder, COLUMN_FRAME_TIME, 1), 16 * MS);
    cr_expect_eq(value(recorder, COLUMN_STAMP, 1), 1032 * MS);
    recorder_free(recorder);
    recorder = record_text("Application,GPU,CPU,Resolution,ProcessID,SwapChainAddress,Dropped,TimeInSeconds,MsBetweenPresents\n"
                           "g.exe,RADV, Mesa,Ryzen,1x1,2,0x2,0,1.016,16\ng.exe,RADV, Mesa,Ryzen,1x1,2,0x2,0,1.032,16\n",
                           &options);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_str_eq(recorder->runs.items[0].device, "Ryzen / RADV, Mesa");
    cr_assert_eq(recorded_frames(recorder), 2);
    cr_expect_eq(value(recorder, COLUMN_FRAME_TIME, 1), 16 * MS);
    recorder_free(recorder);
}
