/* Lines of the ":" prompt: what they print and what goes wrong stays inside of the screens. */
#include "stutterscope/cli/cli.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/view/history.h"
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/stutterscope-prompt-XXXXXX";
static char *store, *aside;

static void use_scratch(void)
{
    int file;

    cr_assert(mkdtemp(folder));
    setenv("XDG_CONFIG_HOME", folder, 1);
    setenv("XDG_STATE_HOME", folder, 1);
    store = path_join(folder, "store.db");
    aside = path_join(folder, "stderr");
    file = open(aside, O_RDWR | O_CREAT | O_TRUNC, 0600);
    cr_assert(file >= 0 && dup2(file, STDERR_FILENO) >= 0);
    close(file);
}

static void remove_scratch(void)
{
    char *command = memory_print("rm -rf '%s'", folder);

    cr_assert_eq(system(command), 0);
    free(command);
    free(store);
    free(aside);
}

TestSuite(prompt, .init = use_scratch, .fini = remove_scratch);

/* What the line shows: its output, else why it failed. */
static char *shown(const char *line)
{
    struct error error;
    char *output, *said;
    size_t size;

    memset(&error, 'x', sizeof error); /* whatever it held before */
    output = cli_run_line(store, line, NULL, &error);
    cr_assert(path_read_all(aside, 1 << 20, &said, &size, NULL));
    cr_assert_str_eq(said, "", "%s wrote over the screen", line);
    free(said);
    return output ? output : memory_copy_text(error.text);
}

static void check(const char *line, const char *says)
{
    char *text = shown(line);

    cr_assert(strstr(text, says), "%s: %s", line, text);
    cr_assert_null(strstr(text, "hunter2"), "%s: %s", line, text);
    free(text);
}

Test(prompt, failures_are_told_in_words)
{
    check("stutters", "there is no store yet");
    check("import /nonexistent/night.csv", "/nonexistent/night.csv");
    check("import clickhouse://127.0.0.1:1/db", "nothing answers there");
    check("import clickhouse://somebody:hunter2@host/db", "do not belong into the address");
    check("clickhouse://somebody:hunter2@host/db", "expected a verb");
    check("verify clickhouse://somebody:hunter2@host/db more", "is too much");
    check("demo", "expected a verb");
}

Test(prompt, nothing_reads_the_keyboard_or_waits_for_ever)
{
    check("import -", "is the keyboard here");
    check("verify -", "is the keyboard here");
    check("ticket --data -", "is the keyboard here");
    check("import --watch /tmp", "needs a terminal of its own");
}

Test(prompt, help_is_shown_and_nothing_is_done)
{
    check("check --help", "look for damage in the store");
    check("import --version", "stutterscope ");
    cr_assert(access(store, F_OK) != 0, "no store was made");
}

/* What is wrong with one file does not hide what was taken of the other. */
Test(prompt, a_part_that_failed_stands_beside_the_rest)
{
    static const char rows[] = "timestamp_ms,frame_time_ms,build_id,device_model,scene\n20,20,b1,Pixel,Menu\n40,20,b1,Pixel,Menu\n";
    char *good = path_join(folder, "good.csv"), *line = memory_print("import %s /nonexistent/night.csv", good);

    cr_assert(path_write_all(good, rows, strlen(rows), NULL));
    check(line, "2 frames");
    check(line, "/nonexistent/night.csv");
    free(line);
    free(good);
}

Test(prompt, history_keeps_no_password)
{
    char *file = path_join(folder, "stutterscope/history.json"), *text;
    char **lines;
    size_t size;

    history_add("command", "import clickhouse://somebody:hunter2@host/db --dry-run");
    history_add("command", "builds");
    lines = history_load("command");
    cr_assert_str_eq(lines[1], "import clickhouse://host/db --dry-run");
    history_free(lines);
    cr_assert(path_read_all(file, 1 << 20, &text, &size, NULL));
    cr_assert_null(strstr(text, "hunter2"));
    free(text);
    free(file);
}
