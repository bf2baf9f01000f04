#include "night.h"
#include "stutterscope/view/screens.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    int rows, columns;
    enum glyph_set glyphs;
    const char *name;
} sizes[] = {
    {12, 40, GLYPHS_FULL, "map-40x12"},          {24, 80, GLYPHS_FULL, "map-80x24"},
    {30, 100, GLYPHS_FULL, "map-100x30"},        {40, 120, GLYPHS_FULL, "map-120x40"},
    {60, 200, GLYPHS_FULL, "map-200x60"},        {12, 40, GLYPHS_ASCII, "map-40x12-ascii"},
    {24, 80, GLYPHS_ASCII, "map-80x24-ascii"},   {40, 120, GLYPHS_ASCII, "map-120x40-ascii"},
    {60, 200, GLYPHS_ASCII, "map-200x60-ascii"},
};

Test(screen_map, looks_as_committed)
{
    struct night night = night_open(&map_screen, true);

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        night_size(&night, sizes[i].rows, sizes[i].columns, sizes[i].glyphs);
        night_expect(&night, sizes[i].name);
    }
    night_close(&night);
}

Test(screen_map, an_empty_store_says_what_to_do)
{
    struct night night = night_open(&map_screen, false);

    cr_assert(night_shows(&night, "NO RUNS YET"));
    cr_assert(night_shows(&night, "stutterscope import FILE"));
    cr_assert_not(night_do(&night, ACTION_DOWN));
    cr_assert(night_do(&night, ACTION_ENTER));
    cr_assert_not(night.reply.go);
    cr_assert(night_do(&night, ACTION_RELOAD));
    night_expect(&night, "map-empty-80x24");
    night_close(&night);
}

Test(screen_map, harmless_at_any_size)
{
    struct night night = night_open(&map_screen, true);

    for (int rows = 1; rows <= 64; rows += 3)
        for (int columns = 1; columns <= 220; columns += 7) {
            night_size(&night, rows, columns, rows % 2 ? GLYPHS_FULL : GLYPHS_ASCII);
            free(night_text(&night));
            night_do(&night, ACTION_RIGHT);
            night_do(&night, ACTION_DOWN);
            night_click(&night, rows / 2, columns / 2, 1);
        }
    night_close(&night);
}

/* Of the night: boss_spawn is new on the S23, the A54 is slower at Raid_02, the Pixel is silent, the A15 has
 * 2 of 3. */
/* The last runs came on 2025-11-27 at 02:05; it is the 30th at noon: the 28th and the 29th brought nothing. */
Test(screen_map, nights_without_upload_are_said)
{
    struct night night = night_open(&map_screen, true);
    struct error error = {0};

    night_size(&night, 40, 160, GLYPHS_FULL);
    night.session->today_ms = 1764504000000;
    cr_assert(screen_recompute(night.screen, NULL, &error), "%s", error.text);
    cr_expect(night_shows(&night, "nothing since 2025-11-27, 2 nights"));
    night_close(&night);
}

Test(screen_map, what_is_to_decide)
{
    struct night night = night_open(&map_screen, true);
    struct open_items items;
    struct error error = {0};

    cr_assert(session_open_items(night.session, &items, &error), "%s", error.text);
    cr_assert_eq(items.count, 4);
    cr_assert_eq(items.items[0].kind, OPEN_STUTTER);
    cr_assert_eq(items.items[0].verdict, VERDICT_NEW);
    cr_assert_eq(items.items[0].devices, 1);
    cr_assert_float_eq(items.items[0].worst->severity, 92.4 * 0.8 * 1.4, 1e-9);
    cr_assert_eq(items.items[1].kind, OPEN_DRIFT);
    cr_assert_eq(items.items[2].kind, OPEN_SILENT);
    cr_assert_eq(items.items[3].kind, OPEN_PARTIAL);
    cr_assert_eq(night.session->to_decide, 4);
    cr_assert_eq(night.session->silent, 2);
    free(items.items);
    night_close(&night);
}

static const char *device_here(const struct night *night)
{
    return model_device_title(model_device(night->session->model, night->session->device));
}

static const char *scene_here(const struct night *night)
{
    return model_scene_name(night->session->model, night->session->scene);
}

static void expect_here(const struct night *night, const char *device, const char *scene)
{
    cr_expect_str_eq(device_here(night), device);
    cr_expect_str_eq(scene_here(night), scene);
}

