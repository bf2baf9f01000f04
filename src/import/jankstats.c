#include "overlap.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/batch.h"
#include "stutterscope/import/columns.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * Logs of Android's JankStats: lines, of logcat or of the app's own log, that hold what FrameData prints:
 *     FrameData(frameStartNanos=…, frameDurationUiNanos=…, isJank=…, states=[Activity: Main, …])
 * Newer Android versions add frameDurationCpuNanos, frameDurationTotalNanos and frameOverrunNanos.
 */

#define LONGEST_NS (60 * NS_PER_S)

static const char opening[] = "FrameData(";

struct jank_row {
    int64_t line, start, time, cpu;
    uint32_t scene, event, life; /* life: of the clock */
    enum reject_reason fault;
    bool janky;
};
struct jankstats {
    const struct import_reader *reader;
    struct {
        struct jank_row *items;
        size_t count, capacity;
    } rows;
    const char *version;
    int64_t janky;
    bool cut;
};

/* ---- one FrameData ---- */

static const char *find_field(const char *text, size_t length, const char *name, size_t *ret_length)
{
    size_t name_length = strlen(name);
    const char *end = text + length, *at = memmem(text, length, name, name_length), *stop;

    if (!at || at + name_length >= end || at[name_length] != '=')
        return NULL;
    at += name_length + 1;
    for (stop = at; stop < end && *stop != ',' && *stop != ')';)
        stop++;
    *ret_length = (size_t)(stop - at);
    return at;
}

static int64_t number_field(const char *text, size_t length, const char *name)
{
    size_t field_length;
    const char *field = find_field(text, length, name, &field_length);
    int64_t value;

    if (!field || number_parse_scaled(field, field_length, 1, false, &value) != NUMBER_OK)
        return VALUE_UNKNOWN;
    return value;
}

/* The first of the durations that is one: overruns and totals of some devices hold left-over memory. */
static int64_t duration(const char *text, size_t length, const char *const *names)
{
    for (; *names; names++) {
        int64_t value = number_field(text, length, *names);

        if (value > 0 && value <= LONGEST_NS)
            return value;
    }
    return VALUE_UNKNOWN;
}

static void note_version(struct jankstats *jank, const char *text, size_t length)
{
    if (*jank->version)
        return;
    jank->version = memmem(text, length, "frameDurationTotalNanos", 23) ? "Android 12 or later"
                    : memmem(text, length, "frameDurationCpuNanos", 21) ? "Android 7 or later"
                                                                        : "before Android 7";
}

/* ---- states ---- */

struct state {
    const char *key, *value;
    size_t key_length, value_length;
};

/* The next "key: value" of "a: b, c: d"; at: in front of it. */
static bool next_state(const char **at, const char *end, struct state *ret)
{
    const char *begin = *at, *stop, *colon;

    if (!begin)
        return false;
    while (begin < end && (*begin == ' ' || *begin == ','))
        begin++;
    if (begin == end)
        return false;
    stop = memmem(begin, (size_t)(end - begin), ", ", 2);
    stop = stop ? stop : end;
    colon = memmem(begin, (size_t)(stop - begin), ": ", 2);
    *ret = (struct state){begin, colon ? colon + 2 : begin, (size_t)((colon ? colon : begin) - begin), 0};
    ret->value_length = (size_t)(stop - ret->value);
    *at = stop;
    return true;
}

/* How much the key sounds like a place: 0 best, SIZE_MAX not at all. */
static size_t place_rank(const struct state *state)
{
    static const char *const places[] = {"*scene*",      "*level*",    "*map*",
                                         "*screen*",     "*route*",    "*destination*",
                                         "*navigation*", "*fragment*", "*activity*"};
    char *key = memory_copy_bytes(state->key, state->key_length);
    size_t rank = SIZE_MAX;

    for (size_t i = 0; i < sizeof places / sizeof *places && rank == SIZE_MAX; i++) {
        if (text_matches_glob(places[i], key))
            rank = i;
    }
    free(key);
    return rank;
}

