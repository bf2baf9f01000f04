#include "json_frames.h"
#include "plain_number.h"

#include "stutterscope/base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 1000

void json_frames_init(struct json_frames *frames, const struct import_reader *reader)
{
    memset(frames, 0, sizeof *frames);
    frames->reader = reader;
    frames->needs_stamp = !column_is_mapped_to_none(reader->options, "timestamp_ms");
    frame_batch_init(&frames->batch, reader->sink);
    reader->sink->facts(reader->sink->user, &(struct import_source_facts){.version = "",
                                                                          .interval = "present",
                                                                          .tests_holes = frames->needs_stamp,
                                                                          .has_clock = frames->needs_stamp,
                                                                          .unit_is_named = true});
}

void json_frames_free(struct json_frames *frames)
{
    for (size_t i = 0; i < frames->slots.count; i++) {
        free(frames->slots.items[i].name);
        free(frames->slots.items[i].last);
    }
    array_free(&frames->slots);
    frame_batch_free(&frames->batch);
    alike_free(&frames->alike);
}

static bool is_named(const struct json_slot *slot, const struct flat_value *name)
{
    return slot->name_length == name->length && memcmp(slot->name, name->text, name->length) == 0;
}

static void tell_left_out(struct json_frames *frames, const char *name)
{
    const struct import_sink *sink = frames->reader->sink;

    sink->column_left_out(sink->user, name, personal_column(name));
}

size_t json_frames_slot(struct json_frames *frames, const struct flat_value *name, size_t hint)
{
    struct json_slot slot = {0};

    if (hint < frames->slots.count && is_named(&frames->slots.items[hint], name))
        return hint;
    for (size_t i = 0; i < frames->slots.count; i++) {
        if (is_named(&frames->slots.items[i], name))
            return i;
    }
    /* Names that are made up anew in every frame are not kept: one slot stands for all of them. */
    if (!column_find_mapped(frames->reader->options, name->text, name->length, &slot.target) && frames->slots.count >= MOST_NAMES) {
        if (frames->spare > 0)
            return frames->spare;
        frames->spare = frames->slots.count;
    } else {
        slot.name_length = name->length;
    }
    slot.name = memory_copy_bytes(name->text, slot.name_length);
    if (slot.target.kind == COLUMN_IS_UNKNOWN && slot.name_length > 0)
        tell_left_out(frames, slot.name);
    array_push(&frames->slots, slot);
    return frames->slots.count - 1;
}

static char *member_names(const struct json_frames *frames)
{
    struct text_buffer text = {0};

    for (size_t i = 0; i < frames->slots.count && text.count < 200; i++) {
        char *name = text_clean(frames->slots.items[i].name, frames->slots.items[i].name_length);

        if (*name)
            text_add_print(&text, "%s%s", text.count ? ", " : "", name);
        free(name);
    }
    return text_take(&text);
}

static bool has_name(const void *user, const char *name)
{
    const struct json_frames *frames = user;

    for (size_t i = 0; i < frames->slots.count; i++) {
        if (column_is_named(frames->slots.items[i].name, frames->slots.items[i].name_length, name))
            return true;
    }
    return false;
}

static bool check_maps(const struct json_frames *frames, struct error *error)
{
    const char *map = column_map_without_column(frames->reader->options, has_name, frames);
    char *names;

    if (!map)
        return true;
    names = member_names(frames);
    error_set(error, ERROR_INPUT, "--map %s: no object has a member \"%s\". Members found: %s.", map, strchr(map, '=') + 1, names);
    free(names);
    return false;
}

static bool has_target(const struct json_frames *frames, enum frame_column column)
{
    for (size_t i = 0; i < frames->slots.count; i++) {
        if (frames->slots.items[i].target.kind == COLUMN_IS_NUMBER && frames->slots.items[i].target.index == (int)column)
            return true;
    }
    return false;
}

static bool knows_any(const struct json_frames *frames)
{
    for (size_t i = 0; i < frames->slots.count; i++) {
        if (frames->slots.items[i].target.kind != COLUMN_IS_UNKNOWN)
            return true;
    }
    return false;
}

