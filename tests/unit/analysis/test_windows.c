#include "helper.h"
#include <criterion/criterion.h>
#include <math.h>

static void check_window(const struct stutter_window *window, double start, double end, double peak,
                         int64_t over)
{
    cr_assert(window->start_ns == MS(start), "start %ld", (long)window->start_ns);
    cr_assert(window->end_ns == MS(end), "end %ld", (long)window->end_ns);
    cr_assert(window->peak_ns == MS(peak), "peak %ld", (long)window->peak_ns);
    cr_assert(window->over == over, "over %ld", (long)window->over);
}

Test(windows, check_of_the_definitions)
{
    const int64_t frame_ns[] = {MS(17), MS(40), MS(55), MS(50)}, stamp_ns[] = {0, MS(100), MS(300), MS(900)};
    struct analysis_settings settings;
    analysis_settings_default(&settings);
    settings.rule = RULE_BUDGET;
    struct frame_piece piece = {.segment = 5,
                                .run = 3,
                                .scene = 2,
                                .quality = 4,
                                .fps_milli = 60000,
                                .count = 4,
                                .frame_ns = frame_ns,
                                .stamp_ns = stamp_ns};
    struct candidate_limits limits = candidate_limits_of(NULL, &settings);
    struct frame_indices candidates = {0};
    struct stutter_windows windows = {0};
    candidates_find(&piece, &limits, &settings, &candidates);
    windows_find(&piece, &candidates, 1, &limits, &settings, &windows);
    cr_assert(windows.count == 2);
    check_window(&windows.items[0], 60, 300, 55, 2);
    check_window(&windows.items[1], 850, 900, 50, 1);
    cr_assert(windows.items[0].run == 3 && windows.items[0].scene == 2 && windows.items[0].quality == 4);
    cr_assert(windows.items[0].segment == 5 && windows.items[0].peak_frame == 2);
    cr_assert(windows.items[0].peak_stamp_ns == MS(300));
    cr_assert(windows.items[0].frames == 2 && windows.items[1].frames == 1);
    cr_assert(windows.items[0].excess_ns == MS(95) - 2 * 16667000);
    cr_assert(windows.items[0].limit_ns == 33333333 && windows.items[0].budget_ns == 16667000);
    cr_assert(isnan(windows.items[0].z) && windows.items[0].cpu_at_peak_ns == VALUE_UNKNOWN);
    cr_assert(windows.items[0].event == 0 && windows.items[0].event_offset_ns == VALUE_UNKNOWN);
    free(candidates.items);
    free(windows.items);
}

Test(windows, merge_gap_is_inclusive)
{
    struct sample sample = sample_create(200, 20);
    sample_put(&sample, 50, 100);
    sample_put(&sample, 76, 100); /* 25 good frames of 20 ms between: 500 ms */
    struct stutter_windows windows = sample_windows(&sample);
    cr_assert(windows.count == 1 && windows.items[0].frames == 27 && windows.items[0].over == 2);
    free(windows.items);
    sample_put(&sample, 60, 20.001);
    windows = sample_windows(&sample);
    cr_assert(windows.count == 2);
    free(windows.items);
    sample_free(&sample);
}

Test(windows, earliest_of_equal_peaks)
{
    struct sample sample = sample_create(200, 16);
    sample_put(&sample, 50, 80);
    sample_put(&sample, 55, 80);
    sample_put(&sample, 58, 60);
    struct stutter_windows windows = sample_windows(&sample);
    cr_assert(windows.count == 1 && windows.items[0].peak_frame == 49);
    cr_assert(windows.items[0].first_frame == 49 && windows.items[0].last_frame == 57);
    cr_assert(windows.items[0].excess_ns == MS(220) - 3 * 16667000);
    free(windows.items);
    sample_free(&sample);
}

