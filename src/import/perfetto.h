/*
 * What the files perfetto*.c share: packets of a trace, what is collected from them, and the frames that come of it.
 */
#ifndef IMPORT_PERFETTO_H
#define IMPORT_PERFETTO_H

#include "perfetto.pb-c.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/reader.h"
#include "stutterscope/import/streams.h"

/* ---- packets (perfetto_walk.c) ---- */

struct trace_walk {
    void *user;
    bool (*packet)(void *user, const Trace__Packet *packet, int64_t number, struct error *error);
    /* Asked now and then; false stops the reading. NULL: never. */
    bool (*proceed)(void *user, struct error *error);
    int64_t packets;       /* so far, those inside of compressed ones too */
    int64_t malformed;     /* of these not readable */
    int64_t first_malformed;
    int64_t damaged;       /* compressed packets that could not be unpacked to their end */
    bool refused;          /* packet() or proceed() said no */
    bool cut;              /* the file ends inside of a packet */
    int64_t lost_at;       /* byte where the packets stop making sense; -1: nowhere */
};
/* Gives all packets to walk->packet, also those inside of compressed packets. false: trouble with the source. */
bool trace_walk(struct trace_walk *walk, struct byte_source *source, struct error *error);
/* How many packets the bytes begin with (a cut one counts where the file goes on); 0: this is no trace. */
size_t trace_count_packets(const char *bytes, size_t size, bool whole);

/* The bytes below, inflated (zlib or gzip) or unpacked by zstd. They do not own the bytes. */
struct byte_source *trace_source_zlib(const char *bytes, size_t size);
struct byte_source *trace_source_zstd(const char *bytes, size_t size);

/* ---- what is collected (perfetto_collect.c) ---- */

enum trace_clock { TRACE_REALTIME = 1, TRACE_MONOTONIC = 3, TRACE_BOOTTIME = 6 };
enum trace_present { TRACE_ON_TIME = 1, TRACE_LATE = 2, TRACE_EARLY = 3, TRACE_DROPPED = 4 };
enum trace_jank {
    JANK_NONE = 1,
    JANK_BUFFER_STUFFING = 128,
    JANK_SURFACEFLINGER_STUFFING = 512,
    JANK_DROPPED = 1024,
};

struct trace_frame {
    int64_t cookie, start, end; /* end VALUE_UNKNOWN: no end packet */
    int64_t line;               /* number of the packet */
    uint32_t layer;             /* id in trace_data.layers */
    uint32_t jank;              /* 0: not said */
    uint8_t present;            /* 0: not said */
    bool expected;
};
struct trace_end {
    int64_t cookie, time, line;
};
/* "B|pid|name": a slice begins. */
struct trace_mark {
    int64_t time, line;
    uint32_t name; /* id in trace_data.names: "pid|name" */
};

struct trace_data {
    const struct import_reader *reader;
    struct dictionary *layers; /* "layer|pid" */
    struct dictionary *names;
    struct { struct trace_frame *items; size_t count, capacity; } frames;
    struct { struct trace_end *items; size_t count, capacity; } ends;
    struct { struct trace_mark *items; size_t count, capacity; } marks;
    struct { uint32_t *items; size_t count, capacity; } mark_counts; /* by name id - 1; also of marks not kept */
    int64_t display_frames, display_starts, ends_alone;
    uint32_t frame_clock; /* of the frames: enum trace_clock */
    int64_t clock[TRACE_BOOTTIME + 1]; /* of one moment; VALUE_UNKNOWN */
    char *fingerprint, *recorder, *soc;
};

void trace_data_init(struct trace_data *data, const struct import_reader *reader);
void trace_data_free(struct trace_data *data);
bool trace_data_take(struct trace_data *data, const Trace__Packet *packet, int64_t number, struct error *error);
/* Joins starts and ends by their cookies; expected ones without an end are left out. */
void trace_data_join(struct trace_data *data);

/* ---- frames (perfetto_frames.c, perfetto_events.c) ---- */

/* Chooses a stream and hands its frames to the sink. */
bool trace_give(struct trace_data *data, struct error *error);
/*
 * Which event begins in which frame: events[i] is a text id of the sink or VALUE_UNKNOWN. ends: ascending stamps of
 * the frames, on the frames' clock; pid: the game's.
 */
void trace_events(const struct trace_data *data, int64_t pid, const int64_t *ends, size_t count, int64_t *events);

#endif
