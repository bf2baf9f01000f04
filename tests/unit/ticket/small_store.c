#include "../leftovers.h"
#include "small_store.h"

#include "stutterscope/base/dictionary.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/model/comparison.h"
#include "stutterscope/store/writer.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 300, PEAK_FRAME = 150 };

struct play {
    const char *build, *device, *name;
    double peak_ms, cpu_ms, gpu_ms;
};

static const struct play plays[] = {
    {"1.7.9(418)", "SM-S918N", "1", 24.1, 12, 14},     {"1.7.9(418)", "SM-S918N", "2", 31.6, 12, 14},
    {"1.7.9(418)", "SM-S918N", "3", 18.9, 12, 14},     {"1.7.9(418)", "SM-F731N", "1", 30.9, 12, 14},
    {"1.7.9(418)", "SM-F731N", "2", 22.4, 12, 14},     {"1.7.9(418)", "Pixel 8", "1", 17, 12, 14},
    {"1.8.0(421)", "SM-S918N", "1", 92.4, 76.2, 14.8}, {"1.8.0(421)", "SM-S918N", "2", 71.0, 58.1, 14.1},
    {"1.8.0(421)", "SM-S918N", "3", 29.3, 20, 14},     {"1.8.0(421)", "SM-S918N", "4", 88.2, 70.9, 15.2},
    {"1.8.0(421)", "SM-S918N", "5", 64.9, 51.3, 13.7}, {"1.8.0(421)", "SM-F731N", "1", 61.25, 50.5, 30},
    {"1.8.0(421)", "SM-F731N", "2", 58.1, 50, 30},     {"1.8.0(421)", "SM-F731N", "3", 20, 12, 14},
    {"1.8.0(421)", "Pixel 8", "1", 17.5, 12, 14},
};

static int64_t ns(double ms)
{
    return (int64_t)(ms * 1000 + 0.5) * 1000;
}

struct filling {
    struct store_writer *writer;
    const char *scene;
    int64_t boss, door, picture; /* text ids */
};

static void add_play(struct filling *filling, const struct play *play)
{
    bool newest = strcmp(play->build, "1.8.0(421)") == 0;
    struct run_facts facts = {.build = play->build,
                              .commit = newest ? "a1b2c3d" : "5d20c7e",
                              .ci_run = newest ? "8867" : "8801",
                              .built_at_ms = newest ? 1764180300000 : 1764007500000,
                              .device_model = play->device,
                              .name = play->name,
                              .os = "Android 14",
                              .gpu_name = "Adreno 740",
                              .series = "nightly",
                              .started_at_ms = 1764205200000,
                              .log_url = newest ? "https://ci.example.com/runs/8867/log" : NULL,
                              .sample_every = VALUE_UNKNOWN,
                              .kept_over_ns = VALUE_UNKNOWN,
                              .target_fps_milli = 60000,
                              .refresh_milli_hz = VALUE_UNKNOWN,
                              .interval = "present",
                              .tests_holes = true,
                              .has_clock = true};
    struct segment_facts segment = {.scene = filling->scene,
                                    .quality = "High",
                                    .target_fps_milli = 60000,
                                    .refresh_milli_hz = VALUE_UNKNOWN};
    struct run_measures measures = {.holes_tested = FRAMES - 1};
    int64_t *values = memory_take_zeroed(COLUMN_COUNT * FRAMES, sizeof *values), stamp = 0;
    struct frame_columns columns = {.count = FRAMES};
    struct error error = {0};
    size_t run;

    for (int column = 0; column <= COLUMN_SCREENSHOT; column++)
        columns.values[column] = values + column * FRAMES;
    columns.values[COLUMN_DISPLAY] = columns.values[COLUMN_MEMORY] = NULL;
    columns.values[COLUMN_STEP] = columns.values[COLUMN_THERMAL] = NULL;
    for (int i = 0; i < FRAMES; i++) {
        bool peak = i == PEAK_FRAME;

        columns.values[COLUMN_FRAME_TIME][i] = ns(peak ? play->peak_ms : i % 2 ? 16.6 : 16.7);
        stamp += columns.values[COLUMN_FRAME_TIME][i];
        columns.values[COLUMN_STAMP][i] = stamp;
        columns.values[COLUMN_CPU][i] = ns(peak ? play->cpu_ms : 9.5);
        columns.values[COLUMN_GPU][i] = ns(peak ? play->gpu_ms : 11);
        columns.values[COLUMN_GC][i] = peak ? 262144 : 0;
        columns.values[COLUMN_DRAW_CALLS][i] = peak ? 968 : 412;
        columns.values[COLUMN_EVENT][i] = peak ? filling->boss : i == 120 ? filling->door : 0;
        columns.values[COLUMN_SCREENSHOT][i] = newest && i == PEAK_FRAME + 2 ? filling->picture : 0;
    }
    cr_assert(store_writer_add_run(filling->writer, &facts, &run, &error), "%s", error.text);
    cr_assert(store_writer_add_segment(filling->writer, run, &segment, &columns, &error), "%s", error.text);
    store_writer_set_measures(filling->writer, run, &measures);
    free(values);
}