/* Forty frames of 40 ms, spikes with good frames between, a freeze of 1.2 s, a slow last frame. */
Test(windows, merging_and_extent)
{
    struct sample sample = sample_create(600, 16);
    for (size_t row = 101; row <= 109; row += 2)
        sample_put(&sample, row, 70);
    sample_put(&sample, 201, 1200);
    for (size_t row = 301; row <= 340; row++)
        sample_put(&sample, row, 40);
    sample_put(&sample, 600, 90);
    struct stutter_windows windows = sample_windows(&sample);
    cr_assert(windows.count == 4);
    check_window(&windows.items[0], 1600, 1600 + 5 * 70 + 4 * 16, 70, 5);
    double freeze = 1600 + 5 * 70 + 4 * 16 + 91 * 16;
    check_window(&windows.items[1], freeze, freeze + 1200, 1200, 1);
    double slow = freeze + 1200 + 99 * 16;
    check_window(&windows.items[2], slow, slow + 1600, 40, 40);
    double last = slow + 1600 + 259 * 16;
    check_window(&windows.items[3], last, last + 90, 90, 1);
    cr_assert(windows.items[1].excess_ns == MS(1200) - 16667000);
    free(windows.items);
    sample_free(&sample);
}

Test(windows, pause_hole_and_freeze)
{
    struct sample sample = sample_create(601, 16);
    sample_put(&sample, 301, 45016.4);
    sample_event(&sample, 300, 1, "app_background");
    sample_event(&sample, 301, 2, "app_foreground");
    struct stutter_windows windows = sample_windows(&sample);
    struct distribution distribution = sample_distribution(&sample);
    cr_assert(windows.count == 0);
    cr_assert(distribution.frames == 600 && distribution.max_ns == MS(16));
    cr_assert(distribution.labelled[LABEL_PAUSE].frames == 1);
    cr_assert(distribution.labelled[LABEL_PAUSE].ns == MS(45016.4));

    sample.mark_count = 0; /* the same as a hole in the stamps */
    sample_put(&sample, 301, 16);
    sample_restamp(&sample, 300, sample.stamp_ns[299] + MS(45000));
    windows = sample_windows(&sample);
    cr_assert(windows.count == 0);
    struct frame_piece piece = sample_piece(&sample);
    struct hole_figures holes;
    holes_find(&piece, 1, &holes);
    cr_assert(holes.tested == 600 && holes.gaps == 1 && holes.gap_ns == MS(45000) && holes.wide == 1);

    sample_put(&sample, 301, 4200); /* a freeze without a mark is one */
    windows = sample_windows(&sample);
    cr_assert(windows.count == 1 && windows.items[0].peak_ns == MS(4200));
    cr_assert(sample_distribution(&sample).max_ns == MS(4200));
    free(windows.items);
    sample_free(&sample);
}

Test(windows, none_spans_a_gap)
{
    struct sample sample = sample_create(100, 16);
    sample.settings.gap_ns = MS(10000);
    sample_put(&sample, 50, 100);
    sample_put(&sample, 53, 100);
    sample_restamp(&sample, 51, sample.stamp_ns[50] + MS(500)); /* a hole of exactly 500 ms is none */
    struct stutter_windows windows = sample_windows(&sample);
    cr_assert(windows.count == 1);
    free(windows.items);
    sample_restamp(&sample, 51, sample.stamp_ns[50] + MS(500) + 1);
    windows = sample_windows(&sample);
    cr_assert(windows.count == 2);
    free(windows.items);
    sample_free(&sample);
}

Test(windows, locked_frame_times)
{
    struct sample sample = sample_create(600, 16.667);
    cr_assert(sample_windows(&sample).count == 0);
    for (size_t row = 101; row <= 501; row += 200)
        sample_put(&sample, row, 50);
    struct stutter_windows windows = sample_windows(&sample);
    struct distribution distribution = sample_distribution(&sample);
    cr_assert(distribution.mad_ns == 0 && distribution.over == 3 && distribution.late == 3);
    cr_assert(windows.count == 3 && windows.items[0].floor_used);
    cr_assert_float_eq(windows.items[0].z, 0.6745 * (50 - 16.667) / 0.5, 1e-9);
    free(windows.items);
    sample.settings.mad_floor_ns = 0; /* the divisor is 0: the threshold alone decides */
    windows = sample_windows(&sample);
    cr_assert(windows.count == 3 && isnan(windows.items[0].z) && !windows.items[0].floor_used);
    free(windows.items);
    sample_free(&sample);
}

