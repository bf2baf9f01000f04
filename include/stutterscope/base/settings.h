/*
 * "name = value" files with [sections] and # comments; the program's configuration and the store's settings.
 */
#ifndef STUTTERSCOPE_BASE_SETTINGS_H
#define STUTTERSCOPE_BASE_SETTINGS_H

#include "stutterscope/base/error.h"
#include <stdbool.h>
#include <stddef.h>

struct settings;
struct settings *settings_create(void);
void settings_destroy(struct settings *settings);
/* Adds what the file says; a missing file is no error. Errors name file, line, expected and found. */
bool settings_read_file(struct settings *settings, const char *path, struct error *error);
/* Value of "section.name" ("name" outside sections), else the fallback. Valid until changed. */
const char *settings_get(const struct settings *settings, const char *name, const char *fallback);
/* Names in the order in which they were first said; NULL behind the last. */
const char *settings_name(const struct settings *settings, size_t index);
/* "FILE:LINE" where a name was said last; "" when it was set by settings_set() or is not there. */
const char *settings_place(const struct settings *settings, const char *name);
void settings_set(struct settings *settings, const char *name, const char *value);

#endif
