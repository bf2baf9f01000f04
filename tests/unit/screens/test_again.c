/*
 * A view is left and come back to by its key, in another session on the same store: the canvas is the same, sign by sign and
 * role by role. The names of the store are foreign and hostile, so that keys must carry them, too.
 */
#include "foreign.h"
#include "golden.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/view/place.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(again, .timeout = 120);

struct left {
    const struct screen_type *type;
    int columns, rows;
    const char *keys;  /* to the view */
    const char *shows; /* what it says then, so that the keys did something; NULL: not looked at */
};

static void draw_plainly(struct desk *desk, char **ret_text, char **ret_roles)
{
    desk->message[0] = '\0';
    *ret_text = desk_text(desk);
    *ret_roles = canvas_dump_roles(desk->canvas);
}

static void come_back_in(const char *store, const struct left *left, const char *overlay)
{
    struct desk *desk = desk_open_store(store, left->type, left->columns, left->rows, GLYPHS_FULL), *other;
    enum screen_kind kind = SCREEN_COUNT;
    struct error error = {0};
    char *text, *roles, *text_again, *roles_again, *key;

    desk_press(desk, left->keys);
    draw_plainly(desk, &text, &roles);
    cr_assert(!left->shows || strstr(text, left->shows), "%s: \"%s\" is not there:\n%s", left->keys, left->shows, text);
    key = place_of_screen(desk->session, desk->stack[0], NULL);

    other = desk_open_store(store, &map_screen, left->columns, left->rows, GLYPHS_FULL);
    cr_assert(place_go(other->session, key, NULL, &kind, &error), "%s: %s", key, error.text);
    cr_assert_eq(kind, left->type->kind, "%s", key);
    desk_show(other, all_screens[kind]);
    if (overlay)
        desk_press(other, overlay);
    draw_plainly(other, &text_again, &roles_again);
    cr_expect_str_eq(text_again, text, "%s, then %s:\n%s\ninstead of\n%s", left->keys, key, text_again, text);
    cr_expect_str_eq(roles_again, roles, "%s, then %s: roles are\n%s\ninstead of\n%s", left->keys, key, roles_again, roles);
    free(key);
    free(text_again);
    free(roles_again);
    free(text);
    free(roles);
    desk_close(other);
    desk_close(desk);
}

static void come_back(const struct left *left, const char *overlay)
{
    come_back_in(foreign_store(), left, overlay);
}

static void come_back_from(const struct left *left, size_t count)
{
    for (size_t i = 0; i < count; i++)
        come_back(&left[i], NULL);
}
#define COME_BACK_FROM(...)                                                                                            \
    do {                                                                                                               \
        const struct left all[] = {__VA_ARGS__};                                                                       \
        come_back_from(all, sizeof all / sizeof *all);                                                                 \
    } while (0)

Test(again, map)
{
    COME_BACK_FROM({&map_screen, 120, 40, "", NULL}, {&map_screen, 120, 40, "a j Enter", "rows are tiers"},
                   {&map_screen, 120, 40, "a j j Enter j", "rows are systems"}, {&map_screen, 80, 24, "a j j j Enter l", "rows are chips"},
                   {&map_screen, 120, 40, "s j Enter", "worst first"}, {&map_screen, 120, 40, "s j Enter s Enter", "reversed"},
                   {&map_screen, 120, 40, "m j j j Enter", NULL}, {&map_screen, 120, 40, "c", "Δ"}, {&map_screen, 120, 40, "v", NULL},
                   {&map_screen, 120, 40, "v v", NULL}, {&map_screen, 120, 40, "z", NULL}, {&map_screen, 120, 40, "b j Enter", "chosen"},
                   {&map_screen, 120, 40, "+ + +", NULL}, {&map_screen, 120, 40, "[", NULL}, {&map_screen, 120, 40, "Space", "1 marked"},
                   {&map_screen, 120, 40, "f verdict:new Enter", "verdict:new"}, {&map_screen, 80, 24, "j j l l", NULL},
                   {&map_screen, 40, 12, "j", NULL});
}

