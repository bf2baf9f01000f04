#include "stutterscope/view/list.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static const struct list_column columns[] = {
    {.head = "device", .least = 6, .priority = LINE_KEEP, .cut = CUT_MIDDLE},
    {.head = "peak", .least = 4, .priority = 1, .align = ALIGN_RIGHT, .cut = CUT_HIDE},
    {.head = "note", .least = 4, .priority = 5, .takes_rest = true},
};

static void get(const void *user, int row, int column, struct list_cell *ret)
{
    (void)user;
    static const char *const devices[] = {"S23 Ultra", "Pixel 8", "A54", "A53"};
    if (column == 0)
        ret->text = devices[row % 4];
    else if (column == 1) {
        snprintf(ret->scratch, sizeof ret->scratch, "%d.5", row * 10);
        ret->text = ret->scratch;
    } else
        ret->text = "n";
}

static bool is_marked(const void *user, int row)
{
    (void)user;
    return row == 1;
}

static const struct list list = {
    .columns = columns,
    .column_count = 3,
    .get = get,
    .is_marked = is_marked,
    .sorted_by = 1,
    .descending = true,
    .empty = "no rows: import something",
};

static void expect(int rows, int width, const struct scroll *scroll, const char *text)
{
    struct canvas *canvas = canvas_create(rows, width, GLYPHS_FULL);
    list_draw(canvas, canvas_area(canvas), &list, scroll);
    char *dump = canvas_dump_text(canvas);
    cr_assert_str_eq(dump, text);
    free(dump);
    canvas_destroy(canvas);
}

Test(list, head_rows_selection_and_marks)
{
    struct scroll scroll = {.count = 3};
    expect(4, 30, &scroll,
           "  device     peak▾  note\n"
           "▸ S23 Ultra    0.5  n\n"
           " +Pixel 8     10.5  n\n"
           "  A54         20.5  n\n");
}

Test(list, the_least_important_column_goes_first)
{
    struct scroll scroll = {.count = 2};
    expect(3, 18, &scroll, "  device     peak▾\n▸ S23 Ultra    0.5\n +Pixel 8     10.5\n");
    expect(3, 11, &scroll, "  device\n▸ S23 Ultra\n +Pixel 8\n");
}

Test(list, the_selected_row_is_always_seen)
{
    struct scroll scroll = {.count = 100};
    scroll_select(&scroll, 57, 3);
    cr_assert_eq(scroll_top(&scroll, 3), 55);
    cr_assert_eq(scroll_top(&scroll, 10), 55);
    cr_assert_eq(scroll_top(&scroll, 1), 57);
    cr_assert_eq(scroll_top(&scroll, 200), 0);
    scroll_set_count(&scroll, 5);
    cr_assert_eq(scroll.selected, 4);
    scroll_set_count(&scroll, 0);
    cr_assert_eq(scroll.selected, 0);
}

Test(list, moves)
{
    struct scroll scroll = {.count = 20};
    struct screen_event event = {.action = ACTION_DOWN, .argument = 1};
    cr_assert(scroll_act(&scroll, &event, 6) && scroll.selected == 1);
    event.action = ACTION_PAGE_DOWN;
    cr_assert(scroll_act(&scroll, &event, 6) && scroll.selected == 7);
    event.action = ACTION_HALF_UP;
    cr_assert(scroll_act(&scroll, &event, 6) && scroll.selected == 4);
    event.action = ACTION_LAST;
    cr_assert(scroll_act(&scroll, &event, 6) && scroll.selected == 19);
    event.action = ACTION_DOWN;
    cr_assert(scroll_act(&scroll, &event, 6) && scroll.selected == 19);
    event.action = ACTION_FIRST;
    cr_assert(scroll_act(&scroll, &event, 6) && scroll.selected == 0);
    event.action = ACTION_ENTER;
    cr_assert_not(scroll_act(&scroll, &event, 6));
    char text[32];
    cr_assert_str_eq(scroll_print(&scroll, 6, text, sizeof text), "1-6 of 20");
    cr_assert_str_eq(scroll_print(&scroll, 30, text, sizeof text), "all 20");
}

Test(list, says_why_it_is_empty_and_where_clicks_land)
{
    struct scroll scroll = {0};
    expect(2, 30, &scroll, "no rows: import something\n\n");
    scroll_set_count(&scroll, 3);
    struct area area = {5, 0, 10, 30};
    cr_assert_eq(list_row_at(area, &scroll, 5, 1), -1);
    cr_assert_eq(list_row_at(area, &scroll, 7, 1), 1);
    cr_assert_eq(list_row_at(area, &scroll, 12, 1), -1);
}

Test(list, any_size_is_harmless)
{
    struct scroll scroll = {.count = 50, .selected = 20};
    for (int rows = 1; rows < 6; rows++)
        for (int width = 1; width < 30; width++) {
            struct canvas *canvas = canvas_create(rows, width, GLYPHS_FULL);
            list_draw(canvas, canvas_area(canvas), &list, &scroll);
            canvas_destroy(canvas);
        }
}
