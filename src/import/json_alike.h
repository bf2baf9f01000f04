/*
 * Lines of NDJSON that differ from the line before in numbers only, which nearly all do: the bytes between the numbers are
 * compared, the numbers read where they lie. Whatever is different otherwise is left to json_frames.h.
 */
#ifndef IMPORT_JSON_ALIKE_H
#define IMPORT_JSON_ALIKE_H

#include "json_frames.h"

struct json_alike {
    bool known;
    char *text; /* the line that was taken last, with its end */
    size_t length, capacity;
    struct {
        size_t begin, end; /* in text */
        int column;        /* enum frame_column; -1: a number that nobody wants */
        int digits;        /* as csv_step */
    } numbers[JSON_NUMBERS];
    size_t number_count;
    struct {
        int column;
        int64_t value;
    } constants[COLUMN_COUNT]; /* of the columns in use that no number stands for */
    size_t constant_count;
};

void json_alike_free(struct json_alike *alike);
/* The line was given to json_frames_take(), from its first to its last byte: those like it may follow, if it is a frame. */
void json_alike_learn(struct json_alike *alike, const struct json_frames *frames, const char *line, size_t length);
/* The line that was read meanwhile is of no use for this. */
void json_alike_forget(struct json_alike *alike);
/*
 * Takes frames from the lines [*at, end), the first of which is *line, up to the first that is not alike; end stands behind a
 * '\n', and 16 bytes more can be looked at. false: the sink failed.
 */
bool json_alike_take(const struct json_alike *alike, struct json_frames *frames, const char **at, const char *end, int64_t *line,
                     struct error *error);

#endif
