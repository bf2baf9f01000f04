/*
 * Faults that terminal programs are known for, one test each, on the program itself. What the loop and the terminal do by
 * themselves is tested more closely in test_screen.c, test_input.c and test_life.c.
 */
#include "product.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct product product;

static void stop(void)
{
    product_stop(&product);
}

TestSuite(faults, .timeout = 90, .fini = stop);

static void start(struct pty_options options)
{
    product_start(&product, options, NULL);
}

static void type_and_expect(const char *keys, const char *text)
{
    pty_type(product.pty, keys);
    cr_assert(pty_expect(product.pty, text), "%s", text);
}

static bool mouse_is_off(size_t mark)
{
    return pty_sent(product.pty, mark, "\033[?1006;1000l") || pty_sent(product.pty, mark, "\033[?1000l");
}

Test(faults, f01_starts_in_any_size)
{
    static const int sizes[][2] = {{1, 1}, {10, 200}, {200, 1}, {11, 39}, {12, 40}, {200, 500}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        product_start_with(&product, (struct pty_options){.rows = sizes[i][0], .columns = sizes[i][1]}, NULL);
        cr_assert(pty_expect_sent(product.pty, 0, "\033[?2004h"));
        pty_type(product.pty, "jl2q5q\x03");
        int status = pty_expect_end(product.pty);
        cr_assert_eq(status, 0, "%d × %d: %d", sizes[i][0], sizes[i][1], status);
        product_stop(&product);
    }
}

/* What stands there is what the program means to show, in every row. */
static void expect_the_same_when_drawn_anew(void)
{
    enum { ROWS = 64, WIDEST = 1024 };
    static char before[ROWS][WIDEST];
    char now[WIDEST];
    int rows = 0;
    cr_assert(pty_expect_idle(product.pty)); /* not in the middle of drawing */
    while (rows < ROWS && pty_has_row(product.pty, rows)) {
        pty_row(product.pty, rows, before[rows], WIDEST);
        rows++;
    }
    size_t mark = pty_mark(product.pty);
    type_and_expect("\x0c", "");
    cr_assert(pty_expect_sent(product.pty, mark, "\033[2J"));
    cr_assert(pty_expect_idle(product.pty));
    for (int row = 0; row < rows; row++)
        cr_assert_str_eq(pty_row(product.pty, row, now, sizeof now), before[row], "row %d:\n%s\nbefore\n%s", row, now, before[row]);
}

Test(faults, f02_resized_too_narrow_on_every_screen)
{
    start((struct pty_options){0});
    static const char *const screens[][2] = {{"1", "[1 Map"},    {"2", "[2 Queue"},  {"3", "[3 Frames"}, {"4", "[4 Trend"}, {"5", "[5 Cover"},
                                             {"6", "[6 Ticket"}, {"7", "[7 Tune"}, {"1d", "Distribution"}, {"q?", "keys on"}};
    static const int sizes[][2] = {{1, 1}, {3, 2}, {60, 1}, {PRODUCT_ROWS, PRODUCT_COLUMNS}};
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
        type_and_expect(screens[i][0], screens[i][1]);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            size_t mark = pty_mark(product.pty);
            pty_resize(product.pty, sizes[s][0], sizes[s][1]);
            cr_assert(pty_expect_sent(product.pty, mark, "\033["), "screen %s is drawn at %d x %d", screens[i][1], sizes[s][0], sizes[s][1]);
        }
        cr_assert(pty_expect(product.pty, screens[i][1]));
        expect_the_same_when_drawn_anew();
    }
    pty_type(product.pty, "\x03");
    cr_assert_eq(pty_expect_end(product.pty), 0);
}

