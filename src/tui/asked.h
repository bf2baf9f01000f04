/*
 * What screens and people ask for, done alike by the loop of the terminal and by the one of lines.
 */
#ifndef SRC_TUI_ASKED_H
#define SRC_TUI_ASKED_H

#include "stutterscope/base/progress.h"
#include "stutterscope/view/screen.h"

/* Gives the ticket to the tracker's command; what the screen says to the outcome is in *reply. */
void asked_to_post(struct screen *screen, const struct screen_post *what, const struct progress *progress, struct screen_reply *reply);
/* What people of other programs type after ":" to leave. */
bool asked_to_quit(const char *line);

#endif
