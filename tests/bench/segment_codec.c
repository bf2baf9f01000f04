/*
 * How well and how fast columns are packed, against copying the same bytes in the same run: ratios, because
 * machines differ. Not a test; run it by hand: build/tests/bench/segment_codec [FRAMES_PER_SEGMENT
 * [SEGMENTS]]
 */
#include "segment_codec.h"
#include "stutterscope/base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 5 };
static const struct {
    enum frame_column column;
    const char *name;
} columns[] = {
    {COLUMN_STAMP, "stamp"}, {COLUMN_FRAME_TIME, "frame time"}, {COLUMN_CPU, "cpu"}, {COLUMN_GPU, "gpu"},
    {COLUMN_GC, "gc"},       {COLUMN_EVENT, "event"},
};
#define COLUMNS (sizeof columns / sizeof *columns)

struct bench {
    size_t count, segments;
    int64_t *values[COLUMN_COUNT]; /* of all segments, one after the other */
};

/* Of this thread: what others do on the machine is not counted. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint64_t state = 1;
static int64_t noise(int64_t range)
{
    int64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        sum += (int64_t)((state >> 33) % (uint64_t)range);
    }
    return sum / 2 - range;
}

/* 60 FPS with some jitter, now and then a hitch; microseconds; stamps in whole milliseconds. */
static void make_data(struct bench *bench)
{
    size_t total = bench->count * bench->segments;
    for (size_t i = 0; i < COLUMNS; i++)
        bench->values[columns[i].column] = memory_take(total * sizeof(int64_t));
    int64_t true_stamp = 1700000000000000000;
    for (size_t i = 0; i < total; i++) {
        int64_t frame = 16667 + noise(300) + (noise(1000) > 900 ? 45000 + noise(20000) : 0);
        true_stamp += frame * 1000;
        bench->values[COLUMN_STAMP][i] = true_stamp / 1000000 * 1000000;
        bench->values[COLUMN_FRAME_TIME][i] = frame * 1000;
        bench->values[COLUMN_CPU][i] = (9000 + noise(1500)) * 1000;
        bench->values[COLUMN_GPU][i] = (12000 + noise(1500)) * 1000;
        bench->values[COLUMN_GC][i] = i % 60 == 0 ? 40000 + noise(30000) : 0;
        bench->values[COLUMN_EVENT][i] = i % 700 == 0 ? 1 + (int64_t)(i / 700 % 5) : 0;
    }
}

static void measure_column(struct segment_codec *codec, const struct bench *bench, size_t which,
                           double sums[3])
{
    enum frame_column column = columns[which].column;
    struct byte_buffer packed = {0};
    int64_t *back = memory_take(bench->count * sizeof *back);
    size_t size = 0, total = bench->count * bench->segments, bytes = bench->count * sizeof *back;
    double pack = 1e9, unpack = 1e9, copy = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double packing = 0, unpacking = 0, copying = 0;
        size = 0;
        for (size_t i = 0; i < bench->segments; i++) {
            const int64_t *values = bench->values[column] + i * bench->count;
            const int64_t *times = bench->values[COLUMN_FRAME_TIME] + i * bench->count;
            packed.count = 0;
            double t0 = now();
            segment_pack(codec, column, values, times, bench->count, &packed);
            double t1 = now();
            struct error error;
            if (!segment_unpack(codec, column, packed.items, packed.count, times, back, bench->count, &error))
                abort();
            double t2 = now();
            if (column != COLUMN_EVENT && memcmp(back, values, bytes) != 0)
                abort();
            double t3 = now();
            memcpy(back, values, bytes);
            copying += now() - t3;
            packing += t1 - t0;
            unpacking += t2 - t1;
            size += packed.count;
        }
        pack = packing < pack ? packing : pack;
        unpack = unpacking < unpack ? unpacking : unpack;
        copy = copying < copy ? copying : copy;
    }
    printf(
        "%-10s %6.3f bytes a frame (%5.2f %% of 8)  pack %7.1f M/s  unpack %7.1f M/s  (copy / unpack %.3f)\n",
        columns[which].name, (double)size / (double)total, 100.0 * (double)size / (double)(total * 8),
        (double)total / pack * 1e-6, (double)total / unpack * 1e-6, copy / unpack);
    sums[0] += (double)size / (double)total;
    sums[1] += pack;
    sums[2] += unpack;
    array_free(&packed);
    free(back);
}

int main(int argc, char **argv)
{
    struct bench bench = {
        argc > 1 ? strtoul(argv[1], NULL, 10) : 1600, argc > 2 ? strtoul(argv[2], NULL, 10) : 600, {0}};
    struct segment_codec *codec = segment_codec_create();
    double sums[3] = {0};
    if (bench.count < 1 || bench.count > SEGMENT_FRAMES_MAX || bench.segments < 1)
        return 1;
    make_data(&bench);
    for (size_t i = 0; i < COLUMNS; i++)
        measure_column(codec, &bench, i, sums);
    double total = (double)(bench.count * bench.segments);
    printf("%-10s %6.3f bytes a frame                  pack %7.1f M/s  unpack %7.1f M/s\n", "all", sums[0],
           total / sums[1] * 1e-6, total / sums[2] * 1e-6);
    for (size_t i = 0; i < COLUMNS; i++)
        free(bench.values[columns[i].column]);
    segment_codec_destroy(codec);
    return 0;
}