/* Objects of somebody else: rather which members there are than that each of them lacks one. */
static bool check_members(const struct json_frames *frames, struct error *error)
{
    bool has_time = has_target(frames, COLUMN_FRAME_TIME), has_stamp = !frames->needs_stamp || has_target(frames, COLUMN_STAMP);
    const char *missing = !has_time ? "frame_time_ms" : "timestamp_ms";
    char *names;

    if (frames->frames + frames->samples > 0 || frames->slots.count == 0 || (has_time && has_stamp))
        return true;
    names = member_names(frames);
    error_set(error, knows_any(frames) ? ERROR_INPUT : ERROR_FOREIGN, "no object has a member %s. Members found: %s. If another one holds it, name it with --map %s=MEMBER.%s",
              missing, names, missing, has_time ? " A file without any time stamps is read with --map timestamp_ms=none." : "");
    free(names);
    return false;
}

/* "value" or "bytes" that never stood beside a name or a category mean nothing. */
static void tell_unused_parts(struct json_frames *frames)
{
    for (size_t i = 0; i < frames->slots.count; i++) {
        if (frames->slots.items[i].target.kind == COLUMN_IS_SAMPLE && !frames->slots.items[i].used)
            tell_left_out(frames, frames->slots.items[i].name);
    }
}

bool json_frames_finish(struct json_frames *frames, struct error *error)
{
    if (!check_maps(frames, error) || !check_members(frames, error) || !frame_batch_flush(&frames->batch, error))
        return false;
    tell_unused_parts(frames);
    sample_rows_tell_left(&frames->left, frames->reader->sink);
    return true;
}

void json_frames_begin_row(struct json_frames *frames)
{
    frames->row++;
    frames->fault = REJECT_COUNT;
    frames->time = SAMPLE_ROW_NO_TIME;
    frames->bad_stamp.text = NULL;
    frames->number_count = 0;
    frames->taken = false;
    alike_forget(&frames->alike);
    memset(frames->sample_parts, 0, sizeof frames->sample_parts);
    memcpy(frames->fields, frames->defaults.field, sizeof frames->fields);
    for (int i = 0; i < COLUMN_COUNT; i++)
        frames->values[i] = VALUE_UNKNOWN;
}

static uint32_t text_id(struct json_frames *frames, struct json_slot *slot, const struct flat_value *value)
{
    struct text_buffer text = {0};
    char *plain;
    size_t length;

    if (value->text == slot->last) /* compared already: see read_expected() */
        return slot->last_id;
    if (slot->last_capacity > 0 && slot->last_length == value->length &&
        memcmp(slot->last, value->text, value->length) == 0)
        return slot->last_id;
    if (slot->last_capacity < value->length + 1) {
        slot->last_capacity = value->length + 64;
        slot->last = memory_resize(slot->last, slot->last_capacity, 1);
    }
    memcpy(slot->last, value->text, value->length);
    slot->last_length = value->length;
    slot->last_is_text = value->kind == FLAT_TEXT;
    flat_unescape(value, &text);
    length = text.count;
    plain = text_take(&text);
    slot->last_id = number_is_absent(plain, length)
                        ? 0
                        : column_add_text(frames->reader->sink->texts, plain, length, &frames->broken_text);
    free(plain);
    return slot->last_id;
}

static void put_number(struct json_frames *frames, const struct json_slot *slot,
                       const struct flat_value *value)
{
    int64_t number = VALUE_UNKNOWN;
    enum number_fault fault = NUMBER_NOT_A_NUMBER;
    bool is_time = slot->target.index == COLUMN_FRAME_TIME, is_stamp = slot->target.index == COLUMN_STAMP;

    if (value->kind == FLAT_TEXT || value->kind == FLAT_WORD)
        fault = number_parse_scaled(value->text, value->length, slot->target.scale, false, &number);
    frames->values[slot->target.index] = number;
    if (is_time)
        frames->time = sample_row_time(fault, number);
    if (is_stamp && fault != NUMBER_OK && fault != NUMBER_EMPTY)
        frames->bad_stamp = *value;
    if (fault == NUMBER_OK || frames->fault != REJECT_COUNT || (!is_time && !is_stamp))
        return;
    frames->fault = is_stamp ? REJECT_BAD_STAMP : reject_reason_of(fault);
    frames->fault_value = *value;
}

