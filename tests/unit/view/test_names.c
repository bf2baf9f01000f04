#include "../../../src/view/screens/names.h"
#include "../../../src/view/screens/words.h"
#include "night.h"

#include "stutterscope/base/text.h"
#include "stutterscope/view/screens.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_cut(const char *name, int columns, const char *expected)
{
    char *cut[1];

    names_cut(&name, 1, columns, cut);
    cr_expect_str_eq(cut[0], expected, "%s in %d: %s", name, columns, cut[0]);
    names_free(cut, 1);
}

Test(names, give_way_step_by_step)
{
    expect_cut("Battle_03", 9, "Battle_03");
    expect_cut("Battle_03", 5, "Bat03");
    expect_cut("Story_12", 5, "Sto12");
    expect_cut("iPhone 15 Pro", 11, "iPhone15Pro");
    expect_cut("iPhone 14 Pro Max", 11, "iPh14ProMax");
    expect_cut("Galaxy S23 Ultra", 13, "Gal S23 Ultra");
    expect_cut("", 5, "");
}

Test(names, two_never_look_equal)
{
    const char *const names[] = {"Overworld_Forest_01",
                                 "Overworld_Forest_02",
                                 "Overworld_Frost_01",
                                 "Overworld_Frost_02",
                                 "Overworld",
                                 "Overworlds",
                                 "전투_03",
                                 "전투_04"};
    enum { COUNT = sizeof names / sizeof *names };

    for (int columns = 3; columns < 20; columns++) {
        char *cut[COUNT];

        names_cut(names, COUNT, columns, cut);
        for (int i = 0; i < COUNT; i++) {
            cr_expect_leq(text_width(cut[i]), (size_t)columns, "%s", cut[i]);
            for (int j = 0; j < i; j++)
                cr_expect_str_neq(cut[i], cut[j], "%s and %s in %d", names[i], names[j], columns);
        }
        names_free(cut, COUNT);
    }
}

Test(names, two_lines)
{
    const char *const names[] = {"Battle_03", "Login", "Field_of_Glory_05"};
    char *upper[3], *lower[3];

    names_cut_two(names, 3, 6, 5, upper, lower);
    cr_expect_str_eq(upper[0], "Battle");
    cr_expect_str_eq(lower[0], "03");
    cr_expect_str_eq(upper[1], "");
    cr_expect_str_eq(lower[1], "Login");
    cr_expect_str_eq(lower[2], "05");
    cr_expect_leq(text_width(upper[2]), 6);
    names_free(upper, 3);
    names_free(lower, 3);
}

/* Two names that would both be "Sta…le" show the number in them, never one that we count. */
Test(names, what_looks_the_same_shows_its_number)
{
    const char *const names[] = {"Stage_24_Castle", "Stage_33_Castle", "Stage_33_Harbour", "Lobby"};
    char *cut[4];

    names_cut(names, 4, 5, cut);
    cr_expect_str_eq(cut[0], "Sta24");
    cr_expect_str_eq(cut[1], "Sta33");
    cr_expect_str_neq(cut[2], cut[1]);
    cr_expect_str_eq(cut[3], "Lobby");
    names_free(cut, 4);
}

static void add_nightly_builds(struct store *store)
{
    static const char *const names[] = {"1.8.0-nightly.20250111", "1.8.0-nightly.20250112", "1.8.0"};
    struct error error = {0};
    int64_t build;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_assert(store_find_or_add_build(store, names[i], &build, &error), "%s", error.text);
}

/* Builds of two nights differ in the last digits only. */
Test(names, short_builds_stay_different)
{
    struct night night = night_open_with(&map_screen, add_nightly_builds);
    const struct build_list *builds = model_builds(night.session->model);
    char seen[3][100];

    cr_assert_eq(builds->count, 3);
    for (size_t i = 0; i < 3; i++) {
        snprintf(seen[i], sizeof seen[i], "%s", word_short_build(night.session->model, builds->items[i].id).text);
        cr_expect_leq(text_width(seen[i]), 20);
        for (size_t j = 0; j < i; j++)
            cr_expect_str_neq(seen[i], seen[j]);
        if (strcmp(model_build_name(night.session->model, builds->items[i].id), "1.8.0") == 0)
            cr_expect_str_eq(seen[i], "1.8.0");
    }
    night_close(&night);
}
