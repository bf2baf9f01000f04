#include "emulator.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEADLINE_MS 30000 /* of a busy machine; nobody waits so long for what holds */
#define QUIET_MS    15
#define WIDEST      8192

struct pty {
    VTerm *emulator;
    VTermScreen *screen;
    int rows, columns;
    int descriptor; /* -1 after a hang-up */
    pid_t child;    /* -1 when it has ended */
    bool alternate;
    char *log; /* everything that was received */
    size_t logged;
};

static long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static long deadline(void)
{
    const char *scale = getenv("PTY_TIMEOUT_SCALE"); /* sanitizers and valgrind are slow */
    return milliseconds() + DEADLINE_MS * (scale ? atol(scale) : 1);
}

static void write_whole(const char *bytes, size_t size, void *user)
{
    struct pty *pty = user;
    while (size > 0 && pty->descriptor >= 0) {
        ssize_t done = write(pty->descriptor, bytes, size);
        if (done < 0 && errno != EINTR)
            return;
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
        }
    }
}

static int on_property(VTermProp property, VTermValue *value, void *user)
{
    if (property == VTERM_PROP_ALTSCREEN)
        ((struct pty *)user)->alternate = value->boolean != 0;
    return 1;
}

static const VTermScreenCallbacks screen_callbacks = {.settermprop = on_property};

/* The tests' own surroundings must not matter. */
static void prepare_environment(const struct pty_options *options)
{
    static const char *const unwanted[] = {"LINES", "COLUMNS", "NO_COLOR", "COLORTERM", "ESCDELAY", "TMUX",
                                           "STY",   "LANG",    "LC_CTYPE", "TERMINFO",  "VISUAL",   "EDITOR",
                                           "DISPLAY", "WAYLAND_DISPLAY"};
    for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++)
        unsetenv(unwanted[i]);
    setenv("TERM", options->term ? options->term : "xterm-256color", 1);
    if (options->term && *options->term == '\0')
        unsetenv("TERM");
    setenv("LC_ALL", options->locale ? options->locale : "C.UTF-8", 1);
    setenv("TZ", "UTC", 1);
    for (const char *const *entry = options->more; entry && *entry; entry++)
        putenv((char *)(size_t)*entry);
}

static void say(const char *text)
{
    ssize_t ignored = write(STDOUT_FILENO, text, strlen(text));
    (void)ignored;
}

/*
 * The leader of a session has no shell above it, and the kernel throws SIGTSTP for such orphans away. So the
 * program becomes a job below a shell of a few lines.
 */
