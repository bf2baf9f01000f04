/* Decisions: written with their log, taken back from it; and a store of version 1 brought to version 2. */
#include "fixture.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/store/triage.h"
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(triage, .init = scratch_make, .fini = scratch_remove);

static const struct triage_author hana = {"hana", 1000}, minho = {"minho", 2000};

static struct triage_row subject(const char *fingerprint, const char *device)
{
    return (struct triage_row){.fingerprint = (char *)fingerprint, .kind = (char *)"hitch", .device_model = (char *)device, .chip = (char *)"",
                               .scene = (char *)"Battle_03", .quality = (char *)"High", .label = (char *)"gameplay", .event = (char *)"boss_spawn"};
}

static int64_t decide(struct store *store, const char *fingerprint, struct triage_change change, struct triage_author author)
{
    struct triage_row row = subject(fingerprint, "SM-S918N");
    struct error error = {0};
    int64_t decision = -1;

    cr_assert(store_decide(store, &row, 1, &change, &author, &decision, &error), "%s", error.text);
    return decision;
}

static int64_t take_back(struct store *store, struct triage_author author, bool again)
{
    struct error error = {0};
    int64_t decision = -1;

    cr_assert(store_take_back(store, &author, again, &decision, &error), "%s", error.text);
    return decision;
}

/* State and owner of a fingerprint, "-" for nothing. */
static void assert_row(struct store *store, const char *fingerprint, const char *state, const char *owner)
{
    struct triage_list list = {0};
    struct error error = {0};
    bool found = false;

    cr_assert(store_list_triage(store, &list, &error), "%s", error.text);
    for (size_t i = 0; i < list.count; i++) {
        if (strcmp(list.items[i].fingerprint, fingerprint) != 0)
            continue;
        found = true;
        cr_assert_str_eq(list.items[i].state ? list.items[i].state : "-", state);
        cr_assert_str_eq(list.items[i].owner ? list.items[i].owner : "-", owner);
    }
    cr_assert(found || strcmp(state, "-") == 0);
    triage_list_free(&list);
}

Test(triage, one_decision_for_several_is_one_number_in_the_log)
{
    struct store *store = open_store(scratch_path("store.db"), STORE_CREATE);
    struct triage_row rows[] = {subject("aa", "SM-S918N"), subject("bb", "SM-F731N")};
    struct triage_change change = {.state = "filed", .ticket = "MG-1211", .build = "1.8.0(421)"};
    struct triage_log_list log = {0};
    struct triage_list list = {0};
    struct error error = {0};
    int64_t decision;

    cr_assert(store_decide(store, rows, 2, &change, &hana, &decision, &error), "%s", error.text);
    cr_assert_eq(decision, 1);
    cr_assert(store_list_triage(store, &list, &error));
    cr_assert_eq(list.count, 2);
    cr_assert_str_eq(list.items[1].fingerprint, "bb");
    cr_assert_str_eq(list.items[1].device_model, "SM-F731N");
    cr_assert_str_eq(list.items[1].state, "filed");
    cr_assert_str_eq(list.items[1].ticket, "MG-1211");
    cr_assert_str_eq(list.items[1].build, "1.8.0(421)");
    cr_assert_str_eq(list.items[1].who, "hana");
    cr_assert_eq(list.items[1].first_at_ms, 1000);
    cr_assert_null(list.items[1].owner);
    cr_assert(store_list_triage_log(store, 0, &log, &error));
    cr_assert_eq(log.count, 6, "state, ticket and build of two");
    cr_assert_str_eq(log.items[0].what, "state");
    cr_assert_null(log.items[0].before);
    cr_assert_str_eq(log.items[0].after, "filed");
    cr_assert_eq(log.items[5].members, 2);
    cr_assert_eq(log.items[5].decision, 1);
    triage_log_list_free(&log);
    triage_list_free(&list);

    /* the same again is no decision */
    cr_assert(store_decide(store, rows, 2, &change, &minho, &decision, &error), "%s", error.text);
    cr_assert_eq(decision, 0);
    cr_assert_eq(count_rows(store, "triage_log"), 6);
    store_close(store);
}

