/* Whole files in and out; the rest of paths.h is in paths.c. */
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_READ 65536

static bool refuse_size(const char *path, size_t limit, struct error *error)
{
    if (limit >= 1024 * 1024)
        return error_set(error, ERROR_INPUT, "%s is larger than the limit of %zu MiB for this kind of file.",
                         path, limit / (1024 * 1024));
    return error_set(error, ERROR_INPUT, "%s is larger than the limit of %zu bytes for this kind of file.",
                     path, limit);
}

static bool fail_with_errno(const char *doing, const char *path, struct error *error)
{
    return error_set(error, ERROR_IO, "Cannot %s %s: %s.", doing, path, strerror(errno));
}

/* Reads to the end, also from pipes, whose size nobody knows before. */
static bool read_descriptor(int file, const char *path, size_t limit, size_t expected, char **ret_bytes,
                            size_t *ret_size, struct error *error)
{
    struct {
        char *items;
        size_t count, capacity;
    } bytes = {0};
    ssize_t got;

    array_reserve(&bytes, expected + 2);
    do {
        array_reserve(&bytes, bytes.count + 2);
        got = read(file, bytes.items + bytes.count, bytes.capacity - bytes.count - 1);
        if (got > 0)
            bytes.count += (size_t)got;
    } while ((got > 0 && bytes.count <= limit) || (got < 0 && errno == EINTR));
    if (got < 0 || bytes.count > limit) {
        bool refused = got < 0 ? fail_with_errno("read", path, error) : refuse_size(path, limit, error);

        free(bytes.items);
        return refused;
    }
    bytes.items[bytes.count] = '\0';
    *ret_bytes = bytes.items;
    *ret_size = bytes.count;
    return true;
}

bool path_read_all(const char *path, size_t limit, char **ret_bytes, size_t *ret_size, struct error *error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    size_t expected = FIRST_READ;
    struct stat status;
    bool fine;

    if (file < 0)
        return fail_with_errno("open", path, error);
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
        if ((uintmax_t)status.st_size > limit) {
            close(file);
            return refuse_size(path, limit, error);
        }
        expected = (size_t)status.st_size;
    }
    fine = read_descriptor(file, path, limit, expected, ret_bytes, ret_size, error);
    close(file);
    return fine;
}

bool file_write_whole(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, bytes, size);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* After a rename the entry in the folder must reach the disk too; some file systems refuse, which is no
 * failure. */
static void sync_folder(const char *path)
{
    char *folder = memory_copy_bytes(path, (size_t)(path_base_name(path) - path));
    int file = open(*folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (file >= 0) {
        fsync(file);
        close(file);
    }
    free(folder);
}

struct file_writer {
    char *name;      /* as it was given, for messages */
    char *path;      /* what is replaced; a symbolic link stays, what it points to is replaced */
    char *temporary; /* beside it; NULL: written in place */
    int file;
    struct text_buffer waiting; /* so that small pieces do not cost a call each */
};

enum { WAITING_BYTES = 1 << 16 };

static void free_writer(struct file_writer *writer)
{
    free(writer->name);
    free(writer->path);
    free(writer->temporary);
    array_free(&writer->waiting);
    free(writer);
}

/* Devices and pipes must not be replaced by a file. */
static bool open_in_place(struct file_writer *writer, struct error *error)
{
    writer->file = open(writer->path, O_WRONLY | O_CLOEXEC);
    return writer->file >= 0 || fail_with_errno("write to", writer->name, error);
}

static bool open_beside(struct file_writer *writer, mode_t mode, struct error *error)
{
    const char *name = path_base_name(writer->path);

    writer->temporary = memory_print("%.*s.stutterscope-XXXXXX", (int)(name - writer->path), writer->path);
    writer->file = mkostemp(writer->temporary, O_CLOEXEC); /* mode 0600, O_EXCL */
    if (writer->file < 0)
        return fail_with_errno("make a file for", writer->name, error);
    fchmod(writer->file, mode); /* some file systems have no modes */
    return true;
}

static struct file_writer *open_writer(const char *path, mode_t new_mode, struct error *error)
{
    struct file_writer *writer = memory_take_zeroed(1, sizeof *writer);
    struct stat status;
    bool there = stat(path, &status) == 0, good;
    char *target = realpath(path, NULL);

    writer->name = memory_copy_text(path);
    writer->path = memory_copy_text(target ? target : path);
    free(target);
    writer->file = -1;
    if (there && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        good = fail_with_errno("write", path, error);
    } else if (there && !S_ISREG(status.st_mode)) {
        good = open_in_place(writer, error);
    } else {
        good = open_beside(writer, there ? status.st_mode & 07777 : new_mode, error);
    }
    if (good)
        return writer;
    free_writer(writer);
    return NULL;
}

struct file_writer *file_writer_open(const char *path, struct error *error)
{
    mode_t mask = umask(0);

    umask(mask);
    return open_writer(path, 0666 & ~mask, error);
}

static bool write_waiting(struct file_writer *writer, struct error *error)
{
    bool good = file_write_whole(writer->file, writer->waiting.items ? writer->waiting.items : "", writer->waiting.count);

    writer->waiting.count = 0;
    return good || fail_with_errno("write", writer->name, error);
}

bool file_writer_add(struct file_writer *writer, const char *bytes, size_t size, struct error *error)
{
    text_add_bytes(&writer->waiting, bytes, size);
    return writer->waiting.count < WAITING_BYTES || write_waiting(writer, error);
}

bool file_writer_close(struct file_writer *writer, bool keep, struct error *error)
{
    bool good = !keep || write_waiting(writer, error);

    if (good && keep && writer->temporary && fsync(writer->file) != 0)
        good = fail_with_errno("write", writer->name, error);
    if (close(writer->file) != 0 && good)
        good = fail_with_errno("write", writer->name, error);
    if (writer->temporary && good && keep) {
        if (rename(writer->temporary, writer->path) == 0)
            sync_folder(writer->path);
        else
            good = fail_with_errno("replace", writer->name, error);
    }
    if (writer->temporary && !(good && keep))
        unlink(writer->temporary);
    free_writer(writer);
    return good;
}

bool path_write_all(const char *path, const char *bytes, size_t size, struct error *error)
{
    struct file_writer *writer = open_writer(path, 0600, error);
    bool good = writer && file_writer_add(writer, bytes, size, error);

    return writer && file_writer_close(writer, good, error) && good;
}
