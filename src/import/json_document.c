#include "json_frames.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_DOCUMENT (64u << 20)
#define MOST_COLUMNS     64

static const char layout[] =
    "Expected an array of frame objects, {\"run\": {…}, \"frames\": [{…}, …]} or {\"run\": {…}, \"columns\": "
    "{\"timestamp_ms\": […], \"frame_time_ms\": […], …}}.";

static bool malformed(const char *text, const char *at, const char *what, struct error *error)
{
    int64_t line = 1;

    for (const char *newline = text; (newline = memchr(newline, '\n', (size_t)(at - newline))); newline++)
        line++;
    return error_set(error, ERROR_INPUT, "line %" PRId64 ", byte %zu of the document: %s. %s", line,
                     (size_t)(at - text), what, layout);
}

/* An array of frame objects; at after its '['. A document that breaks off gives its complete frames. */
static bool take_array(struct json_frames *frames, const char *text, const char *at, const char *end,
                       struct error *error)
{
    for (;;) {
        struct flat_value value;
        const char *after;

        at = flat_skip_blanks(at, end);
        if (at < end && *at == ']')
            return true;
        after = at < end ? flat_read_value(at, end, &value) : NULL;
        if (!after) {
            char *note;

            if (frames->frames == 0)
                return malformed(text, at, "the document is cut, malformed or nested deeper than 100 levels",
                                 error);
            note =
                memory_print("The document breaks off in frame %" PRId64 ": the complete frames were taken.",
                             frames->rows + 1);
            frames->reader->sink->note(frames->reader->sink->user, note);
            free(note);
            return json_frames_reject(frames, REJECT_SHORT_ROW, frames->rows + 1, at, (size_t)(end - at),
                                      error);
        }
        if (value.kind == FLAT_OBJECT) {
            const char *ignored;

            if (!json_frames_take(frames, at, after, frames->rows + 1, &ignored, error))
                return false;
        } else if (!json_frames_reject(frames, REJECT_MALFORMED, frames->rows + 1, value.text, value.length,
                                       error)) {
            return false;
        }
        at = flat_skip_blanks(after, end);
        if (at < end && *at == ',')
            at++;
        else if (at < end && *at != ']')
            return malformed(text, at, "a comma or the end of the array is missing", error);
    }
}

struct column_cursor {
    size_t slot;
    struct flat_value name;
    const char *at, *end; /* in the array */
    bool constant;        /* one value for all frames */
    struct flat_value value;
};

/* The next value of a column; false at its end. */
static bool next_value(struct column_cursor *cursor)
{
    const char *at;

    if (cursor->constant)
        return true;
    at = flat_skip_blanks(cursor->at, cursor->end);
    if (at < cursor->end && *at == ',')
        at = flat_skip_blanks(at + 1, cursor->end);
    if (at >= cursor->end || *at == ']')
        return false;
    cursor->at = flat_read_value(at, cursor->end, &cursor->value);
    if (!cursor->at) {
        cursor->at = cursor->end;
        return false;
    }
    return true;
}

static size_t open_columns(struct json_frames *frames, const struct flat_value *columns,
                           struct column_cursor cursors[MOST_COLUMNS])
{
    const char *end = columns->text + columns->length, *at = flat_skip_blanks(columns->text + 1, end);
    size_t count = 0;

    while (at && at < end && *at != '}' && count < MOST_COLUMNS) {
        struct column_cursor *cursor = &cursors[count];
        struct flat_value value;

        at = flat_read_member(at, end, &cursor->name, &value);
        if (!at)
            break;
        cursor->slot = json_frames_slot(frames, &cursor->name, 0);
        cursor->constant = value.kind != FLAT_ARRAY;
        cursor->value = value;
        cursor->at = value.text + 1;
        cursor->end = value.text + value.length;
        if (frames->slots.items[cursor->slot].target.kind != COLUMN_IS_UNKNOWN && value.kind != FLAT_OBJECT)
            count++;
        if (*at == ',')
            at++;
    }
    return count;
}

/* Parallel arrays, one per column. Frame numbers stand for lines. */
static bool take_columns(struct json_frames *frames, const struct flat_value *columns, struct error *error)
{
    struct column_cursor cursors[MOST_COLUMNS];
    size_t count = open_columns(frames, columns, cursors), arrays = 0;

    for (size_t i = 0; i < count; i++)
        arrays += !cursors[i].constant;
    while (arrays > 0) {
        const struct column_cursor *ended = NULL, *going = NULL;

        json_frames_begin_row(frames);
        for (size_t i = 0; i < count; i++) {
            if (next_value(&cursors[i])) {
                going = cursors[i].constant ? going : &cursors[i];
                json_frames_put(frames, cursors[i].slot, &cursors[i].value);
            } else {
                ended = &cursors[i];
            }
        }
        if (ended && going)
            return error_set(error, ERROR_INPUT,
                             "the column \"%.*s\" has %" PRId64
                             " values, \"%.*s\" has more. Expected the same number in "
                             "all columns, null where a value is missing.",
                             (int)ended->name.length, ended->name.text, frames->rows, (int)going->name.length,
                             going->name.text);
        if (ended)
            return true;
        if (!json_frames_end_row(frames, frames->rows + 1, error))
            return false;
    }
    return true;
}

