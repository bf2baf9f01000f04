#include "mangohud.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/columns.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DECIDING_ROWS 512 /* the units are decided by the first rows of a log */
#define SYSTEM_FIELDS 7

struct mangohud {
    const struct import_reader *reader;
    struct table_row row;
    struct frame_batch batch;
    struct import_context context;
    char *version;
    int fps, frame_time, elapsed; /* columns; -1 */
    size_t columns;               /* of the header */
    bool system_follows, told_facts;
    int64_t logs, rows_in_all; /* logs: begun so far in this file */
    uint32_t part_name;
    struct {
        struct mango_row *items;
        size_t count, capacity;
    } waiting;
    bool decided;
    struct mango_units units;
};

/* ---- what precedes the rows ---- */

static bool begins_with(const struct import_line *line, const char *text)
{
    return line->length >= strlen(text) && memcmp(line->text, text, strlen(text)) == 0;
}

static bool lies_in(const struct import_line *line, const struct table_field *field)
{
    return field->text >= line->text && field->text + field->length <= line->text + line->length;
}

/* As it stands in the line; what was quoted lies elsewhere, and is put together again. */
static uint32_t joined_text(const struct mangohud *mango, const struct import_line *line, size_t first, size_t last)
{
    const struct table_field *from = &mango->row.items[first], *to = &mango->row.items[last];
    struct text_buffer joined = {0};
    uint32_t text;

    if (lies_in(line, from) && lies_in(line, to))
        return reading_text(mango->reader->sink, from->text, (size_t)(to->text + to->length - from->text));
    for (size_t i = first; i <= last; i++) {
        const struct table_field *field = &mango->row.items[i];
        size_t blanks = 0;

        while (blanks < field->length && field->text[blanks] == ' ')
            blanks++;
        text_add(&joined, i > first ? ", " : "");
        text_add_bytes(&joined, field->text + blanks, field->length - blanks);
    }
    text = reading_text(mango->reader->sink, joined.items, joined.count);
    array_free(&joined);
    return text;
}

/*
 * "os,cpu,gpu,ram,kernel,driver": nothing is quoted, and the name of a GPU may hold commas. The amount of
 * memory is the first whole number behind it.
 */
static void take_system(struct mangohud *mango, const struct import_line *line)
{
    size_t memory = 3, count;

    table_split(line->text, line->length, ',', &mango->row);
    count = mango->row.count;
    if (count < 3)
        return;
    for (size_t i = 3; i < count && i < SYSTEM_FIELDS + 3; i++) {
        if (number_is_whole(mango->row.items[i].text, mango->row.items[i].length)) {
            memory = i;
            break;
        }
    }
    memset(&mango->context, 0, sizeof mango->context);
    mango->context.field[CONTEXT_OS] = joined_text(mango, line, 0, 0);
    reading_name_pc(mango->reader->sink, &mango->context, joined_text(mango, line, 1, 1),
                    joined_text(mango, line, 2, memory - 1));
}

static void set_columns(struct mangohud *mango, int fps, int frame_time, int elapsed, size_t columns)
{
    mango->fps = fps;
    mango->frame_time = frame_time;
    mango->elapsed = elapsed;
    mango->columns = columns;
}

static bool take_header(struct mangohud *mango, const struct import_line *line, struct error *error)
{
    static const char *const wanted[] = {"fps", "frametime", "elapsed"};
    const struct import_sink *sink = mango->reader->sink;

    if (mango->logs == 0)
        mango->logs = 1;
    set_columns(mango, table_find_column(&mango->row, "fps"), table_find_column(&mango->row, "frametime"),
                table_find_column(&mango->row, "elapsed"), mango->row.count);
    if (mango->elapsed < 0)
        return error_set(error, ERROR_INPUT,
                         "line %" PRId64 ": no column \"elapsed\": expected the header of a MangoHud log, "
                         "\"fps,frametime,…,elapsed\".",
                         line->number);
    for (size_t i = 0; i < mango->row.count; i++) {
        bool used = false;
        char *name;

        for (size_t j = 0; j < sizeof wanted / sizeof *wanted; j++)
            used = used || table_field_equals(&mango->row.items[i], wanted[j]);
        if (used)
            continue;
        name = text_clean(mango->row.items[i].text, mango->row.items[i].length);
        if (*name)
            sink->column_left_out(sink->user, name, personal_column(name));
        free(name);
    }
    return true;
}

