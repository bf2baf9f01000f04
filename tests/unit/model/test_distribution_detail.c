/*
 * Two runs of 600 frames, 16.0 16.1 … 16.4 ms in turn; frame 300 (which would be a 16.0) takes 92.4 ms in one and
 * 40.0 in the other. So 1 200 frames: 238 of 16.0, 240 each of the other four, and the two.
 */
#include "stutterscope/model/distribution_detail.h"
#include "fixture.h"
#include <criterion/criterion.h>
#include <math.h>

static void add_run(struct fixture *fixture, const char *run, int64_t peak_us)
{
    struct slow_frame slow = {300, peak_us, 12000, 12000, "boss_spawn"};

    fixture_add(fixture, &(struct test_run){.build = "1", .device = "phone", .scene = "Battle", .quality = "High", .run = run, .os = "14",
                                            .frames = 600, .slow = &slow, .slow_count = 1, .started_at_ms = VALUE_UNKNOWN});
}

static struct group_key key_of(const struct model *model)
{
    struct error error = {0};
    struct group_key key;

    cr_assert(model_find_build(model, "1", &key.build, &error) && model_find_device(model, "phone", &key.device, &error) &&
                  model_find_scene(model, "Battle", &key.scene, &error) && model_find_quality(model, "High", &key.quality, &error),
              "%s", error.text);
    return key;
}

Test(distribution_detail, every_frame_time_with_its_count)
{
    static const int64_t us[] = {16000, 16100, 16200, 16300, 16400, 40000, 92400}, counts[] = {238, 240, 240, 240, 240, 1, 1};
    struct fixture fixture;
    struct distribution_detail *detail;
    struct error error = {0};
    struct time_over over;
    int64_t frames = 0, ns = 0;

    fixture_open(&fixture);
    add_run(&fixture, "a", 92400);
    add_run(&fixture, "b", 40000);

    struct model *model = fixture_model(&fixture);
    struct group_key key = key_of(model);

    cr_assert(model_distribution_detail(model, &key, NULL, &detail, &error), "%s", error.text);
    cr_assert_eq(detail->runs, 2);
    cr_assert_eq(detail->figures.frames, 1200);
    cr_assert_eq(detail->count, 7);
    for (size_t i = 0; i < detail->count; i++) {
        frames += counts[i];
        ns += counts[i] * us[i] * 1000;
        cr_expect_eq(detail->frame_ns[i], us[i] * 1000);
        cr_expect_eq(detail->frames_to[i], frames);
        cr_expect_eq(detail->ns_to[i], ns);
    }
    cr_expect_eq(detail->budget_ns, 16667000, "60 FPS unless said");
    cr_expect_not(detail->mixed_budgets);
    /* rank 1188 of 1200 is a 16.4, rank ceil(1198.8) = 1199 is the 40.0 */
    cr_expect_eq(distribution_detail_percentile(detail, 99000), 16400000);
    cr_expect_eq(distribution_detail_percentile(detail, 99900), 40000000);
    cr_expect_eq(distribution_detail_percentile(detail, 100000), 92400000);
    cr_expect_eq(distribution_detail_percentile(detail, 0), 16000000);
    over = distribution_detail_over(detail, 33333333);
    cr_expect_eq(over.frames, 2);
    cr_expect_eq(over.ns, 132400000);
    over = distribution_detail_over(detail, 40000000);
    cr_expect_eq(over.frames, 1, "strictly longer");
    over = distribution_detail_over(detail, 92400000);
    cr_expect_eq(over.frames, 0);
    cr_expect_eq(over.ns, 0);
    cr_expect_float_eq(distribution_detail_share(detail, 16000000, 16100000), 238.0 / 1200, 1e-12);
    cr_expect_float_eq(distribution_detail_share(detail, 50000000, 100000000), 1.0 / 1200, 1e-12);
    cr_expect_float_eq(distribution_detail_share(detail, 0, INT64_MAX), 1, 1e-12);
    cr_expect_float_eq(distribution_detail_share(detail, 100000000, 50000000), 0, 1e-12);
    over = distribution_detail_over(detail, 0);
    cr_expect_eq(over.frames, 1200);
    cr_expect_eq(over.ns, ns);
    distribution_detail_destroy(detail);
    fixture_close(&fixture, model);
}

Test(distribution_detail, a_group_without_frames_is_empty)
{
    struct fixture fixture;
    struct distribution_detail *detail;
    struct error error = {0};

    fixture_open(&fixture);
    add_run(&fixture, "a", 92400);

    struct model *model = fixture_model(&fixture);
    struct group_key key = key_of(model);

    key.quality = 0;
    cr_assert(model_distribution_detail(model, &key, NULL, &detail, &error), "%s", error.text);
    cr_expect_eq(detail->count, 0);
    cr_expect_eq(distribution_detail_percentile(detail, 50000), VALUE_UNKNOWN);
    cr_expect(isnan(distribution_detail_share(detail, 0, INT64_MAX)));
    distribution_detail_destroy(detail);
    fixture_close(&fixture, model);
}

/* 600 frames of a run at 30 FPS, 300 of one at 120: most are held against 2 x 33.3 ms, whatever the device is for. */
Test(distribution_detail, limits_of_a_group_are_those_of_most_of_its_frames)
{
    struct test_run slow = {.build = "1", .device = "phone", .scene = "Battle", .quality = "High", .run = "a", .os = "14", .frames = 600,
                            .started_at_ms = VALUE_UNKNOWN, .fps_milli = 30000},
                    fast = slow;
    struct fixture fixture;
    struct frame_limits limits;
    struct error error = {0};

    fast.run = "b";
    fast.frames = 300;
    fast.fps_milli = 120000;
    fixture_open(&fixture);
    fixture_add(&fixture, &slow);
    fixture_add(&fixture, &fast);

    struct model *model = fixture_model(&fixture);
    struct group_key key = key_of(model);

    cr_assert(model_group_limits(model, &key, &limits, &error), "%s", error.text);
    cr_expect_eq(limits.alert_ns, 66666666);
    key.quality = 0;
    cr_assert(model_group_limits(model, &key, &limits, &error), "%s", error.text);
    cr_expect_eq(limits.alert_ns, 33333333, "nothing is known: 60 FPS");
    fixture_close(&fixture, model);
}
