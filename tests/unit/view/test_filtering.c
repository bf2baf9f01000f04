#include "../leftovers.h"
#include "night.h"
#include "stutterscope/view/filtering.h"
#include "stutterscope/view/history.h"
#include "stutterscope/view/screens.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void use_state_of_its_own(void)
{
    static char folder[] = "/tmp/stutterscope-state-XXXXXX";

    cr_assert(mkdtemp(folder));
    leftover_note(folder);
    setenv("XDG_STATE_HOME", folder, 1);
}

/* Types without Enter. */
static void type(struct night *night, const char *text)
{
    struct screen_event event = {.action = ACTION_TYPE, .argument = 1, .text = text};
    struct screen_reply reply = {0};

    cr_assert_not_null(night->overlay);
    cr_assert(night->overlay->type->act(night->overlay->state, &event, &reply));
    reply_clear(&reply);
}

Test(filtering, says_how_much_fits_while_one_types, .init = use_state_of_its_own)
{
    struct night night = night_open(&map_screen, true);

    night_do(&night, ACTION_FILTER);
    cr_expect(night_shows(&night, "Tab completes"));
    type(&night, "boss");
    night_size(&night, 24, 80, GLYPHS_FULL);
    cr_expect(night_shows(&night, "2 of 24 cells fit")); /* six devices, four scenes */
    night_expect(&night, "filter-typing-80x24");
    type(&night, " nowhere");
    cr_expect(night_shows(&night, "NOTHING FITS: all 24 cells would be hidden"));
    night_close(&night);
}

Test(filtering, a_mistake_keeps_the_prompt_and_says_what_there_is, .init = use_state_of_its_own)
{
    struct night night = night_open(&queue_screen, true);

    night_size(&night, 24, 100, GLYPHS_FULL);
    night_do(&night, ACTION_FILTER);
    type(&night, "boss scene:batle");
    cr_expect(night_shows(&night, "no scene has \"batle\"; there are: Battle_03, Lobby, Login, Raid_02"));
    night_expect(&night, "filter-mistake-100x24");
    night_do(&night, ACTION_ENTER);
    cr_expect_not_null(night.overlay, "still there");
    cr_expect_null(night.session->filter);
    night_do(&night, ACTION_BACK);
    cr_expect_null(night.session->filter);
    night_close(&night);
}

Test(filtering, completes_and_stays_on_other_screens, .init = use_state_of_its_own)
{
    struct night night = night_open(&queue_screen, true);

    night_do(&night, ACTION_FILTER);
    type(&night, "scene:ba");
    night_do(&night, ACTION_COMPLETE);
    night_do(&night, ACTION_ENTER);
    cr_assert_not_null(night.session->filter);
    cr_expect_str_eq(filter_text(night.session->filter), "scene:Battle_03");
    cr_expect(night_shows(&night, "filter \"scene:Battle_03\""));
    night_close(&night);
}

Test(filtering, keeps_filters_under_a_name, .init = use_state_of_its_own)
{
    struct night night = night_open(&map_screen, true);

    night_do(&night, ACTION_FILTER);
    night_type(&night, "@mine = tier:high boss");
    cr_expect_str_eq(filter_text(night.session->filter), "tier:high boss");
    night_do(&night, ACTION_FILTER);
    night_do(&night, ACTION_ERASE_ALL);
    night_type(&night, "");
    cr_expect_null(night.session->filter);
    night_do(&night, ACTION_FILTER);
    type(&night, "@other");
    cr_expect(night_shows(&night, "no filter is kept as other; there are: @mine"));
    night_do(&night, ACTION_ERASE_ALL);
    type(&night, "@m");
    night_do(&night, ACTION_COMPLETE);
    night_do(&night, ACTION_ENTER);
    cr_expect_str_eq(filter_text(night.session->filter), "tier:high boss");

    /* The next session on this store knows it, too. */
    filtering_destroy(night.session->filtering);
    night.session->filtering = NULL;
    session_set_filter(night.session, "", NULL);
    night_do(&night, ACTION_FILTER);
    night_type(&night, "@mine");
    cr_expect_str_eq(filter_text(night.session->filter), "tier:high boss");
    night_close(&night);
}

