#include "unity_tests.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/import/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* SampleUnit, as a number or a word. */
static const struct {
    const char *number, *word;
    int64_t ns;
} sample_units[] = {{"0", "Nanosecond", 1},
                    {"1", "Microsecond", 1000},
                    {"2", "Millisecond", NS_PER_MS},
                    {"3", "Second", NS_PER_S}};

static const char *const frame_groups[] = {"Time", "FrameTime", "Frame Time", "Frametime"};

void unity_tests_init(struct unity_tests *tests, const struct import_reader *reader)
{
    memset(tests, 0, sizeof *tests);
    tests->reader = reader;
    frame_batch_init(&tests->batch, reader->sink);
}

void unity_tests_free(struct unity_tests *tests)
{
    frame_batch_free(&tests->batch);
}

static char *plain_text(const struct flat_value *value, size_t *ret_length)
{
    struct text_buffer plain = {0};

    if (value->kind == FLAT_TEXT)
        flat_unescape(value, &plain);
    else if (value->kind == FLAT_WORD)
        text_add_bytes(&plain, value->text, value->length);
    *ret_length = plain.count;
    return text_take(&plain);
}

static uint32_t member_text(const struct unity_tests *tests, const struct flat_value *object,
                            const char *name)
{
    struct flat_value value;
    size_t length;
    uint32_t id;
    char *plain;

    if (object->kind != FLAT_OBJECT || !flat_find(object, name, &value) || value.kind > FLAT_WORD)
        return 0;
    plain = plain_text(&value, &length);
    id = reading_text(tests->reader->sink, plain, length);
    free(plain);
    return id;
}

/* ---- the run ---- */

static void take_personal(const struct unity_tests *tests, const struct flat_value *object)
{
    const struct import_sink *sink = tests->reader->sink;
    struct flat_value value;

    if (flat_find(object, "DeviceName", &value) && value.length > 0)
        sink->column_left_out(sink->user, "DeviceName", true);
}

void unity_tests_take_run(struct unity_tests *tests, const struct flat_value *run)
{
    static const struct {
        const char *name;
        enum context_field field;
    } facts[] = {{"DeviceModel", CONTEXT_DEVICE},
                 {"OperatingSystem", CONTEXT_OS},
                 {"GraphicsDeviceName", CONTEXT_GPU_NAME}},
      times[] = {{"Date", CONTEXT_STARTED_AT}, {"StartTime", CONTEXT_STARTED_AT}};
    static const char *const places[] = {"Hardware", "PlayerSystemInfo"};
    struct flat_value place;

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (!flat_find(run, places[i], &place) || place.kind != FLAT_OBJECT)
            continue;
        tests->version = i == 0 ? "2" : "1";
        take_personal(tests, &place);
        for (size_t j = 0; j < sizeof facts / sizeof *facts; j++) {
            if (!tests->context.field[facts[j].field])
                tests->context.field[facts[j].field] = member_text(tests, &place, facts[j].name);
        }
    }
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        uint32_t id = member_text(tests, run, times[i].name);

        if (!tests->context.field[CONTEXT_STARTED_AT] && id &&
            strcmp(dictionary_text(tests->reader->sink->texts, id), "0") != 0)
            tests->context.field[CONTEXT_STARTED_AT] = id;
    }
}

/* ---- sample groups ---- */

static void tell_facts(struct unity_tests *tests)
{
    const struct import_sink *sink = tests->reader->sink;

    if (tests->samples > 0)
        return;
    sink->facts(sink->user, &(struct import_source_facts){.version = tests->version ? tests->version : "",
                                                          .interval = "samples"});
    reading_note(
        sink,
        "The samples of performance tests have no time stamps and no place among each other: they give a "
        "distribution, no stutter windows.");
}

/* Old groups keep name and unit in a Definition. */
static void find_group_facts(const struct flat_value *group, char **ret_name, int64_t *ret_ns)
{
    struct flat_value definition = *group, value;
    size_t length;
    char *unit;

    *ret_name = NULL;
    *ret_ns = 0;
    if (flat_find(group, "Definition", &value) && value.kind == FLAT_OBJECT)
        definition = value;
    if (flat_find(&definition, "Name", &value))
        *ret_name = plain_text(&value, &length);
    if (!flat_find(&definition, "Unit", &value) && !flat_find(&definition, "SampleUnit", &value))
        return;
    unit = plain_text(&value, &length);
    for (size_t i = 0; i < sizeof sample_units / sizeof *sample_units; i++) {
        if (text_equals_ignoring_case(unit, sample_units[i].word) ||
            strcmp(unit, sample_units[i].number) == 0)
            *ret_ns = sample_units[i].ns;
    }
    free(unit);
}