Test(triage, taking_back_and_deciding_again)
{
    struct store *store = open_store(scratch_path("store.db"), STORE_CREATE);
    struct error error = {0};
    int64_t decision;

    cr_assert_eq(decide(store, "aa", (struct triage_change){.state = "investigating", .owner = "hana"}, hana), 1);
    cr_assert_eq(decide(store, "aa", (struct triage_change){.state = "filed"}, hana), 2);
    cr_assert_eq(decide(store, "bb", (struct triage_change){.state = "noise"}, hana), 3);
    cr_assert_eq(take_back(store, hana, false), 3);
    assert_row(store, "bb", "-", "-");
    cr_assert_eq(take_back(store, hana, false), 2);
    assert_row(store, "aa", "investigating", "hana");
    cr_assert_eq(take_back(store, hana, false), 1);
    assert_row(store, "aa", "-", "-");
    cr_assert(!store_take_back(store, &hana, false, &decision, &error));
    cr_assert(strstr(error.text, "hana has decided nothing"), "%s", error.text);

    /* in the order of the first time */
    cr_assert_eq(take_back(store, hana, true), 1);
    assert_row(store, "aa", "investigating", "hana");
    cr_assert_eq(take_back(store, hana, true), 2);
    assert_row(store, "aa", "filed", "hana");
    cr_assert_eq(take_back(store, hana, false), 2, "what was decided again can be taken back again");
    assert_row(store, "aa", "investigating", "hana");
    decide(store, "aa", (struct triage_change){.state = "known"}, hana);
    cr_assert(!store_take_back(store, &hana, true, &decision, &error), "after something new nothing is decided again");
    assert_row(store, "aa", "known", "hana");
    store_close(store);
}

Test(triage, of_others_nothing_is_taken_back)
{
    struct store *store = open_store(scratch_path("store.db"), STORE_CREATE);
    struct error error = {0};
    int64_t decision;

    decide(store, "aa", (struct triage_change){.state = "noise"}, hana);
    cr_assert(!store_take_back(store, &minho, false, &decision, &error));
    decide(store, "bb", (struct triage_change){.state = "filed"}, minho);
    cr_assert_eq(take_back(store, hana, false), 1, "her own, though his is later");
    decide(store, "bb", (struct triage_change){.state = "known"}, hana);
    cr_assert(!store_take_back(store, &minho, false, &decision, &error), "she changed it since");
    cr_assert(strstr(error.text, "known") && strstr(error.text, "hana"), "%s", error.text);
    assert_row(store, "bb", "known", "-");
    store_close(store);
}

