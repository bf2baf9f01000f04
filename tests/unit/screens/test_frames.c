#include "golden.h"

#include "stutterscope/model/detail.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(frames);

static void check(int columns, int rows, enum glyph_set glyphs, const char *keys, const char *name,
                  bool with_roles)
{
    struct desk *desk = desk_open(&frames_screen, columns, rows, glyphs);
    desk_press(desk, keys);
    desk_check(desk, name, with_roles);
    desk_close(desk);
}

Test(frames, looks_as_read)
{
    check(40, 12, GLYPHS_FULL, "", "frames-40x12", false);
    check(60, 20, GLYPHS_FULL, "", "frames-60x20", false);
    check(80, 24, GLYPHS_FULL, "", "frames-80x24", true);
    check(120, 40, GLYPHS_FULL, "", "frames-120x40", false);
    check(200, 60, GLYPHS_FULL, "", "frames-200x60", false);
    check(40, 12, GLYPHS_ASCII, "", "frames-40x12-ascii", false);
    check(80, 24, GLYPHS_ASCII, "", "frames-80x24-ascii", false);
    check(80, 24, GLYPHS_NARROW, "", "frames-80x24-narrow", false);
}

Test(frames, moves_and_compares)
{
    check(100, 30, GLYPHS_FULL, "- - - - - -", "frames-whole-run", false);
    check(100, 30, GLYPHS_FULL, "+ + l l", "frames-zoomed", false);
    check(100, 30, GLYPHS_FULL, "c", "frames-overlay", true);
    check(100, 30, GLYPHS_FULL, "} }", "frames-clean-run", false);
    check(100, 30, GLYPHS_FULL, "[", "frames-older-build", false);
    check(100, 30, GLYPHS_FULL, "Enter", "frames-table", false);
    check(100, 30, GLYPHS_FULL, "i", "frames-why", false);
}

/* The run that is shown, as the model has it; the caller destroys it. */
static struct run_detail *shown_run(struct desk *desk, const struct stutter_window **ret_window)
{
    struct run_detail *detail = NULL;
    struct error error = {0};
    cr_assert(model_run_detail(desk->session->model, desk->session->run, &detail, &error), "%s", error.text);
    *ret_window = NULL;
    for (size_t i = 0; i < detail->windows.count; i++)
        if (detail->windows.items[i].id == desk->session->window)
            *ret_window = &detail->windows.items[i];
    cr_assert_not_null(*ret_window);
    return detail;
}

/* "1.54 s shown" for a span: rounded to hundredths. */
static void assert_span(struct desk *desk, int64_t ns)
{
    char wanted[60];
    int64_t hundredths = (ns + 5000000) / 10000000;
    snprintf(wanted, sizeof wanted, "· %d.%02d s shown", (int)(hundredths / 100), (int)(hundredths % 100));
    cr_assert_geq(desk_find(desk, wanted, NULL), 0, "%s is not on the screen", wanted);
}

/* The sample's worst frame takes 92.4 ms, at boss_spawn on the Galaxy S23 Ultra, in the first of its five
 * runs. */
Test(frames, opens_on_the_answer)
{
    struct desk *desk = desk_open(&frames_screen, 100, 30, GLYPHS_FULL);
    const struct stutter_window *window = NULL;
    struct run_detail *detail = shown_run(desk, &window);
    char where[80];
    int tenths = (int)(window->peak_stamp_ns / 100000000), from = 0, to = 0, cursor = 0;
    cr_assert_eq(window->peak_ns, 92400000);
    snprintf(where, sizeof where, "92.4 ms at 0:%02u.%u = 5.5 × budget", (unsigned)tenths / 10 % 60,
             (unsigned)tenths % 10);
    cr_assert_eq(desk_find(desk, where, NULL), 2);
    cr_assert_geq(desk_find(desk, "CPU-bound", NULL), 0);
    cr_assert_geq(desk_find(desk, "92.4 > 33.33 ms", NULL), 0);
    /* The window lies in the middle third of the plot, 66 columns from column 5 on; the cursor is in it. */
    int row = desk_find(desk, "┌─", &from);
    cr_assert_eq(row, desk_find(desk, "─┐", &to));
    cr_assert_eq(row, desk_find(desk, "▾", &cursor));
    cr_assert(from >= 5 + 22 - 1 && to <= 5 + 44 + 1, "window in columns %d … %d", from, to);
    cr_assert(cursor > from && cursor < to);
    run_detail_destroy(detail);
    desk_close(desk);
}

Test(frames, typical_and_worst_change_places)
{
    struct desk *desk = desk_open(&frames_screen, 100, 30, GLYPHS_FULL);
    desk_press(desk, "x");
    int worst = 0, typical = 0;
    cr_assert_eq(desk_find(desk, "  typical", &typical), desk_find(desk, "  worst", &worst));
    cr_assert(typical < worst, "the frame at the cursor stands first");
    desk_press(desk, "x");
    desk_find(desk, "typical", &typical);
    desk_find(desk, "worst", &worst);
    cr_assert(worst < typical);
    desk_close(desk);
}

