#include "csv.h"

#include "stutterscope/base/hash.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- contexts ---- */

static uint64_t runs_hash(const struct csv *csv)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < csv->run_count; i++)
        hash = (hash << 7 | hash >> 57) ^ hash_bytes(csv->begins[i], (size_t)(csv->ends[i] - csv->begins[i]));
    return hash;
}

static bool is_context(const struct csv *csv, const struct csv_context *context)
{
    size_t begin = 0;

    for (size_t i = 0; i < csv->run_count; i++) {
        size_t length = context->ends[i] - begin;

        if ((size_t)(csv->ends[i] - csv->begins[i]) != length ||
            memcmp(csv->begins[i], context->key + begin, length) != 0)
            return false;
        begin = context->ends[i];
    }
    return true;
}

bool csv_find_context(struct csv *csv, size_t *ret)
{
    size_t mask = csv->slot_count - 1;
    uint64_t hash;

    if (csv->current != SIZE_MAX && is_context(csv, &csv->contexts.items[csv->current])) {
        *ret = csv->current;
        return true;
    }
    hash = runs_hash(csv);
    for (size_t i = (size_t)hash & mask; csv->slot_count && csv->slots[i]; i = (i + 1) & mask) {
        *ret = csv->slots[i] - 1;
        if (csv->contexts.items[*ret].hash == hash && is_context(csv, &csv->contexts.items[*ret]))
            return true;
    }
    return false;
}

static void insert_slot(struct csv *csv, size_t context)
{
    size_t mask = csv->slot_count - 1, i = (size_t)csv->contexts.items[context].hash & mask;

    while (csv->slots[i])
        i = (i + 1) & mask;
    csv->slots[i] = (uint32_t)context + 1;
}

static void widen_slots(struct csv *csv)
{
    free(csv->slots);
    csv->slot_count = csv->slot_count ? csv->slot_count * 2 : 64;
    csv->slots = memory_take_zeroed(csv->slot_count, sizeof *csv->slots);
    for (size_t i = 0; i < csv->contexts.count; i++)
        insert_slot(csv, i);
}

static uint32_t field_id(struct csv *csv, const struct table_field *field)
{
    if (number_is_absent(field->text, field->length))
        return 0;
    return column_add_text(csv->reader->sink->texts, field->text, field->length, &csv->broken_text);
}

/* The fields of csv->row as a new context. */
static size_t add_context(struct csv *csv)
{
    struct csv_context added = {.hash = runs_hash(csv), .follower = csv->contexts.count};
    struct text_buffer key = {0};

    added.context.number = csv->context_base + (uint32_t)csv->contexts.count + 1;
    added.ends = memory_take_zeroed(csv->run_count + 1, sizeof *added.ends);
    for (size_t i = 0; i < csv->run_count; i++) {
        const struct csv_text_run *run = &csv->runs[i];

        text_add_bytes(&key, csv->begins[i], (size_t)(csv->ends[i] - csv->begins[i]));
        added.ends[i] = key.count;
        for (size_t j = run->first; j < run->first + run->count; j++)
            added.context.field[csv->columns[j].index] = field_id(csv, &csv->row.items[j]);
    }
    added.key = text_take(&key);
    array_push(&csv->contexts, added);
    if (csv->contexts.count * 2 > csv->slot_count)
        widen_slots(csv);
    else
        insert_slot(csv, csv->contexts.count - 1);
    return csv->contexts.count - 1;
}

bool csv_enter_context(struct csv *csv, size_t context, struct error *error)
{
    if (csv->current != SIZE_MAX)
        csv->contexts.items[csv->current].follower = context;
    csv->guess = csv->contexts.items[context].follower;
    if (csv->current == context)
        return true;
    if (!frame_batch_flush(&csv->batch, error))
        return false;
    csv->current = context;
    csv->batch.context = csv->contexts.items[context].context;
    return true;
}

int64_t csv_text_id(struct csv *csv, int column, const char *text, size_t length)
{
    struct csv_text_column *cache = &csv->texts[column];
    uint32_t id;

    if (cache->last_length == length && length > 0 && memcmp(cache->last, text, length) == 0)
        return cache->last_id;
    if (number_is_absent(text, length))
        return VALUE_UNKNOWN;
    id = column_add_text(csv->reader->sink->texts, text, length, &csv->broken_text);
    if (length <= sizeof cache->last) {
        memcpy(cache->last, text, length);
        cache->last_length = length;
        cache->last_id = id;
    }
    return id ? (int64_t)id : VALUE_UNKNOWN;
}

