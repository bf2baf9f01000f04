/*
 * Each thing that a store does, failing at every place where it can: it says so, what was there is there, and nothing of
 * the new is; when nothing fails it is done.
 */
#include "fixture.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/store/samples.h"
#include "stutterscope/store/sql.h"
#include "stutterscope/store/summary.h"
#include "stutterscope/store/triage.h"
#include "stutterscope/store/verdicts.h"
#include "trouble.h"
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TRIES = 2000 };

static const struct triage_author hana = {"hana", 1000};
static char file[160], copy[160];

typedef bool action(struct store *store, struct error *error);

/* ---- what is done ---- */

static bool import_run(struct store *store, struct error *error)
{
    struct run_facts facts = plain_facts("2", "B", "later");
    struct visit visits[] = {{"Menu", "High", 20 * MS, 20 * MS, 10, "boss"}, {"Raid", "Low", 900 * MS, 30 * MS, 12, "door"}};
    struct import_outcome outcome;

    return import_visits(store, "b.csv", "f2", &facts, visits, 2, &outcome, error);
}

static struct group_state first_group(struct store *store)
{
    struct group_state_list list = {0};
    struct error error = {0};
    struct group_state found;

    cr_assert(store_list_groups(store, "key", NULL, 0, &list, &error) && list.count > 0, "%s", error.text);
    found = list.items[0];
    group_state_list_free(&list);
    return found;
}

static bool keep_figures(struct store *store, struct error *error)
{
    struct group_results results = {.group = {.key = {1, 1, 1, 1}, .runs = 1, .windows = 1}, .version = 0};
    bool fine;

    array_push(&results.runs, (struct run_figures){.run = 1, .scene = 1, .quality = 1, .windows = 1});
    array_push(&results.events, (struct event_figures){1, 1, 1, 1, 2, VALUE_UNKNOWN, 4, 5});
    array_push(&results.windows, (struct stutter_window){.run = 1, .scene = 1, .quality = 1, .peak_ns = 7, .segment = 1});
    array_push(&results.stutters, (struct stutter){.key = {1, 1, 1, 1}, .peak_ns = 7});
    fine = store_derived_begin(store, "key", error);
    if (fine) {
        fine = store_derived_put(store, &results, 1, error);
        fine = store_derived_end(store, fine ? error : NULL) && fine;
    }
    group_results_free(&results);
    return fine;
}

static struct triage_row some_subject(void)
{
    return (struct triage_row){.fingerprint = (char *)"00112233aabbccdd", .kind = (char *)"hitch", .device_model = (char *)"A",
                               .chip = (char *)"", .scene = (char *)"Menu", .quality = (char *)"High", .label = (char *)"gameplay",
                               .event = (char *)"boss"};
}

static bool decide(struct store *store, struct error *error)
{
    struct triage_row subject = some_subject();
    struct triage_change change = {.state = "filed", .owner = "kim", .note = "seen", .ticket = "MG-1", .build = "1", .payload = "{}",
                                   .payload_build = "1"};
    int64_t decision;

    return store_decide(store, &subject, 1, &change, &hana, &decision, error);
}

static bool take_back(struct store *store, struct error *error)
{
    int64_t decision;

    return store_take_back(store, &hana, false, &decision, error);
}

static bool rename_scene(struct store *store, struct error *error)
{
    int64_t decision;

    return store_declare_rename(store, RENAME_SCENE, "Menu", "Lobby", &hana, &decision, error);
}

static bool pin(struct store *store, struct error *error)
{
    int64_t decision;

    return store_decide_baseline(store, 0, 0, "1", &hana, &decision, error);
}

static bool set(struct store *store, struct error *error)
{
    return store_set_setting(store, "z", "4", error);
}

static bool update_build(struct store *store, struct error *error)
{
    struct build_row row = {.id = 1, .name = (char *)"1", .commit = (char *)"abc", .built_at_ms = 5, .bad = true};

    return store_update_build(store, &row, error);
}

static bool add_build(struct store *store, struct error *error)
{
    int64_t id;

    return store_find_or_add_build(store, "never seen", &id, error);
}

static bool declare(struct store *store, struct error *error)
{
    struct device_row row = {.model = (char *)"A", .chip = (char *)"X1", .name = (char *)"Phone", .tier = (char *)"low", .target_fps_milli = 30000, .weight = 2};

    return store_declare_device(store, &row, error);
}

