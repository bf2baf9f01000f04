/* The packing of columns: everything comes back as it was, and damaged bytes are refused. */
#include "segment_codec.h"
#include "segment_internal.h"
#include "stutterscope/base/memory.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 5000

struct numbers {
    int64_t values[FRAMES];
};

/* A plain generator of our own: the same numbers everywhere. */
static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 20;
}

static void fill_constant(struct numbers *to)
{
    for (size_t i = 0; i < FRAMES; i++)
        to->values[i] = 16667000;
}

static void fill_frame_times(struct numbers *to)
{
    uint64_t state = 1;
    for (size_t i = 0; i < FRAMES; i++)
        to->values[i] =
            (16667 + (int64_t)(next_random(&state) % 400) - 200) * 1000 + (i % 97 == 0 ? 60000000 : 0);
}

static void fill_tenths(struct numbers *to)
{
    uint64_t state = 2;
    for (size_t i = 0; i < FRAMES; i++)
        to->values[i] = (int64_t)(next_random(&state) % 200000) * 100;
}

static void fill_wide(struct numbers *to)
{
    uint64_t state = 3;
    for (size_t i = 0; i < FRAMES; i++)
        to->values[i] = (int64_t)(next_random(&state) << 21 ^ next_random(&state));
}

static void fill_extreme(struct numbers *to)
{
    static const int64_t extremes[] = {INT64_MAX, INT64_MIN + 1, 0, -1, 1, INT64_MAX - 1, VALUE_UNKNOWN};
    uint64_t state = 4;
    for (size_t i = 0; i < FRAMES; i++)
        to->values[i] = extremes[next_random(&state) % 7];
}

static void fill_sparse(struct numbers *to)
{
    for (size_t i = 0; i < FRAMES; i++)
        to->values[i] = i % 300 == 7 ? (int64_t)i * 1000003 : 0;
}

static void fill_mostly_unknown(struct numbers *to)
{
    for (size_t i = 0; i < FRAMES; i++)
        to->values[i] = i % 500 < 3 ? (int64_t)(i / 500) : VALUE_UNKNOWN;
}

static void fill_with_holes(struct numbers *to)
{
    uint64_t state = 5;
    for (size_t i = 0; i < FRAMES; i++)
        to->values[i] =
            next_random(&state) % 3 == 0 ? VALUE_UNKNOWN : (int64_t)(next_random(&state) % 100000) * 1000;
}

static void fill_all_unknown(struct numbers *to)
{
    for (size_t i = 0; i < FRAMES; i++)
        to->values[i] = VALUE_UNKNOWN;
}

static void fill_rising(struct numbers *to)
{
    uint64_t state = 6;
    int64_t value = 400000000;
    for (size_t i = 0; i < FRAMES; i++) {
        value += (int64_t)(next_random(&state) % 4096);
        to->values[i] = value;
    }
}

static void fill_negative(struct numbers *to)
{
    for (size_t i = 0; i < FRAMES; i++)
        to->values[i] = -(int64_t)(i * i) * 100;
}

static void (*const fillers[])(struct numbers *) = {
    fill_constant,       fill_frame_times, fill_tenths,      fill_wide,   fill_extreme,  fill_sparse,
    fill_mostly_unknown, fill_with_holes,  fill_all_unknown, fill_rising, fill_negative,
};
#define FILLERS (sizeof fillers / sizeof *fillers)
static const size_t counts[] = {1, 2, 3, 7, 8, 9, 255, 257, FRAMES};
#define COUNTS (sizeof counts / sizeof *counts)

