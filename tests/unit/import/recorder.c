#include "recorder.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct import_options some_context = {
    .context = {[CONTEXT_BUILD] = "b1", [CONTEXT_DEVICE] = "Test device", [CONTEXT_SCENE] = "Arena"}};

static void take_facts(struct recorded_run *run, const struct assembled_facts *facts)
{
    free(run->build);
    free(run->device);
    free(run->name);
    free(run->os);
    free(run->series);
    free(run->log_url);
    free(run->interval);
    run->facts = *facts;
    run->build = memory_copy_text(facts->build);
    run->device = memory_copy_text(facts->device_model);
    run->name = memory_copy_text(facts->name);
    run->os = memory_copy_text(facts->os);
    run->series = memory_copy_text(facts->series);
    run->log_url = memory_copy_text(facts->log_url);
    run->interval = memory_copy_text(facts->interval);
}

static bool add_run(void *user, const struct assembled_facts *facts, size_t *ret_run, struct error *error)
{
    struct recorder *recorder = user;

    (void)error;
    array_push(&recorder->runs, (struct recorded_run){0});
    *ret_run = recorder->runs.count - 1;
    take_facts(&recorder->runs.items[*ret_run], facts);
    return true;
}

static bool update_run(void *user, size_t run, const struct assembled_facts *facts, struct error *error)
{
    (void)error;
    take_facts(&((struct recorder *)user)->runs.items[run], facts);
    return true;
}

static bool add_segment(void *user, size_t run, const struct assembled_segment *facts,
                        const struct frame_columns *columns, struct error *error)
{
    struct recorded_segment segment = {.run = run,
                                       .scene = memory_copy_text(facts->scene),
                                       .quality = memory_copy_text(facts->quality),
                                       .visit = facts->visit,
                                       .target_fps_milli = facts->target_fps_milli,
                                       .refresh_milli_hz = facts->refresh_milli_hz,
                                       .broken = facts->broken,
                                       .columns = {.count = columns->count}};

    (void)error;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (!columns->values[i])
            continue;
        segment.columns.values[i] = memory_take(columns->count * sizeof(int64_t));
        memcpy(segment.columns.values[i], columns->values[i], columns->count * sizeof(int64_t));
    }
    array_push(&((struct recorder *)user)->segments, segment);
    return true;
}

static void set_measures(void *user, size_t run, const struct assembled_measures *measures)
{
    struct recorded_run *recorded = &((struct recorder *)user)->runs.items[run];

    recorded->measures = *measures;
    recorded->notes = memory_copy_text(measures->notes);
}

static bool add_sample(void *user, size_t run, const struct assembled_sample *sample, struct error *error)
{
    struct recorded_sample copy = {.run = run,
                                   .scene = memory_copy_text(sample->scene),
                                   .name = memory_copy_text(sample->name),
                                   .unit = memory_copy_text(sample->unit),
                                   .value = sample->value,
                                   .stamp_ns = sample->stamp_ns,
                                   .snapshot = sample->snapshot};

    (void)error;
    array_push(&((struct recorder *)user)->samples, copy);
    return true;
}

static struct recorder *record(struct byte_source *source, const char *path, const struct import_options *options, bool samples,
                               struct recorder *recorder)
{
    const struct segment_sink sink = {recorder, add_run, update_run, add_segment, set_measures, samples ? add_sample : NULL};

    recorder->texts = dictionary_create();
    if (source)
        recorder->fine = import_read(source, path, options, recorder->texts, &sink, NULL, &recorder->reading,
                                     &recorder->error);
    if (recorder->reading.assembler)
        assembler_fingerprint(recorder->reading.assembler, recorder->fingerprint);
    return recorder;
}

struct recorder *record_bytes(const char *bytes, size_t size, const struct import_options *options)
{
    return record(source_open_memory(bytes, size), "test.txt", options, false,
                  memory_take_zeroed(1, sizeof(struct recorder)));
}

struct recorder *record_samples(const char *bytes, size_t size, const struct import_options *options)
{
    return record(source_open_memory(bytes, size), "test.txt", options, true, memory_take_zeroed(1, sizeof(struct recorder)));
}