/* ---- the header ---- */

static void forget_header(struct csv *csv)
{
    for (size_t i = 0; i < csv->contexts.count; i++) {
        free(csv->contexts.items[i].key);
        free(csv->contexts.items[i].ends);
    }
    csv->context_base += (uint32_t)csv->contexts.count;
    csv->contexts.count = 0;
    free(csv->slots);
    csv->slots = NULL;
    csv->slot_count = 0;
    csv->current = SIZE_MAX;
    csv->run_count = 0;
    csv->steps.count = 0;
    free(csv->columns);
    csv->columns = NULL;
}

static bool is_required(const struct column_target *target)
{
    if (target->kind == COLUMN_IS_NUMBER)
        return target->index == COLUMN_STAMP || target->index == COLUMN_FRAME_TIME;
    return target->kind == COLUMN_IS_CONTEXT &&
           (target->index == CONTEXT_BUILD || target->index == CONTEXT_DEVICE || target->index == CONTEXT_SCENE);
}

static void note(struct csv *csv, char *text)
{
    csv->reader->sink->note(csv->reader->sink->user, text);
    free(text);
}

/* The same thing twice: nobody can know which is meant where it decides; else the first counts. */
static bool check_twice(struct csv *csv, size_t column, int64_t line, struct error *error)
{
    struct column_target *target = &csv->columns[column];

    for (size_t i = 0; i < column; i++) {
        if (csv->columns[i].kind != target->kind || csv->columns[i].index != target->index)
            continue;
        if (is_required(target))
            return error_set(error, ERROR_INPUT,
                             "line %" PRId64 ": \"%.*s\" is there twice, as column %zu (\"%.*s\") and %zu; expected once. "
                             "Rename or remove one of them.",
                             line, (int)csv->row.items[column].length, csv->row.items[column].text, i + 1,
                             (int)csv->row.items[i].length, csv->row.items[i].text, column + 1);
        note(csv, memory_print("Column %zu (\"%.*s\") repeats column %zu: the first is used.", column + 1,
                               (int)csv->row.items[column].length, csv->row.items[column].text, i + 1));
        target->kind = COLUMN_IS_UNKNOWN;
        return true;
    }
    return true;
}

static bool has_number(const struct csv *csv, enum frame_column column)
{
    for (size_t i = 0; i < csv->column_count; i++) {
        if (csv->columns[i].kind == COLUMN_IS_NUMBER && csv->columns[i].index == (int)column)
            return true;
    }
    return false;
}

static bool check_required(struct csv *csv, int64_t line, struct error *error)
{
    static const struct {
        enum frame_column column;
        const char *name;
        const char *advice;
    } required[] = {{COLUMN_FRAME_TIME, "frame_time_ms", ""},
                    {COLUMN_STAMP, "timestamp_ms",
                     " A file without any time stamps is read with --map timestamp_ms=none."}};

    for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
        char *names;

        if (has_number(csv, required[i].column) ||
            (required[i].column == COLUMN_STAMP && column_is_mapped_to_none(csv->reader->options, "timestamp_ms")))
            continue;
        names = table_names(&csv->row);
        error_set(error, ERROR_INPUT,
                  "line %" PRId64 ": the column %s is missing. Columns found: %s. If another column holds it, name it "
                  "with --map %s=COLUMN.%s",
                  line, required[i].name, names, required[i].name, required[i].advice);
        free(names);
        return false;
    }
    return true;
}

static int power_of_ten(int64_t scale)
{
    int digits = 0;

    for (; scale >= 10 && scale % 10 == 0; scale /= 10)
        digits++;
    return scale == 1 ? digits : -1;
}

static void plan_context(struct csv *csv, size_t column)
{
    struct csv_text_run *run = csv->run_count ? &csv->runs[csv->run_count - 1] : NULL;

    if (run && run->first + run->count == column) {
        run->count++;
        return;
    }
    csv->runs[csv->run_count] = (struct csv_text_run){column, 1};
    array_push(&csv->steps, (struct csv_step){.kind = CSV_RUN, .run = csv->run_count++});
}

