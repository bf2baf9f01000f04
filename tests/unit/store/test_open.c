#include "fixture.h"
#include "stutterscope/base/memory.h"
#include <criterion/criterion.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(open, .init = scratch_make, .fini = scratch_remove);

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

static char *read_file(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL);
    char *bytes = memory_take(1 << 20);
    *ret_size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* Refused in every mode, with this code and words, and not one byte changed. */
static void assert_refused(const char *path, enum error_code code, const char *words)
{
    size_t before_size, after_size;
    char *before = read_file(path, &before_size);
    for (enum store_mode mode = STORE_READ; mode <= STORE_CREATE; mode++) {
        struct store *store = NULL;
        struct error error = {0};
        cr_assert(!store_open(path, mode, &store, &error), "mode %d", mode);
        cr_assert_eq(error.code, code, "%s", error.text);
        cr_assert(strstr(error.text, words) != NULL && strstr(error.text, path) != NULL, "%s", error.text);
    }
    char *after = read_file(path, &after_size);
    cr_assert(before_size == after_size && memcmp(before, after, before_size) == 0);
    free(before);
    free(after);
}

Test(open, modes)
{
    const char *path = scratch_path("new/store.db");
    struct store *store = NULL;
    struct error error = {0};
    cr_assert(!store_open(path, STORE_READ, &store, &error));
    cr_assert_eq(error.code, ERROR_IO);
    cr_assert(strstr(error.text, "There is no store") != NULL, "%s", error.text);
    cr_assert(!store_open(path, STORE_WRITE, &store, &error));
    cr_assert(access(path, F_OK) != 0);

    store = open_store(path, STORE_CREATE);
    cr_assert(store_is_writable(store));
    cr_assert_str_eq(store_path(store), path);
    cr_assert_eq(store_generation(store), 0);
    cr_assert(store_set_setting(store, "analysis.factor", "2.5", &error));
    struct stat facts;
    cr_assert_eq(stat(path, &facts), 0);
    cr_assert_eq(facts.st_mode & 0777, 0600);
    store_close(store);

    store = open_store(path, STORE_READ);
    cr_assert(!store_is_writable(store));
    char *value = store_get_setting(store, "analysis.factor");
    cr_assert_str_eq(value, "2.5");
    free(value);
    cr_assert(store_get_setting(store, "nothing") == NULL);
    cr_assert(!store_set_setting(store, "analysis.factor", "3", &error));
    cr_assert_eq(error.code, ERROR_IO, "%s", error.text);
    struct store_writer *writer = NULL;
    struct dictionary *texts = dictionary_create();
    cr_assert(!store_writer_begin(store, texts, &writer, &error));
    dictionary_destroy(texts);
    store_close(store);

    unlink(path);
    rmdir(scratch_path("new"));
}

Test(open, sets_what_sqlite_and_file_know_it_by)
{
    const char *path = scratch_path("store.db");
    store_close(open_store(path, STORE_CREATE));
    size_t size;
    char *bytes = read_file(path, &size);
    /* the format of SQLite: page size at 16, versions 2 of WAL at 18, application id at 68 */
    cr_assert_eq((unsigned char)bytes[16] << 8 | (unsigned char)bytes[17], 16384);
    cr_assert_eq(bytes[18], 2);
    cr_assert(memcmp(bytes + 68, "Stsc", 4) == 0);
    free(bytes);
    cr_assert(access(scratch_path("store.db-wal"), F_OK) != 0, "the last to close tidies up");
}

Test(open, foreign_files_are_refused_untouched)
{
    const char *path = scratch_path("foreign.db");
    write_file(
        path,
        "just some text, and long enough for a head: ...................................................."
        "....................",
        110);
    assert_refused(path, ERROR_STORE, "not a telemetry store");
    unlink(path);
    run_sql(path, "CREATE TABLE bookmark (url TEXT)");
    assert_refused(path, ERROR_STORE, "another program");
    unlink(path);
    run_sql(path, "PRAGMA application_id = 252006675; CREATE TABLE x (y)"); /* 0x0f055113 */
    assert_refused(path, ERROR_STORE, "0x0f055113");
    unlink(path);
    run_sql(path, "PRAGMA journal_mode = WAL; CREATE TABLE bookmark (url TEXT)");
    assert_refused(path, ERROR_STORE, "another program");
}

