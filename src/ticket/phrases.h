/*
 * The phrases of a language: short texts by name, each one line, which layouts include as partials. In the
 * file a line "%% name" begins a phrase, the lines up to the next one are joined without a break (so that
 * long ones can be wrapped at tags); "%#" begins a comment.
 */
#ifndef STUTTERSCOPE_TICKET_PHRASES_H
#define STUTTERSCOPE_TICKET_PHRASES_H

#include "stutterscope/base/error.h"
#include <stddef.h>

struct phrase {
    char *name, *text;
};
struct phrases {
    struct phrase *items;
    size_t count, capacity;
};
/* Adds those of a file behind what is there; errors name file and line. */
bool phrases_read(struct phrases *phrases, const char *path, struct error *error);
bool phrases_parse(struct phrases *phrases, const char *name, const char *text, struct error *error);
const char *phrases_find(const struct phrases *phrases, const char *name); /* the first one; NULL */
void phrases_free(struct phrases *phrases);

#endif
