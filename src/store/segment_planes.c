/*
 * Dense values: what they have in common is taken out (unit, least value, or the value before), the rest is
 * laid out byte by byte of equal weight, which zstd packs far better than the numbers themselves.
 */
#include "segment_internal.h"
#include "stutterscope/base/memory.h"
#include <math.h>
#include <string.h>

enum planes_flag {
    PLANES_DIFFERENCES = 1, /* each value minus the one before */
    PLANES_MASK = 2,        /* a bit for every unknown value follows the planes */
    PLANES_UNIT = 4 | 8     /* position in segment_units, times 4 */
};
#define FLAGS_ALL  (PLANES_DIFFERENCES | PLANES_MASK | PLANES_UNIT)
/* flags, width, first value, least value */
#define HEAD_SIZE_MAX (2 + 2 * VARINT_SIZE_MAX)

/* Whether neighbours are much closer to each other than to the mean, by a sample. */
static bool differences_fit(const int64_t *values, size_t count)
{
    size_t step = count / 256 + 1, taken = 0;
    double sum = 0, spread = 0, jumps = 0;
    for (size_t i = 1; i < count; i += step, taken++)
        sum += (double)values[i];
    if (taken == 0)
        return false;
    for (size_t i = 1; i < count; i += step) {
        spread += fabs((double)values[i] - sum / (double)taken);
        jumps += fabs((double)values[i] - (double)values[i - 1]);
    }
    return jumps < 0.5 * spread;
}

static void take_differences(int64_t *values, size_t count)
{
    for (size_t i = count - 1; i > 0; i--)
        values[i] = (int64_t)((uint64_t)values[i] - (uint64_t)values[i - 1]);
    values[0] =
        count > 1 ? values[1] : 0; /* the first stands in the head: here it must only not widen the range */
}

static void write_planes(struct byte_buffer *raw, const int64_t *restrict values, size_t count, int64_t least,
                         unsigned width)
{
    uint8_t *restrict to = bytes_reserve(raw, count * width);
    raw->count += count * width;
    for (unsigned plane = 0; plane < width; plane++, to += count)
        for (size_t i = 0; i < count; i++)
            to[i] = (uint8_t)(((uint64_t)values[i] - (uint64_t)least) >> (8 * plane));
}

static void write_mask(struct byte_buffer *raw, const int64_t *values, size_t count)
{
    size_t size = (count + 7) / 8;
    uint8_t *to = bytes_reserve(raw, size);
    memset(to, 0, size);
    raw->count += size;
    for (size_t i = 0; i < count; i++)
        to[i / 8] |= (uint8_t)((values[i] == VALUE_UNKNOWN) << (i % 8));
}

static unsigned find_width(uint64_t range)
{
    unsigned width = 0;
    for (; range > 0; range >>= 8)
        width++;
    return width;
}

void segment_pack_planes(struct segment_codec *codec, const struct dense_values *dense, struct byte_buffer *out)
{
    int64_t *scaled = dense->scaled;
    size_t count = dense->count;
    unsigned flags = (unsigned)dense->unit << 2 | (dense->has_unknown ? PLANES_MASK : 0);
    int64_t first = scaled[0];
    if (differences_fit(scaled, count)) {
        take_differences(scaled, count);
        flags |= PLANES_DIFFERENCES;
    }
    int64_t least = scaled[0], greatest = scaled[0];
    for (size_t i = 1; i < count; i++) {
        least = scaled[i] < least ? scaled[i] : least;
        greatest = scaled[i] > greatest ? scaled[i] : greatest;
    }
    unsigned width = find_width((uint64_t)greatest - (uint64_t)least);

    uint8_t *to = bytes_reserve(out, 2 + HEAD_SIZE_MAX);
    size_t size = 0;
    to[size++] = SEGMENT_PLANES;
    to[size++] = SEGMENT_VERSION;
    to[size++] = (uint8_t)flags;
    to[size++] = (uint8_t)width;
    size += varint_write(to + size, varint_fold(first));
    size += varint_write(to + size, varint_fold(least));
    out->count += size;
    codec->raw.count = 0;
    write_planes(&codec->raw, scaled, count, least, width);
    if (flags & PLANES_MASK)
        write_mask(&codec->raw, dense->values, count);
    if (codec->raw.count > 0)
        segment_write_zstd_pieces(codec, count, out);
}