/* ---- frames ---- */

static bool hand_over(struct mangohud *mango, const struct mango_row *row, struct error *error)
{
    int64_t values[COLUMN_COUNT];

    if (row->fault != REJECT_COUNT)
        return reading_reject(&mango->batch, row->fault, row->line, NULL, 0, error);
    reading_clear_values(values);
    values[COLUMN_FRAME_TIME] = mango_frame_time(&mango->units, row);
    values[COLUMN_STAMP] = mango_elapsed(&mango->units, row);
    if (values[COLUMN_FRAME_TIME] == VALUE_UNKNOWN || values[COLUMN_STAMP] == VALUE_UNKNOWN)
        return reading_reject(&mango->batch,
                              values[COLUMN_STAMP] == VALUE_UNKNOWN ? REJECT_BAD_STAMP : REJECT_TOO_LARGE,
                              row->line, NULL, 0, error);
    return frame_batch_add(&mango->batch, values, row->line, error);
}

static void tell_facts(struct mangohud *mango)
{
    const struct import_sink *sink = mango->reader->sink;
    const char *guess = mango->units.from_fps           ? "0.5 or older"
                        : mango->units.frame_ns == 1    ? "0.6.0-0.6.1"
                        : mango->units.frame_ns == 1000 ? "0.6.2-0.6.8"
                                                        : "0.6.9 or later";

    if (!mango->told_facts)
        sink->facts(sink->user,
                    &(struct import_source_facts){.version = mango->version ? mango->version : guess,
                                                  .interval = "present",
                                                  .tests_holes = true,
                                                  .has_clock = true});
    mango->told_facts = true;
    if (mango->units.from_fps)
        reading_note(sink, "This version logs no frame times: they are 1000 / fps.");
    else if (mango->units.frame_ns != NS_PER_MS)
        reading_note(sink, "The frame times are in %s, as fps × frame time shows.", mango->units.frame_name);
    if (mango->units.elapsed_ns != 1)
        reading_note(sink, "The time stamps are in %s, as their steps show.", mango->units.elapsed_name);
}

/* The units are known from here on. */
static bool decide(struct mangohud *mango, struct error *error)
{
    const struct import_sink *sink = mango->reader->sink;
    size_t count = mango->waiting.count, first = 0;

    if (mango->decided || count == 0)
        return true;
    mango->decided = true;
    mango->units = mango_find_units(mango->waiting.items, count, mango->frame_time >= 0);
    tell_facts(mango);
    if (!mango->context.field[CONTEXT_RUN])
        mango->context.field[CONTEXT_RUN] = mango->part_name;
    if (!frame_batch_set_context(&mango->batch, &mango->context, error))
        return false;
    if (mango_first_is_bogus(&mango->units, mango->waiting.items, count)) {
        reading_note(
            sink,
            "The first row of a log counts from the start of the logging and is far too short for a frame: "
            "it was left out.");
        mango->waiting.items[first].fault = REJECT_UNFINISHED;
    }
    for (; first < count; first++) {
        if (!hand_over(mango, &mango->waiting.items[first], error))
            return false;
    }
    mango->waiting.count = 0;
    return true;
}

static bool finish_log(struct mangohud *mango, struct error *error)
{
    if (!decide(mango, error) || !frame_batch_flush(&mango->batch, error))
        return false;
    mango->decided = false;
    mango->part_name = 0;
    mango->context.field[CONTEXT_RUN] = 0;
    return true;
}

