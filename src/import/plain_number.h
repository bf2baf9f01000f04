/*
 * Decimals as nearly all of them are written, "16.778" or "1763762400916": read by words of eight characters, without
 * a branch for each digit (they would be guessed wrong). Whatever else a number can be is left to base/number. Up to eight bytes
 * behind the first character that belongs to no number are looked at, too.
 */
#ifndef IMPORT_PLAIN_NUMBER_H
#define IMPORT_PLAIN_NUMBER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PLAIN_NUMBER_WORDS 1
#else
#define PLAIN_NUMBER_WORDS 0
#endif

#define EVERY_BYTE 0x0101010101010101ULL

struct plain_number {
    uint64_t value; /* without the mark */
    unsigned places; /* digits behind the mark */
};

/* Eight characters; digits become 0 … 9, the first in the lowest byte. */
static inline uint64_t plain_number_look(const char *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return word ^ EVERY_BYTE * '0';
}

/* The high bits of bytes that are no digits; exact for the lowest, and for the next one when that one is ASCII. */
static inline uint64_t plain_number_others(uint64_t word)
{
    return ((word + EVERY_BYTE * 0x76) | word) & EVERY_BYTE * 0x80;
}

/* The number that the first `count` digits make, 1 to 8. */
static inline uint64_t plain_number_join(uint64_t word, unsigned count)
{
    const uint64_t pairs = 0x000000FF000000FFULL;

    word <<= 64 - 8 * count;
    word = word * 10 + (word >> 8);
    return ((word & pairs) * 0x000F424000000064ULL + (word >> 16 & pairs) * 0x0000271000000001ULL) >> 32;
}

static inline uint64_t plain_number_power(unsigned exponent)
{
    static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

    return powers[exponent];
}

static inline bool plain_number_is_mark(char c, char other_mark)
{
    return c == '.' || c == other_mark;
}

/* `count` digits more behind those that ret->value holds; 0 to 7. */
static inline void plain_number_append(uint64_t word, unsigned count, struct plain_number *ret)
{
    if (count > 0)
        ret->value = ret->value * plain_number_power(count) + plain_number_join(word, count);
}

/* After eight digits: at most seven more, to the first character that is none. */
static inline const char *plain_number_read_digits(const char *at, struct plain_number *ret)
{
    uint64_t word = plain_number_look(at), others = plain_number_others(word);
    unsigned digits = others ? (unsigned)__builtin_ctzll(others) / 8 : 0;

    plain_number_append(word, digits, ret);
    return others ? at + digits : NULL;
}

/* After eight digits: the same with a mark among them. */
static inline const char *plain_number_read_rest(const char *at, char other_mark, struct plain_number *ret)
{
    uint64_t word = plain_number_look(at), others = plain_number_others(word), before, rest;
    unsigned first, end;

    if (!others)
        return NULL;
    first = (unsigned)__builtin_ctzll(others) / 8;
    if (!plain_number_is_mark(at[first], other_mark)) {
        plain_number_append(word, first, ret);
        return at + first;
    }
    before = ((others & -others) >> 7) - 1;
    rest = others & (others - 1);
    if (!rest)
        return NULL;
    end = (unsigned)__builtin_ctzll(rest) / 8;
    plain_number_append((word & before) | (word >> 8 & ~before), end - 1, ret);
    ret->places = end - 1 - first;
    return at + end;
}

/*
 * The mark stands at `mark` among the first eight characters, the others are digits. joined: they and the ninth, without the
 * mark.
 */
static inline const char *plain_number_read_broken(const char *at, unsigned mark, uint64_t joined, struct plain_number *ret)
{
    const char *end = at + 8;

    if (plain_number_others(joined)) {
        ret->value = plain_number_join(joined, 7);
    } else {
        ret->value = plain_number_join(joined, 8);
        end = plain_number_read_digits(at + 9, ret);
    }
    ret->places = end ? (unsigned)(end - at) - mark - 1 : 0;
    return end;
}

/*
 * Up to 15 digits with at most one mark, '.' or other_mark, among, before or behind them. Returns where the first other
 * character stands; NULL: not plain, or longer.
 */
static inline const char *plain_number_read(const char *at, char other_mark, struct plain_number *ret)
{
    uint64_t word = plain_number_look(at), others = plain_number_others(word), before, rest;
    unsigned first, end;

    if (!PLAIN_NUMBER_WORDS)
        return NULL;
    ret->places = 0;
    if (!others) {
        ret->value = plain_number_join(word, 8);
        return plain_number_read_rest(at + 8, other_mark, ret);
    }
    first = (unsigned)__builtin_ctzll(others) / 8;
    if (!plain_number_is_mark(at[first], other_mark)) {
        if (first == 0)
            return NULL;
        ret->value = plain_number_join(word, first);
        return at + first;
    }
    before = ((others & -others) >> 7) - 1;
    rest = others & (others - 1);
    if (!rest)
        return plain_number_read_broken(at, first, (word & before) | (plain_number_look(at + 1) & ~before), ret);
    end = (unsigned)__builtin_ctzll(rest) / 8;
    if (end == 1)
        return NULL;
    ret->value = plain_number_join((word & before) | (word >> 8 & ~before), end - 1);
    ret->places = end - 1 - first;
    return at + end;
}

/* scale is 10 to the power of this; -1: it is no power of ten. */
static inline int plain_number_digits(int64_t scale)
{
    int digits = 0;

    for (; scale >= 10 && scale % 10 == 0; scale /= 10)
        digits++;
    return scale == 1 ? digits : -1;
}

/* The number times 10 to the power of `digits`; false: it would have to be rounded, or is too large. */
static inline bool plain_number_scale(const struct plain_number *number, int digits, int64_t *ret)
{
    static const int64_t powers[19] = {
        1,
        10,
        100,
        1000,
        10000,
        100000,
        1000000,
        10000000,
        100000000,
        1000000000,
        10000000000,
        100000000000,
        1000000000000,
        10000000000000,
        100000000000000,
        1000000000000000,
        10000000000000000,
        100000000000000000,
        1000000000000000000,
    };
    int shift = digits - (int)number->places;

    return shift >= 0 && !__builtin_mul_overflow((int64_t)number->value, powers[shift], ret);
}

#endif
