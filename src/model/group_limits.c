/* What the frames of a group are held against, from what their telemetry says of its frame rate. */
#include "internal.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/store/frames.h"
#include <stdlib.h>

struct fps_count {
    int64_t fps_milli, frames;
};
struct fps_counts {
    struct fps_count *items;
    size_t count, capacity;
};

static void count_frames(struct fps_counts *counts, int64_t fps_milli, int64_t frames)
{
    for (size_t i = 0; i < counts->count; i++)
        if (counts->items[i].fps_milli == fps_milli) {
            counts->items[i].frames += frames;
            return;
        }
    array_push(counts, (struct fps_count){fps_milli, frames});
}

bool model_group_limits(struct model *model, const struct group_key *key, struct frame_limits *ret, struct error *error)
{
    const struct segment_filter filter = {.build = key->build, .device = key->device, .scene = key->scene, .quality = key->quality};
    const struct device_row *device = model_device(model, key->device);
    const struct run_list *runs = model_build_runs(model, key->build, error);
    const struct run_row unsaid = {.target_fps_milli = VALUE_UNKNOWN, .refresh_milli_hz = VALUE_UNKNOWN};
    struct fps_count most = {model_fps_milli(model, &unsaid, device, VALUE_UNKNOWN, VALUE_UNKNOWN), 0};
    struct segment_list segments = {0};
    struct fps_counts counts = {0};
    bool good = runs && store_list_segments(model->store, &filter, &segments, error);

    for (size_t i = 0; i < segments.count && good; i++) {
        const struct segment_row *segment = &segments.items[i];
        const struct run_row *run = run_list_find(runs, segment->run);

        if (run) /* else of another series */
            count_frames(&counts, model_fps_milli(model, run, device, segment->target_fps_milli, segment->refresh_milli_hz), segment->count);
    }
    for (size_t i = 0; i < counts.count; i++)
        if (counts.items[i].frames > most.frames)
            most = counts.items[i];
    *ret = frame_limits_of(&model->settings, most.fps_milli);
    array_free(&counts);
    segment_list_free(&segments);
    return good;
}
