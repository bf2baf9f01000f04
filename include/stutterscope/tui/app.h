/*
 * The program on a terminal: a store's model, the screens, the loop, what the user configured.
 */
#ifndef STUTTERSCOPE_TUI_APP_H
#define STUTTERSCOPE_TUI_APP_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/progress.h"
#include "stutterscope/model/model.h"

struct app_options {
    const char *open_key;       /* where to begin (view/place.h); NULL: the Map */
    bool resume;                /* without a key: where this store was left last */
    const char *theme, *glyphs; /* "dark", "light", "mono"; "full", "narrow", "ascii"; NULL: as configured */
    bool no_mouse, no_colour;
    bool linear; /* lines in, lines out: tui/linear.h */

    /* For the : prompt; see struct loop_options. May be NULL. */
    const char *const *verbs;
    char *(*run_verb)(void *user, const char *line, const struct progress *progress, struct error *error);
    bool (*complete_line)(void *user, const char *line, size_t index, char *buffer, size_t size);
    void *user;
};

/*
 * Browses until the user leaves; takes the model over. Returns 0, or 128 + the signal that ended it; 2 with an error
 * when there is no usable terminal or a setting is wrong.
 */
int app_run(struct model *model, const struct app_options *options, struct error *error);

#endif
