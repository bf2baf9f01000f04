#include "helper.h"
#include <criterion/criterion.h>

static uint32_t causes(double peak, double cpu, double gpu, struct cause_context context)
{
    struct stutter_window window = {.peak_ns = MS(peak), .limit_ns = 33333333, .gc_peak = VALUE_UNKNOWN};
    window.cpu_at_peak_ns = cpu < 0 ? VALUE_UNKNOWN : MS(cpu);
    window.gpu_at_peak_ns = gpu < 0 ? VALUE_UNKNOWN : MS(gpu);
    return causes_of(&window, &context);
}

Test(causes, cpu_and_gpu)
{
    const struct cause_context none = {0};
    cr_assert(causes(92.4, 76.2, 14.8, none) == CAUSE_CPU_BOUND);
    cr_assert(causes(92.4, 14.8, 76.2, none) == CAUSE_GPU_BOUND);
    cr_assert(causes(92.4, 60, 50, none) == CAUSE_CPU_BOUND, "exactly 1.2 times");
    cr_assert(causes(92.4, 59.9, 50, none) == CAUSE_CONTESTED);
    cr_assert(causes(92.4, 50, 59.9, none) == CAUSE_CONTESTED);
    cr_assert(causes(60, 33.333333, 5, none) == 0, "not over the threshold, but over half of the frame");
    cr_assert(causes(92.4, 76.2, -1, none) == CAUSE_CPU_BOUND);
    cr_assert(causes(92.4, -1, 76.2, none) == CAUSE_GPU_BOUND);
    cr_assert(causes(92.4, -1, -1, none) == CAUSE_UNKNOWN);
    cr_assert(causes(40, 34, 32, none) == 0, "one side over, the other close: no side says it");
}

Test(causes, waiting)
{
    const struct cause_context none = {0};
    cr_assert(causes(92.4, 14, 12, none) == CAUSE_WAITING);
    cr_assert(causes(92.4, 46.2, 12, none) & CAUSE_CPU_BOUND);
    cr_assert_not(causes(92.4, 46.2, 12, none) & CAUSE_WAITING);
    cr_assert(causes(92.4, 14, -1, none) == 0, "waiting needs both sides");
}

Test(causes, asset_loading)
{
    const struct cause_context first = {.first_of_visit = true}, scene = {.scene_starts_near = true},
                               load = {.load_event_near = true};
    cr_assert(causes(100, 90, 80, first) & CAUSE_ASSET_LOADING);
    cr_assert(causes(100, 40, 29.9, scene) & CAUSE_ASSET_LOADING);
    cr_assert(causes(100, 40, 29.9, load) & CAUSE_ASSET_LOADING);
    cr_assert_not(causes(100, 40, 30, load) & CAUSE_ASSET_LOADING);
    cr_assert_not(causes(100, -1, -1, load) & CAUSE_ASSET_LOADING);
    cr_assert_not(causes(100, 40, 29.9, (struct cause_context){0}) & CAUSE_ASSET_LOADING);
}

Test(causes, garbage_and_heat)
{
    struct cause_context hot = {.hot = true};
    struct stutter_window window = {.peak_ns = MS(90),
                                    .limit_ns = 33333333,
                                    .cpu_at_peak_ns = MS(80),
                                    .gpu_at_peak_ns = MS(10),
                                    .gc_peak = 2000000};
    cr_assert(causes_of(&window, &hot) == (CAUSE_CPU_BOUND | CAUSE_GC_PRESSURE | CAUSE_THERMAL));
    window.gc_peak = 1999999;
    hot.hot = false;
    cr_assert(causes_of(&window, &hot) == CAUSE_CPU_BOUND);
}

static struct cause_context context_at(struct sample *sample, size_t row)
{
    struct cause_context context = {.hot = true};
    struct stutter_windows windows = {0};
    sample_put(sample, row, 90);
    windows = sample_windows(sample);
    struct frame_piece piece = sample_piece(sample);
    cr_assert(windows.count == 1);
    cause_context_of(&piece, 1, &windows.items[0], &context);
    cr_assert(context.hot, "left alone");
    sample_put(sample, row, 20);
    free(windows.items);
    return context;
}

