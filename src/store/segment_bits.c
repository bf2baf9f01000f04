/*
 * Dense values around one level, with few far away: each as its distance from a base in so many bits, and those that do not
 * fit in a list behind.  A little larger than planes, but a value is read where it lies, without its neighbours, and in a
 * few instructions.
 */
#include "segment_internal.h"
#include "stutterscope/base/memory.h"
#include <endian.h>
#include <math.h>
#include <string.h>

enum {
    SAMPLE = 64,   /* values that width and base are chosen by */
    BITS_MOST = 56 /* a value and its place in a byte are read as eight bytes */
};
/* unit, bits, base */
#define HEAD_SIZE_MAX (2 + VARINT_SIZE_MAX)
/* gap, value */
#define FAR_SIZE_MAX (2 * VARINT_SIZE_MAX)
/* What a value of the list costs, about. */
#define FAR_SIZE 4

struct frame_of_reference {
    int64_t base;
    unsigned bits;
};

/* Evenly taken; ascending. So few are sorted fastest by insertion. */
static size_t take_sample(const struct dense_values *dense, int64_t *sample)
{
    size_t step = (dense->count + SAMPLE - 1) / SAMPLE, taken = 0;

    for (size_t i = 0; i < dense->count; i += step) {
        size_t at = taken++;

        for (; at > 0 && sample[at - 1] > dense->scaled[i]; at--)
            sample[at] = sample[at - 1];
        sample[at] = dense->scaled[i];
    }
    return taken;
}

/* The base for which most of the sample fits into the bits, with equal room below and above. */
static size_t choose_base(const int64_t *sample, size_t count, unsigned bits, int64_t *ret)
{
    uint64_t most = ((uint64_t)1 << bits) - 1;
    size_t best = 0, first = 0;

    for (size_t last = 0; last < count; last++) {
        while ((uint64_t)sample[last] - (uint64_t)sample[first] > most)
            first++;
        if (last - first + 1 > best) {
            best = last - first + 1;
            *ret = (int64_t)((uint64_t)sample[first] - (most - ((uint64_t)sample[last] - (uint64_t)sample[first])) / 2);
        }
    }
    return best;
}

static struct frame_of_reference choose(const struct dense_values *dense)
{
    int64_t sample[SAMPLE];
    size_t taken = take_sample(dense, sample), fit = 0;
    struct frame_of_reference best = {dense->scaled[0], 0};
    double cheapest = INFINITY;

    /* once all fit, more bits cost more */
    for (unsigned bits = 0; bits <= BITS_MOST && fit < taken; bits++) {
        int64_t base = 0;

        fit = choose_base(sample, taken, bits, &base);
        double bytes = bits / 8.0 + (1 - (double)fit / (double)taken) * FAR_SIZE;
        if (bytes < cheapest) {
            cheapest = bytes;
            best = (struct frame_of_reference){base, bits};
        }
    }
    return best;
}

static void write_head(struct byte_buffer *out, size_t unit, const struct frame_of_reference *frame)
{
    uint8_t *to = bytes_reserve(out, 2 + HEAD_SIZE_MAX);
    size_t size = 0;

    to[size++] = SEGMENT_BITS;
    to[size++] = SEGMENT_VERSION;
    to[size++] = (uint8_t)unit;
    to[size++] = (uint8_t)frame->bits;
    size += varint_write(to + size, varint_fold(frame->base));
    out->count += size;
}

static void add_far(struct byte_buffer *far, size_t gap, int64_t value)
{
    uint8_t *to = bytes_reserve(far, FAR_SIZE_MAX);
    size_t size = varint_write(to, gap);

    far->count += size + varint_write(to + size, segment_value_to_code(value));
}

/* The far ones go to *far; in their place stand zeros. */
static void write_values(const struct dense_values *dense, const struct frame_of_reference *frame, struct byte_buffer *out,
                         struct byte_buffer *far)
{
    size_t size = (dense->count * frame->bits + 7) / 8, end = 0, filled = 0;
    uint8_t *to = bytes_reserve(out, size + sizeof(uint64_t));
    uint64_t word = 0, most = ((uint64_t)1 << frame->bits) - 1;

    out->count += size;
    for (size_t i = 0; i < dense->count; i++) {
        bool unknown = dense->has_unknown && dense->values[i] == VALUE_UNKNOWN;
        uint64_t distance = (uint64_t)dense->scaled[i] - (uint64_t)frame->base;

        if (unknown || distance > most) {
            add_far(far, i - end, unknown ? VALUE_UNKNOWN : dense->scaled[i]);
            end = i + 1;
            distance = 0;
        }
        word |= distance << filled;
        filled += frame->bits;
        memcpy(to, &(uint64_t){htole64(word)}, sizeof word); /* what is not whole yet is written again */
        to += filled / 8;
        word >>= filled / 8 * 8; /* at most 63 are filled */
        filled %= 8;
    }
}

void segment_pack_bits(struct segment_codec *codec, const struct dense_values *dense, struct byte_buffer *out)
{
    struct frame_of_reference frame = choose(dense);

    codec->raw.count = 0;
    write_head(out, dense->unit, &frame);
    write_values(dense, &frame, out, &codec->raw);
    uint8_t *to = bytes_reserve(out, codec->raw.count);
    if (codec->raw.count > 0) /* else there is nothing to copy from either */
        memcpy(to, codec->raw.items, codec->raw.count);
    out->count += codec->raw.count;
}

