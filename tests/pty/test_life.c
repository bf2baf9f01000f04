/* Beginning, end and what lies between: terminals that do not work, signals, suspending, crashes, other
 * programs. */
#include "start.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

TestSuite(life, .timeout = 60, .fini = stop);

static bool gave_everything_back(size_t mark)
{
    return !pty_is_alternate(pty) && pty_sent(pty, mark, "\033[?2004l") &&
           (pty_sent(pty, mark, "\033[?1006;1000l") || pty_sent(pty, mark, "\033[?1000l"));
}

Test(life, quitting_gives_the_terminal_back)
{
    start((struct pty_options){0});
    size_t mark = pty_mark(pty);
    pty_type(pty, "q");
    cr_assert_eq(pty_expect_end(pty), 0);
    cr_assert(gave_everything_back(mark));
    cr_assert(pty_sent(pty, mark, "\033[?25h") || pty_sent(pty, mark, "\033[?12l\033[?25h"));
}

Test(life, ctrl_c_leaves_unharmed)
{
    start((struct pty_options){0});
    size_t mark = pty_mark(pty);
    pty_type(pty, "\x03");
    cr_assert_eq(pty_expect_end(pty), 0);
    cr_assert(gave_everything_back(mark));
}

Test(life, terminals_that_cannot_work_are_refused_with_advice)
{
    static const char *const types[] = {"", "dumb", "no-such-terminal"};
    for (size_t i = 0; i < 3; i++) {
        start_with((struct pty_options){.term = types[i]}, NULL);
        int status = pty_expect_end(pty);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 2, "TERM=%s: %d", types[i], status);
        cr_assert(pty_shows(pty, "TERM=xterm-256color") || pty_shows(pty, "TERM=xterm-256col"), "TERM=%s",
                  types[i]);
        cr_assert_not(pty_is_alternate(pty));
        pty_stop(pty);
    }
    pty = NULL;
}

Test(life, keys_come_from_the_terminal_when_input_is_a_pipe)
{
    start((struct pty_options){.stdin_file = "/dev/null"});
    pty_type(pty, "jj");
    cr_assert(pty_expect(pty, "row 2 col 0 "));
    pty_type(pty, "q");
    cr_assert_eq(pty_expect_end(pty), 0);
}

Test(life, signals_end_it_and_give_the_terminal_back)
{
    static const int signals[] = {SIGTERM, SIGHUP};
    for (size_t i = 0; i < 2; i++) {
        start((struct pty_options){0});
        size_t mark = pty_mark(pty);
        pty_signal(pty, signals[i]);
        int status = pty_expect_end(pty);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 128 + signals[i], "%d", status);
        cr_assert(gave_everything_back(mark));
        pty_stop(pty);
    }
    pty = NULL;
}

Test(life, a_lost_terminal_ends_it)
{
    start((struct pty_options){0});
    pty_hang_up(pty);
    int status = pty_expect_end(pty);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 129, "%d", status);
}

Test(life, a_lost_terminal_ends_it_even_under_nohup)
{
    start((struct pty_options){.ignores_hangup = true});
    pty_signal(pty, SIGHUP);
    pty_type(pty, "jj");
    cr_assert(pty_expect(pty, "row 2 col 0 "));
    pty_hang_up(pty);
    int status = pty_expect_end(pty);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 129, "%d", status);
}

static void crash_with(const char *key, int signal)
{
    start((struct pty_options){0});
    size_t mark = pty_mark(pty);
    pty_type(pty, key);
    int status = pty_expect_end(pty);
    if (WIFSIGNALED(status)) /* sanitizers end the program in their own way */
        cr_assert_eq(WTERMSIG(status), signal, "%d", status);
    cr_assert(gave_everything_back(mark));
    cr_assert(pty_shows(pty, "stutterscope crashed"));
    cr_assert(pty_shows(pty, "TERM=xterm-256color"));
}

Test(life, an_abort_gives_the_terminal_back)
{
    crash_with("i", SIGABRT);
}

