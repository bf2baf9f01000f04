#include "reading.h"

#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/columns.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_LENGTH 19 /* dd-mm-yyyy hh:mm:ss */

/* The number that begins a line says what the line is. */
enum record { RECORD_START = 0, RECORD_GPU = 1, RECORD_NAMES = 2, RECORD_COLUMN = 3, RECORD_DATA = 80 };

struct hml_column {
    char *name, *unit; /* unit NULL: not told */
};

struct afterburner {
    const struct import_reader *reader;
    struct table_row row;
    struct import_context context;
    struct {
        struct hml_column *items;
        size_t count, capacity;
    } columns;
    size_t described; /* columns whose format record came */
    int64_t values;
};

static int64_t parse_time(const struct table_field *field)
{
    const char *t = field->text;
    char iso[32];
    int64_t ms;

    if (field->length != TIME_LENGTH)
        return VALUE_UNKNOWN;
    snprintf(iso, sizeof iso, "%.4s-%.2s-%.2sT%.8sZ", t + 6, t + 3, t, t + 11);
    return clock_parse(iso, &ms) && ms < INT64_MAX / NS_PER_MS && ms > 0 ? ms * NS_PER_MS : VALUE_UNKNOWN;
}

static void forget_columns(struct afterburner *hml)
{
    for (size_t i = 0; i < hml->columns.count; i++) {
        free(hml->columns.items[i].name);
        free(hml->columns.items[i].unit);
    }
    hml->columns.count = hml->described = 0;
}

/* Names repeat ("Framerate" of two sources): the second one is told apart by a number. */
static void take_names(struct afterburner *hml)
{
    forget_columns(hml);
    for (size_t i = 2; i < hml->row.count; i++) {
        char *name = text_clean(hml->row.items[i].text, hml->row.items[i].length);
        size_t before = 0;

        for (size_t j = 2; j < i; j++)
            before += hml->row.items[j].length == hml->row.items[i].length &&
                      memcmp(hml->row.items[j].text, hml->row.items[i].text, hml->row.items[i].length) == 0;
        if (before > 0) {
            char *numbered = memory_print("%s #%zu", name, before + 1);

            free(name);
            name = numbered;
        }
        array_push(&hml->columns, (struct hml_column){name, NULL});
    }
}

static bool is_unit(const struct table_field *field)
{
    double ignored;

    return field->length > 0 && field->length <= 8 &&
           number_parse_double(field->text, field->length, &ignored) != NUMBER_OK &&
           !memchr(field->text, '%', field->length - 1);
}

/* One record per column, in their order; a short word among its fields is the unit. */
static void take_format(struct afterburner *hml)
{
    size_t at = hml->described++;

    for (size_t i = 2; i < hml->row.count && i < 5 && at < hml->columns.count; i++) {
        if (hml->columns.items[at].unit || !is_unit(&hml->row.items[i]) ||
            table_field_equals(&hml->row.items[i], hml->columns.items[at].name))
            continue;
        hml->columns.items[at].unit = text_clean(hml->row.items[i].text, hml->row.items[i].length);
    }
}

/* "55,000, 59,900": a decimal comma is the separator too, so a record has two fields for each column that has a value. */
static void join_decimals(struct afterburner *hml)
{
    size_t fields = hml->row.count - 2, columns = hml->columns.count, at = 2;

    while (fields > 0 && hml->row.items[fields + 1].length == 0)
        fields--; /* a comma at the end */
    if (fields <= columns)
        return;
    for (size_t i = 2; i < fields + 2 && at < hml->row.count; i++, at++) {
        struct table_field *field = &hml->row.items[i];
        const struct table_field *next = field + 1;
        double ignored;

        hml->row.items[at] = *field;
        if (i + 1 >= fields + 2 || number_parse_double(field->text, field->length, &ignored) != NUMBER_OK || !number_is_whole(next->text, next->length) ||
            next->text != field->text + field->length + 1)
            continue;
        hml->row.items[at].length = field->length + 1 + next->length;
        i++;
    }
    hml->row.count = at;
}

