/*
 * A stream of bytes, and streams stacked on it that decode. Unpacking (gzip, zstd, archives) goes between the
 * file and the encoding as one more source; nothing above notices.
 */
#ifndef STUTTERSCOPE_IMPORT_SOURCE_H
#define STUTTERSCOPE_IMPORT_SOURCE_H

#include "stutterscope/base/error.h"
#include <stddef.h>
#include <stdint.h>

struct byte_source {
    /* Gives at most size bytes, at least one; *ret 0: the end. */
    bool (*read)(struct byte_source *source, char *bytes, size_t size, size_t *ret, struct error *error);
    void (*close)(struct byte_source *source); /* frees it and the source below */
    struct byte_source *below;                 /* NULL at the bottom */
    int64_t total;                             /* bytes of the file; 0: not known (a pipe) */
};

/* path "-": standard input. NULL with an error that names the file. */
struct byte_source *source_open_file(const char *path, struct error *error);
/* Reads the caller's bytes; they must outlive the source. */
struct byte_source *source_open_memory(const char *bytes, size_t size);
/* Gives these bytes first (copied), then what is below: puts back what was looked at. */
struct byte_source *source_put_before(const char *bytes, size_t size, struct byte_source *below);
/*
 * From an encoding that iconv knows ("UTF-16LE", "CP949") to UTF-8; broken sequences become U+FFFD. NULL with
 * an error when the encoding is not known; below is closed then.
 */
struct byte_source *source_decode(struct byte_source *below, const char *encoding, struct error *error);

bool source_read(struct byte_source *source, char *bytes, size_t size, size_t *ret, struct error *error);
/* Reads until size bytes are there or the end. */
bool source_read_full(struct byte_source *source, char *bytes, size_t size, size_t *ret, struct error *error);
void source_close(struct byte_source *source); /* NULL is fine */

#endif
