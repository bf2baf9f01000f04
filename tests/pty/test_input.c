/* What a person does: keys, mouse, paste, prompts, menus. */
#include "start.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

TestSuite(input, .timeout = 60, .fini = stop);

Test(input, letters_and_arrows_move)
{
    start((struct pty_options){0});
    pty_type(pty, "jjl");
    cr_assert(pty_expect(pty, "row 2 col 1 "));
    pty_key(pty, VTERM_KEY_UP);
    pty_key(pty, VTERM_KEY_RIGHT);
    cr_assert(pty_expect(pty, "row 1 col 2 "));
    pty_bytes(pty, "\033[B"); /* as some terminals send it in the wrong mode */
    cr_assert(pty_expect(pty, "row 2 col 2 "));
    pty_key(pty, VTERM_KEY_PAGEDOWN);
    cr_assert(pty_expect(pty, "last: page-down 1"));
    pty_key(pty, VTERM_KEY_HOME);
    cr_assert(pty_expect(pty, "last: first 1"));
}

Test(input, keys_without_meaning_say_so)
{
    start((struct pty_options){0});
    pty_type(pty, "M");
    cr_assert(pty_expect_row(pty, 22, "M does nothing, ? lists the keys"));
    pty_type(pty, "}"); /* a key of Frames only */
    cr_assert(pty_expect_row(pty, 22, "}: not here, ? lists the keys"));
    pty_type(pty, "J");
    cr_assert(pty_expect_row(pty, 22, "Caps Lock"));
    cr_assert(pty_expect(pty, "row 0 col 0 "));
    pty_type(pty, "j");
    cr_assert(pty_expect_row(pty, 22, "status of the demo"));
}

Test(input, function_keys_are_aliases)
{
    start((struct pty_options){0});
    pty_key(pty, VTERM_KEY_FUNCTION(1));
    cr_assert(pty_expect(pty, "keys on Map"));
    pty_key(pty, VTERM_KEY_ESCAPE);
    pty_key(pty, VTERM_KEY_FUNCTION(3));
    cr_assert(pty_expect_row(pty, 22, "find:"));
    pty_key(pty, VTERM_KEY_ESCAPE);
    cr_assert(pty_expect_row(pty, 22, "status of the demo"));
    pty_key(pty, VTERM_KEY_FUNCTION(10));
    cr_assert_eq(pty_expect_end(pty), 0);
}

Test(input, hangul_letters_move_but_do_not_decide)
{
    start((struct pty_options){0});
    pty_type(pty, "ㅓㅓㅣ");
    cr_assert(pty_expect(pty, "row 2 col 1 "));
    pty_type(pty, "ㅕ"); /* u: take back */
    cr_assert(pty_expect_row(pty, 22, "the input method is on: press u to decide"));
    pty_type(pty, "I");
    cr_assert(pty_expect_row(pty, 22, "boss_spawn is investigating now, for 3; u takes it back"));
}

Test(input, a_prompt_is_typed_into_and_left)
{
    start((struct pty_options){0});
    pty_type(pty, "/bossq");
    cr_assert(pty_expect_row(pty, 22, "find: bossq"));
    pty_key(pty, VTERM_KEY_BACKSPACE);
    pty_type(pty, "設備\r");
    cr_assert(pty_expect(pty, "last: found [boss設備]"));
    cr_assert(pty_expect_row(pty, 22, "looked for boss設備"));
    pty_type(pty, "/xyz");
    cr_assert(pty_expect_row(pty, 22, "find: xyz"));
    pty_key(pty, VTERM_KEY_ESCAPE);
    cr_assert(pty_expect_row(pty, 22, "status of the demo"));
}

