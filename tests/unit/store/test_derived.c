#include "database.h"
#include "fixture.h"
#include "stutterscope/base/memory.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct store *store;
static struct error error;

static void import(const char *run, const char *fingerprint, const char *scene, size_t frames)
{
    struct run_facts facts = plain_facts("1", "A", run);
    struct visit visit = {scene, "High", 20 * MS, 20 * MS, frames, "boss"};
    struct import_outcome outcome;
    cr_assert(import_visits(store, "a.csv", fingerprint, &facts, &visit, 1, &outcome, &error), "%s",
              error.text);
}

static void begin(void)
{
    scratch_make();
    store = open_store(scratch_path("store.db"), STORE_CREATE);
    import("r1", "f1", "Menu", 10);
    import("r2", "f2", "Battle", 20);
}

static void end(void)
{
    store_close(store);
    scratch_remove();
}

TestSuite(derived, .init = begin, .fini = end);

static struct group_state find_group(const char *settings, int64_t scene)
{
    struct group_state_list list = {0};
    struct group_state found = {.frames = -1};
    cr_assert(store_list_groups(store, settings, NULL, 0, &list, &error), "%s", error.text);
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].key.scene == scene)
            found = list.items[i];
    group_state_list_free(&list);
    return found;
}

/* Every field gets a value of its own, so that a mixed-up column shows. */
static void fill_distribution(struct distribution *distribution, int64_t from)
{
    *distribution = (struct distribution){.frames = from,
                                          .frames_kept = from + 1,
                                          .duration_ns = from + 2,
                                          .median_ns = (double)from + 3.5,
                                          .mad_ns = (double)from + 4.5,
                                          .p95_ns = from + 5,
                                          .p99_ns = from + 6,
                                          .min_ns = from + 7,
                                          .max_ns = from + 8,
                                          .mean_ns = (double)from + 9.25,
                                          .low1_ns = (double)from + 10.25,
                                          .late = from + 11,
                                          .over = from + 12,
                                          .slow_frames = from + 13,
                                          .excess_ns = from + 14};
    for (int label = 1; label < LABEL_COUNT; label++)
        distribution->labelled[label] =
            (struct label_total){from + 20 + label, from + 30 + label, from + 40 + label};
}

static void assert_distribution(const struct distribution *got, int64_t from)
{
    struct distribution wanted;
    fill_distribution(&wanted, from);
    wanted.labelled[LABEL_GAMEPLAY] = (struct label_total){wanted.frames, wanted.duration_ns, wanted.over};
    cr_assert(memcmp(got, &wanted, sizeof wanted) == 0);
}

static struct stutter_window window_of(int64_t run, struct group_key key)
{
    return (struct stutter_window){.run = run,
                                   .scene = key.scene,
                                   .quality = key.quality,
                                   .label = LABEL_LOADING,
                                   .event = 1,
                                   .event_before = 2,
                                   .event_after = 3,
                                   .event_offset_ns = 4,
                                   .start_ns = 5,
                                   .end_ns = 6,
                                   .peak_ns = 7,
                                   .peak_stamp_ns = 8,
                                   .frames = 9,
                                   .over = 10,
                                   .excess_ns = 11,
                                   .cpu_peak_ns = 12,
                                   .gpu_peak_ns = VALUE_UNKNOWN,
                                   .gc_peak = 14,
                                   .cpu_at_peak_ns = 15,
                                   .gpu_at_peak_ns = 16,
                                   .draw_calls_at_peak = 17,
                                   .limit_ns = 18,
                                   .budget_ns = 19,
                                   .z = 3.5,
                                   .floor_used = true,
                                   .causes = 0x81,
                                   .segment = 20,
                                   .first_frame = 21,
                                   .last_frame = 22,
                                   .peak_frame = 23};
}

