#include "fixture.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/store/triage.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct store *store;
static struct error error;

static void begin(void)
{
    scratch_make();
    store = open_store(scratch_path("store.db"), STORE_CREATE);
}

static void end(void)
{
    store_close(store);
    scratch_remove();
}

TestSuite(facts, .init = begin, .fini = end);

static void add_run(const char *build, const char *device, const char *soc, const char *name, int64_t started)
{
    struct run_facts facts = plain_facts(build, device, name);
    struct visit visit = {"S", NULL, 20 * MS, 20 * MS, 3, NULL};
    struct import_outcome outcome;
    facts.soc = soc;
    facts.started_at_ms = started;
    cr_assert(import_visits(store, "a.csv", name, &facts, &visit, 1, &outcome, &error), "%s", error.text);
}

static void assert_builds(const char *order, const char *names)
{
    struct build_list list = {0};
    char got[200] = "";
    cr_assert(store_list_builds(store, &list, &error), "%s", error.text);
    for (size_t i = 0; i < list.count; i++)
        strcat(strcat(got, list.items[i].name), " ");
    cr_assert_str_eq(got, names);
    cr_assert_str_eq(list.order, order);
    build_list_free(&list);
}

Test(facts, builds_in_order)
{
    int64_t declared, again;
    cr_assert(store_find_or_add_build(store, "1.8.0(421)", &declared, &error));
    cr_assert(store_find_or_add_build(store, "1.8.0(421)", &again, &error));
    cr_assert_eq(declared, again);
    add_run("1.8.0(99)", "A", NULL, "r1", VALUE_UNKNOWN);
    add_run("1.8.0(421)", "A", NULL, "r2", VALUE_UNKNOWN);
    add_run("1.7.9", "A", NULL, "r3", VALUE_UNKNOWN);
    assert_builds("version", "1.7.9 1.8.0(99) 1.8.0(421) ");
    struct build_list list = {0};
    cr_assert(store_list_builds(store, &list, &error));
    for (size_t i = 0; i < 3; i++) {
        list.items[i].built_at_ms = 1000 - (int64_t)i;
        list.items[i].bad = i == 1;
        cr_assert(store_update_build(store, &list.items[i], &error), "%s", error.text);
    }
    build_list_free(&list);
    assert_builds("build time", "1.8.0(421) 1.8.0(99) 1.7.9 ");
    cr_assert(store_list_builds(store, &list, &error));
    cr_assert(list.items[1].bad && !list.items[0].bad);
    cr_assert(list.items[0].commit == NULL);
    cr_assert_eq(list.items[0].first_import, declared);
    build_list_free(&list);
}

Test(facts, devices_are_model_and_chip_and_may_be_declared_before_or_after)
{
    struct device_row row = {.model = (char *)"SM-S918N",
                             .name = (char *)"Galaxy",
                             .tier = (char *)"high",
                             .target_fps_milli = 60000,
                             .weight = 1.4};
    cr_assert(store_declare_device(store, &row, &error), "%s", error.text);
    add_run("1", "SM-S918N", "SM8550", "r1", VALUE_UNKNOWN);
    add_run("1", "SM-S918N", "Exynos", "r2", VALUE_UNKNOWN);
    add_run("1", "Other", NULL, "r3", VALUE_UNKNOWN);
    row.chip = (char *)"Exynos";
    row.name = NULL;
    row.weight = 2;
    cr_assert(store_declare_device(store, &row, &error), "%s", error.text);
    row.weight = 3;
    cr_assert(store_declare_device(store, &row, &error), "%s", error.text);
    struct device_list list = {0};
    cr_assert(store_list_devices(store, &list, &error), "%s", error.text);
    cr_assert_eq(list.count, 3);
    cr_assert_str_eq(list.items[0].name, "Galaxy");
    cr_assert_eq(list.items[0].weight, 1.4);
    cr_assert_eq(list.items[0].target_fps_milli, 60000);
    cr_assert_str_eq(list.items[1].chip, "Exynos");
    cr_assert_eq(list.items[1].weight, 3);
    cr_assert_str_eq(list.items[1].name, "Galaxy", "what the chip's line leaves open the model's says");
    cr_assert(!list.items[2].declared && list.items[2].name == NULL);
    cr_assert_eq(list.items[2].weight, 1);
    cr_assert_eq(list.items[2].target_fps_milli, VALUE_UNKNOWN);
    cr_assert_str_eq(list.items[2].chip, "");
    device_list_free(&list);
    cr_assert_eq(count_rows(store, "device_report"), 3);
    cr_assert_eq(count_rows(store, "run_report"), 3);
}

Test(facts, runs_by_start_and_filter)
{
    add_run("1", "A", NULL, "late", 3000);
    add_run("1", "A", NULL, "unknown", VALUE_UNKNOWN);
    add_run("1", "B", NULL, "early", 1000);
    add_run("2", "A", NULL, "middle", 2000);
    struct run_list list = {0};
    struct run_filter filter = {0};
    cr_assert(store_list_runs(store, &filter, &list, &error), "%s", error.text);
    static const char *const names[] = {"early", "middle", "late", "unknown"};
    cr_assert_eq(list.count, 4);
    for (size_t i = 0; i < 4; i++)
        cr_assert_str_eq(list.items[i].name, names[i]);
    filter.build = list.items[2].build;
    filter.device = list.items[2].device;
    run_list_free(&list);
    cr_assert(store_list_runs(store, &filter, &list, &error));
    cr_assert_eq(list.count, 2);
    run_list_free(&list);
    filter = (struct run_filter){.series = "nightly", .name = "middle"};
    cr_assert(store_list_runs(store, &filter, &list, &error));
    cr_assert_eq(list.count, 1);
    run_list_free(&list);
    filter.series = "fix-12";
    cr_assert(store_list_runs(store, &filter, &list, &error));
    cr_assert_eq(list.count, 0);
    run_list_free(&list);
}

