#include "perfetto_streams.h"

#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/import/batch.h"
#include "stutterscope/import/columns.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_INTERVAL (500 * NS_PER_MS) /* longer: nothing was drawn */

/* Layers that are not the game's, though they may have the most frames. */
static const char *const background[] = {"*animation-leash*", "*Splash Screen*",  "*StatusBar*", "*NavigationBar*",
                                         "*Taskbar*",         "*ScreenDecor*",    "*Wallpaper*", "*InputMethod*",
                                         "*launcher*",        "*com.android.systemui*", NULL};

__attribute__((format(printf, 2, 3))) static void note(const struct trace_data *data, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        abort();
    va_end(arguments);
    data->reader->sink->note(data->reader->sink->user, text);
    free(text);
}

/* ---- who and where ---- */

static uint32_t add_text(const struct trace_data *data, const char *text)
{
    return text && *text ? column_add_text(data->reader->sink->texts, text, strlen(text), NULL) : 0;
}

/* "google/cheetah/cheetah:13/TQ3A.230705.001/10216780:user/release-keys": brand, product, device, release */
static void take_fingerprint(const struct trace_data *data, struct import_context *context)
{
    const char *brand = data->fingerprint, *product, *device, *release;
    char *text;

    if (!brand || !(product = strchr(brand, '/')) || !(device = strchr(product + 1, '/')) ||
        !(release = strchr(device, ':')))
        return;
    text = memory_print("%.*s %.*s", (int)(product - brand), brand, (int)(release - device - 1), device + 1);
    context->field[CONTEXT_DEVICE] = add_text(data, text);
    free(text);
    text = memory_print("Android %.*s", (int)strcspn(release + 1, "/"), release + 1);
    context->field[CONTEXT_OS] = add_text(data, text);
    free(text);
}

static void take_start(const struct trace_data *data, int64_t first, struct import_context *context)
{
    uint32_t clock = data->frame_clock;
    char text[64];

    if (clock > TRACE_BOOTTIME || data->clock[clock] == VALUE_UNKNOWN || data->clock[TRACE_REALTIME] == VALUE_UNKNOWN)
        return;
    clock_print(text, sizeof text, (data->clock[TRACE_REALTIME] + (first - data->clock[clock])) / NS_PER_MS);
    context->field[CONTEXT_STARTED_AT] = add_text(data, text);
}

/* Whole rates, so that jitter makes no difference between runs. */
static void take_refresh(const struct trace_data *data, int64_t period, struct import_context *context)
{
    static const int64_t usual[] = {24, 30, 36, 40, 45, 48, 60, 72, 80, 90, 96, 120, 144, 165, 240};
    int64_t rate;
    char text[32];

    if (period == VALUE_UNKNOWN)
        return;
    rate = (NS_PER_S + period / 2) / period;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (llabs(NS_PER_S - period * usual[i]) * 100 <= NS_PER_S * 3)
            rate = usual[i];
    }
    number_print_scaled(text, sizeof text, rate, 1);
    context->field[CONTEXT_REFRESH_HZ] = add_text(data, text);
    note(data, "The refresh rate comes from the expected timeline of the layer: %s Hz.", text);
}

/* ---- frames ---- */

struct giving {
    struct trace_data *data;
    struct { struct trace_frame *items; size_t count, capacity; } frames; /* finished ones, by their ends */
    struct trace_expected expected;
    struct frame_batch batch;
    bool display;
    int64_t stuffed, shortened;
};

static int compare_ends(const void *a, const void *b)
{
    const struct trace_frame *left = a, *right = b;

    if (left->end != right->end)
        return left->end < right->end ? -1 : 1;
    return left->line < right->line ? -1 : left->line > right->line;
}

static bool is_dropped(const struct trace_frame *frame)
{
    return frame->present == TRACE_DROPPED || (frame->jank & JANK_DROPPED);
}

/* The game was on time, its frame waited in a full queue: all that Android says about it. */
static bool is_stuffed(const struct trace_frame *frame)
{
    uint32_t stuffing = JANK_BUFFER_STUFFING | JANK_SURFACEFLINGER_STUFFING;

    return (frame->jank & stuffing) && !(frame->jank & ~(stuffing | JANK_NONE)) && !is_dropped(frame);
}

