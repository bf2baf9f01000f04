/*
 * A terminal whose keys are bytes that somebody else made up: stands in for src/tui/terminal.c and run.c, and for the few
 * functions of curses that src/tui/input.c calls, so that input and loop run as they are, without a terminal.
 */
#ifndef TEST_FAKE_TERMINAL_H
#define TEST_FAKE_TERMINAL_H

#include "stutterscope/tui/terminal.h"

#include <stdint.h>

struct fake_terminal {
    int rows, columns;
    enum glyph_set glyphs;
    bool hurried; /* keys come while work goes on; else one after the other, each when everything is done and drawn */
    const uint8_t *bytes;
    size_t size;
};

/* One at a time. When the bytes are over the terminal is gone. The bytes must stay. */
struct terminal *fake_terminal_open(const struct fake_terminal *is);
void fake_terminal_close(struct terminal *terminal);

#endif
