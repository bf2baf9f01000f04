/*
 * The text of a file block by block: decoded, without byte order marks, NUL bytes and any line end but '\n'. Whoever reads the
 * next block, the input or the thread that reads ahead, has the whole stream to himself.
 */
#ifndef IMPORT_TEXT_STREAM_H
#define IMPORT_TEXT_STREAM_H

#include "stutterscope/import/source.h"

#define TEXT_BLOCK_BYTES (1 << 20)

struct text_stream {
    struct byte_source *text; /* decoded; owned */
    const char *encoding;     /* of the bytes, as far as it is known */
    int64_t bytes, nul_bytes; /* read of the file; left out */
    bool begun, pending_cr;
};

/* Passes bytes on and counts them: the bottom of the stack, for progress. Takes below over. */
struct byte_source *text_stream_count(struct byte_source *below, int64_t *bytes);
bool text_stream_has_mark(const char *bytes, size_t size, const char *mark);
/* In place; *cr carries a CR at the end of the last block. Returns the new size. */
size_t text_stream_normalise(char *text, size_t size, bool *cr, int64_t *nul_bytes);
/* The next block into place[TEXT_BLOCK_BYTES]. *ret_ended: it is the last. */
bool text_stream_read(struct text_stream *stream, char *place, size_t *ret_size, bool *ret_ended, struct error *error);

#endif
