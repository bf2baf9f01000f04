/*
 * The life of the program on a terminal: wait for an event, find its action, let the screen act, draw. One
 * loop, no loops inside: prompts, menus and help are screens on the stack.
 */
#ifndef STUTTERSCOPE_TUI_LOOP_H
#define STUTTERSCOPE_TUI_LOOP_H

#include "stutterscope/base/progress.h"
#include "stutterscope/tui/terminal.h"
#include "stutterscope/view/chrome.h"
#include "stutterscope/view/keymap.h"
#include "stutterscope/view/screen.h"

struct loop_options {
    struct terminal *terminal;
    struct session *session;
    const struct screen_type *const *types; /* SCREEN_COUNT of them, NULL for those that do not exist */
    enum screen_kind first;
    char *left; /* set at the end: the place that was left (view/place.h); a new string, NULL: none */
    enum scheme scheme;    /* of pictures that are written */
    const struct keymap *keymap;

    /* Store, user, clock, badges; the texts live until the next call. Called before every drawing. May be
     * NULL. */
    void (*fill_chrome)(struct session *session, struct chrome *chrome);
    /* Whether others changed the store: asked after drawing, so that no key waits for it, once a second at most. True: fill_chrome
     * says something else now. May be NULL. */
    bool (*look_for_news)(struct session *session);

    /* For the : prompt. Names of the verbs, NULL-terminated; NULL: there is no such prompt. */
    const char *const *verbs;
    /* Runs a line as the command line would; a new string with its output, NULL with an error. */
    char *(*run_verb)(void *user, const char *line, const struct progress *progress, struct error *error);
    /* What a verb changed in the store is read. May be NULL. */
    bool (*follow)(struct session *session, struct error *error);
    /* The index-th line that this one could become; false: no more. NULL: only the verbs are completed. */
    bool (*complete_line)(void *user, const char *line, size_t index, char *buffer, size_t size);
    void *user;

    /* What has to be worked out before it is known where to begin: reports, can be stopped; changes `first`. May be NULL. */
    bool (*find_first)(struct loop_options *options, const struct progress *progress, struct error *error);
    const void *wanted; /* its own */

    /* Work that belongs to no screen (watching a folder, say); as screen_type.work. May be NULL. */
    enum screen_work (*work)(struct session *session, struct screen_progress *ret, struct error *error);
    void (*stop_work)(struct session *session);
};

/*
 * Returns when the user leaves: 0, or 128 + the signal that ended it (129 when the terminal is gone); 2 with an error when
 * find_first failed, unless because it was stopped: then it begins on the Map.
 */
int loop_run(struct loop_options *options, struct error *error);

#endif
