/*
 * Stutters of 1.8.0(421) with the settings of the store (factor 2: over 33.3 ms): boss_spawn on the Galaxy
 * S23 Ultra (four runs hit) and the Galaxy Z Flip5 (three), shop_open on the iPhone 15 Pro (one, 40.0 ms): 3
 * stutters, 8 windows.
 */
#include "../../../src/view/screens/tune.h"
#include "night.h"
#include "stutterscope/model/comparison.h"
#include "stutterscope/view/screens.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void press(struct night *night, enum action action, int times)
{
    while (times-- > 0)
        night_do(night, action);
}

static const struct {
    int rows, columns;
    enum glyph_set glyphs;
    const char *name;
} sizes[] = {
    {12, 40, GLYPHS_FULL, "tune-40x12"},          {24, 80, GLYPHS_FULL, "tune-80x24"},
    {40, 120, GLYPHS_FULL, "tune-120x40"},        {60, 200, GLYPHS_FULL, "tune-200x60"},
    {12, 40, GLYPHS_ASCII, "tune-40x12-ascii"},   {24, 80, GLYPHS_ASCII, "tune-80x24-ascii"},
    {40, 120, GLYPHS_ASCII, "tune-120x40-ascii"}, {60, 200, GLYPHS_ASCII, "tune-200x60-ascii"},
};

Test(screen_tune, looks_as_committed)
{
    struct night night = night_open(&tune_screen, true);

    press(&night, ACTION_RIGHT, 5);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        night_size(&night, sizes[i].rows, sizes[i].columns, sizes[i].glyphs);
        night_expect(&night, sizes[i].name);
    }
    night_close(&night);
}

/* Factor 2.5: over 41.7 ms, so shop_open (40.0) is lost. */
Test(screen_tune, a_higher_factor_loses_what_lies_under_it)
{
    struct night night = night_open(&tune_screen, true);

    night_size(&night, 30, 100, GLYPHS_FULL);
    cr_assert(night_shows(&night, "AS IN THE STORE   3 stutters · 8 windows"));
    press(&night, ACTION_RIGHT, 5);
    cr_assert(night_shows(&night, "FACTOR 2 → 2.5  stutters 3 → 2 · windows 8 → 7"));
    cr_assert(night_shows(&night, "tickets lost 0"));
    cr_assert(night_shows(&night, "over 41.7 ms at 60 FPS, 83.3 at 30, 20.8 at 120"));
    cr_assert(night_shows(&night, "LOST 1"));
    cr_assert(night_shows(&night, "shop_open"));
    cr_assert(night_shows(&night, "store 2 "));
    cr_assert(model_is_tuned(night.session->model));
    night_close(&night);
}

/* Factor 1.7: over 28.3 ms, so the eight frames of 30.0 on the Galaxy A54 are a stutter in each of its runs.
 */
Test(screen_tune, a_lower_factor_gains)
{
    struct night night = night_open(&tune_screen, true);

    night_size(&night, 30, 100, GLYPHS_FULL);
    press(&night, ACTION_LEFT, 3);
    cr_assert(night_shows(&night, "FACTOR 2 → 1.7  stutters 3 → 4 · windows 8 → 11"));
    cr_assert(night_shows(&night, "GAINED 1"));
    press(&night, ACTION_DEFAULT, 1);
    cr_assert(night_shows(&night, "AS IN THE STORE"));
    cr_assert_not(model_is_tuned(night.session->model));
    night_close(&night);
}

