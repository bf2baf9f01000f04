/*
 * Small JSON files in $XDG_STATE_HOME/stutterscope: what is remembered between sessions and may be lost.
 */
#ifndef STUTTERSCOPE_VIEW_STATE_FILE_H
#define STUTTERSCOPE_VIEW_STATE_FILE_H

#include "stutterscope/base/json.h"
#include <stdbool.h>
#include <stddef.h>

/* An object; NULL when there is none. */
struct json *state_file_read(const char *name);
/* Puts a member (handed over) first into the file's object; of the others `most` - 1 stay, the oldest fall off. */
bool state_file_put(const char *name, const char *member, struct json *value, size_t most);
/* The same store by whatever path it is opened; a new string. */
char *state_store_name(const char *path);

#endif