static void be_a_shell(char *const argv[])
{
    int status = 0;
    char line = 0;
    signal(SIGTTOU, SIG_IGN);
    pid_t job = fork();
    if (job == 0) {
        setpgid(0, 0);
        tcsetpgrp(STDIN_FILENO, getpgrp());
        signal(SIGTTOU, SIG_DFL);
        execv(argv[0], argv);
        _exit(127);
    }
    setpgid(job, job);
    tcsetpgrp(STDIN_FILENO, job);
    while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
        tcsetpgrp(STDIN_FILENO, getpgrp());
        say("\r\n[stopped]\r\n");
        if (read(STDIN_FILENO, &line, 1) != 1)
            _exit(126);
        tcsetpgrp(STDIN_FILENO, job);
        kill(-job, SIGCONT);
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static void be_the_child(const struct pty_options *options, char *const argv[])
{
    prepare_environment(options);
    /* Whoever runs the tests may ignore some: nohup, a shell's "&", a supervisor. */
    static const int standard[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGCHLD, SIGTSTP};
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
        signal(standard[i], SIG_DFL);
    if (options->ignores_hangup)
        signal(SIGHUP, SIG_IGN);
    if (options->stdin_file) {
        int file = open(options->stdin_file, O_RDONLY);
        if (file < 0 || dup2(file, STDIN_FILENO) < 0)
            _exit(125);
        close(file);
    }
    if (options->as_job)
        be_a_shell(argv);
    execv(argv[0], argv);
    _exit(127);
}

struct pty *pty_start(const struct pty_options *options, const char *const argv[])
{
    struct pty *pty = calloc(1, sizeof *pty);
    pty->rows = options->rows ? options->rows : 24;
    pty->columns = options->columns ? options->columns : 80;
    pty->emulator = vterm_new(pty->rows, pty->columns);
    vterm_set_utf8(pty->emulator, 1);
    vterm_output_set_callback(pty->emulator, write_whole, pty);
    pty->screen = vterm_obtain_screen(pty->emulator);
    vterm_screen_set_callbacks(pty->screen, &screen_callbacks, pty);
    vterm_screen_enable_altscreen(pty->screen, 1);
    vterm_screen_reset(pty->screen, 1);
    struct winsize size = {.ws_row = (unsigned short)pty->rows, .ws_col = (unsigned short)pty->columns};
    pty->child = forkpty(&pty->descriptor, NULL, NULL, &size);
    if (pty->child == 0)
        be_the_child(options, (char *const *)(size_t)argv);
    fcntl(pty->descriptor, F_SETFD, FD_CLOEXEC);
    return pty;
}

void pty_stop(struct pty *pty)
{
    if (pty == NULL)
        return;
    if (pty->child > 0) {
        kill(pty->child, SIGKILL);
        waitpid(pty->child, NULL, 0);
    }
    if (pty->descriptor >= 0)
        close(pty->descriptor);
    vterm_free(pty->emulator);
    free(pty->log);
    free(pty);
}

/* Takes what arrives within the time; false when nothing did. */
static bool take(struct pty *pty, int timeout_ms)
{
    char bytes[65536];
    struct pollfd wait = {.fd = pty->descriptor, .events = POLLIN};
    if (pty->descriptor < 0 || poll(&wait, 1, timeout_ms) <= 0)
        return false;
    ssize_t size = read(pty->descriptor, bytes, sizeof bytes);
    if (size <= 0)
        return false;
    pty->log = realloc(pty->log, pty->logged + (size_t)size);
    memcpy(pty->log + pty->logged, bytes, (size_t)size);
    pty->logged += (size_t)size;
    vterm_input_write(pty->emulator, bytes, (size_t)size);
    vterm_screen_flush_damage(pty->screen);
    return true;
}

struct condition {
    bool (*holds)(const struct pty *pty, const struct condition *condition);
    bool (*given)(const struct pty *pty);
    const char *text;
    int row;
    size_t since;
};

static bool wait_until(struct pty *pty, const struct condition *condition)
{
    long until = deadline();
    for (;;) {
        /* The rest of a picture may still be on its way, so it must hold when nothing more comes. */
        if (condition->holds(pty, condition) && !take(pty, QUIET_MS))
            return true;
        if (milliseconds() >= until) {
            if (condition->text)
                fprintf(stderr, "# waited in vain for \"%s\"\n", condition->text);
            pty_dump(pty);
            return false;
        }
        if (!condition->holds(pty, condition))
            take(pty, 50);
    }
}

static bool is_shown(const struct pty *pty, const struct condition *condition)
{
    return pty_shows(pty, condition->text);
}

static bool is_in_row(const struct pty *pty, const struct condition *condition)
{
    char text[WIDEST];
    return strstr(pty_row(pty, condition->row, text, sizeof text), condition->text) != NULL;
}

static bool was_sent(const struct pty *pty, const struct condition *condition)
{
    return pty_sent(pty, condition->since, condition->text);
}

static bool is_given(const struct pty *pty, const struct condition *condition)
{
    return condition->given(pty);
}

bool pty_expect(struct pty *pty, const char *text)
{
    return wait_until(pty, &(struct condition){.holds = is_shown, .text = text});
}

bool pty_expect_row(struct pty *pty, int row, const char *text)
{
    return wait_until(pty, &(struct condition){.holds = is_in_row, .row = row, .text = text});
}

bool pty_expect_sent(struct pty *pty, size_t since, const char *bytes)
{
    return wait_until(pty, &(struct condition){.holds = was_sent, .since = since, .text = bytes});
}

bool pty_expect_where(struct pty *pty, bool (*holds)(const struct pty *pty))
{
    return wait_until(pty, &(struct condition){.holds = is_given, .given = holds});
}

/* "S" behind the name, which is in parentheses: it waits for something, and whoever only waits for a processor is "R". */
static bool is_asleep(pid_t process)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    const char *name_end = strrchr(text, ')');
    return name_end && strncmp(name_end, ") S", 3) == 0;
}

/* Its wait has no end of its own: the third argument of ppoll(), the time, is NULL. True where the kernel does not tell. */
static bool waits_for_ever(pid_t process)
{
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/%d/syscall", (int)process);
    FILE *file = fopen(path, "r");
    if (!file)
        return true;
    bool some = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    unsigned long call, arguments[3];
    return !some || sscanf(text, "%lu %lx %lx %lx", &call, &arguments[0], &arguments[1], &arguments[2]) != 4 ||
           (call == SYS_ppoll && arguments[2] == 0);
}

bool pty_expect_idle(struct pty *pty)
{
    enum { WAIT_MS = 20 };
    long until = deadline();
    while (milliseconds() < until)
        if (!take(pty, WAIT_MS) && is_asleep(pty->child) && waits_for_ever(pty->child) && !take(pty, 0))
            return true;
    return false;
}

int pty_expect_end(struct pty *pty)
{
    long until = deadline();
    while (milliseconds() < until) {
        int status = 0;
        if (waitpid(pty->child, &status, WNOHANG) == pty->child) {
            while (take(pty, 0))
                ;
            pty->child = -1;
            return status;
        }
        if (!take(pty, 10))
            poll(NULL, 0, 1); /* the terminal may be gone, and poll() with it */
    }
    pty_dump(pty);
    return -1;
}

void pty_bytes(struct pty *pty, const char *bytes)
{
    write_whole(bytes, strlen(bytes), pty);
}

void pty_type(struct pty *pty, const char *text)
{
    pty_bytes(pty, text);
}

