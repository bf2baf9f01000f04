#include "reading.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/import/format.h"
#include "stutterscope/import/streams.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A table of two captures side by side has "Left …" and "Right …" columns: two streams. */
enum side { SIDE_ONLY, SIDE_LEFT, SIDE_RIGHT, SIDE_COUNT };
static const struct {
    const char *key, *frame_time, *start, *index;
} sides[SIDE_COUNT] = {
    [SIDE_ONLY] = {"", "Frame Time (ms)", "Time from first frame (ms)", "Frame Index"},
    [SIDE_LEFT] = {"left", "Left Frame Time (ms)", "Left time from first frame (ms)", "Left Frame Index"},
    [SIDE_RIGHT] = {"right", "Right Frame Time (ms)", "Right time from first frame (ms)",
                    "Right Frame Index"},
};

struct unity_profile {
    const struct import_reader *reader;
    struct table_row row;
    struct frame_batch batch;
    char separator;
    size_t columns;
    enum side side;
    int frame_time, start; /* columns; -1 */
    int64_t rows;
};

static bool has_side(const struct table_row *header, enum side side)
{
    return table_find_column(header, sides[side].frame_time) >= 0;
}

static bool choose_side(struct unity_profile *profile, struct error *error)
{
    struct stream_table streams;
    size_t chosen;
    bool fine;

    profile->side = SIDE_ONLY;
    if (!has_side(&profile->row, SIDE_LEFT) || !has_side(&profile->row, SIDE_RIGHT))
        return true;
    stream_table_init(&streams);
    stream_table_count(&streams, "left", 4, 0);
    stream_table_count(&streams, "right", 5, 0);
    fine = stream_table_choose(&streams, profile->reader->options->stream, NULL, &chosen, error);
    if (fine) {
        struct import_stream both[] = {{"left", 0}, {"right", 0}};
        const struct import_sink *sink = profile->reader->sink;

        profile->side = chosen == 0 ? SIDE_LEFT : SIDE_RIGHT;
        sink->streams(sink->user, both, 2, both[chosen].key);
        reading_note(sink,
                     "Two captures stand side by side: the %s one was taken, --stream %s takes the other.",
                     both[chosen].key, both[!chosen].key);
    }
    stream_table_free(&streams);
    return fine;
}

static bool take_header(struct unity_profile *profile, int64_t line, struct error *error)
{
    const struct import_sink *sink = profile->reader->sink;

    if (!choose_side(profile, error))
        return false;
    profile->columns = profile->row.count;
    profile->frame_time = table_find_column(&profile->row, sides[profile->side].frame_time);
    profile->start = table_find_column(&profile->row, sides[profile->side].start);
    if (profile->frame_time < 0)
        return error_set(error, ERROR_INPUT,
                         "line %" PRId64 ": no column \"%s\": expected the frame times that Profile "
                         "Analyzer exports.",
                         line, sides[profile->side].frame_time);
    sink->facts(sink->user, &(struct import_source_facts){
                                .version = profile->separator == ';' ? "1.2 or later" : "1.1 or older",
                                .interval = "present",
                                .tests_holes = profile->start >= 0,
                                .has_clock = profile->start >= 0});
    return true;
}

static bool find_header(struct unity_profile *profile, struct error *error)
{
    struct import_line line;

    while (import_input_next_line(profile->reader->input, &line)) {
        if (table_line_is_blank(line.text, line.length, 0) || table_sep_line(line.text, line.length))
            continue;
        profile->separator = table_find_separator(line.text, line.length);
        if (!profile->separator)
            profile->separator = ',';
        table_split(line.text, line.length, profile->separator, &profile->row);
        return take_header(profile, line.number, error);
    }
    return import_input_end(profile->reader->input, error) &&
           error_set(error, ERROR_INPUT,
                     "there is no header row: expected Frame Offset, Frame Index, Frame Time (ms).");
}