static bool take_data(struct afterburner *hml, const struct import_line *line, struct error *error)
{
    const struct import_sink *sink = hml->reader->sink;
    int64_t stamp = parse_time(&hml->row.items[1]);

    if (line->cut || stamp == VALUE_UNKNOWN) {
        if (line->cut)
            reading_note(sink, "The last line is cut: it was left out.");
        sink->reject(sink->user, line->cut ? REJECT_SHORT_ROW : REJECT_BAD_STAMP, line->number, line->text,
                     line->length);
        return true;
    }
    if (!hml->context.field[CONTEXT_STARTED_AT]) {
        char when[40];

        clock_print(when, sizeof when, stamp / NS_PER_MS);
        hml->context.field[CONTEXT_STARTED_AT] = reading_text(sink, when, strlen(when));
        reading_note(sink,
                     "The log has the local time of the computer without its zone: it was taken as UTC.");
    }
    join_decimals(hml);
    for (size_t i = 2; i < hml->row.count && i - 2 < hml->columns.count; i++) {
        const struct table_field *field = &hml->row.items[i];
        const struct hml_column *column = &hml->columns.items[i - 2];
        double value;

        if (number_parse_decimal(field->text, field->length, true, &value) != NUMBER_OK)
            continue; /* N/A: the sensor was not there */
        hml->values++;
        if (!reading_sample(sink, &hml->context, column->name, column->unit ? column->unit : "", value, stamp,
                            line->number, error))
            return false;
    }
    return true;
}

static bool take_line(struct afterburner *hml, const struct import_line *line, struct error *error)
{
    int64_t record;

    table_split(line->text, line->length, ',', &hml->row);
    if (hml->row.count < 3 || number_parse_scaled(hml->row.items[0].text, hml->row.items[0].length, 1, false,
                                                  &record) != NUMBER_OK) {
        hml->reader->sink->reject(hml->reader->sink->user, REJECT_MALFORMED, line->number, line->text,
                                  line->length);
        return true;
    }
    if (record == RECORD_GPU && !hml->context.field[CONTEXT_GPU_NAME])
        hml->context.field[CONTEXT_GPU_NAME] = hml->context.field[CONTEXT_DEVICE] =
            reading_text(hml->reader->sink, hml->row.items[2].text, hml->row.items[2].length);
    else if (record == RECORD_NAMES && !line->cut)
        take_names(hml);
    else if (record == RECORD_COLUMN)
        take_format(hml);
    else if (record == RECORD_DATA)
        return take_data(hml, line, error);
    return true;
}

static bool read_lines(struct afterburner *hml, struct error *error)
{
    struct import_line line;

    reading_samples_facts(hml->reader->sink, "", true);
    while (import_input_next_line(hml->reader->input, &line)) {
        if (!table_line_is_blank(line.text, line.length, 0) && !take_line(hml, &line, error))
            return false;
    }
    if (!import_input_end(hml->reader->input, error))
        return false;
    return hml->values > 0 ||
           error_set(error, ERROR_INPUT, "the log holds no values: expected lines that begin with 80.");
}

static bool afterburner_read(const struct import_reader *reader, struct error *error)
{
    struct afterburner hml = {.reader = reader};
    bool fine = read_lines(&hml, error);

    forget_columns(&hml);
    array_free(&hml.columns);
    table_row_free(&hml.row);
    return fine;
}

static int afterburner_detect(const struct import_sample *sample, const struct import_options *options,
                              struct error *refusal)
{
    struct table_row row = {0};
    int score = 0;

    (void)options;
    (void)refusal;
    if (strstr(sample->text, "Hardware monitoring log") && table_sample_header(sample, NULL, &row))
        score = row.count >= 3 && row.items[1].length == TIME_LENGTH && row.items[2].length >= 23 &&
                        memcmp(row.items[2].text, "Hardware monitoring log", 23) == 0
                    ? 95
                    : 0;
    table_row_free(&row);
    return score;
}

const struct import_format import_format_afterburner = {
    .name = "afterburner",
    .title = "MSI Afterburner log (HML)",
    .recognised_by = "a first line with \"Hardware monitoring log\"",
    .detect = afterburner_detect,
    .read = afterburner_read,
    .samples_only = true,
};
