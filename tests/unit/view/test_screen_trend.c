#include "../../../src/view/screens/trend.h"
#include "night.h"
#include "stutterscope/model/history.h"
#include "stutterscope/view/screens.h"
#include "twelve.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Begins at a device and scene, whatever is to decide. */
static struct night open_at(const char *device, const char *scene)
{
    struct night night = night_open_with(&trend_screen, twelve_fill);
    struct session *session = night.session;
    struct error error = {0};

    session->stutter[0] = '\0';
    cr_assert(model_find_device(session->model, device, &session->device, &error), "%s", error.text);
    cr_assert(model_find_scene(session->model, scene, &session->scene, &error), "%s", error.text);
    cr_assert(screen_recompute(night.screen, NULL, &error), "%s", error.text);
    return night;
}

static const struct {
    int rows, columns;
    enum glyph_set glyphs;
    const char *name;
} sizes[] = {
    {12, 40, GLYPHS_FULL, "trend-40x12"},          {24, 80, GLYPHS_FULL, "trend-80x24"},
    {40, 120, GLYPHS_FULL, "trend-120x40"},        {60, 200, GLYPHS_FULL, "trend-200x60"},
    {12, 40, GLYPHS_ASCII, "trend-40x12-ascii"},   {24, 80, GLYPHS_ASCII, "trend-80x24-ascii"},
    {40, 120, GLYPHS_ASCII, "trend-120x40-ascii"}, {60, 200, GLYPHS_ASCII, "trend-200x60-ascii"},
};

Test(screen_trend, looks_as_committed)
{
    struct night night = open_at("Galaxy A54", "Raid_02");

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        night_size(&night, sizes[i].rows, sizes[i].columns, sizes[i].glyphs);
        night_expect(&night, sizes[i].name);
    }
    night_close(&night);
}

/* 24.3 before 415, 29.8 from it on. Noise: the runs of 410 … 413 lie 0.6 0.3 0 0.3 0.6 from their median,
 * one 7.5, so their MAD is 0.3: 3 x 1.4826 x 0.3 = 1.3. */
Test(screen_trend, says_where_the_step_is_and_that_the_baseline_has_it)
{
    struct night night = open_at("Galaxy A54", "Raid_02");

    night_size(&night, 30, 100, GLYPHS_FULL);
    cr_assert(night_shows(
        &night, "STEP UP at 1.7.9(415)  24.3 → 29.8  +5.5 ms, noise ±1.3 · HIDDEN BY BASELINE (420)"));
    cr_assert(night_shows(&night, "last good (413)"));
    cr_assert(night_shows(&night, "not run   (414)"));
    cr_assert(night_shows(&night, "first bad (415)"));
    cr_assert(night_shows(&night, "next: run (414) here, settles it"));
    cr_assert(night_shows(&night, "vs (420) 0.0 same"));
    cr_assert(night_shows(&night, "vs (410) +5.5 worse oldest, unlike"));
    cr_assert(night_shows(&night, "4 nights | 7: p < 0.0001"));
    cr_assert(night_shows(&night, "OS 13 → 14 at (417): later"));
    cr_assert(night_shows(&night, "odd, does not decide: (412) run 5, 31.8"));
    cr_assert(night_shows(&night, "same step on mid 2 of 3, high 0 of 1"));
    night_close(&night);
}

Test(screen_trend, the_series_of_a_stutter)
{
    struct night night = open_at("Galaxy S23 Ultra", "Battle_03");
    const struct stutter_entries *entries =
        model_stutters(night.session->model, night.session->build, 0, false, NULL, NULL);
    struct error error = {0};

    for (size_t i = 0; i < entries->count; i++)
        if (entries->items[i].stutter.key.scene == night.session->scene)
            session_choose_stutter(night.session, &entries->items[i]);
    cr_assert(screen_recompute(night.screen, NULL, &error), "%s", error.text);
    cr_assert(night_shows(&night, "▸ boss_spawn · peak ms"));
    cr_assert(night_shows(&night, "STEP UP at 1.7.9(418)  31.0 → 92.0  +61.0"));
    night_do(&night, ACTION_ENTER);
    cr_assert(night.reply.go && night.reply.go_to == SCREEN_FRAMES);
    night_do(&night, ACTION_WIDER);
    cr_assert(night_shows(&night, "▸ whole scene · P99 ms"));
    night_do(&night, ACTION_WIDER);
    cr_assert(night_shows(&night, "SAME DEVICE, OTHER SCENES"));
    cr_assert(night_shows(&night, "Raid_02"));
    night_do(&night, ACTION_WIDER);
    cr_assert(night_shows(&night, "▸ boss_spawn · peak ms"));
    night_close(&night);
}

