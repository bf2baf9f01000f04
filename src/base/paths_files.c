/* Whole files in and out; the rest of paths.h is in paths.c. */
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"

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

static bool write_descriptor(int file, const char *bytes, size_t size)
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

/* For devices and pipes, which must not be replaced by a file. */
static bool write_in_place(const char *path, const char *bytes, size_t size, struct error *error)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool fine;

    if (file < 0)
        return fail_with_errno("open", path, error);
    fine = write_descriptor(file, bytes, size);
    if (!fine)
        fail_with_errno("write", path, error);
    close(file);
    return fine;
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

static bool write_and_rename(const char *path, const char *bytes, size_t size, struct error *error)
{
    const char *name = path_base_name(path);
    char *temporary = memory_print("%.*s.stutterscope-XXXXXX", (int)(name - path), path);
    int file = mkostemp(temporary, O_CLOEXEC); /* mode 0600, O_EXCL */
    bool fine = file >= 0;

    if (!fine) {
        fail_with_errno("create a file beside", path, error);
        free(temporary);
        return false;
    }
    if (!write_descriptor(file, bytes, size) || fsync(file) != 0)
        fine = fail_with_errno("write", path, error);
    if (close(file) != 0 && fine)
        fine = fail_with_errno("write", path, error);
    if (fine && rename(temporary, path) != 0)
        fine = fail_with_errno("replace", path, error);
    if (fine)
        sync_folder(path);
    else
        unlink(temporary);
    free(temporary);
    return fine;
}

bool path_write_all(const char *path, const char *bytes, size_t size, struct error *error)
{
    struct stat status;
    char *target;
    bool fine;

    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return write_in_place(path, bytes, size, error);
    /* What a symbolic link points to is replaced, not the link. */
    target = realpath(path, NULL);
    fine = write_and_rename(target ? target : path, bytes, size, error);
    free(target);
    return fine;
}