static struct group_results results_of(struct group_key key, int64_t run)
{
    struct group_results results = {.group = {.key = key,
                                              .runs = 1,
                                              .runs_windows = 2,
                                              .windows = 3,
                                              .transitions = 4,
                                              .gaps = 5,
                                              .gap_ns = 6,
                                              .flags = 0x205}};
    fill_distribution(&results.group.distribution, 100);
    struct run_figures figures = {.run = run,
                                  .scene = key.scene,
                                  .quality = key.quality,
                                  .windows = 7,
                                  .transitions = 8,
                                  .gaps = 9,
                                  .gap_ns = 10,
                                  .flags = 3};
    fill_distribution(&figures.distribution, 200);
    array_push(&results.runs, figures);
    array_push(&results.events,
               (struct event_figures){run, key.scene, key.quality, 1, 2, VALUE_UNKNOWN, 4, 5});
    array_push(&results.events, (struct event_figures){run, key.scene, key.quality, 0, 2, 3, 4, 5});
    array_push(&results.windows, window_of(run, key));
    array_push(&results.windows, window_of(run, key));
    results.windows.items[0].z = NAN;
    results.windows.items[0].peak_ns = 77;
    array_push(&results.stutters,
               (struct stutter){key, LABEL_LOADING, 1, 92400000, 4, 5, 6, 7, 8, 9, 10, 1, 0x81});
    array_push(&results.stutters, (struct stutter){key, LABEL_GAMEPLAY, 0, 1, 4, 5, 6, 7, 8, 9, 10, 0, 0x1});
    return results;
}

static void put(const char *settings, const struct group_results *results)
{
    cr_assert(store_derived_begin(store, settings, &error), "%s", error.text);
    cr_assert(store_derived_put(store, results, 1, &error), "%s", error.text);
    cr_assert(store_derived_end(store, &error), "%s", error.text);
}

Test(derived, groups_begin_stale)
{
    struct group_state_list list = {0};
    cr_assert(store_list_groups(store, "key", "nightly", 0, &list, &error), "%s", error.text);
    cr_assert_eq(list.count, 2);
    cr_assert_eq(list.items[0].frames, 10);
    cr_assert_eq(list.items[1].frames, 20);
    cr_assert(list.items[0].stale && list.items[1].stale);
    group_state_list_free(&list);
    cr_assert(store_list_groups(store, "key", NULL, 4711, &list, &error));
    cr_assert_eq(list.count, 0);
}

/* What is kept of one group, under another key or of an earlier version says nothing of the others. */
Test(derived, groups_are_stale_one_by_one)
{
    struct group_state battle = find_group("key", 2);
    struct group_results results = results_of(battle.key, 2);
    put("key", &results);
    cr_assert(find_group("key", 1).stale && !find_group("key", 2).stale);
    cr_assert(find_group("other", 1).stale && find_group("other", 2).stale);
    import("r3", "f3", "Battle", 5);
    cr_assert(find_group("key", 2).stale);
    cr_assert_eq(find_group("key", 2).frames, 25);
    cr_assert_eq(find_group("key", 2).runs, 2);
    group_results_free(&results);
}

