#include "perfetto.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdlib.h>

static bool take_packet(void *user, const Trace__Packet *packet, int64_t number, struct error *error)
{
    return trace_data_take(user, packet, number, error);
}

static bool proceed(void *user, struct error *error)
{
    return import_input_proceed(((struct trace_data *)user)->reader->input, error);
}

static void say(const struct import_reader *reader, char *note)
{
    reader->sink->note(reader->sink->user, note);
    free(note);
}

static void note_faults(const struct import_reader *reader, const struct trace_walk *walk)
{
    const struct import_sink *sink = reader->sink;

    if (walk->cut) {
        say(reader, memory_print("The trace is cut inside of packet %" PRId64 ": the complete packets were taken.",
                                 walk->packets + 1));
        sink->reject(sink->user, REJECT_SHORT_ROW, walk->packets + 1, NULL, 0);
    }
    if (walk->lost_at >= 0)
        say(reader, memory_print("From byte %" PRId64 " on the file is damaged: no packets of a trace. The packets before "
                                 "it were taken.",
                                 walk->lost_at));
    if (walk->damaged > 0)
        say(reader, memory_print("%" PRId64 " compressed packets are damaged or cut: what could be unpacked was taken.",
                                 walk->damaged));
    if (walk->malformed > 0)
        sink->reject_many(sink->user, REJECT_MALFORMED, walk->malformed, walk->first_malformed);
}

static bool perfetto_read(const struct import_reader *reader, struct error *error)
{
    struct trace_data data;
    struct trace_walk walk = {.user = &data, .packet = take_packet, .proceed = proceed};
    bool fine;

    trace_data_init(&data, reader);
    fine = trace_walk(&walk, import_input_raw(reader->input), error);
    if (fine && walk.packets == 0)
        fine = error_set(error, ERROR_INPUT,
                         "no packets: expected a Perfetto trace, found %s.",
                         walk.lost_at >= 0 ? "something else" : "the beginning of its first packet only");
    if (fine) {
        trace_data_join(&data);
        fine = trace_give(&data, error);
        note_faults(reader, &walk);
        if (!fine && walk.cut)
            error_prefix(error, "the trace is cut inside of packet %" PRId64, walk.packets + 1);
    }
    if (fine && data.ends_alone > 0)
        say(reader, memory_print("%" PRId64 " frames began before the trace did: only their ends are there.",
                                 data.ends_alone));
    trace_data_free(&data);
    return fine;
}

static int perfetto_detect(const struct import_sample *sample, const struct import_options *options,
                           struct error *refusal)
{
    (void)options;
    (void)refusal;
    return trace_count_packets(sample->bytes, sample->size, sample->whole) > 0 ? 94 : 0;
}

const struct import_format import_format_perfetto = {
    .name = "perfetto",
    .title = "Perfetto trace with the frame timeline (Android 12 and later)",
    .recognised_by = "a sequence of protobuf packets, each field 1",
    .detect = perfetto_detect,
    .read = perfetto_read,
};
