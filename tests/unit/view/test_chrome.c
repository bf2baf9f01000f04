#include "stutterscope/view/chrome.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void where(const void *state, struct line *line)
{
    (void)state;
    line_add(line, LINE_KEEP, ROLE_CHROME, "1.8.0(421) vs 1.7.9(418)");
    line_add_right(line, 4, ROLE_CHROME, "  severity");
}

static void answer(const void *state, struct line *line)
{
    (void)state;
    line_add(line, LINE_KEEP, ROLE_ANSWER, "5 TO DECIDE");
}

static void draw(const void *state, struct canvas *canvas, struct area area)
{
    (void)state;
    canvas_fill(canvas, area, ROLE_CHROME, "x");
}

static const struct hint hints[] = {
    {{ACTION_LEFT, ACTION_DOWN, ACTION_UP, ACTION_RIGHT}, "move"},
    {{ACTION_MORE, ACTION_LESS}, "zoom"},
    {{ACTION_ENTER}, "frames"},
    {{ACTION_NONE}, NULL},
};

static const struct screen_type type = {
    .kind = SCREEN_QUEUE, .name = "Queue", .draw = draw, .where = where, .answer = answer, .hints = hints};

static struct screen screen = {.type = &type, .computed = true};

static char *row_of(struct canvas *canvas, int wanted)
{
    char *dump = canvas_dump_text(canvas), *at = dump;
    for (int row = 0; row < wanted; row++)
        at = strchr(at, '\n') + 1;
    char *copy = strndup(at, strcspn(at, "\n"));
    free(dump);
    return copy;
}

static void expect_row(struct canvas *canvas, int row, const char *text)
{
    char *found = row_of(canvas, row);
    cr_assert_str_eq(found, text, "row %d: \"%s\"", row, found);
    free(found);
}

Test(chrome, the_whole_screen)
{
    struct keymap *keymap = keymap_create();
    struct chrome chrome = {.store = "nightly.db", .user = "minji", .clock = "09:04", .keymap = keymap};
    chrome.tabs[SCREEN_MEMORY].absent = true;
    strcpy(chrome.tabs[SCREEN_QUEUE].badge, "5");
    strcpy(chrome.tabs[SCREEN_COVER].badge, "!2");
    chrome.tabs[SCREEN_COVER].missing = true;
    struct canvas *canvas = canvas_create(12, 100, GLYPHS_FULL);
    chrome_draw(canvas, &chrome, &screen);
    expect_row(canvas, 0,
               " 1 Map [2 Queue 5] 3 Frames  4 Trend  5 Cover !2  6 Ticket  7 Tune "
               "         nightly.db · minji 09:04");
    expect_row(canvas, 1,
               " 1.8.0(421) vs 1.7.9(418)                                                                   "
               "severity");
    expect_row(canvas, 2, " 5 TO DECIDE");
    expect_row(canvas, 11, " hjkl move  + - zoom  Enter frames  ? help");
    cr_assert_eq(STYLE_ROLE(canvas_cell(canvas, 11, 1)->style), ROLE_KEY);
    cr_assert_eq(STYLE_ROLE(canvas_cell(canvas, 11, 6)->style), ROLE_CHROME);
    cr_assert_str_eq(canvas_cell(canvas, 3, 0)->text, "x");
    cr_assert_str_eq(canvas_cell(canvas, 9, 99)->text, "x");
    chrome.message = "boss_spawn is known now, for 3; u takes it back";
    chrome_draw(canvas, &chrome, &screen);
    expect_row(canvas, 10, " boss_spawn is known now, for 3; u takes it back");
    canvas_destroy(canvas);
    keymap_destroy(keymap);
}

static void draw_box(const void *state, struct canvas *canvas, struct area area)
{
    (void)state;
    canvas_fill(canvas, (struct area){area.row + 4, area.column, 2, area.columns}, ROLE_CHROME, "o");
}

Test(chrome, what_lies_on_top_names_its_own_keys)
{
    static const struct hint own[] = {{{ACTION_DOWN, ACTION_UP}, "scroll"}, {{ACTION_BACK}, NULL}, {{ACTION_NONE}, NULL}};
    static const struct screen_type with = {.kind = SCREEN_NONE, .overlay = true, .draw = draw_box, .hints = own},
                                    without = {.kind = SCREEN_NONE, .overlay = true, .draw = draw_box};
    struct keymap *keymap = keymap_create();
    struct chrome chrome = {.keymap = keymap};
    struct screen above = {.type = &with}, silent = {.type = &without};
    struct canvas *canvas = canvas_create(12, 40, GLYPHS_FULL);
    chrome_draw(canvas, &chrome, &screen);
    chrome_draw_above(canvas, &chrome, &above);
    expect_row(canvas, 11, " jk scroll  Esc back");
    cr_assert_str_eq(canvas_cell(canvas, 3, 0)->text, "x", "the screen below is seen");
    cr_assert_str_eq(canvas_cell(canvas, 4, 0)->text, "o");
    chrome_draw_above(canvas, &chrome, &silent);
    expect_row(canvas, 11, "");
    canvas_destroy(canvas);
    keymap_destroy(keymap);
}

Test(chrome, missing_data_and_help_survive_narrow_terminals)
{
    struct keymap *keymap = keymap_create();
    struct chrome chrome = {.store = "nightly.db", .user = "minji", .clock = "09:04", .keymap = keymap};
    chrome.tabs[SCREEN_MEMORY].absent = true;
    strcpy(chrome.tabs[SCREEN_COVER].badge, "!2");
    chrome.tabs[SCREEN_COVER].missing = true;
    struct canvas *canvas = canvas_create(12, 40, GLYPHS_FULL);
    chrome_draw(canvas, &chrome, &screen);
    char *tabs = row_of(canvas, 0), *keys = row_of(canvas, 11);
    cr_assert(strstr(tabs, "!2") && strstr(tabs, "[2 Queue]"), "%s", tabs);
    cr_assert(strstr(keys, "? help") && strstr(keys, "hjkl move"), "%s", keys);
    free(tabs);
    free(keys);
    canvas_destroy(canvas);
    keymap_destroy(keymap);
}

Test(chrome, too_small_says_so_and_any_size_is_harmless)
{
    struct chrome chrome = {0};
    struct canvas *canvas = canvas_create(5, 60, GLYPHS_FULL);
    chrome_draw(canvas, &chrome, &screen);
    expect_row(canvas, 0, "stutterscope needs 40 × 12, this is 60 × 5");
    for (int rows = 1; rows < 15; rows++)
        for (int columns = 1; columns < 90; columns += 4) {
            canvas_resize(canvas, rows, columns);
            chrome_draw(canvas, &chrome, &screen);
        }
    canvas_destroy(canvas);
}

Test(chrome, a_failure_takes_the_place_of_the_body)
{
    struct chrome chrome = {0};
    struct screen failed = {.type = &type, .failure = strdup("nightly.db: it is damaged at page 7")};
    struct canvas *canvas = canvas_create(12, 60, GLYPHS_FULL);
    chrome_draw(canvas, &chrome, &failed);
    char *dump = canvas_dump_text(canvas);
    cr_assert(strstr(dump, "nightly.db: it is damaged at page 7") && !strstr(dump, "xxx"), "%s", dump);
    free(dump);
    free(failed.failure);
    canvas_destroy(canvas);
}
