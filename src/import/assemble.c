#include "assemble_private.h"

#include "stutterscope/base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DECIDING_FRAMES   4096 /* of a lane, looked at for the unit of its stamps */
#define FEWEST_TO_DECIDE  8
#define LEAST_MEDIAN_NS   (NS_PER_MS / 10) /* of frame times; a median beyond is one in another unit */
#define MOST_MEDIAN_NS    (100 * NS_PER_S)
#define MOST_BUFFERED     500000 /* frames of all lanes together: about 25 MB with six columns */
#define SHORTEST_FRAME_NS 1000
#define FEW_FRAMES        64 /* batches shorter than this are gathered first */

static const enum context_field lane_fields[] = {CONTEXT_BUILD, CONTEXT_DEVICE, CONTEXT_SOC,
                                                 CONTEXT_MODEL_CODE, CONTEXT_RUN};
static const enum context_field required_fields[] = {CONTEXT_BUILD, CONTEXT_DEVICE, CONTEXT_SCENE};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- contexts and lanes ---- */

uint32_t joined_field(const struct assembler *assembler, const struct import_context *context, int field)
{
    if (assembler->overrides[field])
        return assembler->overrides[field];
    return context->field[field] ? context->field[field] : assembler->fallbacks[field];
}

struct lane *find_lane(struct assembler *assembler, const uint32_t facts[CONTEXT_COUNT])
{
    uint32_t key[COUNT(lane_fields)], id;
    struct lane *lane;

    for (size_t i = 0; i < COUNT(lane_fields); i++)
        key[i] = facts[lane_fields[i]];
    id = dictionary_add(assembler->lane_keys, (const char *)key, sizeof key);
    if (id <= assembler->lanes.count)
        return assembler->lanes.items[id - 1];
    lane = memory_take_zeroed(1, sizeof *lane);
    lane->multiply = lane->divide = 1;
    lane->first_mixed = NO_ROW;
    lane->last_stamp = VALUE_UNKNOWN;
    memcpy(lane->facts, facts, sizeof lane->facts);
    array_push(&assembler->lanes, lane);
    return lane;
}

/* Facts that this context knows and the lane did not. */
void complete_facts(struct lane *lane, const uint32_t facts[CONTEXT_COUNT])
{
    for (int i = 0; i < CONTEXT_COUNT; i++) {
        if (lane->facts[i] || !facts[i])
            continue;
        lane->facts[i] = facts[i];
        if (lane->run)
            lane->run->facts_changed = true;
    }
}

/* NULL with an error when the file names too much. */
static struct joined_context *join_context(struct assembler *assembler, const struct import_context *source, int64_t line,
                                           struct error *error)
{
    struct joined_context *joined = memory_take_zeroed(1, sizeof *joined);
    uint32_t facts[CONTEXT_COUNT];
    bool complete;

    joined->source = *source;
    for (int i = 0; i < CONTEXT_COUNT; i++)
        facts[i] = joined_field(assembler, source, i);
    joined->scene = facts[CONTEXT_SCENE];
    joined->quality = facts[CONTEXT_QUALITY];
    joined->target_fps_milli = context_number(assembler, CONTEXT_TARGET_FPS, facts[CONTEXT_TARGET_FPS]);
    joined->refresh_milli_hz = context_number(assembler, CONTEXT_REFRESH_HZ, facts[CONTEXT_REFRESH_HZ]);
    complete = true;
    for (size_t i = 0; i < COUNT(required_fields); i++) {
        if (!facts[required_fields[i]]) {
            note_missing(assembler, required_fields[i], line);
            complete = false;
        }
    }
    if (!complete)
        return joined;
    joined->lane = find_lane(assembler, facts);
    complete_facts(joined->lane, facts);
    if (limit_names(assembler, facts, line, error))
        return joined;
    free(joined);
    return NULL;
}

static uint64_t context_hash(const struct import_context *context)
{
    return hash_bytes(context->field, sizeof context->field);
}

