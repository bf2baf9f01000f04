#include "reading.h"

#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/columns.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINES_BEFORE 100

/* Columns that are no values. */
static const struct {
    const char *name;
    enum perfdog_column { COLUMN_OF_TIME, COLUMN_OF_DATE, COLUMN_OF_LABEL, COLUMN_IGNORED } kind;
    int64_t scale;
} known_columns[] = {
    {"Time(ms)", COLUMN_OF_TIME, NS_PER_MS},
    {"Time", COLUMN_OF_TIME, NS_PER_MS},
    {"Time(s)", COLUMN_OF_TIME, NS_PER_S},
    {"Abs_time(ms)", COLUMN_OF_DATE, 1},
    {"Abs_time", COLUMN_OF_DATE, 1},
    {"AbsTime", COLUMN_OF_DATE, 1},
    {"Label", COLUMN_OF_LABEL, 0},
    {"num", COLUMN_IGNORED, 0},
    {"Notes", COLUMN_IGNORED, 0},
    {"Note", COLUMN_IGNORED, 0},
    {"\u65f6\u95f4(ms)", COLUMN_OF_TIME, NS_PER_MS}, /* "time" */
    {"\u65f6\u95f4(s)", COLUMN_OF_TIME, NS_PER_S},
    {"\u7edd\u5bf9\u65f6\u95f4(ms)", COLUMN_OF_DATE, 1}, /* "absolute time" */
    {"\u6807\u7b7e", COLUMN_OF_LABEL, 0}, /* "label" */
    {"\u573a\u666f", COLUMN_OF_LABEL, 0}, /* "scene" */
    {"\u5e8f\u53f7", COLUMN_IGNORED, 0},  /* "number" */
    {"\u5907\u6ce8", COLUMN_IGNORED, 0},  /* "notes" */
};

/* "Device Model,SM-S918N" before the table. */
static const struct {
    const char *key;
    enum context_field field;
} known_keys[] = {
    {"Device Model", CONTEXT_DEVICE}, {"DeviceModel", CONTEXT_DEVICE},
    {"Model", CONTEXT_DEVICE},        {"OS", CONTEXT_OS},
    {"OS Version", CONTEXT_OS},       {"System Version", CONTEXT_OS},
    {"App Version", CONTEXT_BUILD},   {"AppVersion", CONTEXT_BUILD},
    {"GPU", CONTEXT_GPU_NAME},        {"SOC", CONTEXT_SOC},
};

struct perfdog_field {
    char *name;
    int known; /* in known_columns; -1: a value */
};

struct perfdog {
    const struct import_reader *reader;
    struct table_row row;
    struct import_context context;
    char separator;
    struct {
        struct perfdog_field *items;
        size_t count, capacity;
    } fields;
    int64_t rows, values;
};

static bool is_header(const struct table_row *row)
{
    return (table_find_column(row, "BigJank") >= 0 || table_find_column(row, "Big Jank") >= 0) &&
           table_find_column(row, "Jank") >= 0 && table_find_column(row, "FPS") >= 0;
}

static void take_header(struct perfdog *dog)
{
    for (size_t i = 0; i < dog->row.count; i++) {
        struct perfdog_field field = {text_clean(dog->row.items[i].text, dog->row.items[i].length), -1};

        for (size_t j = 0; j < sizeof known_columns / sizeof *known_columns; j++) {
            if (field.known < 0 && table_field_equals(&dog->row.items[i], known_columns[j].name))
                field.known = (int)j;
        }
        array_push(&dog->fields, field);
    }
}

static void take_fact(struct perfdog *dog)
{
    for (size_t i = 0; i < sizeof known_keys / sizeof *known_keys && dog->row.count > 1; i++) {
        if (table_field_equals(&dog->row.items[0], known_keys[i].key))
            dog->context.field[known_keys[i].field] =
                reading_text(dog->reader->sink, dog->row.items[1].text, dog->row.items[1].length);
    }
}

static bool find_header(struct perfdog *dog, struct error *error)
{
    struct import_line line;

    while (import_input_next_line(dog->reader->input, &line) && line.number <= MOST_LINES_BEFORE) {
        if (table_line_is_blank(line.text, line.length, 0))
            continue;
        dog->separator = table_find_separator(line.text, line.length);
        table_split(line.text, line.length, dog->separator ? dog->separator : ',', &dog->row);
        if (is_header(&dog->row)) {
            take_header(dog);
            return true;
        }
        take_fact(dog);
    }
    return import_input_end(dog->reader->input, error) &&
           error_set(error, ERROR_INPUT, "no header with FPS, Jank and BigJank in the first %d lines.",
                     MOST_LINES_BEFORE);
}

