#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/batch.h"
#include "stutterscope/import/format.h"
#include "stutterscope/import/streams.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * `dumpsys SurfaceFlinger --latency LAYER`: the refresh period, then a ring of 127 presents of the layer as
 * three stamps of CLOCK_MONOTONIC in ns (desired, actual, ready). A frame time is the distance of two actual
 * presents. The layer's name is not in the text: dumps that share presents belong to one layer.
 */

#define SHORTEST_PERIOD 1000000LL
#define LONGEST_PERIOD  1000000000LL
#define FULL_RING       127
#define MOST_LAYERS     64

struct present {
    int64_t actual, line;
    uint32_t refresh; /* text */
    bool begins;      /* the first of its dump: how long it took is not known */
};
struct presents {
    struct present *items;
    size_t count, capacity;
};
struct layer {
    char *label;           /* "" where the file has none */
    size_t stream, newest; /* newest: where the rows of its last dump begin */
    struct presents presents;
};
struct latency {
    const struct import_reader *reader;
    struct {
        struct layer *items;
        size_t count, capacity;
    } layers;
    struct stream_table streams;
    struct text_buffer label;
    struct presents dump;
    uint32_t refresh;
    size_t rows_of_dump;
    bool in_dump, cut;
    int64_t dumps, rows, zeros, first_zero, pending;
};

/* ---- lines ---- */

#define FIELDS 3

struct fields {
    const char *text[FIELDS];
    size_t length[FIELDS];
    size_t count; /* FIELDS + 1: there are more */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void split(const char *line, size_t length, struct fields *ret)
{
    const char *at = line, *end = line + length;

    ret->count = 0;
    for (;;) {
        while (at < end && is_blank(*at))
            at++;
        if (at == end || ret->count > FIELDS)
            return;
        if (ret->count < FIELDS)
            ret->text[ret->count] = at;
        while (at < end && !is_blank(*at))
            at++;
        if (ret->count < FIELDS)
            ret->length[ret->count] = (size_t)(at - ret->text[ret->count]);
        ret->count++;
    }
}

static bool take_number(const struct fields *fields, size_t which, int64_t *ret)
{
    for (size_t i = 0; i < fields->length[which]; i++) {
        if (fields->text[which][i] < '0' || fields->text[which][i] > '9')
            return false;
    }
    return number_parse_scaled(fields->text[which], fields->length[which], 1, false, ret) == NUMBER_OK;
}

static bool is_period(const struct fields *fields, int64_t *ret)
{
    return fields->count == 1 && take_number(fields, 0, ret) && *ret >= SHORTEST_PERIOD &&
           *ret <= LONGEST_PERIOD;
}

static bool is_row(const struct fields *fields, int64_t numbers[FIELDS])
{
    if (fields->count != FIELDS)
        return false;
    for (size_t i = 0; i < FIELDS; i++) {
        if (!take_number(fields, i, &numbers[i]))
            return false;
    }
    return true;
}

/* ---- layers ---- */

static int compare_presents(const void *a, const void *b)
{
    const struct present *left = a, *right = b;

    if (left->actual != right->actual)
        return left->actual < right->actual ? -1 : 1;
    return left->line < right->line ? -1 : left->line > right->line;
}

static bool shares_presents(const struct layer *layer, const struct presents *dump)
{
    size_t mine = layer->newest, theirs = 0;

    while (mine < layer->presents.count && theirs < dump->count) {
        int64_t a = layer->presents.items[mine].actual, b = dump->items[theirs].actual;

        if (a == b)
            return true;
        if (a < b)
            mine++;
        else
            theirs++;
    }
    return false;
}

static struct layer *add_layer(struct latency *latency, const char *label)
{
    const char *name = *label ? label : "layer";
    char *key = NULL;
    size_t number = 1;