static void widen_slots(struct assembler *assembler)
{
    struct joined_context **old = assembler->slots;
    size_t old_count = assembler->slot_count, mask = old_count * 2 - 1;

    assembler->slot_count *= 2;
    assembler->slots = memory_take_zeroed(assembler->slot_count, sizeof *assembler->slots);
    for (size_t i = 0; i < old_count; i++) {
        size_t slot;

        if (!old[i])
            continue;
        slot = (size_t)context_hash(&old[i]->source) & mask;
        while (assembler->slots[slot])
            slot = (slot + 1) & mask;
        assembler->slots[slot] = old[i];
    }
    free(old);
}

static struct joined_context *find_by_fields(struct assembler *assembler,
                                             const struct import_context *context, int64_t line, struct error *error)
{
    size_t mask = assembler->slot_count - 1, slot = (size_t)context_hash(context) & mask;
    struct joined_context *joined;

    for (; assembler->slots[slot]; slot = (slot + 1) & mask) {
        if (memcmp(assembler->slots[slot]->source.field, context->field, sizeof context->field) == 0)
            return assembler->slots[slot];
    }
    joined = join_context(assembler, context, line, error);
    if (!joined)
        return NULL;
    assembler->slots[slot] = joined;
    if (++assembler->context_count * 2 > assembler->slot_count)
        widen_slots(assembler);
    return joined;
}

static const struct joined_context *find_context(struct assembler *assembler,
                                                 const struct import_context *context, int64_t line, struct error *error)
{
    struct joined_context *joined;

    if (context->number == 0) {
        if (!assembler->last_context ||
            memcmp(assembler->last_context->source.field, context->field, sizeof context->field) != 0)
            assembler->last_context = find_by_fields(assembler, context, line, error);
        return assembler->last_context;
    }
    if (context->number < assembler->numbered.count && assembler->numbered.items[context->number])
        return assembler->numbered.items[context->number];
    joined = find_by_fields(assembler, context, line, error);
    if (!joined)
        return NULL;
    while (assembler->numbered.count <= context->number)
        array_push(&assembler->numbered, NULL);
    assembler->numbered.items[context->number] = joined;
    return joined;
}

/* ---- the unit of the stamps ---- */

/*
 * The span of the stamps against the sum of the frame times, pair by pair so that restarts and steps back do
 * not count. Factors beside 1 are accepted within 2 %.
 */
static void decide_unit(struct assembler *assembler, struct lane *lane)
{
    static const struct {
        double ratio;
        int64_t multiply, divide;
        const char *found;
    } units[] = {{1e-3, 1000, 1, "1/1000"}, {1e3, 1, 1000, "1000"}, {1e6, 1, 1000000, "1000000"}};
    const int64_t *stamps = lane->early.values[COLUMN_STAMP], *times = lane->early.values[COLUMN_FRAME_TIME];
    double span = 0, sum = 0;

    lane->decided = true;
    /* Durations say nothing about the distance of stamps. */
    if (!stamps || lane->early.count < FEWEST_TO_DECIDE || !assembler->log->tests_holes)
        return;
    for (size_t i = 1; i < lane->early.count; i++) {
        if (stamps[i] < stamps[i - 1])
            continue;
        span += (double)stamps[i] - (double)stamps[i - 1];
        sum += (double)times[i];
    }
    for (size_t i = 0; i < COUNT(units) && sum > 0; i++) {
        double ratio = span / sum / units[i].ratio;
        char *note;

        if (ratio < 0.98 || ratio > 1.02)
            continue;
        lane->multiply = units[i].multiply;
        lane->divide = units[i].divide;
        note = memory_print(
            "The time stamps span %s of the summed frame times: their unit is not what the file says. "
            "They were %s by %" PRId64 ".",
            units[i].found, units[i].multiply > 1 ? "multiplied" : "divided",
            units[i].multiply > 1 ? units[i].multiply : units[i].divide);
        import_log_note(assembler->log, note);
        free(note);
    }
}