Test(facts, starts_of_runs)
{
    struct run_start_list list = {0};
    int64_t builds = 0, devices = 0, stamps = 0, unknown = 0;
    add_run("1", "A", NULL, "late", 3000);
    add_run("1", "A", NULL, "unknown", VALUE_UNKNOWN);
    add_run("2", "B", NULL, "middle", 2000);
    cr_assert(store_list_run_starts(store, "nightly", &list, &error), "%s", error.text);
    cr_assert_eq(list.count, 3);
    for (size_t i = 0; i < list.count; i++) { /* in no order; builds and devices are numbered as they came */
        builds += list.items[i].build;
        devices += list.items[i].device;
        unknown += list.items[i].started_at_ms == VALUE_UNKNOWN;
        stamps += list.items[i].started_at_ms == VALUE_UNKNOWN ? 0 : list.items[i].started_at_ms;
        if (list.items[i].started_at_ms == 2000)
            cr_assert(list.items[i].build == 2 && list.items[i].device == 2);
    }
    cr_assert(builds == 1 + 1 + 2 && devices == 1 + 1 + 2 && unknown == 1 && stamps == 5000);
    run_start_list_free(&list);
    cr_assert(store_list_run_starts(store, NULL, &list, &error));
    cr_assert_eq(list.count, 3);
    run_start_list_free(&list);
    cr_assert(store_list_run_starts(store, "fix-12", &list, &error));
    cr_assert_eq(list.count, 0);
    run_start_list_free(&list);
}

/* "device/scene build" of every pin, one after the other. */
static char *list_pins(void)
{
    struct baseline_pin_list pins = {0};
    struct text_buffer text = {0};
    cr_assert(store_list_baselines(store, &pins, &error), "%s", error.text);
    for (size_t i = 0; i < pins.count; i++)
        text_add_print(&text, "%s%d/%d %d", i ? ", " : "", (int)pins.items[i].device, (int)pins.items[i].scene, (int)pins.items[i].build);
    array_free(&pins);
    return text_take(&text);
}

static void assert_pins(const char *expected)
{
    char *pins = list_pins();
    cr_assert_str_eq(pins, expected);
    free(pins);
}

Test(facts, pins)
{
    const struct triage_author hana = {"hana", 1};
    int64_t build, other, decision;
    cr_assert(store_find_or_add_build(store, "1", &build, &error));
    cr_assert(store_find_or_add_build(store, "2", &other, &error));
    cr_assert(build == 1 && other == 2);
    assert_pins("");
    cr_assert(store_decide_baseline(store, 3, 4, "2", &hana, &decision, &error));
    cr_assert(store_decide_baseline(store, 0, 0, "1", &hana, &decision, &error));
    cr_assert(store_decide_baseline(store, 3, 2, "1", &hana, &decision, &error));
    assert_pins("0/0 1, 3/2 1, 3/4 2");
    cr_assert(store_decide_baseline(store, 3, 4, "1", &hana, &decision, &error));
    assert_pins("0/0 1, 3/2 1, 3/4 1");
    cr_assert(store_decide_baseline(store, 3, 4, NULL, &hana, &decision, &error));
    assert_pins("0/0 1, 3/2 1");
    cr_assert(!store_decide_baseline(store, 0, 0, "4711", &hana, &decision, &error), "there is no such build");
    assert_pins("0/0 1, 3/2 1");
}

Test(facts, expectations)
{
    struct expectation_row rows[] = {
        {EXPECTATION_EXPECTED, (char *)"A", (char *)"S", NULL, NULL},
        {EXPECTATION_RETIRED, (char *)"B", NULL, NULL, (char *)"broken"},
        {EXPECTATION_SKIPPED, (char *)"C", NULL, (char *)"1.2", (char *)"busy"},
    };
    for (size_t i = 0; i < 3; i++)
        cr_assert(store_add_expectation(store, &rows[i], &error), "%s", error.text);
    struct expectation_list list = {0};
    cr_assert(store_list_expectations(store, &list, &error));
    cr_assert_eq(list.count, 3);
    for (size_t i = 0; i < 3; i++)
        cr_assert_eq(list.items[i].kind, rows[i].kind);
    cr_assert(list.items[1].scene == NULL);
    cr_assert_str_eq(list.items[2].build, "1.2");
    cr_assert_str_eq(list.items[2].note, "busy");
    expectation_list_free(&list);
    cr_assert(store_clear_expectations(store, EXPECTATION_EXPECTED, &error));
    cr_assert(store_list_expectations(store, &list, &error));
    cr_assert_eq(list.count, 2);
    expectation_list_free(&list);
}

Test(facts, settings)
{
    cr_assert(store_set_setting(store, "a.b", "1", &error));
    cr_assert(store_set_setting(store, "a.b", "zwei – 二", &error));
    char *value = store_get_setting(store, "a.b");
    cr_assert_str_eq(value, "zwei – 二");
    free(value);
    cr_assert(store_set_setting(store, "a.b", NULL, &error));
    cr_assert(store_get_setting(store, "a.b") == NULL);
}
