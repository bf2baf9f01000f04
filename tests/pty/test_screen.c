/* What is seen: colours, widths, sizes, glyphs. */
#include "start.h"

#include <string.h>

TestSuite(screen, .timeout = 60, .fini = stop);

Test(screen, shows_chrome_body_and_colours)
{
    char text[512];
    start((struct pty_options){0});
    cr_assert(pty_is_alternate(pty));
    cr_assert(pty_expect_row(pty, 0, "[1 Map] 2 Queue"));
    cr_assert(pty_expect_row(pty, 23, "hjkl move  Enter deeper  ? help"));
    cr_assert_eq(pty_background(pty, 5, 1), 19);
    cr_assert_eq(pty_background(pty, 5, 4), 221);
    cr_assert_eq(pty_cell(pty, 5, 7).attrs.reverse, 1);
    cr_assert_eq(pty_cell(pty, 5, 4).attrs.bold, 1);
    cr_assert_str_eq(pty_row(pty, 3, text, sizeof text), " last: nothing yet");
}

Test(screen, wide_characters_keep_their_columns)
{
    char text[512];
    start((struct pty_options){0});
    cr_assert_str_eq(pty_row(pty, 6, text, sizeof text), " wide 設備|");
    cr_assert_eq(pty_cell(pty, 6, 6).width, 2);
    cr_assert_eq(pty_cell(pty, 6, 10).chars[0], '|');
    /* One that would have its second half outside is not there, and nothing wrapped. */
    cr_assert_eq(pty_cell(pty, 7, 79).chars[0] & ~(uint32_t)' ', 0);
    cr_assert_eq(pty_cell(pty, 8, 0).chars[0] & ~(uint32_t)' ', 0);
}

Test(screen, control_characters_never_reach_the_terminal)
{
    start((struct pty_options){0});
    cr_assert(pty_expect_row(pty, 7, "evil \xef\xbf\xbd]0;title\xef\xbf\xbd end"));
    cr_assert_not(pty_sent(pty, 0, "\033]0;title"));
}

Test(screen, no_color_and_mono_terminals_keep_bold_and_reverse)
{
    static const char *const more[] = {"NO_COLOR=1", NULL};
    start((struct pty_options){.more = more});
    cr_assert_eq(pty_background(pty, 5, 1), -1);
    cr_assert_eq(pty_cell(pty, 5, 4).attrs.reverse, 1); /* heat 4 */
    pty_stop(pty);
    start((struct pty_options){.term = "vt100"});
    cr_assert_eq(pty_background(pty, 5, 1), -1);
    pty_stop(pty);
    start_with((struct pty_options){0}, "--no-colour");
    cr_assert(pty_expect(pty, "status of the demo"));
    cr_assert_eq(pty_background(pty, 5, 4), -1);
}

Test(screen, eight_colours_tell_heat_by_weight)
{
    start((struct pty_options){.term = "xterm"});
    cr_assert_eq(pty_background(pty, 5, 1), -1);
    cr_assert_eq(pty_cell(pty, 5, 4).attrs.reverse, 1);
}

Test(screen, ascii_where_the_locale_has_no_utf8)
{
    char text[512];
    start((struct pty_options){.locale = "C"});
    cr_assert_str_eq(pty_row(pty, 6, text, sizeof text), " wide ????|");
    pty_stop(pty);
    start_with((struct pty_options){0}, "--ascii");
    cr_assert(pty_expect_row(pty, 6, " wide ????|"));
}

Test(screen, a_locale_that_is_not_installed_does_no_harm)
{
    char text[512];
    start((struct pty_options){.locale = "xx_XX.UTF-8"});
    cr_assert_str_eq(pty_row(pty, 6, text, sizeof text), " wide 設備|");
}

Test(screen, follows_every_size)
{
    start((struct pty_options){0});
    pty_resize(pty, 30, 120);
    cr_assert(pty_expect(pty, "size 30x120"));
    pty_resize(pty, 200, 500);
    cr_assert(pty_expect(pty, "size 200x500"));
    pty_resize(pty, 5, 60);
    cr_assert(pty_expect_row(pty, 0, "stutterscope needs 40 × 12, this is 60 × 5"));
    pty_resize(pty, 1, 1);
    pty_resize(pty, 24, 80);
    cr_assert(pty_expect(pty, "size 24x80"));
}

Test(screen, starts_in_any_size)
{
    static const int sizes[][2] = {{1, 1}, {1, 200}, {200, 1}, {2, 3}, {12, 40}, {11, 500}, {200, 500}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        start_with((struct pty_options){.rows = sizes[i][0], .columns = sizes[i][1]}, NULL);
        cr_assert(pty_expect_sent(pty, 0, "\033[?2004h"));
        pty_type(pty, "jq");
        int status = pty_expect_end(pty);
        cr_assert_eq(status, 0, "%d × %d: %d", sizes[i][0], sizes[i][1], status);
        pty_stop(pty);
    }
    pty = NULL;
}

Test(screen, a_storm_of_sizes_ends_with_the_last)
{
    start((struct pty_options){0});
    for (int i = 0; i < 200; i++)
        pty_resize(pty, 1 + i * 7 % 60, 1 + i * 13 % 200);
    pty_resize(pty, 25, 90);
    cr_assert(pty_expect(pty, "size 25x90"));
}

Test(screen, sizes_in_the_environment_do_not_count)
{
    static const char *const more[] = {"LINES=10", "COLUMNS=33", NULL};
    start((struct pty_options){.more = more});
    cr_assert(pty_expect(pty, "size 24x80"));
    pty_resize(pty, 26, 90);
    cr_assert(pty_expect(pty, "size 26x90"));
}

Test(screen, what_others_wrote_goes_with_ctrl_l)
{
    start((struct pty_options){0});
    size_t mark = pty_mark(pty);
    pty_type(pty, "\x0c");
    cr_assert(pty_expect_sent(pty, mark, "status of the demo"));
}

Test(screen, an_unchanged_screen_costs_next_to_nothing)
{
    start((struct pty_options){0});
    pty_type(pty, "/");
    cr_assert(pty_expect_row(pty, 22, "find:"));
    size_t mark = pty_mark(pty);
    for (int i = 0; i < 10; i++)
        pty_type(pty, "\x15"); /* erases nothing */
    pty_type(pty, "x");
    cr_assert(pty_expect_row(pty, 22, "find: x"));
    cr_assert_lt(pty_mark(pty) - mark, 400);
}
