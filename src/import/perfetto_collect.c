#include "perfetto.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FRAMES     4000000 /* of all layers: hours */
#define MOST_NAMES      100000  /* of slices */
#define MOST_LONG_NAME  200
#define MOST_OF_A_NAME  1000    /* an event is rare; more are counted only */

void trace_data_init(struct trace_data *data, const struct import_reader *reader)
{
    memset(data, 0, sizeof *data);
    data->reader = reader;
    data->layers = dictionary_create();
    data->names = dictionary_create();
    for (size_t i = 0; i <= TRACE_BOOTTIME; i++)
        data->clock[i] = VALUE_UNKNOWN;
}

void trace_data_free(struct trace_data *data)
{
    dictionary_destroy(data->layers);
    dictionary_destroy(data->names);
    array_free(&data->frames);
    array_free(&data->ends);
    array_free(&data->marks);
    array_free(&data->mark_counts);
    free(data->fingerprint);
    free(data->recorder);
    free(data->soc);
}

/* ---- frames ---- */

static uint32_t layer_of(struct trace_data *data, const Trace__SurfaceFrame *surface)
{
    char *layer = text_clean(surface->layer ? surface->layer : "", surface->layer ? strlen(surface->layer) : 0);
    char *key = memory_print("%s|%d", *layer ? layer : "(unnamed)", (int)surface->pid);
    uint32_t id = dictionary_add(data->layers, key, strlen(key));

    free(layer);
    free(key);
    return id;
}

static bool add_frame(struct trace_data *data, const Trace__SurfaceFrame *surface, bool expected,
                      const Trace__Packet *packet, int64_t number, struct error *error)
{
    if (data->frames.count >= MOST_FRAMES || data->ends.count >= 2 * MOST_FRAMES)
        return error_set(error, ERROR_INPUT,
                         "packet %lld: more than %d frames in one trace. Record shorter traces, or cut this one.",
                         (long long)number, MOST_FRAMES);
    array_push(&data->frames, (struct trace_frame){
                                  .cookie = surface->cookie,
                                  .start = (int64_t)packet->time,
                                  .end = VALUE_UNKNOWN,
                                  .line = number,
                                  .layer = layer_of(data, surface),
                                  .jank = expected ? 0 : (uint32_t)surface->jank,
                                  .present = expected ? 0 : (uint8_t)(surface->present & 0xff),
                                  .expected = expected,
                              });
    if (!data->frame_clock)
        data->frame_clock = packet->has_clock ? packet->clock : TRACE_BOOTTIME;
    return true;
}

static bool take_timeline(struct trace_data *data, const Trace__Packet *packet, int64_t number, struct error *error)
{
    const Trace__TimelineEvent *event = packet->timeline;

    data->display_frames += event->actual_display != NULL;
    data->display_starts += event->actual_display != NULL || event->expected_display != NULL;
    if (event->end && data->ends.count < 2 * MOST_FRAMES)
        array_push(&data->ends, (struct trace_end){event->end->cookie, (int64_t)packet->time, number});
    if (event->actual_surface)
        return add_frame(data, event->actual_surface, false, packet, number, error);
    return !event->expected_surface || add_frame(data, event->expected_surface, true, packet, number, error);
}

/* ---- marks ---- */

/* Names of parts of the system hold blanks, brackets, '#': "Choreographer#doFrame 12", "Lock contention on (…)". */
static bool is_word(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = name[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("_-.:/", c) ||
              (unsigned char)c >= 0x80))
            return false;
    }
    return length > 0 && length <= MOST_LONG_NAME;
}

