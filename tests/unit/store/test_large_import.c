/* Imports so large that they go past the log of the database, made small for the tests. */
#include "database.h"
#include "fixture.h"
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct error error;

TestSuite(large_import, .init = scratch_make, .fini = scratch_remove);

/* Some hundred frames in visits of their own, so that every table gets several rows. */
static bool import_run(struct store *store, const char *name)
{
    struct run_facts facts = plain_facts("1", "A", name);
    struct visit visits[24];
    struct import_outcome outcome;

    for (int i = 0; i < 24; i++)
        visits[i] = (struct visit){i % 2 ? "Menu" : "Battle", NULL, (1 + i * 40) * 20 * MS, 20 * MS, 30, "spawn"};
    return import_visits(store, name, name, &facts, visits, 24, &outcome, &error);
}

static void assert_log(struct store *store)
{
    sqlite3_stmt *query = store_query(store, &error, "PRAGMA journal_mode", "");

    cr_assert_eq(sqlite3_step(query), SQLITE_ROW);
    cr_assert_str_eq((const char *)sqlite3_column_text(query, 0), "wal");
    store_finish(store, query, SQLITE_ROW, &error);
    cr_assert_eq(store->journal, JOURNAL_LOG);
}

static int64_t sound_runs(struct store *store)
{
    int64_t problems;

    cr_assert(store_check(store, NULL, NULL, &problems, &error), "%s", error.text);
    cr_assert_eq(problems, 0);
    return count_rows(store, "run");
}

Test(large_import, goes_past_the_log_and_back)
{
    struct store *store = open_store(scratch_path("store.db"), STORE_CREATE);

    store->large_import = 0;
    cr_assert(import_run(store, "a"), "%s", error.text);
    assert_log(store);
    cr_assert(access(scratch_path("store.db-journal"), F_OK) != 0);
    cr_assert(import_run(store, "b"), "%s", error.text);
    cr_assert_eq(sound_runs(store), 2);
    assert_log(store);
    store_close(store);
}

Test(large_import, stays_in_the_log_while_somebody_reads)
{
    struct store *store = open_store(scratch_path("store.db"), STORE_CREATE);
    struct store *reader = open_store(store_path(store), STORE_READ);
    struct run_filter all = {0};
    struct run_list before = {0};

    store->large_import = 0;
    store_set_patience(store, 1);
    cr_assert(import_run(store, "a"), "%s", error.text);
    cr_assert(store_hold(reader) && store_list_runs(reader, &all, &before, &error), "%s", error.text);
    cr_assert_eq(before.count, 1);
    run_list_free(&before);
    cr_assert(import_run(store, "b"), "%s", error.text);
    before = (struct run_list){0};
    cr_assert(store_list_runs(reader, &all, &before, &error), "%s", error.text);
    cr_assert_eq(before.count, 1, "what is read stays as it was");
    run_list_free(&before);
    store_release(reader);
    assert_log(store);
    cr_assert_eq(sound_runs(store), 2);
    store_close(reader);
    store_close(store);
}

static int kill_at(unsigned event, void *left, void *statement, void *text)
{
    (void)event, (void)statement, (void)text;
    if (--*(int *)left == 0)
        raise(SIGKILL);
    return 0;
}

/* false: it was through before that statement. */
static bool dies_at(const char *path, int statement)
{
    int status;
    pid_t child = fork();

    cr_assert(child >= 0);
    if (child == 0) {
        struct store *store;

        if (!store_open(path, STORE_WRITE, &store, &error))
            _exit(2);
        store->large_import = 0;
        /* Too small for what is changed: pages reach the file before the end. */
        store_execute(store, "PRAGMA cache_size = 5", &error);
        sqlite3_trace_v2(store->db, SQLITE_TRACE_STMT, kill_at, &statement);
        _exit(import_run(store, "b") ? 0 : 3);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFSIGNALED(status) || WEXITSTATUS(status) == 0, "status %d", WEXITSTATUS(status));
    return WIFSIGNALED(status);
}

Test(large_import, killed_at_any_statement_it_is_whole_or_nothing, .timeout = 300)
{
    const char *path = scratch_path("store.db");
    struct store *store = open_store(path, STORE_CREATE);
    int deaths = 0;

    cr_assert(import_run(store, "a"), "%s", error.text);
    store_close(store);
    /* The first statements one by one, the many that follow in steps. */
    for (int at = 1; dies_at(path, at); at += at < 12 ? 1 : 7) {
        deaths++;
        store = open_store(path, STORE_READ);
        cr_assert_eq(sound_runs(store), 1, "killed at statement %d", at);
        store_close(store);
    }
    cr_assert(deaths >= 20, "only %d places", deaths);
    store = open_store(path, STORE_WRITE);
    cr_assert_eq(sound_runs(store), 2);
    assert_log(store);
    store_close(store);
}

/* As nobody, whom permissions bind: root may write anywhere. */
static void read_as_nobody(const char *path)
{
    struct store *store;

    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        _exit(4);
    if (store_open(path, STORE_READ, &store, &error))
        _exit(0);
    _exit(strstr(error.text, "store.db-journal that can be read only where the folder can be written") ? 1 : 2);
}

Test(large_import, a_journal_that_cannot_be_played_back_is_said)
{
    const char *path = scratch_path("store.db"), *folder = scratch_path("");
    FILE *journal;
    int status;
    pid_t child;

    store_close(open_store(path, STORE_CREATE));
    journal = fopen(scratch_path("store.db-journal"), "w");
    cr_assert(journal != NULL);
    fputs("old pages", journal);
    fclose(journal);
    cr_assert(chmod(path, 0444) == 0 && chmod(folder, 0555) == 0);
    child = fork();
    cr_assert(child >= 0);
    if (child == 0)
        read_as_nobody(path);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(chmod(folder, 0755) == 0);
    cr_assert(WIFEXITED(status));
    cr_assert_eq(WEXITSTATUS(status), 1, "status %d", WEXITSTATUS(status));
}
