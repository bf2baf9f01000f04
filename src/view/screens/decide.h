/*
 * What the capitals do, on every screen the same: a state, an owner, a note, for everything the line at the cursor is
 * about. One line is asked where a word is needed; the answer says what was written, for how many, and that `u` takes
 * it back.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_DECIDE_H
#define STUTTERSCOPE_VIEW_SCREENS_DECIDE_H

#include "stutterscope/view/screen.h"
#include "stutterscope/view/session.h"

/* Puts what is to be decided on into session->pending.subjects; leaves it empty when there is nothing. */
typedef void decide_find(void *owner, struct session *session);
/* False when the action decides nothing. find is only called for those that need something to decide on. */
bool decide_act(struct session *session, const struct screen_event *event, decide_find *find, void *owner, struct screen_reply *reply);

/* A ticket that the tracker took already: the same decision as filing under this number by hand. */
void decide_filed(struct session *session, decide_find *find, void *owner, const char *reference, struct screen_reply *reply);

/* The marked stutters; true when there are any. */
bool decide_add_marked(struct session *session);
/*
 * The line (event × scene) of this stutter, in what is found or to verify; else the stutter alone. Without an id the
 * first line that is about the cell; scene 0: about the device as a whole.
 */
void decide_add_place(struct session *session, const char *stutter, int64_t device, int64_t scene);

/* The stutter alone, whatever line it is in. */
void decide_add_stutter(struct session *session, const char *stutter);

/* A decide_find for screens that show the session's subject: what is marked, else its stutter, else its cell. */
void decide_find_subject(void *owner, struct session *session);

/* What was decided, for the chat, in a pager; NULL when nothing was decided in this session. */
struct screen *decide_open_summary(struct session *session);

#endif