Test(segment, every_column_comes_back)
{
    struct segment_codec *codec = segment_codec_create();
    struct byte_buffer packed = {0};
    struct numbers *from = memory_take(sizeof *from), *to = memory_take(sizeof *to);
    for (size_t f = 0; f < FILLERS; f++) {
        fillers[f](from);
        for (size_t c = 0; c < COUNTS; c++) {
            struct error error = {0};
            packed.count = 0;
            segment_pack(codec, COLUMN_CPU, from->values, NULL, counts[c], &packed);
            memset(to, 0x55, sizeof *to);
            cr_assert(segment_unpack(codec, COLUMN_CPU, packed.items, packed.count, NULL, to->values,
                                     counts[c], &error),
                      "filler %zu, %zu frames: %s", f, counts[c], error.text);
            cr_assert(memcmp(from->values, to->values, counts[c] * sizeof(int64_t)) == 0,
                      "filler %zu, %zu frames", f, counts[c]);
            if (counts[c] < FRAMES)
                cr_assert_eq(to->values[counts[c]], 0x5555555555555555, "wrote behind the end");
        }
    }
    free(from);
    free(to);
    array_free(&packed);
    segment_codec_destroy(codec);
}

Test(segment, few_frames_are_those_of_all)
{
    struct segment_codec *codec = segment_codec_create();
    struct byte_buffer packed = {0};
    struct numbers *from = memory_take(sizeof *from), *to = memory_take(sizeof *to);
    uint64_t state = 21;
    for (size_t f = 0; f < FILLERS; f++) {
        fillers[f](from);
        for (size_t c = 0; c < COUNTS; c++) {
            struct error error = {0};
            struct frame_range ranges[4];
            size_t count = counts[c], used = next_random(&state) % 5;
            packed.count = 0;
            segment_pack(codec, COLUMN_GPU, from->values, NULL, count, &packed);
            for (size_t r = 0; r < used; r++) {
                ranges[r].first = next_random(&state) % count;
                ranges[r].end = ranges[r].first + next_random(&state) % (count - ranges[r].first + 1);
            }
            if (used == 4) /* up to the last frame */
                ranges[3] = (struct frame_range){count - 1, count};
            memset(to, 0x55, sizeof *to);
            cr_assert(segment_unpack_at(codec, COLUMN_GPU, packed.items, packed.count, ranges, used, to->values, count,
                                        &error),
                      "filler %zu, %zu frames: %s", f, count, error.text);
            for (size_t r = 0; r < used; r++)
                for (size_t i = ranges[r].first; i < ranges[r].end; i++)
                    cr_assert(to->values[i] == from->values[i], "filler %zu, %zu frames, frame %zu", f, count, i);
            if (count < FRAMES)
                cr_assert_eq(to->values[count], 0x5555555555555555, "wrote behind the end");
            packed.items[packed.count / 2] ^= 4;
            cr_assert_not(segment_unpack_at(codec, COLUMN_GPU, packed.items, packed.count, ranges, used, to->values,
                                            count, &error));
        }
    }
    cr_assert_not(segment_unpack_at(codec, COLUMN_STAMP, packed.items, packed.count, NULL, 0, to->values, 1, NULL));
    free(from);
    free(to);
    array_free(&packed);
    segment_codec_destroy(codec);
}

/* Around one level with a few far away: 9 bits and the sixty far ones, in the first byte the number of the packing. */
Test(segment, values_around_a_level_are_bits)
{
    struct segment_codec *codec = segment_codec_create();
    struct byte_buffer packed = {0};
    struct numbers *from = memory_take(sizeof *from);
    struct error error = {0};
    fill_frame_times(from);
    from->values[17] = VALUE_UNKNOWN;
    from->values[FRAMES - 1] = INT64_MAX / 1000 * 1000;
    segment_pack(codec, COLUMN_CPU, from->values, NULL, FRAMES, &packed);
    cr_assert_eq(packed.items[0], 4);
    cr_assert(packed.count < FRAMES * 9 / 8 + 60 * 5 + 16, "%zu bytes", packed.count);
    for (size_t i = 0; i < FRAMES; i++) {
        int64_t *alone = memory_take(FRAMES * sizeof *alone);
        cr_assert(segment_unpack_at(codec, COLUMN_CPU, packed.items, packed.count, &(struct frame_range){i, i + 1}, 1, alone, FRAMES,
                                    &error), "%s", error.text);
        cr_assert_eq(alone[i], from->values[i], "frame %zu", i);
        free(alone);
    }
    free(from);
    array_free(&packed);
    segment_codec_destroy(codec);
}