Test(life, a_segmentation_fault_gives_the_terminal_back)
{
    crash_with("d", SIGSEGV);
}

Test(life, ctrl_backslash_gets_out_of_anything)
{
    start((struct pty_options){0});
    size_t mark = pty_mark(pty);
    pty_type(pty, "\x1c");
    int status = pty_expect_end(pty);
    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGQUIT, "%d", status);
    cr_assert(gave_everything_back(mark));
    cr_assert_not(pty_shows(pty, "crashed"));
}

Test(life, suspends_and_goes_on)
{
    start((struct pty_options){.as_job = true});
    pty_type(pty, "j");
    cr_assert(pty_expect(pty, "row 1 col 0 "));
    size_t mark = pty_mark(pty);
    pty_type(pty, "\x1a");
    cr_assert(pty_expect(pty, "[stopped]"));
    cr_assert(gave_everything_back(mark));
    mark = pty_mark(pty);
    pty_type(pty, "\r");
    cr_assert(pty_expect(pty, "row 1 col 0 "));
    cr_assert(pty_is_alternate(pty));
    cr_assert(pty_sent(pty, mark, "\033[?1006;1000h") && pty_sent(pty, mark, "\033[?2004h"));
    pty_type(pty, "jj");
    cr_assert(pty_expect(pty, "row 3 col 0 "));
}

/* What the terminal draws itself is gone after a redraw and after other programs: it is sent again, the old one deleted. */
Test(life, pictures_come_back_after_a_redraw_and_after_a_stop)
{
    start((struct pty_options){.as_job = true});
    size_t mark = pty_mark(pty);
    pty_type(pty, "[");
    cr_assert(pty_expect_sent(pty, mark, "\033_Gdemo\033\\"));
    mark = pty_mark(pty);
    pty_type(pty, "\x0c");
    cr_assert(pty_expect_sent(pty, mark, "\033_Gdemo\033\\"));
    cr_assert(pty_sent(pty, mark, "\033_Ga=d\033\\"));
    mark = pty_mark(pty);
    pty_type(pty, "\x1a");
    cr_assert(pty_expect(pty, "[stopped]"));
    cr_assert(pty_sent(pty, mark, "\033_Ga=d\033\\"), "nothing is left on the shell's screen");
    mark = pty_mark(pty);
    pty_type(pty, "\r");
    cr_assert(pty_expect_sent(pty, mark, "\033_Gdemo\033\\"));
    mark = pty_mark(pty);
    pty_key(pty, VTERM_KEY_ESCAPE);
    cr_assert(pty_expect_sent(pty, mark, "\033_Ga=d\033\\"));
    cr_assert(pty_expect(pty, "row 0 col 0 "));
}

Test(life, is_right_after_a_new_size_while_it_was_stopped)
{
    start((struct pty_options){.as_job = true});
    pty_type(pty, "\x1a");
    cr_assert(pty_expect(pty, "[stopped]"));
    pty_resize(pty, 30, 100);
    pty_type(pty, "\r");
    cr_assert(pty_expect(pty, "size 30x100"));
}

Test(life, suspending_where_nobody_could_continue_it_does_not_freeze)
{
    start((struct pty_options){0});
    pty_type(pty, "\x1aj");
    cr_assert(pty_expect(pty, "row 1 col 0 "));
    cr_assert(pty_is_alternate(pty));
}

Test(life, other_programs_get_a_sane_terminal_and_leave_one)
{
    static const char *const more[] = {
        "DEMO_RUN=stty -a | grep -q ' icanon' && printf 'I am here: '; read x; exit 7", NULL};
    start((struct pty_options){.more = more});
    pty_type(pty, "v");
    cr_assert(pty_expect(pty, "I am here:"));
    cr_assert_not(pty_is_alternate(pty));
    pty_type(pty, "answer\r");
    cr_assert(pty_expect(pty, "last: program ended with 7"));
    cr_assert(pty_is_alternate(pty));
    pty_type(pty, "j");
    cr_assert(pty_expect(pty, "row 1 col 0 "));
}