/* What stands beside the values of a row; false: its time cannot be read. */
static bool read_place(struct perfdog *dog, int64_t *ret_stamp)
{
    int64_t date = VALUE_UNKNOWN;
    bool fine = true;
    char when[40];

    *ret_stamp = VALUE_UNKNOWN;
    for (size_t i = 0; i < dog->fields.count && i < dog->row.count; i++) {
        const struct table_field *field = &dog->row.items[i];
        int known = dog->fields.items[i].known;

        if (known < 0)
            continue;
        if (known_columns[known].kind == COLUMN_OF_TIME) {
            *ret_stamp = reading_field(&dog->row, (int)i, known_columns[known].scale);
            fine = *ret_stamp != VALUE_UNKNOWN;
        } else if (known_columns[known].kind == COLUMN_OF_DATE) {
            date = reading_field(&dog->row, (int)i, 1);
        } else if (known_columns[known].kind == COLUMN_OF_LABEL) {
            dog->context.field[CONTEXT_SCENE] = reading_text(dog->reader->sink, field->text, field->length);
        }
    }
    if (fine && date > 0 && *ret_stamp >= 0 && !dog->context.field[CONTEXT_STARTED_AT]) {
        clock_print(when, sizeof when, date - *ret_stamp / NS_PER_MS);
        dog->context.field[CONTEXT_STARTED_AT] = reading_text(dog->reader->sink, when, strlen(when));
    }
    return fine;
}

static bool take_row(struct perfdog *dog, const struct import_line *line, struct error *error)
{
    const struct import_sink *sink = dog->reader->sink;
    int64_t stamp;

    dog->rows++;
    if (line->cut) {
        reading_note(sink, "The last line is cut: it was left out.");
        sink->reject(sink->user, REJECT_SHORT_ROW, line->number, line->text, line->length);
        return true;
    }
    if (!read_place(dog, &stamp)) {
        sink->reject(sink->user, REJECT_BAD_STAMP, line->number, line->text, line->length);
        return true;
    }
    for (size_t i = 0; i < dog->fields.count && i < dog->row.count; i++) {
        const struct table_field *field = &dog->row.items[i];
        enum number_fault fault;
        double value;

        if (dog->fields.items[i].known >= 0 || number_is_absent(field->text, field->length))
            continue;
        /* Tables that a spreadsheet saved again have decimal commas between semicolons or tabs. */
        fault = number_parse_decimal(field->text, field->length, dog->separator != ',', &value);
        if (fault != NUMBER_OK) {
            sink->reject(sink->user, reject_reason_of(fault), line->number, field->text, field->length);
            continue;
        }
        dog->values++;
        if (!reading_sample(sink, &dog->context, dog->fields.items[i].name, NULL, value, stamp, line->number,
                            error))
            return false;
    }
    return true;
}

static bool read_rows(struct perfdog *dog, struct error *error)
{
    struct import_line line;

    reading_samples_facts(dog->reader->sink, "", true);
    while (import_input_next_line(dog->reader->input, &line)) {
        if (table_line_is_blank(line.text, line.length, dog->separator))
            continue;
        table_split(line.text, line.length, dog->separator, &dog->row);
        if (!take_row(dog, &line, error))
            return false;
    }
    if (!import_input_end(dog->reader->input, error))
        return false;
    return dog->values > 0 ||
           error_set(error, ERROR_INPUT, "there is a header but no row with values: nothing to import.");
}

static bool perfdog_read(const struct import_reader *reader, struct error *error)
{
    struct perfdog dog = {.reader = reader};
    bool fine = find_header(&dog, error) && read_rows(&dog, error);

    for (size_t i = 0; i < dog.fields.count; i++)
        free(dog.fields.items[i].name);
    array_free(&dog.fields);
    table_row_free(&dog.row);
    return fine;
}

static int perfdog_detect(const struct import_sample *sample, const struct import_options *options,
                          struct error *refusal)
{
    const char *at = sample->text, *end = at + sample->length;
    struct table_row row = {0};
    int score = 0;

    (void)options;
    (void)refusal;
    if (!strcasestr(at, "BigJank") && !strcasestr(at, "Big Jank"))
        return 0;
    for (int line = 0; line < MOST_LINES_BEFORE && at < end && score == 0; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        char separator = table_find_separator(at, length);

        table_split(at, length, separator ? separator : ',', &row);
        score = is_header(&row) ? 92 : 0;
        at += length + 1;
    }
    table_row_free(&row);
    return score;
}

const struct import_format import_format_perfdog = {
    .name = "perfdog",
    .title = "PerfDog table (CSV)",
    .recognised_by = "a header with FPS, Jank and BigJank",
    .detect = perfdog_detect,
    .read = perfdog_read,
    .samples_only = true,
};