static void note_number(struct json_frames *frames, size_t slot, const struct flat_value *value)
{
    if (frames->number_count < ALIKE_NUMBERS && value->kind <= FLAT_WORD && value->length > 0 && (unsigned)(*value->text - '.') <= '9' - '.')
        frames->numbers[frames->number_count++] = (struct json_number){value->text, value->length, slot};
}

void json_frames_put(struct json_frames *frames, size_t index, const struct flat_value *value)
{
    struct json_slot *slot = &frames->slots.items[index];

    if (slot->seen == frames->row && slot->target.kind != COLUMN_IS_UNKNOWN) {
        frames->fault = REJECT_MALFORMED; /* the same name twice: which one is meant? */
        frames->fault_value = (struct flat_value){FLAT_TEXT, slot->name, slot->name_length, false};
    }
    slot->seen = frames->row;
    switch (slot->target.kind) {
    case COLUMN_IS_NUMBER:
        put_number(frames, slot, value);
        note_number(frames, index, value);
        break;
    case COLUMN_IS_TEXT:
        if (value->kind == FLAT_TEXT && value->length > 0) {
            uint32_t id = text_id(frames, slot, value);

            frames->values[slot->target.index] = id ? (int64_t)id : VALUE_UNKNOWN;
        }
        break;
    case COLUMN_IS_CONTEXT:
        /* A null does not hide what the document says for all frames. */
        if (value->kind <= FLAT_WORD && !(value->kind == FLAT_WORD && flat_is(value, "null")) &&
            value->length > 0)
            frames->fields[slot->target.index] = text_id(frames, slot, value);
        break;
    case COLUMN_IS_FLAG:
        if (flat_is(value, "true") || flat_is(value, "1"))
            frames->values[COLUMN_FLAGS] =
                (frames->values[COLUMN_FLAGS] == VALUE_UNKNOWN ? 0 : frames->values[COLUMN_FLAGS]) |
                slot->target.index;
        break;
    case COLUMN_IS_SAMPLE:
        frames->sample_parts[slot->target.index] = *value;
        break;
    case COLUMN_IS_UNKNOWN:
        note_number(frames, index, value);
        break;
    }
}

void json_frames_default(struct json_frames *frames, const struct flat_value *name,
                         const struct flat_value *value)
{
    size_t slot;

    if (value->kind > FLAT_WORD)
        return;
    slot = json_frames_slot(frames, name, 0);
    if (frames->slots.items[slot].target.kind != COLUMN_IS_CONTEXT || flat_is(value, "null"))
        return;
    frames->defaults.field[frames->slots.items[slot].target.index] =
        text_id(frames, &frames->slots.items[slot], value);
}

bool json_frames_reject(struct json_frames *frames, enum reject_reason reason, int64_t line, const char *text,
                        size_t length, struct error *error)
{
    if (!frame_batch_flush(&frames->batch, error))
        return false;
    frames->rows++;
    frames->reader->sink->reject(frames->reader->sink->user, reason, line, text, length);
    return true;
}

static void tell_broken(struct json_frames *frames, int64_t line)
{
    char *note;

    if (!frames->broken_text || frames->told_broken)
        return;
    frames->told_broken = true;
    note = memory_print("Line %" PRId64 " holds text that is not UTF-8: its bytes are marked with U+FFFD.",
                        line);
    frames->reader->sink->note(frames->reader->sink->user, note);
    free(note);
}

static bool has_part(const struct json_frames *frames, enum sample_part part)
{
    return frames->sample_parts[part].kind <= FLAT_WORD && frames->sample_parts[part].length > 0 &&
           !flat_is(&frames->sample_parts[part], "null");
}

static unsigned present_parts(const struct json_frames *frames)
{
    unsigned present = 0;

    for (int i = 0; i < SAMPLE_PARTS; i++)
        present |= has_part(frames, (enum sample_part)i) ? 1u << i : 0;
    return present;
}