Test(screen_tune, tickets_that_would_be_lost_are_said_first)
{
    struct night night = night_open(&tune_screen, true);
    struct model *model = night.session->model;
    const struct stutter_entries *entries = model_stutters(model, night.session->build, 0, false, NULL, NULL);
    struct triage_change change = {.state = "filed", .ticket = "MG-1"};
    struct error error = {0};
    int64_t decision;

    for (size_t i = 0; i < entries->count; i++) {
        const struct stutter_entry *entry = &entries->items[i];
        struct triage_subject subject = {FINDING_HITCH, entry->stutter.key, entry->stutter.label,
                                         entry->stutter.event};

        if (entry->stutter.peak_ns != 40000000)
            continue;
        cr_assert(model_decide(model, &subject, 1, &change, night.session->build, &decision, &error), "%s",
                  error.text);
        break;
    }
    night_size(&night, 30, 100, GLYPHS_FULL);
    night_do(&night, ACTION_RELOAD);
    press(&night, ACTION_RIGHT, 5);
    cr_assert(night_shows(&night, "tickets lost 1"));
    night_do(&night, ACTION_SAVE);
    cr_assert(night_shows(&night, "1 ticket would be lost; save all the same?"));
    night_close(&night);
}

Test(screen_tune, saved_settings_are_those_of_the_store)
{
    struct night night = night_open(&tune_screen, true);
    struct analysis_settings stored;
    struct error error = {0};
    struct model *again;
    struct model_options options = {.mode = STORE_WRITE};

    press(&night, ACTION_RIGHT, 5);
    night_do(&night, ACTION_DOWN); /* z */
    press(&night, ACTION_LEFT, 1);
    night_do(&night, ACTION_SAVE);
    night_type(&night, "y");
    cr_assert_not(model_is_tuned(night.session->model));
    cr_assert(night_shows(&night, "AS IN THE STORE   2 stutters"));
    cr_assert(model_stored_settings(night.session->model, &stored, &error));
    cr_assert_eq(stored.factor_milli, 2500);
    cr_assert_eq(stored.z_milli, 3000);
    cr_assert(model_open(night.path, &options, &again, &error), "%s", error.text);
    cr_assert_eq(model_settings(again)->factor_milli, 2500);
    model_close(again);
    night_close(&night);
}

/* What was tried must not push the results of the store's own settings out of the store. */
Test(screen_tune, tries_stay_in_memory)
{
    struct night night = night_open(&tune_screen, true);
    struct model_options options = {.mode = STORE_READ};
    struct error error = {0};
    struct model *other;

    press(&night, ACTION_RIGHT, 10);
    cr_assert(model_open(night.path, &options, &other, &error), "%s", error.text);
    cr_assert(model_results(other, model_newest_build(other), true, NULL, &error)->complete);
    model_close(other);
    night_close(&night);
}

Test(screen_tune, follows_in_steps_and_says_so_until_then)
{
    struct night night = night_open(&tune_screen, true);
    struct screen_progress progress;
    struct error error = {0};
    enum screen_work left;
    int steps = 0;

    night_size(&night, 30, 100, GLYPHS_FULL);
    night.session->analyses_in_steps = true;
    press(&night, ACTION_RIGHT, 5);
    cr_assert(night_shows(&night, "FACTOR 2 → 2.5 so far"));
    cr_assert(night_shows(&night, "…"));
    while ((left = tune_screen.work(night.screen->state, &progress, &error)) == WORK_MORE)
        cr_assert_lt(++steps, 100);
    cr_assert_eq(left, WORK_DONE);
    cr_assert(night_shows(&night, "FACTOR 2 → 2.5  stutters 3 → 2 · windows 8 → 7"));
    night_close(&night);
}

/* Tune is entered with other settings in use, and those of the store were never analysed with: they are, before anything
 * is compared with them. All three stutters are over 31.7 ms, too; the 31.6 of the builds before is not. */
Test(screen_tune, what_was_is_whole_before_it_is_compared_with)
{
    struct night night = night_open(&map_screen, true);
    struct model *model = night.session->model;
    struct analysis_settings tried = *model_settings(model);
    struct screen *screen;
    struct error error = {0};

    cr_assert(store_set_setting(model_store(model), "analysis.factor", "1.9", &error), "%s", error.text);
    night.session->analyses_in_steps = true;
    tried.factor_milli = 2500;
    cr_assert(model_try_settings(model, &tried, &error), "%s", error.text);
    screen = screen_create(&tune_screen, night.session);
    cr_assert(screen_recompute(screen, NULL, &error), "%s", error.text);
    cr_expect_eq(((const struct tune_state *)screen->state)->was.count, 3);
    cr_expect_eq(model_settings(model)->factor_milli, 2500);
    screen_destroy(screen);
    night_close(&night);
}