/* Plain members of an object and of the objects in it (run, meta, …) hold for all its frames. */
static void take_defaults(struct json_frames *frames, const struct flat_value *object, bool nested)
{
    const char *end = object->text + object->length, *at = flat_skip_blanks(object->text + 1, end);
    struct flat_value name, value;

    while (at && at < end && *at != '}') {
        at = flat_read_member(at, end, &name, &value);
        if (!at)
            return;
        if (value.kind == FLAT_OBJECT && !nested && !flat_is(&name, "columns"))
            take_defaults(frames, &value, true);
        else
            json_frames_default(frames, &name, &value);
        if (*at == ',')
            at++;
    }
}

/* An object that holds frames; *ret_found: it does. */
static bool take_document(struct json_frames *frames, const struct flat_value *object, bool *ret_found,
                          struct error *error)
{
    struct flat_value value;

    *ret_found = true;
    memset(&frames->defaults, 0, sizeof frames->defaults);
    if (flat_find(object, "frames", &value) && value.kind == FLAT_ARRAY) {
        take_defaults(frames, object, false);
        return take_array(frames, object->text, value.text + 1, value.text + value.length, error);
    }
    if (flat_find(object, "columns", &value) && value.kind == FLAT_OBJECT) {
        take_defaults(frames, object, false);
        return take_columns(frames, &value, error);
    }
    *ret_found = false;
    return true;
}

/* An array of documents, one per run; *ret_found: the first element is one. */
static bool take_documents(struct json_frames *frames, const char *at, const char *end, bool *ret_found,
                           struct error *error)
{
    struct flat_value value;

    *ret_found = false;
    for (;;) {
        bool found;

        at = flat_skip_blanks(at, end);
        if (at >= end || *at != '{')
            return true;
        at = flat_read_value(at, end, &value);
        if (!at)
            return true;
        if (!take_document(frames, &value, &found, error))
            return false;
        if (!found)
            return true;
        *ret_found = true;
        at = flat_skip_blanks(at, end);
        if (at >= end || *at != ',')
            return true;
        at++;
    }
}

static bool take_text(struct json_frames *frames, const char *text, size_t length, struct error *error)
{
    const char *end = text + length, *at = flat_skip_blanks(text, end);
    struct flat_value value;
    bool found = false;

    if (at < end && *at == '[') {
        if (!take_documents(frames, at + 1, end, &found, error))
            return false;
        return found || take_array(frames, text, at + 1, end, error);
    }
    if (at == end || *at != '{' || !flat_read_value(at, end, &value))
        return malformed(text, at, "the document is cut, malformed or nested deeper than 100 levels", error);
    if (!take_document(frames, &value, &found, error))
        return false;
    return found || error_set(error, ERROR_INPUT, "the JSON document holds no frames. %s", layout);
}

static bool document_read(const struct import_reader *reader, struct error *error)
{
    struct json_frames frames;
    char *text;
    size_t length;
    bool fine;

    if (!import_input_read_all(
            reader->input, LARGEST_DOCUMENT,
            "JSON documents of that size are not read: write NDJSON (one frame object per line), "
            "which has no limit.",
            &text, &length, error))
        return false;
    json_frames_init(&frames, reader);
    fine = take_text(&frames, text, length, error) && json_frames_finish(&frames, error);
    if (fine && frames.rows == 0)
        fine = error_set(error, ERROR_INPUT, "the JSON document holds no frames: its array is empty. %s",
                         layout);
    json_frames_free(&frames);
    free(text);
    return fine;
}

static int document_detect(const struct import_sample *sample, const struct import_options *options,
                           struct error *refusal)
{
    const char *at = flat_skip_blanks(sample->text, sample->text + sample->length);

    (void)options;
    (void)refusal;
    if (*at != '{' && *at != '[')
        return 0;
    return strstr(sample->text, "\"frame_time_") ? 60 : 20;
}

const struct import_format import_format_json = {
    .name = "json",
    .title = "JSON batch: a run object with column arrays or frame objects",
    .recognised_by = "a JSON object or array with frame_time_ms, timestamp_ms, …",
    .detect = document_detect,
    .read = document_read,
};