Test(derived, groups_of_a_series)
{
    struct run_facts facts = plain_facts("1", "A", "fix-run");
    struct visit visit = {"Menu", "High", 20 * MS, 20 * MS, 7, NULL};
    struct import_outcome outcome;
    facts.series = "fix-12";
    cr_assert(import_visits(store, "fix.csv", "f9", &facts, &visit, 1, &outcome, &error), "%s", error.text);
    static const struct {
        const char *series;
        size_t groups;
        int64_t frames, runs;
    } cases[] = {
        {"nightly", 2, 10, 1},
        {"fix-12", 1, 7, 1},
        {NULL, 2, 17, 2},
        {"other", 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct group_state_list list = {0};
        cr_assert(store_list_groups(store, "key", cases[i].series, 0, &list, &error), "%s", error.text);
        cr_assert_eq(list.count, cases[i].groups);
        if (list.count > 0) {
            cr_assert_eq(list.items[0].frames, cases[i].frames);
            cr_assert_eq(list.items[0].runs, cases[i].runs);
        }
        group_state_list_free(&list);
    }
}

/* What results_of(menu, 1) has. */
static void assert_everything_is_there(struct group_state menu)
{
    struct derived_filter all = {.quality = -1};
    struct group_figures_list groups = {0};
    cr_assert(store_read_groups(store, "key", &all, &groups, &error), "%s", error.text);
    cr_assert_eq(groups.count, 1);
    cr_assert(memcmp(&groups.items[0].key, &menu.key, sizeof menu.key) == 0);
    assert_distribution(&groups.items[0].distribution, 100);
    cr_assert_eq(groups.items[0].runs_windows, 2);
    cr_assert_eq(groups.items[0].gap_ns, 6);
    cr_assert_eq(groups.items[0].flags, 0x205);

    struct run_figures_list runs = {0};
    cr_assert(store_read_run_figures(store, "key", &all, &runs, &error), "%s", error.text);
    cr_assert_eq(runs.count, 1);
    assert_distribution(&runs.items[0].distribution, 200);
    cr_assert_eq(runs.items[0].run, 1);
    cr_assert_eq(runs.items[0].scene, menu.key.scene);
    cr_assert_eq(runs.items[0].transitions, 8);

    struct event_figures_list events = {0};
    cr_assert(store_read_event_figures(store, "key", &all, &events, &error), "%s", error.text);
    cr_assert_eq(events.count, 2);
    cr_assert_eq(events.items[0].event, 0);
    cr_assert_eq(events.items[1].peak_ns, VALUE_UNKNOWN);
    cr_assert_eq(events.items[1].excess_ns, 5);

    struct stutter_window_list windows = {0};
    cr_assert(store_read_windows(store, "key", &all, &windows, &error), "%s", error.text);
    cr_assert_eq(windows.count, 2);
    cr_assert(isnan(windows.items[0].z));
    struct stutter_window wanted = window_of(1, menu.key), *got = &windows.items[1];
    cr_assert_neq(got->id, 0);
    cr_assert_eq(got->label, wanted.label);
    cr_assert_eq(got->z, 3.5);
    cr_assert(got->floor_used);
    cr_assert_eq(got->causes, 0x81);
    cr_assert_eq(got->gpu_peak_ns, VALUE_UNKNOWN);
    for (size_t i = offsetof(struct stutter_window, event); i <= offsetof(struct stutter_window, budget_ns);
         i += 8)
        cr_assert(memcmp((char *)got + i, (char *)&wanted + i, 8) == 0, "at %zu", i);
    for (size_t i = offsetof(struct stutter_window, segment); i < sizeof wanted; i += 8)
        cr_assert(memcmp((char *)got + i, (char *)&wanted + i, 8) == 0, "at %zu", i);

    struct stutter_list stutters = {0};
    cr_assert(store_read_stutters(store, "key", &all, &stutters, &error), "%s", error.text);
    cr_assert_eq(stutters.count, 2);
    cr_assert_eq(stutters.items[0].label, LABEL_GAMEPLAY);
    cr_assert_eq(stutters.items[0].worst_window, windows.items[0].id);
    cr_assert_eq(stutters.items[1].worst_window, windows.items[1].id);
    cr_assert_eq(stutters.items[1].peak_ns, 92400000);
    cr_assert_eq(stutters.items[1].play_ns, 10);
    cr_assert_eq(stutters.items[1].causes, 0x81);
    cr_assert_eq(count_rows(store, "stutter_report"), 2);
    cr_assert_eq(count_rows(store, "stutter_report WHERE scene = 'Menu' AND quality = 'High' AND device = 'A'"
                                   " AND label = 'loading' AND peak_ms = 92.4 AND event = 'boss'"),
                 1);
    cr_assert_eq(count_rows(store, "group_report WHERE stale = 0"), 1);

    array_free(&groups);
    array_free(&runs);
    array_free(&events);
    array_free(&windows);
    array_free(&stutters);
}

Test(derived, everything_comes_back)
{
    struct group_state menu = find_group("key", 1);
    struct group_results results = results_of(menu.key, 1);
    put("key", &results);
    put("key", &results); /* replaces */
    cr_assert(!find_group("key", 1).stale);
    cr_assert(find_group("key", 2).stale);
    cr_assert(find_group("other key", 1).stale);
    assert_everything_is_there(menu);
    group_results_free(&results);
}

/* The tables have the same columns in version 5: its step makes them anew with what they hold. */
Test(derived, results_of_version_5_stay)
{
    struct group_state menu = find_group("key", 1);
    struct group_results results = results_of(menu.key, 1);
    put("key", &results);
    cr_assert(store_execute(store, "CREATE INDEX event_figure_run ON event_figure (run); CREATE INDEX window_run ON window (run);"
                                   "CREATE INDEX run_distribution_run ON run_distribution (run); DROP INDEX frame_group_changed; PRAGMA user_version = 5", &error),
              "%s", error.text);
    store_close(store);
    store = open_store(scratch_path("store.db"), STORE_WRITE);
    cr_assert_eq(count_rows(store, "sqlite_master WHERE name IN ('event_figure_run', 'window_run', 'run_distribution_run')"), 0);
    cr_assert_eq(count_rows(store, "sqlite_master WHERE name LIKE '%_of_groups%' OR sql LIKE '%_of_groups%'"), 0);
    cr_assert_eq(count_rows(store, "sqlite_master WHERE name = 'window_group'"), 1);
    assert_everything_is_there(menu);
    put("key", &results);
    assert_everything_is_there(menu);
    group_results_free(&results);
}

Test(derived, filters)
{
    struct group_state menu = find_group("key", 1), battle = find_group("key", 2);
    struct group_results first = results_of(menu.key, 1), second = results_of(battle.key, 2);
    put("key", &first);
    put("key", &second);
    static const struct {
        struct derived_filter filter;
        size_t windows;
    } cases[] = {
        {{.quality = -1}, 4},
        {{.quality = -1, .scene = 2}, 2},
        {{.quality = -1, .run = 1}, 2},
        {{.quality = -1, .run = 1, .scene = 2}, 0},
        {{.quality = 0}, 0},
        {{.quality = 1, .build = 1, .device = 1}, 4},
        {{.quality = -1, .build = 2}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stutter_window_list list = {0};
        cr_assert(store_read_windows(store, "key", &cases[i].filter, &list, &error), "%s", error.text);
        cr_assert_eq(list.count, cases[i].windows, "case %zu: %zu", i, list.count);
        array_free(&list);
    }
    group_results_free(&first);
    group_results_free(&second);
}

Test(derived, an_import_makes_its_groups_stale_and_no_others)
{
    struct group_state menu = find_group("key", 1), battle = find_group("key", 2);
    struct group_results first = results_of(menu.key, 1), second = results_of(battle.key, 2);
    first.version = menu.version;
    second.version = battle.version;
    put("key", &first);
    put("key", &second);
    import("r3", "f3", "Battle", 5);
    cr_assert(!find_group("key", 1).stale);
    cr_assert(find_group("key", 2).stale);
    cr_assert_eq(find_group("key", 2).frames, 25);
    /* computed from the frames before the import: of no use */
    put("key", &second);
    cr_assert(find_group("key", 2).stale);
    second.version = find_group("key", 2).version;
    put("key", &second);
    cr_assert(!find_group("key", 2).stale);

    /* a replaced run takes the windows along: they point into its segments */
    import("r1", "f4", "Menu", 40);
    cr_assert(find_group("key", 1).stale);
    cr_assert_eq(find_group("key", 1).frames, 40);
    cr_assert_eq(count_rows(store, "window WHERE run = 1"), 0);
    cr_assert_eq(count_rows(store, "window WHERE run = 2"), 2);
    group_results_free(&first);
    group_results_free(&second);
}

Test(derived, the_three_latest_settings_are_kept)
{
    struct group_state menu = find_group("key", 1);
    struct group_results results = results_of(menu.key, 1);
    put("a", &results);
    put("b", &results);
    put("c", &results);
    put("a", &results);
    put("d", &results);
    cr_assert(!find_group("a", 1).stale);
    cr_assert(find_group("b", 1).stale);
    cr_assert(!find_group("c", 1).stale);
    cr_assert_eq(count_rows(store, "analysis"), 3);
    cr_assert_eq(count_rows(store, "window"), 6);
    cr_assert(store_drop_derived(store, &error), "%s", error.text);
    cr_assert(find_group("a", 1).stale);
    static const char *const tables[] = {"analysis",     "distribution", "run_distribution",
                                         "event_figure", "window",       "stutter"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        cr_assert_eq(count_rows(store, tables[i]), 0, "%s", tables[i]);
    group_results_free(&results);
}

/* A changed target FPS takes the distributions away, so that they are stale, and leaves the other rows. */
Test(derived, what_is_left_of_a_group_is_replaced)
{
    struct group_results results = results_of(find_group("key", 1).key, 1);
    put("key", &results);
    int64_t windows = count_rows(store, "window"), runs = count_rows(store, "run_distribution");
    cr_assert(store_execute(store, "DELETE FROM distribution", &error), "%s", error.text);
    put("key", &results);
    cr_assert_eq(count_rows(store, "window"), windows);
    cr_assert_eq(count_rows(store, "run_distribution"), runs);
    cr_assert(!find_group("key", 1).stale);
    group_results_free(&results);
}

/* In the transaction that begins with the settings there is nothing yet, but for what it has put itself. */
Test(derived, a_group_put_twice_is_there_once)
{
    struct group_results results = results_of(find_group("key", 1).key, 1);
    put("key", &results);
    int64_t windows = count_rows(store, "window"), stutters = count_rows(store, "stutter");
    cr_assert(store_derived_begin(store, "other", &error), "%s", error.text);
    for (int i = 0; i < 2; i++)
        cr_assert(store_derived_put(store, &results, 1, &error), "%s", error.text);
    cr_assert(store_derived_end(store, &error), "%s", error.text);
    cr_assert_eq(count_rows(store, "window"), 2 * windows);
    cr_assert_eq(count_rows(store, "stutter"), 2 * stutters);
    cr_assert_eq(count_rows(store, "distribution"), 2);
    group_results_free(&results);
}

/* What the rows of all tables hold, but for the analysis; windows by what is in them instead of by their ids. */
static void check_same_rows(const char *one, const char *other)
{
    static const char *const rows[] = {
        "SELECT frame_group, version, runs, gap_ns, p95_ns, scene_change_over FROM distribution WHERE analysis = %s",
        "SELECT frame_group, run, windows, flags, mean_ns, scene_change_over FROM run_distribution WHERE analysis = %s",
        "SELECT frame_group, run, event, occurrences, peak_ns, windows, excess_ns FROM event_figure WHERE analysis = %s",
        "SELECT frame_group, run, label, peak_ns, z, causes, peak_frame FROM window WHERE analysis = %s",
        ("SELECT t.frame_group, t.label, t.event, t.causes, w.frame_group, w.peak_ns FROM stutter t LEFT JOIN window w"
         " ON w.id = t.worst_window WHERE t.analysis = %s"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *left = memory_print(rows[i], one), *right = memory_print(rows[i], other);
        char *ask = memory_print("SELECT (SELECT count(*) FROM (%s)) - (SELECT count(*) FROM (%s)) + (SELECT count(*) FROM"
                                 " (%s EXCEPT %s)) + (SELECT count(*) FROM (%s EXCEPT %s))",
                                 left, right, left, right, right, left);
        int64_t differences;
        cr_assert(store_ask(store, &error, -1, &differences, ask, ""), "%s", error.text);
        cr_assert_eq(differences, 0, "%s", rows[i]);
        free(left);
        free(right);
        free(ask);
    }
}

/* Against their ids, with one that is not there, one that has changed, one of nothing but its figures. */
Test(derived, many_groups_at_once_are_as_one_by_one)
{
    struct group_state menu = find_group("one", 1), battle = find_group("one", 2);
    struct group_results list[4] = {results_of(battle.key, 1), results_of(menu.key, 1), results_of(menu.key, 1),
                                    results_of(menu.key, 1)};
    list[1].group.key.scene = 99;
    list[2].version = menu.version + 1;
    list[3].windows.count = list[3].stutters.count = list[3].events.count = 0;
    for (size_t i = 0; i < 4; i++)
        put("one", &list[i]);
    cr_assert(store_derived_begin(store, "many", &error), "%s", error.text);
    cr_assert(store_derived_put(store, list, 4, &error), "%s", error.text);
    cr_assert(store_derived_put(store, list, 0, &error), "%s", error.text);
    cr_assert(store_derived_end(store, &error), "%s", error.text);
    check_same_rows("(SELECT id FROM analysis WHERE key = 'one')", "(SELECT id FROM analysis WHERE key = 'many')");
    cr_assert_eq(count_rows(store, "distribution"), 4);
    cr_assert_eq(count_rows(store, "window"), 4);
    for (size_t i = 0; i < 4; i++)
        group_results_free(&list[i]);
}

Test(derived, a_failure_keeps_nothing)
{
    struct group_state menu = find_group("key", 1), battle = find_group("key", 2);
    struct group_results good = results_of(menu.key, 1), bad = results_of(battle.key, 1);
    array_push(&bad.runs, bad.runs.items[0]); /* one run twice: no such results are */
    cr_assert(store_derived_begin(store, "key", &error));
    cr_assert(store_derived_put(store, &good, 1, &error));
    cr_assert(!store_derived_put(store, &bad, 1, &error));
    cr_assert(!store_derived_put(store, &good, 1, &error));
    cr_assert(!store_derived_end(store, &error));
    cr_assert(find_group("key", 1).stale);
    put("key", &good);
    cr_assert(!find_group("key", 1).stale);
    group_results_free(&good);
    group_results_free(&bad);
}
