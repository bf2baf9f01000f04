#include "csv.h"
#include "csv_guess.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WORDS 10000 /* of samples, remembered to know a word that the end of the file cuts */

/* ---- rows that are not plain ---- */

/* Stamps that do not fit in the header's unit but are a date in a smaller one: the header is wrong about it.
 */
static bool fit_stamp_unit(struct csv *csv, struct column_target *target, const struct table_field *field,
                           int64_t *ret)
{
    static const struct {
        int64_t scale;
        const char *name;
    } units[] = {{1000, "microseconds"}, {1, "nanoseconds"}};

    for (size_t i = 0; i < sizeof units / sizeof *units && csv->frames + csv->samples == 0; i++) {
        if (units[i].scale >= target->scale ||
            number_parse_scaled(field->text, field->length, units[i].scale, true, ret) != NUMBER_OK ||
            *ret < 978307200 * NS_PER_S || *ret > 4102444800 * NS_PER_S)
            continue;
        target->scale = units[i].scale;
        csv_plan_steps(csv);
        csv_note(csv,
                 memory_print(
                     "The time stamps are too large for the unit that the header names: they were read as "
                     "%s since 1970.",
                     units[i].name));
        return true;
    }
    return false;
}

static void reject(struct csv *csv, enum reject_reason reason, int64_t line, const char *text, size_t length)
{
    csv->reader->sink->reject(csv->reader->sink->user, reason, line, text, length);
}

static bool read_flag(const struct table_field *field)
{
    static const char *const yes[] = {"1", "true", "yes"};

    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        if (table_field_equals(field, yes[i]))
            return true;
    }
    return false;
}

static enum number_fault read_number(struct csv *csv, struct column_target *target, const struct table_field *field, int64_t *ret)
{
    enum number_fault fault = number_parse_scaled(field->text, field->length, target->scale, true, ret);

    if (target->index == COLUMN_STAMP && fault == NUMBER_TOO_LARGE && fit_stamp_unit(csv, target, field, ret))
        return NUMBER_OK;
    return fault;
}

/* One field into values[]; false: the row was rejected. */
static bool read_field(struct csv *csv, size_t column, int64_t line, int64_t values[COLUMN_COUNT])
{
    struct column_target *target = &csv->columns[column];
    const struct table_field *field = &csv->row.items[column];
    int64_t value = VALUE_UNKNOWN;
    enum number_fault fault;

    if (target->kind == COLUMN_IS_TEXT) {
        values[target->index] = csv_text_id(csv, target->index, field->text, field->length);
        return true;
    }
    if (target->kind == COLUMN_IS_FLAG && read_flag(field))
        values[COLUMN_FLAGS] =
            (values[COLUMN_FLAGS] == VALUE_UNKNOWN ? 0 : values[COLUMN_FLAGS]) | target->index;
    if (target->kind != COLUMN_IS_NUMBER)
        return true;
    fault = read_number(csv, target, field, &value);
    if (fault == NUMBER_OK)
        values[target->index] = value;
    if (!csv_is_required(target) || (fault == NUMBER_OK && (target->index == COLUMN_STAMP || value >= 1000)))
        return true;
    if (target->index == COLUMN_STAMP)
        reject(csv, REJECT_BAD_STAMP, line, field->text, field->length);
    else if (fault == NUMBER_OK)
        reject(csv, value < 0 ? REJECT_NEGATIVE : REJECT_ZERO, line, field->text, field->length);
    else if (fault == NUMBER_EMPTY && field->length > 0)
        reject(csv, REJECT_NOT_A_NUMBER, line, field->text, field->length);
    else
        reject(csv, reject_reason_of(fault), line, field->text, field->length);
    return false;
}

