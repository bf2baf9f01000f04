#include "stutterscope/view/menu.h"
#include "stutterscope/view/pager.h"
#include "stutterscope/view/prompt.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct owner {
    char accepted[200], changed[200];
    int chosen, cancelled;
};

static void accept(void *state, const char *text, struct screen_reply *reply)
{
    snprintf(((struct owner *)state)->accepted, 200, "%s", text);
    reply_say(reply, "accepted");
}

static void change(void *state, const char *text, struct screen_reply *reply)
{
    (void)reply;
    snprintf(((struct owner *)state)->changed, 200, "%s", text);
}

static void cancel(void *state, struct screen_reply *reply)
{
    (void)reply;
    ((struct owner *)state)->cancelled++;
}

static bool complete(void *owner, const char *text, size_t index, char *buffer, size_t size)
{
    (void)owner;
    static const char *const words[] = {"state:", "stats"};
    for (size_t i = 0; i < 2; i++)
        if (strncmp(words[i], text, strlen(text)) == 0 && index-- == 0) {
            snprintf(buffer, size, "%s", words[i]);
            return true;
        }
    return false;
}

static struct screen_reply send(struct screen *screen, enum action action, const char *text)
{
    struct screen_reply reply = {0};
    struct screen_event event = {.action = action, .argument = 1, .text = text, .area = {0, 0, 12, 40}};
    cr_assert(screen->type->act(screen->state, &event, &reply));
    return reply;
}

static void type(struct screen *screen, const char *text)
{
    for (char one[2] = {*text, 0}; *text; one[0] = *++text)
        send(screen, ACTION_TYPE, one);
}

Test(prompt, is_edited_and_accepted)
{
    struct owner owner = {0};
    struct screen *prompt = prompt_open(
        &(struct prompt_options){.label = "filter", .owner = &owner, .accept = accept, .change = change});
    type(prompt, "boss spawn");
    send(prompt, ACTION_ERASE_WORD, NULL);
    cr_assert_str_eq(owner.changed, "boss ");
    send(prompt, ACTION_TYPE, "設備");
    send(prompt, ACTION_LEFT, NULL);
    send(prompt, ACTION_ERASE, NULL); /* the first of the two wide characters */
    cr_assert_str_eq(owner.changed, "boss 備");
    send(prompt, ACTION_FIRST, NULL);
    send(prompt, ACTION_ERASE_NEXT, NULL);
    send(prompt, ACTION_TYPE, "a\nb\x1b"); /* pasted: stays one line and harmless */
    cr_assert_str_eq(owner.changed, "a b\xef\xbf\xbdoss 備");
    struct screen_reply reply = send(prompt, ACTION_ENTER, NULL);
    cr_assert(reply.close);
    cr_assert_str_eq(reply.message, "accepted");
    cr_assert_str_eq(owner.accepted, owner.changed);
    screen_destroy(prompt);
}

Test(prompt, escape_and_erasing_nothing_cancel)
{
    struct owner owner = {0};
    struct screen *prompt = prompt_open(&(struct prompt_options){
        .label = "find", .text = "x", .owner = &owner, .accept = accept, .cancel = cancel});
    cr_assert_not(send(prompt, ACTION_ERASE, NULL).close);
    cr_assert(send(prompt, ACTION_ERASE, NULL).close);
    cr_assert(send(prompt, ACTION_BACK, NULL).close);
    cr_assert_eq(owner.cancelled, 2);
    cr_assert_str_eq(owner.accepted, "");
    screen_destroy(prompt);
}

Test(prompt, history_and_completion)
{
    struct owner owner = {0};
    const char *const history[] = {"newest", "older", NULL};
    struct screen *prompt = prompt_open(&(struct prompt_options){.label = "x",
                                                                 .owner = &owner,
                                                                 .accept = accept,
                                                                 .change = change,
                                                                 .complete = complete,
                                                                 .history = history});
    type(prompt, "st");
    send(prompt, ACTION_UP, NULL);
    cr_assert_str_eq(owner.changed, "newest");
    send(prompt, ACTION_UP, NULL);
    send(prompt, ACTION_UP, NULL);
    cr_assert_str_eq(owner.changed, "older");
    send(prompt, ACTION_DOWN, NULL);
    send(prompt, ACTION_DOWN, NULL);
    cr_assert_str_eq(owner.changed, "st");
    static const char *const want[] = {"state:", "stats", "st", "state:"};
    for (int i = 0; i < 4; i++) {
        send(prompt, ACTION_COMPLETE, NULL);
        cr_assert_str_eq(owner.changed, want[i], "Tab %d gave %s", i + 1, owner.changed);
    }
    screen_destroy(prompt);
}

Test(prompt, a_question_needs_a_y)
{
    struct owner owner = {0};
    struct screen *prompt = prompt_open_question("save?", &owner, accept);
    cr_assert(send(prompt, ACTION_ENTER, NULL).close);
    cr_assert_str_eq(owner.accepted, "");
    cr_assert(send(prompt, ACTION_TYPE, "y").close);
    cr_assert_str_eq(owner.accepted, "y");
    screen_destroy(prompt);
}

