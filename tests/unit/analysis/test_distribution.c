#include "helper.h"
#include <criterion/criterion.h>
#include <math.h>

/* Adds values as one piece of 60 FPS. */
static void add(struct distribution_builder *builder, const int64_t *values, size_t count,
                struct sample_policy policy)
{
    struct frame_piece piece = {.fps_milli = 60000, .count = count, .frame_ns = values};
    distribution_builder_add(builder, &piece, policy);
}

static struct distribution_builder *default_builder(void)
{
    struct analysis_settings settings;
    analysis_settings_default(&settings);
    return distribution_builder_create(&settings);
}

/* k x step for k = 1 … count, in shuffled order */
static int64_t *shuffled(size_t count, int64_t step)
{
    int64_t *values = calloc(count, sizeof *values);
    uint64_t random = 7;
    for (size_t i = 0; i < count; i++) {
        size_t at = next_random(&random) % (i + 1);
        values[i] = values[at];
        values[at] = (int64_t)(i + 1) * step;
    }
    return values;
}

static void check_ranks(size_t count, int64_t step, const int64_t (*expected)[2], size_t tests)
{
    struct distribution_builder *builder = default_builder();
    struct distribution distribution;
    int64_t *values = shuffled(count, step);
    add(builder, values, count, FULL_LOG);
    distribution_builder_finish(builder, &distribution);
    for (size_t i = 0; i < tests; i++) {
        int64_t found = distribution_builder_percentile(builder, expected[i][0]);
        cr_assert(found == expected[i][1] * step, "p%ld of %zu: rank %ld, not %ld", (long)expected[i][0],
                  count, (long)(found / step), (long)expected[i][1]);
    }
    free(values);
    distribution_builder_destroy(builder);
}

Test(distribution, nearest_rank)
{
    const int64_t hundred[][2] = {{7000, 7},    {14000, 14},   {28000, 28}, {50000, 50},
                                  {55000, 55},  {56000, 56},   {95000, 95}, {99000, 99},
                                  {99900, 100}, {100000, 100}, {0, 1},      {1, 1}};
    const int64_t ten[][2] = {{50000, 5}, {95000, 10}, {99000, 10}, {10000, 1}, {10001, 2}};
    const int64_t twenty[][2] = {{50000, 10}, {95000, 19}, {99000, 20}};
    const int64_t thousand[][2] = {{95000, 950}, {99000, 990}, {99900, 999}, {7000, 70},   {14000, 140},
                                   {28000, 280}, {55000, 550}, {56000, 560}, {99999, 1000}};
    const int64_t steps[] = {1000000, 100000, 1000, 100, 17};
    for (size_t i = 0; i < 5; i++) {
        check_ranks(100, steps[i], hundred, 12);
        check_ranks(10, steps[i], ten, 5);
        check_ranks(20, steps[i], twenty, 3);
        check_ranks(1000, steps[i], thousand, 9);
    }
}

Test(distribution, one_to_a_hundred)
{
    struct distribution_builder *builder = default_builder();
    struct distribution distribution;
    int64_t *values = shuffled(100, 1000000);
    add(builder, values, 100, FULL_LOG);
    distribution_builder_finish(builder, &distribution);
    cr_assert(distribution.frames == 100 && distribution.frames_kept == 100);
    cr_assert(distribution.duration_ns == 5050 * 1000000LL);
    cr_assert(distribution.median_ns == 50.5e6);
    cr_assert(distribution.mad_ns == 25e6);
    cr_assert(distribution.p95_ns == 95000000 && distribution.p99_ns == 99000000);
    cr_assert(distribution.min_ns == 1000000 && distribution.max_ns == 100000000);
    cr_assert(distribution.mean_ns == 50.5e6);
    cr_assert(distribution.low1_ns == 100e6);
    cr_assert(distribution.late == 83);        /* 18 … 100 */
    cr_assert(distribution.slow_frames == 75); /* 26 … 100 */
    cr_assert(distribution.over == 67);        /* 34 … 100 */
    /* 17 … 100 minus the budget of 16667000 ns, 84 times */
    cr_assert(distribution.excess_ns == 84LL * 117 / 2 * 1000000 - 84 * 16667000LL);
    cr_assert_float_eq(distribution_fps(&distribution), 100 / 5.05, 1e-9);
    cr_assert_float_eq(distribution_hitch_ratio(&distribution), 1000.0 * (4914.0 - 1400.028) / 5050.0,
                       1e-6);
    cr_assert(distribution.labelled[LABEL_GAMEPLAY].frames == 100);
    cr_assert(distribution.labelled[LABEL_GAMEPLAY].over == 67);
    free(values);
    distribution_builder_destroy(builder);
}

