#include "recorder.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const char whole[] = "EVENTS,FrameTime,GameThreadTime,RenderThreadTime\n"
                            "Start##0.25;Door,16.5,10.25,12\n"
                            ",20,21.5,12\n"
                            ",17,9,8,3.5,7\n"
                            "EVENTS,FrameTime,GameThreadTime,RenderThreadTime,GPUTime,Stat,Stat\n"
                            "[HasHeaderRowAtEnd],1,[platform],Android,[config],Test,[buildversion],++Game+"
                            "Main-CL-4711,[engineversion],5.4.2,"
                            "[os],Android 14 [API 34] ,[cpu],samsung|SM-S918N|Adreno (TM) "
                            "740,[loginid],abc,[deviceprofile],Android_High,"
                            "[csvid],C0FFEE,[targetframerate],45,[starttimestamp],1700000000,"
                            "[commandline],\" /Game/Maps/Forest?listen -x=\"a, b\"\"\n";

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

static const char *text_at(const struct recorder *r, enum frame_column column, size_t index)
{
    size_t count;
    int64_t *values = recorded_column(r, SIZE_MAX, column, &count);
    const char *text = index < count && values[index] != VALUE_UNKNOWN
                           ? dictionary_text(r->texts, (uint32_t)values[index])
                           : NULL;

    free(values);
    return text;
}

Test(unreal, takes_a_whole_capture)
{
    struct recorder *r = record_text(whole, NULL);
    const struct recorded_run *run;

    cr_assert(r->fine, "%s", r->error.text);
    cr_assert_str_eq(r->reading.format->name, "unreal");
    cr_assert_eq(r->runs.count, 1);
    run = &r->runs.items[0];
    expect_values(r, 0, COLUMN_FRAME_TIME, (int64_t[]){16500000, 20000000, 17000000}, 3);
    expect_values(r, 0, COLUMN_CPU, (int64_t[]){12000000, 21500000, 9000000}, 3);
    expect_values(r, 0, COLUMN_GPU, (int64_t[]){VALUE_UNKNOWN, VALUE_UNKNOWN, 3500000}, 3);
    expect_values(r, 0, COLUMN_STAMP, (int64_t[]){16500000, 36500000, 53500000}, 3);
    cr_expect_str_eq(text_at(r, COLUMN_EVENT, 0), "Start;Door");
    cr_expect_null(text_at(r, COLUMN_EVENT, 1));
    cr_expect_not(run->facts.has_clock);
    cr_expect_str_eq(run->build, "++Game+Main-CL-4711");
    cr_expect_str_eq(run->device, "SM-S918N");
    cr_expect_str_eq(run->os, "Android 14 [API 34]");
    cr_expect_str_eq(run->name, "C0FFEE");
    cr_expect_str_eq(r->segments.items[0].scene, "Forest");
    cr_expect_str_eq(r->segments.items[0].quality, "Android_High");
    cr_expect_eq(run->facts.target_fps_milli, 45000);
    cr_expect_eq(run->facts.started_at_ms, 1700000000000);
    cr_expect_eq(r->reading.log->personal.count, 1);
    cr_expect(recorded_note(r, "Stat"));
    cr_expect(recorded_note(r, "2 events in 1 frame:"));
    recorder_free(r);
}

Test(unreal, a_crashed_capture_is_taken_and_told)
{
    struct recorder *r =
        record_text("EVENTS,FrameTime,GameThreadTime\n,16,10\n,17,11,5,6\n,18,12,5,7\n,1", &some_context);

    cr_assert(r->fine, "%s", r->error.text);
    expect_values(r, 0, COLUMN_FRAME_TIME, (int64_t[]){16000000, 17000000, 18000000}, 3);
    cr_expect(recorded_note(r, "did not finish"));
    cr_expect(recorded_note(r, "cut"));
    cr_expect_eq(recorded_rejects(r, REJECT_SHORT_ROW), 1);
    recorder_free(r);
    r = record_text("EVENTS,FrameTime,GameThreadTime\n,16,10\n", NULL);
    cr_expect_not(r->fine);
    cr_expect_not_null(strstr(r->error.text, "--build"), "%s", r->error.text);
    recorder_free(r);
}

