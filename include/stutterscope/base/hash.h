/*
 * Content hashes (xxh3): identities of files, runs and stutters.
 */
#ifndef STUTTERSCOPE_BASE_HASH_H
#define STUTTERSCOPE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash_stream;
struct hash_stream *hash_stream_create(void);
void hash_stream_add(struct hash_stream *stream, const void *bytes, size_t size);
/* 32 hex digits and NUL. The stream may be added to afterwards. */
void hash_stream_print(const struct hash_stream *stream, char hex[33]);
void hash_stream_destroy(struct hash_stream *stream);

uint64_t hash_bytes(const void *bytes, size_t size); /* xxh3, 64 bit */

#endif