/* Values of `width` bits above a base, one in `far` anywhere. */
static void fill_width(struct numbers *to, size_t count, unsigned width, unsigned far, uint64_t *state)
{
    for (size_t i = 0; i < count; i++) {
        int64_t value = (int64_t)(next_random(state) << 30 ^ next_random(state)) & (int64_t)(((uint64_t)1 << width) - 1);
        to->values[i] = far && next_random(state) % far == 0 ? (int64_t)next_random(state) - 12345 : value + 16000;
    }
}

/* Whatever the width, the number of values and where a range begins. */
static void check_width(struct segment_codec *codec, struct numbers *from, struct numbers *to, size_t count, uint64_t *state)
{
    struct numbers *scaled = memory_take(sizeof *scaled);
    struct byte_buffer packed = {0};
    struct error error = {0};
    struct frame_range all = {0, count}, some = {next_random(state) % count, count};
    memcpy(scaled, from, sizeof *scaled);
    segment_pack_bits(codec, &(struct dense_values){from->values, scaled->values, count, 0, false}, &packed);
    uint8_t *alone = memory_take(packed.count - 2); /* so that reading behind it is found */
    memcpy(alone, packed.items + 2, packed.count - 2);
    some.end = some.first + next_random(state) % (count - some.first + 1);
    for (int i = 0; i < 2; i++) {
        struct frame_range range = i ? some : all;
        memset(to, 0x55, sizeof *to);
        cr_assert(segment_unpack_bits(alone, packed.count - 2, &range, 1, to->values, count, &error), "%s", error.text);
        for (size_t k = range.first; k < range.end; k++)
            cr_assert(to->values[k] == from->values[k], "%u bits, %zu values, from %zu: %zu", alone[1], count, range.first, k);
        cr_assert(count == FRAMES || to->values[count] == 0x5555555555555555, "wrote behind the end");
    }
    free(alone);
    free(scaled);
    array_free(&packed);
}

Test(segment, bits_of_every_width)
{
    struct segment_codec *codec = segment_codec_create();
    struct numbers *from = memory_take(sizeof *from), *to = memory_take(sizeof *to);
    uint64_t state = 33;
    for (unsigned width = 0; width <= 56; width++)
        for (size_t count = 1; count < 130; count += 1 + count / 9)
            for (unsigned far = 0; far < 40; far += 13) {
                fill_width(from, count, width, far, &state);
                check_width(codec, from, to, count, &state);
            }
    free(from);
    free(to);
    segment_codec_destroy(codec);
}

Test(segment, stamps_come_back_whatever_they_are)
{
    struct segment_codec *codec = segment_codec_create();
    struct byte_buffer packed = {0};
    struct numbers *stamps = memory_take(sizeof *stamps), *times = memory_take(sizeof *times),
                   *to = memory_take(sizeof *to);
    for (size_t f = 0; f < FILLERS * FILLERS; f++) {
        fillers[f / FILLERS](stamps);
        fillers[f % FILLERS](times);
        struct error error = {0};
        packed.count = 0;
        segment_pack(codec, COLUMN_STAMP, stamps->values, times->values, FRAMES, &packed);
        cr_assert(segment_unpack(codec, COLUMN_STAMP, packed.items, packed.count, times->values, to->values,
                                 FRAMES, &error),
                  "%zu: %s", f, error.text);
        cr_assert(memcmp(stamps, to, sizeof *to) == 0, "%zu", f);
    }
    free(stamps);
    free(times);
    free(to);
    array_free(&packed);
    segment_codec_destroy(codec);
}

