#include "golden.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(queue);

static void check(int columns, int rows, enum glyph_set glyphs, const char *keys, const char *name,
                  bool with_roles)
{
    struct desk *desk = desk_open(&queue_screen, columns, rows, glyphs);
    desk_press(desk, keys);
    desk_check(desk, name, with_roles);
    desk_close(desk);
}

Test(queue, looks_as_read)
{
    check(40, 12, GLYPHS_FULL, "", "queue-40x12", false);
    check(80, 24, GLYPHS_FULL, "", "queue-80x24", true);
    check(120, 40, GLYPHS_FULL, "", "queue-120x40", false);
    check(200, 60, GLYPHS_FULL, "", "queue-200x60", false);
    check(40, 12, GLYPHS_ASCII, "", "queue-40x12-ascii", false);
    check(80, 24, GLYPHS_ASCII, "", "queue-80x24-ascii", false);
}

Test(queue, unfolds_and_scrolls)
{
    check(100, 30, GLYPHS_FULL, "l j j", "queue-unfolded", true);
    check(100, 30, GLYPHS_FULL, "z G", "queue-all-sections", false);
    check(100, 30, GLYPHS_FULL, "j j", "queue-drift", false);
    check(100, 30, GLYPHS_FULL, "j j j", "queue-silent", false);
}

Test(queue, counts_what_the_session_counts)
{
    struct desk *desk = desk_open(&queue_screen, 100, 30, GLYPHS_FULL);
    struct open_items open = {0};
    struct error error = {0};
    char wanted[40];
    cr_assert(session_open_items(desk->session, &open, &error), "%s", error.text);
    snprintf(wanted, sizeof wanted, "%zu TO DECIDE", open.count);
    cr_assert_eq(desk_find(desk, wanted, NULL), 2, "line 3 says %s", wanted);
    /* Each of them is a line: so many rows lie between the heading and the first folded section. */
    int heading = desk_find(desk, "why it is here", NULL) + 1, section = desk_find(desk, "▸ UNCLEAR", NULL);
    if (section < 0)
        section = desk_find(desk, "▸ ONCE", NULL);
    cr_assert_eq(section - heading - 1, (int)open.count);
    free(open.items);
    desk_close(desk);
}

Test(queue, enter_goes_the_shortest_way)
{
    struct desk *desk = desk_open(&queue_screen, 100, 30, GLYPHS_FULL);
    desk_press(desk, "Enter");
    cr_assert_eq(desk->went_to, SCREEN_FRAMES);
    const struct stutter_entry *entry = session_stutter(desk->session);
    cr_assert_not_null(entry);
    cr_assert_str_eq(model_text(desk->session->model, entry->stutter.event), "boss_spawn");
    cr_assert_eq(desk->session->window, entry->stutter.worst_window);
    desk_press(desk, "/ Raid_02 Enter Enter");
    cr_assert_eq(desk->went_to, SCREEN_TREND, "a drift has no window");
    desk_press(desk, "/ upload Enter Enter");
    cr_assert_eq(desk->went_to, SCREEN_COVER, "a silent device has none either");
    desk_press(desk, "t");
    cr_assert_eq(desk->went_to, SCREEN_COUNT, "there is no ticket about a missing upload");
    desk_close(desk);
}

/* Digits go elsewhere without asking this screen: the subject has to follow the cursor. */
Test(queue, session_follows_the_cursor)
{
    struct desk *desk = desk_open(&queue_screen, 100, 30, GLYPHS_FULL);
    struct error error = {0};
    desk_press(desk, "j");
    const struct stutter_entry *entry = session_stutter(desk->session);
    cr_assert_not_null(entry);
    cr_assert_str_eq(model_text(desk->session->model, entry->stutter.event), "gacha_reveal");
    desk_press(desk, "j");
    cr_assert_str_empty(desk->session->stutter, "a drift is no stutter");
    cr_assert_str_eq(model_scene_name(desk->session->model, desk->session->scene), "Raid_02");
    /* And the other way round: what another screen went on to is where the cursor is. */
    session_choose_stutter(desk->session, entry);
    cr_assert(screen_recompute(desk->stack[0], NULL, &error));
    cr_assert_geq(desk_find(desk, "▸ ^  gacha_reveal", NULL), 0);
    desk_close(desk);
}

