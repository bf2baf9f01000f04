/* Values beside frames: collected by lane, handed over once the lane's runs are known. */
#include "assemble_private.h"

#include "stutterscope/base/memory.h"

#include <string.h>

static uint32_t text_id(struct assembler *assembler, const char *text)
{
    return text && *text ? dictionary_add(assembler->texts, text, strlen(text)) : 0;
}

/* Build and device must be known; a scene need not be: tools that write once a second rarely know it. */
static bool is_complete(struct assembler *assembler, const uint32_t facts[CONTEXT_COUNT], int64_t line)
{
    static const enum context_field required[] = {CONTEXT_BUILD, CONTEXT_DEVICE};
    bool complete = true;

    for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
        if (!facts[required[i]]) {
            note_missing(assembler, required[i], line);
            complete = false;
        }
    }
    if (!complete)
        assembler->sink.reject_many(assembler, REJECT_NO_CONTEXT, 1, line);
    return complete;
}

bool assembler_take_sample(void *user, const struct import_context *context, const struct import_value *value,
                           int64_t line, struct error *error)
{
    struct assembler *assembler = user;
    uint32_t facts[CONTEXT_COUNT];
    struct lane *lane;

    for (int i = 0; i < CONTEXT_COUNT; i++)
        facts[i] = joined_field(assembler, context, i);
    if (!is_complete(assembler, facts, line))
        return true;
    if (value->stamp_ns != VALUE_UNKNOWN && (value->stamp_ns > LARGEST_STAMP_NS || value->stamp_ns < -LARGEST_STAMP_NS)) {
        assembler->sink.reject(assembler, REJECT_BAD_STAMP, line, NULL, 0);
        return true;
    }
    lane = find_lane(assembler, facts);
    complete_facts(lane, facts);
    if (!limit_names(assembler, facts, line, error) || !limit_samples(assembler, line, error))
        return false;
    array_push(&lane->samples, (struct early_sample){lane->came, lane->last_stamp, facts[CONTEXT_SCENE], text_id(assembler, value->name),
                                                     text_id(assembler, value->unit), value->value, value->stamp_ns,
                                                     value->snapshot});
    assembler->samples++;
    return limit_texts(assembler, line, error);
}

/* All that is stored of it. A plain value of the first run adds no more than itself: stores remember files by this. */
static void hash_sample(struct assembler *assembler, const struct run_state *run, const struct assembled_sample *sample)
{
    hash_stream_add(assembler->hash, sample->name, strlen(sample->name) + 1);
    hash_stream_add(assembler->hash, sample->unit, strlen(sample->unit) + 1);
    if (sample->scene)
        hash_stream_add(assembler->hash, sample->scene, strlen(sample->scene) + 1);
    hash_stream_add(assembler->hash, &sample->value, sizeof sample->value);
    hash_stream_add(assembler->hash, &sample->stamp_ns, sizeof sample->stamp_ns);
    if (sample->snapshot)
        hash_stream_add(assembler->hash, "snapshot", sizeof "snapshot");
    if (run->number > 0)
        hash_stream_add(assembler->hash, &run->number, sizeof run->number);
}

/* The stamp as the run's frames have theirs: a counter that wrapped before the sample goes on counting. */
static int64_t unwrapped(const struct run_state *run, const struct early_sample *early, int64_t stamp)
{
    int64_t beyond = early->frame_stamp == VALUE_UNKNOWN ? 0 : stamp - lane_scale_stamp(run->lane, early->frame_stamp);
    size_t wraps = 0;

    while (wraps < run->wraps.count && run->wraps.items[wraps] < early->frames_before)
        wraps++;
    if (beyond < -WRAP_NS / 2 && wraps < run->wraps.count)
        wraps++; /* it wrapped between the frame and the sample */
    else if (beyond > WRAP_NS / 2 && wraps > 0)
        wraps--; /* it was measured before, and written late */
    return stamp + (int64_t)wraps * WRAP_NS;
}

/* The run of the frame before it; what is stamped as the beginning of the next run belongs to that one. */
static struct run_state *run_of(struct run_state *run, const struct early_sample *early, int64_t stamp)
{
    while (run->next && run->next->first_frame < early->frames_before)
        run = run->next;
    if (run->next && run->next->first_frame == early->frames_before && stamp != VALUE_UNKNOWN &&
        stamp <= run->next->public.first_stamp_ns && unwrapped(run, early, stamp) < run->public.last_stamp_ns)
        return run->next;
    return run;
}

bool lane_give_samples(struct assembler *assembler, struct lane *lane, struct error *error)
{
    for (size_t i = 0; i < lane->samples.count; i++) {
        const struct early_sample *early = &lane->samples.items[i];
        bool has_clock = early->stamp_ns != VALUE_UNKNOWN;
        int64_t stamp = has_clock ? lane_scale_stamp(lane, early->stamp_ns) : VALUE_UNKNOWN;
        struct assembled_sample sample;
        struct run_state *run;

        if (!lane->first_run && !begin_run(assembler, lane, has_clock ? stamp : 0, 0, has_clock, 0, error))
            return false;
        run = run_of(lane->first_run, early, stamp);
        if (has_clock && run->first_frame < early->frames_before)
            stamp = unwrapped(run, early, stamp);
        sample = (struct assembled_sample){
            .scene = early->scene ? dictionary_text(assembler->texts, early->scene) : NULL,
            .name = dictionary_text(assembler->texts, early->name),
            .unit = dictionary_text(assembler->texts, early->unit),
            .value = early->value,
            .stamp_ns = stamp,
            .snapshot = early->snapshot,
        };
        run->public.samples++;
        hash_sample(assembler, run, &sample);
        if (!assembler->out->add_sample(assembler->out->user, run->number, &sample, error))
            return false;
    }
    lane->samples.count = 0;
    return true;
}