/* 33.33 is under 2 x 16.667; 33.334 is over, but no frame stands out. */
Test(windows, locked_at_half_rate)
{
    struct sample sample = sample_create(600, 33.33);
    cr_assert(sample_windows(&sample).count == 0);
    cr_assert(sample_distribution(&sample).over == 0);
    sample_free(&sample);
    sample = sample_create(600, 33.334);
    cr_assert(sample_distribution(&sample).over == 600);
    cr_assert(sample_windows(&sample).count == 0);
    sample.settings.rule = RULE_BUDGET;
    struct stutter_windows windows = sample_windows(&sample);
    cr_assert(windows.count == 1 && windows.items[0].frames == 600);
    free(windows.items);
    sample_free(&sample);
}

Test(windows, few_frames_are_judged_by_the_threshold)
{
    struct sample sample = sample_create(29, 40);
    struct stutter_windows windows = sample_windows(&sample);
    cr_assert(windows.count == 1 && windows.items[0].over == 29 && isnan(windows.items[0].z));
    free(windows.items);
    sample_free(&sample);
    sample = sample_create(30, 40);
    cr_assert(sample_windows(&sample).count == 0);
    sample_free(&sample);
}

Test(windows, labels_never_merge)
{
    struct sample sample = sample_create(300, 16);
    sample_put(&sample, 1, 812);
    sample_put(&sample, 2, 96);
    sample_put(&sample, 4, 70); /* not leading: gameplay */
    sample_event(&sample, 100, 1, "loading_start");
    sample_put(&sample, 99, 80);
    sample_put(&sample, 100, 260);
    sample_put(&sample, 101, 260);
    sample_event(&sample, 102, 2, "loading_end");
    sample_put(&sample, 103, 90);
    struct stutter_windows windows = sample_windows(&sample);
    static const enum frame_label labels[] = {LABEL_START_UP, LABEL_GAMEPLAY, LABEL_GAMEPLAY, LABEL_LOADING,
                                              LABEL_GAMEPLAY};
    static const int64_t over[] = {2, 1, 1, 2, 1};
    cr_assert(windows.count == 5);
    for (size_t i = 0; i < 5; i++)
        cr_assert(windows.items[i].label == labels[i] && windows.items[i].over == over[i], "window %zu", i);
    cr_assert(windows.items[3].event == 1 && isnan(windows.items[3].z),
              "labelled windows are named by their events");
    cr_assert(windows.items[2].event == 0 && windows.items[2].event_after == 1);
    cr_assert(windows.items[4].event == 0, "loading events name no gameplay window");
    cr_assert(windows.items[4].event_before == 2);
    free(windows.items);
    sample_free(&sample);
}

Test(windows, event_on_the_peak_frame)
{
    struct sample sample = sample_create(300, 16);
    sample_put(&sample, 100, 50);
    sample_put(&sample, 102, 90);
    sample_event(&sample, 95, 7, "wave_start");
    sample_event(&sample, 100, 8, "explosion");
    sample_event(&sample, 102, 9, "boss_spawn");
    sample_event(&sample, 120, 10, "ui_open");
    struct stutter_windows windows = sample_windows(&sample);
    cr_assert(windows.count == 1 && windows.items[0].event == 9);
    cr_assert(windows.items[0].event_offset_ns == -MS(66), "begins 50 + 16 ms into the window");
    cr_assert(windows.items[0].event_before == 7 && windows.items[0].event_after == 10);
    free(windows.items);
    sample_free(&sample);
}