/* What lies below a text is not drawn at every key of who reads it. */
Test(faults, below_a_text_everything_stays_as_it_is)
{
    start((struct pty_options){0});
    type_and_expect("?", "keys on Map");
    pty_type(product.pty, "jjjkj");
    expect_the_same_when_drawn_anew();
    type_and_expect("y", "clipboard");
    pty_type(product.pty, "jj");
    expect_the_same_when_drawn_anew();
    size_t mark = pty_mark(product.pty);
    pty_resize(product.pty, PRODUCT_ROWS + 4, PRODUCT_COLUMNS + 20);
    cr_assert(pty_expect_sent(product.pty, mark, "\033[2J"));
    pty_type(product.pty, "j");
    expect_the_same_when_drawn_anew();
    type_and_expect("\033", "[1 Map]");
    cr_assert(pty_expect_row(product.pty, PRODUCT_ROWS + 3, "? help"));
    expect_the_same_when_drawn_anew();
    /* Below the next text lies what is there by then. */
    pty_resize(product.pty, 45, 200);
    type_and_expect("?", "keys on Map");
    type_and_expect("j\033", "[1 Map]");
    type_and_expect("2", "[2 Queue");
    type_and_expect("?", "keys on Queue");
    pty_type(product.pty, "j");
    cr_assert(pty_expect_row(product.pty, 0, "[2 Queue"));
}

Test(faults, f03_a_storm_of_sizes)
{
    start((struct pty_options){0});
    for (int i = 0; i < 200; i++)
        pty_resize(product.pty, 1 + i * 7 % 60, 1 + i * 13 % 200);
    pty_resize(product.pty, 25, 90);
    cr_assert(pty_expect_row(product.pty, 24, "? help"));
    cr_assert(pty_expect_row(product.pty, 0, "[1 Map]"));
    expect_the_same_when_drawn_anew();
}

Test(faults, f04_sizes_in_the_environment)
{
    static const char *const more[] = {"LINES=10", "COLUMNS=33", NULL};
    start((struct pty_options){.more = more});
    cr_assert(pty_expect_row(product.pty, ROW_KEYS, "? help"));
    pty_resize(product.pty, 40, 120);
    cr_assert(pty_expect_row(product.pty, 39, "? help"));
}

/* ---- names from outside ---- */

#define HOSTILE_DEVICE "갤럭시 S23 \xe6\xa9\x9f\xe7\xa8\xae \xf0\x9f\x8e\xae"

static void import_hostile_names(void)
{
    char path[128];
    int status = -1;
    snprintf(path, sizeof path, "%s/hostile.csv", product.folder);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(file, "timestamp_ms,frame_time_ms,event_name,device_model,build_id,run_id,scene,quality_level\n");
    for (int i = 1; i <= 900; i++)
        fprintf(file, "%d.0,%d.0,%s,%s,1.8.0(421),hostile,%s,High\n", i * 17, i % 300 == 150 ? 90 : 16,
                i % 300 == 150 ? "\033]0;owned\a\xe2\x80\xaespawn" : "", HOSTILE_DEVICE,
                i < 450 ? "\033[31m전투_03" : "\xd7\xa7\xd7\xa8\xd7\x91\xcc\x81\xc2\x9b" "31m");
    fclose(file);
    char arguments[200];
    snprintf(arguments, sizeof arguments, "import '%s'", path);
    char *said = product_run(&product, arguments, &status);
    cr_assert_eq(status, 0, "%s", said);
    free(said);
}

static void start_with_hostile_names(void)
{
    start((struct pty_options){0});
    product_stop(&product); /* there is a store now */
    import_hostile_names();
    start((struct pty_options){0});
}

Test(faults, f05_wide_names_shift_nothing)
{
    start_with_hostile_names();
    cr_assert(pty_expect(product.pty, "갤럭시"));
    /* The frame of the pane below the map has its right edge in the last column of every row. */
    for (int row = 0; row < PRODUCT_ROWS; row++)
        if (pty_cell(product.pty, row, 0).chars[0] == 0x2502)
            cr_assert_eq(pty_cell(product.pty, row, PRODUCT_COLUMNS - 1).chars[0], 0x2502, "row %d", row);
    type_and_expect("2", "[2 Queue");
    for (int row = 0; row < PRODUCT_ROWS; row++)
        if (pty_cell(product.pty, row, 0).chars[0] == 0x2502)
            cr_assert_eq(pty_cell(product.pty, row, PRODUCT_COLUMNS - 1).chars[0], 0x2502, "row %d", row);
}

