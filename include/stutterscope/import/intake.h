/*
 * From what people name to single files: folders are walked, archives and compressed files opened. Every file comes to
 * one callback with its bytes as a stream.
 */
#ifndef STUTTERSCOPE_IMPORT_INTAKE_H
#define STUTTERSCOPE_IMPORT_INTAKE_H

#include "stutterscope/import/import.h"

/* Against archives made to fill disks and memory; 0: no limit. */
struct unpack_limits {
    int64_t bytes; /* unpacked, of one compressed file or archive */
    int64_t ratio; /* unpacked : packed, looked at from 64 MiB on */
};
#define UNPACK_MOST_BYTES (64LL << 30)
#define UNPACK_MOST_RATIO 1000

struct intake {
    void *user;
    /* One file. The item's source is taken over. false ends everything. */
    bool (*take)(void *user, const struct import_item *item);
    /* A file, folder or archive that cannot be read, or a member that is not taken; the error says why. */
    void (*fail)(void *user, const char *path, const struct error *error);
    struct unpack_limits limits;
};
/*
 * A folder gives its files in the order of their names, deep ones too, each folder once however links lead to it;
 * hidden files and what lies beside captures (import_is_sidecar()) are passed over. "-": standard input. Members of an
 * archive come as "night.zip/device/run.csv". false when take() said so.
 */
bool intake_path(const struct intake *intake, const char *path);
/* The same for bytes that come from somewhere else under that name; taken over, and read once. */
bool intake_source(const struct intake *intake, const char *path, struct byte_source *source);

#endif
