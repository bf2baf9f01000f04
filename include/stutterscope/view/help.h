/*
 * The action table as text for people: the help screen, and the keys section of the manual page.
 */
#ifndef STUTTERSCOPE_VIEW_HELP_H
#define STUTTERSCOPE_VIEW_HELP_H

#include "stutterscope/base/text.h"
#include "stutterscope/view/keymap.h"
#include "stutterscope/view/screen.h"

/* All actions of one screen, by group: keys, what it does there. A new string. */
char *help_text(const struct keymap *keymap, enum screen_kind kind);
struct screen *help_open(const struct keymap *keymap, enum screen_kind kind);
/* roff for man(7): all groups, with per-screen wording below an action where it differs. A new string. */
char *help_manual(const struct keymap *keymap);

#endif
