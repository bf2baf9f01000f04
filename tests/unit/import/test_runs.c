#include "recorder.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define MS NS_PER_MS

/* CSV text from frames of one context is the shortest way to a whole import. */
static void add_rows(struct text_buffer *text, double first_stamp, int count, const char *run,
                     const char *scene, double step)
{
    for (int i = 0; i < count; i++)
        text_add_print(text, "%.3f,16,P,b,%s,%s\n", first_stamp + step * i, scene, run);
}

static struct recorder *take(struct text_buffer *text)
{
    char *whole = text_take(text);
    struct recorder *recorder = record_text(whole, NULL);

    free(whole);
    return recorder;
}

static struct text_buffer begin(void)
{
    struct text_buffer text = {0};

    text_add(&text, "timestamp_ms,frame_time_ms,device_model,build_id,scene,run_id\n");
    return text;
}

Test(runs, fall_to_the_start_begins_a_new_run)
{
    struct text_buffer text = begin();
    struct recorder *recorder;

    add_rows(&text, 16, 200, "s1", "A", 16);
    add_rows(&text, 16, 100, "s1", "A", 16);
    add_rows(&text, 900, 100, "s1", "A", 16); /* first stamp 16: 900 is below 1016 */
    recorder = take(&text);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorder->runs.count, 3);
    cr_assert_str_eq(recorder->runs.items[0].name, "s1");
    cr_assert_str_eq(recorder->runs.items[1].name, "s1#2");
    cr_assert_str_eq(recorder->runs.items[2].name, "s1#3");
    cr_assert_eq(recorded_figures(recorder, 0).frames, 200);
    cr_assert_eq(recorded_figures(recorder, 1).frames, 100);
    cr_assert(recorded_note(recorder, "line 202"));
    recorder_free(recorder);
}

Test(runs, other_falls_are_steps_of_the_clock)
{
    struct text_buffer text = begin();
    struct recorder *recorder;

    add_rows(&text, 5000, 200, "s1", "A", 16); /* ends at 8184 */
    add_rows(&text, 7950, 100, "s1", "A", 16); /* 250 ms less than 8200 */
    recorder = take(&text);
    cr_assert_eq(recorder->runs.count, 1);
    cr_assert_eq(recorder->segments.count, 2);
    cr_assert(!recorder->segments.items[0].broken);
    cr_assert(recorder->segments.items[1].broken);
    cr_assert_eq(recorder->segments.items[1].visit, 0); /* the same visit */
    cr_assert_eq(recorder->runs.items[0].measures.clock_steps, 1);
    cr_assert_eq(recorder->runs.items[0].measures.gaps, 0);
    cr_assert_eq(recorder->runs.items[0].measures.holes_tested, 298);
    cr_assert(recorded_note(recorder, "-250 ms before line 202 (frame 201"));
    cr_assert(strstr(recorder->runs.items[0].notes, "-250 ms"));
    recorder_free(recorder);
}

Test(runs, counter_of_32_bits_wraps)
{
    struct text_buffer text = begin();
    struct recorder *recorder;
    size_t count;
    int64_t *stamps;

    add_rows(&text, 4294967296.0 - 1600, 100, "s1", "A", 16); /* ends at 2^32 - 16 */
    add_rows(&text, 0, 100, "s1", "A", 16);
    recorder = take(&text);
    cr_assert_eq(recorder->runs.count, 1);
    cr_assert_eq(recorder->segments.count, 1);
    stamps = recorded_column(recorder, 0, COLUMN_STAMP, &count);
    cr_assert_eq(count, 200);
    for (size_t i = 1; i < count; i++)
        cr_assert_eq(stamps[i] - stamps[i - 1], 16 * MS, "%zu", i);
    cr_assert_eq(recorder->runs.items[0].measures.gaps, 0);
    free(stamps);
    recorder_free(recorder);
}

