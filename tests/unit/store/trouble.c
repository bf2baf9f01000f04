#include "trouble.h"
#include "database.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static sqlite3_vfs disk, *real_disk;
static enum trouble trouble = TROUBLE_COUNT; /* none */
static int left;

static bool fails(enum trouble of)
{
    return trouble == of && left-- <= 0;
}

/* Different files may have different methods (temporary ones are not locked): each set of them has one of ours. */
struct watched_methods {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *real;
};
static struct watched_methods watched[8];

static const sqlite3_io_methods *real_methods(sqlite3_file *file)
{
    return ((const struct watched_methods *)(const void *)file->pMethods)->real;
}

static int watch_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 place)
{
    return fails(TROUBLE_READ) ? SQLITE_IOERR_READ : real_methods(file)->xRead(file, bytes, count, place);
}

static int watch_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 place)
{
    return fails(TROUBLE_WRITE) ? SQLITE_FULL : real_methods(file)->xWrite(file, bytes, count, place);
}

static int watch_sync(sqlite3_file *file, int flags)
{
    return fails(TROUBLE_WRITE) ? SQLITE_IOERR_FSYNC : real_methods(file)->xSync(file, flags);
}

static int watch_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *ret_flags)
{
    int status = real_disk->xOpen(real_disk, name, file, flags, ret_flags);
    size_t at = 0;

    (void)vfs;
    if (!file->pMethods)
        return status;
    while (watched[at].real && watched[at].real != file->pMethods)
        at++;
    cr_assert_lt(at, sizeof watched / sizeof *watched);
    watched[at].real = file->pMethods;
    watched[at].methods = *file->pMethods;
    watched[at].methods.xRead = watch_read;
    watched[at].methods.xWrite = watch_write;
    watched[at].methods.xSync = watch_sync;
    file->pMethods = &watched[at].methods;
    return status;
}

void trouble_prepare(void)
{
    real_disk = sqlite3_vfs_find(NULL);
    disk = *real_disk;
    disk.zName = "trouble";
    disk.xOpen = watch_open;
    cr_assert_eq(sqlite3_vfs_register(&disk, 1), SQLITE_OK);
}

/* Statements, not their columns. What is rolled back can always be. */
static int authorize(void *user, int action, const char *name, const char *more, const char *database, const char *trigger)
{
    (void)user, (void)more, (void)database, (void)trigger;
    switch (action) {
    case SQLITE_TRANSACTION:
        return strcmp(name, "ROLLBACK") != 0 && fails(TROUBLE_STATEMENT) ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_SELECT:
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
    case SQLITE_PRAGMA:
        return fails(TROUBLE_STATEMENT) ? SQLITE_DENY : SQLITE_OK;
    default:
        return SQLITE_OK;
    }
}

void trouble_begin(struct store *store, enum trouble which, int well)
{
    trouble = which;
    left = well;
    if (store && which == TROUBLE_STATEMENT)
        sqlite3_set_authorizer(store->db, authorize, NULL);
}

void trouble_end(struct store *store)
{
    trouble = TROUBLE_COUNT;
    if (store)
        sqlite3_set_authorizer(store->db, NULL, NULL);
}