Test(segment, stamps_that_follow_the_frame_times_cost_nothing)
{
    struct segment_codec *codec = segment_codec_create();
    struct byte_buffer packed = {0};
    struct numbers *stamps = memory_take(sizeof *stamps), *times = memory_take(sizeof *times);
    fill_frame_times(times);
    int64_t sum = 1700000000000000000;
    for (size_t i = 0; i < FRAMES; i++)
        stamps->values[i] = sum += times->values[i];
    segment_pack(codec, COLUMN_STAMP, stamps->values, times->values, FRAMES, &packed);
    cr_assert(packed.count < 32, "%zu bytes", packed.count);
    packed.count = 0;
    segment_pack(codec, COLUMN_MEMORY, (int64_t[]){5, 5, 5, 5}, NULL, 4, &packed);
    cr_assert(packed.count < 16, "a constant needs %zu bytes", packed.count);
    free(stamps);
    free(times);
    array_free(&packed);
    segment_codec_destroy(codec);
}

Test(segment, texts_are_runs)
{
    struct segment_codec *codec = segment_codec_create();
    struct byte_buffer packed = {0};
    struct value_runs runs = {0};
    struct error error = {0};
    int64_t values[] = {7, 7, 0, VALUE_UNKNOWN, 3, 3, 3, 7, 9, 0}, back[10];
    int64_t expected[] = {7, 7, 0, 0, 3, 3, 3, 7, 9, 0};
    segment_pack(codec, COLUMN_EVENT, values, NULL, 10, &packed);
    cr_assert(segment_unpack_runs(codec, packed.items, packed.count, 10, &runs, &error), "%s", error.text);
    static const struct value_run wanted[] = {{0, 2, 7}, {4, 3, 3}, {7, 1, 7}, {8, 1, 9}};
    cr_assert_eq(runs.count, 4);
    cr_assert_eq(runs.rest, 0);
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(runs.items[i].first, wanted[i].first);
        cr_assert_eq(runs.items[i].length, wanted[i].length);
        cr_assert_eq(runs.items[i].value, wanted[i].value);
    }
    cr_assert(segment_unpack(codec, COLUMN_EVENT, packed.items, packed.count, NULL, back, 10, &error));
    cr_assert(memcmp(back, expected, sizeof back) == 0);
    /* fewer frames than it was packed for */
    cr_assert(!segment_unpack_runs(codec, packed.items, packed.count, 8, &runs, &error));
    array_free(&runs);
    array_free(&packed);
    segment_codec_destroy(codec);
}

/* Neither crash nor write outside, whatever stands there: the sanitizers watch. */
static void unpack_hostile(struct segment_codec *codec, const uint8_t *bytes, size_t size,
                           const int64_t *times, size_t count, int64_t *to)
{
    struct error error;
    struct value_runs runs = {0};
    uint8_t *exact = memory_take(size ? size : 1);
    memcpy(exact, bytes, size);
    segment_unpack(codec, COLUMN_CPU, exact, size, NULL, to, count, &error);
    segment_unpack(codec, COLUMN_STAMP, exact, size, times, to, count, &error);
    segment_unpack_runs(codec, exact, size, count, &runs, &error);
    segment_unpack_at(codec, COLUMN_CPU, exact, size, (struct frame_range[]){{0, 1}, {count / 2, count}}, 2, to, count, &error);
    array_free(&runs);
    free(exact);
}

Test(segment, damaged_bytes_are_safe)
{
    struct segment_codec *codec = segment_codec_create();
    struct byte_buffer packed = {0};
    struct numbers *from = memory_take(sizeof *from), *times = memory_take(sizeof *times);
    int64_t *to = memory_take(400 * sizeof *to);
    uint64_t state = 9;
    fill_frame_times(times);
    for (size_t f = 0; f < FILLERS; f++) {
        fillers[f](from);
        for (enum frame_column column = COLUMN_STAMP; column <= COLUMN_CPU; column += COLUMN_CPU) {
            packed.count = 0;
            segment_pack(codec, column, from->values, times->values, 400, &packed);
            for (size_t cut = 0; cut < packed.count; cut += 1 + cut / 16)
                unpack_hostile(codec, packed.items, cut, times->values, 400, to);
            for (int i = 0; i < 300; i++) {
                size_t at = i < 20 ? (size_t)i % packed.count : next_random(&state) % packed.count;
                uint8_t old = packed.items[at];
                packed.items[at] ^= (uint8_t)(1 + next_random(&state) % 255);
                unpack_hostile(codec, packed.items, packed.count, times->values, 400, to);
                packed.items[at] = old;
            }
        }
    }
    uint8_t noise[64];
    for (int i = 0; i < 3000; i++) {
        for (size_t j = 0; j < sizeof noise; j++)
            noise[j] = (uint8_t)next_random(&state);
        noise[0] = (uint8_t)(next_random(&state) % 5);
        noise[1] = 1;
        unpack_hostile(codec, noise, next_random(&state) % sizeof noise, times->values,
                       1 + next_random(&state) % 400, to);
    }
    free(from);
    free(times);
    free(to);
    array_free(&packed);
    segment_codec_destroy(codec);
}

