/*
 * Presets: import options of a team's logger, kept in $XDG_CONFIG_HOME/stutterscope/presets/NAME.preset.
 */
#ifndef STUTTERSCOPE_CLI_PRESET_H
#define STUTTERSCOPE_CLI_PRESET_H

#include "invocation.h"
#include "stutterscope/base/settings.h"

/*
 * Adds what --preset names to the options that were not given; *ret owns these texts and must live as long as the
 * invocation is used. Destroy it also on false.
 */
bool preset_apply(struct invocation *invocation, struct settings **ret, struct error *error);
/* Keeps the options as --save-preset NAME says; nothing to do without it. */
bool preset_save(const struct invocation *invocation, struct error *error);

#endif