static void mark_used(struct json_frames *frames)
{
    for (size_t i = 0; i < frames->slots.count; i++) {
        struct json_slot *slot = &frames->slots.items[i];

        slot->used |= slot->target.kind == COLUMN_IS_SAMPLE && slot->seen == frames->row;
    }
}

/* An object that is a value beside frames. */
static bool take_sample(struct json_frames *frames, int64_t line, struct error *error)
{
    struct import_context context = {.number = 0};
    struct sample_row row = {.stamp_ns = frames->values[COLUMN_STAMP],
                             .bad_stamp = frames->bad_stamp.text,
                             .bad_stamp_length = frames->bad_stamp.length};
    char *texts[SAMPLE_PARTS] = {0};
    bool fine;

    if (frames->fault == REJECT_MALFORMED)
        return json_frames_reject(frames, frames->fault, line, frames->fault_value.text, frames->fault_value.length, error);
    mark_used(frames);
    frames->samples++;
    memcpy(context.field, frames->fields, sizeof context.field);
    for (int i = 0; i < SAMPLE_PARTS; i++) {
        struct text_buffer text = {0};

        if (!has_part(frames, (enum sample_part)i))
            continue;
        flat_unescape(&frames->sample_parts[i], &text);
        row.parts[i].length = text.count;
        row.parts[i].text = texts[i] = text_take(&text);
    }
    frames->rows++;
    fine = frame_batch_flush(&frames->batch, error) &&
           sample_row_give(&row, frames->reader->sink, &context, false, line, error);
    for (int i = 0; i < SAMPLE_PARTS; i++)
        free(texts[i]);
    return fine;
}

bool json_frames_end_row(struct json_frames *frames, int64_t line, struct error *error)
{
    struct import_context context = {.number = 0};
    int64_t time = frames->values[COLUMN_FRAME_TIME];

    if ((has_part(frames, SAMPLE_NAME) || has_part(frames, SAMPLE_CATEGORY)) &&
        sample_row_is_one(present_parts(frames), frames->time, line, &frames->left))
        return take_sample(frames, line, error);
    if (frames->fault == REJECT_COUNT && time == VALUE_UNKNOWN) {
        frames->fault = REJECT_EMPTY;
        frames->fault_value = (struct flat_value){FLAT_TEXT, "no frame time", 13, false};
    } else if (frames->fault == REJECT_COUNT && frames->needs_stamp &&
               frames->values[COLUMN_STAMP] == VALUE_UNKNOWN) {
        frames->fault = REJECT_BAD_STAMP;
        frames->fault_value = (struct flat_value){FLAT_TEXT, "no time stamp", 13, false};
    }
    if (frames->fault != REJECT_COUNT)
        return json_frames_reject(frames, frames->fault, line, frames->fault_value.text,
                                  frames->fault_value.length, error);
    tell_broken(frames, line);
    frames->rows++;
    frames->frames++;
    frames->taken = true;
    if (memcmp(frames->batch.context.field, frames->fields, sizeof frames->fields) != 0) {
        memcpy(context.field, frames->fields, sizeof context.field);
        if (!frame_batch_set_context(&frames->batch, &context, error))
            return false;
    }
    return frame_batch_add(&frames->batch, frames->values, line, error);
}

/* Names and most texts are short: two words that overlap are compared quicker than memcmp() is called. */
static inline bool are_same(const char *a, const char *b, size_t length)
{
    uint64_t a_words[2], b_words[2];
    uint32_t a_halves[2], b_halves[2];

    if (length > 16 || length < 4)
        return memcmp(a, b, length) == 0;
    if (length < 8) {
        memcpy(&a_halves[0], a, 4);
        memcpy(&a_halves[1], a + length - 4, 4);
        memcpy(&b_halves[0], b, 4);
        memcpy(&b_halves[1], b + length - 4, 4);
        return ((a_halves[0] ^ b_halves[0]) | (a_halves[1] ^ b_halves[1])) == 0;
    }
    memcpy(&a_words[0], a, 8);
    memcpy(&a_words[1], a + length - 8, 8);
    memcpy(&b_words[0], b, 8);
    memcpy(&b_words[1], b + length - 8, 8);
    return ((a_words[0] ^ b_words[0]) | (a_words[1] ^ b_words[1])) == 0;
}

