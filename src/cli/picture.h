/*
 * Screens as pictures in files: what heatmap and trend draw for --svg and --html.
 */
#ifndef SRC_CLI_PICTURE_H
#define SRC_CLI_PICTURE_H

#include "invocation.h"
#include "stutterscope/view/action.h"

bool wants_picture(const struct invocation *invocation);
/* The screen as the options choose it (build, device, scene, metric …), drawn without a terminal. Exit
 * status. */
int write_picture(struct invocation *invocation, enum screen_kind kind, struct error *error);

#endif