Test(open, newer_stores_are_refused_untouched)
{
    const char *path = scratch_path("newer.db");
    store_close(open_store(path, STORE_CREATE));
    run_sql(path, "PRAGMA user_version = 4711");
    assert_refused(path, ERROR_VERSION, "4711");
    struct store *store = NULL;
    struct error error = {0};
    cr_assert(!store_open(path, STORE_READ, &store, &error));
    cr_assert(strstr(error.text, "up to 6") != NULL, "both versions are named: %s", error.text);
}

Test(open, a_damaged_head_is_no_crash)
{
    const char *path = scratch_path("store.db");
    store_close(open_store(path, STORE_CREATE));
    size_t size;
    char *bytes = read_file(path, &size);
    struct store *store = NULL;
    struct error error = {0};
    memset(bytes + 100, 0x7b, 2000); /* the schema's page */
    write_file(path, bytes, size);
    cr_assert(!store_open(path, STORE_WRITE, &store, &error));
    cr_assert_eq(error.code, ERROR_STORE);
    cr_assert(strstr(error.text, "damaged") != NULL, "%s", error.text);
    write_file(path, bytes, 700);
    cr_assert(!store_open(path, STORE_READ, &store, &error));
    free(bytes);
}

Test(open, folders_devices_and_empty_files)
{
    struct store *store = NULL;
    struct error error = {0};
    cr_assert(!store_open("/tmp", STORE_CREATE, &store, &error));
    cr_assert(strstr(error.text, "is a folder") != NULL, "%s", error.text);
    cr_assert(!store_open("/dev/null", STORE_CREATE, &store, &error));
    cr_assert(strstr(error.text, "not an ordinary file") != NULL, "%s", error.text);
    const char *path = scratch_path("empty.db");
    write_file(path, "", 0);
    cr_assert(!store_open(path, STORE_READ, &store, &error));
    cr_assert(strstr(error.text, "is empty") != NULL, "%s", error.text);
    store_close(open_store(path, STORE_WRITE));
    store_close(open_store(path, STORE_READ));
}

Test(open, a_name_that_means_something_to_sqlite_is_a_file)
{
    cr_assert_eq(chdir(scratch_path("")), 0);
    store_close(open_store(":memory:", STORE_CREATE));
    cr_assert_eq(access(":memory:", F_OK), 0);
    store_close(open_store("file:a?b%41", STORE_CREATE));
    cr_assert_eq(access("file:a?b%41", F_OK), 0);
}

/* Root may write everything: so not as root. */
Test(open, read_only_folders_can_be_browsed)
{
    const char *path = scratch_path("store.db"), *folder = scratch_path("");
    struct store *store = open_store(path, STORE_CREATE);
    struct error error = {0};
    cr_assert(store_set_setting(store, "a", "b", &error));
    store_close(store);
    cr_assert_eq(chmod(path, 0444), 0);
    cr_assert_eq(chmod(folder, 0555), 0);
    bool root = geteuid() == 0;
    if (root && setresuid(65534, 65534, 0) != 0)
        cr_skip_test("cannot give up the rights of root");
    store = open_store(path, STORE_READ);
    char *value = store_get_setting(store, "a");
    cr_assert_str_eq(value, "b");
    free(value);
    store_close(store);
    cr_assert(!store_open(path, STORE_WRITE, &store, &error));
    cr_assert_eq(error.code, ERROR_IO);
    cr_assert(strstr(error.text, path) != NULL, "%s", error.text);
    cr_assert(!root || setresuid(0, 0, 0) == 0);
    chmod(folder, 0755);
}

