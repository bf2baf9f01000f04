/*
 * Lines that were typed at a prompt, newest first, kept for the next session in $XDG_STATE_HOME/stutterscope/history.json.
 * A convenience: what cannot be read or written is not there, and nothing is said.
 */
#ifndef STUTTERSCOPE_VIEW_HISTORY_H
#define STUTTERSCOPE_VIEW_HISTORY_H

#include <stddef.h>

/* NULL-terminated; release with history_free(). `kind` names the prompt: "filter", "command". */
char **history_load(const char *kind);
void history_free(char **lines);
/* Puts the line first; the same line further down goes, and so do the oldest over 100. */
void history_add(const char *kind, const char *line);

#endif
