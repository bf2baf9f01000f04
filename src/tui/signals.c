#include "signals.h"

#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { RESCUE_MOST = 1024 };

/* Written by handlers, read by the loop. */
static volatile sig_atomic_t stop_wanted, interrupt_wanted, end_wanted;

/* Read by the crash handler, so nothing here allocates or locks. */
static struct {
    volatile sig_atomic_t descriptor;
    struct termios modes;
    char bytes[RESCUE_MOST]; /* what gives the terminal back, then what to report */
    size_t restoring, size;
} rescue = {.descriptor = -1};

/* A stack of its own, so that an exhausted stack is also restored from. */
static char crash_stack[65536];

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGSYS};
static const int deferred[] = {SIGTSTP, SIGINT, SIGTERM, SIGHUP, SIGWINCH};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void on_stop(int signal)
{
    (void)signal;
    stop_wanted = 1;
}

static void on_interrupt(int signal)
{
    (void)signal;
    interrupt_wanted = 1;
}

static void on_end(int signal)
{
    end_wanted = signal;
}

/* Who presses Ctrl-\ wants out and has nothing to report. */
static void on_crash(int signal)
{
    char number[] = {(char)('0' + signal / 10 % 10), (char)('0' + signal % 10), '\r', '\n'};
    if (rescue.descriptor >= 0) {
        ssize_t ignored = write(rescue.descriptor, rescue.bytes, signal == SIGQUIT ? rescue.restoring : rescue.size);
        if (signal != SIGQUIT)
            ignored = write(rescue.descriptor, number, sizeof number);
        (void)ignored;
        tcsetattr(rescue.descriptor, TCSANOW, &rescue.modes);
    }
    raise(signal); /* SA_RESETHAND: now the default action */
}

/* Signals that were ignored when the program started (nohup) stay ignored. */
static void install(int signal, void (*handler)(int), int flags)
{
    struct sigaction old, action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
        return;
    sigaction(signal, &action, NULL);
}

void signals_take(sigset_t *ret_waiting)
{
    stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < COUNT_OF(crashes); i++)
        install(crashes[i], on_crash, (int)(SA_RESETHAND | SA_ONSTACK));
    install(SIGTSTP, on_stop, 0);
    install(SIGINT, on_interrupt, 0);
    install(SIGTERM, on_end, 0);
    install(SIGHUP, on_end, 0);
    sigset_t blocked;
    sigemptyset(&blocked);
    for (size_t i = 0; i < COUNT_OF(deferred); i++)
        sigaddset(&blocked, deferred[i]);
    sigprocmask(SIG_BLOCK, &blocked, ret_waiting);
}

void signals_give_back(const sigset_t *waiting)
{
    static const int handled[] = {SIGTSTP, SIGINT, SIGTERM, SIGHUP};
    /* First, so that what is still pending (a hang-up seen by poll) meets our handlers. */
    sigprocmask(SIG_SETMASK, waiting, NULL);
    for (size_t i = 0; i < COUNT_OF(handled); i++) {
        struct sigaction action;
        /* Only what is ours: ignored ones stay ignored. */
        if (sigaction(handled[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            signal(handled[i], SIG_DFL);
    }
    for (size_t i = 0; i < COUNT_OF(crashes); i++)
        signal(crashes[i], SIG_DFL);
}

bool signals_take_stop(void)
{
    bool wanted = stop_wanted != 0;
    stop_wanted = 0;
    return wanted;
}

bool signals_take_interrupt(void)
{
    bool wanted = interrupt_wanted != 0;
    interrupt_wanted = 0;
    return wanted;
}

int signals_end(void)
{
    return end_wanted;
}

void signals_stop_self(void)
{
    /* SIGTSTP and not SIGSTOP: the kernel drops it where no shell could continue us. */
    sigset_t only_stop, before;
    struct sigaction action;
    if (sigaction(SIGTSTP, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
        return; /* whoever started us wants no stopping */
    sigemptyset(&only_stop);
    sigaddset(&only_stop, SIGTSTP);
    signal(SIGTSTP, SIG_DFL);
    raise(SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &only_stop, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    install(SIGTSTP, on_stop, 0);
    stop_wanted = 0;
}

void signals_arm_rescue(int descriptor, const struct termios *modes, const char *restore, const char *report)
{
    size_t restoring = strnlen(restore, sizeof rescue.bytes), reporting = strnlen(report, sizeof rescue.bytes - restoring);
    rescue.descriptor = -1;
    rescue.modes = *modes;
    memcpy(rescue.bytes, restore, restoring);
    memcpy(rescue.bytes + restoring, report, reporting);
    rescue.restoring = restoring;
    rescue.size = restoring + reporting;
    rescue.descriptor = descriptor;
}

void signals_disarm_rescue(void)
{
    rescue.descriptor = -1;
}
