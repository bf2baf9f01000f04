/*
 * Filters under a name: those of the configuration, and those kept for a store in $XDG_STATE_HOME.
 */
#ifndef STUTTERSCOPE_VIEW_FILTERS_KEPT_H
#define STUTTERSCOPE_VIEW_FILTERS_KEPT_H

#include "stutterscope/base/settings.h"
#include <stdbool.h>
#include <stddef.h>

struct kept_filter {
    char *name, *text;
    bool configured;
};
struct kept_filters {
    struct kept_filter *items;
    size_t count, capacity;
};

bool kept_filter_is_name(const char *name, size_t length); /* letters, digits, - _ . */
void kept_filters_add_configured(struct kept_filters *kept, const struct settings *settings);
void kept_filters_load(struct kept_filters *kept, const char *store); /* path of the store */
void kept_filters_free(struct kept_filters *kept);
/* The filter of that name; what was kept for the store is found before the configuration. NULL: none. */
const char *kept_filters_find(const struct kept_filters *kept, const char *name);
bool kept_filters_has_own(const struct kept_filters *kept, const char *name); /* kept for the store */
/* Keeps it in memory and for the next session; text "": forgets it. false when the file could not be written. */
bool kept_filters_put(struct kept_filters *kept, const char *store, const char *name, const char *text);

#endif
