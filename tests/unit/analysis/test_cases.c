/*
 * Whole runs of the kinds that people reported against other tools: what must come out of all steps together.
 */
#include "helper.h"
#include <criterion/criterion.h>

Test(cases, loading_screen_and_one_stutter)
{
    static const double loading[] = {260, 905, 700, 500, 300, 256, 200, 100};
    struct sample sample = sample_create(488, 16.1);
    for (size_t i = 0; i < 8; i++)
        sample_put(&sample, 241 + i, loading[i]);
    sample_put(&sample, 121, 75);
    sample_event(&sample, 241, 1, "loading_start");
    sample_event(&sample, 248, 2, "loading_end");
    struct stutter_windows windows = sample_windows(&sample);
    struct distribution distribution = sample_distribution(&sample);
    cr_assert(distribution.frames == 480 && distribution.max_ns == MS(75) && distribution.p99_ns == MS(16.1));
    cr_assert(distribution.labelled[LABEL_LOADING].frames == 8);
    cr_assert(distribution.labelled[LABEL_LOADING].ns == MS(3221));
    cr_assert(windows.count == 2 && windows.items[0].label == LABEL_GAMEPLAY &&
              windows.items[0].peak_frame == 120);
    cr_assert(windows.items[1].label == LABEL_LOADING && windows.items[1].over == 8);
    free(windows.items);
    sample_free(&sample);
}

Test(cases, spikes_with_calm_between)
{
    struct sample sample = sample_create(1000, 10);
    for (size_t row = 51; row <= 951; row += 100)
        sample_put(&sample, row, row == 951 ? 500 : 40);
    struct stutter_windows windows = sample_windows(&sample);
    cr_assert(windows.count == 10);
    free(windows.items);
    sample.settings.gap_ns = MS(989.999);
    windows = sample_windows(&sample);
    cr_assert(windows.count == 10);
    free(windows.items);
    sample.settings.gap_ns = MS(990);
    windows = sample_windows(&sample);
    cr_assert(windows.count == 1 && windows.items[0].over == 10 && windows.items[0].peak_ns == MS(500));
    free(windows.items);
    sample_free(&sample);
}

Test(cases, jitter_of_a_microsecond)
{
    struct sample sample = sample_create(600, 16.667);
    for (size_t i = 0; i < 600; i++)
        sample.frame_ns[i] += ((int64_t)(i % 3) - 1) * 1000;
    sample_put(&sample, 401, 50);
    for (int64_t factor = 1050; factor <= 2000; factor += 190)
        for (int64_t z = 3000; z <= 8000; z += 1000) {
            sample.settings.factor_milli = factor;
            sample.settings.z_milli = z;
            struct stutter_windows windows = sample_windows(&sample);
            struct distribution distribution = sample_distribution(&sample);
            cr_assert(distribution.mad_ns == 1000 && distribution.late == 1 && distribution.over == 1);
            cr_assert(windows.count == 1 && windows.items[0].peak_frame == 400);
            free(windows.items);
        }
    sample_free(&sample);
}

Test(cases, restarted_run_begins_with_start_up)
{
    struct sample sample = sample_create(200, 16.05);
    sample_put(&sample, 1, 900);
    struct stutter_windows windows = sample_windows(&sample);
    struct distribution distribution = sample_distribution(&sample);
    cr_assert(distribution.frames == 199 && distribution.max_ns == MS(16.05));
    cr_assert(distribution.labelled[LABEL_START_UP].frames == 1);
    cr_assert(distribution.labelled[LABEL_START_UP].ns == MS(900));
    cr_assert(windows.count == 1 && windows.items[0].label == LABEL_START_UP);
    free(windows.items);
    sample_free(&sample);
}

/* The clock goes back by 250 ms, or forward by an hour, between two slow frames. */
Test(cases, clock_steps)
{
    static const double steps[] = {-250, 3600000};
    for (size_t i = 0; i < 2; i++) {
        struct sample sample = sample_create(300, 16);
        struct frame_piece pieces[2];
        struct frame_indices candidates[2] = {0};
        struct stutter_windows windows = {0};
        struct hole_figures holes[2];
        struct candidate_limits limits = candidate_limits_of(NULL, &sample.settings);
        sample_put(&sample, 150, 60);
        sample_put(&sample, 151, 70);
        sample_restamp(&sample, 150, sample.stamp_ns[149] + MS(steps[i]));
        for (size_t k = 0; k < 2; k++) {
            pieces[k] = sample_piece(&sample);
            pieces[k].count = 150;
            pieces[k].frame_ns += 150 * k;
            pieces[k].stamp_ns += 150 * k;
            pieces[k].broken = k == 1;
            candidates_find(&pieces[k], &limits, &sample.settings, &candidates[k]);
        }
        windows_find(pieces, candidates, 2, &limits, &sample.settings, &windows);
        holes_find(pieces, 2, holes);
        cr_assert(windows.count == 2);
        for (size_t k = 0; k < 2; k++) {
            cr_assert(windows.items[k].end_ns - windows.items[k].start_ns == windows.items[k].peak_ns);
            cr_assert(holes[k].gaps == 0 && holes[k].tested == 149);
            free(candidates[k].items);
        }
        free(windows.items);
        sample_free(&sample);
    }
}

/* One stutter of five runs at one event, and the baseline's largest frame there, which was no window. */
Test(cases, worked_example)
{
    static const double peaks[] = {92.4, 71.0, 88.2, 64.9, 16};
    struct stutter stutter = {.runs = 5};
    for (size_t run = 0; run < 5; run++) {
        struct sample sample = sample_create(3000, 16);
        sample_event(&sample, 1000, 7, "boss_spawn");
        sample_put(&sample, 1001, peaks[run]);
        struct stutter_windows windows = sample_windows(&sample);
        cr_assert(windows.count == (run < 4));
        if (windows.count == 1) {
            cr_assert(windows.items[0].event == 7 && windows.items[0].event_offset_ns == MS(16));
            stutter.runs_hit++;
            stutter.peak_ns =
                stutter.peak_ns > windows.items[0].peak_ns ? stutter.peak_ns : windows.items[0].peak_ns;
        }
        free(windows.items);
        sample_free(&sample);
    }
    cr_assert_float_eq(stutter_severity(&stutter, 1.4), 103.488, 1e-9);

    struct sample baseline = sample_create(3000, 16);
    struct event_tally tally = {0};
    sample_event(&baseline, 1000, 7, "boss_spawn");
    sample_put(&baseline, 1001, 31.6);
    struct frame_piece piece = sample_piece(&baseline);
    events_tally(&piece, 1, &tally);
    cr_assert(sample_windows(&baseline).count == 0);
    cr_assert(tally.count == 2 && tally.items[1].event == 7 && tally.items[1].peak_ns == MS(31.6));
    cr_assert(stutter.peak_ns - tally.items[1].peak_ns == MS(60.8));
    free(tally.items);
    sample_free(&baseline);
}