    for (size_t i = 0; i < latency->layers.count; i++)
        number += strcmp(latency->layers.items[i].label, label) == 0;
    key = number > 1 ? memory_print("%s (%zu)", name, number) : memory_copy_text(name);
    array_push(&latency->layers,
               (struct layer){.label = memory_copy_text(label),
                              .stream = stream_table_count(&latency->streams, key, strlen(key),
                                                           latency->dump.items[0].line)});
    free(key);
    return &latency->layers.items[latency->layers.count - 1];
}

/* The layer of a dump in order: it shares presents, or goes on later than those before; else it is another
 * one. */
static struct layer *find_layer(struct latency *latency, const char *label)
{
    struct layer *later = NULL;

    for (size_t i = latency->layers.count; i-- > 0;) {
        struct layer *layer = &latency->layers.items[i];

        if (strcmp(layer->label, label) != 0)
            continue;
        if (shares_presents(layer, &latency->dump))
            return layer;
        if (layer->presents.items[layer->presents.count - 1].actual < latency->dump.items[0].actual)
            later = later ? later : layer;
    }
    if (later || latency->layers.count == MOST_LAYERS)
        return later;
    return add_layer(latency, label);
}

static void end_dump(struct latency *latency)
{
    const struct import_sink *sink = latency->reader->sink;
    struct presents *dump = &latency->dump;
    struct layer *layer;

    if (dump->count == 0)
        return;
    qsort(dump->items, dump->count, sizeof *dump->items, compare_presents);
    dump->items[0].begins = true;
    layer = find_layer(latency, latency->label.count ? latency->label.items : "");
    if (!layer) {
        sink->reject_many(sink->user, REJECT_OTHER_STREAM, (int64_t)dump->count, dump->items[0].line);
        dump->count = 0;
        return;
    }
    layer->newest = layer->presents.count;
    for (size_t i = 0; i < dump->count; i++) {
        const char *key = stream_table_key(&latency->streams, layer->stream);

        if (layer->presents.count > 0) /* add_layer() counted the first */
            stream_table_count(&latency->streams, key, strlen(key), dump->items[i].line);
        array_push(&layer->presents, dump->items[i]);
    }
    dump->count = 0;
}

/* ---- reading ---- */

static void begin_dump(struct latency *latency, int64_t period)
{
    struct dictionary *texts = latency->reader->sink->texts;
    char text[32];

    end_dump(latency);
    number_print_scaled(text, sizeof text, (1000 * NS_PER_S + period / 2) / period, 1000);
    latency->refresh = dictionary_add(texts, text, strlen(text));
    latency->rows_of_dump = 0;
    latency->in_dump = true;
    latency->dumps++;
}

static void take_row(struct latency *latency, const struct fields *fields, const int64_t numbers[FIELDS],
                     const struct import_line *line)
{
    const struct import_sink *sink = latency->reader->sink;

    latency->rows++;
    latency->rows_of_dump++;
    if (line->cut && fields->length[2] != fields->length[1]) {
        sink->reject(sink->user, REJECT_SHORT_ROW, line->number, line->text, line->length);
    } else if (numbers[0] == 0 && numbers[1] == 0 && numbers[2] == 0) {
        latency->first_zero = latency->zeros++ ? latency->first_zero : line->number;
    } else if (numbers[1] == 0 || numbers[1] == INT64_MAX) {
        latency->pending++;
        sink->reject(sink->user, REJECT_UNFINISHED, line->number, line->text, line->length);
    } else {
        array_push(&latency->dump, (struct present){numbers[1], line->number, latency->refresh, false});
    }
}

/* Scripts write the layer's name before its dump; other lines (dates, say) name nothing. */
static void take_text(struct latency *latency, const struct import_line *line)
{
    char *clean;

    if (!memmem(line->text, line->length, "SurfaceView", 11) && !memchr(line->text, '/', line->length) &&
        !memchr(line->text, '#', line->length))
        return;
    end_dump(latency);
    clean = text_clean(line->text, line->length);
    free(text_take(&latency->label));
    text_add(&latency->label, clean);
    free(clean);
}

static void take_line(struct latency *latency, const struct import_line *line)
{
    const struct import_sink *sink = latency->reader->sink;
    struct fields fields;
    int64_t numbers[FIELDS], period;

    split(line->text, line->length, &fields);
    if (fields.count == 0) {
        latency->in_dump = false; /* a dump ends with an empty line */
        return;
    }
    latency->cut = line->cut;
    if (is_period(&fields, &period) && !line->cut)
        begin_dump(latency, period);
    else if (latency->dumps > 0 && is_row(&fields, numbers))
        take_row(latency, &fields, numbers, line);
    else if (line->cut)
        sink->reject(sink->user, REJECT_SHORT_ROW, line->number, line->text, line->length);
    else if (latency->in_dump && line->length > 0 && *fields.text[0] >= '0' && *fields.text[0] <= '9')
        sink->reject(sink->user, REJECT_MALFORMED, line->number, line->text, line->length);
    else
        take_text(latency, line);
}

/* ---- frames ---- */

/* Sorts and leaves one of each present; one that is the first of all its dumps begins anew. */
static void merge_dumps(const struct import_reader *reader, struct presents *presents)
{
    size_t kept = 0, repeated = 0;
    int64_t first_line = INT64_MAX;

    qsort(presents->items, presents->count, sizeof *presents->items, compare_presents);
    for (size_t i = 0; i < presents->count; i++) {
        const struct present *present = &presents->items[i];

        if (kept > 0 && presents->items[kept - 1].actual == present->actual) {
            presents->items[kept - 1].begins = presents->items[kept - 1].begins && present->begins;
            first_line = present->line < first_line ? present->line : first_line;
            repeated++;
            continue;
        }
        presents->items[kept++] = *present;
    }
    presents->count = kept;
    if (repeated > 0)
        reader->sink->reject_many(reader->sink->user, REJECT_DUPLICATE, (int64_t)repeated, first_line);
}

static void note_beginnings(const struct import_reader *reader, const struct presents *presents)
{
    int64_t count = 0;
    char *note;

    for (size_t i = 0; i < presents->count; i++)
        count += presents->items[i].begins;
    if (count == 1)
        return;
    note = memory_print("Between the dumps presents are missing at %" PRId64
                        " places: dump more often than every %d frames to have all.",
                        count - 1, FULL_RING);
    reader->sink->note(reader->sink->user, note);
    free(note);
}

static bool give_frames(struct latency *latency, struct presents *presents, struct error *error)
{
    const struct import_reader *reader = latency->reader;
    struct import_context context = {0};
    struct frame_batch batch;
    int64_t values[COLUMN_COUNT];
    bool fine = true;

    merge_dumps(reader, presents);
    if (presents->count < 2)
        return error_set(error, ERROR_INPUT,
                         "no frames: the layer has a single present, a frame time needs two.");
    note_beginnings(reader, presents);
    reader->sink->facts(reader->sink->user,
                        &(struct import_source_facts){
                            .version = "", .interval = "display", .tests_holes = true, .has_clock = true});
    for (int i = 0; i < COLUMN_COUNT; i++)
        values[i] = VALUE_UNKNOWN;
    frame_batch_init(&batch, reader->sink);
    for (size_t i = 1; i < presents->count && fine; i++) {
        const struct present *present = &presents->items[i];

        if (present->begins)
            continue;
        values[COLUMN_STAMP] = present->actual;
        values[COLUMN_FRAME_TIME] = present->actual - present[-1].actual;
        context.field[CONTEXT_REFRESH_HZ] = present->refresh;
        fine = frame_batch_set_context(&batch, &context, error) &&
               frame_batch_add(&batch, values, present->line, error);
    }
    fine = fine && frame_batch_flush(&batch, error);
    frame_batch_free(&batch);
    return fine;
}

static bool explain_nothing(const struct latency *latency, struct error *error)
{
    if (latency->zeros > 0 && latency->pending == 0)
        return error_set(
            error, ERROR_INPUT,
            "line %" PRId64
            ": all rows are zero: this layer presents nothing, it is not the game's. Since Android 12 the "
            "game's layer is \"SurfaceView[PACKAGE/ACTIVITY](BLAST)#0\"; adb shell dumpsys SurfaceFlinger "
            "--list shows the names.",
            latency->first_zero);
    if (latency->rows > 0)
        return error_set(error, ERROR_INPUT, "no frames: none of the %" PRId64 " rows is a finished present.",
                         latency->rows);
    return error_set(
        error, ERROR_INPUT,
        "no rows after the refresh period: name the game's layer, adb shell dumpsys SurfaceFlinger "
        "--latency \"SurfaceView[PACKAGE/ACTIVITY](BLAST)#0\".");
}

static bool choose_layer(struct latency *latency, struct error *error)
{
    size_t chosen;

    if (!stream_table_choose(&latency->streams, latency->reader->options->stream, NULL, &chosen, error))
        return false;
    stream_table_report(&latency->streams, chosen, latency->reader->sink);
    for (size_t i = 0; i < latency->layers.count; i++) {
        if (latency->layers.items[i].stream == chosen)
            return give_frames(latency, &latency->layers.items[i].presents, error);
    }
    return error_set(error, ERROR_INPUT, "the layer that was chosen has no frames.");
}

static bool read_dumps(struct latency *latency, struct error *error)
{
    const struct import_sink *sink = latency->reader->sink;
    struct import_line line;

    while (import_input_next_line(latency->reader->input, &line))
        take_line(latency, &line);
    if (!import_input_end(latency->reader->input, error))
        return false;
    end_dump(latency);
    if (latency->layers.count == 0)
        return explain_nothing(latency, error);
    if (latency->cut || (latency->in_dump && latency->rows_of_dump < FULL_RING))
        sink->note(sink->user,
                   "The last dump has no end (fewer rows than a ring holds, no empty line): it may be cut. "
                   "Complete rows were taken.");
    if (latency->zeros > 0)
        sink->reject_many(sink->user, REJECT_EMPTY, latency->zeros, latency->first_zero);
    return choose_layer(latency, error);
}

static bool surfaceflinger_read(const struct import_reader *reader, struct error *error)
{
    struct latency latency = {.reader = reader};
    bool fine;

    stream_table_init(&latency.streams);
    fine = read_dumps(&latency, error);
    for (size_t i = 0; i < latency.layers.count; i++) {
        array_free(&latency.layers.items[i].presents);
        free(latency.layers.items[i].label);
    }
    array_free(&latency.layers);
    array_free(&latency.dump);
    free(text_take(&latency.label));
    stream_table_free(&latency.streams);
    return fine;
}

/* A line with the refresh period, then rows of three integers; a name may stand before. */
static int surfaceflinger_detect(const struct import_sample *sample, const struct import_options *options,
                                 struct error *refusal)
{
    const char *at = sample->text, *end = sample->text + sample->length;
    bool has_period = false;
    int others = 0;

    (void)options;
    (void)refusal;
    while (at < end && others < 5) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        struct fields fields;
        int64_t numbers[FIELDS];

        stop = stop ? stop : end;
        split(at, (size_t)(stop - at), &fields);
        if (has_period && is_row(&fields, numbers))
            return 85;
        if (is_period(&fields, numbers))
            has_period = true;
        else if (fields.count > 0)
            others++;
        at = stop + 1;
    }
    return has_period && others == 0 && sample->whole ? 60 : 0;
}

const struct import_format import_format_surfaceflinger = {
    .name = "surfaceflinger",
    .title = "Android dumpsys SurfaceFlinger --latency",
    .recognised_by = "a line with the refresh period in ns, then rows of three integers",
    .detect = surfaceflinger_detect,
    .read = surfaceflinger_read,
};
