#include "stutterscope/view/canvas.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect(struct canvas *canvas, const char *text)
{
    char *dump = canvas_dump_text(canvas);
    cr_assert_str_eq(dump, text);
    free(dump);
    canvas_destroy(canvas);
}

Test(canvas, starts_blank_and_clips_at_all_edges)
{
    struct canvas *canvas = canvas_create(3, 5, GLYPHS_FULL);
    cr_assert_eq(canvas_put(canvas, 0, 3, ROLE_CHROME, "abcdef"), 6);
    canvas_put(canvas, 1, -2, ROLE_CHROME, "abcd");
    canvas_put(canvas, -1, 0, ROLE_CHROME, "no");
    canvas_put(canvas, 3, 0, ROLE_CHROME, "no");
    expect(canvas, "   ab\ncd\n\n");
}

Test(canvas, sizes_below_one_are_one)
{
    struct canvas *canvas = canvas_create(0, -7, GLYPHS_FULL);
    canvas_put(canvas, 0, 0, ROLE_CHROME, "xyz");
    canvas_box(canvas, (struct area){0, 0, 1, 1}, ROLE_CHROME, "t");
    expect(canvas, "x\n");
}

Test(canvas, half_a_wide_character_is_a_blank)
{
    struct canvas *canvas = canvas_create(2, 5, GLYPHS_FULL);
    canvas_put(canvas, 0, 0, ROLE_CHROME, "ab設備"); /* 2 + 2 + 2 columns into 5 */
    cr_assert_eq(canvas_cell(canvas, 0, 2)->width, 2);
    cr_assert_eq(canvas_cell(canvas, 0, 3)->width, 0);
    cr_assert_str_eq(canvas_cell(canvas, 0, 4)->text, " ");
    canvas_put(canvas, 1, -1, ROLE_CHROME, "設x"); /* its left half lies outside */
    expect(canvas, "ab設\n x\n");
}

/* A fill is what putting each of its characters is, also where it cuts wide ones. */
Test(canvas, filling_is_putting_many)
{
    for (int first = 0; first < 10; first++) {
        for (int count = 0; first + count <= 11; count++) {
            struct canvas *filled = canvas_create(1, 10, GLYPHS_FULL), *put = canvas_create(1, 10, GLYPHS_FULL);

            canvas_put(filled, 0, 0, ROLE_CHROME, "a한국어e日");
            canvas_put(put, 0, 0, ROLE_CHROME, "a한국어e日");
            canvas_fill(filled, (struct area){0, first, 1, count}, ROLE_ANSWER, "·");
            for (int i = first; i < first + count && i < 10; i++)
                canvas_put(put, 0, i, ROLE_ANSWER, "·");
            for (int i = 0; i < 10; i++) {
                const struct canvas_cell *a = canvas_cell(filled, 0, i), *b = canvas_cell(put, 0, i);

                cr_assert_str_eq(a->text, b->text, "%d from %d, column %d", count, first, i);
                cr_assert(a->width == b->width && a->style == b->style, "%d from %d, column %d", count, first, i);
            }
            canvas_destroy(filled);
            canvas_destroy(put);
        }
    }
}

Test(canvas, drawing_over_one_half_removes_the_other)
{
    struct canvas *canvas = canvas_create(2, 4, GLYPHS_FULL);
    canvas_put(canvas, 0, 0, ROLE_CHROME, "設備");
    canvas_put(canvas, 0, 1, ROLE_CHROME, "x");
    canvas_put(canvas, 0, 2, ROLE_CHROME, "y");
    canvas_put(canvas, 1, 0, ROLE_CHROME, "a設b");
    canvas_put(canvas, 1, 0, ROLE_CHROME, "備");
    expect(canvas, " xy\n備 b\n");
}

Test(canvas, combining_marks_share_a_cell_and_control_characters_are_replaced)
{
    struct canvas *canvas = canvas_create(1, 6, GLYPHS_FULL);
    canvas_put(canvas, 0, 0, ROLE_CHROME, "e\xcc\x81x\x1b[");
    cr_assert_str_eq(canvas_cell(canvas, 0, 0)->text, "e\xcc\x81");
    expect(canvas, "e\xcc\x81x\xef\xbf\xbd[\n");
}

