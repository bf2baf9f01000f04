/*
 * Packing costs half as much as reading: while one thread reads the next rows, another packs what came before. Few
 * frames are packed at once.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/store/frames.h"
#include "writer_internal.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FRAMES_WITHOUT_THREAD = 100000,
    JOBS = 3 /* so far the reader may be ahead: up to 10 MB */
};

struct pack_job {
    struct packed_segment segment;
    struct frame_columns columns; /* copies; the memory is used again */
    size_t capacities[COLUMN_COUNT];
};

struct packer {
    struct store_writer *writer;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct pack_job jobs[JOBS];
    size_t first, count; /* those that wait, the one that is worked on included */
    bool ending, failed;
    struct error error;
};

static bool pack_now(struct store_writer *writer, const struct packed_segment *wanted, const struct frame_columns *columns,
                     size_t first, struct error *error)
{
    struct packed_segment segment = *wanted;
    size_t count = (size_t)segment.row.count;

    writer->packed.count = 0;
    for (int column = 0; column < COLUMN_COUNT; column++) {
        if (!(segment.row.columns & 1u << column))
            continue;
        size_t before = writer->packed.count;
        segment_pack(writer->store->codec, column, columns->values[column] + first,
                     columns->values[COLUMN_FRAME_TIME] + first, count, &writer->packed);
        segment.sizes[column] = (uint32_t)(writer->packed.count - before);
    }
    if (!spool_add(writer->spool, writer->packed.items, writer->packed.count, &segment.at, error))
        return false;
    array_push(&writer->segments, segment);
    return true;
}

/* The reader waits for a free place, so that a job is nobody else's while it is packed. */
static void *pack_jobs(void *user)
{
    struct packer *packer = user;

    pthread_mutex_lock(&packer->lock);
    for (;;) {
        while (packer->count == 0 && !packer->ending)
            pthread_cond_wait(&packer->changed, &packer->lock);
        if (packer->count == 0)
            break;
        const struct pack_job *job = &packer->jobs[packer->first];
        bool failed = packer->failed;
        struct error error = {0};
        pthread_mutex_unlock(&packer->lock);
        failed = failed || !pack_now(packer->writer, &job->segment, &job->columns, 0, &error);
        pthread_mutex_lock(&packer->lock);
        if (failed && !packer->failed)
            packer->error = error;
        packer->failed = failed;
        packer->first = (packer->first + 1) % JOBS;
        packer->count--;
        pthread_cond_signal(&packer->changed);
    }
    pthread_mutex_unlock(&packer->lock);
    return NULL;
}

/* NULL: the system has no thread to give. */
static struct packer *begin_packer(struct store_writer *writer)
{
    struct packer *packer = memory_take_zeroed(1, sizeof *packer);

    packer->writer = writer;
    pthread_mutex_init(&packer->lock, NULL);
    pthread_cond_init(&packer->changed, NULL);
    if (pthread_create(&packer->thread, NULL, pack_jobs, packer) == 0)
        return packer;
    pthread_mutex_destroy(&packer->lock);
    pthread_cond_destroy(&packer->changed);
    free(packer);
    writer->frames = 0; /* asked again after as many more */
    return NULL;
}

static void copy_columns(struct pack_job *job, const struct frame_columns *columns, size_t first)
{
    size_t count = (size_t)job->segment.row.count;

    for (int column = 0; column < COLUMN_COUNT; column++) {
        if (!(job->segment.row.columns & 1u << column))
            continue;
        if (job->capacities[column] < count) {
            free(job->columns.values[column]);
            job->columns.values[column] = memory_take(count * sizeof(int64_t));
            job->capacities[column] = count;
        }
        memcpy(job->columns.values[column], columns->values[column] + first, count * sizeof(int64_t));
    }
    job->columns.count = count;
}

static bool hand_on(struct packer *packer, const struct packed_segment *segment, const struct frame_columns *columns,
                    size_t first, struct error *error)
{
    struct pack_job *job;

    pthread_mutex_lock(&packer->lock);
    while (packer->count == JOBS)
        pthread_cond_wait(&packer->changed, &packer->lock);
    job = &packer->jobs[(packer->first + packer->count) % JOBS];
    bool failed = packer->failed;
    if (failed && error)
        *error = packer->error;
    pthread_mutex_unlock(&packer->lock);
    if (failed)
        return false;
    job->segment = *segment;
    copy_columns(job, columns, first);
    pthread_mutex_lock(&packer->lock);
    packer->count++;
    pthread_cond_signal(&packer->changed);
    pthread_mutex_unlock(&packer->lock);
    return true;
}

bool writer_pack(struct store_writer *writer, const struct packed_segment *segment, const struct frame_columns *columns,
                 size_t first, struct error *error)
{
    if (!writer->packer && writer->frames > FRAMES_WITHOUT_THREAD && sysconf(_SC_NPROCESSORS_ONLN) > 1)
        writer->packer = begin_packer(writer);
    if (writer->packer)
        return hand_on(writer->packer, segment, columns, first, error);
    writer->frames += segment->row.count;
    return pack_now(writer, segment, columns, first, error);
}

bool writer_pack_finish(struct store_writer *writer, struct error *error)
{
    struct packer *packer = writer->packer;

    if (!packer)
        return true;
    pthread_mutex_lock(&packer->lock);
    packer->ending = true;
    pthread_cond_signal(&packer->changed);
    pthread_mutex_unlock(&packer->lock);
    pthread_join(packer->thread, NULL);
    bool fine = !packer->failed;
    if (!fine && error)
        *error = packer->error;
    for (size_t i = 0; i < JOBS; i++)
        frame_columns_free(&packer->jobs[i].columns);
    pthread_mutex_destroy(&packer->lock);
    pthread_cond_destroy(&packer->changed);
    free(packer);
    writer->packer = NULL;
    writer->frames = 0;
    return fine;
}