void pty_key(struct pty *pty, VTermKey key)
{
    vterm_keyboard_key(pty->emulator, key, VTERM_MOD_NONE);
}

/* As xterm reports with mode 1006; libvterm does not understand how curses switches it on. */
static void report_mouse(struct pty *pty, int button, int row, int column, char what)
{
    char bytes[64];
    snprintf(bytes, sizeof bytes, "\033[<%d;%d;%d%c", button, column + 1, row + 1, what);
    pty_bytes(pty, bytes);
}

void pty_click(struct pty *pty, int row, int column)
{
    report_mouse(pty, 0, row, column, 'M');
    report_mouse(pty, 0, row, column, 'm');
}

void pty_wheel(struct pty *pty, int row, int column, bool up)
{
    report_mouse(pty, up ? 64 : 65, row, column, 'M');
}

void pty_paste(struct pty *pty, const char *text)
{
    pty_bytes(pty, "\033[200~");
    pty_bytes(pty, text);
    pty_bytes(pty, "\033[201~");
}

void pty_resize(struct pty *pty, int rows, int columns)
{
    while (take(pty, 0)) /* what was drawn for the old size */
        ;
    pty->rows = rows;
    pty->columns = columns;
    vterm_set_size(pty->emulator, rows, columns);
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    ioctl(pty->descriptor, TIOCSWINSZ, &size);
}

void pty_signal(struct pty *pty, int signal)
{
    kill(pty->child, signal);
}

void pty_hang_up(struct pty *pty)
{
    close(pty->descriptor);
    pty->descriptor = -1;
}

void pty_scribble(struct pty *pty, const char *bytes)
{
    vterm_input_write(pty->emulator, bytes, strlen(bytes));
    vterm_screen_flush_damage(pty->screen);
}

pid_t pty_process(const struct pty *pty)
{
    return pty->child;
}

VTermScreenCell pty_cell(const struct pty *pty, int row, int column)
{
    VTermScreenCell cell;
    memset(&cell, 0, sizeof cell);
    vterm_screen_get_cell(pty->screen, (VTermPos){.row = row, .col = column}, &cell);
    return cell;
}

int pty_background(const struct pty *pty, int row, int column)
{
    VTermScreenCell cell = pty_cell(pty, row, column);
    bool is_default = VTERM_COLOR_IS_DEFAULT_BG(&cell.bg) || !VTERM_COLOR_IS_INDEXED(&cell.bg);
    return is_default ? -1 : cell.bg.indexed.idx;
}

static size_t encode(uint32_t c, char *out)
{
    int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char lead[4] = {0x00, 0xc0, 0xe0, 0xf0};
    out[0] = (char)(lead[more] | (c >> 6 * more));
    for (int i = 1; i <= more; i++)
        out[i] = (char)(0x80 | (c >> 6 * (more - i) & 0x3f));
    return (size_t)more + 1;
}

bool pty_has_row(const struct pty *pty, int row)
{
    return row >= 0 && row < pty->rows;
}

char *pty_row(const struct pty *pty, int row, char *buffer, size_t size)
{
    size_t used = 0, end = 0;
    for (int column = 0; column < pty->columns && used + 32 < size; column++) {
        VTermScreenCell cell = pty_cell(pty, row, column);
        if (cell.chars[0] == (uint32_t)-1)
            continue;
        if (cell.chars[0] == 0) {
            buffer[used++] = ' ';
            continue;
        }
        for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
            used += encode(cell.chars[i], buffer + used);
        end = buffer[used - 1] == ' ' ? end : used;
    }
    buffer[end] = '\0';
    return buffer;
}

bool pty_shows(const struct pty *pty, const char *text)
{
    char row_text[WIDEST];
    for (int row = 0; row < pty->rows; row++)
        if (strstr(pty_row(pty, row, row_text, sizeof row_text), text))
            return true;
    return false;
}

bool pty_is_alternate(const struct pty *pty)
{
    return pty->alternate;
}

size_t pty_mark(const struct pty *pty)
{
    return pty->logged;
}

bool pty_sent(const struct pty *pty, size_t since, const char *bytes)
{
    return since < pty->logged && memmem(pty->log + since, pty->logged - since, bytes, strlen(bytes)) != NULL;
}

size_t pty_sent_between(const struct pty *pty, size_t since, const char *from, const char *to)
{
    const char *end = pty->log + pty->logged;
    const char *first = memmem(pty->log + since, pty->logged - since, from, strlen(from));
    const char *begin = first ? first + strlen(from) : NULL;
    const char *last = begin ? memmem(begin, (size_t)(end - begin), to, strlen(to)) : NULL;
    return last ? (size_t)(last - begin) : (size_t)-1;
}

void pty_dump(const struct pty *pty)
{
    char text[WIDEST];
    fprintf(stderr, "# %d × %d, %zu bytes received\n", pty->rows, pty->columns, pty->logged);
    for (int row = 0; row < pty->rows; row++)
        fprintf(stderr, "# %3d|%s\n", row, pty_row(pty, row, text, sizeof text));
}
