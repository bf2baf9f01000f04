/*
 * What comes from the terminal, as events: keys, characters, pasted text, mouse, new sizes, signals.
 */
#ifndef STUTTERSCOPE_TUI_INPUT_H
#define STUTTERSCOPE_TUI_INPUT_H

#include "stutterscope/tui/terminal.h"
#include "stutterscope/view/key.h"

enum input_kind {
    INPUT_NONE, /* nothing within the timeout */
    INPUT_KEY,  /* key: a character or a special key */
    INPUT_PASTE,
    INPUT_MOUSE,
    INPUT_RESIZE,
    INPUT_STOP, /* somebody wants this job to stop (SIGTSTP): call terminal_suspend() */
    INPUT_END   /* SIGTERM, SIGHUP or the terminal is gone: end now; signal 0 for the last */
};

enum input_button { BUTTON_LEFT, BUTTON_WHEEL_UP, BUTTON_WHEEL_DOWN };

struct input_event {
    enum input_kind kind;
    key_code key;
    char *text; /* INPUT_PASTE: clean text, free(); broken off at 1 MB */
    int row, column;
    enum input_button button;
    bool twice; /* BUTTON_LEFT: both clicks of a double one, which arrived together */
    int signal;
};

/* Tells curses the sequences that terminfo does not name. To be called once the terminal is open, before anything is read. */
void input_begin(void);

/* The next event; timeout in ms, -1: blocks without waking up in between. */
struct input_event input_wait(struct terminal *terminal, int timeout_ms);

#endif
