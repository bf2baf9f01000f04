#include "stutterscope/base/clock.h"
#include "stutterscope/base/process.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum {
    TICK_MS = 10, /* how long its end may go unnoticed */
    PROGRESS_MS = 100,
    ERRORS_KEPT = 8192,
    EXEC_FAILED = 127
};

enum { IN, OUT, ERR, PIPES };

struct process {
    const struct process_options *options;
    pid_t pid;
    int ends[PIPES]; /* ours; -1: closed */
    size_t written;  /* of the input */
    struct text_buffer output, errors;
    int64_t begin_ms, deadline_ms; /* of the steady clock; deadline INT64_MAX: none */
    int64_t told_ms;               /* when progress was asked last */
    bool ended;
    int lost; /* errno of not learning how it ended; 0: it is known */
    int wait_status;
};

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* ---- starting ---- */

_Noreturn void process_become(char *const arguments[], int report)
{
    static const int standard[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTERM, SIGHUP, SIGWINCH, SIGPIPE, SIGCHLD, SIGXFSZ};
    sigset_t none;
    int reason;
    ssize_t ignored;

    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
        signal(standard[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(arguments[0], arguments);
    reason = errno;
    ignored = write(report, &reason, sizeof reason);
    (void)ignored;
    _exit(EXEC_FAILED);
}

int process_exit_status(int wait_status)
{
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

static bool refuse_lost(const char *name, int reason, struct error *error)
{
    return error_set(error, ERROR_IO, "how %s ended is not known: %s%s", name, strerror(reason),
                     reason == ECHILD ? "; is the signal SIGCHLD ignored?" : "");
}

bool process_wait(pid_t child, const char *name, int *ret_status, struct error *error)
{
    int status;

    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return refuse_lost(name, errno, error);
    }
    *ret_status = process_exit_status(status);
    return true;
}

/* In the child. */
static void become(const struct process_options *options, const int theirs[PIPES], int report)
{
    if (options->limit_ms)
        setsid();
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    for (int i = 0; i < PIPES; i++)
        dup2(theirs[i], i); /* IN, OUT, ERR are the numbers of the standard streams */
    process_become(options->arguments, report);
}

static bool refuse(const struct process_options *options, int reason, struct error *error)
{
    return error_set(error, ERROR_IO, "%s could not be started: %s", options->arguments[0], strerror(reason));
}

static void close_pipe(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

/*
 * Where a standard stream is closed, a pipe would get its number: dup2() to itself leaves it close-on-exec, and to another
 * one it takes away what was to be moved later.
 */
bool process_open_pipe(int ends[2])
{
    int low[2], reason;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    if (ends[0] >= PIPES && ends[1] >= PIPES)
        return true;
    low[0] = ends[0];
    low[1] = ends[1];
    ends[0] = fcntl(low[0], F_DUPFD_CLOEXEC, PIPES);
    ends[1] = ends[0] < 0 ? -1 : fcntl(low[1], F_DUPFD_CLOEXEC, PIPES);
    reason = errno;
    close_pipe(low);
    if (ends[1] >= 0)
        return true;
    if (ends[0] >= 0)
        close(ends[0]);
    errno = reason;
    return false;
}

static bool open_pipes(int pipes[PIPES + 1][2])
{
    for (int i = 0; i <= PIPES; i++)
        if (!process_open_pipe(pipes[i])) {
            while (--i >= 0)
                close_pipe(pipes[i]);
            return false;
        }
    return true;
}

static bool start(struct process *process, struct error *error)
{
    int pipes[PIPES + 1][2], theirs[PIPES], reason = 0;
    int *report = pipes[PIPES];

    if (!open_pipes(pipes))
        return refuse(process->options, errno, error);
    for (int i = 0; i < PIPES; i++) {
        theirs[i] = pipes[i][i == IN ? 0 : 1];
        process->ends[i] = pipes[i][i == IN ? 1 : 0];
        fcntl(process->ends[i], F_SETFL, O_NONBLOCK);
    }
    process->pid = fork();
    if (process->pid == 0)
        become(process->options, theirs, report[1]);
    if (process->pid < 0)
        reason = errno;
    close(report[1]);
    for (int i = 0; i < PIPES; i++)
        close(theirs[i]);
    if (process->pid > 0 && read(report[0], &reason, sizeof reason) != sizeof reason)
        reason = 0;
    close(report[0]);
    if (reason == 0)
        return true;
    if (process->pid > 0)
        waitpid(process->pid, NULL, 0);
    for (int i = 0; i < PIPES; i++)
        close_end(&process->ends[i]);
    return refuse(process->options, reason, error);
}

/* ---- running ---- */

static void feed(struct process *process)
{
    const struct process_options *options = process->options;

    while (process->written < options->input_size) {
        ssize_t count = write(process->ends[IN], options->input + process->written,
                              options->input_size - process->written);

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN)
            return;
        if (count < 0)
            break; /* it does not want to know more */
        process->written += (size_t)count;
    }
    close_end(&process->ends[IN]);
}

/* Takes what is there, up to `limit` bytes in all and one more; the rest of errors is thrown away. */
static void take(int *end, struct text_buffer *into, size_t limit)
{
    char part[16384];

    while (*end >= 0) {
        ssize_t count = read(*end, part, sizeof part);
        size_t room = into->count <= limit ? limit + 1 - into->count : 0;

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN)
            return;
        if (count <= 0) {
            close_end(end);
            return;
        }
        text_add_bytes(into, part, (size_t)count < room ? (size_t)count : room);
        if (into->count > limit)
            return;
    }
}

static void take_all(struct process *process)
{
    take(&process->ends[OUT], &process->output, process->options->output_limit);
    take(&process->ends[ERR], &process->errors, ERRORS_KEPT);
    if (process->errors.count > ERRORS_KEPT)
        process->errors.count = ERRORS_KEPT; /* so that it goes on being read */
}

static void look_whether_it_ended(struct process *process)
{
    pid_t pid = waitpid(process->pid, &process->wait_status, WNOHANG);

    process->lost = pid < 0 && errno != EINTR ? errno : 0;
    process->ended = pid == process->pid || process->lost;
}

static void kill_it(struct process *process)
{
    kill(process->options->limit_ms ? -process->pid : process->pid, SIGKILL);
    while (waitpid(process->pid, &process->wait_status, 0) < 0 && errno == EINTR)
        ;
    process->ended = true;
}

static void wait_a_tick(struct process *process)
{
    struct pollfd polled[PIPES];
    int64_t left = process->deadline_ms - clock_steady_ms();

    for (int i = 0; i < PIPES; i++)
        polled[i] = (struct pollfd){.fd = process->ends[i], .events = i == IN ? POLLOUT : POLLIN};
    if (poll(polled, PIPES, left < TICK_MS ? (left > 0 ? (int)left : 0) : TICK_MS) <= 0)
        return;
    if (process->ends[IN] >= 0 && polled[IN].revents)
        feed(process);
    take_all(process);
}

/* False when somebody wants it to stop. Now and then, in seconds. */
static bool tell(struct process *process, struct error *error)
{
    int64_t now = clock_steady_ms();

    if (now - process->told_ms < PROGRESS_MS)
        return true;
    process->told_ms = now;
    return progress_report(process->options->progress, process->options->arguments[0],
                           (now - process->begin_ms) / 1000, process->options->limit_ms / 1000, error);
}

static bool run(struct process *process, struct process_result *ret, struct error *error)
{
    process->begin_ms = process->told_ms = clock_steady_ms();
    process->deadline_ms =
        process->options->limit_ms ? process->begin_ms + process->options->limit_ms : INT64_MAX;
    if (!process->options->input_size)
        close_end(&process->ends[IN]);
    while (!process->ended) {
        wait_a_tick(process);
        look_whether_it_ended(process);
        if (process->ended)
            take_all(process);
        ret->too_much = process->output.count > process->options->output_limit;
        if (process->ended)
            break;
        ret->late = clock_steady_ms() >= process->deadline_ms;
        if (ret->late || ret->too_much) {
            kill_it(process);
        } else if (!tell(process, error)) {
            kill_it(process);
            return false;
        }
    }
    return true;
}

static char *trimmed(const struct text_buffer *errors)
{
    char *clean = text_clean_lines(errors->items ? errors->items : "", errors->count);
    size_t length = strlen(clean);

    while (length && strchr(" \n", clean[length - 1]))
        clean[--length] = '\0';
    return clean;
}

bool process_run(const struct process_options *options, struct process_result *ret, struct error *error)
{
    struct process process = {.options = options};
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    bool good;

    memset(ret, 0, sizeof *ret);
    if (!start(&process, error))
        return false;
    sigaction(SIGPIPE, &ignore, &before); /* it may end without reading its input */
    good = run(&process, ret, error) && (!process.lost || refuse_lost(options->arguments[0], process.lost, error));
    sigaction(SIGPIPE, &before, NULL);
    for (int i = 0; i < PIPES; i++)
        close_end(&process.ends[i]);
    ret->output_size = process.output.count;
    ret->output = text_take(&process.output);
    ret->errors = trimmed(&process.errors);
    ret->status = process_exit_status(process.wait_status);
    array_free(&process.errors);
    if (!good)
        process_result_free(ret);
    return good;
}

void process_result_free(struct process_result *result)
{
    free(result->output);
    free(result->errors);
    memset(result, 0, sizeof *result);
}

bool process_succeeded(const struct process_result *result, const struct process_options *options,
                       struct error *error)
{
    const char *name = options->arguments[0];
    int first = (int)strcspn(result->errors, "\n");

    if (result->late)
        error_set(error, ERROR_IO, "%s was not done after %d.%d s", name, options->limit_ms / 1000,
                  options->limit_ms % 1000 / 100);
    else if (result->too_much)
        error_set(error, ERROR_IO, "%s wrote more than %zu bytes", name, options->output_limit);
    else if (result->status != 0)
        error_set(error, ERROR_IO, "%s ended with status %d%s%.*s", name, result->status, first ? ": " : "",
                  first, result->errors);
    else
        return true;
    return false;
}

bool process_is_there(const char *program)
{
    const char *path = getenv("PATH");
    bool there = false;

    if (strchr(program, '/'))
        return access(program, X_OK) == 0;
    while (path && !there) {
        size_t length = strcspn(path, ":");
        char *file = memory_print("%.*s%s%s", (int)length, path, length ? "/" : "./", program);

        there = access(file, X_OK) == 0;
        free(file);
        path = path[length] ? path + length + 1 : NULL;
    }
    return there;
}
