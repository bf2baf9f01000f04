/*
 * Bytes that wait for the end of a file: in memory while they are few, then in a temporary file without a
 * name in the folder of the store, which vanishes with the program however that ends.
 */
#ifndef STUTTERSCOPE_STORE_SPOOL_H
#define STUTTERSCOPE_STORE_SPOOL_H

#include "stutterscope/base/error.h"
#include <stddef.h>
#include <stdint.h>

struct spool;
/* neighbour: a file in whose folder the temporary file is made. in_memory: bytes kept before it is needed. */
struct spool *spool_create(const char *neighbour, size_t in_memory);
void spool_destroy(struct spool *spool);
/* *ret_at: where they begin, for spool_read(). */
bool spool_add(struct spool *spool, const void *bytes, size_t size, uint64_t *ret_at, struct error *error);
uint64_t spool_size(const struct spool *spool); /* bytes that were added */
/* Bytes that were added by one call, or part of them. Valid until the next call. */
bool spool_read(struct spool *spool, uint64_t at, size_t size, const uint8_t **ret, struct error *error);

#endif