/* Frame time before stamp: a row without a number for it is no frame for that reason. */
static bool read_fields(struct csv *csv, int64_t line, int64_t values[COLUMN_COUNT])
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < csv->column_count && i < csv->row.count; i++) {
            bool first =
                csv->columns[i].kind == COLUMN_IS_NUMBER && csv->columns[i].index == COLUMN_FRAME_TIME;

            if (first == (pass == 0) && !read_field(csv, i, line, values))
                return false;
        }
    }
    return true;
}

/* Columns that must be there: the rest may be left out at the end of a row (an event that most rows lack). */
static bool is_short(const struct csv *csv, bool cut)
{
    if (csv->row.count < csv->column_count && cut)
        return true;
    for (size_t i = csv->row.count; i < csv->column_count; i++) {
        if (csv->columns[i].kind == COLUMN_IS_CONTEXT || csv_is_required(&csv->columns[i]))
            return true;
    }
    return false;
}

/* Where the context stands in the row. */
static void find_runs(struct csv *csv, const struct import_line *line)
{
    for (size_t i = 0; i < csv->run_count; i++) {
        size_t after = csv->runs[i].first + csv->runs[i].count;

        csv->begins[i] = csv->row.items[csv->runs[i].first].begin;
        csv->ends[i] = after < csv->row.count ? csv->row.items[after].begin : line->text + line->length + 1;
    }
}

static bool has_fixed_decimals(const struct csv *csv, size_t column)
{
    return table_decimals_are_fixed(import_input_sample(csv->reader->input), csv->separator, csv->header_line, column,
                                    &csv->row.items[column]);
}

/* The last line has no line end, and its last field may be half of one: a number, or a name that nobody had before. */
static bool may_be_half(struct csv *csv, const struct import_line *line)
{
    size_t last = csv->row.count - 1, context;
    const struct column_target *target = &csv->columns[last];

    if (target->kind == COLUMN_IS_NUMBER)
        return !has_fixed_decimals(csv, last);
    if (target->kind != COLUMN_IS_CONTEXT)
        return false;
    find_runs(csv, line);
    return csv->contexts.count > 0 && !csv_find_context(csv, &context);
}

static bool is_long(const struct csv *csv)
{
    for (size_t i = csv->column_count; i < csv->row.count; i++) {
        if (csv->row.items[i].length > 0)
            return true;
    }
    return false;
}

static bool take_context(struct csv *csv, const struct import_line *line, struct error *error)
{
    size_t context;

    find_runs(csv, line);
    if (!csv_find_context(csv, &context))
        context = csv_add_context(csv);
    return csv_enter_context(csv, context, error);
}

static bool reject_row(struct csv *csv, enum reject_reason reason, const struct import_line *line)
{
    char *text;

    if (reason == REJECT_LONG_ROW) {
        text = memory_print("%zu fields, expected %zu", csv->row.count, csv->column_count);
        reject(csv, reason, line->number, text, strlen(text));
        free(text);
        if (csv->separator == ',' && !csv->told_long)
            csv_note(csv,
                     memory_print(
                         "There are rows with more fields than the header has columns (first in line %" PRId64
                         "). If the decimal mark is a comma too, save with ';' between the columns.",
                         line->number));
        csv->told_long = true;
        return true;
    }
    if (reason == REJECT_SHORT_ROW && line->cut)
        csv_note(csv, memory_print("The last line (%" PRId64
                                   ") is cut: it was left out, complete frames were taken.",
                                   line->number));
    if (reason == REJECT_MALFORMED)
        csv_note(csv,
                 memory_print("Line %" PRId64 " opens a quote that is not closed: the line was left out.",
                              line->number));
    reject(csv, reason, line->number, line->text, line->length);
    return true;
}

