/*
 * Names in the configuration that nobody reads are mistakes of the hand, and are told instead of ignored.
 */
#ifndef STUTTERSCOPE_VIEW_CONFIG_CHECK_H
#define STUTTERSCOPE_VIEW_CONFIG_CHECK_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/settings.h"

/* False for the first section, name or fixed choice that is not known: with file, line and what comes near. */
bool config_check(const struct settings *settings, struct error *error);

#endif
