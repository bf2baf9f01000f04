/*
 * What must be seen at once, without a key: at the start, on Frames, after a decision, on Tune and afterwards, on the ticket
 * and on the distribution; in colour or not, in ASCII, on large and small terminals.
 *
 * In the sample the worst that is to decide is boss_spawn at Battle_03 on the Galaxy S23 Ultra: 92.4 ms where 16.7 are
 * allowed (5.5 times), CPU 76.2 against GPU 14.8, after boss_intro, new in this build, in 4 of 5 runs, on three devices;
 * five lines are to decide.
 */
#include "golden.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/model/edit.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(moments);

static const struct place {
    int columns, rows;
    enum glyph_set glyphs;
} places[] = {{80, 24, GLYPHS_FULL}, {100, 30, GLYPHS_FULL}, {200, 60, GLYPHS_FULL}, {80, 24, GLYPHS_ASCII}, {80, 24, GLYPHS_NARROW}};

#define PLACES (sizeof places / sizeof *places)

static void expect_row(struct desk *desk, int row, const char *text)
{
    char *all = desk_text(desk), *rest = all, *line = NULL;
    for (int i = 0; i <= row; i++)
        line = strsep(&rest, "\n");
    cr_expect(line && strstr(line, text), "row %d says \"%s\" and not \"%s\"", row, line ? line : "", text);
    free(all);
}

Test(moments, the_start_says_how_much_is_to_decide_and_what)
{
    for (size_t i = 0; i < PLACES; i++) {
        struct desk *desk = desk_open(&map_screen, places[i].columns, places[i].rows, places[i].glyphs);
        expect_row(desk, 2, "5 TO DECIDE");
        expect_row(desk, 2, "boss_spawn");
        desk_close(desk);
    }
    struct desk *desk = desk_open(&map_screen, 40, 12, GLYPHS_FULL);
    expect_row(desk, 2, "5 TO DECIDE");
    cr_expect_geq(desk_find(desk, "boss_spawn", NULL), 0);
    desk_close(desk);
}

Test(moments, frames_opens_with_the_answer)
{
    for (size_t i = 0; i < PLACES; i++) {
        struct desk *desk = desk_open(&frames_screen, places[i].columns, places[i].rows, places[i].glyphs);
        bool ascii = places[i].glyphs != GLYPHS_FULL;
        expect_row(desk, 2, "92.4 ms");
        expect_row(desk, 2, ascii ? "5.5 x budget" : "5.5 × budget");
        expect_row(desk, 2, "NEW");
        cr_expect_geq(desk_find(desk, "76.2", NULL), 0, "CPU");
        cr_expect_geq(desk_find(desk, "14.8", NULL), 0, "GPU");
        cr_expect_geq(desk_find(desk, "CPU-bound", NULL), 0);
        cr_expect_geq(desk_find(desk, "boss_spawn", NULL), 0);
        desk_close(desk);
    }
    struct desk *desk = desk_open(&frames_screen, 40, 12, GLYPHS_FULL);
    expect_row(desk, 2, "92.4 ms");
    expect_row(desk, 2, "5.5 × budget");
    cr_expect_geq(desk_find(desk, "CPU 76.2  GPU 14.8", NULL), 0);
    desk_close(desk);
    desk = desk_open(&frames_screen, 100, 30, GLYPHS_FULL);
    cr_expect_geq(desk_find(desk, "before: boss_intro", NULL), 0, "the event before it");
    desk_close(desk);
}

/* In the same repaint: what was written, for how many, and how to take it back. */
Test(moments, after_a_decision_it_is_said_what_for_how_many_and_u)
{
    static const struct screen_type *const types[] = {&frames_screen, &ticket_screen};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct desk *desk = desk_open_own(types[i], 80, 24);
        desk_press(desk, "I");
        expect_row(desk, 22, "investigating");
        expect_row(desk, 22, "boss_spawn");
        expect_row(desk, 22, "u takes it back");
        desk_press(desk, "u");
        expect_row(desk, 22, "taken back");
        desk_close(desk);
    }
}