Test(screen_tune, tuned_stands_beside_the_build_on_other_screens)
{
    struct night night = night_open(&map_screen, true);
    struct chrome chrome = {.keymap = night.keymap, .tuned = true};
    char *text;

    chrome_draw(night.canvas, &chrome, night.screen);
    text = canvas_dump_text(night.canvas);
    cr_assert_not_null(strstr(text, "1.8.0(421) tuned a1b2c3"));
    free(text);
    night_close(&night);
}

Test(screen_tune, ends_of_the_sliders_and_the_rule)
{
    struct night night = night_open(&tune_screen, true);

    press(&night, ACTION_RIGHT, 30);
    cr_assert_str_eq(night.reply.message,
                     "this is the greatest value here; stutterscope --factor takes others");
    night_do(&night, ACTION_UP);
    night_do(&night, ACTION_RIGHT);
    cr_assert(night_shows(&night, "RULE both → budget"));
    night_do(&night, ACTION_WHY);
    cr_assert(night_shows(&night, "Which frames are candidates"));
    night_close(&night);
}

Test(screen_tune, an_empty_store_says_what_to_do)
{
    struct night night = night_open(&tune_screen, false);

    cr_assert(night_shows(&night, "NO RUNS YET"));
    press(&night, ACTION_RIGHT, 2);
    night_close(&night);
}

Test(screen_tune, harmless_at_any_size)
{
    struct night night = night_open(&tune_screen, true);

    press(&night, ACTION_RIGHT, 5);
    for (int rows = 1; rows <= 64; rows += 3)
        for (int columns = 1; columns <= 220; columns += 7) {
            night_size(&night, rows, columns, GLYPHS_FULL);
            free(night_text(&night));
            night_do(&night, columns % 2 ? ACTION_DOWN : ACTION_PAGE_DOWN);
        }
    night_close(&night);
}

/* In the rows of the small map, then in what is lost (factor 2.5 loses shop_open on the iPhone). */
Test(screen_tune, finds_devices_and_what_is_lost)
{
    struct night night = night_open(&tune_screen, true);
    const struct tune_state *state = night.screen->state;

    night_size(&night, 30, 100, GLYPHS_FULL);
    press(&night, ACTION_RIGHT, 5);
    night_do(&night, ACTION_FIND_NEXT);
    cr_expect_not_null(strstr(night.reply.message, "nothing was looked for yet"), "%s", night.reply.message);
    night_do(&night, ACTION_FIND);
    night_type(&night, "IPHONE");
    cr_expect(night_shows(&night, "▸iPhone 15 Pro"));
    cr_expect_not(tune_is_found(state, true, 0));
    night_do(&night, ACTION_FIND_NEXT);
    cr_expect(tune_is_found(state, true, 0), "the lost stutter is on the iPhone, too");
    cr_expect_not(tune_is_found(state, false, 2), "the iPhone is the third row");
    night_do(&night, ACTION_FIND_PREVIOUS);
    cr_expect(night_shows(&night, "▸iPhone 15 Pro"));
    night_do(&night, ACTION_FIND);
    night_type(&night, "shop");
    cr_expect(tune_is_found(state, true, 0));
    press(&night, ACTION_LEFT, 1);
    press(&night, ACTION_LEFT, 4);
    cr_expect_not(tune_is_found(state, true, 0), "nothing is lost any more");
    night_do(&night, ACTION_FIND);
    night_type(&night, "nowhere");
    cr_expect_not_null(strstr(night.reply.message, "\"nowhere\""), "%s", night.reply.message);
    night_close(&night);
}