Test(canvas, many_marks_do_not_overrun_a_cell)
{
    char text[200] = "e";
    for (int i = 0; i < 40; i++)
        strcat(text, "\xcc\x81");
    struct canvas *canvas = canvas_create(1, 2, GLYPHS_FULL);
    canvas_put(canvas, 0, 0, ROLE_CHROME, text);
    cr_assert_lt(strlen(canvas_cell(canvas, 0, 0)->text), CANVAS_TEXT_SIZE);
    canvas_destroy(canvas);
}

Test(canvas, fields_are_padded_aligned_and_cut)
{
    struct canvas *canvas = canvas_create(5, 9, GLYPHS_FULL);
    canvas_put_field(canvas, 0, 1, 6, ROLE_CHROME, ALIGN_RIGHT, CUT_END, "12.5");
    canvas_put_field(canvas, 1, 1, 6, ROLE_CHROME, ALIGN_LEFT, CUT_END, "boss_spawn");
    canvas_put_field(canvas, 2, 1, 3, ROLE_CHROME, ALIGN_LEFT, CUT_HIDE, "12345");
    canvas_put_field(canvas, 3, 1, 4, ROLE_CHROME, ALIGN_LEFT, CUT_END, "設備設備"); /* 2 + … in 4 columns */
    canvas_put_field(canvas, 4, 1, 5, ROLE_CHROME, ALIGN_CENTRE, CUT_END, "abc");
    expect(canvas, "   12.5\n boss_…\n\n 設…\n  abc\n");
}

Test(canvas, text_is_wrapped_at_blanks)
{
    struct canvas *canvas = canvas_create(4, 8, GLYPHS_FULL);
    int rows =
        canvas_put_wrapped(canvas, (struct area){0, 1, 4, 6}, ROLE_CHROME, "one two\nthree abcdefghij");
    cr_assert_eq(rows, 5); /* "one two" does not fit into 6 */
    expect(canvas, " one\n two\n three\n abcde…\n"); /* more follows, and one sees it */
    canvas = canvas_create(4, 8, GLYPHS_FULL);
    cr_assert_eq(canvas_put_wrapped(canvas, (struct area){0, 1, 2, 6}, ROLE_CHROME, "one\ntwo\nend"), 3);
    expect(canvas, " one\n two e…\n\n\n");
    canvas = canvas_create(4, 8, GLYPHS_FULL);
    cr_assert_eq(canvas_put_wrapped(canvas, (struct area){0, 1, 2, 6}, ROLE_CHROME, "one\ntwo\n"), 2);
    expect(canvas, " one\n two\n\n\n");
}

Test(canvas, boxes_have_titles)
{
    struct canvas *canvas = canvas_create(3, 12, GLYPHS_FULL);
    canvas_box(canvas, canvas_area(canvas), ROLE_BORDER, "S23");
    expect(canvas, "┌─ S23 ────┐\n│          │\n└──────────┘\n");
}

Test(canvas, other_sets_keep_the_columns)
{
    const char *text = "a · × → ─ 設";
    struct canvas *canvas = canvas_create(1, 14, GLYPHS_ASCII);
    canvas_put(canvas, 0, 0, ROLE_CHROME, text);
    expect(canvas, "a . x > - ??\n");
    canvas = canvas_create(1, 14, GLYPHS_NARROW);
    canvas_put(canvas, 0, 0, ROLE_CHROME, text);
    expect(canvas, "a . x > ⠒ 設\n");
}

Test(canvas, role_map_shows_roles_and_the_cursor)
{
    struct canvas *canvas = canvas_create(1, 6, GLYPHS_FULL);
    canvas_put(canvas, 0, 1, ROLE_HEAT_3, "58");
    canvas_put(canvas, 0, 3, ROLE_HEAT_1, "9");
    canvas_add_flags(canvas, (struct area){0, 3, 1, 1}, STYLE_CURSOR);
    canvas_put(canvas, 0, 4, ROLE_DECIDE, "*");
    char *dump = canvas_dump_roles(canvas);
    cr_assert_str_eq(dump, ".33@D.\n");
    free(dump);
    canvas_destroy(canvas);
}

Test(canvas, areas_are_cut_without_going_negative)
{
    struct area area = {2, 3, 10, 20};
    struct area top = area_take_top(&area, 4), right = area_take_right(&area, 5);
    cr_assert(top.row == 2 && top.rows == 4 && top.columns == 20);
    cr_assert(right.column == 18 && right.columns == 5 && right.rows == 6);
    cr_assert(area.row == 6 && area.rows == 6 && area.columns == 15);
    cr_assert_eq(area_take_bottom(&area, 99).rows, 6);
    cr_assert_eq(area.rows, 0);
    cr_assert_eq(area_inside((struct area){0, 0, 1, 1}).rows, 0);
}