/* Is the row a value beside frames? */
static bool collect_sample(struct csv *csv, int64_t line, struct sample_row *ret)
{
    enum sample_row_time time = SAMPLE_ROW_NO_TIME;
    unsigned present = 0;

    memset(ret, 0, sizeof *ret);
    ret->stamp_ns = VALUE_UNKNOWN;
    for (size_t i = 0; i < csv->column_count && i < csv->row.count; i++) {
        const struct column_target *target = &csv->columns[i];
        const struct table_field *field = &csv->row.items[i];
        int64_t value = 0;

        if (target->kind == COLUMN_IS_SAMPLE) {
            ret->parts[target->index].text = field->text;
            ret->parts[target->index].length = field->length;
            present |= field->length > 0 ? 1u << target->index : 0;
        } else if (target->kind == COLUMN_IS_NUMBER && target->index == COLUMN_FRAME_TIME) {
            enum number_fault fault = number_parse_scaled(field->text, field->length, target->scale, true, &value);

            time = sample_row_time(fault, value);
        }
    }
    return sample_row_is_one(present, time, line, &csv->left);
}

static void read_sample_stamp(struct csv *csv, struct sample_row *ret)
{
    for (size_t i = 0; i < csv->column_count && i < csv->row.count; i++) {
        const struct table_field *field = &csv->row.items[i];
        enum number_fault fault;

        if (csv->columns[i].kind != COLUMN_IS_NUMBER || csv->columns[i].index != COLUMN_STAMP)
            continue;
        fault = read_number(csv, &csv->columns[i], field, &ret->stamp_ns);
        if (fault == NUMBER_OK || fault == NUMBER_EMPTY)
            continue;
        ret->bad_stamp = field->text;
        ret->bad_stamp_length = field->length;
    }
}

/* Words that a row cut at its end may hold half of. */
static void remember_words(struct csv *csv, const struct sample_row *sample)
{
    static const enum sample_part words[] = {SAMPLE_NAME, SAMPLE_UNIT, SAMPLE_CATEGORY, SAMPLE_PROFILER};

    if (!csv->words)
        csv->words = dictionary_create();
    for (size_t i = 0; i < sizeof words / sizeof *words && dictionary_count(csv->words) < MOST_WORDS; i++) {
        if (sample->parts[words[i]].length > 0)
            dictionary_add(csv->words, sample->parts[words[i]].text, sample->parts[words[i]].length);
    }
}

/* The same for a value beside frames; a unit that is not there may be one that is cut off. */
static bool sample_may_be_half(const struct csv *csv)
{
    size_t last = csv->row.count - 1;
    const struct column_target *target;

    if (csv->row.count > csv->column_count) /* the cut is in an empty field behind the last column */
        return false;
    target = &csv->columns[last];
    if (target->kind != COLUMN_IS_SAMPLE)
        return false;
    if (target->index == SAMPLE_VALUE || target->index == SAMPLE_BYTES)
        return !has_fixed_decimals(csv, last);
    return csv->samples > 0 && !dictionary_find(csv->words, csv->row.items[last].text, csv->row.items[last].length);
}

static bool take_sample(struct csv *csv, struct sample_row *sample, const struct import_line *line, struct error *error)
{
    read_sample_stamp(csv, sample);
    remember_words(csv, sample);
    csv->samples += !sample->bad_stamp;
    return take_context(csv, line, error) &&
           sample_row_give(sample, csv->reader->sink, &csv->contexts.items[csv->current].context, true, line->number, error);
}