Test(windows, first_event_inside)
{
    struct sample sample = sample_create(300, 16);
    sample_put(&sample, 100, 90);
    sample_put(&sample, 106, 50);
    sample_event(&sample, 99, 7, "wave_start");
    sample_event(&sample, 103, 8, "explosion");
    sample_event(&sample, 104, 9, "boss_spawn");
    struct stutter_windows windows = sample_windows(&sample);
    cr_assert(windows.count == 1 && windows.items[0].event == 8);
    free(windows.items);
    sample_free(&sample);
}

Test(windows, last_occurrence_before)
{
    struct sample sample = sample_create(400, 20);
    sample_put(&sample, 300, 90);
    sample_event(&sample, 200, 7, "boss_spawn"); /* starts exactly 2000 ms before the window */
    struct stutter_windows windows = sample_windows(&sample);
    cr_assert(windows.count == 1 && windows.items[0].event == 7 &&
              windows.items[0].event_offset_ns == MS(2000));
    sample.mark_count = windows.count = 0;
    sample_event(&sample, 199, 7, "boss_spawn");
    free(windows.items);
    windows = sample_windows(&sample);
    cr_assert(windows.items[0].event == 0 && windows.items[0].event_before == 7);
    sample_event(&sample, 250, 8, "explosion");
    sample_event(&sample, 290, 9, "screenshot"); /* says nothing about gameplay */
    free(windows.items);
    windows = sample_windows(&sample);
    cr_assert(windows.items[0].event == 8 && windows.items[0].event_offset_ns == MS(1000));
    cr_assert(windows.items[0].event_before == 9);
    free(windows.items);
    sample_free(&sample);
}

Test(windows, an_occurrence_began_at_its_first_frame)
{
    struct sample sample = sample_create(400, 20);
    sample_put(&sample, 300, 90);
    for (size_t row = 150; row <= 299; row++)
        sample_event(&sample, row, 7, "boss_fight");
    struct stutter_windows windows = sample_windows(&sample);
    cr_assert(windows.items[0].event == 0, "it began 3000 ms before");
    sample_event(&sample, 300, 7, "boss_fight");
    free(windows.items);
    windows = sample_windows(&sample);
    cr_assert(windows.items[0].event == 7 && windows.items[0].event_offset_ns == MS(3000));
    free(windows.items);
    sample_free(&sample);
}

/* Visits and clock steps close windows; a change of budget does not. */
Test(windows, pieces)
{
    struct sample sample = sample_create(200, 16);
    sample_put(&sample, 99, 90);
    sample_put(&sample, 102, 95);
    struct event_mark mark = {90, 4, 0, true};
    for (int kind = 0; kind < 3; kind++) {
        struct frame_piece pieces[2] = {sample_piece(&sample), sample_piece(&sample)};
        pieces[0].count = pieces[1].count = 100;
        pieces[0].events = &mark;
        pieces[0].event_count = 1;
        pieces[1].frame_ns += 100;
        pieces[1].stamp_ns += 100;
        pieces[1].segment = 2;
        pieces[1].visit = kind == 0;
        pieces[1].broken = kind == 1;
        pieces[1].fps_milli = 30000;
        struct candidate_limits limits = candidate_limits_of(NULL, &sample.settings);
        struct frame_indices candidates[2] = {0};
        struct stutter_windows windows = {0};
        for (size_t i = 0; i < 2; i++)
            candidates_find(&pieces[i], &limits, &sample.settings, &candidates[i]);
        windows_find(pieces, candidates, 2, &limits, &sample.settings, &windows);
        cr_assert(windows.count == (kind == 2 ? 1 : 2), "kind %d", kind);
        struct stutter_window *last = &windows.items[windows.count - 1];
        cr_assert(last->segment == 2 && last->peak_frame == 1 && last->limit_ns == 66666666);
        cr_assert(last->event == (kind == 0 ? 0 : 4), "events of another visit do not count, kind %d", kind);
        if (kind == 2) {
            cr_assert(last->first_frame == 0 && last->last_frame == 1 && last->frames == 4);
            cr_assert(last->excess_ns == MS(90) - 16667000 + MS(95) - 33333000);
            cr_assert(last->event_offset_ns == MS(8 * 16));
        }
        for (size_t i = 0; i < 2; i++)
            free(candidates[i].items);
        free(windows.items);
    }
    sample_free(&sample);
}

