#include "read_ahead.h"

#include "stutterscope/base/memory.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { AHEAD = 2 };

struct read_ahead {
    struct text_stream *stream;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct text_block blocks[AHEAD];
    size_t first, count; /* those that were read, the one that is taken included */
    bool ending;
};

char *text_block_make_buffer(void)
{
    char *buffer = memory_take(BLOCK_BYTES);

    memset(buffer + BLOCK_BYTES - BLOCK_SLACK, 0, BLOCK_SLACK);
    return buffer;
}

size_t text_block_place(const char *buffer)
{
    return BLOCK_ROOM + (-(uintptr_t)(buffer + BLOCK_ROOM) & (BLOCK_AT - 1));
}

static void read_block(struct text_stream *stream, struct text_block *block)
{
    block->at = text_block_place(block->buffer);
    block->failed = !text_stream_read(stream, block->buffer + block->at, &block->size, &block->ended, &block->error);
    block->after = *stream;
}

/* A block that is not yet counted is nobody else's. */
static void *read_blocks(void *user)
{
    struct read_ahead *ahead = user;
    bool more = true;

    pthread_mutex_lock(&ahead->lock);
    while (more) {
        struct text_block *block;

        while (ahead->count == AHEAD && !ahead->ending)
            pthread_cond_wait(&ahead->changed, &ahead->lock);
        if (ahead->ending)
            break;
        block = &ahead->blocks[(ahead->first + ahead->count) % AHEAD];
        pthread_mutex_unlock(&ahead->lock);
        read_block(ahead->stream, block);
        more = !block->ended && !block->failed;
        pthread_mutex_lock(&ahead->lock);
        ahead->count++;
        pthread_cond_signal(&ahead->changed);
    }
    pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

static void destroy(struct read_ahead *ahead)
{
    for (size_t i = 0; i < AHEAD; i++)
        free(ahead->blocks[i].buffer);
    pthread_mutex_destroy(&ahead->lock);
    pthread_cond_destroy(&ahead->changed);
    free(ahead);
}

struct read_ahead *read_ahead_begin(struct text_stream *stream)
{
    struct read_ahead *ahead = memory_take_zeroed(1, sizeof *ahead);

    ahead->stream = stream;
    for (size_t i = 0; i < AHEAD; i++)
        ahead->blocks[i].buffer = text_block_make_buffer();
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    if (pthread_create(&ahead->thread, NULL, read_blocks, ahead) == 0)
        return ahead;
    destroy(ahead);
    return NULL;
}

struct text_block *read_ahead_take(struct read_ahead *ahead)
{
    struct text_block *block;

    pthread_mutex_lock(&ahead->lock);
    while (ahead->count == 0)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    block = &ahead->blocks[ahead->first];
    pthread_mutex_unlock(&ahead->lock);
    return block;
}

void read_ahead_give_back(struct read_ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    ahead->first = (ahead->first + 1) % AHEAD;
    ahead->count--;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
}

void read_ahead_end(struct read_ahead *ahead)
{
    if (!ahead)
        return;
    pthread_mutex_lock(&ahead->lock);
    ahead->ending = true;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    pthread_join(ahead->thread, NULL);
    destroy(ahead);
}