static inline uint64_t take_word(const uint8_t *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return le64toh(word);
}

/* From the eight bytes at a place. */
static inline uint64_t take_bits(const uint8_t *at, size_t shift, unsigned bits)
{
    return take_word(at) >> shift & (((uint64_t)1 << bits) - 1);
}

/*
 * Eight values, which are whole bytes, at a time; `together` of them are taken from the same eight bytes. From a multiple of
 * eight on; returns the first that was not read.
 */
__attribute__((always_inline)) static inline size_t read_eights(const uint8_t *bytes, struct frame_range range, unsigned bits,
                                                                unsigned together, uint64_t base, uint64_t unit,
                                                                int64_t *restrict values)
{
    uint64_t most = ((uint64_t)1 << bits) - 1;
    size_t i = range.first;

    for (const uint8_t *at = bytes + i / 8 * bits; i + 8 <= range.end; i += 8, at += bits)
        for (unsigned k = 0; k < 8; k += together) {
            uint64_t word = take_word(at + k * bits / 8) >> k * bits % 8;

            for (unsigned n = 0; n < together; n++, word >>= bits)
                values[i + k + n] = (int64_t)(base + (word & most) * unit);
        }
    return i;
}

/* The values of a range whose eight bytes lie within the column. */
static void read_range(const uint8_t *bytes, struct frame_range range, unsigned bits, uint64_t base, uint64_t unit,
                       int64_t *restrict values)
{
    size_t i = range.first, whole = (range.first + 7) / 8 * 8;

    for (; i < range.end && i < whole; i++)
        values[i] = (int64_t)(base + take_bits(bytes + i * bits / 8, i * bits % 8, bits) * unit);
    /* Up to seven bits of the word lie before the first of them; with four together none or four. */
    if (bits <= 15)
        i = read_eights(bytes, (struct frame_range){i, range.end}, bits, 4, base, unit, values);
    else if (bits <= 28)
        i = read_eights(bytes, (struct frame_range){i, range.end}, bits, 2, base, unit, values);
    for (; i < range.end; i++)
        values[i] = (int64_t)(base + take_bits(bytes + i * bits / 8, i * bits % 8, bits) * unit);
}

/* The last ones, of which something lies behind the end. */
static void read_last(const uint8_t *bytes, size_t size, struct frame_range range, unsigned bits, uint64_t base, uint64_t unit,
                      int64_t *values)
{
    for (size_t i = range.first; i < range.end; i++) {
        uint8_t padded[sizeof(uint64_t)] = {0};
        size_t at = i * bits / 8, left = size - at;

        memcpy(padded, bytes + at, left < sizeof padded ? left : sizeof padded);
        values[i] = (int64_t)(base + take_bits(padded, i * bits % 8, bits) * unit);
    }
}

static bool read_far(const uint8_t *at, const uint8_t *end, size_t count, uint64_t unit, int64_t *values)
{
    size_t position = 0;

    while (at < end) {
        uint64_t gap, code;

        if (!varint_read(&at, end, &gap) || !varint_read(&at, end, &code) || gap >= count - position)
            return false;
        position += gap;
        int64_t value = segment_code_to_value(code);
        values[position++] = value == VALUE_UNKNOWN ? VALUE_UNKNOWN : (int64_t)((uint64_t)value * unit);
    }
    return true;
}

bool segment_unpack_bits(const uint8_t *bytes, size_t size, const struct frame_range *ranges, size_t range_count,
                         int64_t *values, size_t count, struct error *error)
{
    const uint8_t *at = bytes + 2, *end = bytes + size;
    uint64_t folded;

    if (size < 2 || bytes[0] >= SEGMENT_UNITS || bytes[1] > BITS_MOST || !varint_read(&at, end, &folded))
        return error_set(error, ERROR_STORE, "its head is damaged");
    unsigned bits = bytes[1];
    size_t packed = (count * bits + 7) / 8, left = (size_t)(end - at);
    if (packed > left)
        return error_set(error, ERROR_STORE, "it has %zu bytes for %zu frames of %u bits", left, count, bits);
    uint64_t unit = (uint64_t)segment_units[bytes[0]], base = (uint64_t)varint_unfold(folded) * unit;
    /* of these all eight bytes are there */
    size_t safe = left < sizeof(uint64_t) ? 0 : bits == 0 ? count : (left - sizeof(uint64_t)) * 8 / bits + 1;
    for (size_t i = 0; i < range_count; i++) {
        size_t middle = ranges[i].end < safe ? ranges[i].end : ranges[i].first > safe ? ranges[i].first : safe;

        read_range(at, (struct frame_range){ranges[i].first, middle}, bits, base, unit, values);
        read_last(at, left, (struct frame_range){middle, ranges[i].end}, bits, base, unit, values);
    }
    return read_far(at + packed, end, count, unit, values) ||
           error_set(error, ERROR_STORE, "a value lies outside its %zu frames", count);
}
