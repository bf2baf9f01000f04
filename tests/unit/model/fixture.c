#include "../leftovers.h"
#include "fixture.h"

#include "stutterscope/base/memory.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fixture_open(struct fixture *fixture)
{
    struct error error = {0};

    memset(fixture, 0, sizeof *fixture);
    snprintf(fixture->folder, sizeof fixture->folder, "/tmp/stutterscope-test-XXXXXX");
    cr_assert_not_null(mkdtemp(fixture->folder));
    leftover_note(fixture->folder);
    snprintf(fixture->path, sizeof fixture->path, "%s/store.db", fixture->folder);
    cr_assert(store_open(fixture->path, STORE_CREATE, &fixture->store, &error), "%s", error.text);
}

/* Calm frames repeat 16.0, 16.1, … 16.4 ms: median 16.2, MAD 0.1. */
static int64_t calm_us(size_t index)
{
    return 16000 + 100 * (int64_t)(index % 5);
}

void fixture_add(struct fixture *fixture, const struct test_run *run)
{
    struct dictionary *texts = dictionary_create();
    struct store_writer *writer;
    struct error error = {0};
    struct run_facts facts = {.build = run->build, .device_model = run->device, .name = run->run, .os = run->os,
                              .built_at_ms = VALUE_UNKNOWN, .started_at_ms = run->started_at_ms, .sample_every = VALUE_UNKNOWN,
                              .kept_over_ns = VALUE_UNKNOWN, .target_fps_milli = run->fps_milli ? run->fps_milli : 60000, .refresh_milli_hz = VALUE_UNKNOWN,
                              .interval = "present", .tests_holes = true, .has_clock = true};
    struct segment_facts segment = {.scene = run->scene, .quality = run->quality, .target_fps_milli = VALUE_UNKNOWN,
                                    .refresh_milli_hz = VALUE_UNKNOWN};
    struct frame_columns columns = {.count = run->frames};
    struct import_outcome outcome;
    char fingerprint[33];
    size_t number;
    int64_t stamp = 0;
    static const enum frame_column used[] = {COLUMN_STAMP, COLUMN_FRAME_TIME, COLUMN_CPU, COLUMN_GPU, COLUMN_EVENT};

    for (size_t c = 0; c < sizeof used / sizeof *used; c++)
        columns.values[used[c]] = memory_take(run->frames * sizeof(int64_t));
    if (run->spikes_only)
        facts.kept_over_ns = 0;
    columns.count = 0;
    for (size_t i = 0; i < run->frames; i++) {
        const struct slow_frame *slow = NULL;
        size_t at = columns.count;

        for (size_t s = 0; s < run->slow_count; s++)
            if (run->slow[s].index == i)
                slow = &run->slow[s];
        stamp += 1000 * (slow ? slow->frame_us : calm_us(i));
        if (run->spikes_only && !slow)
            continue;
        columns.values[COLUMN_FRAME_TIME][at] = 1000 * (slow ? slow->frame_us : calm_us(i));
        columns.values[COLUMN_CPU][at] = slow ? 1000 * slow->cpu_us : 10000000;
        columns.values[COLUMN_GPU][at] = slow ? 1000 * slow->gpu_us : 11000000;
        columns.values[COLUMN_EVENT][at] = slow && slow->event ? (int64_t)dictionary_add(texts, slow->event, strlen(slow->event)) : VALUE_UNKNOWN;
        columns.values[COLUMN_STAMP][at] = stamp;
        columns.count++;
    }
    cr_assert(store_writer_begin(fixture->store, texts, &writer, &error), "%s", error.text);
    cr_assert(store_writer_add_run(writer, &facts, &number, &error), "%s", error.text);
    cr_assert(store_writer_add_segment(writer, number, &segment, &columns, &error), "%s", error.text);
    for (size_t i = 0; run->then_quality && i < columns.count; i++)
        columns.values[COLUMN_STAMP][i] += stamp;
    segment.quality = run->then_quality;
    cr_assert(!run->then_quality || store_writer_add_segment(writer, number, &segment, &columns, &error), "%s", error.text);
    store_writer_set_measures(writer, number, &(struct run_measures){.holes_tested = (int64_t)columns.count - 1});
    snprintf(fingerprint, sizeof fingerprint, "%032zx", (size_t)rand());
    cr_assert(store_writer_commit(writer, &(struct import_facts){.path = "test", .format = "test", .fingerprint = fingerprint}, &outcome, &error),
              "%s", error.text);
    for (size_t c = 0; c < sizeof used / sizeof *used; c++)
        free(columns.values[used[c]]);
    dictionary_destroy(texts);
}

struct model *fixture_model(struct fixture *fixture)
{
    struct model_options options = {.mode = STORE_WRITE};
    struct model *model;
    struct error error = {0};

    store_close(fixture->store);
    fixture->store = NULL;
    cr_assert(model_open(fixture->path, &options, &model, &error), "%s", error.text);
    return model;
}

void fixture_close(struct fixture *fixture, struct model *model)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};

    model_close(model);
    store_close(fixture->store);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char path[128];

        snprintf(path, sizeof path, "%s%s", fixture->path, endings[i]);
        unlink(path);
    }
    rmdir(fixture->folder);
}
