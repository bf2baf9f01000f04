/*
 * Signals as flags that are looked at in one place, and a handler that gives the terminal back when the
 * program crashes. The only writable globals of the program live in signals.c.
 */
#ifndef SRC_TUI_SIGNALS_H
#define SRC_TUI_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Before curses starts: it leaves alone what has a handler. Blocks them; ret_waiting is the mask to wait
 * with. */
void signals_take(sigset_t *ret_waiting);
void signals_give_back(const sigset_t *waiting);

bool signals_take_stop(void);      /* SIGTSTP came; forgotten by asking */
bool signals_take_interrupt(void); /* SIGINT came; forgotten by asking */
int signals_end(void);             /* SIGTERM or SIGHUP that came, 0 none; stays */

/* Stops this job with the default action of SIGTSTP; returns when it goes on. */
void signals_stop_self(void);

/* What a crash writes to the terminal, at most 1024 bytes together: what restores it, then what to report,
 * which the signal's number follows; and the modes that it gets back. Descriptor -1: nothing. */
struct termios;
void signals_arm_rescue(int descriptor, const struct termios *modes, const char *restore, const char *report);
void signals_disarm_rescue(void);

#endif
