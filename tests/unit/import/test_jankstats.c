#include "recorder.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define MS INT64_C(1000000)

static const struct import_options no_scene = {.context = {[CONTEXT_BUILD] = "b1", [CONTEXT_DEVICE] = "d"}};

static const char newest[] =
    "--------- beginning of main\n"
    "01-02 03:04:05.678  1234  1250 V Jank: FrameData(frameStartNanos=5000000000, "
    "frameDurationUiNanos=4000000, "
    "frameDurationCpuNanos=9000000, frameDurationTotalNanos=12000000, frameOverrunNanos=-4000000, "
    "isJank=false, "
    "states=[RecyclerView: Dragging, Activity: Main])\n"
    "01-02 03:04:05.695  1234  1250 V Jank: FrameData(frameStartNanos=5016000000, "
    "frameDurationUiNanos=40000000, "
    "frameDurationCpuNanos=50000000, frameDurationTotalNanos=9222602686413166853, "
    "frameOverrunNanos=9222602686413166853, "
    "isJank=true, states=[Activity: Main])\n"
    "01-02 03:04:05.700  1234  1250 D Other: isJank=true\n"
    "01-02 03:04:05.800  1234  1250 V Jank: FrameData(frameStartNanos=5032000000, frameDurationUiNanos=0, "
    "frameDurationCpuNanos=0, frameDurationTotalNanos=0, frameOverrunNanos=0, isJank=false, "
    "states=[Activity: Main])\n";

Test(jankstats, lines_of_logcat)
{
    struct recorder *recorder = record_text(newest, &no_scene);
    int64_t *times, *stamps, *cpu, *events;
    size_t count;

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_str_eq(recorder->reading.format->name, "jankstats");
    cr_expect_str_eq(recorder->reading.log->version, "Android 12 or later");
    times = recorded_column(recorder, 0, COLUMN_FRAME_TIME, &count);
    stamps = recorded_column(recorder, 0, COLUMN_STAMP, &count);
    cpu = recorded_column(recorder, 0, COLUMN_CPU, &count);
    events = recorded_column(recorder, 0, COLUMN_EVENT, &count);
    cr_assert_eq(count, 2);
    cr_expect_eq(times[0], 12 * MS);
    cr_expect_eq(times[1], 50 * MS, "a total of left-over memory is not taken");
    cr_expect_eq(stamps[0], 5012 * MS);
    cr_expect_eq(cpu[0], 9 * MS);
    cr_expect_str_eq(dictionary_text(recorder->texts, (uint32_t)events[0]), "RecyclerView: Dragging");
    cr_expect_eq(events[1], VALUE_UNKNOWN);
    cr_expect_str_eq(recorder->segments.items[0].scene, "Main");
    cr_expect_eq(recorded_rejects(recorder, REJECT_UNFINISHED), 1);
    cr_expect_not(recorder->runs.items[0].facts.tests_holes);
    free(times);
    free(stamps);
    free(cpu);
    free(events);
    recorder_free(recorder);
}

Test(jankstats, old_frames_and_repeated_ones)
{
    struct recorder *recorder = record_text(
        "FrameData(frameStartNanos=1000000000, frameDurationUiNanos=20000000, isJank=true, states=[])\n"
        "FrameData(frameStartNanos=1100000000, frameDurationUiNanos=30000000, isJank=true, states=[])\n"
        "[FrameData(frameStartNanos=1100000000, frameDurationUiNanos=30000000, isJank=true, states=[]), "
        "FrameData(frameStartNanos=1200000000, frameDurationUiNanos=40000000, isJank=true, states=[])]\n",
        &some_context);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_eq(recorded_frames(recorder), 3);
    cr_expect_eq(recorded_rejects(recorder, REJECT_DUPLICATE), 1);
    cr_expect(recorded_note(recorder, "All frames of this log are janky"));
    cr_expect_str_eq(recorder->reading.log->version, "before Android 7");
    recorder_free(recorder);
}

Test(jankstats, a_cut_line_is_no_frame)
{
    static const char text[] = "FrameData(frameStartNanos=1000000000, frameDurationUiNanos=20000000, "
                               "isJank=true, states=[scene: Arena])\n"
                               "FrameData(frameStartNanos=1100000000, frameDurationUiNanos=30000000, "
                               "isJank=true, states=[scene: Arena])\n";
    size_t first = (size_t)(strchr(text, '\n') - text) + 1;

    for (size_t size = first + 1; size < sizeof text - 1; size++) {
        struct recorder *recorder = record_bytes(text, size, &no_scene);

        cr_assert(recorder->fine, "%s", recorder->error.text);
        cr_expect_eq(recorded_frames(recorder), size + 1 == sizeof text - 1 ? 2 : 1, "cut at %zu", size);
        cr_expect(recorded_note(recorder, "cut"), "cut at %zu", size);
        recorder_free(recorder);
    }
}
