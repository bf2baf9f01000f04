#include "flat_json.h"
#include "presentmon.h"
#include "reading.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_DOCUMENT (512u << 20)

/* The arrays of a run that are used; all are parallel to the first. */
enum series {
    SERIES_FRAME_TIME,
    SERIES_TIME,
    SERIES_IN_PRESENT,
    SERIES_DISPLAY_CHANGE,
    SERIES_UNTIL_DISPLAYED,
    SERIES_DROPPED,
    SERIES_GPU,
    SERIES_CPU,
    SERIES_COUNT
};
static const struct {
    const char *name;
    int64_t scale;
} series_info[SERIES_COUNT] = {
    [SERIES_FRAME_TIME] = {"MsBetweenPresents", NS_PER_MS},
    [SERIES_TIME] = {"TimeInSeconds", NS_PER_S},
    [SERIES_IN_PRESENT] = {"MsInPresentAPI", NS_PER_MS},
    [SERIES_DISPLAY_CHANGE] = {"MsBetweenDisplayChange", NS_PER_MS},
    [SERIES_UNTIL_DISPLAYED] = {"MsUntilDisplayed", NS_PER_MS},
    [SERIES_DROPPED] = {"Dropped", 1},
    [SERIES_GPU] = {"GpuActive", NS_PER_MS},
    [SERIES_CPU] = {"CpuActive", NS_PER_MS},
};

struct cursor {
    const char *at, *end; /* NULL: the array is null or not there */
};

struct capframex {
    const struct import_reader *reader;
    struct import_context context;
    char *version;
    struct pm_columns columns;
    struct {
        struct pm_row *items;
        size_t count, capacity;
    } rows;
    struct dictionary *names; /* of the runs so far */
    int64_t runs, runs_without_frames, row_number, rejected;
    bool cut;
};

static uint32_t text_of(const struct capframex *cfx, const struct flat_value *object, const char *name)
{
    struct flat_value value;
    struct text_buffer plain = {0};
    uint32_t id = 0;

    if (!flat_find(object, name, &value) || value.kind != FLAT_TEXT)
        return 0;
    flat_unescape(&value, &plain);
    if (plain.count > 0)
        id = reading_text(cfx->reader->sink, plain.items, plain.count);
    free(text_take(&plain));
    return id;
}

/* ---- one run ---- */

static size_t count_values(struct cursor cursor)
{
    struct flat_value value;
    size_t count = 0;

    while (cursor.at) {
        cursor.at = flat_skip_blanks(cursor.at, cursor.end);
        if (cursor.at < cursor.end && *cursor.at == ',')
            cursor.at = flat_skip_blanks(cursor.at + 1, cursor.end);
        if (cursor.at >= cursor.end || *cursor.at == ']')
            break;
        cursor.at = flat_read_value(cursor.at, cursor.end, &value);
        count += cursor.at != NULL;
    }
    return count;
}

static bool next_value(struct cursor *cursor, struct flat_value *ret)
{
    const char *at = cursor->at;

    if (!at)
        return false;
    at = flat_skip_blanks(at, cursor->end);
    if (at < cursor->end && *at == ',')
        at = flat_skip_blanks(at + 1, cursor->end);
    cursor->at = at < cursor->end && *at != ']' ? flat_read_value(at, cursor->end, ret) : NULL;
    return cursor->at != NULL;
}

static int64_t number_of(const struct flat_value *value, int64_t scale)
{
    int64_t number = VALUE_UNKNOWN;

    if (value->kind == FLAT_WORD || value->kind == FLAT_TEXT)
        number_parse_scaled(value->text, value->length, scale, false, &number);
    return number;
}

static bool is_true(const struct flat_value *value)
{
    return flat_is(value, "true") || flat_is(value, "True") || flat_is(value, "1");
}

static void reject(struct capframex *cfx, enum reject_reason reason, const struct flat_value *value)
{
    const struct import_sink *sink = cfx->reader->sink;

    cfx->rejected++;
    sink->reject(sink->user, reason, cfx->row_number, value ? value->text : NULL, value ? value->length : 0);
}

/* The fault of a frame time; REJECT_COUNT when it is fine. */
static enum reject_reason time_fault(const struct flat_value *value, int64_t *ret)
{
    enum number_fault fault = NUMBER_NOT_A_NUMBER;

    *ret = VALUE_UNKNOWN;
    if (value->kind <= FLAT_WORD)
        fault = number_parse_scaled(value->text, value->length, NS_PER_MS, false, ret);
    if (fault != NUMBER_OK)
        return reject_reason_of(fault);
    return *ret >= 1000 ? REJECT_COUNT : *ret < 0 ? REJECT_NEGATIVE : REJECT_ZERO;
}

