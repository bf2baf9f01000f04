/*
 * Command lines of people, split into words as sh quotes them, so that programs can be started without a shell.
 */
#ifndef STUTTERSCOPE_BASE_WORDS_H
#define STUTTERSCOPE_BASE_WORDS_H

#include "stutterscope/base/error.h"
#include <stddef.h>

struct words {
    char **items; /* NULL after the last */
    size_t count, capacity;
};
/*
 * 'single', "double" (with \" \\ \$ \`) and \-escaped text; nothing is expanded: $(reboot) stays what it is. False for a
 * quote that is not closed.
 */
bool words_split(const char *line, struct words *ret, struct error *error);
void words_add(struct words *words, const char *text);
void words_free(struct words *words);
/*
 * The text with addresses as they may be shown and kept: what stands between "://" and "@" (a user, a password) is left
 * out. A new string.
 */
char *text_without_user_info(const char *text);

#endif
