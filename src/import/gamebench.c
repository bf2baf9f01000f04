#include "flat_json.h"
#include "reading.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/import/columns.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_DOCUMENT (256u << 20)
#define STEPS_TO_ASK     1024
#define LONGEST_PAIR     256 /* bytes: looking further makes brackets that nothing closes slow */

/* Values of a session as a whole, and of single samples, by GameBench's names. */
static const struct {
    const char *name, *sample, *unit;
} known_values[] = {
    {"fpsValue", "fps", "fps"},
    {"numJanks", "janks", "count"},
    {"fpsAvg", "fps mean", "fps"},
    {"fpsMedian", "fps median", "fps"},
    {"fpsMin", "fps min", "fps"},
    {"fpsMax", "fps max", "fps"},
    {"fpsStability", "fps stability", "%"},
    {"cpuUsageAvg", "cpu usage", "%"},
    {"gpuUsageAvg", "gpu usage", "%"},
    {"memUsageAvg", "memory", ""},
    {"mAAvg", "current", "mA"},
    {"mWAvg", "power", "mW"},
    {"timePlayed", "time played", "s"},
};

struct gamebench {
    const struct import_reader *reader;
    int64_t values, sample_number, steps;
};

static uint32_t member_text(const struct gamebench *bench, const struct flat_value *object, const char *name)
{
    struct flat_value value;
    struct text_buffer plain = {0};
    uint32_t id;

    if (!flat_find(object, name, &value) || value.kind > FLAT_WORD)
        return 0;
    if (value.kind == FLAT_TEXT)
        flat_unescape(&value, &plain);
    else
        text_add_bytes(&plain, value.text, value.length);
    id = plain.count > 0 ? reading_text(bench->reader->sink, plain.items, plain.count) : 0;
    free(text_take(&plain));
    return id;
}

static double number_of(const struct flat_value *value)
{
    double number;

    return value->kind == FLAT_WORD && number_parse_double(value->text, value->length, &number) == NUMBER_OK
               ? number
               : NAN;
}

/* ---- the session ---- */

static void take_device(struct gamebench *bench, const struct flat_value *device,
                        struct import_context *context)
{
    const struct import_sink *sink = bench->reader->sink;
    uint32_t version = member_text(bench, device, "androidVersionRelease");
    struct flat_value ignored;

    context->field[CONTEXT_DEVICE] = member_text(bench, device, "model");
    context->field[CONTEXT_GPU_NAME] = member_text(bench, device, "gpu");
    context->field[CONTEXT_REFRESH_HZ] = member_text(bench, device, "refreshRate");
    if (version) {
        char *os = memory_print("Android %s", dictionary_text(sink->texts, version));

        context->field[CONTEXT_OS] = dictionary_add(sink->texts, os, strlen(os));
        free(os);
    }
    if (flat_find(device, "serial", &ignored))
        sink->column_left_out(sink->user, "serial", true);
}

static void take_session(struct gamebench *bench, const struct flat_value *session,
                         struct import_context *context)
{
    static const char *const personal[] = {"locationCoords", "networkOperatorName"};
    const struct import_sink *sink = bench->reader->sink;
    struct flat_value part;

    context->field[CONTEXT_RUN] = member_text(bench, session, "sessionId");
    if (!context->field[CONTEXT_RUN])
        context->field[CONTEXT_RUN] = member_text(bench, session, "id");
    context->field[CONTEXT_STARTED_AT] = member_text(bench, session, "sessionDate");
    if (flat_find(session, "device", &part) && part.kind == FLAT_OBJECT)
        take_device(bench, &part, context);
    if (flat_find(session, "app", &part) && part.kind == FLAT_OBJECT)
        context->field[CONTEXT_BUILD] = member_text(bench, &part, "version");
    for (size_t i = 0; i < sizeof personal / sizeof *personal; i++) {
        if (flat_find(session, personal[i], &part))
            sink->column_left_out(sink->user, personal[i], true);
    }
}

static bool take_totals(struct gamebench *bench, const struct flat_value *session,
                        const struct import_context *context, struct error *error)
{
    for (size_t i = 0; i < sizeof known_values / sizeof *known_values; i++) {
        struct flat_value value;

        if (!flat_find(session, known_values[i].name, &value) || isnan(number_of(&value)))
            continue;
        bench->values++;
        if (!reading_sample(bench->reader->sink, context, known_values[i].sample, known_values[i].unit,
                            number_of(&value), VALUE_UNKNOWN, 1, error))
            return false;
    }
    return true;
}

/* ---- samples ---- */

static bool take_member(struct gamebench *bench, const struct flat_value *name,
                        const struct flat_value *value, const struct import_context *context, int64_t stamp,
                        struct error *error)
{
    const char *unit = "";
    char *text = memory_copy_bytes(name->text, name->length);
    const char *shown = text;
    bool fine = true;

    for (size_t i = 0; i < sizeof known_values / sizeof *known_values; i++) {
        if (!flat_is(name, known_values[i].name))
            continue;
        shown = known_values[i].sample;
        unit = known_values[i].unit;
    }
    if (!isnan(number_of(value)) && !flat_is(name, "timestamp") && !personal_column(text)) {
        bench->values++;
        fine = reading_sample(bench->reader->sink, context, shown, unit, number_of(value), stamp,
                              bench->sample_number, error);
    }
    free(text);
    return fine;
}