/* What to do from left to right in a plain row. */
static void plan_steps(struct csv *csv)
{
    csv->fast = true;
    csv->steps.count = 0;
    csv->run_count = 0;
    for (size_t i = 0; i < csv->column_count; i++) {
        const struct column_target *target = &csv->columns[i];
        struct csv_step *last = csv->steps.count ? &csv->steps.items[csv->steps.count - 1] : NULL;

        switch (target->kind) {
        case COLUMN_IS_CONTEXT:
            plan_context(csv, i);
            break;
        case COLUMN_IS_NUMBER:
            array_push(&csv->steps, (struct csv_step){.kind = CSV_NUMBER,
                                                      .column = target->index,
                                                      .required = is_required(target),
                                                      .scale = target->scale,
                                                      .digits = power_of_ten(target->scale)});
            frame_batch_use(&csv->batch, (enum frame_column)target->index);
            break;
        case COLUMN_IS_TEXT:
            array_push(&csv->steps, (struct csv_step){.kind = CSV_TEXT, .column = target->index});
            frame_batch_use(&csv->batch, (enum frame_column)target->index);
            break;
        case COLUMN_IS_FLAG:
            csv->fast = false;
            break;
        case COLUMN_IS_UNKNOWN:
            if (last && last->kind == CSV_SKIP)
                last->count++;
            else
                array_push(&csv->steps, (struct csv_step){.kind = CSV_SKIP, .count = 1});
            break;
        }
    }
}

static void tell_left_out(struct csv *csv)
{
    for (size_t i = 0; i < csv->column_count; i++) {
        char *name;

        if (csv->columns[i].kind != COLUMN_IS_UNKNOWN || csv->row.items[i].length == 0)
            continue;
        name = text_clean(csv->row.items[i].text, csv->row.items[i].length);
        csv->reader->sink->column_left_out(csv->reader->sink->user, name, personal_column(name));
        free(name);
    }
}

/* csv->row is a header: from here on columns are found by it. */
static bool take_header(struct csv *csv, int64_t line, struct error *error)
{
    if (!frame_batch_flush(&csv->batch, error))
        return false;
    frame_batch_free(&csv->batch); /* the columns of an earlier header */
    frame_batch_init(&csv->batch, csv->reader->sink);
    forget_header(csv);
    csv->column_count = csv->row.count;
    csv->header_line = line;
    csv->columns = memory_take_zeroed(csv->column_count, sizeof *csv->columns);
    for (size_t i = 0; i < csv->column_count; i++) {
        const struct table_field *field = &csv->row.items[i];
        bool mark = field->length >= 3 && memcmp(field->text, "\xEF\xBB\xBF", 3) == 0;

        column_find_mapped(csv->reader->options, field->text + (mark ? 3 : 0), field->length - (mark ? 3 : 0),
                           &csv->columns[i]);
        if (csv->columns[i].kind != COLUMN_IS_UNKNOWN && !check_twice(csv, i, line, error))
            return false;
    }
    if (!check_required(csv, line, error))
        return false;
    plan_steps(csv);
    tell_left_out(csv);
    return true;
}

/* Is the field that should be the frame time at least the beginning of a number? */
static bool has_frame_time(const struct csv *csv)
{
    for (size_t i = 0; i < csv->column_count && i < csv->row.count; i++) {
        if (csv->columns[i].kind == COLUMN_IS_NUMBER && csv->columns[i].index == COLUMN_FRAME_TIME)
            return csv->row.items[i].length == 0 || strchr("0123456789+-.", csv->row.items[i].text[0]);
    }
    return false;
}

