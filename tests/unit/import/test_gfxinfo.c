#include "recorder.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MS    INT64_C(1000000)
#define START INT64_C(1000000000000)

static const char top[] = "Applications Graphics Acceleration Info:\nUptime: 1 Realtime: 1\n\n";
static const char old_header[] =
    "Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,AnimationStart,"
    "PerformTraversalsStart,"
    "DrawStart,SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,"
    "QueueBufferDuration,\n";
static const char new_header[] = "Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,"
                                 "HandleInputStart,AnimationStart,PerformTraversalsStart,"
                                 "DrawStart,FrameDeadline,FrameInterval,FrameStartTime,SyncQueued,SyncStart,"
                                 "IssueDrawCommandsStart,SwapBuffers,"
                                 "FrameCompleted,DequeueBufferDuration,QueueBufferDuration,GpuCompleted,"
                                 "SwapBuffersCompleted,DisplayPresentTime,"
                                 "CommandSubmissionCompleted,\n";
static const char newest_header[] =
    "Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,HandleInputStart,AnimationStart,"
    "PerformTraversalsStart,"
    "DrawStart,FrameDeadline,FrameStartTime,FrameInterval,WorkloadTarget,AnimationTime,SyncQueued,SyncStart,"
    "IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,QueueBufferDuration,"
    "GpuCompleted,"
    "SwapBuffersCompleted,DisplayPresentTime,CommandSubmissionCompleted,\n";

static void process(struct text_buffer *text, const char *package)
{
    text_add_print(text, "** Graphics info for pid 10 [%s] **\n\nStats since: 5ns\nProfile data in ms:\n\n",
                   package);
}

static void window(struct text_buffer *text, const char *name, const char *header)
{
    text_add_print(text,
                   "\tx/android.view.ViewRootImpl@7 (visibility=0)\nWindow: %s\nStats since: "
                   "5ns\n\n---PROFILEDATA---\n%s",
                   name, header);
}

static void end_window(struct text_buffer *text)
{
    text_add(text, "---PROFILEDATA---\n\n");
}

static void end_process(struct text_buffer *text)
{
    text_add(text, "View hierarchy:\n\nTotal ViewRootImpl   : 1\n\n");
}

/* Android 8: UI thread 3 ms, render thread 4 ms. */
static void old_row(struct text_buffer *text, int flags, int64_t start, int64_t end)
{
    text_add_print(text,
                   "%d,%" PRId64 ",%" PRId64 ",9223372036854775807,0,%" PRId64 ",1,1,1,%" PRId64 ",%" PRId64
                   ",1,%" PRId64 ",%" PRId64 ",1,1,\n",
                   flags, start, start, start + MS, start + 4 * MS, start + 5 * MS, start + 9 * MS, end);
}

/* Android 12: interval under the name of the start; GPU 2 ms before the end. */
static void new_row(struct text_buffer *text, int flags, int64_t start, int64_t end, int64_t interval)
{
    text_add_print(text,
                   "%d,5,%" PRId64 ",%" PRId64 ",0,%" PRId64 ",1,1,1,%" PRId64 ",%" PRId64 ",%" PRId64
                   ",%" PRId64 ",%" PRId64 ",1,%" PRId64 ",%" PRId64 ",1,1,%" PRId64 ",%" PRId64 ",0,%" PRId64
                   ",\n",
                   flags, start, start, start + MS, start + 20 * MS, start + MS, interval, start + 4 * MS,
                   start + 5 * MS, start + 9 * MS, end, end, end, end - 2 * MS);
}

static struct recorder *record_taken(struct text_buffer *text, const struct import_options *options)
{
    char *plain = text_take(text);
    struct recorder *recorder = record_text(plain, options);

    free(plain);
    return recorder;
}

Test(gfxinfo, frames_end_when_completed)
{
    struct text_buffer text = {0};
    struct recorder *recorder;
    int64_t *stamps, *times, *cpu;
    size_t count;

    text_add(&text, top);
    process(&text, "com.example.game");
    window(&text, "Main", old_header);
    old_row(&text, 0, START, START + 12 * MS);
    old_row(&text, 1, START + 20 * MS, START + 400 * MS);
    old_row(&text, 0, START + 500 * MS, START + 550 * MS);
    end_window(&text);
    end_process(&text);
    recorder = record_taken(&text, &some_context);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_str_eq(recorder->reading.format->name, "gfxinfo");
    cr_expect_str_eq(recorder->reading.log->version, "Android 8 to 11");
    stamps = recorded_column(recorder, 0, COLUMN_STAMP, &count);
    times = recorded_column(recorder, 0, COLUMN_FRAME_TIME, &count);
    cpu = recorded_column(recorder, 0, COLUMN_CPU, &count);
    cr_assert_eq(count, 2);
    cr_expect_eq(times[0], 12 * MS);
    cr_expect_eq(times[1], 50 * MS);
    cr_expect_eq(stamps[1], START + 550 * MS);
    cr_expect_eq(cpu[0], 7 * MS);
    cr_expect_eq(recorded_rejects(recorder, REJECT_OUTSIDE), 1);
    cr_expect_not(recorder->runs.items[0].facts.tests_holes);
    cr_expect_str_eq(recorder->runs.items[0].interval, "duration");
    cr_expect_eq(recorder->segments.items[0].refresh_milli_hz, VALUE_UNKNOWN);
    cr_expect_not(recorded_note(recorder, "cut"));
    free(stamps);
    free(times);
    free(cpu);
    recorder_free(recorder);
}