Test(distribution, low1_is_no_percentile)
{
    struct sample sample = sample_create(1000, 10);
    const double slow[] = {40, 40, 40, 40, 40, 40, 40, 40, 40, 500};
    for (size_t i = 0; i < 10; i++)
        sample.frame_ns[50 + 100 * i] = MS(slow[i]);
    struct distribution distribution = sample_distribution(&sample);
    cr_assert(distribution.p99_ns == MS(10));
    cr_assert(distribution.max_ns == MS(500));
    cr_assert(distribution.low1_ns == 86e6);
    cr_assert(distribution.duration_ns == MS(10760));
    cr_assert_float_eq(distribution_fps(&distribution), 92.937, 0.001);
    sample_free(&sample);
}

Test(distribution, nothing_in_it)
{
    struct analysis_settings settings;
    struct distribution distribution;
    struct distribution_builder *builder = default_builder();
    analysis_settings_default(&settings);
    add(builder, NULL, 0, FULL_LOG);
    distribution_builder_finish(builder, &distribution);
    cr_assert(distribution.frames == 0 && distribution.max_ns == 0);
    cr_assert(distribution_builder_percentile(builder, 99000) == VALUE_UNKNOWN);
    cr_assert(isnan(distribution_fps(&distribution)) && isnan(distribution_hitch_ratio(&distribution)));
    cr_assert(distribution_flags(&distribution, &settings) == FIGURE_FEW);
    distribution_builder_destroy(builder);
}

Test(distribution, one_frame)
{
    struct sample sample = sample_create(1, 16.7);
    struct distribution distribution = sample_distribution(&sample);
    cr_assert(distribution.median_ns == 16.7e6 && distribution.mad_ns == 0);
    cr_assert(distribution.p95_ns == MS(16.7) && distribution.low1_ns == 16.7e6);
    sample_free(&sample);
}

Test(distribution, slow_and_few)
{
    struct sample sample = sample_create(30, 33.33);
    struct distribution distribution = sample_distribution(&sample);
    cr_assert(distribution_flags(&distribution, &sample.settings) == FIGURE_SLOW);
    cr_assert(distribution.mad_ns == 0 && distribution.over == 0);
    for (size_t i = 0; i < 15; i++)
        sample.frame_ns[i] = MS(16);
    distribution = sample_distribution(&sample);
    cr_assert(distribution_flags(&distribution, &sample.settings) == 0, "exactly half is not more than half");
    sample.count = 29;
    distribution = sample_distribution(&sample);
    cr_assert(distribution_flags(&distribution, &sample.settings) & FIGURE_FEW);
    sample_free(&sample);
}

Test(distribution, labelled_frames_stay_outside)
{
    struct sample sample = sample_create(100, 16);
    struct label_span items[] = {{10, 5, LABEL_LOADING}, {15, 1, LABEL_PAUSE}, {99, 1, LABEL_INTERFERENCE}};
    for (size_t i = 10; i < 16; i++)
        sample.frame_ns[i] = MS(100);
    struct frame_piece piece = sample_piece(&sample);
    struct label_spans spans = {items, 3, 3};
    struct distribution distribution;
    struct distribution_builder *builder = default_builder();
    piece.labels = &spans;
    distribution_builder_add(builder, &piece, FULL_LOG);
    distribution_builder_finish(builder, &distribution);
    cr_assert(distribution.frames == 93 && distribution.max_ns == MS(16));
    cr_assert(distribution.labelled[LABEL_LOADING].frames == 5);
    cr_assert(distribution.labelled[LABEL_LOADING].ns == MS(500) &&
              distribution.labelled[LABEL_LOADING].over == 5);
    cr_assert(distribution.labelled[LABEL_PAUSE].frames == 1);
    cr_assert(distribution.labelled[LABEL_INTERFERENCE].frames == 1);
    cr_assert(distribution.labelled[LABEL_INTERFERENCE].over == 0);
    distribution_builder_destroy(builder);
    sample_free(&sample);
}

/* The plain second method: the multiset written out and sorted. */
struct plain {
    int64_t *values;
    size_t count, capacity;
};

