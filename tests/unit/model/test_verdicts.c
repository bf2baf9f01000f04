/*
 * From stored frames to verdicts: the worked example of the definitions, and what becomes of a stutter from build to
 * build. Every expected figure is worked out by hand.
 */
#include "fixture.h"
#include "stutterscope/model/comparison.h"
#include "stutterscope/model/detail.h"
#include "stutterscope/model/edit.h"
#include "stutterscope/model/heatmap.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define OLD "1.7.9(418)"
#define NEW "1.8.0(421)"

static void add_run(struct fixture *fixture, const char *build, const char *device, const char *run, const struct slow_frame *slow, size_t count)
{
    fixture_add(fixture, &(struct test_run){.build = build, .device = device, .scene = "Battle_03", .quality = "High", .run = run,
                                            .os = "Android 14", .frames = 600, .slow = slow, .slow_count = count,
                                            .started_at_ms = VALUE_UNKNOWN});
}

/* One slow frame at boss_spawn, 5 s into the run. */
static void add_boss_run(struct fixture *fixture, const char *build, const char *device, const char *run, int64_t peak_us)
{
    struct slow_frame slow = {300, peak_us, 76200, 14800, "boss_spawn"};

    if (peak_us < 33333)
        slow.cpu_us = 12000;
    add_run(fixture, build, device, run, &slow, 1);
}

static const struct stutter_entry *find_entry(struct model *model, const char *build, const char *device, const char *event)
{
    struct error error = {0};
    int64_t build_id, device_id;

    cr_assert(model_find_build(model, build, &build_id, &error), "%s", error.text);
    cr_assert(model_find_device(model, device, &device_id, &error), "%s", error.text);

    const struct stutter_entries *entries = model_stutters(model, build_id, 0, false, NULL, &error);

    cr_assert_not_null(entries, "%s", error.text);
    for (size_t i = 0; i < entries->count; i++) {
        const char *name = model_text(model, entries->items[i].stutter.event);

        if (entries->items[i].stutter.key.device == device_id && name && strcmp(name, event) == 0)
            return &entries->items[i];
    }
    return NULL;
}

static struct model *worked_example(struct fixture *fixture)
{
    static const int64_t before_us[] = {31600, 25000, 30100, 24000, 31000}, peaks_us[] = {92400, 71000, 88200, 30000, 64900};
    struct error error = {0};

    fixture_open(fixture);
    for (int i = 0; i < 5; i++) {
        char name[16];

        snprintf(name, sizeof name, "a%d", i);
        add_boss_run(fixture, OLD, "SM-S918N", name, before_us[i]);
        snprintf(name, sizeof name, "b%d", i);
        add_boss_run(fixture, NEW, "SM-S918N", name, peaks_us[i]);
    }

    struct model *model = fixture_model(fixture);
    struct device_row device = {.model = (char *)"SM-S918N", .name = (char *)"Galaxy S23 Ultra", .tier = (char *)"high",
                                .target_fps_milli = 60000, .weight = 1.4};

    cr_assert(model_declare_device(model, &device, &error), "%s", error.text);
    cr_assert(model_reload(model, &error), "%s", error.text);
    return model;
}

Test(verdicts, worked_example)
{
    struct fixture fixture;
    struct model *model = worked_example(&fixture);
    const struct stutter_entry *entry = find_entry(model, NEW, "SM-S918N", "boss_spawn");
    struct error error = {0};

    cr_assert_not_null(entry);
    cr_assert_eq(entry->stutter.peak_ns, 92400000);
    cr_assert_eq(entry->stutter.runs_hit, 4);
    cr_assert_eq(entry->stutter.runs, 5);
    cr_assert_eq(entry->stutter.seen, 5);
    cr_assert_float_eq(entry->severity, 92.4 * 0.8 * 1.4, 1e-9); /* 103.488 */
    cr_assert_eq(entry->verdict, VERDICT_NEW, "%s: %s", verdict_name(entry->verdict), entry->reason);
    cr_assert_eq(entry->baseline_peak_ns, 31600000);
    cr_assert_eq(entry->delta_peak_ns, 60800000);
    cr_assert_str_eq(model_build_name(model, entry->baseline_build), OLD);
    cr_assert_str_eq(model_build_name(model, entry->last_clean_build), OLD);
    cr_assert_str_eq(model_build_name(model, entry->first_seen_build), NEW);

    const struct build_results *results = model_results(model, entry->stutter.key.build, false, NULL, &error);
    const struct stutter_window *window = results_window(results, entry->stutter.worst_window);

    cr_assert_not_null(window);
    cr_assert_eq(window->causes, (uint32_t)CAUSE_CPU_BOUND);
    cr_assert_eq(window->cpu_at_peak_ns, 76200000);
    cr_assert_eq(window->gpu_at_peak_ns, 14800000);
    fixture_close(&fixture, model);
}