Test(runs, gaps_and_jumps)
{
    struct text_buffer text = begin();
    struct recorder *recorder;
    const struct assembled_measures *measures;

    add_rows(&text, 2000, 100, "s1", "A", 16);   /* ends at 3584 */
    add_rows(&text, 4100, 100, "s1", "A", 16);   /* hole 4100 - 16 - 3584 = 500: no gap */
    add_rows(&text, 6201, 100, "s1", "A", 16);   /* 5684: hole 501: gap */
    add_rows(&text, 3607801, 50, "s1", "A", 16); /* 7785: hole 3600000: gap and jump */
    recorder = take(&text);
    measures = &recorder->runs.items[0].measures;
    cr_assert_eq(recorder->runs.count, 1);
    cr_assert_eq(measures->gaps, 2);
    cr_assert_eq(measures->gap_ns, (501 + 3600000) * MS);
    cr_assert_eq(measures->holes_tested, 349);
    cr_assert_eq(measures->holes_wide, 3);
    cr_assert(recorded_note(recorder, "+3600000 ms before line 302"));
    recorder_free(recorder);
}

Test(runs, holes_between_sampled_rows_are_wide)
{
    struct text_buffer text = begin();
    struct recorder *recorder;

    add_rows(&text, 100, 60, "s1", "A", 24);  /* holes of 8: exactly half of 16: not wide */
    add_rows(&text, 2000, 60, "s1", "A", 25); /* 9: wide */
    recorder = take(&text);
    cr_assert_eq(recorder->runs.items[0].measures.holes_tested, 119);
    cr_assert_eq(recorder->runs.items[0].measures.holes_wide, 59 + 1);
    recorder_free(recorder);
}

Test(runs, wrong_units_of_stamps_are_noticed)
{
    static const struct {
        double first, step;
    } units[] = {{0.016, 0.016}, {16000, 16000}, {16e6, 16e6}};

    for (size_t i = 0; i < 3; i++) {
        struct text_buffer text = begin();
        struct recorder *recorder;
        size_t count;
        int64_t *stamps;

        add_rows(&text, units[i].first, 100, "s1", "A", units[i].step);
        add_rows(&text, units[i].first + 100 * units[i].step, 100, "s1", "B", units[i].step);
        recorder = take(&text);
        cr_assert(recorder->fine, "%s", recorder->error.text);
        stamps = recorded_column(recorder, 0, COLUMN_STAMP, &count);
        cr_assert_eq(count, 200);
        cr_assert_eq(stamps[0], 16 * MS, "unit %zu", i);
        cr_assert_eq(stamps[199], 3200 * MS);
        cr_assert(recorded_note(recorder, "unit"));
        cr_assert_eq(recorder->runs.items[0].measures.gaps, 0);
        free(stamps);
        recorder_free(recorder);
    }
}

Test(runs, rescaling_does_not_see_restarts_and_holes)
{
    struct text_buffer text = begin();
    struct recorder *recorder;

    add_rows(&text, 16, 100, "s1", "A", 16);
    add_rows(&text, 1605000, 100, "s1", "A", 16); /* one hole makes the span nearly 500 times the frames */
    recorder = take(&text);
    cr_assert(!recorded_note(recorder, "unit"));
    cr_assert_eq(recorder->runs.items[0].measures.gaps, 1);
    recorder_free(recorder);
}

Test(runs, visits_and_targets)
{
    struct recorder *recorder =
        record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene,quality_level,target_fps\n"
                    "10,10,P,b,A,High,60\n20,10,P,b,A,High,60\n30,10,P,b,A,High,30\n40,10,P,b,A,Low,30\n"
                    "50,10,P,b,B,Low,30\n60,10,P,b,A,High,abc\n",
                    NULL);
    static const int64_t visits[] = {0, 0, 1, 2, 3}, targets[] = {60000, 30000, 30000, 30000, VALUE_UNKNOWN};

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorder->segments.count, 5);
    for (size_t i = 0; i < 5; i++) {
        cr_assert_eq(recorder->segments.items[i].visit, visits[i], "%zu", i);
        cr_assert_eq(recorder->segments.items[i].target_fps_milli, targets[i], "%zu", i);
    }
    cr_assert(recorded_note(recorder, "abc"));
    recorder_free(recorder);
}

