#include "trace_writer.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { PACKET = 1, FTRACE = 1, CLOCKS = 6, TIME = 8, SYSTEM = 45, ZLIB = 50, CLOCK_ID = 58, TIMELINE = 76, ZSTD = 133 };

static void put_varint(struct text_buffer *to, uint64_t value)
{
    do {
        char byte = (char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));

        text_add_bytes(to, &byte, 1);
        value >>= 7;
    } while (value > 0);
}

void put_number(struct text_buffer *to, unsigned field, uint64_t value)
{
    put_varint(to, field << 3);
    put_varint(to, value);
}

static void put_bytes(struct text_buffer *to, unsigned field, const char *bytes, size_t size)
{
    put_varint(to, field << 3 | 2);
    put_varint(to, size);
    if (size > 0)
        text_add_bytes(to, bytes, size);
}

void put_text(struct text_buffer *to, unsigned field, const char *text)
{
    put_bytes(to, field, text, strlen(text));
}

void put_message(struct text_buffer *to, unsigned field, struct text_buffer *inner)
{
    put_bytes(to, field, inner->items, inner->count);
    free(text_take(inner));
}

static void put_timeline(struct text_buffer *trace, int64_t time, struct text_buffer *event)
{
    struct text_buffer packet = {0};

    put_number(&packet, TIME, (uint64_t)time);
    put_number(&packet, CLOCK_ID, 6);
    put_message(&packet, TIMELINE, event);
    put_message(trace, PACKET, &packet);
}

void put_end(struct text_buffer *trace, int64_t cookie, int64_t time)
{
    struct text_buffer end = {0}, event = {0};

    put_number(&end, 1, (uint64_t)cookie);
    put_message(&event, 5, &end);
    put_timeline(trace, time, &event);
}

void put_surface(struct text_buffer *trace, const struct trace_surface *surface, int expected)
{
    struct text_buffer frame = {0}, event = {0};

    put_number(&frame, 1, (uint64_t)surface->cookie);
    put_number(&frame, 2, (uint64_t)surface->cookie);
    put_number(&frame, 4, (uint64_t)surface->pid);
    put_text(&frame, 5, surface->layer);
    if (!expected) {
        put_number(&frame, 6, (uint64_t)surface->present);
        put_number(&frame, 9, (uint64_t)surface->jank);
        put_number(&frame, 77, 5); /* of a later version */
    }
    put_message(&event, expected ? 3 : 4, &frame);
    put_timeline(trace, surface->start, &event);
    if (surface->end >= 0)
        put_end(trace, surface->cookie, surface->end);
}

void put_print(struct text_buffer *trace, int64_t time, const char *text)
{
    struct text_buffer print = {0}, event = {0}, bundle = {0}, packet = {0};

    put_text(&print, 2, text);
    put_number(&event, 1, (uint64_t)time);
    put_number(&event, 2, 1);
    put_message(&event, 3, &print);
    put_message(&bundle, 2, &event);
    put_message(&packet, FTRACE, &bundle);
    put_message(trace, PACKET, &packet);
}

void put_system(struct text_buffer *trace, const char *fingerprint, const char *soc)
{
    struct text_buffer system = {0}, packet = {0};

    put_text(&system, 2, fingerprint);
    put_text(&system, 9, soc);
    put_message(&packet, SYSTEM, &system);
    put_message(trace, PACKET, &packet);
}

void put_clocks(struct text_buffer *trace, int64_t boot, int64_t real, int64_t monotonic)
{
    const int64_t clocks[][2] = {{6, boot}, {1, real}, {3, monotonic}};
    struct text_buffer snapshot = {0}, packet = {0};

    for (size_t i = 0; i < 3; i++) {
        struct text_buffer clock = {0};

        put_number(&clock, 1, (uint64_t)clocks[i][0]);
        put_number(&clock, 2, (uint64_t)clocks[i][1]);
        put_message(&snapshot, 1, &clock);
    }
    put_message(&packet, CLOCKS, &snapshot);
    put_message(trace, PACKET, &packet);
}

static void pack(struct text_buffer *trace, unsigned field, char *packed, size_t size)
{
    struct text_buffer packet = {0};

    put_bytes(&packet, field, packed, size);
    free(packed);
    trace->count = 0;
    put_message(trace, PACKET, &packet);
}

void pack_zlib(struct text_buffer *trace)
{
    uLongf size = compressBound(trace->count);
    char *packed = memory_take(size);

    if (compress((Bytef *)packed, &size, (const Bytef *)trace->items, trace->count) != Z_OK)
        abort();
    pack(trace, ZLIB, packed, size);
}

void pack_zstd(struct text_buffer *trace)
{
    size_t bound = ZSTD_compressBound(trace->count);
    char *packed = memory_take(bound);

    pack(trace, ZSTD, packed, ZSTD_compress(packed, bound, trace->items, trace->count, 3));
}