static double as_double(const struct table_row *row, int at)
{
    double value;

    if (at < 0 || (size_t)at >= row->count ||
        number_parse_double(row->items[at].text, row->items[at].length, &value) != NUMBER_OK)
        return NAN;
    return value;
}

static struct mango_row parse_row(const struct mangohud *mango, int64_t line)
{
    int decisive = mango->frame_time >= 0 ? mango->frame_time : mango->fps;
    struct mango_row row = {.line = line,
                            .fps = as_double(&mango->row, mango->fps),
                            .frame_time = as_double(&mango->row, mango->frame_time),
                            .elapsed = as_double(&mango->row, mango->elapsed),
                            .frame_millionths = reading_field(&mango->row, mango->frame_time, 1000000),
                            .elapsed_thousandths = reading_field(&mango->row, mango->elapsed, 1000),
                            .fault = REJECT_COUNT};
    const struct table_field *field;
    int64_t ignored;

    if ((size_t)decisive >= mango->row.count || (size_t)mango->elapsed >= mango->row.count) {
        row.fault = REJECT_SHORT_ROW;
        return row;
    }
    field = &mango->row.items[decisive];
    if (mango->frame_time >= 0 ? row.frame_millionths == VALUE_UNKNOWN : isnan(row.fps))
        row.fault =
            reject_reason_of(number_parse_scaled(field->text, field->length, 1000000, false, &ignored));
    else if (mango->frame_time < 0 && row.fps <= 0)
        row.fault = row.fps < 0 ? REJECT_NEGATIVE : REJECT_ZERO;
    else if (row.elapsed_thousandths == VALUE_UNKNOWN)
        row.fault = REJECT_BAD_STAMP;
    return row;
}

static bool take_row(struct mangohud *mango, const struct import_line *line, struct error *error)
{
    const struct import_sink *sink = mango->reader->sink;
    struct mango_row row;

    mango->rows_in_all++;
    if (line->cut && (mango->row.count < mango->columns || mango->elapsed + 1 >= (int)mango->row.count)) {
        reading_note(sink, "The last line is cut: it was left out, complete frames were taken.");
        return reading_reject(&mango->batch, REJECT_SHORT_ROW, line->number, line->text, line->length, error);
    }
    if (mango->waiting.count == 0 && !mango->decided && mango->logs > 1 && !mango->part_name)
        mango->part_name = reading_part_name(sink, "log", line->text, line->length);
    row = parse_row(mango, line->number);
    if (mango->decided)
        return hand_over(mango, &row, error);
    array_push(&mango->waiting, row);
    return mango->waiting.count < DECIDING_ROWS || decide(mango, error);
}

/* ---- lines ---- */

/* "v1,,,": spreadsheets fill lines up to the number of columns. */
static size_t length_without_commas(const struct import_line *line)
{
    size_t length = line->length;

    while (length > 0 && line->text[length - 1] == ',')
        length--;
    return length;
}

static void take_version(struct mangohud *mango, const char *text, size_t length)
{
    if (length < 4 || length > 40 || !memchr(text, '.', length))
        return; /* "v1": the version of the layout */
    free(mango->version);
    mango->version = text_clean(text + 1, length - 1);
}

static bool is_number(const struct table_field *field)
{
    double ignored;

    return number_parse_double(field->text, field->length, &ignored) == NUMBER_OK;
}

