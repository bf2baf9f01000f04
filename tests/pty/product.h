/*
 * The program itself on the sample telemetry, every test with a store and a home of its own. PTY_PROGRAM and PTY_DATA say
 * where program and data are.
 */
#ifndef TESTS_PTY_PRODUCT_H
#define TESTS_PTY_PRODUCT_H

#include "emulator.h"

#define PRODUCT_ROWS    30
#define PRODUCT_COLUMNS 100
#define ROW_TABS        0
#define ROW_WHERE       1
#define ROW_ANSWER      2
#define ROW_STATUS      (PRODUCT_ROWS - 2)
#define ROW_KEYS        (PRODUCT_ROWS - 1)

struct product {
    struct pty *pty;
    char folder[64]; /* home, state, configuration and store of this test */
    char store[96];
};

/* Starts it on the Map; rows 0: PRODUCT_ROWS x PRODUCT_COLUMNS. further: an argument, or NULL. */
void product_start(struct product *product, struct pty_options options, const char *further);
/* The same without waiting for the first picture; NULL-terminated arguments in place of the usual. */
void product_start_with(struct product *product, struct pty_options options, const char *const arguments[]);
void product_stop(struct product *product);
/* Standard output and error of a verb, in a new string; *ret_status its exit status. */
char *product_run(const struct product *product, const char *arguments, int *ret_status);

#endif
