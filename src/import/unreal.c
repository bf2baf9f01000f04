#include "unreal.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/columns.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_LATE_BYTES (256u << 20) /* text of columns that get their name only at the end */

enum wanted {
    WANTED_FRAME_TIME,
    WANTED_GAME,
    WANTED_RENDER,
    WANTED_RHI,
    WANTED_GPU,
    WANTED_LIMIT, /* MaxFrameTime: the budget */
    WANTED_EVENTS,
    WANTED_COUNT
};
#define WANTED_NUMBERS WANTED_EVENTS
static const char *const wanted_names[WANTED_COUNT] = {
    "FrameTime", "GameThreadTime", "RenderThreadTime", "RHIThreadTime", "GPUTime", "MaxFrameTime", "EVENTS",
};

/* Columns appear while the game runs; a row is left-aligned with the last header, which is complete. */
struct unreal_row {
    int64_t line, number[WANTED_NUMBERS];
    enum reject_reason fault; /* of the frame time; REJECT_COUNT: none */
    uint32_t event;
    uint32_t late_length; /* what stands beyond the columns of the first header, at late_at */
    size_t late_at;
};

struct unreal {
    const struct import_reader *reader;
    struct table_row row;
    struct frame_batch batch;
    struct unreal_metadata metadata;
    bool has_metadata, told_facts;
    int at[WANTED_COUNT]; /* in the first header; -1 */
    size_t header_fields; /* of the first header; 0: there was none */
    char **names;         /* of the first header */
    struct table_row last_header;
    char *last_header_text; /* NULL: the capture has no header at its end */
    size_t usual_fields;    /* of the row before */
    struct {
        struct unreal_row *items;
        size_t count, capacity;
    } rows;
    struct text_buffer late;
    uint32_t part_name; /* of this capture, from its first row */
    int64_t captures, rows_in_all, events, frames_with_events;
    bool late_lost;
};

static bool is_header(const struct table_row *row)
{
    return table_find_column(row, "FrameTime") >= 0 &&
           (table_find_column(row, "GameThreadTime") >= 0 || table_find_column(row, "EVENTS") >= 0 ||
            row->count > 20);
}

static void find_wanted(const struct table_row *header, int at[WANTED_COUNT])
{
    for (int i = 0; i < WANTED_COUNT; i++)
        at[i] = table_find_column(header, wanted_names[i]);
}

/* ---- headers ---- */

static void forget_names(struct unreal *unreal)
{
    for (size_t i = 0; i < unreal->header_fields; i++)
        free(unreal->names[i]);
    free(unreal->names);
    unreal->names = NULL;
    unreal->header_fields = 0;
}

static void take_first_header(struct unreal *unreal)
{
    forget_names(unreal);
    find_wanted(&unreal->row, unreal->at);
    unreal->header_fields = unreal->row.count;
    unreal->names = memory_take_zeroed(unreal->row.count, sizeof *unreal->names);
    for (size_t i = 0; i < unreal->row.count; i++)
        unreal->names[i] = memory_copy_bytes(unreal->row.items[i].text, unreal->row.items[i].length);
    unreal->usual_fields = 0;
}

/* The header at the end, unless the file ends inside it: then the complete names. */
static void take_last_header(struct unreal *unreal, const struct import_line *line)
{
    size_t length = line->length;

    if (line->cut) {
        reading_note(unreal->reader->sink,
                     "The file ends inside the header row at its end: its last name was left out.");
        length = (size_t)(unreal->row.items[unreal->row.count - 1].begin - line->text);
        length -= length > 0;
    }
    free(unreal->last_header_text);
    unreal->last_header_text = memory_copy_bytes(line->text, length);
    table_split(unreal->last_header_text, length, ',', &unreal->last_header);
}

static bool continues_first_header(const struct unreal *unreal)
{
    for (size_t i = 0; i < unreal->header_fields; i++) {
        if (i >= unreal->last_header.count ||
            !table_field_equals(&unreal->last_header.items[i], unreal->names[i]))
            return false;
    }
    return true;
}

/* ---- rows ---- */

static void read_wanted(struct unreal *unreal, const struct table_row *fields, const int at[WANTED_COUNT],
                        struct unreal_row *row)
{
    const struct table_field *field;
    int64_t events;