/* Any row at all. */
static bool slow_row(struct csv *csv, struct import_line *line, struct error *error)
{
    int64_t values[COLUMN_COUNT];
    struct sample_row sample;

    if (table_line_is_blank(line->text, line->length, csv->separator))
        return true;
    table_read_row(csv->reader->input, line, csv->separator, &csv->row);
    csv->rows++;
    if (csv_looks_like_header(csv)) {
        csv->rows--;
        return csv_take_header(csv, line->number, error);
    }
    if (!frame_batch_flush(&csv->batch, error)) /* so that rejected rows are counted in order */
        return false;
    if (csv->row.open_quote)
        return reject_row(csv, REJECT_MALFORMED, line);
    if (is_short(csv, line->cut))
        return reject_row(csv, REJECT_SHORT_ROW, line);
    if (is_long(csv))
        return reject_row(csv, REJECT_LONG_ROW, line);
    if (line->cut && csv->row.count == csv->column_count && may_be_half(csv, line))
        return reject_row(csv, REJECT_SHORT_ROW, line);
    if (csv->takes_samples && collect_sample(csv, line->number, &sample))
        return line->cut && sample_may_be_half(csv) ? reject_row(csv, REJECT_SHORT_ROW, line) : take_sample(csv, &sample, line, error);
    for (int i = 0; i < COLUMN_COUNT; i++)
        values[i] = VALUE_UNKNOWN;
    if (!read_fields(csv, line->number, values))
        return true;
    csv->frames++;
    return take_context(csv, line, error) && frame_batch_add(&csv->batch, values, line->number, error);
}

static void tell_broken(struct csv *csv, int64_t line)
{
    if (!csv->broken_text || csv->told_broken)
        return;
    csv->told_broken = true;
    csv_note(csv, memory_print("Line %" PRId64
                               " holds text that is not UTF-8: its bytes are marked with U+FFFD. If the file "
                               "has another encoding, name it (--encoding GB18030, CP949, SHIFT_JIS, …).",
                               line));
}

/* ---- the file ---- */

/* The plain rows among the lines that stand in memory, up to the first that is none. */
static bool take_plain_rows(struct csv *csv, struct error *error)
{
    const char *at, *end;
    int64_t line;
    int taken = 1;

    if (csv->fast && import_input_lines(csv->reader->input, &at, &end, &line)) {
        taken = csv_fast_rows(csv, &at, end, &line, error);
        import_input_leave_lines(csv->reader->input, at, line);
    }
    return taken >= 0;
}

/* A line by itself: one that is not plain, or that came in two pieces. */
static bool take_line(struct csv *csv, struct import_line *line, struct error *error)
{
    const char *at = line->text;
    int64_t number = line->number;
    int taken = csv->fast && !line->cut ? csv_fast_rows(csv, &at, at + line->length + 1, &number, error) : 0;

    if (taken == 0) {
        if (!slow_row(csv, line, error))
            return false;
        tell_broken(csv, line->number);
    }
    return taken >= 0;
}

static bool read_rows(struct csv *csv, struct error *error)
{
    struct import_line line;
    bool fine = true;

    while (fine && (fine = take_plain_rows(csv, error)) && import_input_next_line(csv->reader->input, &line))
        fine = take_line(csv, &line, error);
    if (!fine || !import_input_end(csv->reader->input, error) || !frame_batch_flush(&csv->batch, error))
        return false;
    sample_rows_tell_left(&csv->left, csv->reader->sink);
    if (csv->frames == 0 && csv->rows == 0)
        return error_set(error, ERROR_INPUT,
                         "line %" PRId64 ": there is a header but no rows: no frames to import.",
                         csv->header_line);
    return true;
}

static bool csv_read(const struct import_reader *reader, struct error *error)
{
    struct csv *csv = memory_take_zeroed(1, sizeof *csv);
    bool fine;

    csv->reader = reader;
    frame_batch_init(&csv->batch, reader->sink);
    csv->current = SIZE_MAX;
    fine = csv_find_header(csv, error) && read_rows(csv, error);
    csv_forget_header(csv);
    array_free(&csv->contexts);
    array_free(&csv->steps);
    frame_batch_free(&csv->batch);
    alike_free(&csv->alike);
    table_row_free(&csv->row);
    if (csv->words)
        dictionary_destroy(csv->words);
    free(csv);
    return fine;
}

const struct import_format import_format_csv = {
    .name = "csv",
    .title = "CSV with frame times",
    .recognised_by = "a header row with frame_time_ms, timestamp_ms, …, or names like dt_us, Frame Time [s]; separators , ; tab |",
    .detect = csv_detect,
    .read = csv_read,
    .lines = true,
};