/* The wait in the queue is no work and nothing that the player sees: the screen stood for `interval`. */
static int64_t frame_time(struct giving *giving, const struct trace_frame *frame, int64_t interval)
{
    int64_t duration = frame->end - frame->start, allowed = giving->expected.length;

    if (!is_stuffed(frame))
        return duration;
    giving->stuffed++;
    if ((allowed != VALUE_UNKNOWN && duration <= allowed) || interval == VALUE_UNKNOWN || interval >= duration)
        return duration;
    giving->shortened++;
    return interval;
}

static bool give_frame(struct giving *giving, const struct trace_frame *frame, int64_t shown_before, int64_t event,
                       struct error *error)
{
    const struct import_sink *sink = giving->data->reader->sink;
    int64_t values[COLUMN_COUNT], interval = VALUE_UNKNOWN, time;

    for (int i = 0; i < COLUMN_COUNT; i++)
        values[i] = VALUE_UNKNOWN;
    if (!is_dropped(frame) && shown_before != VALUE_UNKNOWN && frame->end > shown_before &&
        frame->end - shown_before <= LONGEST_INTERVAL)
        interval = frame->end - shown_before;
    if (giving->display && is_dropped(frame)) {
        sink->reject(sink->user, REJECT_NOT_DISPLAYED, frame->line, NULL, 0);
        return true;
    }
    time = frame_time(giving, frame, interval);
    values[COLUMN_STAMP] = frame->end;
    values[COLUMN_FRAME_TIME] = giving->display && interval != VALUE_UNKNOWN ? interval : time;
    values[COLUMN_DISPLAY] = giving->display ? time : interval;
    values[COLUMN_EVENT] = event;
    if (frame->present)
        values[COLUMN_FLAGS] = is_dropped(frame) ? FRAME_DROPPED : 0;
    return frame_batch_add(&giving->batch, values, frame->line, error);
}

static bool give_frames(struct giving *giving, int64_t pid, struct error *error)
{
    size_t count = giving->frames.count;
    int64_t *ends = memory_take((count + 1) * sizeof *ends), *events = memory_take((count + 1) * sizeof *events);
    int64_t shown = VALUE_UNKNOWN;
    bool fine = true;

    for (size_t i = 0; i < count; i++)
        ends[i] = giving->frames.items[i].end;
    trace_events(giving->data, pid, ends, count, events);
    for (size_t i = 0; i < count && fine; i++) {
        fine = give_frame(giving, &giving->frames.items[i], shown, events[i], error);
        if (!is_dropped(&giving->frames.items[i]))
            shown = giving->frames.items[i].end;
    }
    free(ends);
    free(events);
    return fine && frame_batch_flush(&giving->batch, error);
}

/* ---- what Android thinks of the frames ---- */

static void note_jank(const struct giving *giving)
{
    static const struct {
        uint32_t bit;
        const char *words;
    } kinds[] = {{64, "the app missed its deadline"},
                 {128, "buffer stuffing"},
                 {2, "SurfaceFlinger scheduling"},
                 {16, "SurfaceFlinger's CPU deadline"},
                 {32, "SurfaceFlinger's GPU deadline"},
                 {512, "SurfaceFlinger stuffing"},
                 {8, "display HAL"},
                 {4, "prediction error"},
                 {1024, "dropped"},
                 {2048, "not animating"},
                 {256, "unknown"}};
    struct text_buffer list = {0};
    char *text;

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int64_t times = 0;

        for (size_t i = 0; i < giving->frames.count; i++)
            times += (giving->frames.items[i].jank & kinds[k].bit) != 0;
        if (times > 0)
            text_add_print(&list, "%s%s %" PRId64, list.count ? ", " : "", kinds[k].words, times);
    }
    text = text_take(&list);
    if (*text)
        note(giving->data, "Late frames as Android explains them (a frame may have several reasons): %s.", text);
    free(text);
    if (giving->stuffed > 0)
        note(giving->data,
             "%" PRId64 " frames were only late because the queue was full (buffer stuffing): the game was on time. %" PRId64
             " of them took longer than expected and count with the time that the screen stood instead.",
             giving->stuffed, giving->shortened);
}

/* ---- the stream ---- */