Test(again, queue)
{
    COME_BACK_FROM({&queue_screen, 120, 40, "", NULL}, {&queue_screen, 120, 40, "l", NULL}, {&queue_screen, 120, 40, "l j", NULL},
                   {&queue_screen, 120, 40, "z G", NULL}, {&queue_screen, 80, 24, "z G k k k", NULL}, {&queue_screen, 120, 40, "s j Enter", NULL},
                   {&queue_screen, 120, 40, "s j Enter s Enter", NULL}, {&queue_screen, 120, 40, "a", "this cell"},
                   {&queue_screen, 120, 40, "a a", "this device"}, {&queue_screen, 120, 40, "c", NULL}, {&queue_screen, 120, 40, "v", NULL},
                   {&queue_screen, 120, 40, "j l Space", "marked"}, {&queue_screen, 120, 40, "G Enter", NULL}, {&queue_screen, 40, 12, "j j", NULL});
}

Test(again, frames)
{
    COME_BACK_FROM({&frames_screen, 120, 40, "", NULL}, {&frames_screen, 120, 40, "+ + h h h", NULL}, {&frames_screen, 120, 40, "- - -", NULL},
                   {&frames_screen, 120, 40, "j", NULL}, {&frames_screen, 120, 40, "m", NULL}, {&frames_screen, 120, 40, "m m", NULL},
                   {&frames_screen, 120, 40, "c", "1.8.0(420) run"}, {&frames_screen, 120, 40, "}", NULL}, {&frames_screen, 120, 40, ".", NULL},
                   {&frames_screen, 120, 40, "[", "CLEAN"}, {&frames_screen, 120, 40, "[ l l l +", "CLEAN"}, {&frames_screen, 120, 40, "x", NULL},
                   {&frames_screen, 80, 24, "G", NULL}, {&frames_screen, 80, 24, "g", NULL});
}

Test(again, trend)
{
    COME_BACK_FROM({&trend_screen, 120, 40, "", NULL}, {&trend_screen, 120, 40, "h", NULL}, {&trend_screen, 120, 40, "m k Enter", NULL},
                   {&trend_screen, 120, 40, "m G Enter", NULL}, {&trend_screen, 120, 40, "a", NULL}, {&trend_screen, 120, 40, "a a", NULL},
                   {&trend_screen, 120, 40, "z", NULL}, {&trend_screen, 120, 40, "c", NULL}, {&trend_screen, 120, 40, "Space h Space", NULL},
                   {&trend_screen, 120, 40, "<", NULL}, {&trend_screen, 120, 40, ".", NULL}, {&trend_screen, 120, 40, "+", NULL},
                   {&trend_screen, 120, 40, "v", NULL}, {&trend_screen, 120, 40, "b j Enter", NULL});
}

Test(again, cover)
{
    COME_BACK_FROM({&cover_screen, 120, 40, "", NULL}, {&cover_screen, 120, 40, "j j h", NULL}, {&cover_screen, 80, 24, "G", NULL},
                   {&cover_screen, 120, 40, "z", NULL}, {&cover_screen, 120, 40, "[", NULL}, {&cover_screen, 40, 12, "G", NULL});
}

Test(again, ticket)
{
    COME_BACK_FROM({&ticket_screen, 120, 40, "", NULL}, {&ticket_screen, 120, 40, "m", NULL}, {&ticket_screen, 80, 24, "Ctrl-D j", NULL},
                   {&ticket_screen, 120, 40, "Space j Enter Esc", NULL}, {&ticket_screen, 120, 40, "Space Enter Esc", NULL});
}

Test(again, tune)
{
    COME_BACK_FROM({&tune_screen, 120, 40, "", NULL}, {&tune_screen, 120, 40, "j j", NULL}, {&tune_screen, 120, 40, "g l", "RULE"},
                   {&tune_screen, 80, 24, "Ctrl-D", NULL});
}

/* Rows, category, device: in the store of snapshots. */
Test(again, memory)
{
    static const char *const ways[] = {"", "j l l", ". G l l l", "[", "c", "G"};
    char *path = foreign_memory_store();

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        come_back_in(path, &(struct left){&memory_screen, 80, 24, ways[i], NULL}, NULL);
    free(path);
}

/* What lies on a screen is named by the key that opens it. */
Test(again, what_lies_on_a_screen)
{
    come_back(&(struct left){&frames_screen, 120, 40, "d", "percentile"}, "d");
    come_back(&(struct left){&map_screen, 120, 40, "a j Enter i", "Why"}, "i");
}