    for (int i = 0; i < WANTED_NUMBERS; i++) {
        if (at[i] >= 0 && (size_t)at[i] < fields->count)
            row->number[i] = reading_field(fields, at[i], NS_PER_MS);
    }
    if (at[WANTED_FRAME_TIME] >= 0 && (size_t)at[WANTED_FRAME_TIME] < fields->count) {
        field = &fields->items[at[WANTED_FRAME_TIME]];
        row->fault = row->number[WANTED_FRAME_TIME] != VALUE_UNKNOWN
                         ? REJECT_COUNT
                         : reject_reason_of(number_parse_scaled(field->text, field->length, NS_PER_MS, false,
                                                                &(int64_t){0}));
    }
    if (at[WANTED_EVENTS] >= 0 && (size_t)at[WANTED_EVENTS] < fields->count) {
        field = &fields->items[at[WANTED_EVENTS]];
        row->event = unreal_read_events(unreal->reader->sink, field->text, field->length, &events);
        unreal->events += events;
        unreal->frames_with_events += events > 0;
    }
}

/* Columns of which the first header does not tell whether they are wanted. */
static void keep_late(struct unreal *unreal, const struct import_line *line, struct unreal_row *row)
{
    const char *begin;

    if (unreal->row.count <= unreal->header_fields)
        return;
    begin = unreal->row.items[unreal->header_fields].begin;
    row->late_length = (uint32_t)((size_t)(line->text + line->length - begin));
    if (unreal->late.count + row->late_length > MOST_LATE_BYTES) {
        unreal->late_lost = true;
        row->late_length = 0;
        return;
    }
    row->late_at = unreal->late.count;
    text_add_bytes(&unreal->late, begin, row->late_length);
}

/* The last line has no end: is everything that is wanted complete? */
static bool is_half(const struct unreal *unreal)
{
    size_t count = unreal->row.count;

    if (count < unreal->usual_fields || unreal->header_fields == 0)
        return true;
    for (int i = 0; i < WANTED_COUNT; i++) {
        if (unreal->at[i] >= (int)count - 1)
            return true;
    }
    return false;
}

static void take_row(struct unreal *unreal, const struct import_line *line)
{
    const struct import_sink *sink = unreal->reader->sink;
    struct unreal_row row = {.line = line->number, .fault = REJECT_SHORT_ROW};
    bool late = false;

    unreal->rows_in_all++;
    if (line->cut && is_half(unreal)) {
        reading_note(sink, "The last line is cut: it was left out, complete frames were taken.");
        sink->reject(sink->user, REJECT_SHORT_ROW, line->number, line->text, line->length);
        return;
    }
    if (unreal->rows.count == 0 && unreal->captures > 0)
        unreal->part_name = reading_part_name(sink, "capture", line->text, line->length);
    unreal->usual_fields = unreal->row.count;
    for (int i = 0; i < WANTED_NUMBERS; i++)
        row.number[i] = VALUE_UNKNOWN;
    if (unreal->header_fields > 0)
        read_wanted(unreal, &unreal->row, unreal->at, &row);
    for (int i = 0; i < WANTED_COUNT; i++)
        late = late || unreal->header_fields == 0 || unreal->at[i] < 0;
    if (late)
        keep_late(unreal, line, &row);
    array_push(&unreal->rows, row);
}

/* ---- a whole capture ---- */

static int64_t known_most(int64_t a, int64_t b)
{
    return a > b ? a : b; /* unknown is the least of all integers */
}

static bool hand_over(struct unreal *unreal, const struct unreal_row *row, struct error *error)
{
    int64_t values[COLUMN_COUNT], cpu;

    if (row->fault != REJECT_COUNT)
        return reading_reject(&unreal->batch, row->fault, row->line, NULL, 0, error);
    reading_clear_values(values);
    values[COLUMN_FRAME_TIME] = row->number[WANTED_FRAME_TIME];
    cpu =
        known_most(known_most(row->number[WANTED_GAME], row->number[WANTED_RENDER]), row->number[WANTED_RHI]);
    values[COLUMN_CPU] = cpu > 0 ? cpu : VALUE_UNKNOWN;
    if (row->number[WANTED_GPU] > 0) /* 0: the driver does not tell */
        values[COLUMN_GPU] = row->number[WANTED_GPU];
    values[COLUMN_EVENT] = row->event ? (int64_t)row->event : VALUE_UNKNOWN;
    return frame_batch_add(&unreal->batch, values, row->line, error);
}