Test(screen_trend, the_cursor_goes_along_the_builds_and_opens_one)
{
    struct night night = open_at("Galaxy A54", "Raid_02");

    night_size(&night, 30, 100, GLYPHS_FULL);
    cr_assert(night_shows(&night, "AT THE CURSOR  (421)"));
    night_do(&night, ACTION_RIGHT);
    cr_assert_str_eq(night.reply.message, "this is the newest build");
    night_do(&night, ACTION_FIRST);
    cr_assert(night_shows(&night, "AT THE CURSOR  (410)"));
    cr_assert(night_shows(&night, "runs 23.7 24.0 24.3 24.6 24.9"));
    night_do(&night, ACTION_NEWER_BUILD);
    night_do(&night, ACTION_RIGHT);
    cr_assert(night_shows(&night, "AT THE CURSOR  (412)"));
    cr_assert(night_shows(&night, "runs 23.7 24.0 24.3 24.6 31.8!"));
    night_do(&night, ACTION_ENTER);
    cr_assert(night.reply.go && night.reply.go_to == SCREEN_MAP);
    cr_assert_str_eq(model_build_name(night.session->model, night.session->build), "1.7.9(412)");
    night_do(&night, ACTION_RIGHT);
    night_do(&night, ACTION_RIGHT);
    night_do(&night, ACTION_ENTER);
    cr_assert_str_eq(night.reply.message, "(414) was not run here");
    cr_assert(night_do(&night, ACTION_FIND));
    night_type(&night, "(419)");
    cr_assert(night_shows(&night, "AT THE CURSOR  (419)"));
    night_close(&night);
}

/* "iOS 1" is no part of "iOS 17": both are said. */
Test(screen_trend, names_that_begin_alike_are_two)
{
    struct night night = open_at("iPhone 12", "Raid_02");
    const struct trend_state *state = night.screen->state;

    for (size_t i = 0; i < state->builds.count; i++)
        cr_expect_str_eq(state->builds.items[i].lanes[TREND_OS], i == 1 ? "iOS 17/iOS 1" : i == 4 ? "" : "iOS 17");
    night_close(&night);
}

Test(screen_trend, other_figures_of_the_same_cell)
{
    struct night night = open_at("Galaxy A54", "Raid_02");

    night_do(&night, ACTION_WHAT);
    cr_assert(night_shows(&night, "hitch ratio"));
    cr_assert_not(night_shows(&night, "of the stutter"), "there is none here");
    night_do(&night, ACTION_FIRST);
    night_do(&night, ACTION_ENTER);
    cr_assert(night_shows(&night, "· P95 ms"));
    night_close(&night);
}

Test(screen_trend, the_range_can_be_moved_and_put_back)
{
    struct night night = open_at("Galaxy A54", "Raid_02");

    night_size(&night, 30, 100, GLYPHS_FULL);
    night_do(&night, ACTION_RANGE_NEWER);
    cr_assert_str_eq(night.reply.message, "range: (415) … (416); = puts it back");
    cr_assert(night_shows(&night, "next: it is this build"));
    night_do(&night, ACTION_RANGE_OLDER);
    night_do(&night, ACTION_RANGE_OLDER);
    cr_assert_str_eq(night.reply.message, "range: (412) … (413); = puts it back");
    night_do(&night, ACTION_DEFAULT);
    cr_assert(night_shows(&night, "first bad (415)"));
    night_close(&night);
}

Test(screen_trend, pins_the_build_at_the_cursor_and_takes_that_back)
{
    struct night night = open_at("Galaxy A53", "Raid_02");

    night_size(&night, 30, 100, GLYPHS_FULL);
    night_do(&night, ACTION_FIRST);
    night_do(&night, ACTION_PIN_BASELINE);
    cr_assert(night_shows(&night, "pin 1.7.9(410) in this cell, for everybody?"));
    night_type(&night, "y");
    cr_assert(night_shows(&night, "vs (410) +6.6 worse pinned"));
    cr_assert_not(night_shows(&night, "HIDDEN"));
    night_do(&night, ACTION_PIN_BASELINE);
    night_type(&night, "y");
    cr_assert(night_shows(&night, "vs (420) 0.0 same"));
    night_close(&night);
}

Test(screen_trend, goes_to_the_same_scene_on_the_next_device)
{
    struct night night = open_at("Galaxy A54", "Raid_02");

    night_do(&night, ACTION_NEXT_SIBLING);
    cr_assert(night_shows(&night, "Galaxy A53 × Raid_02"));
    night_do(&night, ACTION_PREVIOUS_SIBLING);
    cr_assert(night_shows(&night, "Galaxy A54 × Raid_02"));
    night_do(&night, ACTION_FILTER);
    night_type(&night, "high");
    cr_assert_not(night_shows(&night, "Redmi"));
    cr_assert(night_shows(&night, "Galaxy S23 Ultra"));
    cr_assert(night_do(&night, ACTION_BACK));
    cr_assert(night_shows(&night, "Redmi"));
    night_close(&night);
}