/* "B|pid|name", "S|pid|name|cookie", "I|pid|name", "N|pid|track|name" */
static void take_print(struct trace_data *data, const char *text, int64_t time, int64_t number)
{
    const char *pid, *name, *end;
    char *key;
    uint32_t id;

    if (!*text || !strchr("BSIN", *text) || text[1] != '|')
        return;
    pid = text + 2;
    name = pid + strspn(pid, "0123456789");
    if (name == pid || *name++ != '|')
        return;
    if (*text == 'N') {
        name = strchr(name, '|');
        if (!name)
            return;
        name++;
    }
    end = name + strcspn(name, *text == 'S' ? "|\n" : "\n");
    if (!is_word(name, (size_t)(end - name)) || !text_is_valid_utf8(name, (size_t)(end - name)) ||
        dictionary_count(data->names) >= MOST_NAMES)
        return;
    key = memory_copy_bytes(pid, (size_t)(end - pid));
    if (*text == 'N') { /* without the name of the track */
        free(key);
        key = memory_print("%.*s|%.*s", (int)strspn(pid, "0123456789"), pid, (int)(end - name), name);
    }
    id = dictionary_add(data->names, key, strlen(key));
    free(key);
    if (id > data->mark_counts.count)
        array_push(&data->mark_counts, 0);
    if (data->mark_counts.items[id - 1]++ < MOST_OF_A_NAME)
        array_push(&data->marks, (struct trace_mark){time, number, id});
}

/* ---- packets ---- */

static void keep_text(char **place, const char *text)
{
    if (!*place && text && *text)
        *place = text_clean(text, strnlen(text, 400));
}

static void take_clocks(struct trace_data *data, const Trace__ClockSnapshot *snapshot)
{
    if (data->clock[TRACE_BOOTTIME] != VALUE_UNKNOWN)
        return;
    for (size_t i = 0; i < snapshot->n_clock; i++) {
        const Trace__Clock *clock = snapshot->clock[i];

        if (clock->id <= TRACE_BOOTTIME && clock->time < (uint64_t)INT64_MAX / 2)
            data->clock[clock->id] = (int64_t)clock->time;
    }
}

bool trace_data_take(struct trace_data *data, const Trace__Packet *packet, int64_t number, struct error *error)
{
    if (packet->clocks)
        take_clocks(data, packet->clocks);
    if (packet->system) {
        keep_text(&data->fingerprint, packet->system->fingerprint);
        keep_text(&data->recorder, packet->system->recorder);
        keep_text(&data->soc, packet->system->soc);
    }
    for (size_t i = 0; packet->ftrace && i < packet->ftrace->n_event; i++) {
        const Trace__FtraceEvent *event = packet->ftrace->event[i];

        if (event->print && event->print->text && event->time < (uint64_t)INT64_MAX / 2)
            take_print(data, event->print->text, (int64_t)event->time, number);
    }
    if (!packet->timeline)
        return true;
    if (packet->time >= (uint64_t)INT64_MAX / 2) {
        if (packet->timeline->actual_surface)
            data->reader->sink->reject(data->reader->sink->user, REJECT_BAD_STAMP, number, NULL, 0);
        return true;
    }
    return take_timeline(data, packet, number, error);
}

/* ---- starts and ends ---- */

static int compare(int64_t left, int64_t right)
{
    return left < right ? -1 : left > right;
}

static int compare_frames(const void *a, const void *b)
{
    const struct trace_frame *left = a, *right = b;

    return left->cookie != right->cookie ? compare(left->cookie, right->cookie) : compare(left->line, right->line);
}

static int compare_ends(const void *a, const void *b)
{
    const struct trace_end *left = a, *right = b;

    return left->cookie != right->cookie ? compare(left->cookie, right->cookie) : compare(left->line, right->line);
}

void trace_data_join(struct trace_data *data)
{
    size_t at = 0, kept = 0, used = 0;

    if (data->frames.count == 0)
        return;
    qsort(data->frames.items, data->frames.count, sizeof *data->frames.items, compare_frames);
    if (data->ends.count > 0)
        qsort(data->ends.items, data->ends.count, sizeof *data->ends.items, compare_ends);
    for (size_t i = 0; i < data->frames.count; i++) {
        struct trace_frame *frame = &data->frames.items[i];

        while (at < data->ends.count && data->ends.items[at].cookie < frame->cookie)
            at++;
        if (at < data->ends.count && data->ends.items[at].cookie == frame->cookie) {
            frame->end = data->ends.items[at++].time;
            used++;
        }
        if (!frame->expected || frame->end != VALUE_UNKNOWN)
            data->frames.items[kept++] = *frame;
    }
    data->frames.count = kept;
    data->ends_alone = (int64_t)(data->ends.count - used) - data->display_starts;
    array_free(&data->ends);
}