static bool take_row(struct unity_profile *profile, const struct import_line *line, struct error *error)
{
    const struct table_field *field;
    int64_t values[COLUMN_COUNT], time, start = VALUE_UNKNOWN;
    enum number_fault fault;
    size_t needed = (size_t)(profile->start > profile->frame_time ? profile->start : profile->frame_time) + 1;
    bool comma = profile->separator == ';';

    profile->rows++;
    if (line->cut && profile->row.count <= needed) {
        reading_note(profile->reader->sink,
                     "The last line is cut: it was left out, complete frames were taken.");
        return reading_reject(&profile->batch, REJECT_SHORT_ROW, line->number, line->text, line->length,
                              error);
    }
    if (profile->row.count < needed) /* of two captures the shorter one ends first */
        return reading_reject(&profile->batch, REJECT_SHORT_ROW, line->number, line->text, line->length,
                              error);
    field = &profile->row.items[profile->frame_time];
    fault = number_parse_scaled(field->text, field->length, NS_PER_MS, comma, &time);
    if (fault != NUMBER_OK)
        return reading_reject(&profile->batch, reject_reason_of(fault), line->number, field->text,
                              field->length, error);
    if (profile->start >= 0) {
        field = &profile->row.items[profile->start];
        if (number_parse_scaled(field->text, field->length, NS_PER_MS, comma, &start) != NUMBER_OK)
            return reading_reject(&profile->batch, REJECT_BAD_STAMP, line->number, field->text, field->length,
                                  error);
    }
    reading_clear_values(values);
    values[COLUMN_FRAME_TIME] = time;
    if (start != VALUE_UNKNOWN && __builtin_add_overflow(start, time, &values[COLUMN_STAMP]))
        return reading_reject(&profile->batch, REJECT_BAD_STAMP, line->number, NULL, 0, error);
    return frame_batch_add(&profile->batch, values, line->number, error);
}

static bool read_rows(struct unity_profile *profile, struct error *error)
{
    struct import_line line;

    while (import_input_next_line(profile->reader->input, &line)) {
        if (table_line_is_blank(line.text, line.length, profile->separator))
            continue;
        table_split(line.text, line.length, profile->separator, &profile->row);
        if (!take_row(profile, &line, error))
            return false;
    }
    if (!import_input_end(profile->reader->input, error))
        return false;
    if (profile->rows == 0)
        return error_set(error, ERROR_INPUT, "line 1: there is a header but no rows: no frames to import.");
    return frame_batch_flush(&profile->batch, error);
}

static bool profile_read(const struct import_reader *reader, struct error *error)
{
    struct unity_profile profile = {.reader = reader};
    bool fine;

    frame_batch_init(&profile.batch, reader->sink);
    fine = find_header(&profile, error) && read_rows(&profile, error);
    frame_batch_free(&profile.batch);
    table_row_free(&profile.row);
    return fine;
}

/* "Name;Median Time;…": one row per marker; a comparison has "Left Median". */
static bool is_marker_table(const struct table_row *header)
{
    bool median = false;

    for (size_t i = 0; i < header->count; i++)
        median = median || table_field_equals(&header->items[i], "Median Time") ||
                 table_field_equals(&header->items[i], "Left Median") ||
                 table_field_equals(&header->items[i], "Left Median Time");
    return median && (table_field_equals(&header->items[0], "Name") ||
                      table_field_equals(&header->items[0], "Marker Name"));
}

/* A .NET writer: a small version number as four bytes, then binary data. */
static bool is_pdata(const struct import_sample *sample)
{
    if (sample->size < 8 || sample->bytes[0] < 1 || sample->bytes[0] > 9 ||
        memcmp(sample->bytes + 1, "\0\0", 3) != 0)
        return false;
    return reading_path_ends(sample->path, ".pdata") ||
           memchr(sample->bytes + 4, 0, sample->size - 4) != NULL;
}

static int profile_detect(const struct import_sample *sample, const struct import_options *options,
                          struct error *refusal)
{
    struct table_row header = {0};
    int score = 0;

    (void)options;
    if (is_pdata(sample)) {
        error_set(refusal, ERROR_INPUT,
                  "binary data of Unity's Profile Analyzer (.pdata, version %d), which is not read. Open it "
                  "in Profile "
                  "Analyzer, choose Export, then \"Frame time\", and import that CSV.",
                  sample->bytes[0]);
        return DETECT_REFUSED;
    }
    if (table_sample_header(sample, NULL, &header)) {
        if (is_marker_table(&header)) {
            error_set(refusal, ERROR_INPUT,
                      "line 1: a marker table of Unity's Profile Analyzer: one row per marker, no frames. "
                      "Choose Export, then "
                      "\"Frame time\" in Profile Analyzer, and import that CSV.");
            score = DETECT_REFUSED;
        } else if (table_find_column(&header, "Frame Offset") >= 0 &&
                   (has_side(&header, SIDE_ONLY) || has_side(&header, SIDE_LEFT))) {
            score = 94;
        } else if (has_side(&header, SIDE_ONLY) && table_find_column(&header, "Frame Index") >= 0) {
            score = 80;
        }
    }
    table_row_free(&header);
    return score;
}

const struct import_format import_format_unity_profile = {
    .name = "unity-profile",
    .title = "Frame times of Unity's Profile Analyzer",
    .recognised_by = "a header with Frame Offset, Frame Index, Frame Time (ms); separators , and ;",
    .detect = profile_detect,
    .read = profile_read,
    .lines = true,
};
