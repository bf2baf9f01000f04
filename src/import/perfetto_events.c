#include "perfetto.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/import/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_PER_EVENT 20 /* what happens more often than every so many frames is work, not an event */
#define ALWAYS_AN_EVENT  3
#define MOST_SHIFT       3  /* frames; a frame has one event, the next begins on a frame after it */

/* Slices that Android's own parts write into the process of an app. */
static const char *const of_the_system[] = {
    "activity*", "perform*", "inflate", "handle*",  "deliver*", "bind*",   "create*",    "traversal", "measure",
    "layout",    "draw",     "input",   "animation", "commit",  "egl*",    "vulkan*",    "dequeue*",  "queue*",
    "VerifyClass*", "OpenDex*", "Jit*", "GC",        "*GC",     "Looper*", "Startup",    "*Initializer", "binder*",
    "Compose:*",  "compose:*", "AndroidOwner:*", "TextLayout:*", "Recomposer:*", "fire*",
    "setup*",    "relayout*", "register*", "art*",  "monitor*", "postAndWait", "syncFrameState", NULL};

/* The user's word: "--map event_name=PATTERN" names the slices that are events. */
static const char *wanted_pattern(const struct import_options *options)
{
    for (size_t i = 0; i < options->map_count; i++) {
        if (strncmp(options->maps[i], "event_name=", 11) == 0)
            return options->maps[i] + 11;
    }
    return NULL;
}

static bool is_event(const char *name, uint32_t times, size_t frames, const char *pattern)
{
    if (pattern)
        return text_matches_glob(pattern, name);
    for (size_t i = 0; of_the_system[i]; i++) {
        if (text_matches_glob(of_the_system[i], name))
            return false;
    }
    return times <= ALWAYS_AN_EVENT || times <= frames / FRAMES_PER_EVENT;
}

/* The text id of each name that is an event of the process; 0: it is none. */
static uint32_t *find_events(const struct trace_data *data, int64_t pid, size_t frames)
{
    uint32_t *ids = memory_take_zeroed(data->mark_counts.count + 1, sizeof *ids);
    const char *pattern = wanted_pattern(data->reader->options);
    char *owner = memory_print("%" PRId64 "|", pid);

    for (size_t i = 0; i < data->mark_counts.count; i++) {
        const char *key = dictionary_text(data->names, (uint32_t)i + 1), *name = key + strlen(owner);

        if (strncmp(key, owner, strlen(owner)) == 0 && is_event(name, data->mark_counts.items[i], frames, pattern))
            ids[i] = column_add_text(data->reader->sink->texts, name, strlen(name), NULL);
    }
    free(owner);
    return ids;
}

static size_t first_at_or_after(const int64_t *ends, size_t count, int64_t time)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (ends[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int compare_marks(const void *a, const void *b)
{
    const struct trace_mark *left = a, *right = b;

    return left->time != right->time ? (left->time < right->time ? -1 : 1) : left->name < right->name ? -1 : left->name > right->name;
}

void trace_events(const struct trace_data *data, int64_t pid, const int64_t *ends, size_t count, int64_t *events)
{
    uint32_t *ids = find_events(data, pid, count);
    int64_t shift = 0, placed = 0, lost = 0;
    uint32_t clock = data->frame_clock;
    char *note;

    for (size_t i = 0; i < count; i++)
        events[i] = VALUE_UNKNOWN;
    /* Slices are stamped with the boot clock. */
    if (clock <= TRACE_BOOTTIME && clock != TRACE_BOOTTIME && data->clock[clock] != VALUE_UNKNOWN &&
        data->clock[TRACE_BOOTTIME] != VALUE_UNKNOWN)
        shift = data->clock[clock] - data->clock[TRACE_BOOTTIME];
    if (data->marks.count > 0)
        qsort(data->marks.items, data->marks.count, sizeof *data->marks.items, compare_marks);
    for (size_t i = 0; i < data->marks.count; i++) {
        const struct trace_mark *mark = &data->marks.items[i];
        size_t frame;

        if (!ids[mark->name - 1])
            continue;
        frame = first_at_or_after(ends, count, mark->time + shift);
        for (size_t tries = 0; tries < MOST_SHIFT && frame < count && events[frame] != VALUE_UNKNOWN; tries++)
            frame++;
        if (frame < count && events[frame] == VALUE_UNKNOWN) {
            events[frame] = ids[mark->name - 1];
            placed++;
        } else {
            lost++;
        }
    }
    free(ids);
    if (placed + lost == 0)
        return;
    note = memory_print("%" PRId64 " events come from the game's own trace slices (names of one word, at most one in %d "
                        "frames); --map event_name=PATTERN says which slices are events.",
                        placed, FRAMES_PER_EVENT);
    data->reader->sink->note(data->reader->sink->user, note);
    free(note);
    if (lost > 0) {
        note = memory_print("%" PRId64 " events found no frame of their own and were left out.", lost);
        data->reader->sink->note(data->reader->sink->user, note);
        free(note);
    }
}
