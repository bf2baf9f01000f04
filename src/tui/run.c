/* Other programs in the foreground: editor, ticket commands, viewers. */
#include "stutterscope/tui/terminal.h"

#include "stutterscope/base/process.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* How the program treats signals while another one has the terminal, to be put back afterwards. */
struct signals_before {
    struct sigaction interrupt, quit, stop;
    sigset_t mask;
};

/*
 * Ctrl-C is for the other program; Ctrl-Z stops both, so that a shell sees its job stop. Both must not be
 * blocked meanwhile: a blocked signal is kept for later even where it is ignored.
 */
static void stand_aside(struct signals_before *before)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, standard = {.sa_handler = SIG_DFL};
    sigset_t open;
    sigaction(SIGINT, &ignore, &before->interrupt);
    sigaction(SIGQUIT, &ignore, &before->quit);
    sigaction(SIGTSTP, &standard, &before->stop);
    sigemptyset(&open);
    sigaddset(&open, SIGTSTP);
    sigaddset(&open, SIGINT);
    sigprocmask(SIG_UNBLOCK, &open, &before->mask);
}

static void come_back(const struct signals_before *before)
{
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
    sigaction(SIGTSTP, &before->stop, NULL);
    sigaction(SIGQUIT, &before->quit, NULL);
    sigaction(SIGINT, &before->interrupt, NULL);
}

static void become(int descriptor, char *const argv[], int report)
{
    /* Standard input may be a pipe of ours; the other program needs the terminal. */
    if (descriptor != STDIN_FILENO)
        dup2(descriptor, STDIN_FILENO);
    process_become(argv, report);
}

bool terminal_run(struct terminal *terminal, char *const argv[], int *ret_status, struct error *error)
{
    int report[2]; /* closed by a successful exec, else carries errno */
    if (!process_open_pipe(report))
        return error_set(error, ERROR_IO, "%s could not be started: %s", argv[0], strerror(errno));
    struct signals_before before;
    terminal_leave(terminal);
    stand_aside(&before);
    pid_t child = fork();
    if (child == 0)
        become(terminal_descriptor(terminal), argv, report[1]);
    int reason = errno;
    bool ended = true;
    close(report[1]);
    if (child > 0) {
        if (read(report[0], &reason, sizeof reason) != sizeof reason)
            reason = 0;
        ended = process_wait(child, argv[0], ret_status, error);
    }
    close(report[0]);
    come_back(&before);
    terminal_return(terminal);
    if (reason != 0)
        return error_set(error, ERROR_IO, "%s could not be started: %s", argv[0], strerror(reason));
    return ended;
}