Test(segment, a_flipped_bit_and_a_wrong_count_are_noticed)
{
    struct segment_codec *codec = segment_codec_create();
    struct byte_buffer packed = {0};
    struct numbers *from = memory_take(sizeof *from), *to = memory_take(sizeof *to);
    struct error error;
    fill_frame_times(from);
    segment_pack(codec, COLUMN_FRAME_TIME, from->values, NULL, 4000, &packed);
    cr_assert(!segment_unpack(codec, COLUMN_FRAME_TIME, packed.items, packed.count, NULL, to->values, 3999,
                              &error));
    cr_assert(!segment_unpack(codec, COLUMN_FRAME_TIME, packed.items, packed.count, NULL, to->values, 4001,
                              &error));
    cr_assert(
        !segment_unpack(codec, COLUMN_FRAME_TIME, packed.items, packed.count, NULL, to->values, 0, &error));
    for (size_t at = 40; at < packed.count; at += 101) {
        packed.items[at] ^= 4;
        cr_assert(!segment_unpack(codec, COLUMN_FRAME_TIME, packed.items, packed.count, NULL, to->values,
                                  4000, &error),
                  "byte %zu", at);
        packed.items[at] ^= 4;
    }
    packed.items[1] = 77;
    cr_assert(!segment_unpack(codec, COLUMN_FRAME_TIME, packed.items, packed.count, NULL, to->values, 4000,
                              &error));
    cr_assert(strstr(error.text, "77") != NULL, "%s", error.text);
    free(from);
    free(to);
    array_free(&packed);
    segment_codec_destroy(codec);
}

/* Not one flipped bit passes for what was written; columns of older stores, which have no checksum, are read. */
Test(segment, every_flipped_bit_is_found)
{
    enum { COUNT = 400 };
    struct segment_codec *codec = segment_codec_create();
    struct byte_buffer packed = {0};
    int64_t values[COUNT], got[COUNT];
    struct error error;
    uint64_t state = 11;

    for (size_t i = 0; i < COUNT; i++)
        values[i] = (int64_t)(next_random(&state) % 9000) * 1000;
    segment_pack(codec, COLUMN_CPU, values, NULL, COUNT, &packed);
    cr_assert(segment_unpack(codec, COLUMN_CPU, packed.items, packed.count, NULL, got, COUNT, &error), "%s", error.text);
    cr_assert_eq(memcmp(values, got, sizeof values), 0);
    for (size_t bit = 0; bit < packed.count * 8; bit++) {
        packed.items[bit / 8] ^= (uint8_t)(1u << bit % 8);
        cr_assert_not(segment_unpack(codec, COLUMN_CPU, packed.items, packed.count, NULL, got, COUNT, &error), "bit %zu", bit);
        packed.items[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    packed.items[1] = 1; /* the version without a checksum */
    memset(got, 0, sizeof got);
    cr_assert(segment_unpack(codec, COLUMN_CPU, packed.items, packed.count - 4, NULL, got, COUNT, &error), "%s", error.text);
    cr_assert_eq(memcmp(values, got, sizeof values), 0);
    array_free(&packed);
    segment_codec_destroy(codec);
}