Test(triage, the_log_cannot_be_altered)
{
    const char *path = scratch_path("store.db");
    struct store *store = open_store(path, STORE_CREATE);
    sqlite3 *db;

    decide(store, "aa", (struct triage_change){.state = "noise"}, hana);
    store_close(store);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_neq(sqlite3_exec(db, "UPDATE triage_log SET who = 'nobody'", NULL, NULL, NULL), SQLITE_OK);
    cr_assert(strstr(sqlite3_errmsg(db), "only added to"));
    cr_assert_neq(sqlite3_exec(db, "DELETE FROM triage_log", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

Test(triage, renames_go_in_no_circle)
{
    struct store *store = open_store(scratch_path("store.db"), STORE_CREATE);
    struct rename_list renames = {0};
    struct error error = {0};
    int64_t decision;

    cr_assert(store_declare_rename(store, RENAME_SCENE, "Battle_03", "Arena", &hana, &decision, &error), "%s", error.text);
    cr_assert(store_declare_rename(store, RENAME_SCENE, "Arena", "Colosseum", &hana, &decision, &error), "%s", error.text);
    cr_assert(!store_declare_rename(store, RENAME_SCENE, "Colosseum", "Battle_03", &hana, &decision, &error));
    cr_assert(strstr(error.text, "circle"), "%s", error.text);
    cr_assert(!store_declare_rename(store, RENAME_EVENT, "spawn", "spawn", &hana, &decision, &error));
    cr_assert(store_declare_rename(store, RENAME_EVENT, "Colosseum", "Battle_03", &hana, &decision, &error), "an event is no scene");
    take_back(store, hana, false);
    take_back(store, hana, false);
    cr_assert(store_list_renames(store, &renames, &error));
    cr_assert_eq(renames.count, 1);
    cr_assert_str_eq(renames.items[0].old_name, "Battle_03");
    cr_assert_str_eq(renames.items[0].new_name, "Arena");
    rename_list_free(&renames);
    store_close(store);
}

/* Payload and reference of the latest ticket about a fingerprint (NULL: any) with a reference (NULL: any); "-" none. */
static void assert_ticket(struct store *store, const char *fingerprint, const char *reference, const char *payload, const char *named)
{
    struct ticket_row found;
    struct error error = {0};
    bool there;

    cr_assert(store_find_ticket(store, fingerprint, reference, &found, &there, &error), "%s", error.text);
    cr_assert_str_eq(there ? found.payload : "-", payload);
    cr_assert_str_eq(found.reference ? found.reference : "-", named);
    ticket_row_free(&found);
}

Test(triage, the_latest_ticket_of_a_stutter)
{
    struct store *store = open_store(scratch_path("store.db"), STORE_CREATE);
    struct triage_row both[] = {subject("aa", "SM-S918N"), subject("bb", "Pixel 8")};
    struct triage_change first = {.state = "filed", .ticket = "MG-1", .payload = "{\"n\": 1}"}, again = first;
    struct error error = {0};
    int64_t decision;

    cr_assert(store_decide(store, both, 2, &first, &hana, &decision, &error), "%s", error.text);
    decide(store, "bb", (struct triage_change){.payload_build = "2", .payload = "{\"n\": 2}"}, minho);
    assert_ticket(store, "bb", NULL, "{\"n\": 2}", "-");
    assert_ticket(store, NULL, "MG-1", "{\"n\": 1}", "MG-1");
    assert_ticket(store, "cc", NULL, "-", "-");

    /* The same once more is nothing; with other figures it is. */
    cr_assert_eq(decide(store, "aa", again, hana), 0);
    again.payload = "{\"n\": 3}";
    cr_assert_neq(decide(store, "aa", again, hana), 0);
    assert_ticket(store, "aa", NULL, "{\"n\": 3}", "MG-1");
    store_close(store);
}

/* Filed twice; each is one decision, and what is taken back is found no more, neither by stutter nor by reference. */
Test(triage, taking_back_takes_the_figures_of_the_ticket)
{
    struct store *store = open_store(scratch_path("store.db"), STORE_CREATE);
    const struct triage_change first = {.state = "filed", .ticket = "MG-1", .payload = "{\"n\": 1}"},
                               second = {.state = "filed", .ticket = "MG-2", .payload = "{\"n\": 2}"};

    decide(store, "aa", first, hana);
    decide(store, "aa", second, hana);
    assert_ticket(store, "aa", NULL, "{\"n\": 2}", "MG-2");
    take_back(store, hana, false);
    assert_row(store, "aa", "filed", "-");
    assert_ticket(store, "aa", NULL, "{\"n\": 1}", "MG-1");
    assert_ticket(store, NULL, "MG-2", "-", "-");
    take_back(store, hana, false);
    assert_row(store, "aa", "-", "-");
    assert_ticket(store, "aa", NULL, "-", "-");
    assert_ticket(store, NULL, "MG-1", "-", "-");
    take_back(store, hana, true);
    take_back(store, hana, true);
    assert_ticket(store, "aa", NULL, "{\"n\": 2}", "MG-2");
    assert_ticket(store, NULL, "MG-1", "{\"n\": 1}", "MG-1");
    store_close(store);
}

/* When the ticket cannot be kept, nothing was decided. */
Test(triage, a_ticket_and_its_decision_are_one)
{
    const char *path = scratch_path("store.db");
    struct triage_row row = subject("aa", "SM-S918N");
    struct error error = {0};
    int64_t decision;
    sqlite3 *db;

    store_close(open_store(path, STORE_CREATE));
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, "CREATE TRIGGER full BEFORE INSERT ON ticket BEGIN SELECT RAISE(ABORT, 'full'); END", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);

    struct store *store = open_store(path, STORE_WRITE);

    cr_assert(!store_decide(store, &row, 1, &(struct triage_change){.state = "filed", .ticket = "MG-1", .payload = "{}"}, &hana, &decision, &error));
    assert_row(store, "aa", "-", "-");
    store_close(store);
}

Test(triage, decisions_survive_importing_again_and_repair)
{
    struct store *store = open_store(scratch_path("store.db"), STORE_CREATE);
    struct run_facts facts = plain_facts("1.0", "Pixel", "r1");
    struct visit visits[] = {{"Menu", NULL, 16 * MS, 16 * MS, 10, NULL}, {"Menu", NULL, 16 * MS, 16 * MS, 20, NULL}};
    struct import_outcome outcome;
    struct error error = {0};

    cr_assert(import_visits(store, "a.csv", "f1", &facts, &visits[0], 1, &outcome, &error), "%s", error.text);
    decide(store, "aa", (struct triage_change){.state = "filed", .owner = "hana"}, hana);
    cr_assert(import_visits(store, "a.csv", "f2", &facts, &visits[1], 1, &outcome, &error), "%s", error.text);
    cr_assert_eq(outcome.runs_replaced, 1);
    cr_assert(store_drop_derived(store, &error));
    assert_row(store, "aa", "filed", "hana");
    store_close(store);
}

Test(triage, a_store_that_is_only_read_refuses)
{
    const char *path = scratch_path("store.db");
    struct triage_row row = subject("aa", "SM-S918N");
    struct error error = {0};
    int64_t decision;

    store_close(open_store(path, STORE_CREATE));

    struct store *store = open_store(path, STORE_READ);

    cr_assert(!store_decide(store, &row, 1, &(struct triage_change){.state = "noise"}, &hana, &decision, &error));
    cr_assert(strstr(error.text, "reading only"), "%s", error.text);
    store_close(store);
}

/* ---- from version 1 ---- */

static void run_sql(sqlite3 *db, const char *sql)
{
    char *message = NULL;

    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, &message), SQLITE_OK, "%s: %s", sql, message ? message : "");
}