/*
 * A plain second implementation: all pairs. Two candidates are linked when the later one starts at most `gap`
 * after the end of the earlier one and no frame between them is a candidate of another label or follows a
 * gap; windows are what hangs together. No clock steps here, so that the end of the last candidate is the end
 * of the window.
 */
static size_t count_plain(const struct sample *sample, const struct frame_indices *candidates,
                          size_t *ret_first)
{
    size_t windows = 0;
    for (size_t k = 0; k < candidates->count; k++) {
        bool linked = false;
        for (size_t i = 0; i < k; i++) {
            size_t a = candidates->items[i], b = candidates->items[k];
            bool ok =
                sample->stamp_ns[b] - sample->frame_ns[b] <= sample->stamp_ns[a] + sample->settings.gap_ns;
            for (size_t m = i; m < k; m++)
                ok = ok && label_at(&sample->spans, candidates->items[m]) == label_at(&sample->spans, b);
            for (size_t f = a + 1; f <= b; f++)
                ok = ok && sample->stamp_ns[f] - sample->frame_ns[f] - sample->stamp_ns[f - 1] <= 500000000;
            linked = linked || ok;
        }
        if (!linked)
            ret_first[windows++] = candidates->items[k];
    }
    return windows;
}

Test(windows, equal_a_plain_second_implementation)
{
    static const char *const names[] = {"boss_spawn", "screenshot", "loading_start", "loading_end",
                                        "explosion"};
    uint64_t random = 2024;
    for (int round = 0; round < 60; round++) {
        struct sample sample = sample_create(1500, 16);
        size_t *first = calloc(sample.count, sizeof *first);
        sample.settings.gap_ns = MS(next_random(&random) % 2 ? 500.0 : 1500.0);
        for (size_t i = 0; i < sample.count; i++) {
            uint64_t kind = next_random(&random) % 200;
            if (kind < 8)
                sample.frame_ns[i] = MS(30 + (double)(next_random(&random) % 200));
            if (kind == 8) {
                size_t name = next_random(&random) % 5;
                sample_event(&sample, i + 1, (int64_t)name + 1, names[name]);
            }
        }
        sample_restamp(&sample, 0, 0);
        for (int hole = 0; hole < 6; hole++) {
            size_t at = next_random(&random) % (sample.count - 1) + 1;
            sample_restamp(&sample, at, sample.stamp_ns[at - 1] + MS((double)(next_random(&random) % 1200)));
        }
        struct stutter_windows windows = sample_windows(&sample);
        struct frame_piece piece = sample_piece(&sample);
        struct distribution distribution = sample_distribution(&sample);
        struct candidate_limits limits = candidate_limits_of(&distribution, &sample.settings);
        struct frame_indices candidates = {0};
        candidates_find(&piece, &limits, &sample.settings, &candidates);
        size_t expected = count_plain(&sample, &candidates, first);
        cr_assert(windows.count == expected, "round %d: %zu windows, not %zu", round, windows.count,
                  expected);
        int64_t over = 0;
        for (size_t i = 0; i < windows.count; i++) {
            const struct stutter_window *window = &windows.items[i];
            cr_assert(window->first_frame == (int64_t)first[i]);
            cr_assert(window->start_ns == sample.stamp_ns[first[i]] - sample.frame_ns[first[i]]);
            cr_assert(window->end_ns > window->start_ns && window->peak_ns > 33333000);
            over += window->over;
        }
        cr_assert(over == (int64_t)candidates.count);
        free(candidates.items);
        free(windows.items);
        free(first);
        sample_free(&sample);
    }
}
