/*
 * Finding a text in whatever has places in an order: rows, lines, cells, events. Asks for the text, goes to the next place
 * that has it, in either direction and around the end, and says when there is none; hides nothing.
 */
#ifndef STUTTERSCOPE_VIEW_FINDER_H
#define STUTTERSCOPE_VIEW_FINDER_H

#include "stutterscope/view/scroll.h"

/* How one screen is looked through; a constant of that screen, whose state is `owner`. */
struct finder_way {
    const char *label;          /* of the prompt: "find device" */
    const char *before, *after; /* around the text when no place has it: "no device has ", "" */
    /* How many places there are, and the one that is left in the direction of `step` (1, -1) as `selected`; -1 and `count`
     * stand for before the first and behind the last one. */
    struct scroll (*places)(const void *owner, int step);
    bool (*has)(const void *owner, int place, const char *text);
    void (*go)(void *owner, int place, struct screen_reply *reply);
};

/* All zero: nothing was looked for. A part of the state that it looks through. */
struct finder {
    char *text; /* what was looked for last; NULL: nothing yet */
    const struct finder_way *way;
    void *owner; /* of a prompt that is open */
};

/* Does find, find-next and find-previous; false for all other actions. */
bool finder_act(struct finder *finder, const struct finder_way *way, void *owner, const struct screen_event *event,
                struct screen_reply *reply);
void finder_set(struct finder *finder, const char *text); /* a copy; NULL: nothing */
/* Whether a text, NULL for none, has another in it; the case of ASCII letters does not matter. */
bool finder_contains(const char *text, const char *wanted);
/* Gives what was found the role of matches, in a line that begins with `text`. */
void finder_mark(const struct finder *finder, struct canvas *canvas, struct area line, const char *text);

#endif