static void take_frame(struct capframex *cfx, struct cursor cursors[SERIES_COUNT])
{
    struct pm_row row = {.displayed_time = VALUE_UNKNOWN, .display_latency = VALUE_UNKNOWN};
    int64_t *places[SERIES_COUNT] = {[SERIES_TIME] = &row.time,
                                     [SERIES_IN_PRESENT] = &row.in_present,
                                     [SERIES_DISPLAY_CHANGE] = &row.display_change,
                                     [SERIES_UNTIL_DISPLAYED] = &row.until_displayed,
                                     [SERIES_GPU] = &row.gpu,
                                     [SERIES_CPU] = &row.cpu_busy};
    struct flat_value time, value;
    bool has_clock = cursors[SERIES_TIME].end != NULL;
    enum reject_reason fault;

    next_value(&cursors[SERIES_FRAME_TIME], &time);
    for (int i = 1; i < SERIES_COUNT; i++) {
        bool there = next_value(&cursors[i], &value);

        if (places[i])
            *places[i] = there ? number_of(&value, series_info[i].scale) : VALUE_UNKNOWN;
        else if (there && !flat_is(&value, "null"))
            row.display_known = true;
        if (i == SERIES_DROPPED && there)
            row.dropped = is_true(&value);
    }
    if (!row.display_known && cursors[SERIES_UNTIL_DISPLAYED].end) {
        row.dropped = row.until_displayed == VALUE_UNKNOWN || row.until_displayed == 0;
        row.display_known = true;
    }
    row.line = ++cfx->row_number;
    fault = time_fault(&time, &row.frame_time);
    if (fault == REJECT_COUNT && has_clock && row.time == VALUE_UNKNOWN)
        fault = REJECT_BAD_STAMP;
    if (fault != REJECT_COUNT)
        reject(cfx, fault, &time);
    else
        array_push(&cfx->rows, row);
}

static void open_series(const struct flat_value *data, struct cursor cursors[SERIES_COUNT])
{
    struct flat_value value;

    for (int i = 0; i < SERIES_COUNT; i++) {
        cursors[i] = (struct cursor){0};
        if (flat_find(data, series_info[i].name, &value) && value.kind == FLAT_ARRAY)
            cursors[i] = (struct cursor){value.text + 1, value.text + value.length};
    }
}

static void check_lengths(struct capframex *cfx, const struct cursor cursors[SERIES_COUNT], size_t frames)
{
    for (int i = 1; i < SERIES_COUNT; i++) {
        size_t count;

        if (!cursors[i].at)
            continue;
        count = count_values(cursors[i]);
        if (count != frames)
            reading_note(cfx->reader->sink, "Run %" PRId64 ": %s has %zu values for %zu frames.", cfx->runs,
                         series_info[i].name, count, frames);
    }
}

static bool hand_over(struct capframex *cfx, struct error *error)
{
    struct pm_frames frames;
    bool fine = true;

    pm_frames_begin(&frames, cfx->reader, &cfx->columns, &cfx->context, cfx->rows.items, cfx->rows.count);
    for (size_t i = 0; i < cfx->rows.count && fine; i++)
        fine = pm_frames_take(&frames, &cfx->rows.items[i], error);
    fine = fine && frame_batch_flush(&frames.batch, error);
    frame_batch_free(&frames.batch);
    return fine;
}

/* Runs have their own time zero and must stay apart: each needs a name when there are several. */
static void name_run(struct capframex *cfx, const struct flat_value *run, bool several)
{
    struct dictionary *texts = cfx->reader->sink->texts;
    struct flat_value data;
    uint32_t hash = text_of(cfx, run, "Hash");
    const char *text = dictionary_text(texts, hash);

    if (hash && dictionary_find(cfx->names, text, strlen(text)) != 0)
        hash = 0; /* the same hash twice in one file */
    if (!hash && (several || cfx->runs > 1) && flat_find(run, "CaptureData", &data))
        hash = reading_part_name(cfx->reader->sink, "run", data.text, data.length);
    text = dictionary_text(texts, hash);
    if (hash)
        dictionary_add(cfx->names, text, strlen(text));
    cfx->context.field[CONTEXT_RUN] = hash;
}

static bool take_data(struct capframex *cfx, const struct flat_value *data, struct error *error)
{
    struct cursor cursors[SERIES_COUNT];
    size_t frames;

    open_series(data, cursors);
    frames = count_values(cursors[SERIES_FRAME_TIME]);
    if (frames == 0) {
        cfx->runs_without_frames++;
        reading_note(cfx->reader->sink,
                     "Run %" PRId64 " has no frame times (MsBetweenPresents is empty): nothing was taken "
                     "of it.",
                     cfx->runs);
        return true;
    }
    check_lengths(cfx, cursors, frames);
    memset(&cfx->columns, 0, sizeof cfx->columns);
    for (int i = 0; i < PM_FIELD_COUNT; i++)
        cfx->columns.at[i] = -1;
    cfx->columns.version = cfx->version;
    cfx->columns.clock = cursors[SERIES_TIME].at ? PM_CLOCK_NS : PM_CLOCK_NONE;
    cfx->columns.time_scale = NS_PER_S;
    if (cursors[SERIES_CPU].at)
        cfx->columns.at[PM_CPU_BUSY] = 0;
    cfx->rows.count = 0;
    for (size_t i = 0; i < frames; i++)
        take_frame(cfx, cursors);
    return hand_over(cfx, error);
}

