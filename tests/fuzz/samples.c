#include "samples.h"

#include "stutterscope/base/text.h"
#include "stutterscope/import/format.h"
#include "stutterscope/import/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct listener {
    struct import_log *log;
    int64_t samples;
};

static void promise(bool kept, const char *what)
{
    if (kept)
        return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

static void hear_facts(void *user, const struct import_source_facts *facts)
{
    promise(strcmp(facts->interval, "samples") == 0, "a format of samples says so");
    import_log_facts(((struct listener *)user)->log, facts);
}

static bool hear_frames(void *user, const struct import_context *context, const struct frame_columns *frames,
                        int64_t line, struct error *error)
{
    (void)user;
    (void)context;
    (void)frames;
    (void)line;
    (void)error;
    promise(false, "samples are never frames");
    return true;
}

static bool hear_sample(void *user, const struct import_context *context, const struct import_value *value,
                        int64_t line, struct error *error)
{
    const char *texts[] = {value->name, value->unit};

    (void)context;
    (void)line;
    (void)error;
    ((struct listener *)user)->samples++;
    promise(isfinite(value->value), "values are finite");
    for (size_t i = 0; i < 2; i++) {
        char *clean = text_clean(texts[i], strlen(texts[i]));

        promise(strcmp(clean, texts[i]) == 0, "texts are clean");
        free(clean);
    }
    return true;
}

static void hear_reject(void *user, enum reject_reason reason, int64_t line, const char *text, size_t length)
{
    import_log_reject(((struct listener *)user)->log, reason, line, text, length);
}

static void hear_note(void *user, const char *text)
{
    import_log_note(((struct listener *)user)->log, text);
}

static void hear_column(void *user, const char *name, bool personal)
{
    import_log_column(((struct listener *)user)->log, name, personal);
}

void fuzz_samples(const char *format_name, const uint8_t *bytes, size_t size)
{
    static const struct import_options nothing_said;
    const struct import_options options = {.format = format_name};
    struct error error = {0};
    struct import_input *input =
        import_input_open(source_open_memory((const char *)bytes, size), "fuzz", NULL, NULL, &error);
    struct listener listener = {.log = import_log_create()};
    struct dictionary *texts = dictionary_create();
    const struct import_sink sink = {.user = &listener,
                                     .texts = texts,
                                     .facts = hear_facts,
                                     .frames = hear_frames,
                                     .sample = hear_sample,
                                     .reject = hear_reject,
                                     .note = hear_note,
                                     .column_left_out = hear_column};
    const struct import_format *format =
        input ? import_format_find(import_input_sample(input), &options, &error) : NULL;

    if (format) {
        bool fine = format->read(&(struct import_reader){input, &nothing_said, &sink}, &error);

        promise(fine ? listener.samples > 0 : *error.text != '\0', "a file gives samples or an error");
    }
    import_input_close(input);
    dictionary_destroy(texts);
    import_log_destroy(listener.log);
}
