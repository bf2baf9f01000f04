/*
 * Screens without a terminal: the pictures of heatmap, trend and snapshots, and what the verb view writes.
 */
#ifndef SRC_CLI_PICTURE_H
#define SRC_CLI_PICTURE_H

#include "invocation.h"
#include "stutterscope/view/action.h"

bool wants_picture(const struct invocation *invocation);
/* The screen as the options choose it (build, device, scene, metric …), drawn without a terminal. Exit
 * status. */
int write_picture(struct invocation *invocation, enum screen_kind kind, struct error *error);
/* The view of a key (view/place.h): its pictures, its data (--json, --csv), else its text. Exit status. */
int write_view(struct invocation *invocation, const char *key, struct error *error);

#endif
