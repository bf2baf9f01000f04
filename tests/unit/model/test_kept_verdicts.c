/*
 * Verdicts that the store keeps: they are the ones that would be made, they are used, and whatever they were made from
 * may change without their being shown once more.
 */
#include "fixture.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/comparison.h"
#include "stutterscope/model/edit.h"
#include "stutterscope/model/triage.h"
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAST "1.0.5"

static void add_run(struct fixture *fixture, const char *build, const char *device, const char *run, int64_t peak_us, const char *event)
{
    struct slow_frame slow = {300, peak_us, peak_us - 9000, 9000, event};

    fixture_add(fixture, &(struct test_run){.build = build, .device = device, .scene = "Battle_03", .quality = "High", .run = run,
                                            .os = "Android 14", .frames = 600, .slow = &slow, .slow_count = 1,
                                            .started_at_ms = VALUE_UNKNOWN, .fps_milli = VALUE_UNKNOWN});
}

/* Five builds, two devices, four runs each: a stutter that is new in the last build, one that had been away, one that grew. */
static void fill(struct fixture *fixture)
{
    static const char *const builds[] = {"1.0.1", "1.0.2", "1.0.3", "1.0.4", LAST};
    static const int64_t new_us[] = {20000, 21000, 20500, 20700, 92000}, back_us[] = {80000, 20000, 20000, 20000, 81000};

    fixture_open(fixture);
    for (int b = 0; b < 5; b++)
        for (int r = 0; r < 4; r++) {
            char run[32];

            snprintf(run, sizeof run, "new-%d-%d", b, r);
            add_run(fixture, builds[b], "SM-S918N", run, new_us[b] + 300 * r, "boss_spawn");
            snprintf(run, sizeof run, "back-%d-%d", b, r);
            add_run(fixture, builds[b], "Pixel 6a", run, back_us[b] + 300 * r, "boss_spawn");
            snprintf(run, sizeof run, "grew-%d-%d", b, r);
            add_run(fixture, builds[b], "Pixel 6a", run, (b == 4 ? 140000 : 60000) + 300 * r, "door");
        }
}

