/*
 * Every action that the program lists, once: what it must do on the screen. An action without a case here, and a case
 * without an action, fail.
 */
#include "product.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The newest build of the sample: boss_spawn at Battle_03 is to decide first, on the Galaxy S23 Ultra; then gacha_reveal. */
struct action_case {
    const char *action;
    const char *way, *there; /* keys that lead there, and what tells that they did; "": nowhere */
    const char *keys;
    int row; /* where the text must be; ANYWHERE */
    const char *then;
    enum { SHOWN, NOT_SHOWN, SENT, ENDED } how; /* NOT_SHOWN: the text was there and must go */
};

#define ANYWHERE -1
#define FIRST    "Galaxy S23 Ultra × Battle_03"
#define EDITOR   "EDITOR=sh -c 'echo seen by the editor; read line' sh"

static const struct action_case cases[] = {
    {"screen", "", "", "5", ROW_TABS, "[5 Cover"},
    {"left", "l", "Galaxy S23 Ultra × Field_05", "h", ANYWHERE, FIRST},
    {"down", "", FIRST, "j", ANYWHERE, "Galaxy Z Flip5 × Battle_03"},
    {"up", "j", "Galaxy Z Flip5 × Battle_03", "k", ANYWHERE, FIRST},
    {"right", "", FIRST, "l", ANYWHERE, "Galaxy S23 Ultra × Field_05"},
    {"first", "G", "iPhone SE (3rd gen) × Battle_03", "g", ANYWHERE, FIRST},
    {"last", "", FIRST, "G", ANYWHERE, "iPhone SE (3rd gen) × Battle_03"},
    {"half-page-down", "6", "from line 1 of", "\x04", ROW_STATUS, "from line 1 of", NOT_SHOWN},
    {"half-page-up", "6\x04", "[6 Ticket", "\x15", ROW_STATUS, "from line 1 of"},
    {"page-down", "6", "from line 1 of", "\x06", ROW_STATUS, "from line 1 of", NOT_SHOWN},
    {"page-up", "6\x06", "[6 Ticket", "\x02", ROW_STATUS, "from line 1 of"},
    {"enter", "", "", "\r", ROW_TABS, "[3 Frames"},
    {"back", "5", "[5 Cover", "\033", ROW_TABS, "[1 Map"},
    {"close", "5", "[5 Cover", "q", ROW_TABS, "[1 Map"},
    {"interrupt", "", "", "\x03", ANYWHERE, "", ENDED},
    {"next-to-decide", "", FIRST, "\t", ANYWHERE, "Galaxy Z Flip5 × Gacha"},
    {"previous-to-decide", "\t", "Galaxy Z Flip5 × Gacha", "\033[Z", ANYWHERE, FIRST},
    {"previous-sibling", ".", "Galaxy Z Flip5 × Battle_01", ",", ANYWHERE, FIRST},
    {"next-sibling", "", FIRST, ".", ANYWHERE, "Galaxy Z Flip5 × Battle_01"},
    {"previous-run", "3}", "run 2 of 5", "{", ROW_WHERE, "run 1 of 5"},
    {"next-run", "3", "run 1 of 5", "}", ROW_WHERE, "run 2 of 5"},
    {"older-build", "", "vs 1.8.0(420)", "[", ROW_WHERE, "vs 1.7.9(418)"},
    {"newer-build", "[", "vs 1.7.9(418)", "]", ROW_WHERE, "vs 1.8.0(420)"},
    {"range-older", "4<", "first bad (421)", "<", ANYWHERE, "first bad (420)"},
    {"range-newer", "4<<", "first bad (420)", ">", ANYWHERE, "first bad (421)"},
    {"more", "", "", "+", ROW_STATUS, "Galaxy S23 Ultra weighed 1.5"},
    {"less", "", "", "-", ROW_STATUS, "Galaxy S23 Ultra weighed 1.3"},
    {"default", "+", "weighed 1.5", "=", ROW_STATUS, "has its own weight 1.4"},
    {"find", "", "", "/Gacha\r", ANYWHERE, "Galaxy S23 Ultra × Gacha"},
    {"find-next", "6/boss_spawn\r", "No hitch at boss_spawn", "n", 3, "No hitch at boss_spawn", NOT_SHOWN},
    {"find-previous", "6/boss_spawn\r", "No hitch at boss_spawn", "N", 3, "# [Stutter]"},
    {"filter", "", "", "fGacha\r", ROW_WHERE, "Gacha"},
    {"sort", "", "by tier", "sj\r", ROW_STATUS, "worst first"},
    {"what", "", "severity ·", "mj\r", ROW_WHERE, "peak ·"},
    {"quality", "", "worst quality", "v", ROW_WHERE, "severity · High"},
    {"wider", "2", "whole build", "a", ROW_WHERE, "this cell Galaxy S23 Ultra × Battle_03"},
    {"fold", "2", "SAME OR BETTER 3", "z", ANYWHERE, "wave_1"},
    {"compare", "", "", "c", ROW_WHERE, "Δ to 1.8.0(420)"},
    {"choose-baseline", "", "vs 1.8.0(420)", "bjj\r", ROW_WHERE, "vs 1.7.9(418)"},
    {"distribution", "", "", "d", ANYWHERE, "Distribution  " FIRST},
    {"why", "", "", "i", ANYWHERE, "severity = peak × occurrence × device weight"},
    {"runs", "", "", "r", ANYWHERE, "703 frames, 13 s, 0 rows rejected"},
    {"typical", "3", "worst typical", "x", ANYWHERE, "worst typical", NOT_SHOWN},
    {"open", "3", "run 1 of 5", "o", ROW_STATUS, "clipboard"}, /* nothing here could open a link */
    {"ticket", "", "", "t", ROW_TABS, "[6 Ticket"},
    {"mark", "2", "whole build", " ", ANYWHERE, "+*"},
    {"edit", "", "", "e", ANYWHERE, "seen by the editor"},
    {"write", "", "", "w\x15~/map.txt\r", ROW_STATUS, "/map.txt"},
    {"copy", "", "", "y", ROW_STATUS, "sent to the terminal's clipboard"},
    {"payload", "", "", "p", ANYWHERE, "\"schema\": \"stutterscope.heatmap/1\""},
    {"undo", "I", "4 TO DECIDE", "u", ROW_ANSWER, "5 TO DECIDE"},
    {"redo", "Iu", "taken back", "\x12", ROW_ANSWER, "4 TO DECIDE"},
    {"investigating", "", "5 TO DECIDE", "I", ROW_STATUS, "investigating · boss_spawn · Battle_03 · for 3 · u takes it back"},
    {"file", "", "5 TO DECIDE", "FMG-7\r", ROW_STATUS, "filed MG-7 · boss_spawn"},
    {"known", "", "5 TO DECIDE", "Oall know it\r", ROW_STATUS, "known note all know it · boss_spawn"},
    {"noise", "", "5 TO DECIDE", "Xvacuum\r", ROW_STATUS, "noise note vacuum · boss_spawn"},
    {"environment", "", "5 TO DECIDE", "E", ROW_STATUS, "environment · boss_spawn"},
    {"wont-fix", "", "5 TO DECIDE", "W", ROW_STATUS, "wont-fix · boss_spawn"},
    {"done", "", "5 TO DECIDE", "D", ROW_STATUS, "done · boss_spawn"},
    {"undecided", "I", "4 TO DECIDE", "U", ROW_ANSWER, "5 TO DECIDE"},
    {"assign", "", "", "A\x15kim\r", ROW_STATUS, "owner kim · boss_spawn"},
    {"comment", "", "", "Cseen twice\r", ROW_STATUS, "note seen twice · boss_spawn"},
    {"verify", "FMG-7\r", "4 TO DECIDE", "V", ROW_STATUS, "nothing to verify here: it was not filed or done before this build"},
    {"pin-baseline", "", "", "By", ROW_STATUS, "1.8.0(420) is the baseline for everybody now"},
    {"save", "7l", "2 → 2.1", "Sy", ROW_ANSWER, "AS IN THE STORE"},
    {"reload", "", "", "R", ROW_STATUS, "read again"},
    {"command", "", "", ":builds\r", ANYWHERE, "2025-11-26"},
    {"help", "", "", "?", ANYWHERE, "keys on Map"},
    {"redraw", "", "", "\x0c", ANYWHERE, "\033[H\033[2J", SENT},
    {"suspend", "", "", "\x1a", ANYWHERE, "[stopped]"},
    {"caps-lock", "", "", "J", ROW_STATUS, "Caps Lock"},
};

