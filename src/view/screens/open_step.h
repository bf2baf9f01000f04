/*
 * Going from one stutter that is to decide to the next, on screens that show one of them.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_OPEN_STEP_H
#define STUTTERSCOPE_VIEW_SCREENS_OPEN_STEP_H

#include "stutterscope/view/session.h"

/*
 * Makes the worst stutter of the next (previous) line of what is to decide the session's subject, around the
 * end; `now` is the one shown, or NULL. *ret_found: there is another line. False with an error when the model
 * fails.
 */
bool open_step(struct session *session, const struct stutter_entry *now, bool forward, bool *ret_found,
               struct error *error);

#endif