Test(screen_map, begins_at_the_worst_and_goes_from_one_decision_to_the_next)
{
    struct night night = night_open(&map_screen, true);

    expect_here(&night, "Galaxy S23 Ultra", "Battle_03");
    night_do(&night, ACTION_NEXT_OPEN);
    expect_here(&night, "Galaxy A54", "Raid_02");
    night_do(&night, ACTION_NEXT_OPEN);
    expect_here(&night, "Pixel 6a", "Raid_02");
    night_do(&night, ACTION_NEXT_OPEN);
    expect_here(&night, "Galaxy A15", "Raid_02");
    cr_assert(night_shows(&night, "4 of 4 to decide"));
    night_do(&night, ACTION_NEXT_OPEN);
    expect_here(&night, "Galaxy S23 Ultra", "Battle_03");
    night_do(&night, ACTION_PREVIOUS_OPEN);
    expect_here(&night, "Galaxy A15", "Battle_03"); /* a device is not of a scene: the column stays */
    night_close(&night);
}

Test(screen_map, siblings_are_the_cells_with_a_finding)
{
    struct night night = night_open(&map_screen, true);

    night_do(&night, ACTION_NEXT_SIBLING);
    expect_here(&night, "Galaxy Z Flip5", "Battle_03");
    night_do(&night, ACTION_NEXT_SIBLING);
    expect_here(&night, "iPhone 15 Pro", "Lobby");
    night_do(&night, ACTION_NEXT_SIBLING);
    expect_here(&night, "Galaxy A54", "Raid_02");
    night_do(&night, ACTION_NEXT_SIBLING);
    expect_here(&night, "Galaxy S23 Ultra", "Battle_03");
    night_close(&night);
}

Test(screen_map, enter_takes_the_shortest_way)
{
    struct night night = night_open(&map_screen, true);

    night_do(&night, ACTION_ENTER);
    cr_assert(night.reply.go);
    cr_assert_eq(night.reply.go_to, SCREEN_FRAMES);
    cr_assert_str_neq(night.session->stutter, "");
    night_do(&night, ACTION_NEXT_OPEN); /* slower without a stutter */
    cr_assert_str_eq(night.session->stutter, "");
    night_do(&night, ACTION_ENTER);
    cr_assert_eq(night.reply.go_to, SCREEN_TREND);
    cr_assert_eq(night.session->only_device, 0);
    night_do(&night, ACTION_NEXT_OPEN); /* silent */
    night_do(&night, ACTION_ENTER);
    cr_assert_eq(night.reply.go_to, SCREEN_COVER);
    cr_assert_eq(night.session->only_device, 0);
    night_do(&night, ACTION_FIRST); /* the S23 at Raid_02 is clean */
    expect_here(&night, "Galaxy S23 Ultra", "Raid_02");
    night_do(&night, ACTION_ENTER);
    cr_assert_not(night.reply.go);
    cr_assert_not_null(strstr(night.reply.message, "clean"));
    night_close(&night);
}

Test(screen_map, a_weight_can_be_tried_and_taken_back)
{
    struct night night = night_open(&map_screen, true);

    for (int i = 0; i < 6; i++)
        night_do(&night, ACTION_MORE);                        /* 1.4 to 2.0 */
    cr_assert(night_shows(&night, "147.8 = 92.4 × 4/5 × 2")); /* 92.4 x 0.8 x 2 = 147.84 */
    cr_assert(night_shows(&night, "148*"));
    night_do(&night, ACTION_DEFAULT);
    cr_assert(night_shows(&night, "103.5 = 92.4 × 4/5 × 1.4"));
    night_close(&night);
}

static void choose_rows(struct night *night, int index)
{
    night_do(night, ACTION_WIDER);
    night_do(night, ACTION_FIRST);
    for (int i = 0; i < index; i++)
        night_do(night, ACTION_DOWN);
    night_do(night, ACTION_ENTER);
}

/* A cell of a tier shows its device that is to decide, not the one that is known, and speaks of it. */
Test(screen_map, rows_of_tiers)
{
    struct night night = night_open(&map_screen, true);

    choose_rows(&night, 1);
    cr_assert(night_shows(&night, "high ×3"));
    cr_assert(night_shows(&night, "mid ×2"));
    cr_assert(night_shows(&night, "3.7"));  /* 1.4 + 1.1 + 1.2 */
    cr_assert(night_shows(&night, "103*")); /* the S23; the Z Flip5 has 79, the same as before */
    cr_assert_not(night_shows(&night, "79="));
    cr_assert(night_shows(&night, "Galaxy S23 Ultra × Battle_03"));
    night_expect(&night, "map-tiers-80x24");
    night_size(&night, 40, 120, GLYPHS_FULL);
    night_expect(&night, "map-tiers-120x40");
    night_do(&night, ACTION_RIGHT);
    expect_here(&night, "iPhone 15 Pro", "Lobby");
    night_do(&night, ACTION_DOWN);
    cr_assert(night_shows(&night, "× Lobby"));
    night_close(&night);
}

