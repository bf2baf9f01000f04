/*
 * Reads the blocks of a text in a thread of its own while the lines before them are looked at: reading, unpacking and decoding of
 * a large file cost as much as a fifth of the import. Blocks come in their order and are what text_stream_read() gives.
 */
#ifndef IMPORT_READ_AHEAD_H
#define IMPORT_READ_AHEAD_H

#include "text_stream.h"

#define BLOCK_ROOM  (16 << 10) /* in front of a block, for the rest of the one before it */
#define BLOCK_AT    64 /* what a block's place is a multiple of: the system copies thrice as fast to a cache line's begin */
#define BLOCK_SLACK 16 /* readers may look at words: bytes behind the text that can be read */
#define BLOCK_BYTES (BLOCK_ROOM + BLOCK_AT + TEXT_BLOCK_BYTES + 1 + BLOCK_SLACK) /* one more for a line end */

struct text_block {
    char *buffer;    /* BLOCK_BYTES; whoever takes the block may put another one here */
    size_t at, size; /* where the text begins, with BLOCK_ROOM before it, and its length */
    bool ended, failed;
    struct error error;       /* when it failed */
    struct text_stream after; /* the stream as it was behind this block, for looking at */
};

/* A new buffer of BLOCK_BYTES, the slack at its end set. */
char *text_block_make_buffer(void);
/* Where the text begins in a buffer. */
size_t text_block_place(const char *buffer);

struct read_ahead;

/* The stream belongs to the thread until read_ahead_end(). NULL: the system has no thread to give. */
struct read_ahead *read_ahead_begin(struct text_stream *stream);
/* The next block, as long as it is not given back; not after one that ended or failed. */
struct text_block *read_ahead_take(struct read_ahead *ahead);
void read_ahead_give_back(struct read_ahead *ahead);
/* Blocks that nobody took are lost. NULL is fine. */
void read_ahead_end(struct read_ahead *ahead);

#endif