/* One state says where the player is: the scene. What else is there is what happened: the event. */
static void take_states(struct jankstats *jank, const char *states, size_t length, struct jank_row *row)
{
    struct dictionary *texts = jank->reader->sink->texts;
    const char *end = states + length, *at, *scene = NULL;
    struct text_buffer others = {0};
    size_t best = SIZE_MAX;
    struct state state;
    char *event;

    for (at = states; next_state(&at, end, &state);) {
        size_t rank = place_rank(&state);

        if (!scene || rank < best) {
            scene = state.key;
            best = rank;
        }
    }
    for (at = states; next_state(&at, end, &state);) {
        if (state.key == scene) {
            bool named = best != SIZE_MAX;

            row->scene = column_add_text(
                texts, named ? state.value : state.key,
                named ? state.value_length : (size_t)(state.value - state.key) + state.value_length, NULL);
            continue;
        }
        text_add(&others, others.count ? ", " : "");
        text_add_bytes(&others, state.key, (size_t)(state.value - state.key) + state.value_length);
    }
    event = text_take(&others);
    row->event = column_add_text(texts, event, strlen(event), NULL);
    free(event);
}

/* [text, text + length): from behind "FrameData(" to the end of the line or the next one. */
static void take_frame(struct jankstats *jank, const char *text, size_t length, int64_t line)
{
    static const char *const times[] = {"frameDurationTotalNanos", "frameDurationCpuNanos",
                                        "frameDurationUiNanos", "frameDurationNanos", NULL};
    static const char *const cpu_times[] = {"frameDurationCpuNanos", "frameDurationUiNanos", NULL};
    const char *states = memmem(text, length, "states=[", 8), *end;
    size_t jank_length, plain = states ? (size_t)(states - text) : length;
    const char *is_jank = find_field(text, plain, "isJank", &jank_length);
    struct jank_row row = {.line = line, .fault = REJECT_COUNT};

    row.start = number_field(text, plain, "frameStartNanos");
    row.time = duration(text, plain, times);
    row.cpu = duration(text, plain, cpu_times);
    if (row.start == VALUE_UNKNOWN || row.start <= 0)
        row.fault = REJECT_BAD_STAMP;
    else if (row.time == VALUE_UNKNOWN)
        row.fault = REJECT_UNFINISHED;
    if (states) {
        states += 8;
        for (end = text + length; end > states && *end != ']';)
            end--; /* a value may hold brackets: the last one counts */
        take_states(jank, states, (size_t)(end - states), &row);
    }
    row.janky = is_jank && jank_length == 4 && memcmp(is_jank, "true", 4) == 0;
    note_version(jank, text, plain);
    array_push(&jank->rows, row);
}

/* A frame is whole when its bracket is closed. */
static bool is_whole(const char *text, size_t length)
{
    const char *states = memmem(text, length, "states=[", 8);

    if (states)
        return memmem(states, length - (size_t)(states - text), "])", 2) != NULL;
    return memchr(text, ')', length) != NULL;
}

static void take_line(struct jankstats *jank, const struct import_line *line)
{
    const struct import_sink *sink = jank->reader->sink;
    const char *end = line->text + line->length;
    const char *at = memmem(line->text, line->length, opening, strlen(opening));

    jank->cut = line->cut && line->length > 0;
    while (at) {
        const char *begin = at + strlen(opening),
                   *next = memmem(begin, (size_t)(end - begin), opening, strlen(opening));
        size_t length = (size_t)((next ? next : end) - begin);

        if (is_whole(begin, length))
            take_frame(jank, begin, length, line->number);
        else
            sink->reject(sink->user, REJECT_SHORT_ROW, line->number, at, length);
        at = next;
    }
}

/* ---- frames ---- */

static int compare_rows(const void *a, const void *b)
{
    const struct jank_row *left = a, *right = b;
    int64_t left_end = left->start + left->time, right_end = right->start + right->time;

    if (left->life != right->life)
        return left->life < right->life ? -1 : 1;
    if (left_end != right_end)
        return left_end < right_end ? -1 : 1;
    return left->line < right->line ? -1 : left->line > right->line;
}

/* Rejects what is no frame or was there before, sorts the others by their ends as long as the clock does not
 * fall. */
