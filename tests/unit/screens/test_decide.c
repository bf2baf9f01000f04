/* The capitals: what they write, what they say, and how it is taken back; on every screen the same. */
#include "golden.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/model/findings.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void use_name(void)
{
    setenv("STUTTERSCOPE_USER", "minji", 1);
}
TestSuite(decide, .init = use_name);

static void says(struct desk *desk, const char *text)
{
    cr_assert(strstr(desk->message, text), "\"%s\" is not in \"%s\"", text, desk->message);
}

static void shows(struct desk *desk, const char *text)
{
    desk_draw(desk);
    char *all = desk_text(desk);
    cr_assert(strstr(all, text), "\"%s\" is not in\n%s", text, all);
    free(all);
}

static size_t to_decide(struct desk *desk)
{
    struct findings *findings;
    struct error error = {0};
    cr_assert(session_findings(desk->session, &findings, &error), "%s", error.text);
    size_t count = findings->to_decide;
    findings_destroy(findings);
    return count;
}

Test(decide, a_line_of_the_queue_with_all_its_members)
{
    struct desk *desk = desk_open_own(&queue_screen, 100, 30);
    shows(desk, "5 TO DECIDE");
    desk_press(desk, "I");
    says(desk, "investigating");
    says(desk, "boss_spawn · Battle_03 · for 3");
    says(desk, "u takes it back");
    shows(desk, "4 TO DECIDE");
    shows(desk, "DECIDED 1");
    desk_press(desk, "u");
    says(desk, "taken back: investigating · boss_spawn");
    shows(desk, "5 TO DECIDE");
    desk_press(desk, "Ctrl-R");
    says(desk, "decided again: investigating");
    shows(desk, "4 TO DECIDE");
    cr_assert_eq(to_decide(desk), 4);
    desk_close(desk);
}

/* The screen names owner and ticket of before; whatever a decision does to them must reach it (seen with a sanitizer). */
Test(decide, what_is_so_already_leaves_the_screen_whole)
{
    struct desk *desk = desk_open_own(&queue_screen, 100, 30);
    desk_press(desk, "F MG-1211 Enter");
    desk_press(desk, "z g j j j j j j / boss_spawn Enter");
    shows(desk, "MG-1211");
    desk_press(desk, "F Enter");
    says(desk, "it is so already");
    shows(desk, "MG-1211");
    desk_press(desk, "z z");
    shows(desk, "4 TO DECIDE");
    desk_close(desk);
}

/* Two desks on one store: the second one's screen learns of it although it changes nothing. */
Test(decide, what_somebody_else_decided_just_now_is_seen)
{
    struct desk *desk = desk_open_own(&queue_screen, 100, 30);
    struct desk *other = desk_open_store(desk->own, &queue_screen, 100, 30, GLYPHS_FULL);
    desk_press(other, "I");
    says(other, "investigating · boss_spawn · Battle_03 · for 3");
    shows(desk, "5 TO DECIDE");
    desk_press(desk, "I");
    says(desk, "it is so already");
    shows(desk, "4 TO DECIDE");
    desk_close(other);
    desk_close(desk);
}

Test(decide, where_a_word_is_needed_one_line_is_asked)
{
    struct desk *desk = desk_open_own(&queue_screen, 100, 30);
    desk_press(desk, "F");
    shows(desk, "ticket number or link");
    shows(desk, "for 3");
    cr_assert_eq(to_decide(desk), 5, "nothing is written yet");
    desk_press(desk, "Esc");
    cr_assert_eq(to_decide(desk), 5);
    desk_press(desk, "F MG-1211 Enter");
    says(desk, "filed MG-1211 · boss_spawn");
    cr_assert_eq(to_decide(desk), 4);

    /* the next line is at the cursor; a word with a number is a ticket, other words are a note */
    desk_press(desk, "O MG-7 Enter");
    says(desk, "known MG-7 · gacha_reveal");
    desk_press(desk, "X hub Enter");
    says(desk, "noise note hub · drift · Raid_02");
    desk_press(desk, "E");
    says(desk, "environment · silent · Pixel 6a");
    cr_assert_eq(to_decide(desk), 1);
    desk_press(desk, "A");
    shows(desk, "assign to");
    desk_press(desk, "Ctrl-U minho Enter");
    says(desk, "owner minho · partial");
    cr_assert_eq(to_decide(desk), 1, "an owner decides nothing");
    desk_close(desk);
}

Test(decide, map_and_frames_write_the_same)
{
    struct desk *desk = desk_open_own(&map_screen, 120, 40);
    shows(desk, "5 TO DECIDE");
    desk_press(desk, "F MG-1211 Enter");
    says(desk, "filed MG-1211 · boss_spawn · Battle_03 · for 3");
    shows(desk, "4 TO DECIDE");
    shows(desk, "103#");
    desk_show(desk, &frames_screen);
    desk_press(desk, "C looks Enter");
    says(desk, "note looks");
    desk_press(desk, "u u");
    says(desk, "taken back: filed MG-1211");
    desk_show(desk, &map_screen);
    shows(desk, "5 TO DECIDE");
    shows(desk, "103*");
    desk_close(desk);
}