Test(verdicts, an_id_finds_its_stutter_again)
{
    struct fixture fixture;
    struct model *model = worked_example(&fixture);
    const struct stutter_entry *entry = find_entry(model, NEW, "SM-S918N", "boss_spawn");
    struct error error = {0};
    char id[sizeof entry->id];

    snprintf(id, sizeof id, "%s", entry->id);
    cr_assert_eq(strspn(id, "0123456789abcdef"), 10);
    cr_assert_str_eq(id + 10, "@" NEW);
    cr_assert_eq(model_find_stutter(model, id, &error), entry, "%s", error.text);
    cr_assert_null(model_find_stutter(model, "0000000000@" NEW, &error));
    cr_assert(strstr(error.text, NEW), "%s", error.text);
    fixture_close(&fixture, model);
}

Test(verdicts, heatmap_shows_the_worst_stutter)
{
    struct fixture fixture;
    struct model *model = worked_example(&fixture);
    struct heatmap_request request = {.metric = METRIC_SEVERITY, .quality = -1};
    struct heatmap *map;
    struct error error = {0};

    cr_assert(model_heatmap(model, &request, NULL, &map, &error), "%s", error.text);
    cr_assert_eq(map->devices.count, 1);
    cr_assert_eq(map->scenes.count, 1);

    const struct heat_cell *cell = heatmap_cell(map, 0, 0);

    cr_assert_eq(cell->state, STATE_DATA);
    cr_assert_float_eq(cell->value, 103.488, 1e-9);
    cr_assert_float_eq(cell->delta, 60.8, 1e-9);
    cr_assert_eq(cell->mark, '*');
    cr_assert(cell->decide);
    cr_assert_eq(cell->stutters, 1);
    heatmap_destroy(map);
    fixture_close(&fixture, model);
}

/* Without the event on the other side nobody can say that it is fixed. */
Test(verdicts, gone_needs_the_event)
{
    struct fixture fixture;
    struct error error = {0};

    fixture_open(&fixture);
    for (int i = 0; i < 3; i++) {
        char name[16];

        snprintf(name, sizeof name, "a%d", i);
        add_boss_run(&fixture, "1", "Pixel 8", name, 80000);
        add_boss_run(&fixture, "1", "Pixel 9", name, 80000);
        snprintf(name, sizeof name, "b%d", i);
        add_boss_run(&fixture, "2", "Pixel 8", name, 20000); /* the boss came, nothing stuttered */
        add_run(&fixture, "2", "Pixel 9", name, NULL, 0);    /* the boss never came */
    }

    struct model *model = fixture_model(&fixture);
    const struct stutter_entry *gone = find_entry(model, "2", "Pixel 8", "boss_spawn"), *unseen = find_entry(model, "2", "Pixel 9", "boss_spawn");

    cr_assert(gone && unseen);
    cr_assert_eq(gone->verdict, VERDICT_GONE, "%s", gone->reason);
    cr_assert(!gone->present);
    cr_assert_eq(gone->baseline_peak_ns, 80000000);
    cr_assert_eq(gone->stutter.peak_ns, VALUE_UNKNOWN);
    cr_assert_eq(unseen->verdict, VERDICT_NOT_EXERCISED, "%s", unseen->reason);
    (void)error;
    fixture_close(&fixture, model);
}

Test(verdicts, back_after_it_was_gone)
{
    static const int64_t peaks_us[] = {80000, 20000, 20000, 20000, 20000, 20000, 80000}; /* one per build */
    struct fixture fixture;

    fixture_open(&fixture);
    for (int b = 0; b < 7; b++)
        for (int i = 0; i < 3; i++) {
            char build[16], run[16];

            snprintf(build, sizeof build, "1.%d", b);
            snprintf(run, sizeof run, "r%d", i);
            add_boss_run(&fixture, build, "Pixel 8", run, peaks_us[b]);
        }

    struct model *model = fixture_model(&fixture);
    const struct stutter_entry *entry = find_entry(model, "1.6", "Pixel 8", "boss_spawn");

    cr_assert_not_null(entry);
    cr_assert_eq(entry->verdict, VERDICT_BACK, "%s", entry->reason);
    fixture_close(&fixture, model);
}

Test(verdicts, one_run_of_five_is_sporadic)
{
    struct fixture fixture;

    fixture_open(&fixture);
    for (int i = 0; i < 5; i++) {
        char name[16];

        snprintf(name, sizeof name, "a%d", i);
        add_boss_run(&fixture, "1", "Pixel 8", name, 20000);
        snprintf(name, sizeof name, "b%d", i);
        add_boss_run(&fixture, "2", "Pixel 8", name, i ? 20000 : 300000);
    }

    struct model *model = fixture_model(&fixture);
    const struct stutter_entry *entry = find_entry(model, "2", "Pixel 8", "boss_spawn");

    cr_assert_not_null(entry);
    cr_assert_eq(entry->verdict, VERDICT_SPORADIC, "%s: %s", verdict_name(entry->verdict), entry->reason);
    cr_assert_float_eq(entry->severity, 300.0 * 0.2, 1e-9);
    fixture_close(&fixture, model);
}

