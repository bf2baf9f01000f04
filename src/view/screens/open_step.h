/*
 * Going from one stutter that is to decide to the next, then to what is to verify, on screens that show one of them.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_OPEN_STEP_H
#define STUTTERSCOPE_VIEW_SCREENS_OPEN_STEP_H

#include "stutterscope/view/screen.h"
#include "stutterscope/view/session.h"

enum open_step { OPEN_STEP_NONE, OPEN_STEP_TO_DECIDE, OPEN_STEP_TO_VERIFY };

/*
 * Makes the worst stutter of the next (previous) line the session's subject, around the end; `now` is the one shown, or
 * NULL. *ret: what that is, or that there is no other line. False with an error when the model fails.
 */
bool open_step(struct session *session, const struct stutter_entry *now, bool forward, enum open_step *ret,
               struct error *error);
/* Says so, and has the screen work out what it shows now. */
void open_step_reply(enum open_step found, struct screen_reply *reply);

#endif
