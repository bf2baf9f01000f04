/*
 * In words, which events of a place windows follow more often than chance. Reads the runs: for `i`, not for every key.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_LIFT_TEXT_H
#define STUTTERSCOPE_VIEW_SCREENS_LIFT_TEXT_H

#include "stutterscope/base/text.h"
#include "stutterscope/view/session.h"

/*
 * Adds "after NAME: a window within 2 s after 4 of 5 (80 %), at any time 6 %: stands out" for `event` and all that stand out,
 * or "no event stands out …", each line after this indent. Adds nothing where the runs tell nothing of events.
 */
void lift_text_add(struct text_buffer *text, struct session *session, const struct group_key *key, int64_t event,
                   const char *indent);

#endif
