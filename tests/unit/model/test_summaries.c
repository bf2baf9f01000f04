/*
 * Figures that a server computed hold for the settings they were made with: for others they are counted again from what
 * is here, or not known.
 */
#include "fixture.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/model/summary.h"
#include "stutterscope/store/summary.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/*
 * Of 1000 frames of 16 ms eight are here: those over 33.33 ms, 2 budgets at 60 FPS. Over 3 budgets (50 ms) are 60, 70
 * and 80 ms; the server has counted 4 over the threshold, 900 late.
 */
static const int64_t here_ms[] = {16, 40, 16, 60, 16, 70, 16, 80};
enum { HERE = sizeof here_ms / sizeof *here_ms };

struct imported {
    const char *settings;
    int64_t device_fps_milli, run_fps_milli; /* VALUE_UNKNOWN */
};

static void add_build(struct fixture *fixture, const struct imported *imported)
{
    struct dictionary *texts = dictionary_create();
    struct store_writer *writer;
    struct error error = {0};
    struct run_facts facts = {.build = "1.0", .device_model = "Pixel", .name = "r1", .built_at_ms = VALUE_UNKNOWN,
                              .started_at_ms = VALUE_UNKNOWN, .sample_every = VALUE_UNKNOWN, .kept_over_ns = VALUE_UNKNOWN,
                              .target_fps_milli = imported->run_fps_milli, .refresh_milli_hz = VALUE_UNKNOWN,
                              .interval = "present", .tests_holes = true, .has_clock = true};
    struct segment_facts segment = {.scene = "Menu", .target_fps_milli = VALUE_UNKNOWN, .refresh_milli_hz = VALUE_UNKNOWN};
    struct run_summary summary = {.build = "1.0", .device = "Pixel", .soc = "", .model_code = "", .name = "r1", .maps = "[]",
                                  .settings = imported->settings, .frames = 1000, .sum_ns = 16000 * NS_PER_MS,
                                  .first_stamp_ns = 0, .last_stamp_ns = 20000 * NS_PER_MS, .limit_ns = 33333333};
    struct summary_row row = {.half_ns = VALUE_UNKNOWN,
                              .distribution = {.frames = 1000, .frames_kept = 1000, .duration_ns = 16000 * NS_PER_MS,
                                               .median_ns = 16e6, .p95_ns = 16 * NS_PER_MS, .p99_ns = 16 * NS_PER_MS,
                                               .min_ns = 16 * NS_PER_MS, .max_ns = 80 * NS_PER_MS, .mean_ns = 16e6,
                                               .low1_ns = 40e6, .late = 900, .over = 4}};
    int64_t stamps[HERE], frames[HERE], stamp = 1000 * NS_PER_MS;
    struct frame_columns columns = {.count = HERE, .values = {[COLUMN_STAMP] = stamps, [COLUMN_FRAME_TIME] = frames}};
    struct import_outcome outcome;
    size_t number;

    for (int i = 0; i < HERE; i++) {
        frames[i] = here_ms[i] * NS_PER_MS;
        stamps[i] = stamp += frames[i];
    }
    cr_assert(store_writer_begin(fixture->store, texts, &writer, &error), "%s", error.text);
    cr_assert(store_writer_add_run(writer, &facts, &number, &error), "%s", error.text);
    store_writer_set_summary(writer, number, &summary);
    cr_assert(store_writer_add_segment(writer, number, &segment, &columns, &error), "%s", error.text);
    store_writer_set_measures(writer, number, &(struct run_measures){.holes_tested = 999});
    store_writer_add_summary(writer, number, number, "Menu", NULL, &row);
    store_writer_add_summary(writer, SIZE_MAX, number, "Menu", NULL, &row);
    store_writer_replace_build(writer, "clickhouse://db/frames", "1.0", "1");
    cr_assert(store_writer_commit(writer, &(struct import_facts){.path = "db", .format = "clickhouse", .fingerprint = "1"},
                                  &outcome, &error),
              "%s", error.text);
    dictionary_destroy(texts);
    if (imported->device_fps_milli != VALUE_UNKNOWN) {
        struct device_row device = {.model = (char *)"Pixel", .chip = (char *)"", .weight = 1,
                                    .target_fps_milli = imported->device_fps_milli};

        cr_assert(store_declare_device(fixture->store, &device, &error), "%s", error.text);
    }
}