Test(unreal, metadata_may_stand_at_the_start)
{
    struct recorder *r = record_text(
        "[Platform],Windows,[CPU],\"Ryzen 7, 8 cores\",[BuildVersion],b7,[DeviceProfile],W\n"
        "FrameTime,GameThreadTime,EVENTS,MaxFrameTime\n16,10,,33.3333\nnan,1,,33.3333\n17,11,Hit,33.3333\n",
        &some_context);

    cr_assert(r->fine, "%s", r->error.text);
    expect_values(r, 0, COLUMN_FRAME_TIME, (int64_t[]){16000000, 17000000}, 2);
    cr_expect_eq(recorded_rejects(r, REJECT_NOT_FINITE), 1);
    cr_expect_eq(r->runs.items[0].facts.target_fps_milli, 30000);
    cr_expect_str_eq(text_at(r, COLUMN_EVENT, 1), "Hit");
    recorder_free(r);
}

Test(unreal, a_second_capture_is_a_second_run)
{
    char *twice = malloc(sizeof whole * 2);
    struct recorder *r;

    strcpy(twice, whole);
    strcat(twice, whole);
    memcpy(strstr(twice + strlen(whole), "C0FFEE"), "C0FFED", 6);
    r = record_text(twice, NULL);
    cr_assert(r->fine, "%s", r->error.text);
    cr_assert_eq(r->runs.count, 2);
    cr_expect_str_eq(r->runs.items[1].name, "C0FFED");
    cr_expect_eq(recorded_frames(r), 6);
    recorder_free(r);
    free(twice);
}

/* However the file is cut: no crash, and every frame time is one of those that are there. */
Test(unreal, a_cut_at_any_byte_gives_whole_frames_only)
{
    for (size_t size = 0; size < sizeof whole; size++) {
        struct recorder *r = record_bytes(whole, size, &some_context);
        size_t count;
        int64_t *times = recorded_column(r, SIZE_MAX, COLUMN_FRAME_TIME, &count);
        static const int64_t wanted[] = {16500000, 20000000, 17000000};

        cr_assert_leq(count, 3);
        for (size_t i = 0; i < count; i++)
            cr_assert_eq(times[i], wanted[i], "cut at %zu", size);
        if (r->fine && size + 1 < sizeof whole && whole[size - 1] != '\n')
            cr_assert(r->reading.log->notes.count > 1);
        free(times);
        recorder_free(r);
    }
}

Test(unreal, the_binary_variant_is_refused_with_advice)
{
    static const char bytes[] = "\3\0\0\0\tFrameTime\0\0\16GameThreadTime\0\0\0";
    struct recorder *r = record_bytes(bytes, sizeof bytes, &some_context);

    cr_expect_not(r->fine);
    cr_expect_not_null(strstr(r->error.text, "CsvConvert"), "%s", r->error.text);
    recorder_free(r);
}

Test(unreal, reference_files)
{
    char *a = reference_path("cases/13-unreal-csvprofile/a_complete.csv");
    char *b = reference_path("cases/13-unreal-csvprofile/b_capture_not_finished.csv");
    char *real = reference_path("telemetry/ue_csv/ue5.5.4_desktop_deferred_10frames.csv");
    struct recorded_figures figures;
    struct recorder *r;

    if (!a || !b || !real)
        cr_skip_test("no reference data");
    r = record_file(a, &some_context);
    figures = recorded_figures(r, 0);
    cr_expect_eq(figures.frames, 480);
    cr_expect_eq(figures.sum, 7922600000);
    cr_expect_eq(figures.median, 16100000);
    cr_expect_eq(figures.p95, 16300000);
    cr_expect_eq(figures.p99, 52500000);
    cr_expect(recorded_note(r, "ShadowCacheUsageMB"));
    cr_expect(recorded_note(r, "3 events in 2 frames"));
    cr_expect_eq(r->runs.items[0].facts.target_fps_milli, 60000);
    recorder_free(r);
    r = record_file(b, &some_context);
    figures = recorded_figures(r, 0);
    cr_expect_eq(figures.frames, 300);
    cr_expect_eq(figures.sum, 4960500000);
    cr_expect(recorded_note(r, "did not finish"));
    recorder_free(r);
    r = record_file(real, &(struct import_options){.context[CONTEXT_SCENE] = "Editor"});
    cr_assert(r->fine, "%s", r->error.text);
    figures = recorded_figures(r, 0);
    cr_expect_eq(figures.frames, 10);
    cr_expect_eq(figures.sum, 224128400);
    cr_expect_eq(figures.median, 22867150);
    cr_expect_eq(figures.max, 28053400);
    cr_expect_str_eq(r->runs.items[0].device, "AMD Ryzen 9 5900HX with Radeon Graphics");
    cr_expect_str_eq(r->runs.items[0].build, "++UE5+Release-5.5-CL-40574608");
    cr_expect_eq(r->runs.items[0].facts.target_fps_milli, 165000);
    recorder_free(r);
    free(a);
    free(b);
    free(real);
}