/* A row that names the frame time and most of the other columns is the header again (logs are appended to). */
static bool looks_like_header(const struct csv *csv)
{
    size_t known = 0, frame_times = 0;

    if (has_frame_time(csv))
        return false;
    for (size_t i = 0; i < csv->row.count; i++) {
        struct column_target target;

        if (!column_find_mapped(csv->reader->options, csv->row.items[i].text, csv->row.items[i].length, &target)) {
            /* The mark of a second file that was appended. */
            if (csv->row.items[i].length <= 3 || memcmp(csv->row.items[i].text, "\xEF\xBB\xBF", 3) != 0 ||
                !column_find_mapped(csv->reader->options, csv->row.items[i].text + 3, csv->row.items[i].length - 3,
                                    &target))
                continue;
        }
        known++;
        frame_times += target.kind == COLUMN_IS_NUMBER && target.index == COLUMN_FRAME_TIME;
    }
    return frame_times > 0 && known * 2 >= csv->row.count;
}

/* ---- rows that are not plain ---- */

/* Stamps that do not fit in the header's unit but are a date in a smaller one: the header is wrong about it. */
static bool fit_stamp_unit(struct csv *csv, struct column_target *target, const struct table_field *field,
                           int64_t *ret)
{
    static const struct {
        int64_t scale;
        const char *name;
    } units[] = {{1000, "microseconds"}, {1, "nanoseconds"}};

    for (size_t i = 0; i < sizeof units / sizeof *units && csv->frames == 0; i++) {
        if (units[i].scale >= target->scale ||
            number_parse_scaled(field->text, field->length, units[i].scale, true, ret) != NUMBER_OK ||
            *ret < 978307200 * NS_PER_S || *ret > 4102444800 * NS_PER_S)
            continue;
        target->scale = units[i].scale;
        plan_steps(csv);
        note(csv, memory_print("The time stamps are too large for the unit that the header names: they were read as "
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
        values[COLUMN_FLAGS] = (values[COLUMN_FLAGS] == VALUE_UNKNOWN ? 0 : values[COLUMN_FLAGS]) | target->index;
    if (target->kind != COLUMN_IS_NUMBER)
        return true;
    fault = number_parse_scaled(field->text, field->length, target->scale, true, &value);
    if (target->index == COLUMN_STAMP && fault == NUMBER_TOO_LARGE && fit_stamp_unit(csv, target, field, &value))
        fault = NUMBER_OK;
    if (fault == NUMBER_OK)
        values[target->index] = value;
    if (!is_required(target) || (fault == NUMBER_OK && (target->index == COLUMN_STAMP || value >= 1000)))
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
            bool first = csv->columns[i].kind == COLUMN_IS_NUMBER && csv->columns[i].index == COLUMN_FRAME_TIME;

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
        if (csv->columns[i].kind == COLUMN_IS_CONTEXT || is_required(&csv->columns[i]))
            return true;
    }
    return false;
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

    for (size_t i = 0; i < csv->run_count; i++) {
        size_t after = csv->runs[i].first + csv->runs[i].count;

        csv->begins[i] = csv->row.items[csv->runs[i].first].begin;
        csv->ends[i] = after < csv->row.count ? csv->row.items[after].begin : line->text + line->length + 1;
    }
    if (!csv_find_context(csv, &context))
        context = add_context(csv);
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
            note(csv, memory_print("There are rows with more fields than the header has columns (first in line %" PRId64
                                   "). If the decimal mark is a comma too, save with ';' between the columns.",
                                   line->number));
        csv->told_long = true;
        return true;
    }
    if (reason == REJECT_SHORT_ROW && line->cut)
        note(csv, memory_print("The last line (%" PRId64 ") is cut: it was left out, complete frames were taken.",
                               line->number));
    if (reason == REJECT_MALFORMED)
        note(csv, memory_print("Line %" PRId64 " opens a quote that is not closed: the line was left out.",
                               line->number));
    reject(csv, reason, line->number, line->text, line->length);
    return true;
}

/* Any row at all. */
static bool slow_row(struct csv *csv, struct import_line *line, struct error *error)
{
    int64_t values[COLUMN_COUNT];

    if (table_line_is_blank(line->text, line->length, csv->separator))
        return true;
    table_read_row(csv->reader->input, line, csv->separator, &csv->row);
    csv->rows++;
    if (looks_like_header(csv)) {
        csv->rows--;
        return take_header(csv, line->number, error);
    }
    if (!frame_batch_flush(&csv->batch, error)) /* so that rejected rows are counted in order */
        return false;
    if (csv->row.open_quote)
        return reject_row(csv, REJECT_MALFORMED, line);
    if (is_short(csv, line->cut))
        return reject_row(csv, REJECT_SHORT_ROW, line);
    if (is_long(csv))
        return reject_row(csv, REJECT_LONG_ROW, line);
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
    note(csv, memory_print("Line %" PRId64 " holds text that is not UTF-8: its bytes are marked with U+FFFD. If the file "
                           "has another encoding, name it (--encoding CP949, SHIFT_JIS, …).",
                           line));
}

/* ---- the file ---- */

static bool find_header(struct csv *csv, struct error *error)
{
    struct import_line line;

    while (import_input_next_line(csv->reader->input, &line)) {
        if (!csv->separator && table_sep_line(line.text, line.length)) {
            csv->separator = table_sep_line(line.text, line.length);
            continue;
        }
        if (table_line_is_blank(line.text, line.length, 0) || line.text[0] == '#')
            continue;
        if (!csv->separator)
            csv->separator = table_find_separator(line.text, line.length);
        if (!csv->separator)
            csv->separator = ',';
        table_read_row(csv->reader->input, &line, csv->separator, &csv->row);
        return take_header(csv, line.number, error);
    }
    if (!import_input_end(csv->reader->input, error))
        return false;
    return error_set(error, ERROR_INPUT, "the file is empty: expected a header row and rows of frames.");
}

static bool read_rows(struct csv *csv, struct error *error)
{
    struct import_line line;

    while (import_input_next_line(csv->reader->input, &line)) {
        int taken = csv->fast && !line.cut
                        ? csv_fast_row(csv, line.text, line.text + line.length, line.number, error)
                        : 0;

        if (taken < 0)
            return false;
        if (taken == 0) {
            if (!slow_row(csv, &line, error))
                return false;
            tell_broken(csv, line.number);
        }
    }
    if (!import_input_end(csv->reader->input, error) || !frame_batch_flush(&csv->batch, error))
        return false;
    if (csv->frames == 0 && csv->rows == 0)
        return error_set(error, ERROR_INPUT, "line %" PRId64 ": there is a header but no rows: no frames to import.",
                         csv->header_line);
    return true;
}

static bool csv_read(const struct import_reader *reader, struct error *error)
{
    struct csv *csv = memory_take_zeroed(1, sizeof *csv);
    bool has_clock = !column_is_mapped_to_none(reader->options, "timestamp_ms");
    bool fine;

    csv->reader = reader;
    frame_batch_init(&csv->batch, reader->sink);
    csv->current = SIZE_MAX;
    reader->sink->facts(reader->sink->user, &(struct import_source_facts){.version = "",
                                                                          .interval = "present",
                                                                          .tests_holes = has_clock,
                                                                          .has_clock = has_clock});
    fine = find_header(csv, error) && read_rows(csv, error);
    forget_header(csv);
    array_free(&csv->contexts);
    array_free(&csv->steps);
    frame_batch_free(&csv->batch);
    table_row_free(&csv->row);
    free(csv);
    return fine;
}

static int csv_detect(const struct import_sample *sample, const struct import_options *options, struct error *refusal)
{
    struct table_row header = {0};
    struct column_target target;
    int score = 0;

    (void)refusal;
    if (!table_sample_header(sample, "#", &header) || header.items[0].text[0] == '{' || header.items[0].text[0] == '[' ||
        header.items[0].text[0] == '<') {
        table_row_free(&header);
        return 0;
    }
    for (size_t i = 0; i < header.count; i++) {
        if (column_find_mapped(options, header.items[i].text, header.items[i].length, &target))
            score += target.kind == COLUMN_IS_NUMBER ? 25 : 10;
    }
    if (options && options->map_count > 0 && score > 0)
        score = 95; /* the user says which columns: no other format is meant */
    score = score > 90 && score != 95 ? 90 : score;
    /* Anything that looks like a table gets the advice which columns are missing. */
    if (score == 0 && header.count > 1)
        score = 1;
    table_row_free(&header);
    return score;
}

const struct import_format import_format_csv = {
    .name = "csv",
    .title = "Canonical CSV, or any CSV with --map",
    .recognised_by = "a header row with frame_time_ms, timestamp_ms, …; separators , ; tab |",
    .detect = csv_detect,
    .read = csv_read,
};