/*
 * The member that is expected here, by its bytes: names stand in the same order in every line, and most texts
 * are those of the line before. NULL: it is another one, or written in another way.
 */
static const char *read_expected(const struct json_frames *frames, size_t position, const char *at,
                                 const char *end, struct flat_value *ret)
{
    const struct json_slot *slot = &frames->slots.items[position];
    size_t length = slot->name_length;

    if ((size_t)(end - at) < length + 4 || *at != '"' || !are_same(at + 1, slot->name, length) ||
        at[length + 1] != '"' || at[length + 2] != ':')
        return NULL;
    at += length + 3;
    if (*at == ' ')
        at++;
    length = slot->last_length;
    if (slot->last_capacity > 0 && (size_t)(end - at) > length + 2 && *at == '"' && at[length + 1] == '"' &&
        are_same(at + 1, slot->last, length) && slot->last_is_text) {
        *ret = (struct flat_value){FLAT_TEXT, slot->last, length, true};
        return at + length + 2;
    }
    return at < end ? flat_read_value(at, end, ret) : NULL;
}

/* Next member: its slot and value. Returns the place at ',' or '}', NULL when it is malformed. */
static const char *read_member(struct json_frames *frames, size_t *position, const char *at, const char *end,
                               struct flat_value *ret)
{
    const char *after =
        *position < frames->slots.count ? read_expected(frames, *position, at, end, ret) : NULL;
    struct flat_value name;

    if (after) {
        after = *after == ',' || *after == '}' ? after : flat_skip_blanks(after, end);
        return after < end && (*after == ',' || *after == '}') ? after : NULL;
    }
    at = flat_read_member(at, end, &name, ret);
    if (at)
        *position = json_frames_slot(frames, &name, *position);
    return at;
}

bool json_frames_take(struct json_frames *frames, const char *at, const char *end, int64_t line,
                      const char **ret_end, struct error *error)
{
    struct flat_value value;
    const char *begin = at;
    size_t position = 0;

    *ret_end = NULL;
    json_frames_begin_row(frames);
    at = flat_skip_blanks(at + 1, end);
    while (at && at < end && *at != '}') {
        at = read_member(frames, &position, at, end, &value);
        if (!at)
            break;
        json_frames_put(frames, position++, &value);
        if (*at == ',') {
            at = flat_skip_blanks(at + 1, end);
            if (at < end && *at == '}')
                at = NULL;
        }
    }
    if (!at || at >= end)
        return json_frames_reject(frames, REJECT_MALFORMED, line, begin, (size_t)(end - begin), error);
    *ret_end = at + 1;
    return json_frames_end_row(frames, line, error);
}

/* A value that stands beside names of samples would have to be looked at again. */
static bool has_sample_parts(const struct json_frames *frames)
{
    for (int i = 0; i < SAMPLE_PARTS; i++) {
        if (frames->sample_parts[i].text)
            return true;
    }
    return false;
}

void json_frames_learn(struct json_frames *frames, const char *line, size_t length)
{
    if (!frames->taken || has_sample_parts(frames) || !alike_is_worthwhile(&frames->alike))
        return;
    alike_begin(&frames->alike, line, length);
    for (size_t i = 0; i < frames->number_count; i++) {
        const struct json_number *number = &frames->numbers[i];
        const struct column_target *target = &frames->slots.items[number->slot].target;

        alike_add_number(&frames->alike, (size_t)(number->text - line), number->length, '.', target->kind == COLUMN_IS_NUMBER ? target->index : -1,
                         plain_number_digits(target->scale));
    }
    alike_end(&frames->alike, &frames->batch);
}

bool json_frames_take_alike(struct json_frames *frames, const char **at, const char *end, int64_t *line, struct error *error)
{
    int64_t first = *line;
    bool fine = alike_take(&frames->alike, &frames->batch, '.', at, end, line, error);

    frames->frames += *line - first;
    frames->rows += *line - first;
    return fine;
}
