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
    lane = find_lane(assembler, facts);
    complete_facts(lane, facts);
    if (!limit_names(assembler, facts, line, error) || !limit_texts(assembler, line, error))
        return false;
    assembler->samples++;
    array_push(&lane->samples, (struct early_sample){lane->run, facts[CONTEXT_SCENE], text_id(assembler, value->name),
                                                     text_id(assembler, value->unit), value->value, value->stamp_ns,
                                                     value->snapshot});
    return true;
}

static void hash_sample(struct assembler *assembler, const struct assembled_sample *sample)
{
    hash_stream_add(assembler->hash, sample->name, strlen(sample->name) + 1);
    hash_stream_add(assembler->hash, sample->unit, strlen(sample->unit) + 1);
    if (sample->scene)
        hash_stream_add(assembler->hash, sample->scene, strlen(sample->scene) + 1);
    hash_stream_add(assembler->hash, &sample->value, sizeof sample->value);
    hash_stream_add(assembler->hash, &sample->stamp_ns, sizeof sample->stamp_ns);
}

bool lane_give_samples(struct assembler *assembler, struct lane *lane, struct error *error)
{
    struct run_state *first = lane->first_run;

    for (size_t i = 0; i < lane->samples.count; i++) {
        const struct early_sample *early = &lane->samples.items[i];
        bool has_clock = early->stamp_ns != VALUE_UNKNOWN;
        struct run_state *run;
        struct assembled_sample sample;

        if (!first) {
            if (!begin_run(assembler, lane, has_clock ? early->stamp_ns : 0, 0, has_clock, 0, error))
                return false;
            first = lane->run;
        }
        run = early->run ? early->run : first;
        sample = (struct assembled_sample){
            .scene = early->scene ? dictionary_text(assembler->texts, early->scene) : NULL,
            .name = dictionary_text(assembler->texts, early->name),
            .unit = dictionary_text(assembler->texts, early->unit),
            .value = early->value,
            .stamp_ns = has_clock && early->stamp_ns < LARGEST_STAMP_NS / lane->multiply &&
                                early->stamp_ns > -LARGEST_STAMP_NS / lane->multiply
                            ? early->stamp_ns * lane->multiply / lane->divide
                            : VALUE_UNKNOWN,
            .snapshot = early->snapshot,
        };
        run->public.samples++;
        hash_sample(assembler, &sample);
        if (!assembler->out->add_sample(assembler->out->user, run->number, &sample, error))
            return false;
    }
    lane->samples.count = 0;
    return true;
}