static int compare_times(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Seconds in a column of milliseconds: no game draws 10000 frames a second, and nothing takes 100 seconds every time. */
static bool check_unit(const struct assembler *assembler, const struct lane *lane, struct error *error)
{
    size_t count = lane->early.count, less = 0, more = 0;
    int64_t *times, median;
    char text[32];

    if (!assembler->log->unit_is_named || count < FEWEST_TO_DECIDE)
        return true;
    for (size_t i = 0; i < count; i++) {
        less += lane->early.values[COLUMN_FRAME_TIME][i] < LEAST_MEDIAN_NS;
        more += lane->early.values[COLUMN_FRAME_TIME][i] > MOST_MEDIAN_NS;
    }
    if (less <= count / 2 && more < count - count / 2) /* the median lies between: it need not be known */
        return true;
    times = memory_take(count * sizeof *times);
    memcpy(times, lane->early.values[COLUMN_FRAME_TIME], count * sizeof *times);
    qsort(times, count, sizeof *times, compare_times);
    median = times[count / 2];
    free(times);
    return error_set(error, ERROR_INPUT,
                     "line %" PRId64 ": the frame times are in another unit than their column's name says: half of the first %zu frames "
                     "would take %s than %s ms. If they are %s, say so with --map frame_time_%s=COLUMN.",
                     lane->early_lines.items[0], count, median < LEAST_MEDIAN_NS ? "less" : "more",
                     number_print_scaled(text, sizeof text, median, NS_PER_MS), median < LEAST_MEDIAN_NS ? "seconds" : "microseconds",
                     median < LEAST_MEDIAN_NS ? "s" : "us");
}

static bool settle_lane(struct assembler *assembler, struct lane *lane, struct error *error)
{
    struct frame_columns columns;
    bool fine = true;

    if (lane->decided)
        return true;
    if (!check_unit(assembler, lane, error))
        return false;
    decide_unit(assembler, lane);
    columns.count = lane->early.count;
    memcpy(columns.values, lane->early.values, sizeof columns.values);
    assembler->buffered -= (int64_t)columns.count;
    for (size_t i = 0; i < lane->spans.count && fine; i++) {
        const struct early_span *span = &lane->spans.items[i];
        size_t end = i + 1 < lane->spans.count ? span[1].start : columns.count;

        fine = lane_take(assembler, lane, span->context, &columns, lane->early_lines.items, span->start,
                         end - span->start, error);
    }
    frame_store_free(&lane->early);
    array_free(&lane->spans);
    array_free(&lane->early_lines);
    return fine;
}

static void keep_early(struct assembler *assembler, struct lane *lane, const struct joined_context *context,
                       const struct frame_columns *columns, const int64_t *lines, size_t start, size_t count)
{
    if (lane->spans.count == 0 || lane->spans.items[lane->spans.count - 1].context != context)
        array_push(&lane->spans, (struct early_span){context, lane->early.count});
    frame_store_append(&lane->early, columns, start, count);
    for (size_t i = 0; i < count; i++)
        array_push(&lane->early_lines, lines[start + i]);
    assembler->buffered += (int64_t)count;
}

/* ---- bounded memory ---- */

static size_t lane_buffered(const struct lane *lane)
{
    return lane->early.count + (lane->run ? lane->run->open.count : 0);
}

/* Hands over the fullest lanes; their visits go on in the next segment. */
static bool relieve(struct assembler *assembler, struct error *error)
{
    size_t fullest = 0;

    for (size_t i = 0; i < assembler->lanes.count; i++) {
        size_t buffered = lane_buffered(assembler->lanes.items[i]);

        fullest = buffered > fullest ? buffered : fullest;
    }
    for (size_t i = 0; i < assembler->lanes.count; i++) {
        struct lane *lane = assembler->lanes.items[i];

        if (lane_buffered(lane) * 2 < fullest)
            continue;
        if (!settle_lane(assembler, lane, error))
            return false;
        if (lane->run && !run_flush(assembler, lane->run, error))
            return false;
        if (lane->run)
            frame_store_free(&lane->run->open);
    }
    return true;
}

/* ---- frames come in ---- */

/* The reason why a frame is none, REJECT_COUNT when it is one. */
static enum reject_reason frame_fault(const struct frame_columns *columns, size_t i)
{
    int64_t time = columns->values[COLUMN_FRAME_TIME][i];

    if (time == VALUE_UNKNOWN)
        return REJECT_EMPTY;
    if (time < 0)
        return REJECT_NEGATIVE;
    if (time < SHORTEST_FRAME_NS)
        return REJECT_ZERO;
    if (time > LONGEST_FRAME_NS)
        return REJECT_TOO_LARGE;
    if (columns->values[COLUMN_STAMP] && (columns->values[COLUMN_STAMP][i] > LARGEST_STAMP_NS ||
                                          columns->values[COLUMN_STAMP][i] < -LARGEST_STAMP_NS))
        return REJECT_BAD_STAMP;
    return REJECT_COUNT;
}

static size_t sound_stretch(const struct frame_columns *columns, size_t start)
{
    const int64_t *times = columns->values[COLUMN_FRAME_TIME], *stamps = columns->values[COLUMN_STAMP];
    size_t i = start;

    for (; i < columns->count; i++) {
        if (times[i] < SHORTEST_FRAME_NS || times[i] > LONGEST_FRAME_NS)
            break;
        if (stamps && (stamps[i] > LARGEST_STAMP_NS || stamps[i] < -LARGEST_STAMP_NS))
            break;
    }
    return i - start;
}

bool take_sound(struct assembler *assembler, const struct joined_context *context,
                const struct frame_columns *columns, const int64_t *lines, size_t start, size_t count,
                struct error *error)
{
    struct lane *lane = context->lane;
    size_t early;

    if (!lane->decided) {
        early = DECIDING_FRAMES - lane->early.count;
        early = count < early ? count : early;
        keep_early(assembler, lane, context, columns, lines, start, early);
        start += early;
        count -= early;
        if (lane->early.count >= DECIDING_FRAMES && !settle_lane(assembler, lane, error))
            return false;
    }
    if (count > 0 && !lane_take(assembler, lane, context, columns, lines, start, count, error))
        return false;
    return assembler->buffered <= MOST_BUFFERED || relieve(assembler, error);
}

bool assembler_take(void *user, const struct import_context *source, const struct frame_columns *frames,
                    int64_t line, struct error *error)
{
    struct assembler *assembler = user;
    const struct joined_context *context = find_context(assembler, source, line, error);
    bool few = frames->count < FEW_FRAMES;
    size_t at = 0;

    if (!context || !limit_texts(assembler, line, error))
        return false;
    if (!context->lane) {
        assembler->sink.reject_many(assembler, REJECT_NO_CONTEXT, (int64_t)frames->count, line);
        return true;
    }
    assembler->last_lane = context->lane;
    if (!few && !mixed_flush(assembler, error))
        return false;
    make_scratch(assembler, frames->count);
    for (size_t i = 0; i < frames->count; i++)
        assembler->lines[i] = line + (int64_t)i;
    while (at < frames->count) {
        size_t count = sound_stretch(frames, at);

        assembler->frames += (int64_t)count;
        context->lane->came += (int64_t)count;
        if (count > 0)
            context->lane->last_stamp = frames->values[COLUMN_STAMP] ? frames->values[COLUMN_STAMP][at + count - 1] : VALUE_UNKNOWN;
        if (count > 0 &&
            !(few ? mixed_add : take_sound)(assembler, context, frames, assembler->lines, at, count, error))
            return false;
        at += count;
        if (at < frames->count) {
            assembler->sink.reject(assembler, frame_fault(frames, at), line + (int64_t)at, NULL, 0);
            at++;
        }
    }
    return true;
}

static bool no_frames(const struct assembler *assembler, struct error *error)
{
    char *why = import_log_why_empty(assembler->log), *missing = missing_words(assembler);

    if (missing) {
        error_set(error, ERROR_INPUT, "line %" PRId64 ": %s", assembler->missing_line, missing);
    } else if (assembler->log->rejected > 0) {
        error_set(error, ERROR_INPUT, "no frames: %s.", why);
    } else {
        error_set(error, ERROR_INPUT, "no frames: there is a header or a frame for data, but no rows.");
    }
    free(why);
    free(missing);
    return false;
}

bool assembler_finish(struct assembler *assembler, struct error *error)
{
    if (!mixed_flush(assembler, error))
        return false;
    for (size_t i = 0; i < assembler->lanes.count; i++) {
        struct lane *lane = assembler->lanes.items[i];

        if (!settle_lane(assembler, lane, error) || !lane_give_samples(assembler, lane, error) || (lane->run && !run_finish(assembler, lane->run, error)))
            return false;
    }
    return assembler->frames + assembler->samples > 0 || no_frames(assembler, error);
}
