/* What the painter sends, shown to an emulator, has to look like the canvas: whatever was there before, for several kinds of terminal. */
#include "stutterscope/tui/painter.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

#define STEPS 150

/* Printed here, so that no description of a terminal is needed; places count from 1, colours from 0. */
static const char *expand(const char *capability, int first, int second)
{
    static char expanded[64];
    bool is_place = strstr(capability, "dH") || strstr(capability, "dr");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(expanded, sizeof expanded, capability, first + is_place, second + is_place);
#pragma GCC diagnostic pop
    return expanded;
}

static struct painter_language xterm(void)
{
    return (struct painter_language){
        .theme = {.base = SCHEME_DARK},
        .depth = DEPTH_256,
        .colours = 256,
        .utf8 = true,
        .erases_coloured = true,
        .clear = "\033[H\033[2J",
        .erase = "\033[K",
        .place = "\033[%i%p1%d;%p2%dH",
        .place_in_row = "\033[%i%p1%dG",
        .region = "\033[%d;%dr",
        .scroll_up = "\n",
        .scroll_down = "\033M",
        .plain = "\033(B\033[m",
        .bold = "\033[1m",
        .underline = "\033[4m",
        .reverse = "\033[7m",
        .italic = "\033[3m",
        .foreground = "\033[38;5;%dm",
        .background = "\033[48;5;%dm",
        .plain_colours = "\033[39;49m",
        .expand = expand,
    };
}

/* It can place its cursor, show attributes, and nothing else. */
static struct painter_language poor(void)
{
    struct painter_language language = xterm();
    language.erases_coloured = false;
    language.depth = DEPTH_NONE;
    language.clear = language.erase = language.place_in_row = language.region = language.scroll_up = language.scroll_down = "";
    language.foreground = language.background = language.plain_colours = "";
    language.place = "\033[%d;%dH";
    return language;
}

static struct painter_language with_padding(void)
{
    struct painter_language language = xterm();
    language.depth = DEPTH_8;
    language.colours = 8;
    language.foreground = "\033[3%dm$<2>";
    language.background = "\033[4%dm$<1.5*/>";
    language.reverse = "\033[7m$<2>";
    language.place = "\033[%d;%dH$<5>";
    language.plain_colours = "";
    language.erases_coloured = false;
    return language;
}

struct glass {
    VTerm *emulator;
    VTermScreen *screen;
    struct painter *painter;
    struct painter_language language;
    int rows, columns;
    size_t sent; /* by the last painting */
};

static struct glass glass_create(struct painter_language language, int rows, int columns)
{
    struct glass glass = {.language = language, .rows = rows, .columns = columns};
    setlocale(LC_CTYPE, "C.UTF-8");
    glass.emulator = vterm_new(rows, columns);
    vterm_set_utf8(glass.emulator, 1);
    glass.screen = vterm_obtain_screen(glass.emulator);
    vterm_screen_reset(glass.screen, 1);
    glass.painter = painter_create(&glass.language);
    return glass;
}

static void glass_destroy(struct glass *glass)
{
    painter_destroy(glass->painter);
    vterm_free(glass->emulator);
}

static void show(struct glass *glass, const struct canvas *canvas, bool may_scroll)
{
    struct text_buffer out = {0};
    painter_paint(glass->painter, canvas, glass->rows, glass->columns, may_scroll, &out);
    if (out.count > 0)
        vterm_input_write(glass->emulator, out.items, out.count);
    cr_assert(out.count == 0 || !strstr(out.items, "$<"), "padding is not sent");
    glass->sent = out.count;
    free(out.items);
}

static int colour_of(VTermColor colour)
{
    if (VTERM_COLOR_IS_DEFAULT_FG(&colour) || VTERM_COLOR_IS_DEFAULT_BG(&colour))
        return COLOUR_DEFAULT;
    return VTERM_COLOR_IS_INDEXED(&colour) ? colour.indexed.idx : 1000;
}

