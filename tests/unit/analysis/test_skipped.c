/* Runs of which frames are left out: pieces of one segment, with a count of what lies between them. */
#include "helper.h"
#include <criterion/criterion.h>

/* Pieces of one frame each, given by stamp and time in ms. */
struct frame_at {
    double stamp, frame;
    int64_t skipped;
};
struct skipping {
    struct frame_piece pieces[8];
    int64_t stamps[8], times[8];
    size_t count;
};

static void make(struct skipping *run, const struct frame_at *frames, size_t count)
{
    run->count = count;
    for (size_t i = 0; i < count; i++) {
        run->stamps[i] = MS(frames[i].stamp);
        run->times[i] = MS(frames[i].frame);
        run->pieces[i] = (struct frame_piece){.segment = 7,
                                              .fps_milli = 60000,
                                              .count = 1,
                                              .first = i,
                                              .skipped = frames[i].skipped,
                                              .frame_ns = &run->times[i],
                                              .stamp_ns = &run->stamps[i]};
    }
}

static void find_windows(struct skipping *run, int64_t gap_ns, struct stutter_windows *ret)
{
    struct frame_indices candidates[8] = {0};
    struct candidate_limits limits;
    struct analysis_settings settings;

    analysis_settings_default(&settings);
    settings.gap_ns = gap_ns;
    limits = candidate_limits_of(NULL, &settings);
    for (size_t i = 0; i < run->count; i++)
        candidates_find(&run->pieces[i], &limits, &settings, &candidates[i]);
    windows_find(run->pieces, candidates, run->count, &limits, &settings, ret);
    for (size_t i = 0; i < run->count; i++)
        free(candidates[i].items);
}

Test(skipped, what_is_left_out_is_no_gap_and_counts_as_frames)
{
    /* 40 frames of 16 ms between: 640 ms, more than a gap of the log may be */
    static const struct frame_at frames[] = {{100, 40, 0}, {790, 50, 40}, {830, 40, 0}};
    struct skipping run;
    struct stutter_windows windows = {0};

    make(&run, frames, 3);
    find_windows(&run, MS(700), &windows);
    cr_assert_eq(windows.count, 1);
    cr_assert_eq(windows.items[0].start_ns, MS(60));
    cr_assert_eq(windows.items[0].end_ns, MS(830));
    cr_assert_eq(windows.items[0].frames, 43);
    cr_assert_eq(windows.items[0].over, 3);
    cr_assert_eq(windows.items[0].peak_frame, 1, "the place in the segment");
    cr_assert_eq(windows.items[0].first_frame, 0);
    cr_assert_eq(windows.items[0].last_frame, 2);
    free(windows.items);
    windows = (struct stutter_windows){0};
    run.pieces[1].skipped = 0; /* then it is a gap */
    find_windows(&run, MS(700), &windows);
    cr_assert_eq(windows.count, 2);
    cr_assert_eq(windows.items[1].first_frame, 1);
    free(windows.items);
}

Test(skipped, an_interval_ends_in_time_among_them)
{
    static const struct frame_at frames[] = {{16, 16, 0}, {32, 16, 0}, {59016, 16, 3000}, {70000, 16, 600}};
    const struct event_mark mark = {0, 1, event_class_of("app_background"), true};
    struct skipping run;
    struct label_spans spans[8] = {0};
    struct label_claims claims = {0};
    struct label_report report;
    struct analysis_settings settings;

    analysis_settings_default(&settings);
    make(&run, frames, 4);
    run.pieces[0].events = &mark;
    run.pieces[0].event_count = 1;
    label_run_claims(run.pieces, 4, &settings, spans, &report, &claims);
    cr_assert_eq(spans[0].count, 0, "the event itself is played");
    cr_assert(spans[1].count == 1 && spans[1].items[0].label == LABEL_PAUSE);
    cr_assert(spans[2].count == 1 && spans[2].items[0].label == LABEL_PAUSE);
    cr_assert_eq(spans[3].count, 0);
    cr_assert_eq(claims.count, 1);
    cr_assert_eq(claims.items[0].first, 1);
    cr_assert_eq(claims.items[0].end, 3);
    cr_assert_eq(claims.items[0].latest_start_ns, MS(60016), "a minute after the event's frame");
    for (size_t i = 0; i < 4; i++)
        free(spans[i].items);
    free(claims.items);
}

Test(skipped, interference_reaches_only_what_follows_directly)
{
    static const struct frame_at frames[] = {{16, 16, 0}, {100, 50, 2}, {150, 50, 0}};
    const struct event_mark mark = {0, 1, event_class_of("screenshot"), true};
    struct skipping run;
    struct label_report report;
    struct analysis_settings settings;

    analysis_settings_default(&settings);
    make(&run, frames, 3);
    run.pieces[0].events = &mark;
    run.pieces[0].event_count = 1;
    for (int64_t skipped = 0; skipped < 3; skipped += 2) {
        struct label_spans spans[8] = {0};

        run.pieces[1].skipped = skipped;
        label_run(run.pieces, 3, &settings, spans, &report);
        cr_assert_eq(spans[0].count, 1);
        cr_assert_eq(spans[1].count, skipped == 0);
        cr_assert_eq(spans[2].count, skipped == 0);
        for (size_t i = 0; i < 3; i++)
            free(spans[i].items);
    }
}
