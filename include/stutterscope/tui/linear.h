/*
 * The same screens, actions and keys without a screen: lines in, lines out. For screen readers, dumb terminals and pipes;
 * nothing is drawn and no cursor is placed.
 */
#ifndef STUTTERSCOPE_TUI_LINEAR_H
#define STUTTERSCOPE_TUI_LINEAR_H

#include "stutterscope/tui/loop.h"
#include <stdio.h>

/*
 * Reads lines of keys ("j", "2", "Enter", "Tab I"; an empty line is Enter) until q on the first screen, Ctrl-D or the end
 * of `in`. A line for a prompt is its text. options->terminal is not used. Returns 0.
 */
int linear_run(struct loop_options *options, FILE *in, FILE *out);

/* A canvas as lines of plain text: no frames, bars or plots, a > before what is selected; a new string. */
char *linear_text(const struct canvas *canvas);

#endif