static bool expect(struct store *store, struct error *error)
{
    struct expectation_row row = {.kind = EXPECTATION_RETIRED, .device_model = (char *)"A", .scene = (char *)"Menu", .note = (char *)"old"};

    return store_add_expectation(store, &row, error);
}

static bool stop_expecting(struct store *store, struct error *error)
{
    return store_clear_expectations(store, EXPECTATION_EXPECTED, error);
}

/* What cannot be kept is no error, only not there. */
static bool keep_verdicts(struct store *store, struct error *error)
{
    struct build_verdicts verdicts = {0};
    bool kept;

    array_push(&verdicts.stutters, (struct stutter_verdict_row){.stutter = {.key = {1, 1, 1, 1}}, .reason = memory_copy_text("new"), .baseline_build = VALUE_UNKNOWN});
    array_push(&verdicts.clean, (struct clean_device_row){0, 1});
    array_push(&verdicts.groups, (struct group_verdict_row){.key = {1, 1, 1, 1}, .reason = memory_copy_text("same"), .baseline_build = VALUE_UNKNOWN});
    kept = store_keep_verdicts(store, "key", 1, "stamp 2", &verdicts);
    build_verdicts_free(&verdicts);
    return kept || error_set(error, ERROR_IO, "not kept");
}

/* ---- what is asked ---- */

#define ASK(name, type, call, release)                                                                                 \
    static bool name(struct store *store, struct error *error)                                                         \
    {                                                                                                                  \
        struct type list = {0};                                                                                        \
        bool fine = call;                                                                                              \
        bool some = list.count > 0;                                                                                    \
                                                                                                                       \
        release(&list);                                                                                                \
        return fine && (some || error_set(error, ERROR_USAGE, "nothing was found"));                                   \
    }

ASK(ask_builds, build_list, store_list_builds(store, &list, error), build_list_free)
ASK(ask_devices, device_list, store_list_devices(store, &list, error), device_list_free)
ASK(ask_declared, device_list, store_list_declared_devices(store, &list, error), device_list_free)
ASK(ask_scenes, text_list, store_list_scenes(store, &list, error), text_list_free)
ASK(ask_qualities, text_list, store_list_qualities(store, &list, error), text_list_free)
ASK(ask_texts, text_list, store_list_texts(store, &list, error), text_list_free)
ASK(ask_runs, run_list, store_list_runs(store, &(struct run_filter){0}, &list, error), run_list_free)
ASK(ask_imports, import_list, store_list_imports(store, &list, error), import_list_free)
ASK(ask_pins, baseline_pin_list, store_list_baselines(store, &list, error), array_free)
ASK(ask_expectations, expectation_list, store_list_expectations(store, &list, error), expectation_list_free)
ASK(ask_triage, triage_list, store_list_triage(store, &list, error), triage_list_free)
ASK(ask_log, triage_log_list, store_list_triage_log(store, 0, &list, error), triage_log_list_free)
ASK(ask_renames, rename_list, store_list_renames(store, &list, error), rename_list_free)
ASK(ask_groups, group_state_list, store_list_groups(store, "key", NULL, 0, &list, error), group_state_list_free)
ASK(ask_segments, segment_list, store_list_segments(store, &(struct segment_filter){.quality = -1}, &list, error), segment_list_free)

static const struct derived_filter everything = {.quality = -1};
ASK(ask_group_figures, group_figures_list, store_read_groups(store, "key", &everything, &list, error), array_free)
ASK(ask_run_figures, run_figures_list, store_read_run_figures(store, "key", &everything, &list, error), array_free)
ASK(ask_event_figures, event_figures_list, store_read_event_figures(store, "key", &everything, &list, error), array_free)
ASK(ask_windows, stutter_window_list, store_read_windows(store, "key", &everything, &list, error), array_free)
ASK(ask_stutters, stutter_list, store_read_stutters(store, "key", &everything, &list, error), array_free)

static bool ask_frames(struct store *store, struct error *error)
{
    struct segment_list list = {0};
    struct frame_columns columns = {0};
    struct column_marks marks = {0};
    bool fine = store_list_segments(store, &(struct segment_filter){.quality = -1}, &list, error) && list.count > 0 &&
                store_read_columns(store, &list.items[0], list.items[0].columns, &columns, error) &&
                store_read_marks(store, &list.items[0], COLUMN_EVENT, &marks, error);

    if (fine)
        cr_assert(columns.values[COLUMN_FRAME_TIME][0] == 20 * MS && marks.count == 1 && marks.items[0].frame == 2);
    frame_columns_free(&columns);
    array_free(&marks);
    segment_list_free(&list);
    return fine;
}