static void expect_cell(const struct glass *glass, const struct canvas_cell *wanted, int row, int column, int step)
{
    VTermScreenCell cell;
    char text[64] = "";
    size_t length = 0;
    bool is_blank = strcmp(wanted->text, " ") == 0, is_empty = is_blank && wanted->style == ROLE_CHROME;
    struct attributes look = theme_look(&glass->language.theme, glass->language.depth, wanted->style);
    look.foreground = look.foreground < glass->language.colours ? look.foreground : COLOUR_DEFAULT;
    look.background = look.background < glass->language.colours ? look.background : COLOUR_DEFAULT;
    if (is_empty)
        look = (struct attributes){.foreground = COLOUR_DEFAULT, .background = COLOUR_DEFAULT};
    vterm_screen_get_cell(glass->screen, (VTermPos){row, column}, &cell);
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
        length += text_encode(cell.chars[i], text + length);
    text[length] = '\0';
    cr_assert_str_eq(length ? text : " ", wanted->text, "step %d, row %d, column %d: \"%s\", not \"%s\"", step, row, column, text, wanted->text);
    cr_assert_eq(cell.width, wanted->width);
    cr_assert_eq(colour_of(cell.bg), look.background, "step %d, row %d, column %d: %d, not %d", step, row, column,
                 colour_of(cell.bg), look.background);
    cr_assert_eq(cell.attrs.reverse, look.reverse, "step %d, row %d, column %d", step, row, column);
    cr_assert_eq(cell.attrs.underline, look.underline, "step %d, row %d, column %d", step, row, column);
    if (is_blank)
        return;
    cr_assert_eq(colour_of(cell.fg), look.foreground, "step %d, row %d, column %d", step, row, column);
    cr_assert_eq(cell.attrs.bold, look.bold, "step %d, row %d, column %d", step, row, column);
    cr_assert_eq(cell.attrs.italic, look.italic, "step %d, row %d, column %d", step, row, column);
}

static void expect_canvas(const struct glass *glass, const struct canvas *canvas, int step)
{
    for (int row = 0; row < canvas_rows(canvas) && row < glass->rows; row++)
        for (int column = 0; column < canvas_columns(canvas) && column < glass->columns; column++)
            if (canvas_cell(canvas, row, column)->width > 0)
                expect_cell(glass, canvas_cell(canvas, row, column), row, column, step);
}

/* ---- what is drawn ---- */

static unsigned any(unsigned *state, unsigned below)
{
    *state = *state * 1103515245u + 12345u;
    return (*state >> 8) % below;
}

static unsigned any_style(unsigned *state)
{
    static const unsigned flags[] = {0, 0, 0, STYLE_BOLD, STYLE_UNDERLINE, STYLE_REVERSE, STYLE_ITALIC, STYLE_BOLD | STYLE_ITALIC};
    unsigned style = any(state, ROLE_COUNT) | flags[any(state, 8)];
    return any(state, 6) ? style : STYLE_PAINTED(ROLE_CHROME, any(state, 256), any(state, 256));
}

static void draw_anything(struct canvas *canvas, unsigned *state)
{
    static const char *const texts[] = {
        "stream_chunk", "the 95.1 ms frame", "전투 한국어", "日本語の場面", "e\xcc\x81te\xcc\x81 u\xcc\x88", "\xf0\x9f\x98\x80 ok",
        "─────┼─────", "▁▂▃▄▅▆▇█", "   ", "x", "\xe0\xb8\x97\xe0\xb8\xb5\xe0\xb9\x88"};
    int rows = canvas_rows(canvas), columns = canvas_columns(canvas);
    int row = (int)any(state, (unsigned)rows), column = (int)any(state, (unsigned)columns);
    if (any(state, 3) > 0) {
        canvas_put(canvas, row, column, any_style(state), texts[any(state, sizeof texts / sizeof *texts)]);
        return;
    }
    struct area area = {row, column, 1 + (int)any(state, 3), 1 + (int)any(state, (unsigned)columns)};
    canvas_fill(canvas, area, any(state, 3) ? any_style(state) : ROLE_CHROME, " ");
}

/* The emulator puts marks on the character of the last column into the next row. */
static void drop_marks_at_the_edge(struct canvas *canvas)
{
    for (int row = 0; row < canvas_rows(canvas); row++) {
        const struct canvas_cell *cell = canvas_cell(canvas, row, canvas_columns(canvas) - 1);
        uint32_t code_point;
        if (cell->text[text_decode(cell->text, &code_point)])
            canvas_put(canvas, row, canvas_columns(canvas) - 1, ROLE_CHROME, "x");
    }
}