Test(runs, options_win_over_the_file_and_complete_it)
{
    struct import_options options = {.context = {[CONTEXT_BUILD] = "given"}};
    struct recorder *recorder;

    options.context[CONTEXT_TARGET_FPS] = "45";
    options.context[CONTEXT_SAMPLE_EVERY] = "6";
    options.context[CONTEXT_KEPT_OVER_MS] = "33.3";
    recorder = record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene,log_url\n"
                           "10,10,P,b,A,\n20,10,P,b,A,\n30,10,P,b,A,http://log/1\n",
                           &options);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_str_eq(recorder->runs.items[0].build, "given");
    cr_assert_eq(recorder->runs.items[0].facts.target_fps_milli, 45000);
    cr_assert_eq(recorder->runs.items[0].facts.sample_every, 6);
    cr_assert_eq(recorder->runs.items[0].facts.kept_over_ns, 33300000);
    cr_assert_str_eq(recorder->runs.items[0].log_url, "http://log/1"); /* the last line knew it */
    recorder_free(recorder);
    options.context[CONTEXT_TARGET_FPS] = "fast";
    recorder = record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene\n10,10,P,b,A\n", &options);
    cr_assert(!recorder->fine);
    cr_assert_eq(recorder->error.code, ERROR_USAGE);
    cr_assert(strstr(recorder->error.text, "--fps"));
    recorder_free(recorder);
}

Test(runs, missing_context_is_named_with_its_option)
{
    struct recorder *recorder =
        record_text("timestamp_ms,frame_time_ms,device_model,scene\n10,10,P,A\n", NULL);

    cr_assert(!recorder->fine);
    cr_assert(strstr(recorder->error.text, "build_id") && strstr(recorder->error.text, "--build"), "%s",
              recorder->error.text);
    recorder_free(recorder);
    recorder = record_text(
        "timestamp_ms,frame_time_ms,device_model,build_id,scene\n10,10,P,b,A\n20,10,P,b,\n", NULL);
    cr_assert(recorder->fine);
    cr_assert_eq(recorded_frames(recorder), 1);
    cr_assert_eq(recorded_rejects(recorder, REJECT_NO_CONTEXT), 1);
    recorder_free(recorder);
}

Test(runs, anonymous_runs_per_build_and_device)
{
    struct recorder *recorder = record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene\n"
                                            "10,10,P,b1,A\n10,10,Q,b1,A\n10,10,P,b2,A\n20,10,P,b1,A\n",
                                            NULL);

    cr_assert_eq(recorder->runs.count, 3);
    cr_assert_eq(recorded_figures(recorder, 0).frames, 2);
    recorder_free(recorder);
}

/* 300 runs, row by row in turn: the same frames as one after the other, in memory that does not grow with
 * them. */
Test(runs, interleaved_rows)
{
    enum { RUNS = 300, FRAMES = 2500 };
    struct text_buffer text = begin();
    struct recorder *recorder;
    bool several = false;

    for (int i = 0; i < FRAMES; i++) {
        for (int run = 0; run < RUNS; run++)
            text_add_print(&text, "%d,16,P,b,%s,r%d\n", 16 * (i + 1), i < 1000 ? "A" : "B", run);
    }
    recorder = take(&text);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorder->runs.count, RUNS);
    for (size_t run = 0; run < RUNS; run += 37) {
        size_t count;
        int64_t *stamps = recorded_column(recorder, run, COLUMN_STAMP, &count);

        cr_assert_eq(count, FRAMES);
        for (size_t i = 0; i < count; i++)
            cr_assert_eq(stamps[i], (int64_t)(i + 1) * 16 * MS);
        free(stamps);
    }
    for (size_t i = 0; i < recorder->segments.count; i++) {
        const struct recorded_segment *segment = &recorder->segments.items[i];

        cr_assert_eq(segment->visit, strcmp(segment->scene, "A") == 0 ? 0 : 1);
        several = several || segment->columns.count < 1000;
    }
    cr_assert(several, "750 000 frames must not all wait in memory");
    recorder_free(recorder);
}

Test(runs, extreme_numbers_do_no_harm)
{
    struct recorder *recorder = record_text("timestamp_ns,frame_time_ms,device_model,build_id,scene\n"
                                            "9223372036854775807,16,P,b,A\n-9223372036854775807,16,P,b,A\n"
                                            "4000000000000000000,16,P,b,A\n-4000000000000000000,16,P,b,A\n"
                                            "3999999999999999999,100000000,P,b,A\n16,9223372036854,P,b,A\n",
                                            NULL);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_rejects(recorder, REJECT_BAD_STAMP), 2);
    cr_assert_eq(recorded_rejects(recorder, REJECT_TOO_LARGE), 1);
    cr_assert_eq(recorded_frames(recorder), 3);
    recorder_free(recorder);
}