Test(decide, cover_decides_on_devices)
{
    struct desk *desk = desk_open_own(&cover_screen, 120, 40);
    desk_press(desk, "g W");
    says(desk, "nothing here to decide on");
    desk_press(desk, "Tab E");
    says(desk, "environment · silent · Pixel 6a");
    cr_assert_eq(to_decide(desk), 4);
    desk_close(desk);
}

/* portal_open of the build before is gone in the newest one, in which it occurred 5 times. */
Test(decide, what_was_filed_and_is_gone_is_to_verify)
{
    struct desk *desk = desk_open_own(&queue_screen, 100, 30);
    desk_press(desk, "[ z / portal_open Enter F MG-1171 Enter");
    says(desk, "filed MG-1171 · portal_open");
    desk_press(desk, "z ]");
    shows(desk, "1 to verify");
    shows(desk, "TO VERIFY 1");
    shows(desk, "MG-1171");
    desk_press(desk, "g Shift-Tab");
    desk_press(desk, "V");
    shows(desk, "event seen 5 times");
    shows(desk, "GONE");
    desk_press(desk, "Esc D");
    says(desk, "done · portal_open");
    desk_draw(desk);
    cr_assert_lt(desk_find(desk, "TO VERIFY", NULL), 0, "it is verified");
    desk_close(desk);
}

/* gacha_bonus was hit 3 of 3 times in the build before; nobody opened it in the newest one. */
Test(decide, the_9th_moment_what_was_not_exercised_is_not_enough)
{
    struct desk *desk = desk_open_own(&queue_screen, 100, 30);
    desk_press(desk, "[ z / gacha_bonus Enter D z ]");
    shows(desk, "TO VERIFY 1");
    desk_press(desk, "g Shift-Tab");
    desk_press(desk, "V");
    shows(desk, "NOT ENOUGH");
    desk_close(desk);
}

/* shop_open, 3 of 3 before, hits the one run of the newest build, too. */
Test(decide, the_9th_moment_what_is_done_and_hits_is_still_there)
{
    struct desk *desk = desk_open_own(&queue_screen, 100, 30);
    desk_press(desk, "[ z / shop_open Enter D z ]");
    shows(desk, "TO VERIFY 1");
    desk_press(desk, "g Shift-Tab");
    desk_press(desk, "V");
    shows(desk, "STILL THERE");
    desk_close(desk);
}

/* Behind the five to decide; portal_open is on the Galaxy S23 Ultra in Field_05. */
Test(decide, the_9th_moment_tab_on_the_map_goes_on_to_what_is_to_verify)
{
    struct desk *desk = desk_open_own(&queue_screen, 100, 30);
    desk_press(desk, "[ z / portal_open Enter F MG-1171 Enter");
    desk_press(desk, "z ]");
    desk_show(desk, &map_screen);
    desk_press(desk, "Shift-Tab");
    for (int i = 0; i < 6 && !strstr(desk->message, "to verify"); i++)
        desk_press(desk, "Tab");
    says(desk, "1 of 1 to verify: V compares");
    desk_press(desk, "V");
    shows(desk, "MG-1171 with 1.8.0(421)");
    shows(desk, "event seen 5 times");
    shows(desk, "GONE");
    desk_close(desk);
}

/* The same from Frames: it goes to the frames of the place, and from there on to what is to decide. */
Test(decide, tab_on_frames_goes_on_to_what_is_to_verify)
{
    struct desk *desk = desk_open_own(&queue_screen, 100, 30);
    desk_press(desk, "[ z / portal_open Enter F MG-1171 Enter");
    desk_press(desk, "z ] g");
    desk_show(desk, &frames_screen);
    for (int i = 0; i < 6 && !strstr(desk->message, "to verify"); i++)
        desk_press(desk, "Tab");
    says(desk, "to verify: V compares");
    shows(desk, "Field_05");
    desk_press(desk, "V");
    shows(desk, "MG-1171 with 1.8.0(421)");
    shows(desk, "GONE");
    desk_press(desk, "Esc Tab");
    shows(desk, "boss_spawn");
    desk_press(desk, "Shift-Tab");
    says(desk, "to verify: V compares");
    desk_close(desk);
}

Test(decide, leaving_the_queue_tells_what_was_decided)
{
    struct desk *desk = desk_open_own(&queue_screen, 100, 30);
    desk_press(desk, "W q");
    shows(desk, "Summary for the chat");
    shows(desk, "wont-fix: boss_spawn");
    shows(desk, "4 to decide");
    desk_close(desk);
}

/* Without a keystroke too much: a queue nobody decided in closes at once. */
Test(decide, without_decisions_there_is_no_summary)
{
    struct desk *desk = desk_open_own(&queue_screen, 100, 30);
    desk_press(desk, "q");
    desk_draw(desk);
    cr_assert_lt(desk_find(desk, "Summary", NULL), 0);
    desk_close(desk);
}
