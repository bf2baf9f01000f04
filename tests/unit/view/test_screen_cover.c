#include "night.h"
#include "stutterscope/view/screens.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    int rows, columns;
    enum glyph_set glyphs;
    const char *name;
} sizes[] = {
    {12, 40, GLYPHS_FULL, "cover-40x12"},        {24, 80, GLYPHS_FULL, "cover-80x24"},
    {40, 120, GLYPHS_FULL, "cover-120x40"},      {60, 200, GLYPHS_FULL, "cover-200x60"},
    {24, 80, GLYPHS_ASCII, "cover-80x24-ascii"},
};

Test(screen_cover, looks_as_committed)
{
    struct night night = night_open(&cover_screen, true);

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        night_size(&night, sizes[i].rows, sizes[i].columns, sizes[i].glyphs);
        night_expect(&night, sizes[i].name);
    }
    night_close(&night);
}

/* 421 has 5 + 3 + 3 + 3 + 0 + 2 runs; expected are 5 + 3 x 5. */
Test(screen_cover, counts_what_came)
{
    struct night night = night_open(&cover_screen, true);

    cr_assert(night_shows(&night, "16 OF 20 RUNS   1 silent · 1 partial"));
    cr_assert(night_shows(&night, "SILENT since 1.8.0(421)"), "begins at the silent device");
    cr_assert(night_shows(&night, "3 files that day, 9 rows rejected"));
    night_do(&night, ACTION_NEXT_OPEN);
    cr_assert(night_shows(&night, "Galaxy A15: 2 runs, 3 expected"));
    night_do(&night, ACTION_OLDER_BUILD);
    cr_assert(night_shows(&night, "THIS BUILD 20 OF 20 RUNS   complete"));
    night_close(&night);
}

Test(screen_cover, enter_shows_runs_of_the_device_in_the_build_at_the_cursor)
{
    struct night night = night_open(&cover_screen, true);

    night_size(&night, 40, 100, GLYPHS_FULL);
    night_do(&night, ACTION_LEFT);
    night_do(&night, ACTION_ENTER);
    cr_assert(night_shows(&night, "Pixel 6a, build 1.8.0(420): 3 runs"));
    cr_assert(night_shows(&night, "from night.csv (csv)"));
    night_close(&night);
}

/* "boss" is no device: it hides nothing here. */
Test(screen_cover, takes_the_words_of_the_filter_that_are_about_devices)
{
    struct night night = night_open(&cover_screen, true);
    char *text;

    night_do(&night, ACTION_FILTER);
    night_type(&night, "galaxy boss");
    text = night_text(&night);
    cr_expect_null(strstr(text, "iPhone"));
    cr_expect_not_null(strstr(text, "Galaxy A15"));
    free(text);
    cr_assert(night_do(&night, ACTION_BACK));
    cr_assert(night_shows(&night, "iPhone 15 Pro"));
    night_close(&night);
}

Test(screen_cover, an_empty_store_says_what_to_do)
{
    struct night night = night_open(&cover_screen, false);

    cr_assert(night_shows(&night, "NO RUNS YET"));
    cr_assert(night_shows(&night, "stutterscope import"));
    cr_assert_not(night_do(&night, ACTION_DOWN));
    night_close(&night);
}

Test(screen_cover, harmless_at_any_size)
{
    struct night night = night_open(&cover_screen, true);

    for (int rows = 1; rows <= 64; rows += 3)
        for (int columns = 1; columns <= 220; columns += 7) {
            night_size(&night, rows, columns, GLYPHS_FULL);
            free(night_text(&night));
            night_do(&night, ACTION_DOWN);
            night_click(&night, rows / 2, columns / 2, 1);
        }
    night_close(&night);
}
