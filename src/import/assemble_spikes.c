/* Captures that keep only what is bad: long frames, and frames that allocated a lot. */
#include "assemble_private.h"

#define SPIKE_BYTES   2000000
#define FEWEST_SPIKES 3

/* Costs one look at the first frame of a full log. */
void run_look_for_ordinary(struct run_state *run, const struct frame_columns *columns, size_t start, size_t count)
{
    const int64_t *times = columns->values[COLUMN_FRAME_TIME], *bytes = columns->values[COLUMN_GC];

    for (size_t i = start; i < start + count && !run->ordinary; i++)
        run->ordinary = times[i] <= RUN_SPIKE_NS && !(bytes && bytes[i] != VALUE_UNKNOWN && bytes[i] >= SPIKE_BYTES);
}

/* Nothing says how the run was sampled, but what is there are spikes, and frames are missing between them. */
bool run_kept_spikes_only(const struct run_state *run)
{
    const struct assembled_facts *facts = &run->public.facts;
    const struct assembled_measures *measures = &run->public.measures;

    return !run->ordinary && run->public.frames >= FEWEST_SPIKES && facts->sample_every == VALUE_UNKNOWN &&
           facts->kept_over_ns == VALUE_UNKNOWN && facts->tests_holes && measures->holes_wide * 2 > measures->holes_tested;
}
