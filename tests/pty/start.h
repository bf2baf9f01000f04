/* Starting the demo; one test is one process, so the one terminal can be static. */
#ifndef TESTS_PTY_START_H
#define TESTS_PTY_START_H

#include "emulator.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct pty *pty;

__attribute__((unused)) static void start_with(struct pty_options options, const char *argument)
{
    const char *const argv[] = {getenv("PTY_DEMO"), argument, NULL};
    cr_assert(argv[0] != NULL, "PTY_DEMO must name the program under test");
    pty = pty_start(&options, argv);
}

__attribute__((unused)) static void start(struct pty_options options)
{
    start_with(options, NULL);
    cr_assert(pty_expect(pty, "status of the demo"));
}

static void stop(void)
{
    pty_stop(pty);
}

#endif