static char *read_schema(const char *name)
{
    char *path = memory_print("%s/schema/%s", getenv("STUTTERSCOPE_DATA"), name);
    FILE *file = fopen(path, "rb");
    char *text = memory_take_zeroed(1 << 16, 1);

    cr_assert(file != NULL, "%s", path);
    cr_assert_gt(fread(text, 1, (1 << 16) - 1, file), 0);
    fclose(file);
    free(path);
    return text;
}

/* What a program of version 1 left: its schema, with the rows of an import. */
static void make_version_1(const char *path, const char *more)
{
    const char *donor = scratch_path("donor.db");
    struct store *store = open_store(donor, STORE_CREATE);
    struct run_facts facts = plain_facts("1.0", "Pixel", "r1");
    struct visit visit = {"Menu", "High", 16 * MS, 16 * MS, 10, "spawn"};
    struct import_outcome outcome;
    struct error error = {0};
    sqlite3 *db;
    sqlite3_stmt *tables;
    char *schema = read_schema("001.sql");

    cr_assert(import_visits(store, "a.csv", "f1", &facts, &visit, 1, &outcome, &error), "%s", error.text);
    store_close(store);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    run_sql(db, schema);
    char *attach = memory_print("ATTACH '%s' AS donor", donor);

    run_sql(db, attach);
    run_sql(db, "DELETE FROM quality");
    cr_assert_eq(sqlite3_prepare_v2(db, "SELECT t.name, (SELECT group_concat(c.name) FROM pragma_table_info(t.name, 'main') c)"
                                        " FROM main.sqlite_master t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'", -1, &tables, NULL),
                 SQLITE_OK);
    while (sqlite3_step(tables) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(tables, 0), *columns = (const char *)sqlite3_column_text(tables, 1);
        char *copy = memory_print("INSERT INTO main.\"%s\" (%s) SELECT %s FROM donor.\"%s\"", name, columns, columns, name);

        run_sql(db, copy);
        free(copy);
    }
    sqlite3_finalize(tables);
    run_sql(db, "DETACH donor; PRAGMA application_id = 0x53747363; PRAGMA user_version = 1");
    if (more)
        run_sql(db, more);
    sqlite3_close(db);
    free(attach);
    free(schema);
}

