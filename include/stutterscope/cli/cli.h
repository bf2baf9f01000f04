/*
 * The command line: one program, verbs, options. Data goes to standard output, everything else to standard error.
 */
#ifndef STUTTERSCOPE_CLI_CLI_H
#define STUTTERSCOPE_CLI_CLI_H

#include "stutterscope/model/model.h"
#include "stutterscope/base/error.h"
#include "stutterscope/base/progress.h"
#include <stdbool.h>

enum exit_status {
    EXIT_DONE = 0,
    EXIT_FINDING = 1,    /* gate, verify, check: something was found */
    EXIT_TROUBLE = 2,    /* usage, terminal, failed work */
    EXIT_INCOMPLETE = 3  /* data is missing */
};

/* What the program is asked to do when it is no verb: browse a store. Given by main(), since cli knows no terminal. */
struct browse_request {
    const char *store;        /* path */
    const char *series, *open_key, *theme, *glyphs;
    bool no_mouse, no_colour, resume, linear;
    const struct analysis_settings *settings; /* NULL: those of the store */
};
typedef int browse_function(const struct browse_request *request, struct error *error);

/* Runs the command line to the end and returns the exit status. */
int cli_main(int argc, char **argv, browse_function *browse);

/* Names of all verbs, for completion; NULL after the last. */
const char *cli_verb_name(size_t index);

/*
 * A line as it would stand behind "stutterscope", with the store that is looked at: for the prompt of the screens. What
 * it prints, as a new string; NULL with an error.
 */
char *cli_run_line(const char *store, const char *line, const struct progress *progress, struct error *error);
/* The index-th line that this one could become by completing its last word: a verb, else an option of it. */
bool cli_complete_line(const char *line, size_t index, char *buffer, size_t size);

#endif