/*
 * value = base + unit x planes, for the values of a range. Called with constant widths only, so that the compiler makes
 * one straight loop of each.
 */
__attribute__((always_inline)) static inline void join(const uint8_t *restrict planes, size_t count,
                                                       struct frame_range range, unsigned width, uint64_t base,
                                                       uint64_t unit, int64_t *restrict values)
{
    for (size_t i = range.first; i < range.end; i++) {
        if (width <= 4) {
            uint32_t sum = 0;
            for (unsigned plane = 0; plane < width; plane++)
                sum |= (uint32_t)planes[plane * count + i] << (8 * plane);
            values[i] = (int64_t)(base + (uint64_t)sum * (uint32_t)unit);
        } else {
            uint64_t sum = 0;
            for (unsigned plane = 0; plane < width; plane++)
                sum |= (uint64_t)planes[plane * count + i] << (8 * plane);
            values[i] = (int64_t)(base + sum * unit);
        }
    }
}

static void read_planes(const uint8_t *planes, size_t count, struct frame_range range, unsigned width, uint64_t base,
                        uint64_t unit, int64_t *values)
{
    switch (width) {
    case 0:
        join(planes, count, range, 0, base, unit, values);
        break;
    case 1:
        join(planes, count, range, 1, base, unit, values);
        break;
    case 2:
        join(planes, count, range, 2, base, unit, values);
        break;
    case 3:
        join(planes, count, range, 3, base, unit, values);
        break;
    case 4:
        join(planes, count, range, 4, base, unit, values);
        break;
    case 5:
        join(planes, count, range, 5, base, unit, values);
        break;
    case 6:
        join(planes, count, range, 6, base, unit, values);
        break;
    case 7:
        join(planes, count, range, 7, base, unit, values);
        break;
    default:
        join(planes, count, range, 8, base, unit, values);
        break;
    }
}

static void add_up(int64_t *values, size_t count, uint64_t first)
{
    uint64_t sum = first;
    values[0] = (int64_t)sum;
    for (size_t i = 1; i < count; i++) {
        sum += (uint64_t)values[i];
        values[i] = (int64_t)sum;
    }
}

static void apply_mask(const uint8_t *mask, struct frame_range range, int64_t *values)
{
    for (size_t i = range.first; i < range.end; i++)
        if (mask[i / 8] & (1u << (i % 8)))
            values[i] = VALUE_UNKNOWN;
}

bool segment_unpack_planes(struct segment_codec *codec, const uint8_t *bytes, size_t size,
                           const struct frame_range *ranges, size_t range_count, int64_t *values, size_t count,
                           struct error *error)
{
    const uint8_t *at = bytes + 2, *end = bytes + size;
    uint64_t first, least;
    if (size < 2 || (bytes[0] & ~FLAGS_ALL) || (bytes[0] & PLANES_UNIT) >> 2 >= SEGMENT_UNITS || bytes[1] > 8 ||
        !varint_read(&at, end, &first) || !varint_read(&at, end, &least))
        return error_set(error, ERROR_STORE, "its head is damaged");
    unsigned flags = bytes[0], width = bytes[1];
    uint64_t unit = (uint64_t)segment_units[(flags & PLANES_UNIT) >> 2];
    size_t mask_size = flags & PLANES_MASK ? (count + 7) / 8 : 0, wanted = mask_size + width * count;
    if (wanted == 0 && at != end)
        return error_set(error, ERROR_STORE, "bytes follow its end");
    if (wanted > 0 && !segment_read_zstd(codec, at, (size_t)(end - at), wanted, true, error))
        return false;
    const uint8_t *planes = wanted > 0 ? codec->raw.items : bytes;
    bool sums = flags & PLANES_DIFFERENCES; /* of all before it is each value made */
    const struct frame_range all = {0, count};
    if (sums) {
        ranges = &all;
        range_count = 1;
    }
    for (size_t i = 0; i < range_count; i++)
        read_planes(planes, count, ranges[i], width, (uint64_t)varint_unfold(least) * unit, unit, values);
    if (sums)
        add_up(values, count, (uint64_t)varint_unfold(first) * unit);
    for (size_t i = 0; i < range_count && mask_size > 0; i++)
        apply_mask(codec->raw.items + width * count, ranges[i], values);
    return true;
}