Test(gfxinfo, overlapping_dumps_give_every_frame_once)
{
    struct text_buffer text = {0};
    struct recorder *recorder;
    struct recorded_figures figures;

    for (int dump = 0; dump < 3; dump++) {
        text_add(&text, top);
        process(&text, "com.example.game");
        window(&text, "Main", new_header);
        /* dump d holds frames 4 d … 4 d + 9; its newest is not finished */
        for (int i = 4 * dump; i < 4 * dump + 10; i++)
            new_row(&text, 0, START + i * 20 * MS,
                    i == 4 * dump + 9 ? 0 : START + i * 20 * MS + (10 + i) * MS, 16666667);
        end_window(&text);
        end_process(&text);
    }
    recorder = record_taken(&text, &some_context);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    figures = recorded_figures(recorder, SIZE_MAX);
    cr_expect_eq(figures.frames, 17); /* 0 … 16; 17 was never finished */
    cr_expect_eq(figures.min, 10 * MS);
    cr_expect_eq(figures.max, 26 * MS);
    cr_expect_eq(recorder->runs.count, 1);
    cr_expect_eq(recorder->runs.items[0].measures.clock_steps, 0);
    cr_expect_eq(recorded_rejects(recorder, REJECT_DUPLICATE), 12);
    cr_expect_eq(recorded_rejects(recorder, REJECT_UNFINISHED), 1);
    recorder_free(recorder);
}

Test(gfxinfo, interval_is_found_under_either_name)
{
    struct text_buffer text = {0};
    struct recorder *recorder;
    int64_t *gpu;
    size_t count;

    process(&text, "com.example.game");
    window(&text, "Main", new_header);
    for (int i = 0; i < 9; i++)
        new_row(&text, 0, START + i * 20 * MS, START + i * 20 * MS + 11 * MS, 8311000 + i);
    end_window(&text);
    end_process(&text);
    recorder = record_taken(&text, &some_context);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    gpu = recorded_column(recorder, 0, COLUMN_GPU, &count);
    cr_expect_eq(gpu[0], 2 * MS);
    free(gpu);
    cr_expect_eq(recorder->segments.count, 1, "jitter of the interval does not cut the visit");
    cr_expect_eq(recorder->segments.items[0].refresh_milli_hz, 120322); /* 1e12 / 8311004 */
    cr_expect(recorded_note(recorder, "120.322 Hz"));
    cr_expect(recorded_note(recorder, "swapped"));
    recorder_free(recorder);

    process(&text, "com.example.game");
    window(&text, "Main", newest_header);
    text_add_print(
        &text, "0,1,%" PRId64 ",1,0,1,1,1,1,1,%" PRId64 ",16666667,1,1,1,1,1,1,%" PRId64 ",1,1,0,0,0,0,\n",
        START, START, START + 9 * MS);
    end_window(&text);
    end_process(&text);
    recorder = record_taken(&text, &some_context);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_str_eq(recorder->reading.log->version, "Android 14 or later");
    cr_expect_eq(recorder->segments.items[0].refresh_milli_hz, 60000);
    cr_expect_not(recorded_note(recorder, "swapped"));
    recorder_free(recorder);
}