Test(prompt, the_cursor_is_seen_in_a_long_line)
{
    struct owner owner = {0};
    struct screen *prompt =
        prompt_open(&(struct prompt_options){.label = "find", .owner = &owner, .accept = accept});
    type(prompt, "abcdefghijklmnopqrstuvwxyz");
    int row = 0, column = 0;
    for (int columns = 1; columns < 40; columns++) {
        struct canvas *canvas = canvas_create(12, columns, GLYPHS_FULL);
        prompt->type->draw(prompt->state, canvas, canvas_area(canvas));
        if (columns > 8)
            cr_assert(canvas_cursor(canvas, &row, &column) && row == 10 && column < columns, "%d", columns);
        if (columns == 20)
            cr_assert_str_eq(canvas_cell(canvas, 10, column - 1)->text, "z");
        canvas_destroy(canvas);
    }
    screen_destroy(prompt);
}

static void choose(void *state, int index, struct screen_reply *reply)
{
    (void)reply;
    ((struct owner *)state)->chosen = index + 1;
}

Test(menu, chooses_with_enter_digit_click_and_its_own_key)
{
    struct owner owner = {0};
    const char *const items[] = {"severity", "peak", "P99", NULL};
    struct screen *menu = menu_open(&(struct menu_options){.title = "metric",
                                                           .items = items,
                                                           .owner = &owner,
                                                           .choose = choose,
                                                           .again = ACTION_WHAT,
                                                           .selected = 1});
    cr_assert(send(menu, ACTION_WHAT, NULL).close);
    cr_assert_eq(owner.chosen, 2);
    send(menu, ACTION_DOWN, NULL);
    cr_assert(send(menu, ACTION_ENTER, NULL).close);
    cr_assert_eq(owner.chosen, 3);
    struct screen_reply reply = {0};
    struct screen_event event = {.action = ACTION_GO, .argument = 1, .area = {0, 0, 12, 40}};
    cr_assert(menu->type->act(menu->state, &event, &reply) && reply.close);
    cr_assert_eq(owner.chosen, 1);
    cr_assert(send(menu, ACTION_BACK, NULL).close);
    screen_destroy(menu);
}

/* By a part of the words or of the note beside them; the list may be far longer than the screen. */
Test(menu, finds)
{
    struct owner owner = {0};
    const char *const items[] = {"1.8.0(421)", "1.8.0(420)", "1.7.9(418)", "1.7.9(417)", NULL}, *const notes[] = {NULL, "marked bad", NULL, NULL, NULL};
    struct screen *menu = menu_open(&(struct menu_options){.title = "build", .items = items, .notes = notes, .owner = &owner, .choose = choose});
    struct screen_reply reply = {0};
    struct screen_event find = {.action = ACTION_FIND, .argument = 1, .area = {0, 0, 12, 40}};

    cr_assert(menu->type->act(menu->state, &find, &reply));
    cr_assert_not_null(reply.open);
    type(reply.open, "1.7.9");
    send(reply.open, ACTION_ENTER, NULL);
    screen_destroy(reply.open);
    cr_assert(send(menu, ACTION_ENTER, NULL).close);
    cr_assert_eq(owner.chosen, 3);
    send(menu, ACTION_FIND_NEXT, NULL);
    send(menu, ACTION_ENTER, NULL);
    cr_assert_eq(owner.chosen, 4);
    reply = (struct screen_reply){0};
    cr_assert(menu->type->act(menu->state, &find, &reply));
    type(reply.open, "BAD");
    send(reply.open, ACTION_ENTER, NULL);
    screen_destroy(reply.open);
    send(menu, ACTION_ENTER, NULL);
    cr_assert_eq(owner.chosen, 2);
    screen_destroy(menu);
}

Test(pager, scrolls_finds_and_fits)
{
    char text[4096] = "";
    for (int i = 1; i <= 50; i++)
        sprintf(text + strlen(text), "line %d%s\n", i, i == 33 ? " Needle" : "");
    struct pager pager = {0};
    pager_set(&pager, text);
    cr_assert_eq(pager.line_count, 50);
    struct screen_event find = {.action = ACTION_FIND_NEXT};
    struct screen_reply reply = {0};
    finder_set(&pager.finder, "needle");
    cr_assert(pager_find(&pager, &find, &reply));
    cr_assert_eq(pager.scroll.first, 32);
    cr_assert_str_eq(reply.message, "");
    finder_set(&pager.finder, "haystack");
    cr_assert(pager_find(&pager, &find, &reply));
    cr_assert_eq(pager.scroll.first, 32);
    cr_assert_str_eq(reply.message, "\"haystack\" is not in this text");
    struct screen_event event = {.action = ACTION_LAST};
    cr_assert(pager_act(&pager, &event, 10));
    cr_assert_eq(pager.scroll.first, 40);
    event.action = ACTION_PAGE_UP;
    cr_assert(pager_act(&pager, &event, 10));
    cr_assert_eq(pager.scroll.first, 30);
    pager_clear(&pager);

    struct screen *overlay = pager_open("help", text);
    for (int columns = 1; columns < 60; columns += 3)
        for (int rows = 1; rows < 15; rows += 2) {
            struct canvas *canvas = canvas_create(rows, columns, GLYPHS_FULL);
            overlay->type->draw(overlay->state, canvas, canvas_area(canvas));
            canvas_destroy(canvas);
        }
    screen_destroy(overlay);
}
