/*
 * What of a place is the session's: the words that all screens share.
 */
#ifndef SRC_VIEW_PLACE_PARTS_H
#define SRC_VIEW_PLACE_PARTS_H

#include "stutterscope/view/place.h"

/* Of the words that say what is tried on Tune: "set.factor=2.5". */
#define PLACE_SETTING_PREFIX "set."

void place_keep_session(struct session *session, struct view_words *words);
/* False with an error when a word names what is not there. */
bool place_take_session(struct session *session, int64_t build, const struct view_words *words,
                        const struct progress *progress, struct error *error);

#endif