Test(frames, goes_through_runs_windows_and_builds)
{
    struct desk *desk = desk_open(&frames_screen, 100, 30, GLYPHS_FULL);
    int64_t build = desk->session->build;
    cr_assert_geq(desk_find(desk, "run 1 of 5", NULL), 0);
    desk_press(desk, "}");
    cr_assert_geq(desk_find(desk, "71.0 ms at", NULL), 0, "the same stutter in run 2");
    desk_press(desk, "}");
    cr_assert_geq(desk_find(desk, "CLEAN IN THIS RUN", NULL), 0);
    desk_press(desk, "} } }");
    cr_assert_geq(desk_find(desk, "64.9 ms at", NULL), 0);
    cr_assert_geq(desk_find(desk, "this is the last run", NULL), 0);
    desk_press(desk, "[");
    cr_assert_neq(desk->session->build, build);
    cr_assert_geq(desk_find(desk, "31.6", NULL), 0, "largest frame at boss_spawn before");
    desk_press(desk, "]");
    cr_assert_eq(desk->session->build, build);
    cr_assert_geq(desk_find(desk, "92.4 ms at", NULL), 0);
    desk_close(desk);
}

Test(frames, finds_events_and_opens_the_table)
{
    struct desk *desk = desk_open(&frames_screen, 100, 30, GLYPHS_FULL);
    desk_press(desk, "g / roar Enter");
    cr_assert_not_null(strstr(desk->message, "boss_roar at "));
    desk_press(desk, "= Enter");
    cr_assert_geq(desk_find(desk, "boss_roar", NULL), 0);
    desk_press(desk, "g Enter");
    cr_assert_geq(desk_find(desk, "frame 1 ", NULL), 0, "Enter in the table moves the cursor");
    desk_close(desk);
}

Test(frames, zooms_from_the_run_to_single_frames)
{
    struct desk *desk = desk_open(&frames_screen, 100, 30, GLYPHS_FULL);
    const struct stutter_window *window = NULL;
    struct run_detail *detail = shown_run(desk, &window);
    assert_span(desk, 3 * (window->end_ns - window->start_ns));
    desk_press(desk, "- - - - - - - - - -");
    assert_span(desk, detail->last_ns - detail->first_ns);
    desk_press(desk, "=");
    assert_span(desk, 3 * (window->end_ns - window->start_ns));
    /* Halved as long as four frames like the one at the cursor still fit. */
    int64_t span = 3 * (window->end_ns - window->start_ns);
    while (span / 2 >= 4 * window->peak_ns)
        span /= 2;
    desk_press(desk, "+ + + + + + + + + +");
    assert_span(desk, span);
    run_detail_destroy(detail);
    desk_close(desk);
}

Test(frames, opens_the_log)
{
    struct desk *desk = desk_open(&frames_screen, 100, 30, GLYPHS_FULL);
    desk_press(desk, "o");
    cr_assert_str_eq(desk->ran, "xdg-open https://ci.example.com/runs/8867/0-1.log");
    desk_close(desk);
}

Test(frames, says_what_to_do_without_data)
{
    struct desk *desk = desk_open_empty(&frames_screen, 80, 24);
    cr_assert_geq(desk_find(desk, "The store is empty", NULL), 0);
    desk_press(desk, "h l j k g G + - = , . { } [ ] x c m Enter i p t o r R Tab n N");
    desk_close(desk);
}

Test(frames, is_harmless_at_any_size)
{
    struct desk *desk = desk_open(&frames_screen, 80, 24, GLYPHS_FULL);
    desk_press(desk, "c");
    for (int rows = 1; rows < 70; rows = rows * 3 / 2 + 1)
        for (int columns = 1; columns < 260; columns = columns * 3 / 2 + 1) {
            desk_resize(desk, columns, rows);
            desk_press(desk, "+ l l k");
            desk_draw(desk);
            desk_press(desk, "- - G j h");
            desk_draw(desk);
            desk_press(desk, "g Enter");
            desk_draw(desk);
            desk_press(desk, "Esc =");
        }
    desk_close(desk);
}

/* boss_spawn is the event of one frame of the run; wave_1 comes before it. */
Test(frames, the_table_finds_events_and_labels)
{
    struct desk *desk = desk_open(&frames_screen, 100, 30, GLYPHS_FULL);
    desk_press(desk, "Enter g / wave_1 Enter");
    int wave = desk_find(desk, "wave_1", NULL);
    cr_assert_geq(wave, 0);
    cr_assert_str_eq(canvas_cell(desk->canvas, wave, 1)->text, "▸");
    desk_press(desk, "/ nowhere Enter");
    cr_assert_not_null(strstr(desk->message, "no frame has \"nowhere\""), "%s", desk->message);
    desk_press(desk, "/ start-up Enter");
    cr_assert_eq(desk->message[0], '\0', "%s", desk->message);
    desk_close(desk);
}