Test(queue, marks_a_line_as_a_whole)
{
    struct desk *desk = desk_open(&queue_screen, 100, 30, GLYPHS_FULL);
    desk_press(desk, "Space");
    size_t members = desk->session->marked.count;
    cr_assert_gt(members, 1);
    desk_press(desk, "k Space");
    cr_assert_eq(desk->session->marked.count, 0, "the same key takes the marks away");
    desk_press(desk, "k l j Space");
    cr_assert_eq(desk->session->marked.count, 1, "one device alone");
    desk_press(desk, "Esc");
    cr_assert_eq(desk->session->marked.count, 0);
    cr_assert_not(desk->refused);
    desk_press(desk, "Esc");
    cr_assert(desk->refused, "the next one goes one screen back");
    desk_close(desk);
}

Test(queue, filters_finds_and_sorts)
{
    struct desk *desk = desk_open(&queue_screen, 100, 30, GLYPHS_FULL);
    desk_press(desk, "f kind:drift Enter");
    cr_assert_lt(desk_find(desk, "boss_spawn", NULL), 0);
    cr_assert_geq(desk_find(desk, "Raid_02", NULL), 0);
    cr_assert_geq(desk_find(desk, "filter \"kind:drift\"", NULL), 0, "a filter is never hidden itself");
    desk_press(desk, "f Ctrl-U Enter");
    cr_assert_geq(desk_find(desk, "boss_spawn", NULL), 0);
    desk_press(desk, "/ gacha Enter");
    cr_assert_geq(desk_find(desk, "▸ ^  gacha_reveal", NULL), 0, "the cursor is on the hit");
    desk_press(desk, "s j j j j Enter"); /* by name */
    int boss = desk_find(desk, "boss_spawn  ", NULL), fewer = desk_find(desk, "fewer runs", NULL),
        upload = desk_find(desk, "no upload", NULL);
    cr_assert(boss < fewer && fewer < upload);
    desk_press(desk, "s s");
    boss = desk_find(desk, "boss_spawn  ", NULL);
    fewer = desk_find(desk, "fewer runs", NULL);
    cr_assert(boss > fewer, "the same order again is reversed");
    desk_close(desk);
}

Test(queue, scope_widens_from_cell_to_build)
{
    struct desk *desk = desk_open(&queue_screen, 120, 30, GLYPHS_FULL);
    desk_press(desk, "a");
    cr_assert(desk->session->only_device && desk->session->only_scene);
    cr_assert_geq(desk_find(desk, "this cell", NULL), 0);
    desk_press(desk, "a");
    cr_assert(desk->session->only_device && !desk->session->only_scene);
    desk_press(desk, "a");
    cr_assert(!desk->session->only_device && desk->session->only_scene);
    desk_press(desk, "a");
    cr_assert(!desk->session->only_device && !desk->session->only_scene);
    desk_close(desk);
}

Test(queue, says_what_to_do_without_data)
{
    struct desk *desk = desk_open_empty(&queue_screen, 80, 24);
    cr_assert_geq(desk_find(desk, "The store is empty", NULL), 0);
    desk_press(desk, "j l h Enter Space t z Tab . n s Enter a c i p Esc");
    desk_close(desk);
}

Test(queue, is_harmless_at_any_size)
{
    struct desk *desk = desk_open(&queue_screen, 80, 24, GLYPHS_FULL);
    for (int rows = 1; rows < 70; rows = rows * 3 / 2 + 1)
        for (int columns = 1; columns < 260; columns = columns * 3 / 2 + 1) {
            desk_resize(desk, columns, rows);
            desk_press(desk, "j l G");
            desk_draw(desk);
            desk_press(desk, "g z");
            desk_draw(desk);
        }
    desk_close(desk);
}
