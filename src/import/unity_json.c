#include "unity_tests.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/import/format.h"

#include <stdlib.h>
#include <string.h>

#define LARGEST_DOCUMENT (256u << 20)

static int64_t line_of(const char *text, const char *at)
{
    int64_t line = 1;

    for (const char *c = text; (c = memchr(c, '\n', (size_t)(at - c))); c++)
        line++;
    return line;
}

/* The results of one run, complete ones only. */
static bool take_results(struct unity_tests *tests, const char *text, const char *at, const char *end,
                         struct error *error)
{
    const char *counted = text;
    int64_t line = 1;
    struct flat_value result;

    at = flat_skip_blanks(at + 1, end);
    while (at < end && *at == '{') {
        const char *after = flat_read_value(at, end, &result);

        if (!after)
            break;
        line += line_of(counted, at) - 1;
        counted = at;
        if (!unity_tests_take_result(tests, &result, line, error))
            return false;
        at = flat_skip_blanks(after, end);
        if (at < end && *at == ',')
            at = flat_skip_blanks(at + 1, end);
    }
    return true;
}

static bool take_run(struct unity_tests *tests, const char *text, const char *at, const char *end,
                     bool *ret_cut, struct error *error)
{
    struct flat_value run, value;
    const char *results = flat_find_open(at, end, "Results");
    bool whole = flat_read_value(at, end, &run) != NULL;

    *ret_cut = !whole;
    if (!results || *results != '[')
        return true;
    /* Of a run that breaks off, the part before the results tells the device. */
    if (!whole)
        run = (struct flat_value){FLAT_OBJECT, at, (size_t)(results - at), false};
    memset(&tests->context, 0, sizeof tests->context);
    unity_tests_take_run(tests, &run);
    if (tests->runs++ > 0)
        tests->context.field[CONTEXT_RUN] =
            reading_part_name(tests->reader->sink, "run", run.text, run.length);
    if (whole && flat_find(&run, "Results", &value))
        end = value.text + value.length;
    return take_results(tests, text, results, end, error);
}

static bool take_document(struct unity_tests *tests, const char *text, size_t length, struct error *error)
{
    const char *end = text + length, *at = flat_skip_blanks(text, end);
    struct flat_value ignored;
    bool array = at < end && *at == '[', cut = false;

    if (array)
        at = flat_skip_blanks(at + 1, end);
    while (at < end && *at == '{' && !cut) {
        if (!take_run(tests, text, at, end, &cut, error))
            return false;
        if (cut)
            break;
        at = flat_skip_blanks(flat_read_value(at, end, &ignored), end);
        if (at < end && *at == ',')
            at = flat_skip_blanks(at + 1, end);
        else if (!array)
            break;
    }
    if (cut || (array && (at >= end || *at != ']')))
        reading_note(tests->reader->sink, "The document breaks off: the tests that are complete were taken.");
    return unity_tests_finish(tests, error);
}

static bool unity_json_read(const struct import_reader *reader, struct error *error)
{
    struct unity_tests tests;
    char *text;
    size_t length;
    bool fine;

    if (!import_input_read_all(reader->input, LARGEST_DOCUMENT,
                               "Results of that size are not read: split the test run.", &text, &length,
                               error))
        return false;
    unity_tests_init(&tests, reader);
    fine = take_document(&tests, text, length, error);
    unity_tests_free(&tests);
    free(text);
    return fine;
}

static int unity_json_detect(const struct import_sample *sample, const struct import_options *options,
                             struct error *refusal)
{
    const char *at = flat_skip_blanks(sample->text, sample->text + sample->length);

    (void)options;
    (void)refusal;
    if (*at != '{' && *at != '[')
        return 0;
    if (strstr(at, "\"SampleGroups\""))
        return 93;
    return strstr(at, "\"Results\"") && (strstr(at, "\"Hardware\"") || strstr(at, "\"PlayerSystemInfo\""))
               ? 80
               : 0;
}

const struct import_format import_format_unity_tests = {
    .name = "unity-tests",
    .title = "Results of Unity's Performance Testing (JSON)",
    .recognised_by = "JSON with Results and SampleGroups",
    .detect = unity_json_detect,
    .read = unity_json_read,
};
