#include "stutterscope/base/editor.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/process.h"
#include "stutterscope/base/text.h"
#include "stutterscope/base/words.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 4 << 20, ENDING = 3 /* ".md" */ };

static const char *editor_command(void)
{
    static const char *const names[] = {"VISUAL", "EDITOR"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *command = getenv(names[i]);

        if (command && command[strspn(command, " \t")])
            return command;
    }
    return "vi";
}

static bool run_on(const char *path, editor_run *run, void *user, struct error *error)
{
    const char *command = editor_command();
    struct words words;
    int status = 0;
    bool good;

    if (!words_split(command, &words, error))
        return error_prefix(error, "the editor ($VISUAL or $EDITOR)");
    words_add(&words, path);
    good = run(user, words.items, &status, error);
    if (good && status != 0)
        good = error_set(error, ERROR_IO, "the editor (%s) ended with status %d: the text stays as it was", command, status);
    words_free(&words);
    return good;
}

bool editor_edit(const char *text, editor_run *run, void *user, char **ret_text, struct error *error)
{
    const char *folder = getenv("TMPDIR");
    char *path = memory_print("%s/stutterscope-XXXXXX.md", folder && *folder ? folder : "/tmp"), *bytes = NULL;
    size_t read = 0;
    int file = mkostemps(path, ENDING, O_CLOEXEC); /* mode 0600 */
    bool good = file >= 0 && file_write_whole(file, text, strlen(text));

    if (!good)
        error_set(error, ERROR_IO, "%s could not be written: %s", path, strerror(errno));
    if (file >= 0)
        close(file);
    good = good && run_on(path, run, user, error) && path_read_all(path, MOST_BYTES, &bytes, &read, error);
    if (good)
        *ret_text = text_clean_lines(bytes, read);
    if (file >= 0)
        unlink(path);
    free(bytes);
    free(path);
    return good;
}

/* ---- without screens ---- */

/* dup2() to itself would leave it close-on-exec. */
static void dup_over(int from, int to)
{
    if (from == to)
        fcntl(to, F_SETFD, 0);
    else
        dup2(from, to);
}

/* In the child: standard streams that are no terminal become the terminal, then the editor. */
static void become(char *const arguments[], int report)
{
    int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);

    for (int stream = STDIN_FILENO; stream <= STDOUT_FILENO; stream++)
        if (terminal >= 0 && (terminal == stream || !isatty(stream)))
            dup_over(terminal, stream);
    process_become(arguments, report);
}

bool editor_run_here(void *user, char *const arguments[], int *ret_status, struct error *error)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    int report[2], reason = 0;
    bool ended = true;
    pid_t child;

    (void)user;
    if (!process_open_pipe(report))
        return error_set(error, ERROR_IO, "%s could not be started: %s", arguments[0], strerror(errno));
    /* Ctrl-C is the editor's while it has the terminal. */
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    child = fork();
    if (child == 0)
        become(arguments, report[1]);
    if (child < 0)
        reason = errno;
    close(report[1]);
    if (child > 0 && read(report[0], &reason, sizeof reason) != sizeof reason)
        reason = 0;
    close(report[0]);
    if (child > 0)
        ended = process_wait(child, arguments[0], ret_status, error);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    if (reason)
        return error_set(error, ERROR_IO, "%s could not be started: %s", arguments[0], strerror(reason));
    return ended;
}