/* A person notices more than a tenth of a second; curses' own default is a whole one. */
Test(input, escape_is_felt_at_once)
{
    struct timespec before, after;
    start((struct pty_options){0});
    pty_type(pty, "/x");
    cr_assert(pty_expect_row(pty, 22, "find: x"));
    clock_gettime(CLOCK_MONOTONIC, &before);
    pty_key(pty, VTERM_KEY_ESCAPE);
    cr_assert(pty_expect_row(pty, 22, "status of the demo"));
    clock_gettime(CLOCK_MONOTONIC, &after);
    if (getenv("PTY_TIMEOUT_SCALE") == NULL)
        cr_assert_lt((after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000, 700);
}

Test(input, pasted_text_is_never_run_as_keys)
{
    start((struct pty_options){0});
    cr_assert(pty_sent(pty, 0, "\033[?2004h"));
    pty_paste(pty, "qqIjj\x03\x1a\033[B");
    cr_assert(pty_expect_row(pty, 22, "pasted text is no command: nothing was done"));
    cr_assert(pty_expect(pty, "row 0 col 0 "));
    pty_type(pty, "/");
    pty_paste(pty, "two\rlines");
    cr_assert(pty_expect_row(pty, 22, "find: two lines"));
}

Test(input, the_mouse_clicks_and_scrolls)
{
    start((struct pty_options){.columns = 300});
    cr_assert(pty_sent(pty, 0, "\033[?1006;1000h"));
    pty_click(pty, 5, 260);
    cr_assert(pty_expect(pty, "last: click 1 at 5,260"));
    /* Two clicks are a double one when little time lies between them: nothing is waited for, then. */
    pty_click(pty, 6, 10);
    pty_click(pty, 6, 10);
    cr_assert(pty_expect(pty, "last: click 2 at 6,10"));
    pty_wheel(pty, 6, 10, false);
    cr_assert(pty_expect(pty, "row 3 col 0 "));
    pty_click(pty, 0, 22); /* the tab of Frames */
    cr_assert(pty_expect_row(pty, 0, "[3 Frames]"));
}

Test(input, no_mouse_when_it_is_not_wanted)
{
    start_with((struct pty_options){0}, "--no-mouse");
    cr_assert(pty_expect(pty, "status of the demo"));
    cr_assert_not(pty_sent(pty, 0, "1000h"));
}

Test(input, menus_choose)
{
    start((struct pty_options){0});
    pty_type(pty, "s");
    cr_assert(pty_expect(pty, "sort by"));
    pty_type(pty, "j\r");
    cr_assert(pty_expect(pty, "last: sorted by 1"));
    pty_type(pty, "ss");
    cr_assert(pty_expect(pty, "last: sorted by 0"));
    pty_type(pty, "s3");
    cr_assert(pty_expect(pty, "last: sorted by 2"));
}

Test(input, screens_are_a_stack)
{
    start((struct pty_options){0});
    pty_type(pty, "\r");
    cr_assert(pty_expect_row(pty, 0, "[3 Frames]"));
    pty_type(pty, "1");
    cr_assert(pty_expect_row(pty, 0, "[1 Map]"));
    pty_type(pty, "3");
    cr_assert(pty_expect_row(pty, 0, "[3 Frames]"));
    pty_key(pty, VTERM_KEY_BACKSPACE);
    cr_assert(pty_expect_row(pty, 0, "[1 Map]"));
    pty_key(pty, VTERM_KEY_ESCAPE);
    cr_assert(pty_expect_row(pty, 22, "this is the first screen; q quits"));
    pty_type(pty, "2");
    cr_assert(pty_expect_row(pty, 22, "there is no such screen"));
    pty_type(pty, "3q");
    cr_assert(pty_expect_row(pty, 0, "[1 Map]"));
    pty_type(pty, "q");
    cr_assert_eq(pty_expect_end(pty), 0);
}

Test(input, verbs_are_run_with_completion)
{
    start((struct pty_options){0});
    pty_type(pty, ":bu\t");
    cr_assert(pty_expect_row(pty, 22, "command: builds"));
    pty_type(pty, "\r");
    cr_assert(pty_expect(pty, "1.8.0(421)"));
    pty_type(pty, "q:nonsense\r");
    cr_assert(pty_expect_row(pty, 22, "\"nonsense\" is no command"));
}

Test(input, the_clipboard_gets_what_is_seen)
{
    start((struct pty_options){0});
    pty_type(pty, "y");
    cr_assert(pty_expect(pty, "bytes sent to the terminal's clipboard"));
    cr_assert(pty_sent(pty, 0, "\033]52;c;WzEgTWFwXS")); /* "[1 Map] ", encoded by hand */
}

Test(input, the_clipboard_through_tmux)
{
    static const char *const more[] = {"TMUX=/tmp/tmux,1,0", NULL};
    start((struct pty_options){.term = "tmux-256color", .more = more});
    pty_type(pty, "y");
    cr_assert(pty_expect(pty, "bytes sent to the terminal's clipboard"));
    cr_assert(pty_sent(pty, 0, "\033Ptmux;\033\033]52;c;"));
}

Test(input, a_terminal_without_clipboard_says_what_to_do)
{
    start((struct pty_options){.term = "vt100"});
    pty_type(pty, "y");
    cr_assert(pty_expect(pty, "this type of terminal has no clipboard; w writes a file"));
    cr_assert_not(pty_sent(pty, 0, "\033]52"));
}

Test(input, the_view_is_written_to_a_file)
{
    char folder[] = "/tmp/stutterscope-pty-XXXXXX", path[64], line[128], text[256] = "";
    start((struct pty_options){0});
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/view.txt", folder);
    snprintf(line, sizeof line, "w\x15%s\r", path);
    pty_type(pty, line);
    cr_assert(pty_expect_row(pty, 22, "written: "));
    pty_type(pty, line);
    cr_assert(pty_expect_row(pty, 22, "replace "));
    pty_type(pty, "n");
    cr_assert(pty_expect_row(pty, 22, "nothing was changed"));
    FILE *file = fopen(path, "r");
    cr_assert(file != NULL && fgets(text, sizeof text, file) != NULL);
    fclose(file);
    unlink(path);
    rmdir(folder);
    cr_assert(strncmp(text, "[1 Map]", 7) == 0, "%s", text);
}
