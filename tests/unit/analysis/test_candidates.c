#include "helper.h"
#include <criterion/criterion.h>

Test(candidates, rules)
{
    static const enum candidate_rule rules[] = {RULE_BOTH, RULE_BUDGET, RULE_MAD, RULE_EITHER};
    struct sample sample = sample_create(1000, 30);
    for (size_t row = 1; row <= 1000; row += 2)
        sample_put(&sample, row, 26); /* median 28, MAD 2: z is 3.5 at 38.378 */
    sample_put(&sample, 200, 34);     /* over the threshold only */
    sample_put(&sample, 400, 60);     /* both */
    for (size_t i = 0; i < 4; i++) {
        sample.settings.rule = rules[i];
        struct stutter_windows windows = sample_windows(&sample);
        cr_assert(windows.count == (rules[i] == RULE_BUDGET || rules[i] == RULE_EITHER ? 2 : 1), "rule %zu",
                  i);
        free(windows.items);
    }
    sample.settings.factor_milli = 3000; /* 50 ms */
    sample_put(&sample, 600, 45);        /* z only */
    for (size_t i = 0; i < 4; i++) {
        sample.settings.rule = rules[i];
        struct stutter_windows windows = sample_windows(&sample);
        cr_assert(windows.count == (rules[i] == RULE_MAD || rules[i] == RULE_EITHER ? 2 : 1), "rule %zu", i);
        free(windows.items);
    }
    sample_free(&sample);
}

Test(candidates, z_limit_is_exact)
{
    struct analysis_settings settings;
    uint64_t random = 3;
    analysis_settings_default(&settings);
    for (int i = 0; i < 2000; i++) {
        struct distribution distribution = {.frames = 100, .frames_kept = 100};
        distribution.median_ns = (double)(next_random(&random) % 60000000) / 2;
        distribution.mad_ns = (double)(next_random(&random) % 12000000) / 4;
        settings.z_milli = (int64_t)(next_random(&random) % 9000);
        settings.mad_floor_ns = (int64_t)(next_random(&random) % 2) * 500000;
        struct candidate_limits limits = candidate_limits_of(&distribution, &settings);
        if (!(limits.divisor_ns > 0))
            continue;
        long double divisor = (long double)limits.divisor_ns;
        long double at = 6745.0L * ((long double)limits.z_limit_ns - (long double)limits.median_ns);
        long double below = at - 6745.0L, needed = 10.0L * (long double)settings.z_milli * divisor;
        cr_assert(at >= needed && below < needed);
    }
}

Test(candidates, equal_a_plain_test_of_every_frame)
{
    uint64_t random = 77;
    struct sample sample = sample_create(5000, 16);
    for (size_t i = 0; i < sample.count; i++)
        sample.frame_ns[i] = MS(10) + (int64_t)(next_random(&random) % 50000000);
    sample_event(&sample, 500, 1, "loading_start");
    sample_event(&sample, 700, 1, "loading_end");
    sample_event(&sample, 900, 2, "pause");
    sample_event(&sample, 950, 3, "resume");
    sample_label(&sample);
    struct frame_piece piece = sample_piece(&sample);
    struct distribution distribution = sample_distribution(&sample);
    sample.settings.z_milli = 900;
    struct candidate_limits limits = candidate_limits_of(&distribution, &sample.settings);
    struct frame_indices found = {0};
    candidates_find(&piece, &limits, &sample.settings, &found);
    size_t at = 0;
    for (size_t i = 0; i < sample.count; i++) {
        enum frame_label label = label_at(&sample.spans, i);
        bool over = sample.frame_ns[i] * 60 > 2000000000;
        double z = 0.6745 * ((double)sample.frame_ns[i] - distribution.median_ns) / distribution.mad_ns;
        if (label != LABEL_PAUSE && over && (label != LABEL_GAMEPLAY || z >= 0.9))
            cr_assert(at < found.count && found.items[at++] == i);
    }
    cr_assert(at == found.count && at > 100);
    free(found.items);
    sample_free(&sample);
}

Test(candidates, columns_of_the_window)
{
    int64_t cpu[] = {1, 90, 20, VALUE_UNKNOWN, 500}, gc[] = {VALUE_UNKNOWN, VALUE_UNKNOWN, 7, 3, 9},
            draws[] = {1, 2, 3, 4, 5};
    struct frame_columns columns = {.count = 5};
    struct stutter_window window = {.first_frame = 1, .last_frame = 3, .peak_frame = 2};
    columns.values[COLUMN_CPU] = cpu;
    columns.values[COLUMN_GC] = gc;
    columns.values[COLUMN_DRAW_CALLS] = draws;
    window_fill_columns(&window, &columns);
    cr_assert(window.cpu_peak_ns == 90 && window.cpu_at_peak_ns == 20);
    cr_assert(window.gpu_peak_ns == VALUE_UNKNOWN && window.gpu_at_peak_ns == VALUE_UNKNOWN);
    cr_assert(window.gc_peak == 7 && window.draw_calls_at_peak == 3);
}

Test(holes, sampled_runs)
{
    struct sample sample = sample_create(480, 16);
    for (size_t i = 0; i < sample.count; i++)
        sample.stamp_ns[i] = MS(100) * (int64_t)(i + 1);
    struct frame_piece piece = sample_piece(&sample);
    struct hole_figures holes;
    holes_find(&piece, 1, &holes);
    cr_assert(holes.tested == 479 && holes.wide == 479 && holes.gaps == 0);
    cr_assert(run_is_sampled(480, holes.tested, holes.wide, false, true));
    cr_assert_not(run_is_sampled(480, holes.tested, holes.wide, true, true));
    cr_assert_not(run_is_sampled(480, holes.tested, holes.wide, false, false));
    cr_assert_not(run_is_sampled(29, 28, 28, false, true));
    cr_assert_not(run_is_sampled(480, 479, 239, false, true));
    cr_assert(run_is_sampled(480, 479, 240, false, true));
    cr_assert_not(run_is_sampled(480, 480, 240, false, true), "half is not more than half");
    sample_free(&sample);
}