/* ---- colours ---- */

static bool has_background(int wanted)
{
    for (int row = 0; row < PRODUCT_ROWS; row++)
        for (int column = 0; column < PRODUCT_COLUMNS; column++)
            if (pty_background(product.pty, row, column) == wanted)
                return true;
    return false;
}

#define RAMP_HIGHEST 221
#define RAMP_LOWEST  19

Test(faults, f06_colours_do_not_wrap_after_many_screens)
{
    start((struct pty_options){0});
    pty_type(product.pty, "1234567");
    type_and_expect("1", "[1 Map");
    cr_assert(has_background(RAMP_HIGHEST) && has_background(RAMP_LOWEST));
}

Test(faults, f07_65536_pairs_are_not_a_negative_number)
{
    start((struct pty_options){.term = "xterm-256color"});
    cr_assert(has_background(RAMP_HIGHEST));
}

Test(faults, f08_few_pairs_are_enough)
{
    static const char *const types[] = {"xterm", "linux", "screen", "vt100"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        start((struct pty_options){.term = types[i]});
        cr_assert(pty_expect(product.pty, "█103"), "%s", types[i]);
        product_stop(&product);
    }
}

Test(faults, f09_terminals_of_no_use_are_refused_with_advice)
{
    static const char *const types[] = {"", "dumb", "no-such-terminal"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        product_start_with(&product, (struct pty_options){.term = types[i]}, NULL);
        int status = pty_expect_end(product.pty);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 2, "TERM=%s: %d", types[i], status);
        cr_assert(pty_sent(product.pty, 0, "TERM=xterm-256color"), "TERM=%s", types[i]);
        product_stop(&product);
    }
}

Test(faults, f10_after_fg_the_whole_screen_is_there)
{
    start((struct pty_options){.as_job = true});
    type_and_expect("5", "[5 Cover");
    type_and_expect("\x1a", "[stopped]");
    pty_resize(product.pty, 40, 120); /* a stopped job is told of no new size */
    type_and_expect("\r", "[5 Cover");
    cr_assert(pty_expect_row(product.pty, 39, "? help"));
    cr_assert(pty_is_alternate(product.pty));
}

Test(faults, f11_the_mouse_is_off_while_stopped)
{
    start((struct pty_options){.as_job = true});
    size_t mark = pty_mark(product.pty);
    type_and_expect("\x1a", "[stopped]");
    cr_assert(mouse_is_off(mark));
    mark = pty_mark(product.pty);
    type_and_expect("\r", "[1 Map");
    cr_assert(pty_sent(product.pty, mark, "\033[?1006;1000h"));
}

Test(faults, f12_ctrl_c_leaves_no_mouse_mode_behind)
{
    start((struct pty_options){0});
    size_t mark = pty_mark(product.pty);
    pty_type(product.pty, "\x03");
    cr_assert_eq(pty_expect_end(product.pty), 0);
    cr_assert(mouse_is_off(mark));
    cr_assert_not(pty_is_alternate(product.pty));
}

Test(faults, f13_a_lost_terminal_ends_it)
{
    start((struct pty_options){.ignores_hangup = true});
    pty_hang_up(product.pty);
    int status = pty_expect_end(product.pty);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 129, "%d", status);
}

/* A screen of 100 × 30 is 3000 cells; a key that moves the cursor changes a few, and the pane about what is under it. */
Test(faults, f14_a_key_sends_few_bytes_and_clears_nothing)
{
    enum { MOST_BYTES = 2500 };
    static const char *const screens[] = {"1 Map", "2 Queue", "3 Frames", "4 Trend", "5 Cover", "6 Ticket", "7 Tune"};
    start((struct pty_options){0});
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
        const char digit[] = {screens[i][0], '\0'};
        char tab[20];
        snprintf(tab, sizeof tab, "[%s", screens[i]);
        type_and_expect(digit, tab);
        for (size_t k = 0; k < 4; k++) {
            const char key[] = {"jjkk"[k], '\0'}, without_meaning[] = {"MPQT"[k], '\0'};
            char said[40];
            size_t mark = pty_mark(product.pty);
            pty_type(product.pty, key);
            /* What a key without meaning says tells that the one before was obeyed. */
            snprintf(said, sizeof said, "%s does nothing", without_meaning);
            type_and_expect(without_meaning, said);
            cr_assert_not(pty_sent(product.pty, mark, "\033[2J"), "screen %s, key %s", screens[i], key);
            cr_assert_leq(pty_mark(product.pty) - mark, MOST_BYTES, "screen %s, key %s: %zu bytes", screens[i], key,
                          pty_mark(product.pty) - mark);
        }
    }
}