static void run_sql(const struct fixture *fixture, const char *sql)
{
    sqlite3 *db;

    cr_assert_eq(sqlite3_open(fixture->path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

static int64_t ask(const struct fixture *fixture, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *query;
    int64_t answer;

    cr_assert_eq(sqlite3_open(fixture->path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &query, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    cr_assert_eq(sqlite3_step(query), SQLITE_ROW);
    answer = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    sqlite3_close(db);
    return answer;
}

static struct model *open_model(const struct fixture *fixture)
{
    struct model_options options = {.mode = STORE_WRITE};
    struct model *model;
    struct error error = {0};

    cr_assert(model_open(fixture->path, &options, &model, &error), "%s", error.text);
    return model;
}

/* Every figure of every verdict. */
static char *describe(struct model *model, const char *build)
{
    struct text_buffer text = {0};
    struct error error = {0};
    int64_t id;

    cr_assert(model_find_build(model, build, &id, &error), "%s", error.text);

    const struct stutter_entries *entries = model_stutters(model, id, 0, false, NULL, &error);
    const struct group_comparisons *groups = model_compare_groups(model, id, 0, false, NULL, &error);

    cr_assert(entries && groups, "%s", error.text);
    for (size_t i = 0; i < entries->count; i++) {
        const struct stutter_entry *entry = &entries->items[i];
        const struct stutter *stutter = &entry->stutter;

        text_add_print(&text, "%s %s %d %s|%lld %lld %lld %lld|%d %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %u|", entry->id, entry->fingerprint,
                       entry->present, verdict_name(entry->verdict), (long long)stutter->key.build, (long long)stutter->key.device,
                       (long long)stutter->key.scene, (long long)stutter->key.quality, (int)stutter->label, (long long)stutter->event,
                       (long long)stutter->peak_ns, (long long)stutter->runs_hit, (long long)stutter->runs, (long long)stutter->seen,
                       (long long)stutter->windows, (long long)stutter->over, (long long)stutter->excess_ns, (long long)stutter->play_ns,
                       (long long)stutter->worst_window, stutter->causes);
        text_add_print(&text, "%.17g %.17g %.17g|%d %d|%lld %d %lld %lld|%lld %lld|%s|%d %s|", entry->weight, entry->severity, entry->occurrence,
                       entry->history_short, entry->doubted, (long long)entry->baseline_build, entry->baseline_pinned,
                       (long long)entry->baseline_peak_ns, (long long)entry->delta_peak_ns, (long long)entry->first_seen_build,
                       (long long)entry->last_clean_build, entry->reason, (int)entry->triage.state, entry->triage.owner ? entry->triage.owner : "");
        for (size_t d = 0; d < entry->clean_devices.count; d++)
            text_add_print(&text, " %lld", (long long)entry->clean_devices.items[d]);
        text_add(&text, "\n");
    }
    for (size_t i = 0; i < groups->count; i++) {
        const struct group_comparison *group = &groups->items[i];
        const struct figure_comparison *figures = &group->comparison;

        text_add_print(&text, "%lld %lld %lld %lld %d %lld|%s %.17g %.17g %.17g %.17g %.17g %d|%s\n", (long long)group->key.build, (long long)group->key.device,
                       (long long)group->key.scene, (long long)group->key.quality, (int)group->figure, (long long)group->baseline_build,
                       verdict_name(figures->verdict), figures->before, figures->after, figures->delta, figures->delta_percent, figures->noise,
                       figures->history_short, figures->reason);
    }
    return text_take(&text);
}

static char *describe_store(const struct fixture *fixture, const char *build)
{
    struct model *model = open_model(fixture);
    char *text = describe(model, build);

    model_close(model);
    return text;
}

/* What is shown with what is kept is what is shown without; and twice the same. */
static void check_as_made_anew(const struct fixture *fixture, const char *what)
{
    char *with = describe_store(fixture, LAST), *again = describe_store(fixture, LAST), *anew;

    cr_assert_eq(ask(fixture, "SELECT count(*) FROM comparison"), 1, "%s: not kept", what);
    run_sql(fixture, "DELETE FROM comparison");
    cr_assert_eq(ask(fixture, "SELECT (SELECT count(*) FROM stutter_verdict) + (SELECT count(*) FROM group_verdict) + (SELECT count(*) FROM clean_device)"), 0);
    anew = describe_store(fixture, LAST);
    cr_assert_str_eq(with, anew, "%s", what);
    cr_assert_str_eq(again, anew, "%s", what);
    free(with);
    free(again);
    free(anew);
}

Test(kept_verdicts, what_is_kept_is_what_is_read)
{
    struct fixture fixture;

    fill(&fixture);

    char *first = describe_store(&fixture, LAST), *second;

    cr_assert(strstr(first, " new|") && strstr(first, " sporadic|") && strstr(first, " worse|"), "the store should have all of these:\n%s", first);
    cr_assert_eq(ask(&fixture, "SELECT count(*) FROM stutter_verdict WHERE present"), 3);
    run_sql(&fixture, "UPDATE stutter_verdict SET reason = 'read from the store'");
    second = describe_store(&fixture, LAST);
    cr_assert(strstr(second, "read from the store"), "%s", second);
    run_sql(&fixture, "UPDATE comparison SET stamp = 'of other times'");
    free(second);
    second = describe_store(&fixture, LAST);
    cr_assert_str_eq(first, second);
    free(first);
    free(second);
    fixture_close(&fixture, NULL);
}

static void pin(struct model *model, struct error *error)
{
    int64_t build;

    cr_assert(model_find_build(model, "1.0.2", &build, error) && model_pin_baseline(model, 0, 0, build, error), "%s", error->text);
}

static void mark_bad(struct model *model, struct error *error)
{
    int64_t build;

    cr_assert(model_find_build(model, "1.0.4", &build, error) && model_mark_build(model, build, true, error), "%s", error->text);
}

static void declare(struct model *model, int64_t fps_milli, double weight, struct error *error)
{
    struct device_row device = {.model = (char *)"SM-S918N", .name = (char *)"S23", .tier = (char *)"high", .target_fps_milli = fps_milli, .weight = weight};

    cr_assert(model_declare_device(model, &device, error), "%s", error->text);
}

static void weigh(struct model *model, struct error *error)
{
    declare(model, 60000, 0.25, error);
}

static void aim_lower(struct model *model, struct error *error)
{
    declare(model, 30000, 0.25, error);
}

/* The stutter of the Pixel at boss_spawn, decided in the build where it was first seen. */
static void decide_before(struct model *model, struct error *error)
{
    int64_t build, decision;
    const struct stutter_entries *entries;

    cr_assert(model_find_build(model, "1.0.1", &build, error), "%s", error->text);
    entries = model_stutters(model, build, 0, false, NULL, error);
    cr_assert(entries && entries->count, "%s", error->text);
    for (size_t i = 0; i < entries->count; i++) {
        const struct stutter *stutter = &entries->items[i].stutter;
        struct triage_subject subject = {FINDING_HITCH, stutter->key, stutter->label, stutter->event};
        struct triage_change change = {.state = "done"};

        cr_assert(model_decide(model, &subject, 1, &change, build, &decision, error), "%s", error->text);
    }
}

Test(kept_verdicts, whatever_changes_is_seen)
{
    static const struct {
        const char *name;
        void (*act)(struct model *model, struct error *error);
    } changes[] = {{"a pin", pin}, {"a bad build", mark_bad}, {"a weight", weigh}, {"a target", aim_lower}, {"decisions before", decide_before}};
    struct fixture fixture;

    fill(&fixture);
    check_as_made_anew(&fixture, "nothing");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *before = describe_store(&fixture, LAST), *after;
        struct model *model = open_model(&fixture);
        struct error error = {0};

        changes[i].act(model, &error);
        model_close(model);
        run_sql(&fixture, "DELETE FROM comparison WHERE build NOT IN (SELECT id FROM build WHERE name = '" LAST "')");
        check_as_made_anew(&fixture, changes[i].name);
        after = describe_store(&fixture, LAST);
        cr_assert_str_neq(before, after, "%s should change something", changes[i].name);
        free(before);
        free(after);
    }
    fixture_close(&fixture, NULL);
}

/* In the same sitting: what was decided in an earlier build makes a return news, until it is taken back. */
Test(kept_verdicts, what_is_taken_back_is_seen_at_once)
{
    struct fixture fixture;
    struct error error = {0};
    char *before, *decided, *after, *said;

    fill(&fixture);

    struct model *model = open_model(&fixture);

    before = describe(model, LAST);
    decide_before(model, &error);
    decided = describe(model, LAST);
    cr_assert(!strstr(before, " back|") && strstr(decided, " back|"), "%s", decided);
    while (model_take_back(model, false, &said, &error))
        free(said);
    after = describe(model, LAST);
    cr_assert_str_eq(after, before);
    free(before);
    free(decided);
    free(after);
    fixture_close(&fixture, model);
}

Test(kept_verdicts, a_new_run_is_seen)
{
    struct fixture fixture;

    fill(&fixture);

    char *before = describe_store(&fixture, LAST), *after;

    add_run(&fixture, "1.0.4", "SM-S918N", "late", 93000, "boss_spawn");
    check_as_made_anew(&fixture, "a run of an earlier build");
    after = describe_store(&fixture, LAST);
    cr_assert_str_neq(before, after);
    free(before);
    free(after);
    fixture_close(&fixture, NULL);
}

Test(kept_verdicts, rows_that_no_rule_makes_are_not_taken)
{
    static const char *const damages[] = {
        "UPDATE stutter_verdict SET verdict = 99 WHERE place = 0", "UPDATE stutter_verdict SET label = -1 WHERE place = 0",
        "UPDATE stutter_verdict SET device = 4711 WHERE place = 0", "UPDATE stutter_verdict SET runs_hit = 99 WHERE place = 0",
        "UPDATE group_verdict SET figure = 77 WHERE place = 1",     "UPDATE group_verdict SET verdict = -5 WHERE place = 1",
        "INSERT INTO clean_device SELECT analysis, build, 4711, 1 FROM comparison"};
    struct fixture fixture;

    fill(&fixture);

    char *right = describe_store(&fixture, LAST);

    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        char *text;

        run_sql(&fixture, damages[i]);
        text = describe_store(&fixture, LAST);
        cr_assert_str_eq(text, right, "%s", damages[i]);
        free(text);
    }
    free(right);
    fixture_close(&fixture, NULL);
}

Test(kept_verdicts, results_that_another_program_makes_again_have_new_ones)
{
    struct fixture fixture;
    struct error error = {0};

    fill(&fixture);
    run_sql(&fixture, "UPDATE distribution SET version = -1");

    struct model *other = open_model(&fixture); /* has seen that everything has to be made again */
    char *text = describe_store(&fixture, LAST);

    free(text);
    run_sql(&fixture, "UPDATE stutter_verdict SET reason = 'of yesterday' WHERE place = 0");
    cr_assert(model_analyze(other, 0, NULL, &error), "%s", error.text);
    model_close(other);
    text = describe_store(&fixture, LAST); /* windows have other ids now, too */
    cr_assert(strstr(text, "of yesterday") == NULL, "%s", text);
    free(text);
    fixture_close(&fixture, NULL);
}

Test(kept_verdicts, nobody_waits_to_keep_them)
{
    struct fixture fixture;
    sqlite3 *db;

    fill(&fixture);

    char *right = describe_store(&fixture, LAST), *text;

    run_sql(&fixture, "DELETE FROM comparison");
    cr_assert_eq(sqlite3_open(fixture.path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    text = describe_store(&fixture, LAST); /* would end in ERROR_LOCKED after ten seconds */
    cr_assert_str_eq(text, right);
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(db);
    cr_assert_eq(ask(&fixture, "SELECT count(*) FROM comparison"), 0);
    free(right);
    free(text);
    fixture_close(&fixture, NULL);
}
