#include "stutterscope/view/line.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect(struct line *line, int columns, const char *text)
{
    struct canvas *canvas = canvas_create(1, columns, GLYPHS_FULL);
    line_draw(canvas, 0, 0, columns, line);
    char *dump = canvas_dump_text(canvas);
    dump[strlen(dump) - 1] = '\0';
    cr_assert_str_eq(dump, text, "at %d columns: \"%s\" is not \"%s\"", columns, dump, text);
    free(dump);
    canvas_destroy(canvas);
}

/* 62/70 runs (10) + missing (17) + devices (8) + clock at the right (6) */
static struct line coverage(void)
{
    struct line line = {0};
    line_add(&line, LINE_KEEP, ROLE_CHROME, "62/70 runs");
    line_add_two(&line, 3, ROLE_MISSING, "  MISSING Pixel 6a", "  MISSING 1");
    line_add(&line, 4, ROLE_CHROME, "  and so on");
    line_add_right(&line, 9, ROLE_MUTED, " 09:04");
    return line;
}

Test(line, everything_is_there_when_it_fits)
{
    struct line line = coverage();
    expect(&line, 50, "62/70 runs  MISSING Pixel 6a  and so on      09:04");
    cr_assert_eq(line_width(&line), 45);
    line_clear(&line);
}

Test(line, the_least_important_part_goes_first)
{
    struct line line = coverage();
    expect(&line, 44, "62/70 runs  MISSING Pixel 6a  and so on");
    expect(&line, 38, "62/70 runs  MISSING Pixel 6a");
    line_clear(&line);
}

Test(line, what_is_missing_is_said_shorter_but_never_left_out)
{
    struct line line = coverage();
    expect(&line, 27, "62/70 runs  MISSING 1");
    expect(&line, 18, "62/70 …  MISSING 1");
    expect(&line, 12, "…  MISSING 1");
    line_clear(&line);
}

Test(line, parts_may_be_cut_before_they_go)
{
    struct line line = {0};
    line_add(&line, LINE_KEEP, ROLE_CHROME, "abc ");
    line_add(&line, 1, ROLE_CHROME, "Galaxy S23 Ultra")->least = 5;
    expect(&line, 20, "abc Galaxy S23 Ultra");
    expect(&line, 12, "abc Galaxy …");
    expect(&line, 9, "abc Gala…");
    expect(&line, 8, "abc");
    line_clear(&line);
}

Test(line, any_width_is_harmless)
{
    struct line line = coverage();
    for (int columns = 0; columns < 50; columns++) {
        struct canvas *canvas = canvas_create(1, columns, GLYPHS_ASCII);
        line_draw(canvas, 0, 0, columns, &line);
        canvas_destroy(canvas);
    }
    line_clear(&line);
}