Test(faults, f15_what_others_wrote_goes_with_ctrl_l)
{
    start((struct pty_options){0});
    pty_scribble(product.pty, "\033[5;1HBroadcast message from root: going down\033[1;1H");
    cr_assert(pty_shows(product.pty, "Broadcast message"));
    size_t mark = pty_mark(product.pty);
    pty_type(product.pty, "\x0c");
    cr_assert(pty_expect_sent(product.pty, mark, "[1 Map"));
    cr_assert_not(pty_shows(product.pty, "Broadcast message"));
}

Test(faults, f16_no_boxes_of_rubbish_where_the_locale_has_no_utf8)
{
    start((struct pty_options){.locale = "C"});
    for (int row = 0; row < PRODUCT_ROWS; row++)
        for (int column = 0; column < PRODUCT_COLUMNS; column++)
            cr_assert_lt(pty_cell(product.pty, row, column).chars[0], 0x80, "row %d, column %d", row, column);
    product_stop(&product);
    start((struct pty_options){.locale = "xx_XX.UTF-8"}); /* not installed */
    cr_assert(pty_expect(product.pty, "█103"));
}

Test(faults, f17_lines_are_lines)
{
    start((struct pty_options){0});
    cr_assert(pty_expect(product.pty, "┌─"));
    cr_assert_not(pty_shows(product.pty, "qqqq"));
}

Test(faults, f18_colours_in_tmux_and_screen)
{
    static const char *const types[] = {"tmux-256color", "screen-256color"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        start((struct pty_options){.term = types[i]});
        cr_assert(has_background(RAMP_HIGHEST), "%s", types[i]);
        product_stop(&product);
    }
}

Test(faults, f19_the_mouse_beyond_column_223)
{
    start((struct pty_options){.rows = 40, .columns = 300});
    char text[4096];
    int row = 0;
    while (row < 40 && !strstr(pty_row(product.pty, row, text, sizeof text), "Galaxy A54"))
        row++;
    cr_assert_lt(row, 40);
    pty_click(product.pty, row, 299); /* does nothing, and is no key */
    pty_click(product.pty, row, 12);
    cr_assert(pty_expect(product.pty, "Galaxy A54 × "));
}

