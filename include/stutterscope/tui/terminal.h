/*
 * The living terminal: opened, drawn on, left and found again, restored whatever happens. With input.c the
 * only place that knows curses; one terminal at a time, because signals are the process's.
 */
#ifndef STUTTERSCOPE_TUI_TERMINAL_H
#define STUTTERSCOPE_TUI_TERMINAL_H

#include "stutterscope/base/error.h"
#include "stutterscope/view/canvas.h"
#include "stutterscope/view/display.h"
#include "stutterscope/view/screen.h"
#include <stdbool.h>

struct terminal;

struct terminal_options {
    struct theme theme;
    bool no_colour; /* --color=never; $NO_COLOR counts unless always_colour */
    bool always_colour;
    bool choose_glyphs; /* glyphs below; otherwise what locale and widths allow */
    enum glyph_set glyphs;
    bool no_mouse;
};

/*
 * setlocale(LC_CTYPE, …) from the environment, and C.UTF-8 where that names a locale which is not installed.
 * To be called once at the start of the program, before threads.
 */
void terminal_adopt_locale(void);

/*
 * Takes the terminal over: full screen, keys one by one. Standard input may be a pipe; keys then come from
 * /dev/tty. NULL with an error for people when there is no terminal, or $TERM is unknown or cannot place its
 * cursor.
 */
struct terminal *terminal_open(const struct terminal_options *options, struct error *error);
/* Gives it back as it was. NULL is allowed. */
void terminal_close(struct terminal *terminal);

enum glyph_set terminal_glyphs(const struct terminal *terminal);
void terminal_size(const struct terminal *terminal, int *ret_rows, int *ret_columns);
/* Shows the canvas; only what differs from what was shown is sent. */
void terminal_draw(struct terminal *terminal, const struct canvas *canvas);
/* To be called for every change of the size: terminals cut off or move what is there, also where it changes back at once. */
void terminal_forget(struct terminal *terminal);
/* When the size has stayed for a while: takes the one that the terminal has, and the next drawing is a whole one. */
void terminal_settle(struct terminal *terminal);
/* What it can show, for pictures. */
struct display terminal_display(const struct terminal *terminal);
/*
 * Pictures: before terminal_draw() every other one is taken away (NULL: all), after it this one is sent. The same version
 * at the same place is sent once, and again when the glass was not to be trusted or another program had it.
 */
void terminal_keep_image(struct terminal *terminal, const struct screen_image *image);
void terminal_show_image(struct terminal *terminal, const struct screen_image *image);
/* What is on the glass is not to be trusted (a message of another program): the next draw sends all. */
void terminal_distrust(struct terminal *terminal);

/* Stops like any job and returns when it is continued. Where nobody could continue it, it goes on at once. */
void terminal_suspend(struct terminal *terminal);
/*
 * Runs a program in the foreground (argv ends with NULL; looked up in $PATH) and takes the terminal again
 * afterwards. *ret_status: its exit status, or 128 + the signal that ended it. false when it could not be
 * started.
 */
bool terminal_run(struct terminal *terminal, char *const argv[], int *ret_status, struct error *error);
/*
 * Asks the terminal to take a text into its clipboard (OSC 52, through tmux and screen). There is no answer,
 * so this can only be reported as sent. false for texts over 100 000 bytes and terminals that would print the
 * request.
 */
bool terminal_copy(struct terminal *terminal, const char *text, struct error *error);

/* For input.c and run.c. */
enum terminal_wake { WAKE_INPUT, WAKE_TIMEOUT, WAKE_SIGNAL, WAKE_GONE };
/* Blocks until something happens; timeout -1: for ever, without waking up. Signals arrive only in here. */
enum terminal_wake terminal_wait(struct terminal *terminal, int timeout_ms);
int terminal_descriptor(const struct terminal *terminal);
struct _win_st *terminal_keys(const struct terminal *terminal); /* the WINDOW of curses that keys are read from */
void terminal_leave(struct terminal *terminal);  /* to the normal screen, modes off */
void terminal_return(struct terminal *terminal); /* and back, with the size it has by now */

#endif