static bool ask_verdicts(struct store *store, struct error *error)
{
    struct build_verdicts verdicts = {0};
    bool found = false, fine = store_read_verdicts(store, "key", 1, "stamp", &verdicts, &found, error);

    if (fine)
        cr_assert(found && verdicts.stutters.count == 1 && verdicts.groups.count == 1);
    build_verdicts_free(&verdicts);
    return fine;
}

static bool ask_ticket(struct store *store, struct error *error)
{
    struct ticket_row row = {0};
    bool found = false, fine = store_find_ticket(store, "00112233aabbccdd", NULL, &row, &found, error);

    if (fine)
        cr_assert(found && strcmp(row.payload, "{}") == 0);
    ticket_row_free(&row);
    return fine;
}

static bool ask_baseline(struct store *store, struct error *error)
{
    struct baseline_pin_list pins = {0};
    bool fine = store_list_baselines(store, &pins, error);

    if (fine)
        cr_assert(pins.count == 1 && pins.items[0].build == 1);
    array_free(&pins);
    return fine;
}

static void ignore_problem(void *user, const char *text)
{
    (void)text;
    ++*(int *)user;
}

/* Damage that is found is an answer; what is not allowed is "no problems" of what could not be read. */
static bool check(struct store *store, struct error *error)
{
    int64_t problems = 0;
    int told = 0;

    return store_check(store, ignore_problem, &told, &problems, error) && (problems == 0 || error_set(error, ERROR_STORE, "damaged"));
}

/* ---- trying ---- */

static void fill(struct store *store)
{
    struct run_facts facts = plain_facts("1", "A", "first");
    struct visit visit = {"Menu", "High", 20 * MS, 20 * MS, 10, "boss"};
    struct build_verdicts verdicts = {0};
    struct expectation_row expected = {.kind = EXPECTATION_EXPECTED, .device_model = (char *)"A", .scene = (char *)"Menu"};
    struct import_outcome outcome;
    struct error error = {0};

    cr_assert(import_visits(store, "a.csv", "f1", &facts, &visit, 1, &outcome, &error), "%s", error.text);
    cr_assert_eq(first_group(store).frames, 10);
    cr_assert(keep_figures(store, &error) && rename_scene(store, &error) && pin(store, &error) && decide(store, &error), "%s", error.text);
    cr_assert(store_add_expectation(store, &expected, &error), "%s", error.text);
    cr_assert(store_declare_device(store, &(struct device_row){.model = (char *)"Z", .target_fps_milli = VALUE_UNKNOWN, .weight = 1}, &error), "%s", error.text);
    array_push(&verdicts.stutters, (struct stutter_verdict_row){.stutter = {.key = {1, 1, 1, 1}}, .reason = memory_copy_text("new"), .baseline_build = VALUE_UNKNOWN});
    array_push(&verdicts.groups, (struct group_verdict_row){.key = {1, 1, 1, 1}, .reason = memory_copy_text("same"), .baseline_build = VALUE_UNKNOWN});
    cr_assert(store_keep_verdicts(store, "key", 1, "stamp", &verdicts));
    build_verdicts_free(&verdicts);
}

static void begin(void)
{
    scratch_make();
    trouble_prepare();
    snprintf(file, sizeof file, "%s", scratch_path("store.db"));
    snprintf(copy, sizeof copy, "%s", scratch_path("copy.db"));

    struct store *store = open_store(file, STORE_CREATE);

    fill(store);
    store_close(store);
}

TestSuite(trouble, .init = begin, .fini = scratch_remove);

static void remove_copy(void)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char *path = memory_print("%s%s", copy, ends[i]);

        unlink(path);
        free(path);
    }
}

/* A copy of the store for each try, with nothing in its caches. */
static struct store *fresh(enum store_mode mode)
{
    struct error error = {0};
    char *bytes;
    size_t size;

    remove_copy();
    cr_assert(path_read_all(file, 1 << 24, &bytes, &size, &error) && path_write_all(copy, bytes, size, &error), "%s", error.text);
    free(bytes);
    return open_store(copy, mode);
}