Test(life, ctrl_c_in_another_program_is_for_that_program)
{
    static const char *const more[] = {"DEMO_RUN=printf 'waiting here'; read x", NULL};
    start((struct pty_options){.more = more});
    pty_type(pty, "v");
    cr_assert(pty_expect(pty, "waiting here"));
    pty_type(pty, "\x03");
    cr_assert(pty_expect(pty, "last: program ended with 130"));
}

Test(life, a_program_that_cannot_be_started_is_named)
{
    start((struct pty_options){0});
    pty_type(pty, "v");
    cr_assert(pty_expect_row(pty, 22, "/nonexistent/program could not be started: No such file"));
}

Test(life, text_goes_through_the_editor)
{
    static const char *const more[] = {"EDITOR=sed -i s/first/changed/", NULL};
    start((struct pty_options){.more = more});
    pty_type(pty, "t");
    cr_assert(pty_expect(pty, "last: edited changed line"));
    pty_stop(pty);
    static const char *const failing[] = {"VISUAL=false", NULL};
    start((struct pty_options){.more = failing});
    pty_type(pty, "t");
    cr_assert(pty_expect_row(pty, 22, "the editor (false) ended with status 1"));
    cr_assert(pty_expect(pty, "last: edited (failed)"));
}

Test(life, long_work_shows_its_progress_and_can_be_stopped)
{
    start((struct pty_options){0});
    pty_type(pty, "r");
    cr_assert(pty_expect_sent(pty, 0, "counting"));
    pty_type(pty, "\x03");
    cr_assert(pty_expect_row(pty, 22, "stopped; R does it again"));
    pty_type(pty, "Rj");
    cr_assert(pty_expect(pty, "row 1 col 0 "));
}

/* Where to begin is not known yet: the screen is there all the same, and both keys lead on. */
static void stop_finding(const char *key)
{
    start_with((struct pty_options){0}, "--find-first");
    cr_assert(pty_expect(pty, "NOT ANALYSED YET"));
    cr_assert(pty_expect_row(pty, 0, "[3 Frames]"));
    cr_assert(pty_expect_row(pty, 22, "Esc or Ctrl-C stops"));
    pty_type(pty, key);
    cr_assert(pty_expect(pty, "status of the demo"));
    cr_assert(pty_expect_row(pty, 0, "[1 Map]"));
}

Test(life, esc_stops_finding_where_to_begin)
{
    stop_finding("\033");
}

Test(life, ctrl_c_stops_finding_where_to_begin)
{
    stop_finding("\x03");
    pty_type(pty, "q");
    cr_assert_eq(pty_expect_end(pty), 0);
}

Test(life, a_lost_terminal_ends_finding_where_to_begin)
{
    start_with((struct pty_options){0}, "--find-first");
    cr_assert(pty_expect_row(pty, 22, "Esc or Ctrl-C stops"));
    pty_hang_up(pty);
    int status = pty_expect_end(pty);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 129, "%d", status);
}

Test(life, work_in_steps_leaves_the_keys_alive)
{
    start((struct pty_options){0});
    pty_type(pty, "z");
    pty_type(pty, "jj");
    cr_assert(pty_expect_sent(pty, 0, "working"));
    pty_type(pty, "\x03");
    cr_assert(pty_expect_row(pty, 22, "stopped; R does it again"));
    cr_assert(pty_expect(pty, "row 2 col 0 "));
    pty_type(pty, "q");
    cr_assert_eq(pty_expect_end(pty), 0);
}

Test(life, idle_is_one_wait_without_end)
{
    start((struct pty_options){0});
    cr_assert(pty_expect_idle(pty));
    pty_type(pty, "j");
    cr_assert(pty_expect(pty, "row 1 col 0 "));
    cr_assert(pty_expect_idle(pty));
}
