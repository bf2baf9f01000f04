#include "json_frames.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void note_cut(const struct import_reader *reader, int64_t line)
{
    char *note = memory_print(
        "The last line (%" PRId64 ") is cut: it was left out, complete frames were taken.", line);

    reader->sink->note(reader->sink->user, note);
    free(note);
}

/* One line: an object and nothing else. */
static bool take_line(struct json_frames *frames, const struct import_line *line, struct error *error)
{
    const char *end = line->text + line->length, *at = flat_skip_blanks(line->text, end), *after;
    struct flat_value value;

    alike_forget(&frames->alike);
    if (at == end)
        return true;
    if (line->number == 1 && end - at >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    if (line->cut && !flat_read_value(at, end, &value)) {
        note_cut(frames->reader, line->number);
        return json_frames_reject(frames, REJECT_SHORT_ROW, line->number, at, (size_t)(end - at), error);
    }
    if (*at != '{')
        return json_frames_reject(frames, REJECT_MALFORMED, line->number, at, (size_t)(end - at), error);
    if (!json_frames_take(frames, at, end, line->number, &after, error))
        return false;
    if (at == line->text && after == end)
        json_frames_learn(frames, line->text, line->length);
    if (after && flat_skip_blanks(after, end) != end)
        frames->reader->sink->note(
            frames->reader->sink->user,
            "There is text after the object of some lines: only the first object was read.");
    return true;
}

/* The lines that stand in memory, up to the first that differs from the one before in more than its numbers. */
static bool take_alike(struct json_frames *frames, struct error *error)
{
    struct import_input *input = frames->reader->input;
    const char *at, *end;
    int64_t line;
    bool fine = true;

    if (frames->alike.known && import_input_lines(input, &at, &end, &line)) {
        fine = json_frames_take_alike(frames, &at, end, &line, error);
        import_input_leave_lines(input, at, line);
    }
    return fine;
}

static bool ndjson_read(const struct import_reader *reader, struct error *error)
{
    struct json_frames frames;
    struct import_line line;
    bool fine = true;

    json_frames_init(&frames, reader);
    while (fine && (fine = take_alike(&frames, error)) && import_input_next_line(reader->input, &line))
        fine = take_line(&frames, &line, error);
    fine = fine && import_input_end(reader->input, error) && json_frames_finish(&frames, error);
    json_frames_free(&frames);
    return fine;
}

/* The first line is a whole object that is no document. */
static int ndjson_detect(const struct import_sample *sample, const struct import_options *options,
                         struct error *refusal)
{
    const char *end = sample->text + sample->length, *at = flat_skip_blanks(sample->text, end), *stop, *after;
    struct flat_value object, member;

    (void)options;
    (void)refusal;
    if (at == end || *at != '{')
        return 0;
    stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop)
        stop = end;
    after = flat_read_value(at, stop, &object);
    if (!after || flat_skip_blanks(after, stop) != stop)
        return 0;
    if ((flat_find(&object, "frames", &member) || flat_find(&object, "columns", &member)) &&
        member.kind >= FLAT_OBJECT)
        return 0;
    return strstr(sample->text, "\"frame_time_") ? 80 : 40;
}

const struct import_format import_format_ndjson = {
    .name = "ndjson",
    .title = "NDJSON, one frame per line",
    .recognised_by = "lines that are JSON objects with frame_time_ms (or _ns, _us, _s), timestamp_ms, …",
    .detect = ndjson_detect,
    .read = ndjson_read,
    .lines = true,
};
