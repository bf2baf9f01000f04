/*
 * Small JSON files in $XDG_STATE_HOME/stutterscope: what is remembered between sessions and may be lost.
 */
#ifndef STUTTERSCOPE_VIEW_STATE_FILE_H
#define STUTTERSCOPE_VIEW_STATE_FILE_H

#include "stutterscope/base/json.h"

/* An object; NULL when there is none. */
struct json *state_file_read(const char *name);
bool state_file_write(const char *name, const struct json *value);
/* The same store by whatever path it is opened; a new string. */
char *state_store_name(const char *path);

#endif
