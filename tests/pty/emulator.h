/*
 * Runs a program on a terminal of its own and keeps what a person would see: a pseudo terminal in front, an
 * emulator (libvterm) behind. Everything waits for a condition with a deadline; nothing sleeps.
 */
#ifndef TESTS_PTY_EMULATOR_H
#define TESTS_PTY_EMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <vterm.h>

struct pty;

struct pty_options {
    int rows, columns;       /* 0: 24, 80 */
    const char *term;        /* "": not set; NULL: xterm-256color */
    const char *locale;      /* LC_ALL; NULL: C.UTF-8 */
    const char *const *more; /* further NAME=VALUE, NULL-terminated */
    const char *stdin_file;  /* standard input is this file; the terminal is still the controlling one */
    bool ignores_hangup;     /* from the start, as under nohup */
    bool as_job;             /* below a little shell that says "[stopped]" and continues it after Enter */
};

struct pty *pty_start(const struct pty_options *options, const char *const argv[]);
void pty_stop(struct pty *pty); /* NULL is allowed */

/* True as soon as it holds and the line has gone quiet; false, with the screen on stderr, after a deadline.
 */
bool pty_expect(struct pty *pty, const char *text);              /* somewhere */
bool pty_expect_row(struct pty *pty, int row, const char *text); /* in that row */
bool pty_expect_sent(struct pty *pty, size_t since, const char *bytes);
bool pty_expect_where(struct pty *pty, bool (*holds)(const struct pty *pty));
bool pty_expect_idle(struct pty *pty); /* everything it had to say was taken, and it waits */
int pty_expect_end(struct pty *pty); /* wait status of the program, -1 after the deadline */

void pty_type(struct pty *pty, const char *text); /* UTF-8; \r is Enter, control characters as they are */
void pty_bytes(struct pty *pty, const char *bytes);
void pty_key(struct pty *pty, VTermKey key);
void pty_click(struct pty *pty, int row, int column);
void pty_wheel(struct pty *pty, int row, int column, bool up);
void pty_paste(struct pty *pty, const char *text);
void pty_resize(struct pty *pty, int rows, int columns);
void pty_signal(struct pty *pty, int signal);
void pty_hang_up(struct pty *pty);
void pty_scribble(struct pty *pty, const char *bytes); /* another program writes to the terminal */

VTermScreenCell pty_cell(const struct pty *pty, int row, int column);
int pty_background(const struct pty *pty, int row, int column); /* index of the palette, -1 for the default */
bool pty_has_row(const struct pty *pty, int row);
char *pty_row(const struct pty *pty, int row, char *buffer, size_t size);
bool pty_shows(const struct pty *pty, const char *text);
bool pty_is_alternate(const struct pty *pty);
size_t pty_mark(const struct pty *pty); /* bytes received so far */
bool pty_sent(const struct pty *pty, size_t since, const char *bytes);
/* How many bytes came between the two, -1: they did not. */
size_t pty_sent_between(const struct pty *pty, size_t since, const char *from, const char *to);
pid_t pty_process(const struct pty *pty);
void pty_dump(const struct pty *pty);

#endif
