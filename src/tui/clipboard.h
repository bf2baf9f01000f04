/*
 * The escape sequence that asks a terminal to take a text into its clipboard (OSC 52).
 */
#ifndef SRC_TUI_CLIPBOARD_H
#define SRC_TUI_CLIPBOARD_H

#include "stutterscope/base/error.h"
#include <stdbool.h>

/* A new string; NULL with an error when the text is too long. Inside tmux or screen it is wrapped for the
 * outer one. */
char *clipboard_request(const char *text, bool in_tmux, bool in_screen, struct error *error);

#endif
