#include "golden.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(distribution);

static const struct {
    int columns, rows;
    enum glyph_set glyphs;
    const char *name;
} sizes[] = {
    {40, 12, GLYPHS_FULL, "distribution-40x12"},          {80, 24, GLYPHS_FULL, "distribution-80x24"},
    {120, 40, GLYPHS_FULL, "distribution-120x40"},        {200, 60, GLYPHS_FULL, "distribution-200x60"},
    {40, 12, GLYPHS_ASCII, "distribution-40x12-ascii"},   {80, 24, GLYPHS_ASCII, "distribution-80x24-ascii"},
    {120, 40, GLYPHS_ASCII, "distribution-120x40-ascii"}, {200, 60, GLYPHS_ASCII, "distribution-200x60-ascii"},
};

Test(distribution, looks_as_read)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct desk *desk = desk_open(&map_screen, sizes[i].columns, sizes[i].rows, sizes[i].glyphs);
        desk_press(desk, "d");
        desk_check(desk, sizes[i].name, false);
        desk_close(desk);
    }
}

Test(distribution, opens_on_the_screens_that_have_a_cell)
{
    static const struct screen_type *const types[] = {&map_screen, &queue_screen, &frames_screen, &trend_screen};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct desk *desk = desk_open(types[i], 100, 30, GLYPHS_FULL);

        desk_press(desk, "d");
        cr_expect_geq(desk_find(desk, "Distribution  Galaxy S23 Ultra × Battle_03", NULL), 0, "%s", types[i]->name);
        cr_expect_geq(desk_find(desk, "frame time in ms by percentile", NULL), 0, "%s", types[i]->name);
        desk_press(desk, "d");
        cr_expect_lt(desk_find(desk, "Distribution  ", NULL), 0, "the same key closes it");
        desk_close(desk);
    }
}

Test(distribution, two_marked_builds_are_compared)
{
    struct desk *desk = desk_open(&trend_screen, 120, 40, GLYPHS_FULL);

    desk_press(desk, "g Space G Space d");
    cr_assert_geq(desk_find(desk, "█ (421)", NULL), 0);
    cr_assert_geq(desk_find(desk, "─ (418)", NULL), 0);
    desk_close(desk);
}

Test(distribution, says_why_there_is_nothing)
{
    struct desk *desk = desk_open_empty(&map_screen, 80, 24);

    desk_press(desk, "d");
    cr_assert_eq(desk->top, 0);
    cr_expect_geq(desk_find(desk, "This store has no runs yet.", NULL), 0);
    desk_close(desk);
}

Test(distribution, is_harmless_at_any_size)
{
    struct desk *desk = desk_open(&map_screen, 80, 24, GLYPHS_FULL);

    desk_press(desk, "d");
    for (int rows = 1; rows < 70; rows = rows * 3 / 2 + 1)
        for (int columns = 1; columns < 260; columns = columns * 3 / 2 + 1) {
            desk_resize(desk, columns, rows);
            desk_draw(desk);
        }
    desk_resize(desk, 80, 24);
    desk_check(desk, "distribution-80x24", false);
    desk_close(desk);
}