#define CASE_COUNT (sizeof cases / sizeof *cases)

static struct product product;

static void stop(void)
{
    product_stop(&product);
}

TestSuite(actions, .timeout = 60, .fini = stop);

static bool row_shows(int row, const char *text)
{
    char line[4096];
    return row == ANYWHERE ? pty_shows(product.pty, text)
                           : strstr(pty_row(product.pty, row, line, sizeof line), text) != NULL;
}

static const struct action_case *current;

static bool is_gone(const struct pty *pty)
{
    (void)pty;
    return !row_shows(current->row, current->then);
}

ParameterizedTestParameters(actions, does_what_it_says)
{
    static size_t numbers[CASE_COUNT];
    for (size_t i = 0; i < CASE_COUNT; i++)
        numbers[i] = i;
    return cr_make_param_array(size_t, numbers, CASE_COUNT);
}

ParameterizedTest(const size_t *number, actions, does_what_it_says)
{
    static const char *const more[] = {EDITOR, NULL};
    const struct action_case *test = current = &cases[*number];
    product_start(&product, (struct pty_options){.more = more, .as_job = true}, NULL);
    pty_type(product.pty, test->way);
    cr_assert(pty_expect(product.pty, test->there), "%s: on the way", test->action);
    if (test->how == SHOWN)
        cr_assert_not(row_shows(test->row, test->then), "%s: \"%s\" is there before", test->action, test->then);
    size_t mark = pty_mark(product.pty);
    pty_type(product.pty, test->keys);
    bool good = test->how == SENT        ? pty_expect_sent(product.pty, mark, test->then)
                : test->how == ENDED     ? pty_expect_end(product.pty) == 0
                : test->how == NOT_SHOWN ? pty_expect_where(product.pty, is_gone)
                : test->row == ANYWHERE  ? pty_expect(product.pty, test->then)
                                         : pty_expect_row(product.pty, test->row, test->then);
    cr_assert(good, "%s", test->action);
}

static bool has_case(const char *action)
{
    for (size_t i = 0; i < CASE_COUNT; i++)
        if (strcmp(cases[i].action, action) == 0)
            return true;
    return false;
}

Test(actions, all_of_the_table_are_tested)
{
    int status = -1;
    char *table = product_run(NULL, "--print-table actions", &status), *rest = table, *line;
    size_t listed = 0;
    cr_assert_eq(status, 0);
    while ((line = strsep(&rest, "\n")) != NULL) {
        char *name = strchr(line, '\t');
        if (!name)
            continue;
        name++;
        name[strcspn(name, "\t")] = '\0';
        cr_expect(has_case(name), "the action \"%s\" has no test", name);
        listed++;
    }
    cr_assert_eq(listed, CASE_COUNT, "%zu actions are listed, %zu tested", listed, CASE_COUNT);
    free(table);
}