static void put_in_order(struct jankstats *jank)
{
    const struct import_sink *sink = jank->reader->sink;
    struct overlap_row *overlap = memory_take_zeroed(jank->rows.count + 1, sizeof *overlap);
    size_t kept = 0;
    uint32_t life = 0;

    for (size_t i = 0; i < jank->rows.count; i++) {
        bool fine = jank->rows.items[i].fault == REJECT_COUNT;

        overlap[i].key = fine ? jank->rows.items[i].start : -(int64_t)i - 1;
        overlap[i].complete = fine;
    }
    overlap_mark(overlap, jank->rows.count);
    for (size_t i = 0; i < jank->rows.count; i++) {
        struct jank_row row = jank->rows.items[i];

        if (row.fault != REJECT_COUNT || overlap[i].repeated) {
            sink->reject(sink->user, overlap[i].repeated ? REJECT_DUPLICATE : row.fault, row.line, NULL, 0);
            continue;
        }
        life += kept > 0 && row.start < jank->rows.items[kept - 1].start;
        row.life = life;
        jank->janky += row.janky;
        jank->rows.items[kept++] = row;
    }
    jank->rows.count = kept;
    if (kept > 1)
        qsort(jank->rows.items, kept, sizeof *jank->rows.items, compare_rows);
    free(overlap);
}

static bool give_frames(struct jankstats *jank, struct error *error)
{
    struct import_context context = {0};
    struct frame_batch batch;
    int64_t values[COLUMN_COUNT];
    bool fine = true;

    for (int i = 0; i < COLUMN_COUNT; i++)
        values[i] = VALUE_UNKNOWN;
    frame_batch_init(&batch, jank->reader->sink);
    for (size_t i = 0; i < jank->rows.count && fine; i++) {
        const struct jank_row *row = &jank->rows.items[i];

        context.field[CONTEXT_SCENE] = row->scene;
        values[COLUMN_STAMP] = row->start + row->time;
        values[COLUMN_FRAME_TIME] = row->time;
        values[COLUMN_CPU] = row->cpu;
        values[COLUMN_EVENT] = row->event ? (int64_t)row->event : VALUE_UNKNOWN;
        fine = frame_batch_set_context(&batch, &context, error) &&
               frame_batch_add(&batch, values, row->line, error);
    }
    fine = fine && frame_batch_flush(&batch, error);
    frame_batch_free(&batch);
    return fine;
}

static bool read_log(struct jankstats *jank, struct error *error)
{
    const struct import_sink *sink = jank->reader->sink;
    struct import_line line;

    while (import_input_next_line(jank->reader->input, &line))
        take_line(jank, &line);
    if (!import_input_end(jank->reader->input, error))
        return false;
    sink->facts(sink->user, &(struct import_source_facts){.version = jank->version,
                                                          .interval = "duration",
                                                          .tests_holes = false,
                                                          .has_clock = true});
    if (jank->cut)
        sink->note(sink->user, "The last line is cut: complete frames were taken.");
    put_in_order(jank);
    if (jank->rows.count > 0 && jank->janky == (int64_t)jank->rows.count)
        sink->note(
            sink->user,
            "All frames of this log are janky: those that were in time seem not to be logged. Figures are "
            "of the logged frames only; log every frame to get distributions.");
    return give_frames(jank, error);
}

static bool jankstats_read(const struct import_reader *reader, struct error *error)
{
    struct jankstats jank = {.reader = reader, .version = ""};
    bool fine = read_log(&jank, error);

    array_free(&jank.rows);
    return fine;
}

static int jankstats_detect(const struct import_sample *sample, const struct import_options *options,
                            struct error *refusal)
{
    (void)options;
    (void)refusal;
    return strstr(sample->text, "FrameData(frameStartNanos=") ? 93 : 0;
}

const struct import_format import_format_jankstats = {
    .name = "jankstats",
    .title = "Log of Android JankStats",
    .recognised_by = "lines with FrameData(frameStartNanos=…",
    .detect = jankstats_detect,
    .read = jankstats_read,
    .lines = true,
};
