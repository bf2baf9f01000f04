/*
 * Asking for the filter, the same way on every screen: completion of names, how much fits while one types, where a
 * mistake is, filters kept under a name.
 */
#ifndef STUTTERSCOPE_VIEW_FILTERING_H
#define STUTTERSCOPE_VIEW_FILTERING_H

#include "stutterscope/base/settings.h"
#include "stutterscope/view/line.h"
#include "stutterscope/view/screen.h"
#include "stutterscope/view/session.h"

/* What the filter hides on a screen; lives as long as its state. */
struct filtering_scope {
    const char *what;  /* "lines", "cells" */
    const void *state;
    /* How many fit, and of how many, whatever filter is in force. */
    size_t (*count)(const void *state, const struct filter *filter, size_t *ret_of);
};

/* Opens the prompt. What is accepted is put into the session, and the screens are worked out again. */
void filtering_ask(struct session *session, const struct filtering_scope *scope, struct screen_reply *reply);
/* Line 2: ' filter "state:filed"', or nothing. */
void filtering_show(const struct session *session, struct line *line);
/* Esc: takes the filter away and says so; false when there is none. */
bool filtering_drop(struct session *session, struct screen_reply *reply);

/* "[filters] NAME = FILTER" of the configuration; false with file and line when one is no filter. */
bool filtering_configure(struct session *session, const struct settings *settings, struct error *error);
void filtering_destroy(struct filtering *filtering); /* NULL is allowed */

#endif