Test(canvas, a_cursor_outside_is_hidden)
{
    int row = 0, column = 0;
    struct canvas *canvas = canvas_create(2, 2, GLYPHS_FULL);
    cr_assert_not(canvas_cursor(canvas, &row, &column));
    canvas_place_cursor(canvas, 1, 1);
    cr_assert(canvas_cursor(canvas, &row, &column) && row == 1 && column == 1);
    canvas_place_cursor(canvas, 5, 1);
    cr_assert_not(canvas_cursor(canvas, &row, &column));
    canvas_destroy(canvas);
}

Test(glyphs, every_set_has_its_stand_ins_at_hand)
{
    /* The characters that screens are made of; in ascii none of them may end as a question mark. */
    static const uint32_t used[] = {0x00b1, 0x00b7, 0x00d7, 0x0394, 0x2013, 0x2026, 0x2192, 0x2212, 0x2264,
                                    0x2265, 0x2500, 0x2502, 0x250c, 0x2510, 0x2514, 0x2518, 0x251c, 0x2524,
                                    0x252c, 0x2534, 0x253c, 0x254c, 0x2575, 0x2581, 0x2588, 0x2591, 0x2592,
                                    0x2593, 0x25aa, 0x25ab, 0x25b4, 0x25b8, 0x25be, 0x25cf, 0x2713};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++) {
        uint32_t ascii = glyph_stand_in(GLYPHS_ASCII, used[i]);
        cr_assert(ascii < 0x80 && ascii != '?', "U+%04X is U+%04X", used[i], ascii);
        cr_assert_eq(glyph_stand_in(GLYPHS_FULL, used[i]), used[i]);
    }
    cr_assert_eq(glyph_stand_in(GLYPHS_ASCII, 0xac00), '?');
    cr_assert_eq(glyph_stand_in(GLYPHS_NARROW, 0xac00), 0xac00);
    cr_assert_eq(glyph_stand_in(GLYPHS_NARROW, 0x00b7), '.');
    cr_assert_eq(glyph_stand_in(GLYPHS_NARROW, 0x254c), 0x254c);
}

/* A field is a stretch of blanks with a text on it, whatever lay there, wide characters at its edges included. */
Test(canvas, a_field_is_blanks_and_a_text)
{
    static const char *const texts[] = {"", "x", "abc", "12345678"};
    unsigned state = 7;

    for (int round = 0; round < 2000; round++) {
        struct canvas *one = canvas_create(2, 24, GLYPHS_FULL), *two = canvas_create(2, 24, GLYPHS_FULL);
        const char *text = texts[(state >> 3) % 4];
        int length = (int)strlen(text), column = (int)((state >> 8) % 28) - 3, columns = length + (int)((state >> 14) % 8);
        enum align align = (enum align)((state >> 20) % 3);
        int indent = align == ALIGN_LEFT ? 0 : align == ALIGN_RIGHT ? columns - length : (columns - length) / 2;
        int wide = (int)((state >> 24) % 2);

        canvas_put(one, 0, wide, ROLE_TITLE, "한국어한국어한국어한국");
        canvas_put(two, 0, wide, ROLE_TITLE, "한국어한국어한국어한국");
        canvas_put_field(one, 0, column, columns, ROLE_HEAD, align, CUT_END, text);
        canvas_fill(two, (struct area){0, column, 1, columns}, ROLE_HEAD, " ");
        canvas_put(two, 0, column + indent, ROLE_HEAD, text);

        char *as_text[] = {canvas_dump_text(one), canvas_dump_text(two)}, *as_roles[] = {canvas_dump_roles(one), canvas_dump_roles(two)};
        cr_assert_str_eq(as_text[0], as_text[1], "\"%s\" in %d columns at %d", text, columns, column);
        cr_assert_str_eq(as_roles[0], as_roles[1], "\"%s\" in %d columns at %d", text, columns, column);
        for (int i = 0; i < 2; i++) {
            free(as_text[i]);
            free(as_roles[i]);
        }
        canvas_destroy(one);
        canvas_destroy(two);
        state = state * 1103515245u + 12345u;
    }
}
