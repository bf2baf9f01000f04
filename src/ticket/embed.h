/*
 * The payload as a ticket's text carries it: one line of JSON, shortened as far as the tracker's limit asks
 * for.
 */
#ifndef STUTTERSCOPE_TICKET_EMBED_H
#define STUTTERSCOPE_TICKET_EMBED_H

#include "stutterscope/base/json.h"

enum embed_level {
    EMBED_WHOLE,
    EMBED_LEAN,  /* without the lists of evidence and the chart */
    EMBED_CORE,  /* of every stutter what a later build is compared with */
    EMBED_SHOWN, /* the same of the first `members` stutters */
    EMBED_NOT
};

/*
 * A new string that can stand raw in a code block of any tracker: brackets, braces, backquotes and @ inside
 * texts are \u escapes. NULL for EMBED_NOT.
 */
char *embed_payload(const struct json *payload, enum embed_level level, size_t members);

#endif