static int64_t all_rows(void)
{
    static const char *const tables[] = {"run", "segment", "build", "device", "scene", "import", "triage", "triage_log", "rename", "baseline",
                                         "ticket", "setting", "declared_device", "expectation", "distribution", "\"window\"", "stutter", "comparison",
                                         "stutter_verdict", "group_verdict", "clean_device"};
    struct text_buffer sql = {0};
    sqlite3 *db = NULL;
    sqlite3_stmt *query = NULL;
    int64_t sum;

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        text_add_print(&sql, "%s (SELECT count(*) FROM %s)", i ? " +" : "SELECT", tables[i]);
    cr_assert_eq(sqlite3_open_v2(copy, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, sql.items, -1, &query, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    cr_assert_eq(sqlite3_step(query), SQLITE_ROW);
    sum = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    sqlite3_close(db);
    array_free(&sql);
    return sum;
}

static void try_all(const char *name, action *act, enum trouble trouble, enum store_mode mode)
{
    struct error error;
    int tries = 0;

    for (bool fine = false; !fine; tries += 1 + tries / 20) {
        struct store *store = fresh(mode);
        int64_t before = all_rows(), problems;
        int told = 0;

        cr_assert_lt(tries, MOST_TRIES);
        error = (struct error){0};
        trouble_begin(store, trouble, tries);
        fine = act(store, &error);
        trouble_end(store);
        cr_assert(fine || (error.code != ERROR_NONE && *error.text), "%s at %d: says nothing", name, tries);
        store_close(store);
        store = open_store(copy, STORE_READ);
        cr_assert(fine || all_rows() == before, "%s at %d: half done (%s)", name, tries, error.text);
        cr_assert(store_check(store, ignore_problem, &told, &problems, &error) && problems == 0, "%s at %d", name, tries);
        store_close(store);
    }
}

struct named_action {
    const char *name;
    action *act;
};

#define DO(act) {#act, act}
static const struct named_action changes[] = {DO(import_run), DO(keep_figures), DO(decide), DO(take_back), DO(rename_scene), DO(pin), DO(set),
                                              DO(update_build), DO(add_build), DO(declare), DO(expect), DO(stop_expecting), DO(keep_verdicts)};
static const struct named_action questions[] = {
    DO(ask_builds), DO(ask_devices), DO(ask_declared), DO(ask_scenes), DO(ask_qualities), DO(ask_texts), DO(ask_runs), DO(ask_imports), DO(ask_pins),
    DO(ask_expectations), DO(ask_triage), DO(ask_log), DO(ask_renames), DO(ask_groups), DO(ask_segments), DO(ask_group_figures), DO(ask_run_figures),
    DO(ask_event_figures), DO(ask_windows), DO(ask_stutters), DO(ask_frames), DO(ask_verdicts), DO(ask_ticket), DO(ask_baseline), DO(check)};

static void try_changes(enum trouble trouble)
{
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        try_all(changes[i].name, changes[i].act, trouble, STORE_WRITE);
}

Test(trouble, a_change_that_is_refused_is_not_half_done, .timeout = 600)
{
    try_changes(TROUBLE_STATEMENT);
}

Test(trouble, a_change_on_a_full_disk_is_not_half_done, .timeout = 600)
{
    try_changes(TROUBLE_WRITE);
}

Test(trouble, a_change_of_what_cannot_be_read_is_not_half_done, .timeout = 600)
{
    try_changes(TROUBLE_READ);
}

Test(trouble, a_question_without_an_answer_is_no_empty_answer, .timeout = 600)
{
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        for (enum trouble trouble = 0; trouble < TROUBLE_COUNT; trouble++)
            if (trouble != TROUBLE_WRITE)
                try_all(questions[i].name, questions[i].act, trouble, STORE_READ);
}

/* Opening and making: an error, and no store that is half made. */
Test(trouble, what_cannot_be_opened_says_so, .timeout = 600)
{
    static const enum store_mode modes[] = {STORE_READ, STORE_WRITE, STORE_CREATE};

    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
        for (enum trouble trouble = TROUBLE_WRITE; trouble < TROUBLE_COUNT; trouble++) {
            bool fine = false;

            for (int tries = 0; !fine; tries++) {
                struct store *store = NULL;
                struct error error = {0};

                cr_assert_lt(tries, MOST_TRIES);
                if (modes[m] == STORE_CREATE) {
                    remove_copy();
                } else {
                    store_close(fresh(STORE_READ));
                }
                trouble_begin(NULL, trouble, tries);
                fine = store_open(copy, modes[m], &store, &error);
                trouble_end(NULL);
                cr_assert(fine || (error.code != ERROR_NONE && *error.text), "says nothing at %d", tries);
                store_close(store);
                if (modes[m] == STORE_CREATE && !fine)
                    store_close(open_store(copy, STORE_CREATE)); /* what is left there is no hindrance */
            }
        }
}
