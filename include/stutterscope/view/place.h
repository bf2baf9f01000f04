/*
 * Where somebody is, as one word that fits into a command line: screen, subject, build. `stutterscope --open
 * KEY` comes back to it.
 *
 *     KEY     = ID | SCREEN [ ":" SUBJECT ] [ "@" BUILD ] [ "?" WORD { "&" WORD } ]
 *     ID      = the id of a stutter, "d6a90e1481@1.8.0(421)": on Frames
 *     SCREEN  = map | queue | frames | trend | cover | ticket | tune | memory
 *     SUBJECT = DIGITS | DEVICE [ "/" SCENE ]
 *     DIGITS  = the first part of the id of a stutter
 *     WORD    = NAME [ "=" VALUE ]: what is chosen in the view: metric, quality, filter, order, zoom …
 *
 * Signs that mean something here are written %40 (@), %3A (:), %2F (/), %25 (%), %3F (?), %26 (&), %3D (=) in names.
 * Without a build: the newest. Words that a screen does not know are left out.
 */
#ifndef STUTTERSCOPE_VIEW_PLACE_H
#define STUTTERSCOPE_VIEW_PLACE_H

#include "stutterscope/view/action.h"
#include "stutterscope/view/screen.h"
#include "stutterscope/view/session.h"

/* A new string; words: what is chosen on the screen, NULL: nothing. */
char *place_print(struct session *session, enum screen_kind kind, const struct view_words *words);
/* With the words of this screen, and the name of the action that opened what lies on it (NULL: nothing does); NULL when
 * the session has no store. */
char *place_of_screen(struct session *session, const struct screen *screen, const char *overlay);
/*
 * Puts the subject into the session, and the words of the screen where screen_create() finds them; false with an error
 * that says what is wrong, and then what is looked at is as it was.
 */
bool place_go(struct session *session, const char *key, const struct progress *progress, enum screen_kind *ret,
              struct error *error);
/* The command that comes to it, quoted for sh; a new string. */
char *place_command(const struct session *session, const char *key);
/* The screen that it names, Frames for an id; SCREEN_MAP when it is no place. */
void place_screen(const char *key, enum screen_kind *ret);
/* A stutter by the first digits of its id; NULL when it is not there, with an error where one is asked for. */
const struct stutter_entry *place_find_entry(struct session *session, int64_t build, const char *digits, bool as_it_is,
                                             const struct progress *progress, struct error *error);
/* Nothing has to be analysed to go there. */
bool place_is_near(const struct session *session, const char *key);

/*
 * The last place per store, in $XDG_STATE_HOME/stutterscope/places.json. Remembering is a convenience: when
 * the file cannot be written, nothing is remembered and nothing is said. Settings that are tried on Tune are for the
 * session, so they are left out: what is judged tomorrow is judged as the store says.
 */
void place_remember(const struct session *session, const char *key);
char *place_recall(const struct session *session); /* a new string; NULL: nothing was remembered */

#endif