Test(faults, f20_escape_takes_no_second)
{
    struct timespec before, after;
    start((struct pty_options){0});
    type_and_expect("5", "[5 Cover");
    clock_gettime(CLOCK_MONOTONIC, &before);
    type_and_expect("\033", "[1 Map");
    clock_gettime(CLOCK_MONOTONIC, &after);
    if (getenv("PTY_TIMEOUT_SCALE") == NULL)
        cr_assert_lt((after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000, 900);
}

Test(faults, f21_pasted_text_decides_nothing)
{
    start((struct pty_options){0});
    pty_paste(product.pty, "IDWqq\x03\r");
    cr_assert(pty_expect_row(product.pty, ROW_STATUS, "pasted text is no command"));
    cr_assert(pty_expect_row(product.pty, ROW_ANSWER, "5 TO DECIDE"));
}

Test(faults, f22_names_carry_nothing_to_the_terminal)
{
    static const char *const evil[] = {"\033]0;", "\033[31m\xec\xa0\x84", "\xe2\x80\xae", "\xc2\x9b"};
    start_with_hostile_names();
    type_and_expect("2", "[2 Queue");
    type_and_expect("5", "[5 Cover");
    type_and_expect("1", "[1 Map");
    type_and_expect("G", "갤럭시");
    type_and_expect("3", "[3 Frames");
    cr_assert(pty_expect(product.pty, "[31m전투_03") && pty_expect(product.pty, "]0;owned"));
    type_and_expect("2", "[2 Queue");
    type_and_expect("z/owned\rt", "[6 Ticket");
    cr_assert(pty_expect_row(product.pty, 1, "]0;owned"));
    type_and_expect("4", "[4 Trend");
    cr_assert(pty_expect_row(product.pty, 1, "[31m전투_03"));
    for (size_t i = 0; i < sizeof evil / sizeof *evil; i++)
        cr_assert_not(pty_sent(product.pty, 0, evil[i]), "sequence %zu", i);
}

Test(faults, f23_a_piped_standard_input_is_no_keyboard)
{
    char path[64] = "/tmp/stutterscope-piped-XXXXXX";
    int file = mkstemp(path);
    cr_assert(file >= 0 && write(file, "IDWq\n", 5) == 5);
    close(file);
    start((struct pty_options){.stdin_file = path});
    unlink(path);
    type_and_expect("5", "[5 Cover");
    type_and_expect("1", "5 TO DECIDE");
    pty_type(product.pty, "q");
    cr_assert_eq(pty_expect_end(product.pty), 0);
    int status = -1;
    char *log = product_run(&product, "triage --log --csv", &status);
    cr_assert_eq(status, 0, "%s", log);
    cr_assert_null(strstr(log, "state"), "something was decided: %s", log);
    free(log);
}

/* The figure and its glyph say it, too: without any colour the same text is there. */
Test(faults, f24_colour_is_never_alone)
{
    static const char *const more[] = {"NO_COLOR=1", NULL};
    start((struct pty_options){.more = more});
    cr_assert(pty_expect(product.pty, "█103"));
    cr_assert(pty_expect(product.pty, "░ 60"));
    for (int row = 0; row < PRODUCT_ROWS; row++)
        for (int column = 0; column < PRODUCT_COLUMNS; column++)
            cr_assert_eq(pty_background(product.pty, row, column), -1);
}

Test(faults, f25_a_large_view_reaches_the_clipboard_whole_or_not_at_all)
{
    char text[4096];
    start((struct pty_options){.rows = 200, .columns = 500});
    size_t mark = pty_mark(product.pty);
    type_and_expect("y", "are too many for a terminal's clipboard");
    cr_assert_gt(strtoul(pty_row(product.pty, 198, text, sizeof text), NULL, 10), 74994, "what fits is sent");
    cr_assert_not(pty_sent(product.pty, mark, "\033]52"));
    pty_resize(product.pty, 60, 200);
    cr_assert(pty_expect_row(product.pty, 59, "? help"));
    mark = pty_mark(product.pty);
    type_and_expect("y", "sent to the terminal's clipboard");
    unsigned long bytes = strtoul(pty_row(product.pty, 58, text, sizeof text), NULL, 10);
    cr_assert_gt(bytes, 0);
    cr_assert(pty_sent(product.pty, mark, "\033]52;c;WzEgTWFwXSAy")); /* "[1 Map] 2" */
    size_t sent = pty_sent_between(product.pty, mark, "\033]52;c;", "\a");
    cr_assert_eq(sent, (bytes + 2) / 3 * 4, "%zu characters for %lu bytes", sent, bytes);
}

Test(faults, a_crash_gives_the_terminal_back_and_says_what_to_report)
{
    start((struct pty_options){0});
    size_t mark = pty_mark(product.pty);
    pty_signal(product.pty, SIGSEGV);
    int status = pty_expect_end(product.pty);
    cr_assert(WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV : WEXITSTATUS(status) != 0, "%d", status);
    cr_assert(mouse_is_off(mark));
    cr_assert_not(pty_is_alternate(product.pty));
    cr_assert(pty_shows(product.pty, "stutterscope crashed"));
    cr_assert(pty_sent(product.pty, mark, "Please report"));
    cr_assert(pty_sent(product.pty, mark, "TERM=xterm-256color, signal 11"));
}