/* A text that begins at the given line, beside what stays: lines like those of a list or a ticket. */
static void draw_text(struct canvas *canvas, int first_line)
{
    canvas_clear(canvas);
    for (int row = 1; row + 1 < canvas_rows(canvas); row++) {
        unsigned state = (unsigned)(first_line + row) * 7919u + 1;
        char line[80];
        snprintf(line, sizeof line, "%d %u words of a line %u", first_line + row, any(&state, 100000), any(&state, 1000));
        canvas_put(canvas, row, 1, (first_line + row) % 3 ? ROLE_CHROME : ROLE_TITLE, line);
        canvas_put(canvas, row, canvas_columns(canvas) - 3, ROLE_BORDER, "│ s");
    }
    canvas_put(canvas, 0, 0, ROLE_TAB, "a head that stays");
}

static void walk(struct painter_language language, unsigned seed)
{
    unsigned state = seed;
    int rows = 1 + (int)any(&state, 24), columns = 2 + (int)any(&state, 78);
    struct glass glass = glass_create(language, rows, columns);
    struct canvas *canvas = canvas_create(rows, columns, GLYPHS_FULL);
    for (int step = 0, line = 0; step < STEPS; step++) {
        unsigned what = any(&state, 40);
        if (what == 0)
            canvas_clear(canvas);
        else if (what == 1)
            painter_forget(glass.painter);
        else if (what < 8)
            draw_text(canvas, line += (int)any(&state, 9) - 4);
        for (unsigned i = any(&state, 5); i > 0; i--)
            draw_anything(canvas, &state);
        drop_marks_at_the_edge(canvas);
        show(&glass, canvas, what != 9);
        expect_canvas(&glass, canvas, step);
    }
    canvas_destroy(canvas);
    glass_destroy(&glass);
}

Test(painter, whatever_was_there_looks_like_the_canvas)
{
    for (unsigned seed = 1; seed <= 60; seed++)
        walk(xterm(), seed);
}

Test(painter, terminals_that_know_little_show_the_same)
{
    for (unsigned seed = 1; seed <= 30; seed++) {
        walk(poor(), seed);
        walk(with_padding(), seed + 1000);
    }
}

Test(painter, a_canvas_of_another_size_is_shown_as_far_as_it_reaches)
{
    struct glass glass = glass_create(xterm(), 10, 40);
    struct canvas *canvas = canvas_create(14, 60, GLYPHS_FULL);
    unsigned state = 5;
    for (int step = 0; step < 40; step++) {
        canvas_resize(canvas, 4 + (int)any(&state, 12), 20 + (int)any(&state, 40));
        draw_text(canvas, step);
        /* A wide character that the edge of the glass cuts is no character there. */
        canvas_put(canvas, 2, 39, ROLE_CHROME, " ");
        show(&glass, canvas, true);
        expect_canvas(&glass, canvas, step);
    }
    canvas_destroy(canvas);
    glass_destroy(&glass);
}

/* ---- how much is sent ---- */

Test(painter, what_did_not_change_is_not_sent)
{
    struct glass glass = glass_create(xterm(), 24, 80);
    struct canvas *canvas = canvas_create(24, 80, GLYPHS_FULL);
    draw_text(canvas, 1);
    show(&glass, canvas, true);
    show(&glass, canvas, true);
    cr_assert_eq(glass.sent, 0);
    canvas_put(canvas, 5, 5, ROLE_CHROME, "X");
    show(&glass, canvas, true);
    cr_assert_leq(glass.sent, strlen("\033[6;6HX"));
    canvas_destroy(canvas);
    glass_destroy(&glass);
}

/* 58 lines of about 30 characters, of which one is new. */
Test(painter, a_text_that_moved_is_scrolled_beside_what_stays)
{
    static const int moves[] = {1, -1, 3, -3};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        struct glass glass = glass_create(xterm(), 60, 100);
        struct canvas *canvas = canvas_create(60, 100, GLYPHS_FULL);
        draw_text(canvas, 20);
        show(&glass, canvas, true);
        draw_text(canvas, 20 + moves[i]);
        show(&glass, canvas, true);
        cr_assert_lt(glass.sent, 300, "by %d: %zu bytes", moves[i], glass.sent);
        expect_canvas(&glass, canvas, (int)i);
        draw_text(canvas, 20);
        show(&glass, canvas, false);
        cr_assert_gt(glass.sent, 900, "a picture would move with the rows");
        expect_canvas(&glass, canvas, (int)i);
        canvas_destroy(canvas);
        glass_destroy(&glass);
    }
}