static int64_t ask(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *query;
    int64_t value;

    cr_assert_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &query, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    cr_assert_eq(sqlite3_step(query), SQLITE_ROW);
    value = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    sqlite3_close(db);
    return value;
}

Test(triage, a_store_of_version_1_is_brought_on_with_its_data)
{
    const char *path = scratch_path("old.db");
    struct run_list runs = {0};
    struct run_filter filter = {0};
    struct error error = {0};
    int64_t problems = -1;

    make_version_1(path, NULL);
    cr_assert_eq(ask(path, "PRAGMA user_version"), 1);

    struct store *store = open_store(path, STORE_WRITE);

    cr_assert(store_list_runs(store, &filter, &runs, &error), "%s", error.text);
    cr_assert_eq(runs.count, 1);
    cr_assert_str_eq(runs.items[0].name, "r1");
    cr_assert_eq(runs.items[0].frames, 10);
    run_list_free(&runs);
    cr_assert(store_check(store, NULL, NULL, &problems, &error), "%s", error.text);
    cr_assert_eq(problems, 0);
    decide(store, "aa", (struct triage_change){.state = "filed"}, hana);
    store_close(store);
    cr_assert_eq(ask(path, "PRAGMA user_version"), 6);
    cr_assert_eq(ask(path, "SELECT count(*) FROM triage"), 1);
    store_close(open_store(path, STORE_READ));
}

Test(triage, bringing_on_happens_whole_or_not_at_all)
{
    const char *path = scratch_path("old.db");
    struct store *store = NULL;
    struct error error = {0};

    /* the fourth thing that the step makes is there already: what it made before must not stay */
    make_version_1(path, "CREATE TABLE ticket (mine TEXT)");
    cr_assert(!store_open(path, STORE_WRITE, &store, &error));
    cr_assert(strstr(error.text, "schema 1 to 2"), "%s", error.text);
    cr_assert_eq(ask(path, "PRAGMA user_version"), 1);
    cr_assert_eq(ask(path, "SELECT count(*) FROM sqlite_master WHERE name IN ('triage', 'triage_log')"), 0);
    cr_assert_eq(ask(path, "SELECT count(*) FROM run"), 1);
}

Test(triage, an_old_store_that_cannot_be_written_says_so)
{
    const char *path = scratch_path("old.db"), *folder = scratch_path("");
    struct store *store = NULL;
    struct error error = {0};
    bool root = geteuid() == 0;

    make_version_1(path, NULL);
    cr_assert_eq(chmod(path, 0444), 0);
    cr_assert_eq(chmod(folder, 0555), 0);
    if (root && setresuid(65534, 65534, 0) != 0)
        cr_skip_test("cannot give up the rights of root");
    cr_assert(!store_open(path, STORE_READ, &store, &error));
    cr_assert_eq(error.code, ERROR_VERSION);
    cr_assert(strstr(error.text, "version 1") && strstr(error.text, "version 6") && strstr(error.text, "cannot be written"), "%s", error.text);
    cr_assert(!root || setresuid(0, 0, 0) == 0);
    chmod(folder, 0755);
    cr_assert_eq(ask(path, "PRAGMA user_version"), 1);
}
