/*
 * Frames that are JSON objects: names to columns, values to frames. NDJSON and JSON documents share it.
 */
#ifndef IMPORT_JSON_FRAMES_H
#define IMPORT_JSON_FRAMES_H

#include "alike.h"
#include "flat_json.h"
#include "sample_row.h"
#include "stutterscope/import/batch.h"
#include "stutterscope/import/columns.h"
#include "stutterscope/import/reader.h"

/* One name, with what stood there last: the same text is the same id. */
struct json_slot {
    char *name;
    size_t name_length;
    struct column_target target;
    char *last;
    size_t last_length, last_capacity;
    uint32_t last_id;
    bool last_is_text;
    bool used; /* as a part of a sample */
    uint64_t seen; /* the row in which it was seen last */
};

/* A number of the row, where it stands in its text, or a text that looks like one. */
struct json_number {
    const char *text;
    size_t length, slot;
};

struct json_frames {
    struct flat_value sample_parts[SAMPLE_PARTS]; /* of this row, when it is a value beside frames */
    const struct import_reader *reader;
    struct frame_batch batch;
    struct {
        struct json_slot *items;
        size_t count, capacity;
    } slots;
    size_t spare; /* the slot of names that are not kept; 0: none yet */
    struct import_context defaults; /* of a document's run object */
    bool needs_stamp, broken_text, told_broken;
    uint64_t row;
    int64_t frames, samples, rows;
    struct sample_rows_left left; /* rows that are frames and name a value */
    /* the row that is being read */
    int64_t values[COLUMN_COUNT];
    uint32_t fields[CONTEXT_COUNT];
    enum reject_reason fault; /* REJECT_COUNT: none */
    struct flat_value fault_value;
    enum sample_row_time time; /* what stands in it as frame time */
    struct flat_value bad_stamp; /* text NULL: none */
    struct json_number numbers[ALIKE_NUMBERS]; /* of members that are numbers or unknown; those beyond are left out */
    size_t number_count;
    bool taken; /* it was added as a frame */
    struct alike alike;
};

void json_frames_init(struct json_frames *frames, const struct import_reader *reader);
void json_frames_free(struct json_frames *frames);
/* The slot of a name, made when it is new; hint: where it stood in the row before. */
size_t json_frames_slot(struct json_frames *frames, const struct flat_value *name, size_t hint);
/*
 * At the end of the file: hands over what waits, says what was left out; false when a member that the user named with --map
 * was nowhere.
 */
bool json_frames_finish(struct json_frames *frames, struct error *error);
void json_frames_begin_row(struct json_frames *frames);
/* A member of the row. */
void json_frames_put(struct json_frames *frames, size_t slot, const struct flat_value *value);
/* Adds the row as a frame, or rejects it. line: for messages. false: the sink failed. */
bool json_frames_end_row(struct json_frames *frames, int64_t line, struct error *error);
/* A whole object [at, end), beginning with '{'; *ret_end after its '}', NULL when it is malformed (rejected
 * then). */
bool json_frames_take(struct json_frames *frames, const char *at, const char *end, int64_t line,
                      const char **ret_end, struct error *error);
/*
 * [line, line + length) was given to json_frames_take() and ended with the object: lines like it may be given to
 * json_frames_take_alike(), until another line is read.
 */
void json_frames_learn(struct json_frames *frames, const char *line, size_t length);
bool json_frames_take_alike(struct json_frames *frames, const char **at, const char *end, int64_t *line, struct error *error);
/* A member that holds for all frames that follow. */
void json_frames_default(struct json_frames *frames, const struct flat_value *name,
                         const struct flat_value *value);
/* What cannot be read is rejected. */
bool json_frames_reject(struct json_frames *frames, enum reject_reason reason, int64_t line, const char *text,
                        size_t length, struct error *error);

#endif