/* Reads what only the header at the end names. */
static void read_late_columns(struct unreal *unreal)
{
    int at[WANTED_COUNT];
    bool any = false;

    find_wanted(&unreal->last_header, at);
    for (int i = 0; i < WANTED_COUNT; i++) {
        at[i] -= at[i] >= 0 ? (int)unreal->header_fields : 0;
        any = any || at[i] >= 0;
    }
    for (size_t i = 0; i < unreal->rows.count && any; i++) {
        struct unreal_row *row = &unreal->rows.items[i];

        if (row->late_length == 0)
            continue;
        table_split(unreal->late.items + row->late_at, row->late_length, ',', &unreal->row);
        read_wanted(unreal, &unreal->row, at, row);
    }
    if (unreal->late_lost)
        reading_note(unreal->reader->sink,
                     "Columns that are named only at the end of the file were left out in late rows.");
}

static void use_last_header(struct unreal *unreal)
{
    const struct import_sink *sink = unreal->reader->sink;

    if (!unreal->last_header_text)
        return;
    if (continues_first_header(unreal))
        read_late_columns(unreal);
    else
        reading_note(sink, "The header at the end of the file does not begin with the columns of the first "
                           "one: the first one was used.");
    reading_note_duplicates(sink, &unreal->last_header);
}

/* MaxFrameTime where no target frame rate is told. */
static void find_target(struct unreal *unreal)
{
    char text[40];
    int64_t limit;

    if (unreal->metadata.context.field[CONTEXT_TARGET_FPS])
        return;
    limit = unreal->rows.items[unreal->rows.count - 1].number[WANTED_LIMIT];
    if (limit < NS_PER_MS || limit > NS_PER_S)
        return;
    number_print_double(text, sizeof text, (double)NS_PER_S / (double)limit, 2);
    unreal->metadata.context.field[CONTEXT_TARGET_FPS] =
        reading_text(unreal->reader->sink, text, strlen(text));
    reading_note(unreal->reader->sink,
                 "The target of %s FPS is the column MaxFrameTime: no [targetframerate] is told.", text);
}

static void tell_facts(struct unreal *unreal)
{
    const struct import_sink *sink = unreal->reader->sink;

    if (unreal->told_facts)
        return;
    unreal->told_facts = true;
    sink->facts(sink->user, &(struct import_source_facts){
                                .version = unreal->metadata.version ? unreal->metadata.version : "",
                                .interval = "present"});
    reading_note(sink, "The profiler writes no time stamps: they are the running sum of the frame times.");
}

static void tell_end(struct unreal *unreal)
{
    const struct import_sink *sink = unreal->reader->sink;

    if (!unreal->has_metadata)
        reading_note(
            sink,
            "The capture did not finish: it has no metadata at its end, so build, device and target frame "
            "rate are not told by the file.");
    else if (unreal->metadata.cut)
        reading_note(sink, "The file ends inside the metadata: the last entry was left out.");
    if (unreal->events > unreal->frames_with_events)
        reading_note(
            sink, "%" PRId64 " events in %" PRId64 " frame%s: several in one frame stay together as one name.",
            unreal->events, unreal->frames_with_events, unreal->frames_with_events == 1 ? "" : "s");
}

static void begin_capture(struct unreal *unreal)
{
    unreal->captures++;
    unreal->rows.count = 0;
    unreal->late.count = 0;
    free(unreal->last_header_text);
    unreal->last_header_text = NULL;
    unreal->part_name = 0;
    unreal->has_metadata = unreal->late_lost = false;
    unreal->events = unreal->frames_with_events = 0;
    unreal_metadata_free(&unreal->metadata);
}

static bool finish_capture(struct unreal *unreal, struct error *error)
{
    struct import_context *context = &unreal->metadata.context;

    if (unreal->rows.count == 0)
        return true;
    use_last_header(unreal);
    tell_facts(unreal);
    find_target(unreal);
    tell_end(unreal);
    if (!context->field[CONTEXT_RUN])
        context->field[CONTEXT_RUN] = unreal->part_name;
    if (!frame_batch_set_context(&unreal->batch, context, error))
        return false;
    for (size_t i = 0; i < unreal->rows.count; i++) {
        if (!hand_over(unreal, &unreal->rows.items[i], error))
            return false;
    }
    begin_capture(unreal);
    return frame_batch_flush(&unreal->batch, error);
}