static void begin(struct giving *giving, struct import_context *context)
{
    const struct trace_data *data = giving->data;
    const struct import_sink *sink = data->reader->sink;
    const char *interval = data->reader->options->interval;

    giving->display = interval && strcmp(interval, "display") == 0;
    sink->facts(sink->user, &(struct import_source_facts){.version = data->recorder ? data->recorder : "",
                                                          .interval = giving->display ? "display" : "duration",
                                                          .tests_holes = giving->display,
                                                          .has_clock = true});
    take_fingerprint(data, context);
    context->field[CONTEXT_SOC] = add_text(data, data->soc);
    if (giving->frames.count > 0)
        take_start(data, giving->frames.items[0].start, context);
    take_refresh(data, giving->expected.period, context);
    frame_batch_init(&giving->batch, sink);
    giving->batch.context = *context;
}

static bool give_stream(struct trace_data *data, const uint32_t *heirs, uint32_t layer, struct error *error)
{
    const struct import_sink *sink = data->reader->sink;
    const char *key = dictionary_text(data->layers, layer);
    struct giving giving = {.data = data};
    struct import_context context = {0};
    int64_t unfinished = 0, first_unfinished = 0;
    bool fine;

    for (size_t i = 0; i < data->frames.count; i++) {
        const struct trace_frame *frame = &data->frames.items[i];

        if (frame->expected || heirs[frame->layer - 1] != layer)
            continue;
        if (frame->end != VALUE_UNKNOWN) {
            array_push(&giving.frames, *frame);
            continue;
        }
        if (unfinished++ == 0 || frame->line < first_unfinished)
            first_unfinished = frame->line;
    }
    if (giving.frames.count > 0)
        qsort(giving.frames.items, giving.frames.count, sizeof *giving.frames.items, compare_ends);
    trace_expected(data, heirs, layer, &giving.expected);
    begin(&giving, &context);
    if (unfinished > 0)
        sink->reject_many(sink->user, REJECT_UNFINISHED, unfinished, first_unfinished);
    fine = give_frames(&giving, strtoll(strrchr(key, '|') + 1, NULL, 10), error);
    if (fine)
        note_jank(&giving);
    frame_batch_free(&giving.batch);
    array_free(&giving.frames);
    return fine;
}

static bool explain_nothing(const struct trace_data *data, struct error *error)
{
    static const char advice[] = "Record on Android 12 or later with the data source android.surfaceflinger.frametimeline.";

    if (data->display_frames > 0)
        return error_set(error, ERROR_INPUT,
                         "no frames: the trace holds the frame timeline of the display only, no app's layer (games in a "
                         "SurfaceView lack it on some versions of Android). Use dumpsys SurfaceFlinger --latency for these.");
    return error_set(error, ERROR_INPUT, "no frames: the trace holds no frame timeline packets. %s", advice);
}

bool trace_give(struct trace_data *data, struct error *error)
{
    struct stream_table streams;
    uint32_t *heirs;
    size_t chosen, joined = 0, actual = 0;
    bool fine;

    for (size_t i = 0; i < data->frames.count; i++)
        actual += !data->frames.items[i].expected;
    if (actual == 0)
        return explain_nothing(data, error);
    heirs = trace_join_layers(data);
    stream_table_init(&streams);
    for (size_t i = 0; i < data->frames.count; i++) {
        const struct trace_frame *frame = &data->frames.items[i];
        const char *key = dictionary_text(data->layers, heirs[frame->layer - 1]);

        if (!frame->expected)
            stream_table_count(&streams, key, strlen(key), frame->line);
    }
    fine = stream_table_choose(&streams, data->reader->options->stream, background, &chosen, error);
    if (fine) {
        const char *key = stream_table_key(&streams, chosen);
        uint32_t layer = dictionary_find(data->layers, key, strlen(key));

        for (size_t i = 0; i < dictionary_count(data->layers); i++)
            joined += heirs[i] == layer && i + 1 != layer;
        if (joined > 0)
            note(data, "%zu more layers are the same surface, made again: their frames were joined.", joined);
        fine = give_stream(data, heirs, layer, error);
        stream_table_report(&streams, chosen, data->reader->sink);
    }
    stream_table_free(&streams);
    free(heirs);
    return fine;
}
