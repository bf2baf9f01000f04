#include "stutterscope/import/source.h"

#include "stutterscope/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool source_read(struct byte_source *source, char *bytes, size_t size, size_t *ret, struct error *error)
{
    return source->read(source, bytes, size, ret, error);
}

bool source_read_full(struct byte_source *source, char *bytes, size_t size, size_t *ret, struct error *error)
{
    size_t filled = 0, got = 1;

    while (filled < size && got > 0) {
        if (!source_read(source, bytes + filled, size - filled, &got, error))
            return false;
        filled += got;
    }
    *ret = filled;
    return true;
}

void source_close(struct byte_source *source)
{
    if (source)
        source->close(source);
}

/* ---- a file ---- */

struct file_source {
    struct byte_source base;
    int descriptor;
    char *path;
};

static bool file_read(struct byte_source *source, char *bytes, size_t size, size_t *ret, struct error *error)
{
    struct file_source *file = (struct file_source *)source;
    ssize_t got;

    do {
        got = read(file->descriptor, bytes, size);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return error_set(error, ERROR_IO, "%s: cannot be read: %s.", file->path, strerror(errno));
    *ret = (size_t)got;
    return true;
}

static void file_close(struct byte_source *source)
{
    struct file_source *file = (struct file_source *)source;

    if (file->descriptor != STDIN_FILENO)
        close(file->descriptor);
    free(file->path);
    free(file);
}

struct byte_source *source_open_file(const char *path, struct error *error)
{
    bool standard = strcmp(path, "-") == 0;
    int descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct file_source *file;
    struct stat status;

    if (descriptor < 0) {
        error_set(error, ERROR_IO, "%s: cannot be opened: %s.", path, strerror(errno));
        return NULL;
    }
    if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        error_set(error, ERROR_INPUT, "%s: is a folder. Name the files in it, or watch it with --watch.",
                  path);
        close(descriptor);
        return NULL;
    }
    file = memory_take_zeroed(1, sizeof *file);
    file->base.read = file_read;
    file->base.close = file_close;
    file->base.total = S_ISREG(status.st_mode) ? status.st_size : 0;
    file->descriptor = descriptor;
    file->path = memory_copy_text(standard ? "standard input" : path);
    return &file->base;
}

/* ---- bytes in memory ---- */

struct memory_source {
    struct byte_source base;
    const char *bytes;
    char *owned; /* NULL: the caller's */
    size_t size, at;
};

static bool memory_read(struct byte_source *source, char *bytes, size_t size, size_t *ret,
                        struct error *error)
{
    struct memory_source *memory = (struct memory_source *)source;
    size_t left = memory->size - memory->at, take = left < size ? left : size;

    if (take == 0 && source->below)
        return source_read(source->below, bytes, size, ret, error);
    if (take > 0)
        memcpy(bytes, memory->bytes + memory->at, take);
    memory->at += take;
    *ret = take;
    return true;
}

static void memory_close(struct byte_source *source)
{
    struct memory_source *memory = (struct memory_source *)source;

    source_close(source->below);
    free(memory->owned);
    free(memory);
}

struct byte_source *source_open_memory(const char *bytes, size_t size)
{
    struct memory_source *memory = memory_take_zeroed(1, sizeof *memory);

    memory->base.read = memory_read;
    memory->base.close = memory_close;
    memory->base.total = (int64_t)size;
    memory->bytes = bytes;
    memory->size = size;
    return &memory->base;
}

struct byte_source *source_put_before(const char *bytes, size_t size, struct byte_source *below)
{
    char *copy = memory_copy_bytes(bytes, size);
    struct memory_source *memory = (struct memory_source *)source_open_memory(copy, size);

    memory->owned = copy;
    memory->base.below = below;
    memory->base.total = below->total;
    return &memory->base;
}
