/*
 * What a file is, told from its first bytes, and where it lies; without SQLite, so that nothing is changed by
 * looking.
 */
#ifndef STUTTERSCOPE_STORE_FILE_H
#define STUTTERSCOPE_STORE_FILE_H

#include "stutterscope/base/error.h"
#include <stdbool.h>
#include <stdint.h>

struct store_file {
    bool exists;
    int64_t size;
    bool is_sqlite;
    uint32_t application_id, user_version; /* as far as they have reached the file itself */
};
/* Errors: folders, devices, files that cannot be read. A file that is not there is none. */
bool store_file_inspect(const char *path, struct store_file *ret, struct error *error);
int64_t store_file_size(const char *path); /* -1: not there */
/*
 * The system begins to write what this process has handed to it for the file, and nobody waits: what waits for all of it later waits
 * for less. Nothing happens when the file is not open, or the system has no such call.
 */
void store_file_begin_writing(const char *path);
/* On a network file system: no shared memory between machines. */
bool store_file_is_remote(const char *path);

#endif