Test(open, a_locked_store_says_who_holds_it)
{
    const char *path = scratch_path("store.db");
    struct store *store = open_store(path, STORE_CREATE);
    sqlite3 *other = NULL;
    struct error error = {0};
    cr_assert_eq(sqlite3_open(path, &other), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    store_set_patience(store, 1);
    cr_assert(!store_set_setting(store, "a", "b", &error));
    cr_assert_eq(error.code, ERROR_LOCKED);
    cr_assert(strstr(error.text, path) && strstr(error.text, "close it"), "%s", error.text);
    struct run_facts facts = plain_facts("1.0", "Pixel", "r1");
    struct visit visit = {"Menu", NULL, 16 * MS, 16 * MS, 10, NULL};
    struct import_outcome outcome;
    cr_assert(!import_visits(store, "a.csv", "f1", &facts, &visit, 1, &outcome, &error));
    cr_assert_eq(error.code, ERROR_LOCKED, "%s", error.text);
    cr_assert(!store_derived_begin(store, "key", &error));
    /* reading goes on meanwhile */
    struct build_list builds = {0};
    cr_assert(store_list_builds(store, &builds, &error), "%s", error.text);
    cr_assert_eq(builds.count, 0);
    sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL);
    cr_assert(import_visits(store, "a.csv", "f1", &facts, &visit, 1, &outcome, &error), "%s", error.text);
    sqlite3_close(other);
    store_close(store);
}

/* Zeroed bytes can make NULL of what is never NULL: lists are sorted and printed all the same, and check tells. */
Test(open, names_that_are_null_do_not_end_the_program)
{
    struct build_list builds = {0};
    struct error error;
    const char *path = scratch_path("damaged.db");

    store_close(open_store(path, STORE_CREATE));
    run_sql(path, "INSERT INTO build (name) VALUES ('1.0'), ('1.1');"
                      "PRAGMA writable_schema = ON;"
                      "UPDATE sqlite_master SET sql = replace(sql, 'name TEXT NOT NULL', 'name TEXT') WHERE name = 'build'");
    run_sql(path, "UPDATE build SET name = NULL WHERE id = 2");
    struct store *store = open_store(path, STORE_READ);
    cr_assert(store_list_builds(store, &builds, &error), "%s", error.text);
    cr_assert_eq(builds.count, 2);
    cr_assert_str_eq(builds.items[0].name, "(damaged)");
    cr_assert_str_eq(builds.items[1].name, "1.0");
    build_list_free(&builds);
    store_close(store);
}

/* Another program that makes the store just before statement number "at" of the one that opens it. */
static struct other_program {
    const char *path;
    int at, seen;
    bool busy, came;
} other;

static int before_a_statement(unsigned event, void *db, void *statement, void *text)
{
    (void)event, (void)statement, (void)text;
    if (other.busy || ++other.seen != other.at || !sqlite3_get_autocommit(db))
        return 0;
    other.busy = other.came = true;
    store_close(open_store(other.path, STORE_CREATE));
    return 0;
}

static int watch_statements(sqlite3 *db, char **message, const struct sqlite3_api_routines *api)
{
    (void)message, (void)api;
    return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, before_a_statement, db);
}

Test(open, a_store_made_by_another_program_meanwhile)
{
    const char *path = scratch_path("raced.db");
    cr_assert_eq(sqlite3_auto_extension((void (*)(void))watch_statements), SQLITE_OK);
    int raced = 0;
    for (int at = 1;; at++) {
        other = (struct other_program){.path = path, .at = at};
        struct store *store = NULL;
        struct error error = {0};
        cr_expect(store_open(path, STORE_CREATE, &store, &error), "before statement %d: %s", at, error.text);
        store_close(store);
        run_sql(path, "SELECT count(*) FROM run");
        unlink(path);
        raced += other.came;
        if (other.seen < at)
            break;
    }
    cr_assert(raced >= 8, "only %d places", raced);
}