/* More words behind a name narrow what is kept under it; what is wrong is marked where it was typed. */
Test(filtering, a_name_may_have_more_words, .init = use_state_of_its_own)
{
    struct night night = night_open(&map_screen, true);

    night_do(&night, ACTION_FILTER);
    night_type(&night, "@mine = tier:high");
    night_do(&night, ACTION_FILTER);
    night_do(&night, ACTION_ERASE_ALL);
    night_type(&night, "@mine device:ultra");
    cr_expect_str_eq(filter_text(night.session->filter), "tier:high device:ultra");
    night_do(&night, ACTION_FILTER);
    night_do(&night, ACTION_ERASE_ALL);
    type(&night, "@mine device:nobody");
    cr_expect(night_shows(&night, "no device has \"nobody\""));
    night_do(&night, ACTION_ENTER);
    cr_expect_not_null(night.overlay, "it stays open");
    cr_expect_str_eq(filter_text(night.session->filter), "tier:high device:ultra");
    night_close(&night);
}

Test(filtering, only_what_was_kept_is_forgotten, .init = use_state_of_its_own)
{
    struct night night = night_open(&map_screen, true);
    struct settings *settings = settings_create();

    settings_set(settings, "filters.team", "tier:mid");
    cr_assert(filtering_configure(night.session, settings, NULL));
    night_do(&night, ACTION_FILTER);
    night_type(&night, "@none =");
    cr_expect_str_eq(night.reply.message, "nothing was kept as @none; no filter");
    night_do(&night, ACTION_FILTER);
    night_type(&night, "@team =");
    cr_expect_str_eq(night.reply.message, "@team stands in the configuration and stays there; no filter");
    night_do(&night, ACTION_FILTER);
    night_type(&night, "@team = tier:high");
    night_do(&night, ACTION_FILTER);
    night_do(&night, ACTION_ERASE_ALL);
    night_type(&night, "@team =");
    cr_expect_str_eq(night.reply.message, "@team is again what the configuration says; no filter");
    night_do(&night, ACTION_FILTER);
    night_type(&night, "@team");
    cr_expect_str_eq(filter_text(night.session->filter), "tier:mid");
    night_do(&night, ACTION_FILTER);
    night_do(&night, ACTION_ERASE_ALL);
    night_type(&night, "@mine = boss");
    night_do(&night, ACTION_FILTER);
    night_do(&night, ACTION_ERASE_ALL);
    night_type(&night, "@mine =");
    cr_expect_str_eq(night.reply.message, "@mine is forgotten; no filter");
    settings_destroy(settings);
    night_close(&night);
}

Test(filtering, the_configuration_has_filters_and_is_checked)
{
    struct night night = night_open(&map_screen, true);
    struct settings *settings = settings_create();
    struct error error = {0};

    settings_set(settings, "filters.team", "device:galaxy -state:known");
    cr_assert(filtering_configure(night.session, settings, &error), "%s", error.text);
    night_do(&night, ACTION_FILTER);
    night_type(&night, "@team");
    cr_expect_str_eq(filter_text(night.session->filter), "device:galaxy -state:known");
    settings_set(settings, "filters.team", "state:fild");
    cr_expect_not(filtering_configure(night.session, settings, &error));
    cr_expect_not_null(strstr(error.text, "filters.team: expected a state"), "%s", error.text);
    settings_destroy(settings);
    night_close(&night);
}

Test(history, newest_first_without_doubles, .init = use_state_of_its_own)
{
    char **lines;

    history_add("filter", "a");
    history_add("command", "stats");
    history_add("filter", "b");
    history_add("filter", "a");
    lines = history_load("filter");
    cr_expect_str_eq(lines[0], "a");
    cr_expect_str_eq(lines[1], "b");
    cr_expect_null(lines[2]);
    history_free(lines);
    lines = history_load("command");
    cr_expect_str_eq(lines[0], "stats");
    cr_expect_null(lines[1]);
    history_free(lines);
}
