/*
 * Preloaded into the program under test: lets the disk fill up, or the process die, at the n-th change of a file below
 * one folder, and lets the wall clock say another time. Configured by the environment:
 *
 *   FAULT_FOLDER   only files below this folder count (required for all but the clock)
 *   FAULT_KILL_AT  the process is killed instead of doing change number n (from 1)
 *   FAULT_FULL_AT  from change number n on everything that needs room fails with ENOSPC
 *   FAULT_COUNT    file that receives the number of changes at the end
 *   FAULT_CLOCK    seconds added to the wall clock
 */
#undef _FILE_OFFSET_BITS /* both names of a function are wanted */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static long changes;

static long number_of(const char *name)
{
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

static int below_folder(const char *path)
{
    const char *folder = getenv("FAULT_FOLDER");
    return folder && *folder && strncmp(path, folder, strlen(folder)) == 0;
}

static int file_counts(int file)
{
    char name[64], path[4096];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = readlink(name, path, sizeof path - 1);
    if (length <= 0)
        return 0;
    path[length] = 0;
    return below_folder(path);
}

/* Counts one change; false: there is no room for it. */
static int allow_change(int needs_room)
{
    long number = ++changes, kill_at = number_of("FAULT_KILL_AT"), full_at = number_of("FAULT_FULL_AT");
    if (kill_at && number == kill_at)
        raise(SIGKILL);
    if (full_at && number >= full_at && needs_room) {
        errno = ENOSPC;
        return 0;
    }
    return 1;
}

#define REAL(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t size)
{
    return file_counts(file) && !allow_change(1) ? -1 : REAL(write)(file, bytes, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    return file_counts(file) && !allow_change(1) ? -1 : REAL(pwrite)(file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset)
{
    return file_counts(file) && !allow_change(1) ? -1 : REAL(pwrite64)(file, bytes, size, offset);
}

int fsync(int file)
{
    return file_counts(file) && !allow_change(0) ? -1 : REAL(fsync)(file);
}

int fdatasync(int file)
{
    return file_counts(file) && !allow_change(0) ? -1 : REAL(fdatasync)(file);
}

int ftruncate(int file, off_t size)
{
    return file_counts(file) && !allow_change(0) ? -1 : REAL(ftruncate)(file, size);
}

int ftruncate64(int file, off64_t size)
{
    return file_counts(file) && !allow_change(0) ? -1 : REAL(ftruncate64)(file, size);
}

int rename(const char *from, const char *to)
{
    return below_folder(to) && !allow_change(0) ? -1 : REAL(rename)(from, to);
}

int unlink(const char *path)
{
    return below_folder(path) && !allow_change(0) ? -1 : REAL(unlink)(path);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = REAL(clock_gettime)(clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        time->tv_sec += number_of("FAULT_CLOCK");
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    int result = REAL(gettimeofday)(time, zone);
    if (result == 0)
        time->tv_sec += number_of("FAULT_CLOCK");
    return result;
}

time_t time(time_t *result)
{
    time_t now = REAL(time)(NULL) + number_of("FAULT_CLOCK");
    if (result)
        *result = now;
    return now;
}

__attribute__((destructor)) static void tell_count(void)
{
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", changes);
        fclose(file);
    }
}