static bool take_samples(struct unity_tests *tests, const struct flat_value *samples, int64_t ns,
                         int64_t line, struct error *error)
{
    const char *end = samples->text + samples->length, *at = flat_skip_blanks(samples->text + 1, end);
    struct flat_value value;

    while (at && at < end && *at != ']' && (at = flat_read_value(at, end, &value))) {
        enum number_fault fault = NUMBER_NOT_A_NUMBER;
        int64_t values[COLUMN_COUNT];

        reading_clear_values(values);
        if (value.kind <= FLAT_WORD)
            fault = number_parse_scaled(value.text, value.length, ns, false, &values[COLUMN_FRAME_TIME]);
        tell_facts(tests);
        tests->samples++;
        if (fault != NUMBER_OK) {
            if (!reading_reject(&tests->batch, reject_reason_of(fault), line, value.text, value.length,
                                error))
                return false;
        } else if (!frame_batch_add(&tests->batch, values, line + (int64_t)tests->batch.count, error)) {
            return false;
        }
        at = flat_skip_blanks(at, end);
        if (at < end && *at == ',')
            at = flat_skip_blanks(at + 1, end);
    }
    return true;
}

static bool take_group(struct unity_tests *tests, const struct flat_value *group, int64_t line,
                       struct error *error)
{
    const struct import_sink *sink = tests->reader->sink;
    struct flat_value samples;
    bool wanted = false, fine = true;
    char *name;
    int64_t ns;

    find_group_facts(group, &name, &ns);
    for (size_t i = 0; i < sizeof frame_groups / sizeof *frame_groups && name; i++)
        wanted = wanted || text_equals_ignoring_case(name, frame_groups[i]);
    tests->groups++;
    if (wanted && ns > 0 && flat_find(group, "Samples", &samples) && samples.kind == FLAT_ARRAY) {
        fine = take_samples(tests, &samples, ns, line, error);
    } else {
        char *clean = text_clean(name ? name : "(unnamed)", strlen(name ? name : "(unnamed)"));

        tests->groups_left_out++;
        sink->column_left_out(sink->user, clean, personal_column(clean));
        free(clean);
    }
    free(name);
    return fine;
}

bool unity_tests_take_result(struct unity_tests *tests, const struct flat_value *result, int64_t line,
                             struct error *error)
{
    struct import_context context = tests->context;
    struct flat_value groups, group;
    const char *at, *end;

    if (result->kind != FLAT_OBJECT || !flat_find(result, "SampleGroups", &groups) ||
        groups.kind != FLAT_ARRAY)
        return true;
    tests->results++;
    context.field[CONTEXT_SCENE] = member_text(tests, result, "Name");
    if (!context.field[CONTEXT_SCENE])
        context.field[CONTEXT_SCENE] = member_text(tests, result, "TestName");
    if (!frame_batch_flush(&tests->batch, error) || !frame_batch_set_context(&tests->batch, &context, error))
        return false;
    end = groups.text + groups.length;
    at = flat_skip_blanks(groups.text + 1, end);
    while (at < end && *at == '{' && (at = flat_read_value(at, end, &group))) {
        if (!take_group(tests, &group, line, error))
            return false;
        at = flat_skip_blanks(at, end);
        if (at < end && *at == ',')
            at = flat_skip_blanks(at + 1, end);
    }
    return frame_batch_flush(&tests->batch, error);
}

bool unity_tests_finish(struct unity_tests *tests, struct error *error)
{
    if (tests->samples > 0)
        return frame_batch_flush(&tests->batch, error);
    return error_set(
        error, ERROR_INPUT,
        "no frame times: %" PRId64 " tests with %" PRId64
        " sample groups, none of them named Time or FrameTime "
        "with a unit of time. Measure frames with Measure.Frames() and import the results again.",
        tests->results, tests->groups);
}