static void fill(struct store *store, const char *scene)
{
    struct dictionary *texts = dictionary_create();
    struct filling filling = {.scene = scene};
    struct import_facts facts = {.path = "small.csv",
                                 .format = "canonical CSV",
                                 .report = "{}",
                                 .fingerprint = "0123456789abcdef0123456789abcdef"};
    struct device_row device = {.model = (char *)"SM-S918N",
                                .name = (char *)"Galaxy S23 Ultra",
                                .tier = (char *)"high",
                                .target_fps_milli = 60000,
                                .weight = 1.4};
    struct import_outcome outcome;
    struct error error = {0};

    filling.boss = dictionary_add(texts, "boss_spawn", 10);
    filling.door = dictionary_add(texts, "door_open", 9);
    filling.picture = dictionary_add(texts, "shots/0042.png", 14);
    cr_assert(store_writer_begin(store, texts, &filling.writer, &error), "%s", error.text);
    for (size_t i = 0; i < sizeof plays / sizeof *plays; i++)
        add_play(&filling, &plays[i]);
    cr_assert(store_writer_commit(filling.writer, &facts, &outcome, &error), "%s", error.text);
    cr_assert(store_declare_device(store, &device, &error), "%s", error.text);
    dictionary_destroy(texts);
}

struct model *small_store_open(const char *scene)
{
    char folder[] = "/tmp/stutterscope-ticket-XXXXXX";
    struct model_options options = {.mode = STORE_CREATE};
    struct error error = {0};
    struct model *model;
    char *path;

    cr_assert(mkdtemp(folder));
    leftover_note(folder);
    path = memory_print("%s/my store.db", folder);
    cr_assert(model_open(path, &options, &model, &error), "%s", error.text);
    fill(model_store(model), scene);
    cr_assert(model_reload(model, &error), "%s", error.text);
    free(path);
    return model;
}

void small_store_close(struct model *model)
{
    char *path = memory_copy_text(model_path(model));

    model_close(model);
    *strrchr(path, '/') = '\0';
    leftover_remove(path);
    free(path);
}

const char *small_store_stutter(struct model *model, const char *device_model, const char *event)
{
    struct error error = {0};
    const struct stutter_entries *entries =
        model_stutters(model, model_newest_build(model), 0, false, NULL, &error);

    cr_assert(entries, "%s", error.text);
    for (size_t i = 0; i < entries->count; i++) {
        const struct stutter *stutter = &entries->items[i].stutter;
        const char *name = model_text(model, stutter->event);

        if (strcmp(model_device(model, stutter->key.device)->model, device_model) == 0 &&
            (!event || (name && strcmp(name, event) == 0)))
            return entries->items[i].id;
    }
    cr_assert_fail("no stutter of %s", device_model);
    return NULL;
}
