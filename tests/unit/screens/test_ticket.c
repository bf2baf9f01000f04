#include "golden.h"

#include "stutterscope/base/memory.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(ticket_preview);

static void check(int columns, int rows, enum glyph_set glyphs, const char *keys, const char *name,
                  bool with_roles)
{
    struct desk *desk = desk_open(&ticket_screen, columns, rows, glyphs);
    desk_press(desk, keys);
    desk_check(desk, name, with_roles);
    desk_close(desk);
}

Test(ticket_preview, looks_as_read)
{
    check(40, 12, GLYPHS_FULL, "", "ticket-40x12", false);
    check(80, 24, GLYPHS_FULL, "", "ticket-80x24", false);
    check(120, 40, GLYPHS_FULL, "", "ticket-120x40", true);
    check(200, 60, GLYPHS_FULL, "", "ticket-200x60", false);
    check(80, 24, GLYPHS_ASCII, "", "ticket-80x24-ascii", false);
    check(120, 40, GLYPHS_FULL, "Space j Space", "ticket-members", false);
}

Test(ticket_preview, members_come_and_go)
{
    struct desk *desk = desk_open(&ticket_screen, 120, 40, GLYPHS_FULL);
    cr_assert_geq(desk_find(desk, "3 stutters, one ticket", NULL), 0,
                  "the members of the line that are to decide");
    desk_press(desk, "Space Space Esc");
    cr_assert_geq(desk_find(desk, "2 stutters, one ticket", NULL), 0);
    desk_press(desk, "Space j Space j Space Esc");
    cr_assert_geq(desk_find(desk, "NO TEXT", NULL), 0);
    cr_assert_geq(desk_find(desk, "Space takes one in", NULL), 0);
    desk_press(desk, "w");
    cr_assert_null(desk->written);
    desk_press(desk, "Space Space Esc y");
    cr_assert_not_null(strstr(desk->copied, "Galaxy S23 Ultra"));
    cr_assert_null(strstr(desk->copied, "Galaxy A54"));
    desk_close(desk);
}

Test(ticket_preview, hands_the_text_out)
{
    struct desk *desk = desk_open(&ticket_screen, 80, 24, GLYPHS_FULL);
    desk_press(desk, "w");
    cr_assert_str_eq(desk->write_name, "ticket-boss_spawn-Battle_03.md");
    cr_assert_not_null(strstr(desk->written, "92.4"));
    char *text = memory_copy_text(desk->written);
    desk_press(desk, "y");
    cr_assert_str_eq(desk->copied, text);
    desk_press(desk, "p");
    cr_assert_geq(desk_find(desk, "stutterscope.ticket/1", NULL), 0);
    desk_press(desk, "Esc e");
    cr_assert_str_eq(desk->edited, text);
    free(text);
    desk_close(desk);
}

Test(ticket_preview, keeps_what_was_edited)
{
    struct desk *desk = desk_open(&ticket_screen, 80, 24, GLYPHS_FULL);
    struct screen_reply reply = {0};
    struct error error = {0};
    desk->stack[0]->type->edited(desk->stack[0]->state, "my own words\n\x1b[31m", &reply);
    reply_clear(&reply);
    cr_assert_geq(desk_find(desk, "my own words", NULL), 0);
    cr_assert(screen_recompute(desk->stack[0], NULL, &error));
    desk_press(desk, "y");
    cr_assert_eq(strncmp(desk->copied, "my own words\n", 13), 0);
    cr_assert_null(strchr(desk->copied, 0x1b), "what comes from an editor is cleaned, too");
    desk_press(desk, "m n");
    cr_assert_geq(desk_find(desk, "my own words", NULL), 0, "asked, and answered no");
    desk_press(desk, "m y");
    cr_assert_lt(desk_find(desk, "my own words", NULL), 0);
    desk_close(desk);
}

Test(ticket_preview, says_what_to_do_without_data)
{
    struct desk *desk = desk_open_empty(&ticket_screen, 80, 24);
    cr_assert_geq(desk_find(desk, "there is no stutter", NULL), 0);
    desk_press(desk, "j k m e w y p Space i n Tab .");
    desk_close(desk);
}

Test(ticket_preview, is_harmless_at_any_size)
{
    struct desk *desk = desk_open(&ticket_screen, 80, 24, GLYPHS_FULL);
    for (int rows = 1; rows < 70; rows = rows * 3 / 2 + 1)
        for (int columns = 1; columns < 260; columns = columns * 3 / 2 + 1) {
            desk_resize(desk, columns, rows);
            desk_press(desk, "j G");
            desk_draw(desk);
            desk_press(desk, "g Space");
            desk_draw(desk);
            desk_press(desk, "Esc");
        }
    desk_close(desk);
}
