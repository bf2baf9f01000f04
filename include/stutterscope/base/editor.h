/*
 * A text through the editor of the user: $VISUAL, else $EDITOR, else vi. The command is split into words as sh quotes
 * them ("code --wait") and started without a shell.
 */
#ifndef STUTTERSCOPE_BASE_EDITOR_H
#define STUTTERSCOPE_BASE_EDITOR_H

#include "stutterscope/base/error.h"

/* Starts a program in the terminal and waits for its end; *ret_status its exit status. */
typedef bool editor_run(void *user, char *const arguments[], int *ret_status, struct error *error);

/*
 * The text as the editor leaves it, cleaned, in *ret_text, a new string. False when the editor cannot be started or
 * ends with another status than 0. The file it gets can be read by the user only and is gone afterwards.
 */
bool editor_edit(const char *text, editor_run *run, void *user, char **ret_text, struct error *error);

/* editor_run of a program without screens: standard streams that are no terminal are replaced by it where there is one. */
bool editor_run_here(void *user, char *const arguments[], int *ret_status, struct error *error);

#endif