static bool take_metadata(struct unreal *unreal, const struct import_line *line, struct error *error)
{
    if (unreal->has_metadata && !finish_capture(unreal, error))
        return false;
    unreal_metadata_read(unreal->reader->sink, line, &unreal->metadata);
    unreal->has_metadata = true;
    /* At the end of a capture, as is usual; at the start it waits for the rows. */
    return unreal->rows.count == 0 || finish_capture(unreal, error);
}

static bool take_line(struct unreal *unreal, const struct import_line *line, struct error *error)
{
    if (table_line_is_blank(line->text, line->length, 0))
        return true;
    if (unreal_is_metadata(line->text, line->length))
        return take_metadata(unreal, line, error);
    table_split(line->text, line->length, ',', &unreal->row);
    if (memmem(line->text, line->length, "rameTime", 8) && is_header(&unreal->row)) {
        if (unreal->rows.count == 0 && !line->cut)
            take_first_header(unreal);
        else if (unreal->rows.count > 0)
            take_last_header(unreal, line);
        return true;
    }
    take_row(unreal, line);
    return true;
}

static bool read_lines(struct unreal *unreal, struct error *error)
{
    struct import_line line;

    while (import_input_next_line(unreal->reader->input, &line)) {
        if (!take_line(unreal, &line, error))
            return false;
    }
    if (!import_input_end(unreal->reader->input, error) || !finish_capture(unreal, error))
        return false;
    if (unreal->rows_in_all == 0)
        return error_set(error, ERROR_INPUT,
                         "line 1: there is a header but no rows: the capture holds no frames.");
    return true;
}

static bool unreal_read(const struct import_reader *reader, struct error *error)
{
    struct unreal unreal = {.reader = reader};
    bool fine;

    for (int i = 0; i < WANTED_COUNT; i++)
        unreal.at[i] = -1;
    frame_batch_init(&unreal.batch, reader->sink);
    fine = read_lines(&unreal, error);
    frame_batch_free(&unreal.batch);
    forget_names(&unreal);
    unreal_metadata_free(&unreal.metadata);
    table_row_free(&unreal.row);
    table_row_free(&unreal.last_header);
    array_free(&unreal.rows);
    free(unreal.late.items);
    free(unreal.last_header_text);
    return fine;
}

/* The binary variant keeps the names of its columns as text. */
static bool is_binary(const struct import_sample *sample)
{
    bool binary = memchr(sample->bytes, 0, sample->size) != NULL;

    if (reading_path_ends(sample->path, ".csv.bin"))
        return true;
    return binary && memmem(sample->bytes, sample->size, "FrameTime", 9) &&
           memmem(sample->bytes, sample->size, "GameThread", 10) && !strstr(sample->text, "FrameTime,");
}

static int unreal_detect(const struct import_sample *sample, const struct import_options *options,
                         struct error *refusal)
{
    struct table_row header = {0};
    int score = 0;

    (void)options;
    if (is_binary(sample)) {
        error_set(refusal, ERROR_INPUT,
                  "a binary capture (.csv.bin) of Unreal's CSV profiler, which is not read. Convert it to "
                  ".csv with CsvConvert, "
                  "which comes with the engine, and import that.");
        return DETECT_REFUSED;
    }
    if (table_sample_header(sample, "[", &header) && is_header(&header))
        score = table_find_column(&header, "GameThreadTime") >= 0 ? 92 : 85;
    if (score == 0 && (strcasestr(sample->text, "\n[HasHeaderRowAtEnd],") ||
                       strncasecmp(sample->text, "[HasHeaderRowAtEnd],", 20) == 0))
        score = 92;
    table_row_free(&header);
    return score;
}

const struct import_format import_format_unreal = {
    .name = "unreal",
    .title = "CSV profiler of Unreal Engine",
    .recognised_by = "a header with FrameTime and GameThreadTime or EVENTS, a [HasHeaderRowAtEnd] line",
    .detect = unreal_detect,
    .read = unreal_read,
    .lines = true,
};
