/*
 * Every screen under foreign and hostile names, in four sizes, as text, as roles, as attributes without colour and in ASCII:
 * one file a screen. What must hold of every one of them is asserted beside that.
 */
#include "foreign.h"
#include "golden.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/help.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(foreign, .timeout = 120);

static const int sizes[][2] = {{40, 12}, {80, 24}, {120, 40}, {200, 60}};

/* Rows without what is empty at their end: blanks of a text, dots of a map of roles. */
static void add_rows(struct text_buffer *out, const char *map, char empty)
{
    while (*map) {
        size_t line = strcspn(map, "\n"), length = line;
        while (length > 0 && map[length - 1] == empty)
            length--;
        text_add_bytes(out, map, length);
        text_add(out, "\n");
        map += line + (map[line] == '\n');
    }
}

/* What a terminal without colours shows: bold 1, underlined 2, reversed 4, slanted 8, added up. */
static char *dump_mono(const struct canvas *canvas)
{
    static const char digits[] = ".123456789abcdef";
    struct text_buffer out = {0};
    for (int row = 0; row < canvas_rows(canvas); row++) {
        for (int column = 0; column < canvas_columns(canvas); column++) {
            struct attributes look = theme_attributes(SCHEME_MONO, DEPTH_NONE, canvas_cell(canvas, row, column)->style);
            cr_assert(look.foreground == COLOUR_DEFAULT && look.background == COLOUR_DEFAULT);
            text_add_bytes(&out, &digits[look.bold | look.underline << 1 | look.reverse << 2 | look.italic << 3], 1);
        }
        text_add(&out, "\n");
    }
    return text_take(&out);
}

/* No control or bidi character, and every row as wide as the canvas: wide characters whole, nothing over the edge. */
static void assert_harmless(const struct canvas *canvas)
{
    for (int row = 0; row < canvas_rows(canvas); row++) {
        int columns = 0;
        for (int column = 0; column < canvas_columns(canvas); column++) {
            const struct canvas_cell *cell = canvas_cell(canvas, row, column);
            uint32_t code_point = 0;
            cr_assert_eq(text_width(cell->text), cell->width, "row %d, column %d: \"%s\"", row, column, cell->text);
            columns += cell->width;
            for (const char *at = cell->text; text_decode(at, &code_point) > 0; at += text_decode(at, &code_point)) {
                cr_assert(code_point >= 0x20 && !(code_point >= 0x7f && code_point < 0xa0), "row %d: %#x", row, (unsigned)code_point);
                cr_assert(!(code_point >= 0x202a && code_point <= 0x202e) && !(code_point >= 0x2066 && code_point <= 0x2069), "row %d: %#x", row,
                          (unsigned)code_point);
                cr_assert(canvas_glyphs(canvas) != GLYPHS_ASCII || code_point < 0x80, "row %d: %#x is no ASCII", row, (unsigned)code_point);
            }
        }
        cr_assert_eq(columns, canvas_columns(canvas), "row %d", row);
    }
}

static void add_part(struct text_buffer *out, int columns, int rows, const char *what, char *map, char empty)
{
    text_add_print(out, "==== %dx%d %s\n", columns, rows, what);
    add_rows(out, map, empty);
    free(map);
}

static void hide_times(char *text, const char *after, const char *until)
{
    char *at = strstr(text, after), *end = at ? strstr(at, until) : NULL;
    if (end) {
        at += strlen(after);
        memmove(at + 1, end, strlen(end) + 1);
        *at = '?';
    }
}

static char *dump_text(struct desk *desk)
{
    char *text = desk_text(desk);
    hide_times(text, "last import ", " UTC");
    return text;
}

static void check_store(const char *store, const char *name, const struct screen_type *type, const char *keys)
{
    struct text_buffer out = {0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int columns = sizes[i][0], rows = sizes[i][1];
        struct desk *desk = desk_open_store(store, type, columns, rows, GLYPHS_FULL);
        desk_press(desk, keys);
        add_part(&out, columns, rows, "text", dump_text(desk), ' ');
        assert_harmless(desk->canvas);
        add_part(&out, columns, rows, "roles", canvas_dump_roles(desk->canvas), '.');
        add_part(&out, columns, rows, "without colour", dump_mono(desk->canvas), '.');
        desk_close(desk);
        desk = desk_open_store(store, type, columns, rows, GLYPHS_ASCII);
        desk_press(desk, keys);
        add_part(&out, columns, rows, "ascii", dump_text(desk), ' ');
        assert_harmless(desk->canvas);
        desk_close(desk);
    }
    desk_check_text(name, out.items);
    free(out.items);
}

static void check(const char *name, const struct screen_type *type, const char *keys)
{
    check_store(foreign_store(), name, type, keys);
}

Test(foreign, memory)
{
    char *store = foreign_memory_store();

    check_store(store, "foreign-memory", &memory_screen, "l");
    free(store);
}

Test(foreign, map)
{
    check("foreign-map", &map_screen, "");
}

Test(foreign, map_menu)
{
    check("foreign-map-menu", &map_screen, "s");
}

Test(foreign, queue)
{
    check("foreign-queue", &queue_screen, "");
}

Test(foreign, trend)
{
    check("foreign-trend", &trend_screen, "");
}

Test(foreign, cover)
{
    check("foreign-cover", &cover_screen, "");
}

Test(foreign, frames)
{
    check("foreign-frames", &frames_screen, "");
}

Test(foreign, frames_table)
{
    check("foreign-frames-table", &frames_screen, "Enter");
}

Test(foreign, distribution)
{
    check("foreign-distribution", &frames_screen, "d");
}

Test(foreign, ticket)
{
    check("foreign-ticket", &ticket_screen, "");
}

Test(foreign, tune)
{
    check("foreign-tune", &tune_screen, "l l l l l");
}

Test(foreign, why)
{
    check("foreign-why", &frames_screen, "i");
}

/* Help is made from the table of actions: names from outside lie only behind it. */
Test(foreign, help)
{
    struct desk *desk = desk_open_store(foreign_store(), &frames_screen, 80, 24, GLYPHS_FULL);
    desk->stack[++desk->top] = help_open(desk->keymap, SCREEN_FRAMES);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        desk_resize(desk, sizes[i][0], sizes[i][1]);
        cr_assert_geq(desk_find(desk, "keys on Frames", NULL), 0);
        assert_harmless(desk->canvas);
    }
    desk_close(desk);
}

Test(foreign, frames_lanes)
{
    check("foreign-frames-lanes", &frames_screen, "m");
}