static bool take_line(struct mangohud *mango, const struct import_line *line, struct error *error)
{
    size_t plain = length_without_commas(line);

    if (table_line_is_blank(line->text, line->length, ',') || begins_with(line, "---"))
        return true;
    if (mango->system_follows) {
        mango->system_follows = false;
        take_system(mango, line);
        return true;
    }
    if (begins_with(line, "os,cpu,gpu")) { /* MangoHud appends when the file is there: one more log */
        if (!finish_log(mango, error))
            return false;
        mango->logs++;
        mango->system_follows = true;
        set_columns(mango, 0, -1, 3, 4); /* up to 0.4 no header follows: fps,cpu,gpu,elapsed */
        return true;
    }
    if (line->text[0] == 'v' && !memchr(line->text, ',', plain)) {
        take_version(mango, line->text, plain);
        return true;
    }
    table_split(line->text, line->length, ',', &mango->row);
    if (table_find_column(&mango->row, "fps") >= 0) {
        if (mango->waiting.count > 0 || mango->decided) {
            if (!finish_log(mango, error))
                return false;
            mango->logs++;
        }
        return take_header(mango, line, error);
    }
    if (!is_number(&mango->row.items[0]) && mango->row.count < 3) {
        mango->rows_in_all++;
        return reading_reject(&mango->batch, REJECT_MALFORMED, line->number, line->text, line->length, error);
    }
    return take_row(mango, line, error);
}

static bool read_lines(struct mangohud *mango, struct error *error)
{
    struct import_line line;

    while (import_input_next_line(mango->reader->input, &line)) {
        if (!take_line(mango, &line, error))
            return false;
    }
    if (!import_input_end(mango->reader->input, error) || !finish_log(mango, error))
        return false;
    if (mango->rows_in_all == 0)
        return error_set(error, ERROR_INPUT,
                         "line 1: the log has its first lines but no rows: no frames to import.");
    if (mango->logs > 1)
        reading_note(mango->reader->sink,
                     "%" PRId64 " logs stand one after the other in this file: each is a run of its own.",
                     mango->logs);
    return true;
}

static bool mangohud_read(const struct import_reader *reader, struct error *error)
{
    struct mangohud mango = {.reader = reader};
    bool fine;

    set_columns(&mango, 0, -1, 3, 4);
    frame_batch_init(&mango.batch, reader->sink);
    fine = read_lines(&mango, error);
    frame_batch_free(&mango.batch);
    array_free(&mango.waiting);
    table_row_free(&mango.row);
    free(mango.version);
    return fine;
}

static bool is_summary(const struct table_row *header)
{
    return table_find_column(header, "Average FPS") >= 0 &&
           (table_find_column(header, "1% Min FPS") >= 0 ||
            table_find_column(header, "97% Percentile FPS") >= 0);
}

static int mangohud_detect(const struct import_sample *sample, const struct import_options *options,
                           struct error *refusal)
{
    struct table_row header = {0};
    int score = 0;

    (void)options;
    if (strncmp(sample->text, "os,cpu,gpu", 10) == 0 ||
        (strncmp(sample->text, "v1", 2) == 0 && (sample->text[2] == '\n' || sample->text[2] == ',') && strstr(sample->text, "os,cpu,gpu")))
        return 93;
    if (table_sample_header(sample, NULL, &header)) {
        if (is_summary(&header)) {
            error_set(refusal, ERROR_FOREIGN, /* the log lies beside it */
                      "line 1: a summary of MangoHud: averages of a whole log, no frames. Import the log "
                      "beside it, the file "
                      "without \"_summary\" in its name.");
            score = DETECT_REFUSED;
        } else if (table_find_column(&header, "fps") >= 0 && table_find_column(&header, "elapsed") >= 0 &&
                   (table_find_column(&header, "frametime") >= 0 ||
                    table_find_column(&header, "cpu_load") >= 0)) {
            score = 88; /* its first two lines were cut off */
        }
    }
    table_row_free(&header);
    return score;
}

const struct import_format import_format_mangohud = {
    .name = "mangohud",
    .title = "MangoHud log",
    .recognised_by = "a first line \"os,cpu,gpu,…\" or \"v1\", or a header with fps, frametime, elapsed",
    .detect = mangohud_detect,
    .read = mangohud_read,
    .lines = true,
};