/* What is known from painting to painting has to be what is there. */
Test(painter, texts_that_go_on_moving_are_scrolled_every_time)
{
    static const int moves[] = {1, 1, 1, -1, 3, -3, 1, -1, 1};
    struct glass glass = glass_create(xterm(), 60, 100);
    struct canvas *canvas = canvas_create(60, 100, GLYPHS_FULL);
    int first = 20;
    draw_text(canvas, first);
    show(&glass, canvas, true);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        if (i == 6) { /* too little for a look at what moved */
            canvas_put(canvas, 5, 60, ROLE_CHROME, "beside the text");
            show(&glass, canvas, true);
        }
        first += moves[i];
        draw_text(canvas, first);
        show(&glass, canvas, true);
        cr_assert_lt(glass.sent, 300, "step %zu, by %d: %zu bytes", i, moves[i], glass.sent);
        expect_canvas(&glass, canvas, (int)i);
    }
    canvas_destroy(canvas);
    glass_destroy(&glass);
}

/* ---- what terminals cannot do ---- */

static char *sent_for(struct painter_language language, struct canvas *canvas)
{
    struct text_buffer out = {0};
    struct painter *painter = painter_create(&language);
    painter_paint(painter, canvas, canvas_rows(canvas), canvas_columns(canvas), true, &out);
    painter_destroy(painter);
    return text_take(&out);
}

Test(painter, the_last_cell_is_left_out_where_it_would_scroll)
{
    struct canvas *canvas = canvas_create(2, 4, GLYPHS_FULL);
    struct painter_language language = xterm();
    canvas_put(canvas, 1, 0, ROLE_CHROME, "abcZ");
    language.wraps_at_once = true;
    char *sent = sent_for(language, canvas);
    cr_assert(strstr(sent, "abc") && !strchr(sent, 'Z'), "%s", sent);
    free(sent);
    language.wraps_at_once = false;
    sent = sent_for(language, canvas);
    cr_assert(strstr(sent, "abcZ"), "%s", sent);
    free(sent);
    canvas_destroy(canvas);
}

Test(painter, what_cannot_go_with_colours_is_left_out_but_the_cursor_is_seen)
{
    struct canvas *canvas = canvas_create(1, 12, GLYPHS_FULL);
    struct painter_language language = xterm();
    language.uncoloured = STYLE_UNDERLINE | STYLE_REVERSE;
    canvas_put(canvas, 0, 0, STYLE_PAINTED(ROLE_CHROME, 100, 200) | STYLE_UNDERLINE, "u");
    canvas_put(canvas, 0, 4, STYLE_PAINTED(ROLE_CHROME, 101, 201) | STYLE_REVERSE, "r");
    char *sent = sent_for(language, canvas);
    cr_assert(strstr(sent, "\033[38;5;100m") && !strstr(sent, "\033[4m"), "%s", sent);
    cr_assert(strstr(sent, "\033[7m") && !strstr(sent, "\033[38;5;101m"), "%s", sent);
    free(sent);
    canvas_destroy(canvas);
}

Test(painter, colours_of_old_terminals_change_places)
{
    struct canvas *canvas = canvas_create(1, 4, GLYPHS_FULL);
    struct painter_language language = xterm();
    language.foreground = "F%d.";
    language.background = "B%d.";
    language.swaps_colours = true;
    canvas_put(canvas, 0, 0, STYLE_PAINTED(ROLE_CHROME, 1, 6), "x"); /* red is 4 there, cyan 3 */
    char *sent = sent_for(language, canvas);
    cr_assert(strstr(sent, "F4.B3.x"), "%s", sent);
    free(sent);
    canvas_destroy(canvas);
}

Test(painter, what_a_locale_has_not_is_a_question_mark_for_every_column)
{
    struct canvas *canvas = canvas_create(1, 12, GLYPHS_FULL);
    struct painter_language language = xterm();
    setlocale(LC_CTYPE, "C");
    language.utf8 = false;
    canvas_put(canvas, 0, 0, ROLE_CHROME, "a한b");
    char *sent = sent_for(language, canvas);
    cr_assert(strstr(sent, "a? b"), "%s", sent);
    free(sent);
    canvas_destroy(canvas);
}