static bool take_sample(struct gamebench *bench, const struct flat_value *sample,
                        const struct import_context *context, struct error *error)
{
    const struct import_sink *sink = bench->reader->sink;
    const char *end = sample->text + sample->length, *at = flat_skip_blanks(sample->text + 1, end);
    struct flat_value name, value;
    int64_t stamp = VALUE_UNKNOWN;

    bench->sample_number++;
    if (!flat_find(sample, "timestamp", &value) ||
        number_parse_scaled(value.text, value.length, NS_PER_MS, false, &stamp) != NUMBER_OK) {
        sink->reject(sink->user, REJECT_BAD_STAMP, bench->sample_number, sample->text, sample->length);
        return true;
    }
    while (at && at < end && *at != '}' && (at = flat_read_member(at, end, &name, &value))) {
        if (!take_member(bench, &name, &value, context, stamp, error))
            return false;
        if (*at == ',')
            at = flat_skip_blanks(at + 1, end);
    }
    return true;
}

/* The text is in memory, and there may be millions of values in it. */
static bool proceed(struct gamebench *bench, struct error *error)
{
    return ++bench->steps % STEPS_TO_ASK != 0 || import_input_proceed(bench->reader->input, error);
}

/* Objects of an array that may be cut off: complete ones only. */
static bool each_object(struct gamebench *bench, const char *at, const char *end,
                        const struct import_context *context, bool sessions, struct error *error)
{
    struct flat_value item;

    at = flat_skip_blanks(at + 1, end);
    while (at < end && *at == '{' && (at = flat_read_value(at, end, &item))) {
        struct import_context own = {0};

        if (!proceed(bench, error))
            return false;
        if (sessions)
            take_session(bench, &item, &own);
        if (!(sessions ? take_totals(bench, &item, &own, error) : take_sample(bench, &item, context, error)))
            return false;
        at = flat_skip_blanks(at, end);
        if (at < end && *at == ',')
            at = flat_skip_blanks(at + 1, end);
    }
    return true;
}

/* "[[[60, 100], …]]" of fpsStability: the share of the time in per cent that stayed near this rate. */
static bool take_pairs(struct gamebench *bench, const char *at, const char *end, struct error *error)
{
    struct import_context context = {0};

    while (at < end) {
        double rate, share;
        const char *close, *comma;

        at = memchr(at, '[', (size_t)(end - at));
        if (!at)
            break;
        if (!proceed(bench, error))
            return false;
        at = flat_skip_blanks(at + 1, end);
        close = memchr(at, ']', (size_t)(end - at < LONGEST_PAIR ? end - at : LONGEST_PAIR));
        comma = close ? memchr(at, ',', (size_t)(close - at)) : NULL;
        if (!comma || number_parse_double(at, (size_t)(comma - at), &rate) != NUMBER_OK ||
            number_parse_double(comma + 1, (size_t)(close - comma - 1), &share) != NUMBER_OK)
            continue;
        bench->values++;
        if (!reading_sample(bench->reader->sink, &context, "fps stability", "%", share, VALUE_UNKNOWN, 1, error))
            return false;
        at = close;
    }
    return bench->values > 0 || error_set(error, ERROR_INPUT, "the answer holds no values.");
}

static bool take_document(struct gamebench *bench, const char *text, size_t length, struct error *error)
{
    const char *end = text + length, *at = flat_skip_blanks(text, end), *place, *array;
    struct import_context context = {0};
    struct flat_value whole, response;
    bool cut = !flat_read_value(at, end, &whole), fine;

    place = at < end && *at == '{' ? flat_find_open(at, end, "response") : NULL;
    place = place ? place : at;
    if (place < end && *place == '[')
        return take_pairs(bench, place, end, error);
    if (place >= end || *place != '{')
        return error_set(error, ERROR_INPUT,
                         "the answer holds no samples and no session: expected \"samples\" with time "
                         "stamps, or a session with its figures.");
    if (!flat_read_value(place, end, &response))
        response = (struct flat_value){FLAT_OBJECT, place, (size_t)(end - place), false};
    take_session(bench, &response, &context);
    if ((array = flat_find_open(place, end, "samples")) && *array == '[')
        fine = each_object(bench, array, end, &context, false, error);
    else if ((array = flat_find_open(place, end, "results")) && *array == '[')
        fine = each_object(bench, array, end, NULL, true, error);
    else
        fine = cut || take_totals(bench, &response, &context, error);
    if (!fine)
        return false;
    if (cut)
        reading_note(bench->reader->sink, "The document breaks off: complete samples were taken.");
    return bench->values > 0 || error_set(error, ERROR_INPUT, "the answer holds no values%s.",
                                          cut ? ": it breaks off before the first" : "");
}

static bool gamebench_read(const struct import_reader *reader, struct error *error)
{
    struct gamebench bench = {.reader = reader};
    char *text;
    size_t length;
    bool fine;

    if (!import_input_read_all(reader->input, LARGEST_DOCUMENT,
                               "Answers of that size are not read: export shorter sessions.", &text, &length,
                               error))
        return false;
    reading_samples_facts(reader->sink, "", true);
    fine = take_document(&bench, text, length, error);
    free(text);
    return fine;
}

static int gamebench_detect(const struct import_sample *sample, const struct import_options *options,
                            struct error *refusal)
{
    const char *at = flat_skip_blanks(sample->text, sample->text + sample->length);

    (void)options;
    (void)refusal;
    if (*at != '{')
        return 0;
    if (strstr(at, "gamebench.net"))
        return 94;
    if (strstr(at, "\"samples\"") && (strstr(at, "\"fpsValue\"") || strstr(at, "\"numJanks\"")))
        return 92;
    return strstr(at, "\"fpsMedian\"") && strstr(at, "\"fpsStability\"") ? 85 : 0;
}

const struct import_format import_format_gamebench = {
    .name = "gamebench",
    .title = "GameBench answer (JSON)",
    .recognised_by = "JSON with samples of fpsValue or numJanks, or a session",
    .detect = gamebench_detect,
    .read = gamebench_read,
    .samples_only = true,
};
