/*
 * Writes small Perfetto traces for tests, field by field.
 */
#ifndef TEST_IMPORT_TRACE_WRITER_H
#define TEST_IMPORT_TRACE_WRITER_H

#include "stutterscope/base/text.h"
#include <stdint.h>

void put_number(struct text_buffer *to, unsigned field, uint64_t value);
void put_text(struct text_buffer *to, unsigned field, const char *text);
/* Appends `inner` as a field with a length and empties it. */
void put_message(struct text_buffer *to, unsigned field, struct text_buffer *inner);

struct trace_surface {
    int64_t cookie, start, end; /* end < 0: no end packet */
    const char *layer;
    int pid, present, jank;
};
/* An actual (or expected) surface frame: its start packet, then its end packet. */
void put_surface(struct text_buffer *trace, const struct trace_surface *surface, int expected);
void put_end(struct text_buffer *trace, int64_t cookie, int64_t time);
void put_print(struct text_buffer *trace, int64_t time, const char *text);
void put_system(struct text_buffer *trace, const char *fingerprint, const char *soc);
/* Clock ids and times, boot time first: 6, 1, 3. */
void put_clocks(struct text_buffer *trace, int64_t boot, int64_t real, int64_t monotonic);
/* All packets so far become one compressed packet. */
void pack_zlib(struct text_buffer *trace);
void pack_zstd(struct text_buffer *trace);

#endif