/* A run of a file that breaks off is taken when its frames are complete. */
static bool take_run(struct capframex *cfx, const char *at, const char *end, const char **ret_after,
                     struct error *error)
{
    struct flat_value run, data;
    const char *place = flat_find_open(at, end, "CaptureData");

    cfx->runs++;
    *ret_after = flat_read_value(at, end, &run);
    if (!*ret_after)
        cfx->cut = true;
    if (!place || !flat_read_value(place, end, &data) || data.kind != FLAT_OBJECT) {
        if (*ret_after)
            reading_note(cfx->reader->sink, "Run %" PRId64 " has no CaptureData: nothing was taken of it.",
                         cfx->runs);
        return true;
    }
    if (!*ret_after) /* what is there of it, up to the end of its data */
        run = (struct flat_value){FLAT_OBJECT, at, (size_t)(data.text + data.length - at), false};
    name_run(cfx, &run, *ret_after && *flat_skip_blanks(*ret_after, end) == ',');
    return take_data(cfx, &data, error);
}

/* ---- the document ---- */

static void take_info(struct capframex *cfx, const struct flat_value *info)
{
    struct import_context *context = &cfx->context;
    struct dictionary *texts = cfx->reader->sink->texts;
    uint32_t version = text_of(cfx, info, "AppVersion");

    reading_name_pc(cfx->reader->sink, context, text_of(cfx, info, "Processor"), text_of(cfx, info, "GPU"));
    context->field[CONTEXT_OS] = text_of(cfx, info, "OS");
    context->field[CONTEXT_SCENE] = text_of(cfx, info, "Comment");
    context->field[CONTEXT_STARTED_AT] = text_of(cfx, info, "CreationDate");
    free(cfx->version);
    cfx->version = memory_copy_text(version ? dictionary_text(texts, version) : "");
}

static bool take_runs(struct capframex *cfx, const char *at, const char *end, struct error *error)
{
    at = flat_skip_blanks(at + 1, end);
    while (at && at < end && *at == '{') {
        if (!take_run(cfx, at, end, &at, error))
            return false;
        at = at ? flat_skip_blanks(at, end) : NULL;
        if (at && at < end && *at == ',')
            at = flat_skip_blanks(at + 1, end);
    }
    if (!at || at >= end || *at != ']')
        cfx->cut = true;
    return true;
}

static bool take_document(struct capframex *cfx, const char *text, size_t length, struct error *error)
{
    const char *end = text + length, *at = flat_skip_blanks(text, end), *place;
    const struct import_sink *sink = cfx->reader->sink;
    struct flat_value whole, info;

    place = flat_find_open(at, end, "Info");
    if (place && flat_read_value(place, end, &info) && info.kind == FLAT_OBJECT)
        take_info(cfx, &info);
    place = flat_find_open(at, end, "Runs");
    if (!place || *place != '[')
        return error_set(error, ERROR_INPUT,
                         "line 1: the document holds no array \"Runs\", or breaks off before it.");
    if (!take_runs(cfx, place, end, error))
        return false;
    cfx->cut = cfx->cut || !flat_read_value(at, end, &whole);
    if (cfx->cut)
        reading_note(sink,
                     "The document breaks off in run %" PRId64 ": runs with all their frames were taken.",
                     cfx->runs);
    if (cfx->row_number == 0)
        return error_set(error, ERROR_INPUT, "no frames: %s",
                         cfx->cut ? "the document breaks off before the first run is complete."
                                  : "no run of the recording has frame times.");
    if (cfx->runs > 1)
        reading_note(sink, "%" PRId64 " runs stand in this file: each keeps its own time zero.", cfx->runs);
    return true;
}

static bool capframex_read(const struct import_reader *reader, struct error *error)
{
    struct capframex cfx = {.reader = reader};
    char *text;
    size_t length;
    bool fine;

    if (!import_input_read_all(reader->input, LARGEST_DOCUMENT,
                               "Recordings of that size are not read: record shorter runs.", &text, &length,
                               error))
        return false;
    cfx.version = memory_copy_text("");
    cfx.names = dictionary_create();
    fine = take_document(&cfx, text, length, error);
    dictionary_destroy(cfx.names);
    array_free(&cfx.rows);
    free(cfx.version);
    free(text);
    return fine;
}

static int capframex_detect(const struct import_sample *sample, const struct import_options *options,
                            struct error *refusal)
{
    const char *at = flat_skip_blanks(sample->text, sample->text + sample->length);

    (void)options;
    (void)refusal;
    if (*at != '{' || !strstr(at, "\"Runs\""))
        return 0;
    return strstr(at, "\"CaptureData\"") ? 95 : strstr(at, "\"Info\"") && strstr(at, "\"Hash\"") ? 60 : 0;
}

const struct import_format import_format_capframex = {
    .name = "capframex",
    .title = "CapFrameX recording (JSON)",
    .recognised_by = "a JSON object with Runs and CaptureData",
    .detect = capframex_detect,
    .read = capframex_read,
};