struct recorder *record_text(const char *text, const struct import_options *options)
{
    return record_bytes(text, strlen(text), options);
}

struct recorder *record_file(const char *path, const struct import_options *options)
{
    struct recorder *recorder = memory_take_zeroed(1, sizeof *recorder);

    return record(source_open_file(path, &recorder->error), path, options, false, recorder);
}

void recorder_free(struct recorder *recorder)
{
    for (size_t i = 0; i < recorder->segments.count; i++) {
        free(recorder->segments.items[i].scene);
        free(recorder->segments.items[i].quality);
        for (int j = 0; j < COLUMN_COUNT; j++)
            free(recorder->segments.items[i].columns.values[j]);
    }
    for (size_t i = 0; i < recorder->runs.count; i++) {
        struct recorded_run *run = &recorder->runs.items[i];

        free(run->notes);
        take_facts(run, &(struct assembled_facts){0});
    }
    for (size_t i = 0; i < recorder->samples.count; i++) {
        free(recorder->samples.items[i].scene);
        free(recorder->samples.items[i].name);
        free(recorder->samples.items[i].unit);
    }
    array_free(&recorder->samples);
    array_free(&recorder->segments);
    array_free(&recorder->runs);
    import_reading_free(&recorder->reading);
    dictionary_destroy(recorder->texts);
    free(recorder);
}

int64_t recorded_frames(const struct recorder *recorder)
{
    int64_t frames = 0;

    for (size_t i = 0; i < recorder->segments.count; i++)
        frames += (int64_t)recorder->segments.items[i].columns.count;
    return frames;
}

int64_t *recorded_column(const struct recorder *recorder, size_t run, enum frame_column column,
                         size_t *ret_count)
{
    int64_t *values = memory_take((size_t)(recorded_frames(recorder) + 1) * sizeof *values);
    size_t count = 0;

    for (size_t i = 0; i < recorder->segments.count; i++) {
        const struct recorded_segment *segment = &recorder->segments.items[i];

        if (run != SIZE_MAX && segment->run != run)
            continue;
        for (size_t j = 0; j < segment->columns.count; j++)
            values[count++] =
                segment->columns.values[column] ? segment->columns.values[column][j] : VALUE_UNKNOWN;
    }
    *ret_count = count;
    return values;
}

static int compare_integers(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return left < right ? -1 : left > right;
}

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return left < right ? -1 : left > right;
}

struct recorded_figures recorded_figures(const struct recorder *recorder, size_t run)
{
    struct recorded_figures figures = {0};
    size_t count;
    int64_t *times = recorded_column(recorder, run, COLUMN_FRAME_TIME, &count);
    double *away = memory_take((count + 1) * sizeof *away);

    figures.frames = count;
    if (count > 0) {
        qsort(times, count, sizeof *times, compare_integers);
        figures.min = times[0];
        figures.max = times[count - 1];
        figures.p95 = times[(count * 95 + 99) / 100 - 1];
        figures.p99 = times[(count * 99 + 99) / 100 - 1];
        figures.median = ((double)times[(count - 1) / 2] + (double)times[count / 2]) / 2;
        for (size_t i = 0; i < count; i++) {
            figures.sum += times[i];
            away[i] = (double)times[i] - figures.median;
            away[i] = away[i] < 0 ? -away[i] : away[i];
        }
        qsort(away, count, sizeof *away, compare_doubles);
        figures.mad = (away[(count - 1) / 2] + away[count / 2]) / 2;
    }
    free(times);
    free(away);
    return figures;
}

int64_t recorded_rejects(const struct recorder *recorder, enum reject_reason reason)
{
    return recorder->reading.log->rejects[reason].count;
}

bool recorded_note(const struct recorder *recorder, const char *part)
{
    for (size_t i = 0; i < recorder->reading.log->notes.count; i++) {
        if (strstr(recorder->reading.log->notes.items[i], part))
            return true;
    }
    return false;
}

char *reference_path(const char *name)
{
    const char *folder = getenv("STUTTERSCOPE_REFERENCE");
    char *path;

    if (!folder || !*folder)
        return NULL;
    path = memory_print("%s/%s", folder, name);
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}