struct expected {
    int64_t frames, over, windows; /* windows: VALUE_UNKNOWN can show none */
};

static void check(const struct imported *imported, int64_t factor_milli, const struct expected *expected, const char *what)
{
    struct fixture fixture;
    struct error error = {0};

    fixture_open(&fixture);
    add_build(&fixture, imported);

    struct model *model = fixture_model(&fixture);
    struct analysis_settings settings = *model_settings(model);

    settings.factor_milli = factor_milli;
    cr_assert(model_try_settings(model, &settings, &error), "%s", error.text);

    const struct build_results *results = model_results(model, model_newest_build(model), false, NULL, &error);

    cr_assert_not_null(results, "%s: %s", what, error.text);
    cr_assert_eq(results->groups.count, 1);

    const struct group_figures *group = &results->groups.items[0];
    const struct run_figures *run = &results->runs.items[0];

    cr_assert_eq(run->distribution.frames, expected->frames, "%s", what);
    cr_assert_eq(group->distribution.frames, expected->frames, "%s", what);
    if (expected->frames) {
        cr_assert_eq(run->distribution.over, expected->over, "%s: %lld", what, (long long)run->distribution.over);
        cr_assert_eq(group->distribution.over, expected->over, "%s: %lld", what, (long long)group->distribution.over);
        cr_assert_eq(group->distribution.late, 900, "%s: budgets are the same", what);
    }
    cr_assert_eq(!(group->flags & FIGURE_NO_WINDOWS), expected->windows != VALUE_UNKNOWN, "%s", what);

    char *warning = model_summary_warning(model, 0, &error);

    cr_assert_eq(warning != NULL, expected->windows == VALUE_UNKNOWN, "%s: %s", what, warning ? warning : "");
    free(warning);
    fixture_close(&fixture, model);
}

static const struct imported plain = {"factor=2 fps=auto labels=on device-fps=auto", VALUE_UNKNOWN, VALUE_UNKNOWN};

Test(summaries, the_same_settings_take_the_figures_as_they_are)
{
    check(&plain, 2000, &(struct expected){1000, 4, 0}, "the same");
}

Test(summaries, a_higher_factor_counts_again_what_is_here)
{
    check(&plain, 3000, &(struct expected){1000, 3, 0}, "3 budgets");
}

Test(summaries, how_many_are_over_a_lower_factor_is_not_known)
{
    check(&plain, 1500, &(struct expected){1000, VALUE_UNKNOWN, VALUE_UNKNOWN}, "25 ms");
}

Test(summaries, another_target_of_the_device_makes_them_unknown)
{
    const struct imported slower = {plain.settings, 30000, VALUE_UNKNOWN},
                          same = {"factor=2 fps=auto labels=on device-fps=60", 60000, VALUE_UNKNOWN},
                          was_slower = {"factor=2 fps=auto labels=on device-fps=30", 60000, VALUE_UNKNOWN},
                          own = {"factor=2 fps=auto labels=on device-fps=30", 45000, 60000},
                          early = {"factor=2 fps=auto labels=on", 60000, VALUE_UNKNOWN};

    check(&slower, 2000, &(struct expected){0, 0, VALUE_UNKNOWN}, "none then, 30 now");
    check(&was_slower, 2000, &(struct expected){0, 0, VALUE_UNKNOWN}, "30 then, 60 now");
    check(&same, 2000, &(struct expected){1000, 4, 0}, "60 then and now");
    check(&own, 2000, &(struct expected){1000, 4, 0}, "the run says 60 itself");
    check(&early, 2000, &(struct expected){1000, 4, 0}, "an import that says nothing of it");
}
