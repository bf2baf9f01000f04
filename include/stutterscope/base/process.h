/*
 * Other programs, started without a shell: text in, text out, with a deadline. Nothing that stands in their
 * arguments or their input is ever read as a command.
 */
#ifndef STUTTERSCOPE_BASE_PROCESS_H
#define STUTTERSCOPE_BASE_PROCESS_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/progress.h"
#include <stddef.h>
#include <sys/types.h>

struct process_options {
    char *const
        *arguments;    /* the program, found as execvp() finds it, and its arguments; NULL after the last */
    const char *input; /* for its standard input; NULL: none */
    size_t input_size;
    /*
     * It and what it started are killed when that is over; it has no terminal, so that it cannot wait for an
     * answer. 0: no limit, and it stays in the foreground of the terminal.
     */
    int limit_ms;
    size_t output_limit;             /* bytes of standard output; it is killed when it writes more */
    const struct progress *progress; /* asked again and again whether to go on; NULL: nobody is */
};

struct process_result {
    char *output; /* what it wrote; never NULL when process_run() succeeds */
    size_t output_size;
    char *errors;  /* the begin of its standard error, cleaned, without the newline at the end */
    int status;    /* exit status; 128 + N when signal N ended it */
    bool late;     /* killed because of limit_ms */
    bool too_much; /* killed because of output_limit */
};

/*
 * Runs it to its end; what it leaves behind in the background is not waited for. False when it cannot be
 * started, when how it ended cannot be learned, or when progress stopped it (ERROR_STOPPED). What it does not read of its
 * input is no error.
 */
bool process_run(const struct process_options *options, struct process_result *ret, struct error *error);
void process_result_free(struct process_result *result);

/* True when it ended in time, with status 0; else the error says what happened and what it complained about.
 */
bool process_succeeded(const struct process_result *result, const struct process_options *options,
                       struct error *error);

/*
 * For the child of a fork(): signals as a program expects them, then the program. Why it cannot be is written to
 * `report` as an int (errno); a successful exec closes that descriptor, which has to be close-on-exec.
 */
_Noreturn void process_become(char *const arguments[], int report);
/* A pipe whose ends are close-on-exec and never have the number of a standard stream; false with errno. */
bool process_open_pipe(int ends[2]);
/* Waits for a child that was started as name. False when how it ended cannot be learned: that is no success. */
bool process_wait(pid_t child, const char *name, int *ret_status, struct error *error);
/* As a shell counts it: 128 + N when signal N ended it. */
int process_exit_status(int wait_status);

/* Whether execvp() would find the program. */
bool process_is_there(const char *program);

#endif
