/*
 * Compressed files and archives as streams: what is inside comes member by member, read once, never more than a block
 * in memory. The only place with archive.h.
 */
#ifndef IMPORT_UNPACK_H
#define IMPORT_UNPACK_H

#include "stutterscope/import/intake.h"
#include "stutterscope/import/source.h"

#define UNPACK_LOOK_BYTES 512 /* enough of a beginning for unpack_kind() */

enum unpack_kind {
    UNPACK_NONE,       /* read as it is */
    UNPACK_COMPRESSED, /* gzip, zstd, xz, bzip2, lz4; perhaps with a tar inside */
    UNPACK_ARCHIVE,    /* zip, tar */
    UNPACK_REFUSED     /* an archive that is not read here (7z, rar) */
};
enum unpack_kind unpack_kind(const char *bytes, size_t size);

struct unpack;
struct unpack_member {
    char *name;  /* clean and relative, whatever stood in the archive; valid until the next member */
    bool single; /* not an archive but one compressed file: name is "" */
    bool is_file;
};
/* One of path (a regular file, opened here) and source (borrowed; path is for messages). */
struct unpack *unpack_open(const char *path, struct byte_source *source, const struct unpack_limits *limits,
                           struct error *error);
void unpack_close(struct unpack *unpack);
/* false at the end, then *ret is empty, and on trouble. */
bool unpack_next(struct unpack *unpack, struct unpack_member *ret, bool *ret_end, struct error *error);
/* The member's bytes; closed by the reader before the next member is asked for. */
struct byte_source *unpack_source(struct unpack *unpack);

#endif