/* Every thing to decide is reached, the one that shares its cell with another one, too. */
Test(screen_map, rows_of_tiers_hide_nothing_to_decide)
{
    static const char *const devices[] = {"Galaxy A54", "Pixel 6a", "Galaxy A15", "Galaxy S23 Ultra"};
    struct night night = night_open(&map_screen, true);

    choose_rows(&night, 1);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        night_do(&night, ACTION_NEXT_OPEN);
        cr_expect_str_eq(device_here(&night), devices[i]);
    }
    choose_rows(&night, 0);
    expect_here(&night, "Galaxy S23 Ultra", "Battle_03");
    cr_assert(night_shows(&night, "Galaxy Z Flip5"));
    night_close(&night);
}

/* With a weight that makes another device the worst, that one is shown. */
Test(screen_map, a_weight_tried_in_a_row_of_tiers)
{
    struct night night = night_open(&map_screen, true);

    choose_rows(&night, 1);
    for (int i = 0; i < 6; i++)
        night_do(&night, ACTION_MORE);
    cr_assert(night_shows(&night, "148*")); /* 92.4 x 0.8 x 2 */
    cr_assert(night_shows(&night, "4.3"));  /* 2 + 1.1 + 1.2 */
    night_do(&night, ACTION_DEFAULT);
    cr_assert(night_shows(&night, "103*"));
    night_close(&night);
}

Test(screen_map, rows_of_tiers_find_their_devices)
{
    struct night night = night_open(&map_screen, true);

    choose_rows(&night, 1);
    night_do(&night, ACTION_FIND);
    night_type(&night, "Galaxy A15");
    cr_expect_str_eq(device_here(&night), "Galaxy A15"); /* the only one of its tier */
    night_close(&night);
}

/* Battle_03 is hit on two of the five devices with data, Lobby on one; a tier says how many of its scenes. */
Test(screen_map, rows_and_columns_are_summed_up)
{
    struct night night = night_open(&map_screen, true);

    night_size(&night, 40, 120, GLYPHS_FULL);
    cr_assert(night_shows(&night, "devices hit"));
    cr_assert(night_shows(&night, "2/5"));
    night_close(&night);
}

/* Three letters are the widest tier then. */
Test(screen_map, the_heading_of_tiers_stands_apart)
{
    struct night night = night_open(&map_screen, true);

    night_size(&night, 24, 80, GLYPHS_FULL);
    night_do(&night, ACTION_FILTER);
    cr_assert(night_type(&night, "device:pixel"));
    cr_assert(night_shows(&night, " tier device "));
    cr_assert(night_shows(&night, " mid "));
    night_close(&night);
}

/* Severities of the night: 78.96 at the Flip5 is the first and the second quarter, 103.5 the rest. */
Test(screen_map, equal_bounds_are_one_entry)
{
    struct night night = night_open(&map_screen, true);

    night_size(&night, 24, 80, GLYPHS_FULL);
    cr_assert(night_shows(&night, "  ▒79 █103"));
    night_close(&night);
}

Test(screen_map, the_filter_hides_and_escape_takes_it_away)
{
    struct night night = night_open(&map_screen, true);
    char *text;

    night_do(&night, ACTION_FILTER);
    cr_assert(night_type(&night, "galaxy BOSS"));
    text = night_text(&night);
    cr_expect_not_null(strstr(text, "Flip5"));
    cr_expect_null(strstr(text, "Lobby"));
    cr_expect_not_null(strstr(text, "filter \"galaxy BOSS\""));
    free(text);
    night_do(&night, ACTION_LAST);
    expect_here(&night, "Galaxy Z Flip5", "Battle_03"); /* the other Galaxies have no boss_spawn */
    cr_assert(night_do(&night, ACTION_BACK));
    cr_assert(night_shows(&night, "Lobby"));
    cr_assert_not(night_do(&night, ACTION_BACK), "nothing left to take back");
    night_do(&night, ACTION_FILTER);
    night_type(&night, "nowhere");
    cr_assert(night_shows(&night, "fits the filter"));
    cr_assert(night_do(&night, ACTION_BACK));
    cr_assert(night_shows(&night, "S23"));
    night_close(&night);
}