Test(moments, the_ticket_says_whether_it_is_ready_and_what_is_in_it)
{
    for (size_t i = 0; i < PLACES; i++) {
        struct desk *desk = desk_open(&ticket_screen, places[i].columns, places[i].rows, places[i].glyphs);
        expect_row(desk, 2, "READY");
        expect_row(desk, 2, "no screenshot");
        cr_expect_geq(desk_find(desk, "92.4 ms hitch at boss", NULL), 0);
        desk_close(desk);
    }
}

Test(moments, tuning_says_that_no_ticket_is_lost_before_anything_is_saved)
{
    for (size_t i = 0; i < PLACES; i++) {
        struct desk *desk = desk_open(&tune_screen, places[i].columns, places[i].rows, places[i].glyphs);
        desk_press(desk, "l");
        expect_row(desk, 2, "tickets lost 0");
        expect_row(desk, 2, "FACTOR 2 ");
        desk_close(desk);
    }
}

Test(moments, tuned_stands_beside_the_build_on_every_screen)
{
    struct desk *desk = desk_open(&tune_screen, 100, 30, GLYPHS_FULL);
    desk_press(desk, "l");
    cr_assert(model_is_tuned(desk->session->model));
    for (int kind = 0; kind < SCREEN_COUNT; kind++) {
        struct chrome chrome = {.keymap = desk->keymap, .tuned = true};
        desk_show(desk, all_screens[kind]);
        chrome_draw(desk->canvas, &chrome, desk->stack[0]);
        char *text = canvas_dump_text(desk->canvas), *second = strchr(text, '\n');
        cr_expect(second && strcspn(second + 1, "\n") > (size_t)(strstr(second, "tuned") ? strstr(second, "tuned") - second : 1000),
                  "%s does not say that it is tuned: %.*s", all_screens[kind]->name, (int)strcspn(second + 1, "\n"), second + 1);
        free(text);
    }
    desk_close(desk);
}

Test(moments, the_distribution_holds_both_builds_against_each_other)
{
    for (size_t i = 0; i < PLACES; i++) {
        struct desk *desk = desk_open(&frames_screen, places[i].columns, places[i].rows, places[i].glyphs);
        desk_press(desk, "d");
        cr_expect_geq(desk_find(desk, "(421)", NULL), 0);
        cr_expect_geq(desk_find(desk, "(420)", NULL), 0);
        cr_expect_geq(desk_find(desk, "+60.8", NULL), 0, "by how much the greatest frame grew");
        desk_close(desk);
    }
}

/* What the loop does whatever the screen. */
static bool is_of_the_loop(enum action action)
{
    static const enum action own[] = {ACTION_GO,      ACTION_HELP,      ACTION_COMMAND, ACTION_REDRAW, ACTION_SUSPEND, ACTION_INTERRUPT,
                                      ACTION_BACK,    ACTION_CLOSE,     ACTION_RELOAD,  ACTION_COPY,   ACTION_WRITE,   ACTION_EDIT,
                                      ACTION_CAPS_LOCK};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i] == action)
            return true;
    return false;
}

/* Help and manual come from the table: what it names on a screen is done there. */
Test(moments, every_screen_does_what_its_help_says)
{
    for (int kind = 0; kind < SCREEN_MEMORY; kind++) { /* Memory has nothing to act on in the sample */
        struct desk *desk = desk_open_own(all_screens[kind], 100, 30);
        for (int action = ACTION_NONE + 1; action < ACTION_TABLE_COUNT; action++) {
            struct screen_event event = {.action = (enum action)action, .argument = 1, .area = chrome_body(desk->canvas)};
            struct screen_reply reply = {0};
            struct error error = {0};
            if (!action_is_on(event.action, (enum screen_kind)kind) || is_of_the_loop(event.action))
                continue;
            cr_expect(desk->stack[0]->type->act(desk->stack[0]->state, &event, &reply), "%s does not know \"%s\"", all_screens[kind]->name,
                      action_info(event.action)->name);
            if (reply.recompute || reply.changed)
                cr_assert(screen_recompute(desk->stack[0], NULL, &error), "%s", error.text);
            reply_clear(&reply);
        }
        desk_close(desk);
    }
}
