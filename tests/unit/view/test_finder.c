/* Finding: forwards, backwards, around both ends, from outside; nothing there, nothing asked for; what is marked. */
#include "stutterscope/base/memory.h"
#include "stutterscope/view/finder.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"alpha", NULL, "Beta", "gamma beta", "delta"};

struct owner {
    struct finder finder;
    int count, at, gone_to; /* gone_to: how often */
};

static struct scroll places(const void *user, int step)
{
    const struct owner *owner = user;
    int outside = step > 0 ? -1 : owner->count;

    return (struct scroll){.count = owner->count, .selected = owner->at == -2 ? outside : owner->at};
}

static bool has(const void *user, int place, const char *text)
{
    (void)user;
    return finder_contains(words[place], text);
}

static void go_to(void *user, int place, struct screen_reply *reply)
{
    struct owner *owner = user;

    (void)reply;
    owner->at = place;
    owner->gone_to++;
}

static const struct finder_way way = {"find word", "no word has ", ", look again", places, has, go_to};

static struct screen_reply act(struct owner *owner, enum action action)
{
    struct screen_reply reply = {0};

    cr_assert(finder_act(&owner->finder, &way, owner, &(struct screen_event){.action = action}, &reply));
    return reply;
}

/* Through the prompt, as a person does. */
static struct screen_reply ask(struct owner *owner, const char *text)
{
    struct screen_reply asked = act(owner, ACTION_FIND), reply = {0};

    cr_assert_not_null(asked.open);
    if (*text)
        cr_assert(asked.open->type->act(asked.open->state, &(struct screen_event){.action = ACTION_TYPE, .text = text}, &reply));
    cr_assert(asked.open->type->act(asked.open->state, &(struct screen_event){.action = ACTION_ENTER}, &reply));
    cr_assert(reply.close);
    screen_destroy(asked.open);
    return reply;
}

Test(finder, goes_to_the_next_in_both_directions_and_around_the_ends)
{
    struct owner owner = {.count = 5};

    cr_assert_str_eq(ask(&owner, "BETA").message, "");
    cr_assert_eq(owner.at, 2);
    act(&owner, ACTION_FIND_NEXT);
    cr_assert_eq(owner.at, 3);
    act(&owner, ACTION_FIND_NEXT);
    cr_assert_eq(owner.at, 2, "around the end, from 3: %d", owner.at);
    act(&owner, ACTION_FIND_PREVIOUS);
    cr_assert_eq(owner.at, 3, "around the begin, from 2: %d", owner.at);
    ask(&owner, "delta");
    act(&owner, ACTION_FIND_NEXT); /* the only one is found again */
    cr_assert_eq(owner.at, 4);
    cr_assert_eq(owner.gone_to, 6);
    finder_set(&owner.finder, NULL);
}

Test(finder, begins_outside_where_nothing_is_selected)
{
    struct owner owner = {.count = 5, .at = -2};

    ask(&owner, "alpha");
    cr_assert_eq(owner.at, 0);
    owner.at = -2;
    finder_set(&owner.finder, "delta");
    act(&owner, ACTION_FIND_PREVIOUS);
    cr_assert_eq(owner.at, 4);
    finder_set(&owner.finder, NULL);
}

Test(finder, says_what_is_not_there_and_that_nothing_was_asked_for)
{
    struct owner owner = {.count = 5, .at = 1};
    struct screen_reply reply = {0};

    cr_assert_str_eq(act(&owner, ACTION_FIND_NEXT).message, "nothing was looked for yet: / finds");
    cr_assert_str_eq(ask(&owner, "omega").message, "no word has \"omega\", look again");
    cr_assert_eq(owner.at, 1);
    cr_assert_str_eq(ask(&owner, "").message, "", "an empty text looks for nothing");
    cr_assert_str_eq(owner.finder.text, "omega", "and forgets nothing");
    owner.count = 0;
    cr_assert_str_eq(act(&owner, ACTION_FIND_PREVIOUS).message, "no word has \"omega\", look again");
    cr_assert_eq(owner.gone_to, 0);
    cr_assert_not(finder_act(&owner.finder, &way, &owner, &(struct screen_event){.action = ACTION_FILTER}, &reply));
    finder_set(&owner.finder, NULL);
}

/* Hits are marked by columns, not bytes: a Korean syllable takes two, and three bytes. */
Test(finder, marks_every_hit_as_far_as_the_line_goes)
{
    struct finder finder = {0};
    struct canvas *canvas = canvas_create(1, 16, GLYPHS_FULL);
    const char *text = "설정 ab AB xyz ab";

    canvas_put(canvas, 0, 0, ROLE_CHROME, text);
    finder_mark(&finder, canvas, (struct area){0, 0, 1, 16}, text);
    for (int column = 0; column < 16; column++)
        cr_assert_neq(STYLE_ROLE(canvas_cell(canvas, 0, column)->style), ROLE_MATCH, "%d", column);
    finder_set(&finder, "ab");
    finder_mark(&finder, canvas, (struct area){0, 0, 1, 16}, text);
    for (int column = 0; column < 16; column++)
        cr_assert_eq(STYLE_ROLE(canvas_cell(canvas, 0, column)->style) == ROLE_MATCH,
                     column == 5 || column == 6 || column == 8 || column == 9 || column == 15, "%d", column);
    finder_set(&finder, NULL);
    canvas_destroy(canvas);
}
