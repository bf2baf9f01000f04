#include "twelve.h"

#include "stutterscope/base/dictionary.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/store/writer.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST = 410,
    NEVER_RUN = 414,
    STEP = 415,
    OLD_IOS = 411,
    OTHER_OS = 417,
    STUTTERS = 418,
    LAST = 421,
    RUNS = 5,
    FRAMES = 100,
    MIDDLE = 50
};
#define DAY_MS   86400000LL
#define FIRST_MS 1763316300000LL /* 2025-11-16 18:05 UTC */

static const struct {
    const char *model, *name, *tier, *os;
    double weight;
    int64_t base_us, step_us;
} devices[] = {
    {"SM-A546B", "Galaxy A54", "mid", "Android 13", 1.2, 24300, 5500},
    {"SM-A536B", "Galaxy A53", "mid", "Android 13", 1.0, 41000, 6600},
    {"Redmi Note 12", "Redmi Note 12", "mid", "Android 13", 1.0, 33800, 6100},
    {"iPhone13,2", "iPhone 12", "mid", "iOS 17", 1.0, 22100, 0},
    {"SM-S918N", "Galaxy S23 Ultra", "high", "Android 14", 1.4, 19800, 0},
};
enum { A54, A53, REDMI, IPHONE, S23, DEVICES };

static int64_t raid_us(int build, int device, int run)
{
    if (build == 412 && device == A54 && run == RUNS - 1)
        return 31800;
    return devices[device].base_us + (build >= STEP ? devices[device].step_us : 0) + 300 * (run - 2);
}

static void add_visit(struct store_writer *writer, struct dictionary *texts, size_t number, int build,
                      int device, bool raid, int run, int64_t *stamp)
{
    static const enum frame_column used[] = {COLUMN_STAMP, COLUMN_FRAME_TIME, COLUMN_EVENT};
    struct segment_facts facts = {.scene = raid ? "Raid_02" : "Battle_03",
                                  .quality = "High",
                                  .visit = raid ? 0 : 1,
                                  .target_fps_milli = VALUE_UNKNOWN,
                                  .refresh_milli_hz = VALUE_UNKNOWN};
    struct frame_columns columns = {.count = FRAMES};
    struct error error = {0};

    for (size_t c = 0; c < sizeof used / sizeof *used; c++)
        columns.values[used[c]] = memory_take(FRAMES * sizeof(int64_t));
    for (int i = 0; i < FRAMES; i++) {
        int64_t us = 16000 + 100 * (i % 5);
        bool boss = !raid && i == MIDDLE;

        if (raid && i % 16 == 5 && i < 96)
            us = raid_us(build, device, run);
        if (boss && device == S23)
            us = build >= STUTTERS ? 92000 : 31000;
        *stamp += 1000 * us;
        columns.values[COLUMN_STAMP][i] = *stamp;
        columns.values[COLUMN_FRAME_TIME][i] = 1000 * us;
        columns.values[COLUMN_EVENT][i] =
            boss ? (int64_t)dictionary_add(texts, "boss_spawn", strlen("boss_spawn")) : VALUE_UNKNOWN;
    }
    cr_assert(store_writer_add_segment(writer, number, &facts, &columns, &error), "%s", error.text);
    for (size_t c = 0; c < sizeof used / sizeof *used; c++)
        free(columns.values[used[c]]);
}

static void print_build(int build, char *name, char *commit)
{
    snprintf(name, 24, build < 420 ? "1.7.9(%d)" : "1.8.0(%d)", build);
    snprintf(commit, 24, "%07x", 0x77aa0e2 + build * 7919);
}

static void add_run(struct store_writer *writer, struct dictionary *texts, int build, int device, int run)
{
    char name[24], build_name[24], commit[24];
    struct run_facts facts = {.build = build_name,
                              .commit = commit,
                              .built_at_ms = FIRST_MS + (build - FIRST) * DAY_MS,
                              .device_model = devices[device].model,
                              .name = name,
                              .os = device == A54 && build >= OTHER_OS                          ? "Android 14"
                                    : device == IPHONE && build == OLD_IOS && run == RUNS - 1 ? "iOS 1"
                                                                                                : devices[device].os,
                              .started_at_ms = FIRST_MS + (build - FIRST) * DAY_MS + 8 * 3600 * 1000,
                              .sample_every = VALUE_UNKNOWN,
                              .kept_over_ns = VALUE_UNKNOWN,
                              .target_fps_milli = VALUE_UNKNOWN,
                              .refresh_milli_hz = VALUE_UNKNOWN,
                              .interval = "present",
                              .tests_holes = true,
                              .has_clock = true};
    struct error error = {0};
    int64_t stamp = 0;
    size_t number;

    print_build(build, build_name, commit);
    snprintf(name, sizeof name, "%d", run + 1);
    cr_assert(store_writer_add_run(writer, &facts, &number, &error), "%s", error.text);
    add_visit(writer, texts, number, build, device, true, run, &stamp);
    add_visit(writer, texts, number, build, device, false, run, &stamp);
    store_writer_set_measures(writer, number, &(struct run_measures){.holes_tested = FRAMES});
}

static void add_build(struct store *store, int build)
{
    struct dictionary *texts = dictionary_create();
    struct import_facts facts = {.path = "night.csv", .format = "csv"};
    struct import_outcome outcome;
    struct store_writer *writer;
    struct error error = {0};
    char fingerprint[33];

    cr_assert(store_writer_begin(store, texts, &writer, &error), "%s", error.text);
    for (int device = 0; device < DEVICES; device++)
        for (int run = 0; run < RUNS; run++)
            add_run(writer, texts, build, device, run);
    snprintf(fingerprint, sizeof fingerprint, "%032d", build);
    facts.fingerprint = fingerprint;
    cr_assert(store_writer_commit(writer, &facts, &outcome, &error), "%s", error.text);
    dictionary_destroy(texts);
}

/* Known to the build server, never run. */
static void declare_build(struct store *store, int build)
{
    char name[24], commit[24];
    struct build_row row = {
        .name = name, .commit = commit, .built_at_ms = FIRST_MS + (build - FIRST) * DAY_MS};
    struct error error = {0};

    print_build(build, name, commit);
    cr_assert(store_find_or_add_build(store, name, &row.id, &error) &&
                  store_update_build(store, &row, &error),
              "%s", error.text);
}

void twelve_fill(struct store *store)
{
    struct error error = {0};

    for (int build = FIRST; build <= LAST; build++)
        if (build == NEVER_RUN)
            declare_build(store, build);
        else
            add_build(store, build);
    for (int i = 0; i < DEVICES; i++) {
        struct device_row row = {.model = (char *)(size_t)devices[i].model,
                                 .name = (char *)(size_t)devices[i].name,
                                 .tier = (char *)(size_t)devices[i].tier,
                                 .target_fps_milli = 60000,
                                 .weight = devices[i].weight,
                                 .declared = true};

        cr_assert(store_declare_device(store, &row, &error), "%s", error.text);
    }
}