/* One run a night: the nights before lend theirs until there are 3, and somebody must have been clean before. */
Test(verdicts, few_runs_a_night)
{
    static const int64_t peaks_us[] = {20000, 20000, 20000, 80000, 80000, 80000};
    static const enum verdict expected[] = {VERDICT_SPORADIC, VERDICT_NEW, VERDICT_NEW}; /* 1 of 3, 2 of 3, 3 of 3 */
    struct fixture fixture;

    fixture_open(&fixture);
    for (int b = 0; b < 6; b++) {
        char build[16];

        snprintf(build, sizeof build, "1.%d", b);
        add_boss_run(&fixture, build, "Pixel 8", "r", peaks_us[b]);
    }

    struct model *model = fixture_model(&fixture);

    for (int b = 3; b < 6; b++) {
        char build[16];

        snprintf(build, sizeof build, "1.%d", b);

        const struct stutter_entry *entry = find_entry(model, build, "Pixel 8", "boss_spawn");

        cr_assert_not_null(entry);
        cr_assert_eq(entry->verdict, expected[b - 3], "%s: %s: %s", build, verdict_name(entry->verdict), entry->reason);
    }
    fixture_close(&fixture, model);
}

/* Two builds that both have it, and nothing older: it is on both sides, nobody can call it new. */
Test(verdicts, nothing_older_is_not_new)
{
    struct fixture fixture;

    fixture_open(&fixture);
    add_boss_run(&fixture, "1", "Pixel 8", "r", 50000);
    add_boss_run(&fixture, "2", "Pixel 8", "r", 35000);

    struct model *model = fixture_model(&fixture);
    const struct stutter_entry *entry = find_entry(model, "2", "Pixel 8", "boss_spawn");

    cr_assert_not_null(entry);
    cr_assert_eq(entry->verdict, VERDICT_BETTER, "%s: %s", verdict_name(entry->verdict), entry->reason);
    fixture_close(&fixture, model);
}

Test(verdicts, another_os_is_not_compared)
{
    struct fixture fixture;

    fixture_open(&fixture);
    for (int i = 0; i < 3; i++) {
        char name[16];
        struct slow_frame slow = {300, 80000, 76200, 14800, "boss_spawn"};

        snprintf(name, sizeof name, "a%d", i);
        fixture_add(&fixture, &(struct test_run){.build = "1", .device = "Pixel 8", .scene = "Battle_03", .quality = "High", .run = name,
                                                 .os = "Android 13", .frames = 600, .started_at_ms = VALUE_UNKNOWN});
        snprintf(name, sizeof name, "b%d", i);
        add_run(&fixture, "2", "Pixel 8", name, &slow, 1);
    }

    struct model *model = fixture_model(&fixture);
    const struct stutter_entry *entry = find_entry(model, "2", "Pixel 8", "boss_spawn");

    cr_assert_not_null(entry);
    cr_assert_eq(entry->verdict, VERDICT_NONE, "%s", entry->reason);
    cr_assert(strstr(entry->reason, "OS"), "%s", entry->reason);
    fixture_close(&fixture, model);
}

/* Results are kept in the store: opening it again computes nothing. */
Test(verdicts, results_survive_reopening)
{
    struct fixture fixture;
    struct model *model = worked_example(&fixture);
    struct error error = {0};
    int64_t build, left = -1;

    cr_assert(model_find_build(model, NEW, &build, &error));
    cr_assert(model_analyze(model, 0, NULL, &error), "%s", error.text);
    model_close(model);
    model = fixture_model(&fixture);

    const struct build_results *results = model_results(model, build, true, NULL, &error); /* nothing is computed */

    cr_assert_not_null(results);
    cr_assert(results->complete);
    cr_assert_eq(results_all_windows(results, &error)->count, 4);
    cr_assert(model_analyze_step(model, build, &left, &error));
    cr_assert_eq(left, 0);
    fixture_close(&fixture, model);
}

/* A store that only can be read shows what is current in it, and computes the rest in memory. */
Test(verdicts, a_store_to_read)
{
    struct fixture fixture;
    struct model *model = worked_example(&fixture);
    struct model_options options = {.mode = STORE_READ};
    struct error error = {0};
    int64_t build;

    cr_assert(model_find_build(model, NEW, &build, &error));
    cr_assert(model_analyze(model, build, NULL, &error), "%s", error.text); /* the older build is left out */
    model_close(model);
    cr_assert(model_open(fixture.path, &options, &model, &error), "%s", error.text);

    const struct stutter_entry *entry = find_entry(model, NEW, "SM-S918N", "boss_spawn");

    cr_assert_not_null(entry);
    cr_assert_eq(entry->verdict, VERDICT_NEW, "%s", entry->reason);
    cr_assert_eq(results_all_windows(model_results(model, build, true, NULL, &error), &error)->count, 4);
    fixture_close(&fixture, model);
}
