#include "stutterscope/base/memory.h"
#include "stutterscope/base/process.h"
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIMIT_MS = 20000, OUTPUT = 1 << 20 };

#define ARGUMENTS(...) ((char *const *)(const char *const[]){__VA_ARGS__, NULL})

static struct process_result run(const struct process_options *options)
{
    struct process_result result;
    struct error error = {0};

    cr_assert(process_run(options, &result, &error), "%s", error.text);
    return result;
}

static struct process_options options_of(char *const *arguments)
{
    return (struct process_options){.arguments = arguments, .limit_ms = LIMIT_MS, .output_limit = OUTPUT};
}

Test(process, text_goes_through)
{
    static const char input[] = "one\ntwo";
    struct process_options options = options_of(ARGUMENTS("cat"));
    struct process_result result;
    struct error error = {0};

    options.input = input;
    options.input_size = strlen(input);
    result = run(&options);
    cr_assert_str_eq(result.output, input);
    cr_assert_eq(result.output_size, strlen(input));
    cr_assert_str_eq(result.errors, "");
    cr_assert_eq(result.status, 0);
    cr_assert(process_succeeded(&result, &options, &error));
    process_result_free(&result);
}

/* More than pipes hold, in both directions at once. */
Test(process, much_text_does_not_block)
{
    enum { SIZE = 700000 };
    char *input = memory_take(SIZE);
    struct process_options options = options_of(ARGUMENTS("cat"));
    struct process_result result;

    for (size_t i = 0; i < SIZE; i++)
        input[i] = (char)('a' + i % 26);
    options.input = input;
    options.input_size = SIZE;
    result = run(&options);
    cr_assert_eq(result.output_size, SIZE);
    cr_assert_eq(memcmp(result.output, input, SIZE), 0);
    process_result_free(&result);
    free(input);
}

Test(process, arguments_are_no_shell_text)
{
    struct process_options options =
        options_of(ARGUMENTS("printf", "%s|", "$(reboot)", "a b", "`id`", "*", "; rm x", "'", ""));
    struct process_result result = run(&options);

    cr_assert_str_eq(result.output, "$(reboot)|a b|`id`|*|; rm x|'||");
    process_result_free(&result);
}

Test(process, input_that_is_not_read_is_no_error)
{
    enum { SIZE = 300000 };
    char *input = memory_take_zeroed(1, SIZE);
    struct process_options options = options_of(ARGUMENTS("true"));
    struct process_result result;

    options.input = input;
    options.input_size = SIZE;
    result = run(&options);
    cr_assert_eq(result.status, 0);
    process_result_free(&result);
    free(input);
}

Test(process, failures_are_told)
{
    struct process_options options = options_of(ARGUMENTS("sh", "-c", "echo out; echo sorry >&2; exit 3"));
    struct process_result result = run(&options);
    struct error error = {0};

    cr_assert_str_eq(result.output, "out\n");
    cr_assert_str_eq(result.errors, "sorry");
    cr_assert_eq(result.status, 3);
    cr_assert_not(process_succeeded(&result, &options, &error));
    cr_assert_str_eq(error.text, "sh ended with status 3: sorry");
    process_result_free(&result);
    options.arguments = ARGUMENTS("sh", "-c", "kill -TERM $$");
    result = run(&options);
    cr_assert_eq(result.status, 128 + SIGTERM);
    process_result_free(&result);
    options.arguments = ARGUMENTS("/nonexistent/program");
    cr_assert_not(process_run(&options, &result, &error));
    cr_assert_eq(error.code, ERROR_IO);
    cr_assert(strstr(error.text, "/nonexistent/program could not be started"), "%s", error.text);
}

/* It and its children: the pipe is held open by a grandchild, too. */
Test(process, slow_ones_are_killed, .timeout = 15)
{
    struct process_options options = options_of(ARGUMENTS("sh", "-c", "echo begun; sleep 100 & sleep 100"));
    struct process_result result;
    struct error error = {0};

    options.limit_ms = 2500;
    result = run(&options);
    cr_assert(result.late);
    cr_assert_str_eq(result.output, "begun\n");
    cr_assert_not(process_succeeded(&result, &options, &error));
    cr_assert_str_eq(error.text, "sh was not done after 2.5 s");
    process_result_free(&result);
}

Test(process, endless_output_is_cut, .timeout = 15)
{
    struct process_options options = options_of(ARGUMENTS("yes"));
    struct process_result result;
    struct error error = {0};

    options.output_limit = 1000;
    result = run(&options);
    cr_assert(result.too_much);
    cr_assert_leq(result.output_size, 1001);
    cr_assert_not(process_succeeded(&result, &options, &error));
    cr_assert_str_eq(error.text, "yes wrote more than 1000 bytes");
    process_result_free(&result);
    options.arguments = ARGUMENTS("sh", "-c", "yes | head -c 1000");
    result = run(&options);
    cr_assert_not(result.too_much);
    cr_assert_eq(result.output_size, 1000);
    process_result_free(&result);
}

