/*
 * Themes that people make in the configuration: a scheme with other looks for some roles.
 */
#ifndef STUTTERSCOPE_VIEW_THEME_USER_H
#define STUTTERSCOPE_VIEW_THEME_USER_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/settings.h"
#include "stutterscope/view/theme.h"

/*
 * A scheme by name, or the section [theme.NAME]; the section of a scheme's own name changes that one. Errors name file
 * and line, what was expected and found.
 */
bool theme_choose(const char *name, const struct settings *settings, struct theme *ret, struct error *error);
/* "16 on #ffd75f bold". */
bool theme_parse_look(const char *text, struct role_look *ret, struct error *error);

#endif
