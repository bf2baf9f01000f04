/*
 * Bytes as every kind of packed column: refused with a reason, or values that pack and come back the same. The first byte
 * is the column, the next two the number of frames, the third whether that many times 32; then what is packed, which need
 * not be sealed.
 */
#include "fuzz.h"
#include "segment_codec.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 4 };

static int64_t *frame_times(size_t count)
{
    int64_t *times = memory_take(count * sizeof *times);

    for (size_t i = 0; i < count; i++)
        times[i] = 16666667 + (int64_t)(i * 7919 % 1000003);
    return times;
}

static void come_back(struct segment_codec *codec, enum frame_column column, const int64_t *values, const int64_t *times,
                      size_t count)
{
    struct byte_buffer packed = {0};
    int64_t *again = memory_take(count * sizeof *again);

    segment_pack(codec, column, values, times, count, &packed);
    if (!segment_unpack(codec, column, packed.items, packed.count, times, again, count, NULL))
        abort();
    for (size_t i = 0; i < count; i++) /* in a text column unknown is no text */
        if (again[i] != (segment_column_is_text(column) && values[i] == VALUE_UNKNOWN ? 0 : values[i]))
            abort();
    free(again);
    array_free(&packed);
}

/* Ascending, apart, with a frame each, inside of the segment. */
static void check_runs(const struct value_runs *runs, size_t count)
{
    size_t end = 0;

    for (size_t i = 0; i < runs->count; i++) {
        const struct value_run *run = &runs->items[i];

        if (run->first < end || run->length < 1 || run->first >= count || run->length > count - run->first)
            abort();
        end = run->first + run->length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < HEAD)
        return 0;

    enum frame_column column = (enum frame_column)(bytes[0] % COLUMN_COUNT);
    size_t count = (bytes[1] | (size_t)bytes[2] << 8) * (bytes[3] & 0x80 ? 32 : 1); /* rarely many: they are slow */
    size_t room = count < 1 || count > SEGMENT_FRAMES_MAX ? 1 : count; /* other counts must be refused untouched */
    struct segment_codec *codec = segment_codec_create();
    int64_t *times = frame_times(room), *values = memory_take(room * sizeof *values);
    struct value_runs runs = {0};
    struct error error = {0};

    if (segment_unpack(codec, column, bytes + HEAD, size - HEAD, times, values, count, &error))
        come_back(codec, column, values, times, count);
    else if (error.code != ERROR_STORE || !error.text[0])
        abort();
    error = (struct error){0};
    if (segment_unpack_runs(codec, bytes + HEAD, size - HEAD, count, &runs, &error))
        check_runs(&runs, count);
    else if (error.code != ERROR_STORE || !error.text[0])
        abort();
    array_free(&runs);
    free(values);
    free(times);
    segment_codec_destroy(codec);
    return 0;
}