Test(screen_map, find_goes_from_hit_to_hit_and_hides_nothing)
{
    struct night night = night_open(&map_screen, true);

    night_do(&night, ACTION_FIND);
    night_type(&night, "SHOP");
    expect_here(&night, "iPhone 15 Pro", "Lobby");
    night_do(&night, ACTION_FIND);
    night_type(&night, "boss");
    expect_here(&night, "Galaxy S23 Ultra", "Battle_03");
    night_do(&night, ACTION_FIND_NEXT);
    expect_here(&night, "Galaxy Z Flip5", "Battle_03");
    night_do(&night, ACTION_FIND_PREVIOUS);
    expect_here(&night, "Galaxy S23 Ultra", "Battle_03");
    night_do(&night, ACTION_FIND);
    night_type(&night, "nothing like this");
    cr_assert_not_null(strstr(night.reply.message, "nothing like this"));
    expect_here(&night, "Galaxy S23 Ultra", "Battle_03");
    night_close(&night);
}

Test(screen_map, worst_first_and_back_keeps_the_cursor_on_its_cell)
{
    struct night night = night_open(&map_screen, true);
    char *text;

    night_do(&night, ACTION_NEXT_SIBLING); /* the Flip */
    night_do(&night, ACTION_SORT);
    night_do(&night, ACTION_DOWN);
    night_do(&night, ACTION_ENTER);
    expect_here(&night, "Galaxy Z Flip5", "Battle_03");
    cr_assert(night_shows(&night, "worst first"));
    night_do(&night, ACTION_SORT);
    night_do(&night, ACTION_SORT); /* the same again: reversed */
    cr_assert(night_shows(&night, "worst first, reversed"));
    night_size(&night, 30, 100, GLYPHS_FULL);
    text = night_text(&night);
    cr_assert_lt(strstr(text, "Galaxy Z Flip5 ") - text, strstr(text, "Galaxy S23 Ultra  ") - text);
    free(text);
    night_close(&night);
}

Test(screen_map, metric_and_difference)
{
    struct night night = night_open(&map_screen, true);

    night_do(&night, ACTION_COMPARE);
    cr_assert(night_shows(&night, "+61*"), "peak 92.4, before 31.6");
    cr_assert(night_shows(&night, "Δ to 1.8.0(420)"));
    night_do(&night, ACTION_COMPARE);
    night_do(&night, ACTION_WHAT);
    night_do(&night, ACTION_DOWN);
    night_do(&night, ACTION_ENTER);
    cr_assert_eq(night.session->metric, METRIC_PEAK);
    cr_assert(night_shows(&night, " 92*"));
    cr_assert(night_shows(&night, " 72="));
    night_close(&night);
}

Test(screen_map, older_and_newer_builds)
{
    struct night night = night_open(&map_screen, true);

    night_do(&night, ACTION_OLDER_BUILD);
    cr_assert(night_shows(&night, " 1.8.0(420) 93be41f"));
    cr_assert(night_shows(&night, "NOTHING TO DECIDE"));
    night_do(&night, ACTION_OLDER_BUILD);
    cr_assert(night_shows(&night, "no baseline"));
    night_do(&night, ACTION_OLDER_BUILD);
    cr_assert_not_null(strstr(night.reply.message, "oldest"));
    night_do(&night, ACTION_NEWER_BUILD);
    night_do(&night, ACTION_NEWER_BUILD);
    cr_assert(night_shows(&night, "4 TO DECIDE"));
    night_close(&night);
}

Test(screen_map, the_baseline_can_be_chosen_for_this_view)
{
    struct night night = night_open(&map_screen, true);

    night_do(&night, ACTION_CHOOSE_BASELINE);
    night_do(&night, ACTION_LAST);
    night_do(&night, ACTION_ENTER);
    cr_assert_str_eq(model_build_name(night.session->model, night.session->baseline), "1.7.9(418)");
    cr_assert(night_shows(&night, "vs 1.7.9(418) chosen"));
    night_close(&night);
}

Test(screen_map, pinning_asks_first)
{
    struct night night = night_open(&map_screen, true);

    night_do(&night, ACTION_PIN_BASELINE);
    cr_assert_not_null(night.overlay);
    night_do(&night, ACTION_BACK);
    cr_assert_not(night.overlay);
    night_do(&night, ACTION_PIN_BASELINE);
    night_type(&night, "y");
    cr_assert(night_shows(&night, "vs 1.8.0(420) pinned"));
    night_close(&night);
}