Test(causes, context)
{
    struct sample sample = sample_create(400, 20);
    cr_assert(context_at(&sample, 1).first_of_visit && context_at(&sample, 1).scene_starts_near);
    cr_assert_not(context_at(&sample, 2).first_of_visit);
    cr_assert(context_at(&sample, 51).scene_starts_near, "starts at 1000 ms");
    cr_assert_not(context_at(&sample, 52).scene_starts_near);
    sample_event(&sample, 100, 1, "gc_collect");
    sample_event(&sample, 120, 2, "boss_spawn");
    sample_event(&sample, 121, 3, "explosion");
    cr_assert_not(context_at(&sample, 110).load_event_near);
    cr_assert(context_at(&sample, 120).load_event_near);
    cr_assert(context_at(&sample, 170).load_event_near, "it began 1000 ms before");
    cr_assert_not(context_at(&sample, 171).load_event_near);
    sample_free(&sample);
}

Test(causes, heat)
{
    struct sample sample = sample_create(1600, 10);
    struct frame_piece piece = sample_piece(&sample);
    struct run_heat heat;
    for (size_t i = 800; i < 1600; i++)
        sample.frame_ns[i] = MS(11.499);
    cr_assert_not(run_is_hot(&piece, 1));
    for (size_t i = 800; i < 1600; i++)
        sample.frame_ns[i] = MS(11.5);
    cr_assert(run_is_hot(&piece, 1), "exactly 15 %%");
    run_heat_of(&piece, 1, &heat);
    /* 800 x 10 + 800 x 11.5 ms = 17200 ms; the half, 8600 ms, lies in the frame that starts at 8598 ms */
    cr_assert(heat.half_piece == 0 && heat.half_frame == 800 + 53);
    struct stutter_window window = {.run = 1, .segment = 1, .peak_frame = 853};
    cr_assert(run_heat_covers(&heat, &piece, 1, &window));
    window.peak_frame = 852;
    cr_assert_not(run_heat_covers(&heat, &piece, 1, &window));
    for (size_t i = 0; i < 1600; i++)
        sample.frame_ns[i] = MS(10 + 0.01 * (double)i); /* slowly warmer */
    cr_assert(run_is_hot(&piece, 1));
    sample.count = 0;
    piece = sample_piece(&sample);
    cr_assert_not(run_is_hot(&piece, 1) || run_is_hot(NULL, 0));
    sample_free(&sample);
}

