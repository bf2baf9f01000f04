#include "unity_tests.h"
#include "xml_input.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RESULT_MARK "##performancetestresult"
#define RUN_MARK    "##performancetestruninfo"

/* The run describes itself in the output of any test, often the last one: results wait for it. */
struct nunit {
    const struct import_reader *reader;
    struct unity_tests tests;
    struct {
        struct nunit_result {
            char *json;
            size_t length;
            int64_t line;
        } * items;
        size_t count, capacity;
    } results;
    char *run; /* JSON; NULL */
    size_t run_length;
    char *started; /* of the test run; NULL */
    int64_t tests_seen, broken;
};

/* The JSON after "##performancetestresult2:"; NULL when the line is something else. */
static const char *after_mark(const char *line, const char *end, const char *mark)
{
    const char *at = memmem(line, (size_t)(end - line), mark, strlen(mark));

    if (!at)
        return NULL;
    at += strlen(mark);
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    if (at >= end || *at != ':')
        return NULL;
    at = flat_skip_blanks(at + 1, end);
    return at < end && *at == '{' ? at : NULL;
}

static void take_output_line(struct nunit *nunit, const char *line, const char *end, int64_t number)
{
    const char *result = after_mark(line, end, RESULT_MARK), *run = after_mark(line, end, RUN_MARK);
    const char *at = result ? result : run, *after;
    struct flat_value value;

    if (!at)
        return;
    after = flat_read_value(at, end, &value);
    if (!after) {
        nunit->broken++;
        nunit->reader->sink->reject(nunit->reader->sink->user, REJECT_MALFORMED, number, at,
                                    (size_t)(end - at));
    } else if (result) {
        array_push(&nunit->results, (struct nunit_result){memory_copy_bytes(at, (size_t)(after - at)),
                                                          (size_t)(after - at), number});
    } else {
        free(nunit->run);
        nunit->run = memory_copy_bytes(at, (size_t)(after - at));
        nunit->run_length = (size_t)(after - at);
    }
}

static void take_output(struct nunit *nunit, const char *text, int64_t number)
{
    const char *end = text + strlen(text);

    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));

        take_output_line(nunit, text, stop ? stop : end, number);
        text = stop ? stop + 1 : end;
    }
}

static void take_node(struct nunit *nunit, xmlTextReaderPtr reader)
{
    int type = xmlTextReaderNodeType(reader);
    const xmlChar *text;

    if (type == XML_READER_TYPE_ELEMENT) {
        const xmlChar *name = xmlTextReaderConstLocalName(reader);

        if (xmlStrEqual(name, BAD_CAST "test-case"))
            nunit->tests_seen++;
        if (!nunit->started && xmlStrEqual(name, BAD_CAST "test-run")) {
            xmlChar *value = xmlTextReaderGetAttribute(reader, BAD_CAST "start-time");

            nunit->started = memory_copy_text((const char *)value);
            xmlFree(value);
        }
    } else if (type == XML_READER_TYPE_TEXT || type == XML_READER_TYPE_CDATA) {
        text = xmlTextReaderConstValue(reader);
        if (text)
            take_output(nunit, (const char *)text, xmlTextReaderGetParserLineNumber(reader));
    }
}

static bool hand_over(struct nunit *nunit, struct error *error)
{
    struct unity_tests *tests = &nunit->tests;
    struct flat_value value;

    if (nunit->run && flat_read_value(nunit->run, nunit->run + nunit->run_length, &value))
        unity_tests_take_run(tests, &value);
    if (!tests->context.field[CONTEXT_STARTED_AT] && nunit->started)
        tests->context.field[CONTEXT_STARTED_AT] =
            reading_text(nunit->reader->sink, nunit->started, strlen(nunit->started));
    for (size_t i = 0; i < nunit->results.count; i++) {
        const struct nunit_result *result = &nunit->results.items[i];

        if (flat_read_value(result->json, result->json + result->length, &value) &&
            !unity_tests_take_result(tests, &value, result->line, error))
            return false;
    }
    if (nunit->results.count == 0)
        return error_set(error, ERROR_INPUT,
                         "%" PRId64
                         " test cases without a performance result: expected lines with " RESULT_MARK
                         " in their "
                         "output, as Unity's Performance Testing writes them.",
                         nunit->tests_seen);
    return unity_tests_finish(tests, error);
}

static bool read_document(struct nunit *nunit, struct error *error)
{
    struct xml_input xml;
    char fault[sizeof xml.fault];

    xml_input_open(&xml, nunit->reader->input);
    while (xml_input_next(&xml))
        take_node(nunit, xml.reader);
    memcpy(fault, xml.fault, sizeof fault);
    xml_input_close(&xml);
    if (!import_input_end(nunit->reader->input, error))
        return false;
    if (*fault && nunit->results.count == 0)
        return error_set(error, ERROR_INPUT,
                         "%s. The XML is cut or malformed before the first performance result.", fault);
    if (*fault)
        reading_note(nunit->reader->sink,
                     "The XML breaks off or is malformed (%s): the results before that were taken.", fault);
    return hand_over(nunit, error);
}

static bool nunit_read(const struct import_reader *reader, struct error *error)
{
    struct nunit nunit = {.reader = reader};
    bool fine;

    unity_tests_init(&nunit.tests, reader);
    fine = read_document(&nunit, error);
    unity_tests_free(&nunit.tests);
    for (size_t i = 0; i < nunit.results.count; i++)
        free(nunit.results.items[i].json);
    array_free(&nunit.results);
    free(nunit.run);
    free(nunit.started);
    return fine;
}

static int nunit_detect(const struct import_sample *sample, const struct import_options *options,
                        struct error *refusal)
{
    const char *at = flat_skip_blanks(sample->text, sample->text + sample->length);

    (void)options;
    (void)refusal;
    if (*at != '<')
        return 0;
    if (strstr(at, RESULT_MARK) || strstr(at, RUN_MARK))
        return 95;
    return strstr(at, "<test-run") ? 70 : 0;
}

const struct import_format import_format_unity_nunit = {
    .name = "unity-nunit",
    .title = "NUnit XML with results of Unity's Performance Testing",
    .recognised_by = "XML with <test-run> and ##performancetestresult in the output of tests",
    .detect = nunit_detect,
    .read = nunit_read,
};
