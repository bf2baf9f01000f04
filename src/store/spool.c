#include "spool.h"
#include "segment_codec.h"
#include "stutterscope/base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct spool {
    char *folder;
    size_t in_memory;
    int file;         /* -1: none yet */
    uint64_t written; /* bytes in the file: those behind are in `tail` */
    struct byte_buffer tail, block;
};

struct spool *spool_create(const char *neighbour, size_t in_memory)
{
    struct spool *spool = memory_take_zeroed(1, sizeof *spool);
    const char *slash = strrchr(neighbour, '/');
    if (slash)
        spool->folder = memory_copy_bytes(neighbour, (size_t)(slash - neighbour) + 1);
    else
        spool->folder = memory_copy_text("./");
    spool->in_memory = in_memory;
    spool->file = -1;
    return spool;
}

void spool_destroy(struct spool *spool)
{
    if (!spool)
        return;
    if (spool->file >= 0)
        close(spool->file);
    array_free(&spool->tail);
    array_free(&spool->block);
    free(spool->folder);
    free(spool);
}

static bool fail(const struct spool *spool, struct error *error)
{
    return error_set(error, ERROR_IO,
                     "The temporary file of the import in %s cannot be used: %s. Nothing was stored.",
                     spool->folder, strerror(errno));
}

/* Not every file system knows files without a name. */
static bool open_file(struct spool *spool, struct error *error)
{
    spool->file = open(spool->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (spool->file >= 0)
        return true;
    char *name = memory_print("%s.stutterscope-XXXXXX", spool->folder);
    spool->file = mkostemp(name, O_CLOEXEC);
    if (spool->file >= 0)
        unlink(name);
    free(name);
    return spool->file >= 0 || fail(spool, error);
}

static bool write_tail(struct spool *spool, struct error *error)
{
    if (spool->file < 0 && !open_file(spool, error))
        return false;
    for (size_t done = 0; done < spool->tail.count;) {
        ssize_t size = pwrite(spool->file, spool->tail.items + done, spool->tail.count - done,
                              (off_t)(spool->written + done));
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0)
            return fail(spool, error);
        done += (size_t)size;
    }
    spool->written += spool->tail.count;
    spool->tail.count = 0;
    return true;
}

bool spool_add(struct spool *spool, const void *bytes, size_t size, uint64_t *ret_at, struct error *error)
{
    if (spool->tail.count > 0 && spool->tail.count + size > spool->in_memory && !write_tail(spool, error))
        return false;
    array_reserve(&spool->tail, spool->tail.count + size);
    memcpy(spool->tail.items + spool->tail.count, bytes, size);
    *ret_at = spool->written + spool->tail.count;
    spool->tail.count += size;
    return true;
}

uint64_t spool_size(const struct spool *spool)
{
    return spool->written + spool->tail.count;
}

bool spool_read(struct spool *spool, uint64_t at, size_t size, const uint8_t **ret, struct error *error)
{
    if (at >= spool->written) {
        *ret = spool->tail.items + (at - spool->written);
        return true;
    }
    array_reserve(&spool->block, size);
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(spool->file, spool->block.items + done, size - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = EIO;
        if (got <= 0)
            return fail(spool, error);
        done += (size_t)got;
    }
    *ret = spool->block.items;
    return true;
}
