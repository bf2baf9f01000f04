/*
 * Ways to the clipboard: the escape sequence that asks a terminal to take a text (OSC 52), and the programs
 * that desktops have for it. A terminal never answers, so what went to it was sent, not copied.
 */
#ifndef STUTTERSCOPE_BASE_CLIPBOARD_H
#define STUTTERSCOPE_BASE_CLIPBOARD_H

#include "stutterscope/base/error.h"
#include <stdbool.h>

enum {
    /* Bytes of text. In base64 that is 8000: what terminals and multiplexers of small buffers still take. */
    CLIPBOARD_SURE = 6000,
    /* 99992 in base64: more is dropped without a word by terminals in wide use. */
    CLIPBOARD_MOST = 74994
};

/* A new string; NULL with an error when the text is too long. Inside tmux or screen it is wrapped for the
 * outer one. */
char *clipboard_request(const char *text, bool in_tmux, bool in_screen, struct error *error);

/*
 * Gives the text to wl-copy, xclip or pbcopy, whichever is there and has a session. *ret_program names it
 * (NULL: none is there). False when it failed.
 */
bool clipboard_use_program(const char *text, const char **ret_program, struct error *error);

/* False when the tmux around us is set to keep such sequences to itself. */
bool clipboard_tmux_passes_on(void);

#endif
