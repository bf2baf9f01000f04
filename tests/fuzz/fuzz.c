#include "fuzz.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct totals {
    size_t runs;
    int64_t frames, samples;
};

static void promise(bool kept, const char *what)
{
    if (kept)
        return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

static void check_text(const char *text)
{
    char *clean;

    if (!text)
        return;
    clean = text_clean(text, strlen(text));
    promise(strcmp(clean, text) == 0, "texts are clean");
    free(clean);
}

static bool add_run(void *user, const struct assembled_facts *facts, size_t *ret_run, struct error *error)
{
    (void)error;
    *ret_run = ((struct totals *)user)->runs++;
    check_text(facts->device_model);
    check_text(facts->os);
    check_text(facts->name);
    return true;
}

static bool update_run(void *user, size_t run, const struct assembled_facts *facts, struct error *error)
{
    (void)facts;
    (void)error;
    promise(run < ((struct totals *)user)->runs, "only known runs are changed");
    return true;
}

static bool add_segment(void *user, size_t run, const struct assembled_segment *facts,
                        const struct frame_columns *columns, struct error *error)
{
    struct totals *totals = user;

    (void)error;
    promise(run < totals->runs, "segments belong to known runs");
    promise(columns->count > 0 && columns->values[COLUMN_FRAME_TIME], "segments hold frames");
    check_text(facts->scene);
    check_text(facts->quality);
    for (size_t i = 0; i < columns->count; i++)
        promise(columns->values[COLUMN_FRAME_TIME][i] >= 1000, "frame times take at least 1 µs");
    totals->frames += (int64_t)columns->count;
    return true;
}

static void set_measures(void *user, size_t run, const struct assembled_measures *measures)
{
    promise(run < ((struct totals *)user)->runs, "measures belong to known runs");
    promise(measures->rejected >= 0 && measures->gaps >= 0, "counts are not negative");
}

static bool add_sample(void *user, size_t run, const struct assembled_sample *sample, struct error *error)
{
    struct totals *totals = user;

    (void)error;
    promise(run < totals->runs, "samples belong to known runs");
    promise(isfinite(sample->value), "samples are numbers");
    check_text(sample->scene);
    check_text(sample->name);
    check_text(sample->unit);
    totals->samples++;
    return true;
}

void fuzz_import(struct byte_source *source, const char *path, const struct import_options *options)
{
    struct totals totals = {0};
    const struct segment_sink sink = {&totals, add_run, update_run, add_segment, set_measures, add_sample};
    struct dictionary *texts = dictionary_create();
    struct import_reading reading;
    struct error error = {0};
    bool fine = import_read(source, path, options, texts, &sink, NULL, &reading, &error);

    promise(fine ? totals.frames + totals.samples > 0 : error.code != ERROR_NONE && *error.text,
            "a file gives frames, samples or an error");
    import_reading_free(&reading);
    dictionary_destroy(texts);
}

const struct import_options fuzz_options = {
    .context = {[CONTEXT_BUILD] = "b1", [CONTEXT_DEVICE] = "Test device", [CONTEXT_SCENE] = "Arena"}};

void fuzz_format(const char *format, const uint8_t *bytes, size_t size)
{
    struct import_options options = fuzz_options;

    options.format = format;
    fuzz_import(source_open_memory((const char *)bytes, size), "fuzz", &options);
}

char *fuzz_first_line(const uint8_t **bytes, size_t *size)
{
    const uint8_t *stop = *size ? memchr(*bytes, '\n', *size) : NULL;
    size_t length = stop ? (size_t)(stop - *bytes) : *size;
    char *line = memory_copy_bytes((const char *)*bytes, length);

    *bytes += length + (stop != NULL);
    *size -= length + (stop != NULL);
    return line;
}