Test(screen_trend, why_and_json_and_runs)
{
    struct night night = open_at("Galaxy A54", "Raid_02");

    night_size(&night, 60, 160, GLYPHS_FULL);
    night_do(&night, ACTION_WHY);
    cr_assert(night_shows(&night, "20 runs of 4 builds before, 35 runs of 7 builds after"));
    cr_assert(night_shows(&night, "1.7.9(414)  not run"));
    night_do(&night, ACTION_BACK);
    night_do(&night, ACTION_PAYLOAD);
    cr_assert(night_shows(&night, "\"stutterscope.trend/1\""));
    night_do(&night, ACTION_BACK);
    night_do(&night, ACTION_RUNS);
    cr_assert(night_shows(&night, "build 1.8.0(421): 5 runs"));
    night_close(&night);
}

/* Nothing before (410); between 413 and 415 lies one build, so that one is next. */
Test(screen_trend, range_of_a_history)
{
    struct night night = open_at("Galaxy A54", "Raid_02");
    struct session *session = night.session;
    struct group_key key = {session->build, session->device, session->scene,
                            model_qualities(session->model)->items[0].id};
    struct history *history;
    struct history_range range;
    struct error error = {0};

    cr_assert(model_history(session->model, &key, -1, COMPARED_P99, 0, false, NULL, &history, &error), "%s",
              error.text);
    cr_assert_eq(history->build_count, 12);
    cr_assert_float_eq(history->change_noise, 3 * 1.4826 * 0.3, 1e-9);
    history_range_at(history, 5, &range);
    cr_assert_eq(range.last_good, 3);
    cr_assert_eq(range.not_run, 1);
    cr_assert_eq(range.next, 4);
    history_range_at(history, 7, &range);
    cr_assert_eq(range.last_good, 6);
    cr_assert_eq(range.next, SIZE_MAX);
    history_range_at(history, 0, &range);
    cr_assert_eq(range.last_good, SIZE_MAX);
    history_destroy(history);
    night_close(&night);
}

/* boss_spawn takes 92, 71, 16.4, 88 and 65 ms in the runs of 421, about 31 before: the build is slower, no run is odd. */
Test(screen_trend, many_odd_runs_are_no_odd_runs)
{
    struct night night = night_open(&trend_screen, true);

    night_size(&night, 30, 120, GLYPHS_FULL);
    cr_assert(night_shows(&night, "boss_spawn · peak ms"));
    cr_assert(night_shows(&night, "runs 92.4 71.0 16.4 88.2 64.9"));
    cr_assert_not(night_shows(&night, "odd"));
    night_close(&night);
}

/* What is not analysed yet is worked out in steps, and said until then. */
Test(screen_trend, never_waits_for_analysis)
{
    struct night night = night_open_with(&trend_screen, twelve_fill);
    struct analysis_settings settings = *model_settings(night.session->model);
    struct screen_progress progress;
    struct error error = {0};
    enum screen_work left;
    int steps = 0;

    settings.factor_milli = 2100;
    cr_assert(model_change_settings(night.session->model, &settings, &error), "%s", error.text);
    night.session->analyses_in_steps = true;
    cr_assert(model_find_device(night.session->model, "Galaxy A54", &night.session->device, &error));
    cr_assert(model_find_scene(night.session->model, "Raid_02", &night.session->scene, &error));
    night.session->stutter[0] = '\0';
    cr_assert(screen_recompute(night.screen, NULL, &error), "%s", error.text);
    cr_assert(night_shows(&night, "so far NOT ANALYSED YET"));
    while ((left = trend_screen.work(night.screen->state, &progress, &error)) == WORK_MORE)
        cr_assert_lt(++steps, 100);
    cr_assert_eq(left, WORK_DONE);
    cr_assert(night_shows(&night, "STEP UP at 1.7.9(415)"));
    cr_assert_eq(trend_screen.work(night.screen->state, &progress, &error), WORK_NONE);
    night_close(&night);
}

Test(screen_trend, an_empty_store_says_what_to_do)
{
    struct night night = night_open(&trend_screen, false);

    cr_assert(night_shows(&night, "NO RUNS YET"));
    cr_assert(night_shows(&night, "stutterscope import"));
    cr_assert_not(night_do(&night, ACTION_RIGHT));
    night_close(&night);
}

Test(screen_trend, harmless_at_any_size)
{
    struct night night = open_at("Galaxy A54", "Raid_02");

    for (int rows = 1; rows <= 64; rows += 3)
        for (int columns = 1; columns <= 220; columns += 7) {
            night_size(&night, rows, columns, GLYPHS_FULL);
            free(night_text(&night));
            night_do(&night, columns % 2 ? ACTION_MORE : ACTION_LESS);
            night_do(&night, ACTION_LEFT);
            night_click(&night, rows / 2, columns / 2, 1);
        }
    night_close(&night);
}