Test(gfxinfo, windows_are_streams)
{
    struct text_buffer text = {0};
    struct import_options options = some_context;
    struct recorder *recorder;
    char *plain;

    text_add(&text, top);
    process(&text, "com.android.systemui");
    window(&text, "StatusBar", new_header);
    for (int i = 0; i < 9; i++)
        new_row(&text, 0, START + i * 20 * MS, START + i * 20 * MS + 5 * MS, 16666667);
    end_window(&text);
    end_process(&text);
    process(&text, "com.example.game");
    window(&text, "Menu", new_header);
    for (int i = 0; i < 2; i++)
        new_row(&text, 0, START + i * 20 * MS, START + i * 20 * MS + 7 * MS, 16666667);
    end_window(&text);
    window(&text, "Main", new_header);
    for (int i = 0; i < 4; i++)
        new_row(&text, 0, START + i * 20 * MS, START + i * 20 * MS + 8 * MS, 16666667);
    end_window(&text);
    window(&text, "Empty", new_header);
    end_window(&text);
    end_process(&text);
    plain = text_take(&text);

    recorder = record_text(plain, &options);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_str_eq(recorder->reading.log->chosen_stream, "com.example.game|Main");
    cr_expect_eq(recorded_frames(recorder), 4);
    cr_expect_eq(recorder->reading.log->streams.count, 3);
    cr_expect_eq(recorded_rejects(recorder, REJECT_OTHER_STREAM), 11);
    cr_expect(recorded_note(recorder, "1 of 4 lists of frames are empty"));
    recorder_free(recorder);

    options.stream = "com.example.game|Menu";
    recorder = record_text(plain, &options);
    cr_expect_eq(recorded_frames(recorder), 2);
    recorder_free(recorder);

    options.stream = "com.example.other";
    recorder = record_text(plain, &options);
    cr_expect_not(recorder->fine);
    cr_expect(strstr(recorder->error.text, "com.example.game|Main"));
    recorder_free(recorder);
    free(plain);
}

Test(gfxinfo, a_cut_row_is_no_frame)
{
    struct text_buffer text = {0};
    char *plain;
    size_t length, first_row_end;

    process(&text, "com.example.game");
    window(&text, "Main", new_header);
    new_row(&text, 0, START, START + 11 * MS, 16666667);
    first_row_end = text.count;
    new_row(&text, 0, START + 20 * MS, START + 31 * MS, 16666667);
    length = text.count;
    plain = text_take(&text);
    for (size_t size = first_row_end; size < length; size++) {
        struct recorder *recorder = record_bytes(plain, size, &some_context);

        cr_assert(recorder->fine, "cut at %zu: %s", size, recorder->error.text);
        /* the last byte is the line end, the one before it the comma that closes the row */
        cr_expect_eq(recorded_frames(recorder), size + 1 >= length ? 2 : 1, "cut at %zu", size);
        cr_expect(recorded_note(recorder, "The file is cut"), "cut at %zu", size);
        recorder_free(recorder);
    }
    free(plain);
}

Test(gfxinfo, a_restarted_device_begins_a_new_run)
{
    struct text_buffer text = {0};
    struct recorder *recorder;

    for (int boot = 0; boot < 2; boot++) {
        int64_t start = boot ? START / 10 : START;

        process(&text, "com.example.game");
        window(&text, "Main", new_header);
        for (int i = 0; i < 5; i++)
            new_row(&text, 0, start + i * 20 * MS, start + i * 20 * MS + 11 * MS, 16666667);
        end_window(&text);
        end_process(&text);
    }
    recorder = record_taken(&text, &some_context);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_eq(recorded_frames(recorder), 10);
    cr_expect_eq(recorder->runs.count, 2);
    recorder_free(recorder);
}

Test(gfxinfo, nothing_to_import_says_why)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"No process found for: com.example.game\n", "dump again while the game runs"},
        {"Applications Graphics Acceleration Info:\n\n** Graphics info for pid 3 [a] **\nJanky frames: 0\n",
         "framestats"},
        {"** Graphics info for pid 3 [a] **\nProfile data in "
         "ms:\n\tDraw\tPrepare\tProcess\tExecute\n\t1.0\t2.0\t3.0\t4.0\n",
         "without time stamps"},
        {"** Graphics info for pid 3 [a] "
         "**\n---PROFILEDATA---\nFlags,IntendedVsync,Vsync,FrameCompleted,\n---PROFILEDATA---\n",
         "SurfaceFlinger --latency"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct recorder *recorder = record_text(cases[i].text, &some_context);

        cr_expect_not(recorder->fine);
        cr_expect(strstr(recorder->error.text, cases[i].expected), "%s", recorder->error.text);
        recorder_free(recorder);
    }
}

Test(gfxinfo, before_android_12_windows_are_named_by_their_root)
{
    struct text_buffer text = {0};
    struct recorder *recorder;

    process(&text, "com.example.game");
    for (int i = 0; i < 2; i++) {
        text_add_print(&text, "\tcom.example.game/.Main%d/android.view.ViewRootImpl@1f (visibility=0)\n\n", i);
        text_add_print(&text, "---PROFILEDATA---\n%s", old_header);
        old_row(&text, 0, START, START + 12 * MS);
        if (i == 1)
            old_row(&text, 0, START + 20 * MS, START + 33 * MS);
        end_window(&text);
    }
    end_process(&text);
    recorder = record_taken(&text, &some_context);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_str_eq(recorder->reading.log->chosen_stream, "com.example.game|com.example.game/.Main1");
    cr_expect_eq(recorded_frames(recorder), 2);
    recorder_free(recorder);
}
