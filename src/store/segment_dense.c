/*
 * Dense columns: what all values are multiples of is taken out once; then planes or bits, whichever serves better.
 */
#include "segment_internal.h"
#include "stutterscope/base/memory.h"
#include <string.h>

/* Bits are read in a tenth of the time: they may be larger by one part in so many. */
#define BITS_MAY_COST 8

const int64_t segment_units[SEGMENT_UNITS] = {1, 100, 1000};

/* The loops are apart because a constant divisor costs a tenth of a variable one. */
static size_t find_unit(const int64_t *values, size_t count)
{
    size_t i = 0;
    while (i < count && (values[i] % 1000 == 0 || values[i] == VALUE_UNKNOWN))
        i++;
    if (i == count)
        return 2;
    while (i < count && (values[i] % 100 == 0 || values[i] == VALUE_UNKNOWN))
        i++;
    return i == count ? 1 : 0;
}

/* Divides; unknown values take the one before (the first: the first known), so that they cost nothing. */
static bool scale(const int64_t *values, size_t count, size_t unit, int64_t *scaled)
{
    if (unit == 2)
        for (size_t i = 0; i < count; i++)
            scaled[i] = values[i] / 1000;
    else if (unit == 1)
        for (size_t i = 0; i < count; i++)
            scaled[i] = values[i] / 100;
    else
        memcpy(scaled, values, count * sizeof *values);
    size_t known = 0, unknown = 0;
    while (known < count && values[known] == VALUE_UNKNOWN)
        known++;
    int64_t last = known < count ? scaled[known] : 0;
    for (size_t i = 0; i < count; i++) {
        if (values[i] == VALUE_UNKNOWN) {
            scaled[i] = last;
            unknown++;
        }
        last = scaled[i];
    }
    return unknown > 0;
}

void segment_pack_dense(struct segment_codec *codec, const int64_t *values, size_t count, struct byte_buffer *out)
{
    size_t start = out->count;
    struct dense_values dense = {.values = values, .count = count, .unit = find_unit(values, count)};

    array_reserve(&codec->scaled, count);
    dense.scaled = codec->scaled.items;
    dense.has_unknown = scale(values, count, dense.unit, dense.scaled);
    codec->bits.count = 0;
    segment_pack_bits(codec, &dense, &codec->bits);
    segment_pack_planes(codec, &dense, out);
    size_t size = out->count - start;
    if (codec->bits.count > size + size / BITS_MAY_COST)
        return;
    out->count = start;
    memcpy(bytes_reserve(out, codec->bits.count), codec->bits.items, codec->bits.count);
    out->count += codec->bits.count;
}
