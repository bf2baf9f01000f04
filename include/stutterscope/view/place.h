/*
 * Where somebody is, as one word that fits into a command line: screen, subject, build. `stutterscope --open
 * KEY` comes back to it.
 *
 *     KEY     = ID | SCREEN [ ":" SUBJECT ] [ "@" BUILD ]
 *     ID      = the id of a stutter, "d6a90e1481@1.8.0(421)": on Frames
 *     SCREEN  = map | queue | frames | trend | cover | ticket | tune | memory
 *     SUBJECT = DIGITS | DEVICE [ "/" SCENE ]
 *     DIGITS  = the first part of the id of a stutter
 *
 * Signs that mean something here are written %40 (@), %3A (:), %2F (/), %25 (%) in names. Without a build:
 * the newest.
 */
#ifndef STUTTERSCOPE_VIEW_PLACE_H
#define STUTTERSCOPE_VIEW_PLACE_H

#include "stutterscope/view/action.h"
#include "stutterscope/view/session.h"

/* A new string. */
char *place_print(const struct session *session, enum screen_kind kind);
/* Puts the subject into the session; false with an error that says what is wrong, and then nothing was
 * changed. */
bool place_go(struct session *session, const char *key, enum screen_kind *ret, struct error *error);

/*
 * The last place per store, in $XDG_STATE_HOME/stutterscope/places.json. Remembering is a convenience: when
 * the file cannot be written, nothing is remembered and nothing is said.
 */
void place_remember(const struct session *session, enum screen_kind kind);
char *place_recall(const struct session *session); /* a new string; NULL: nothing was remembered */

#endif