static int compare_values(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

Test(causes, heat_equals_a_plain_second_implementation)
{
    uint64_t random = 11;
    int hot = 0;
    for (int round = 0; round < 200; round++) {
        size_t count = next_random(&random) % 400 + 8, first = 0, last = 0;
        struct sample sample = sample_create(count, 10);
        int64_t *cold = calloc(count, sizeof *cold), *warm = calloc(count, sizeof *warm), play = 0, time = 0;
        double slope = (double)(next_random(&random) % 300) / 1000;
        for (size_t i = 0; i < count; i++) {
            sample.frame_ns[i] =
                MS(10 + 10 * slope * (double)i / (double)count) + (int64_t)(next_random(&random) % 900000);
            play += sample.frame_ns[i];
        }
        for (size_t i = 0; i < count; i++) {
            if (4 * (time + sample.frame_ns[i]) <= play)
                cold[first++] = sample.frame_ns[i];
            if (time >= play - play / 4)
                warm[last++] = sample.frame_ns[i];
            time += sample.frame_ns[i];
        }
        qsort(cold, first, sizeof *cold, compare_values);
        qsort(warm, last, sizeof *warm, compare_values);
        bool expected =
            first && last &&
            100 * (warm[(last - 1) / 2] + warm[last / 2]) >= 115 * (cold[(first - 1) / 2] + cold[first / 2]);
        struct frame_piece piece = sample_piece(&sample);
        cr_assert(run_is_hot(&piece, 1) == expected, "round %d", round);
        hot += expected;
        free(cold);
        free(warm);
        sample_free(&sample);
    }
    cr_assert(hot > 20 && hot < 180, "both answers occurred");
}

Test(stutter, worked_example)
{
    struct stutter stutter = {.peak_ns = MS(92.4),
                              .runs_hit = 4,
                              .runs = 5,
                              .windows = 4,
                              .play_ns = 2 * 60 * NS_PER_S,
                              .excess_ns = MS(240)};
    cr_assert_float_eq(stutter_severity(&stutter, 1.4), 103.488, 1e-9);
    cr_assert_float_eq(stutter_rate_per_minute(&stutter), 2, 1e-12);
    cr_assert_float_eq(stutter_lost_ms_per_s(&stutter), 2, 1e-12);
    stutter.runs = 0;
    stutter.play_ns = 0;
    cr_assert(stutter_severity(&stutter, 1.4) == 0);
    cr_assert(isnan(stutter_rate_per_minute(&stutter)) && isnan(stutter_lost_ms_per_s(&stutter)));
}

/* Frame times around a level, some of them far away, in the order that makes a run as hot as they can. */
static void fill_rising(struct sample *sample, size_t count, uint64_t *random)
{
    int64_t width = MS(0.2) + (int64_t)(next_random(random) % MS(3)), far = (int64_t)(next_random(random) % 30);

    for (size_t i = 0; i < count; i++) {
        sample->frame_ns[i] = MS(16) + (int64_t)(next_random(random) % (uint64_t)width);
        if (far && next_random(random) % 100 < (uint64_t)far)
            sample->frame_ns[i] = next_random(random) % 3 ? MS(16) * (int64_t)(2 + next_random(random) % 40) : (int64_t)(next_random(random) % MS(9));
    }
    qsort(sample->frame_ns, count, sizeof *sample->frame_ns, compare_values);
}

Test(causes, what_is_surely_cold_is_cold_in_every_order)
{
    uint64_t random = 5;
    int surely = 0, hot = 0;

    for (int round = 0; round < 3000; round++) {
        size_t count = 1 + next_random(&random) % (round % 2 ? 900 : 30), distinct = 0;
        struct sample sample = sample_create(count, 16);
        int64_t *values = calloc(count, sizeof *values), *weights = calloc(count, sizeof *weights), play = 0;

        fill_rising(&sample, count, &random);
        for (size_t i = 0; i < count; i++) {
            play += sample.frame_ns[i];
            if (distinct == 0 || values[distinct - 1] != sample.frame_ns[i])
                values[distinct++] = sample.frame_ns[i];
            weights[distinct - 1]++;
        }

        bool cold = run_is_surely_cold(values, weights, distinct, (int64_t)count, play);
        struct frame_piece piece = sample_piece(&sample);

        for (int order = 0; order < 3; order++) { /* rising, then two in which single frames have changed places */
            cr_assert_not(cold && run_is_hot(&piece, 1), "round %d, %zu frames, order %d", round, count, order);
            hot += run_is_hot(&piece, 1);
            for (size_t i = 0; i < count / 4 + 1; i++) {
                size_t a = next_random(&random) % count, b = next_random(&random) % count;
                int64_t kept = sample.frame_ns[a];

                sample.frame_ns[a] = sample.frame_ns[b];
                sample.frame_ns[b] = kept;
            }
        }
        surely += cold;
        free(values);
        free(weights);
        sample_free(&sample);
    }
    cr_assert(surely > 300 && hot > 300, "%d surely cold, %d hot", surely, hot);
}

/* Nothing is sure of no frames, of one, and of what no run has. */
Test(causes, damaged_times_are_not_surely_cold)
{
    const int64_t ones[] = {1000, 1000}, negative[] = {-5, MS(16)}, long_ones[] = {MS(16), INT64_MAX};

    cr_assert_not(run_is_surely_cold(NULL, NULL, 0, 0, 0));
    cr_assert_not(run_is_surely_cold((int64_t[]){MS(16)}, (int64_t[]){1}, 1, 1, MS(16)));
    cr_assert_not(run_is_surely_cold(negative, ones, 2, 2000, 1000 * MS(16) - 5000));
    cr_assert_not(run_is_surely_cold(long_ones, ones, 2, 2000, INT64_MAX));
    cr_assert_not(run_is_surely_cold((int64_t[]){MS(16)}, (int64_t[]){INT64_MAX}, 1, INT64_MAX, INT64_MAX));
    cr_assert(run_is_surely_cold((int64_t[]){MS(16)}, (int64_t[]){1000}, 1, 1000, 1000 * MS(16)));
}
