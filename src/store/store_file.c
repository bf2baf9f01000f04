#include "store_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* See "Database File Format" of SQLite, section 1.3. */
#define HEAD_SIZE         100
#define USER_VERSION_AT   60
#define APPLICATION_ID_AT 68

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void read_head(int file, struct store_file *ret)
{
    unsigned char head[HEAD_SIZE];
    if (pread(file, head, sizeof head, 0) != HEAD_SIZE || memcmp(head, "SQLite format 3", 16) != 0)
        return;
    ret->is_sqlite = true;
    ret->application_id = big_endian(head + APPLICATION_ID_AT);
    ret->user_version = big_endian(head + USER_VERSION_AT);
}

bool store_file_inspect(const char *path, struct store_file *ret, struct error *error)
{
    *ret = (struct store_file){0};
    struct stat facts;
    if (stat(path, &facts) != 0) {
        if (errno == ENOENT)
            return true;
        return error_set(error, ERROR_IO, "%s cannot be opened: %s.", path, strerror(errno));
    }
    if (S_ISDIR(facts.st_mode))
        return error_set(error, ERROR_IO, "%s is a folder; a store is a file, for example %s/store.db.", path,
                         path);
    if (!S_ISREG(facts.st_mode))
        return error_set(error, ERROR_IO, "%s is not an ordinary file, so it cannot be a store.", path);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return error_set(error, ERROR_IO, "%s cannot be read: %s.", path, strerror(errno));
    ret->exists = true;
    ret->size = facts.st_size;
    read_head(file, ret);
    close(file);
    return true;
}

int64_t store_file_size(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 ? (int64_t)facts.st_size : -1;
}

/* Numbers of statfs(2): NFS, SMB, CIFS, SMB2, AFS, 9p, Ceph, Coda, NCP, GFS2, OCFS2. */
static const unsigned long remote_file_systems[] = {
    0x6969,     0x517b,     0xff534d42, 0xfe534d42, 0x5346414f, 0x01021997,
    0x00c36400, 0x73757245, 0x564c,     0x01161970, 0x7461636f,
};

bool store_file_is_remote(const char *path)
{
    struct statfs facts;
    if (statfs(path, &facts) != 0)
        return false;
    for (size_t i = 0; i < sizeof remote_file_systems / sizeof *remote_file_systems; i++)
        if (((unsigned long)facts.f_type & 0xffffffff) == remote_file_systems[i])
            return true;
    return false;
}

/*
 * A descriptor of our own must not be opened for this: closing it would take the locks of SQLite away, which belong to the process.
 * So that of SQLite is looked for.
 */
void store_file_begin_writing(const char *path)
{
    enum { LAST_LOOKED_AT = 63 };
    struct stat wanted, seen;

    if (stat(path, &wanted) != 0)
        return;
    for (int descriptor = STDERR_FILENO + 1; descriptor <= LAST_LOOKED_AT; descriptor++) {
        if (fstat(descriptor, &seen) != 0 || seen.st_dev != wanted.st_dev || seen.st_ino != wanted.st_ino)
            continue;
#ifdef SYNC_FILE_RANGE_WRITE
        sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#endif
        return;
    }
}
