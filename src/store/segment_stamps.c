/*
 * Stamps: what is left of each after the time that the frame times let expect. A clock often counts coarser
 * than the frame times (whole milliseconds): what is expected is then kept finer than the stamps, between the
 * least and the greatest true time that the last stamp allows, so that after a few frames hardly anything is
 * left.
 */
#include "segment_internal.h"
#include "stutterscope/base/memory.h"

static const int64_t units[] = {1, 1000, 1000000};
#define UNIT_COUNT    3
#define HEAD_SIZE_MAX (3 + VARINT_SIZE_MAX)

/* All arithmetic wraps around like that of unsigned numbers, so that every stamp comes back whatever it was.
 */
static int64_t add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t subtract(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* The loops are apart because a constant divisor costs a tenth of a variable one. */
static size_t find_unit(const int64_t *stamps, size_t count)
{
    size_t i = 0;
    while (i < count && subtract(stamps[i], stamps[0]) % 1000000 == 0)
        i++;
    if (i == count)
        return 2;
    while (i < count && subtract(stamps[i], stamps[0]) % 1000 == 0)
        i++;
    return i == count ? 1 : 0;
}

/* Rounds towards minus infinity; without a sign, which is usual, it takes half as long. */
static inline int64_t divide(int64_t value, int64_t unit)
{
    if (value >= 0)
        return (int64_t)((uint64_t)value / (uint64_t)unit);
    return value / unit - (value % unit < 0);
}

/* The true time after a stamp was seen: at least the stamp, less than one unit more. */
static inline int64_t narrow(int64_t expected, int64_t stamp, int64_t unit)
{
    int64_t ahead = subtract(expected, stamp);
    return ahead < 0 ? stamp : ahead >= unit ? add(stamp, unit - 1) : expected;
}

/* Times count from the first stamp. Called with constant units only. */
__attribute__((always_inline)) static inline void take_out(const int64_t *stamps, const int64_t *frame_times,
                                                           size_t count, int64_t unit, int64_t *residual)
{
    int64_t expected = unit / 2;
    residual[0] = 0;
    for (size_t i = 1; i < count; i++) {
        int64_t stamp = subtract(stamps[i], stamps[0]);
        expected = add(expected, frame_times[i]);
        residual[i] = subtract(stamp / unit, divide(expected, unit));
        expected = narrow(expected, stamp, unit);
    }
}

/* In place. */
__attribute__((always_inline)) static inline void put_back(int64_t *values, const int64_t *frame_times,
                                                           size_t count, int64_t unit, int64_t first)
{
    int64_t expected = unit / 2;
    values[0] = first;
    for (size_t i = 1; i < count; i++) {
        expected = add(expected, frame_times[i]);
        int64_t residual = values[i];
        int64_t stamp = (int64_t)((uint64_t)add(residual, divide(expected, unit)) * (uint64_t)unit);
        /* Nothing left, which is usual: what was expected holds, and the next frame need not wait for the division. */
        if (residual != 0)
            expected = narrow(expected, stamp, unit);
        values[i] = add(stamp, first);
    }
}

/* The same for residuals that are mostly zero: what lies between the others needs no more than the sum. */
__attribute__((always_inline)) static inline void put_back_runs(const struct value_runs *runs, int64_t *stamps,
                                                                const int64_t *frame_times, size_t count, int64_t unit,
                                                                int64_t first)
{
    int64_t expected = subtract(unit / 2, frame_times[0]);
    size_t i = 0;

    for (size_t run = 0; run <= runs->count; run++) {
        bool last = run == runs->count;
        size_t begin = last ? count : runs->items[run].first, end = last ? count : begin + runs->items[run].length;

        for (; i < begin; i++) {
            expected = add(expected, frame_times[i]);
            stamps[i] = add((int64_t)((uint64_t)divide(expected, unit) * (uint64_t)unit), first);
        }
        for (; i < end; i++) {
            expected = add(expected, frame_times[i]);
            int64_t stamp = (int64_t)((uint64_t)add(runs->items[run].value, divide(expected, unit)) * (uint64_t)unit);
            expected = narrow(expected, stamp, unit);
            stamps[i] = add(stamp, first);
        }
    }
    stamps[0] = first;
}

void segment_pack_stamps(struct segment_codec *codec, const int64_t *stamps, const int64_t *frame_times,
                         size_t count, struct byte_buffer *out)
{
    array_reserve(&codec->residual, count);
    int64_t *residual = codec->residual.items;
    size_t unit = find_unit(stamps, count);
    if (unit == 2)
        take_out(stamps, frame_times, count, 1000000, residual);
    else if (unit == 1)
        take_out(stamps, frame_times, count, 1000, residual);
    else
        take_out(stamps, frame_times, count, 1, residual);
    uint8_t *to = bytes_reserve(out, HEAD_SIZE_MAX);
    to[0] = SEGMENT_RESIDUAL;
    to[1] = SEGMENT_VERSION;
    to[2] = (uint8_t)unit;
    out->count += 3 + varint_write(to + 3, varint_fold(stamps[0]));
    segment_pack_values(codec, residual, count, out);
}

static void put_back_runs_by_unit(const struct value_runs *runs, int64_t *stamps, const int64_t *frame_times, size_t count,
                                  int64_t unit, int64_t first)
{
    if (unit == 1000000)
        put_back_runs(runs, stamps, frame_times, count, 1000000, first);
    else if (unit == 1000)
        put_back_runs(runs, stamps, frame_times, count, 1000, first);
    else
        put_back_runs(runs, stamps, frame_times, count, 1, first);
}

bool segment_unpack_stamps(struct segment_codec *codec, const uint8_t *bytes, size_t size,
                           const int64_t *frame_times, int64_t *stamps, size_t count, struct error *error)
{
    const uint8_t *at = bytes + 1, *end = bytes + size;
    uint64_t first;
    if (size < 1 || bytes[0] >= UNIT_COUNT || !varint_read(&at, end, &first))
        return error_set(error, ERROR_STORE, "its head is damaged");
    if (segment_is_runs(at, (size_t)(end - at))) {
        if (!segment_read_runs(codec, at + 2, (size_t)(end - at) - 2, count, &codec->runs, error))
            return false;
        if (codec->runs.rest == 0 && (codec->runs.count == 0 || codec->runs.items[0].first > 0)) {
            put_back_runs_by_unit(&codec->runs, stamps, frame_times, count, units[bytes[0]], varint_unfold(first));
            return true;
        }
    }
    if (!segment_unpack_values(codec, at, (size_t)(end - at), &(struct frame_range){0, count}, 1, stamps, count, error))
        return false;
    if (units[bytes[0]] == 1000000)
        put_back(stamps, frame_times, count, 1000000, varint_unfold(first));
    else if (units[bytes[0]] == 1000)
        put_back(stamps, frame_times, count, 1000, varint_unfold(first));
    else
        put_back(stamps, frame_times, count, 1, varint_unfold(first));
    return true;
}