Test(screen_map, why_shows_the_formula_with_its_figures)
{
    struct night night = night_open(&map_screen, true);

    night_size(&night, 60, 120, GLYPHS_FULL);
    night_do(&night, ACTION_WHY);
    cr_assert(night_shows(&night, "103.49 = 92.4 ms × 0.8 × 1.4"));
    cr_assert(night_shows(&night, "4 of the 5 runs"));
    cr_assert(night_shows(&night, "an estimate, not a measurement"));
    night_do(&night, ACTION_BACK);
    night_do(&night, ACTION_RUNS);
    cr_assert(night_shows(&night, "# run 1"));
    night_do(&night, ACTION_BACK);
    night_do(&night, ACTION_PAYLOAD);
    cr_assert(night_shows(&night, "stutterscope.heatmap/1"));
    night_close(&night);
}

/* boss_spawn occurs once in each of five runs, and in four of them a window begins with it. */
Test(screen_map, why_says_which_events_windows_follow)
{
    struct night night = night_open(&map_screen, true);

    night_size(&night, 64, 120, GLYPHS_FULL);
    night_do(&night, ACTION_WHY);
    cr_assert(night_shows(&night, "Events of this scene"));
    cr_assert(night_shows(&night, "after boss_spawn: a window within 2 s after 4 of 5 (80 %), at any time"));
    night_close(&night);
}

Test(screen_map, a_click_chooses_a_cell_and_a_second_one_opens_it)
{
    struct night night = night_open(&map_screen, true);
    char *text = night_text(&night), *line = text;
    int row = 0, column;

    while (!strstr(line, "Flip5") || strstr(line, "Flip5") > strchr(line, '\n')) {
        line = strchr(line, '\n') + 1;
        row++;
    }
    /* Columns of the canvas are not bytes: count cells until the figure 79. */
    for (column = 0; column < 79; column++)
        if (strcmp(canvas_cell(night.canvas, row, column)->text, "7") == 0 &&
            strcmp(canvas_cell(night.canvas, row, column + 1)->text, "9") == 0)
            break;
    free(text);
    night_do(&night, ACTION_LAST);
    cr_assert(night_click(&night, row, column, 1));
    expect_here(&night, "Galaxy Z Flip5", "Battle_03");
    cr_assert_not(night.reply.go);
    night_click(&night, row, column, 2);
    cr_assert_eq(night.reply.go_to, SCREEN_FRAMES);
    night_close(&night);
}

Test(screen_map, marks_are_kept_by_the_session)
{
    struct night night = night_open(&map_screen, true);

    night_do(&night, ACTION_MARK);
    cr_assert_eq(night.session->marked.count, 1);
    cr_assert(session_is_marked(night.session, night.session->stutter));
    cr_assert(night_shows(&night, "1 marked"));
    night_do(&night, ACTION_BACK);
    cr_assert_eq(night.session->marked.count, 0);
    night_close(&night);
}

/* What a loop does: work in steps, with what is there so far on the screen. */
Test(screen_map, analyses_in_steps)
{
    struct night night = night_open(&map_screen, true);
    struct screen *screen = night.screen;
    struct screen_progress progress = {0};
    struct error error = {0};
    enum screen_work left;
    int steps = 0;

    cr_assert(store_drop_derived(model_store(night.session->model), &error), "%s", error.text);
    night.session->analyses_in_steps = true;
    night_do(&night, ACTION_RELOAD);
    cr_assert(night.session->as_it_is);
    cr_assert(night_shows(&night, "so far"));
    do
        left = screen->type->work(screen->state, &progress, &error);
    while (left == WORK_MORE && ++steps < 100);
    cr_assert_eq(left, WORK_DONE);
    cr_assert_gt(steps, 1);
    cr_assert_not(night.session->as_it_is);
    cr_assert(night_shows(&night, "4 TO DECIDE"));
    cr_assert_eq(screen->type->work(screen->state, &progress, &error), WORK_NONE);
    night_close(&night);
}

Test(screen_map, work_can_be_stopped)
{
    struct night night = night_open(&map_screen, true);
    struct screen *screen = night.screen;
    struct screen_progress progress = {0};
    struct error error = {0};

    cr_assert(store_drop_derived(model_store(night.session->model), &error), "%s", error.text);
    night.session->analyses_in_steps = true;
    night_do(&night, ACTION_RELOAD);
    cr_assert_eq(screen->type->work(screen->state, &progress, &error), WORK_MORE);
    screen->type->stop_work(screen->state);
    cr_assert_eq(screen->type->work(screen->state, &progress, &error), WORK_NONE);
    cr_assert(night_shows(&night, "so far"));
    night_do(&night, ACTION_RELOAD);
    cr_assert_eq(screen->type->work(screen->state, &progress, &error), WORK_MORE);
    night_close(&night);
}