static int compare_values(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void plain_add(struct plain *plain, int64_t value, int64_t times)
{
    for (; times > 0; times--) {
        if (plain->count == plain->capacity) {
            plain->capacity = plain->capacity ? 2 * plain->capacity : 64;
            plain->values = realloc(plain->values, plain->capacity * sizeof *plain->values);
        }
        plain->values[plain->count++] = value;
    }
}

static void plain_check(struct plain *plain, struct distribution_builder *builder,
                        const struct distribution *found)
{
    int64_t *v = plain->values, sum = 0, late = 0, over = 0, slow = 0, excess = 0;
    size_t n = plain->count;
    qsort(v, n, sizeof *v, compare_values);
    for (size_t i = 0; i < n; i++) {
        sum += v[i];
        late += v[i] > 17500000;
        slow += v[i] > 25000000;
        over += v[i] > 33333333;
        excess += v[i] > 16667000 ? v[i] - 16667000 : 0;
    }
    cr_assert(found->frames == (int64_t)n && found->duration_ns == sum);
    cr_assert(found->late == late && found->over == over && found->slow_frames == slow &&
              found->excess_ns == excess);
    cr_assert(found->min_ns == v[0] && found->max_ns == v[n - 1]);
    for (int64_t p = 1; p <= 1000; p++) {
        size_t rank = ((size_t)p * n + 999) / 1000;
        cr_assert(distribution_builder_percentile(builder, p * 100) == v[rank - 1]);
    }
    int64_t median = v[(n - 1) / 2] + v[n / 2];
    cr_assert(found->median_ns == (double)median / 2);
    double low1 = 0;
    size_t slowest = (n + 99) / 100;
    for (size_t i = 0; i < slowest; i++)
        low1 += (double)v[n - 1 - i] / (double)slowest;
    cr_assert_float_eq(found->low1_ns, low1, 1e-3);
    for (size_t i = 0; i < n; i++)
        v[i] = llabs(2 * v[i] - median);
    qsort(v, n, sizeof *v, compare_values);
    cr_assert(found->mad_ns == (double)(v[(n - 1) / 2] + v[n / 2]) / 4);
}

static int64_t random_frame(uint64_t *random, int64_t unit)
{
    int64_t value = 8000000 + (int64_t)(next_random(random) % 20000000);
    uint64_t kind = next_random(random) % 1000;
    if (kind < 20)
        value *= 7;
    if (kind == 0)
        value = (int64_t)(next_random(random) % 8000000000);
    if (kind == 1)
        value = (int64_t)(next_random(random) % 8000000000000);
    value = value / unit * unit;
    return value < 1000 ? 1000 : value;
}

Test(distribution, equals_the_written_out_multiset)
{
    const int64_t units[] = {1000000, 1000, 100, 1};
    const size_t sizes[] = {1, 2, 63, 64, 65, 1000, 4095, 4096, 4097, 9000, 20001, 300000};
    uint64_t random = 42;
    struct distribution_builder *builder = default_builder();
    for (size_t u = 0; u < 4; u++)
        for (size_t s = 0; s < 12; s++) {
            struct plain plain = {0};
            struct distribution found;
            for (size_t i = 0; i < sizes[s]; i++)
                plain_add(&plain, random_frame(&random, units[u]), 1);
            distribution_builder_clear(builder);
            add(builder, plain.values, sizes[s] / 3, FULL_LOG);
            add(builder, plain.values + sizes[s] / 3, sizes[s] - sizes[s] / 3, FULL_LOG);
            distribution_builder_finish(builder, &found);
            plain_check(&plain, builder, &found);
            free(plain.values);
        }
    distribution_builder_destroy(builder);
}

/* Runs of different resolution and policy, merged into a group. */
Test(distribution, groups_equal_the_written_out_multiset)
{
    const struct sample_policy policies[] = {
        {1, VALUE_UNKNOWN}, {10, MS(20)}, {3, VALUE_UNKNOWN}, {7, MS(40)}};
    const int64_t units[] = {1000, 1, 100, 1000000, 1000};
    uint64_t random = 99;
    struct distribution_builder *group = default_builder(), *run = default_builder();
    for (int round = 0; round < 12; round++) {
        struct plain plain = {0};
        struct distribution found;
        int64_t kept = 0;
        distribution_builder_clear(group);
        for (int k = 0; k < 5 + 20 * (round % 4 == 3); k++) {
            struct sample_policy policy = policies[next_random(&random) % 4];
            size_t count = next_random(&random) % (round < 6 ? 300 : 7000) + 1;
            int64_t unit = units[round % 3 == 0 ? 0 : next_random(&random) % 5];
            int64_t *values = calloc(count, sizeof *values);
            for (size_t i = 0; i < count; i++) {
                values[i] = random_frame(&random, unit);
                bool single = policy.kept_over_ns != VALUE_UNKNOWN && values[i] > policy.kept_over_ns;
                plain_add(&plain, values[i], single ? 1 : policy.every);
            }
            kept += (int64_t)count;
            distribution_builder_clear(run);
            add(run, values, count, policy);
            if (k % 2)
                distribution_builder_finish(run, &found);
            distribution_builder_merge(group, run);
            free(values);
        }
        distribution_builder_finish(group, &found);
        cr_assert(found.frames_kept == kept);
        plain_check(&plain, group, &found);
        free(plain.values);
    }
    distribution_builder_destroy(group);
    distribution_builder_destroy(run);
}

Test(distribution, limits_belong_to_the_pieces)
{
    struct sample sample = sample_create(10, 40);
    struct frame_piece piece = sample_piece(&sample);
    struct distribution distribution;
    struct distribution_builder *builder = default_builder();
    distribution_builder_add(builder, &piece, FULL_LOG); /* over twice 16.67 */
    piece.fps_milli = 30000;
    distribution_builder_add(builder, &piece, FULL_LOG); /* late, but not over twice 33.33 */
    distribution_builder_finish(builder, &distribution);
    cr_assert(distribution.over == 10 && distribution.late == 20 && distribution.slow_frames == 10);
    cr_assert(distribution.excess_ns == 10 * (40000000 - 16667000) + 10 * (40000000 - 33333000));
    distribution_builder_destroy(builder);
    sample_free(&sample);
}

/* What was merged is the group's: the run's builder goes on from nothing. */
Test(distribution, what_is_merged_is_moved)
{
    struct distribution found;
    struct distribution_builder *run = default_builder(), *group = default_builder();
    int64_t values[3000], other[] = {50000000, 60000000};
    for (size_t i = 0; i < 3000; i++)
        values[i] = 16000000 + (int64_t)i * 1000;
    add(run, values, 3000, FULL_LOG);
    distribution_builder_merge(group, run);
    distribution_builder_finish(run, &found);
    cr_assert_eq(found.frames, 0);
    add(run, other, 2, FULL_LOG);
    distribution_builder_finish(run, &found);
    cr_assert(found.frames == 2 && found.min_ns == 50000000 && found.max_ns == 60000000);
    cr_assert_eq(distribution_builder_percentile(run, 50000), 50000000);
    distribution_builder_finish(group, &found);
    cr_assert(found.frames == 3000 && found.min_ns == 16000000 && found.max_ns == 18999000);
    distribution_builder_destroy(run);
    distribution_builder_destroy(group);
}

/* Groups that share the working memory of their runs' builder are the same as those that do not, also while that one has
 * taken frames and not sorted them. */
Test(distribution, groups_beside_their_runs)
{
    uint64_t random = 17;
    struct distribution_builder *run = default_builder(), *alone = default_builder();
    struct distribution_builder *groups[] = {distribution_builder_create_beside(run),
                                             distribution_builder_create_beside(run)};
    for (int round = 0; round < 20; round++) {
        struct plain plain[2] = {{0}, {0}};
        for (int k = 0; k < 8; k++) {
            size_t count = next_random(&random) % 3000 + 1, first = plain[k % 2].count;
            for (size_t i = 0; i < count; i++)
                plain_add(&plain[k % 2], random_frame(&random, round % 2 ? 1000 : 100), 1);
            distribution_builder_clear(run);
            add(run, plain[k % 2].values + first, count, FULL_LOG);
            distribution_builder_merge(groups[k % 2], run);
        }
        distribution_builder_clear(run);
        if (round % 3)
            add(run, plain[0].values, plain[0].count / 2, FULL_LOG);
        for (int g = 0; g < 2; g++) {
            struct distribution found;
            distribution_builder_finish(groups[g], &found);
            plain_check(&plain[g], groups[g], &found);
            distribution_builder_clear(groups[g]);
        }
        if (round % 3) {
            struct distribution mine, other;
            struct plain again = {0};
            for (size_t i = 0; i < plain[0].count / 2; i++) /* plain_check() has changed the values of the group */
                plain_add(&again, random_frame(&random, 1000), 1);
            add(run, again.values, again.count, FULL_LOG);
            distribution_builder_finish(run, &mine);
            distribution_builder_clear(alone);
            add(alone, again.values, again.count, FULL_LOG);
            distribution_builder_finish(alone, &other);
            cr_assert(mine.frames == (int64_t)(plain[0].count / 2) + other.frames);
            free(again.values);
        }
        free(plain[0].values);
        free(plain[1].values);
    }
    distribution_builder_destroy(groups[0]);
    distribution_builder_destroy(groups[1]);
    distribution_builder_destroy(run);
    distribution_builder_destroy(alone);
}

/* What a damaged store might hand over must neither crash nor be undefined. */
Test(distribution, survives_damaged_values)
{
    const int64_t values[] = {
        INT64_MAX, INT64_MIN, -1, 0, INT64_MAX, 5, -1, 1000, (int64_t)UINT32_MAX * 1000 + 1};
    const int64_t *list, *weights;
    struct distribution distribution;
    struct distribution_builder *builder = default_builder();
    add(builder, values, 9, (struct sample_policy){INT64_MAX, 0});
    distribution_builder_finish(builder, &distribution);
    size_t count = distribution_builder_values(builder, &list, &weights);
    cr_assert(count == 7);
    for (size_t i = 1; i < count; i++)
        cr_assert(list[i - 1] < list[i]);
    distribution_builder_destroy(builder);
}