/* Much on standard error does not block it, and its begin is kept. */
Test(process, endless_complaints_do_not_block, .timeout = 15)
{
    struct process_options options =
        options_of(ARGUMENTS("sh", "-c", "echo first >&2; yes | head -c 500000 >&2; echo done"));
    struct process_result result = run(&options);

    cr_assert_str_eq(result.output, "done\n");
    cr_assert_eq(strncmp(result.errors, "first\ny\n", 8), 0);
    cr_assert_leq(strlen(result.errors), 8192);
    process_result_free(&result);
}

/* A program that stays in the background with our pipes, as clipboards do, is not waited for. */
Test(process, what_stays_behind_is_not_waited_for, .timeout = 15)
{
    struct process_options options = options_of(ARGUMENTS("sh", "-c", "sleep 30 & echo $!"));
    struct process_result result = run(&options);
    long left = strtol(result.output, NULL, 10);

    cr_assert_gt(left, 1);
    cr_assert_eq(kill((pid_t)left, SIGKILL), 0, "it should be there still");
    cr_assert_not(result.late);
    process_result_free(&result);
}

static bool stop(void *user, const char *what, int64_t done, int64_t total)
{
    (void)what;
    (void)done;
    (void)total;
    return ++*(int *)user < 3;
}

Test(process, can_be_stopped, .timeout = 15)
{
    int asked = 0;
    struct progress progress = {stop, &asked};
    struct process_options options = options_of(ARGUMENTS("sleep", "100"));
    struct process_result result;
    struct error error = {0};

    options.progress = &progress;
    cr_assert_not(process_run(&options, &result, &error));
    cr_assert_eq(error.code, ERROR_STOPPED);
    cr_assert_eq(asked, 3);
}

/* Where ended programs are forgotten at once, a failure must not look like success. */
Test(process, an_end_that_nobody_learns_is_no_success, .timeout = 15)
{
    static const char *const scripts[] = {"exit 3", "exit 0"};
    int status = -7;
    struct error error = {0};
    pid_t child;

    signal(SIGCHLD, SIG_IGN);
    for (size_t i = 0; i < 2; i++) {
        struct process_options options = options_of(ARGUMENTS("sh", "-c", scripts[i]));
        struct process_result result;

        error = (struct error){0};
        cr_assert_not(process_run(&options, &result, &error));
        cr_expect_eq(error.code, ERROR_IO);
        cr_expect(strstr(error.text, "how sh ended is not known") && strstr(error.text, "SIGCHLD"), "%s", error.text);
        cr_expect_null(result.output);
    }
    child = fork();
    if (child == 0)
        _exit(4);
    cr_assert_not(process_wait(child, "editor", &status, &error));
    cr_expect_eq(status, -7);
    cr_expect(strstr(error.text, "how editor ended is not known"), "%s", error.text);
    signal(SIGCHLD, SIG_DFL);
    child = fork();
    if (child == 0)
        _exit(4);
    cr_assert(process_wait(child, "editor", &status, &error));
    cr_expect_eq(status, 4);
}

/* A caller may have closed any of them: what is started has all three all the same. */
Test(process, standard_streams_that_are_closed, .timeout = 15)
{
    int copies[3];
    struct {
        struct process_result result;
        struct error error;
        bool good;
    } seen[8];

    for (int i = 0; i < 3; i++)
        copies[i] = dup(i);
    for (int closed = 1; closed < 8; closed++) {
        struct process_options options = options_of(ARGUMENTS("sh", "-c", "cat; echo complaint >&2"));

        options.input = "told";
        options.input_size = 4;
        for (int i = 0; i < 3; i++) {
            if (closed & 1 << i)
                close(i);
        }
        seen[closed].error = (struct error){0};
        seen[closed].good = process_run(&options, &seen[closed].result, &seen[closed].error);
        for (int i = 0; i < 3; i++)
            dup2(copies[i], i);
    }
    for (int closed = 1; closed < 8; closed++) {
        cr_assert(seen[closed].good, "%d: %s", closed, seen[closed].error.text);
        cr_expect_str_eq(seen[closed].result.output, "told", "%d", closed);
        cr_expect_str_eq(seen[closed].result.errors, "complaint", "%d", closed);
        cr_expect_eq(seen[closed].result.status, 0);
        process_result_free(&seen[closed].result);
    }
    for (int i = 0; i < 3; i++)
        close(copies[i]);
}

Test(process, knows_what_can_be_started)
{
    cr_assert(process_is_there("sh"));
    cr_assert(process_is_there("/bin/sh"));
    cr_assert_not(process_is_there("no-such-program-here"));
    cr_assert_not(process_is_there("/etc/passwd"));
}
