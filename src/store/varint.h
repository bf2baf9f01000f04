/*
 * Integers in as few bytes as they need: seven bits a byte, low bits first. Readers never run over the end.
 */
#ifndef STUTTERSCOPE_STORE_VARINT_H
#define STUTTERSCOPE_STORE_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VARINT_SIZE_MAX 10

static inline size_t varint_write(uint8_t *to, uint64_t value)
{
    size_t size = 0;
    while (value >= 0x80) {
        to[size++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    to[size++] = (uint8_t)value;
    return size;
}

/* Moves *at behind the number. False when the bytes end inside it or it needs more than 64 bits. */
static inline bool varint_read(const uint8_t **at, const uint8_t *end, uint64_t *ret)
{
    uint64_t value = 0;
    const uint8_t *p = *at;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (p == end)
            return false;
        uint64_t byte = *p++;
        if (shift == 63 && byte > 1)
            return false;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) {
            *at = p;
            *ret = value;
            return true;
        }
    }
    return false;
}

/* Small numbers of either sign become small numbers without one. */
static inline uint64_t varint_fold(int64_t value)
{
    return ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0);
}

static inline int64_t varint_unfold(uint64_t value)
{
    return (int64_t)((value >> 1) ^ ((value & 1) ? UINT64_MAX : 0));
}

#endif
