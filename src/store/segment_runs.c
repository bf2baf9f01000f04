/* Rare values: stretches of equal values, the gap before each, and nothing for all that lies between. */
#include "segment_internal.h"
#include "stutterscope/base/memory.h"
#include <string.h>

enum runs_flag { RUNS_REST_IS_UNKNOWN = 1, RUNS_PLAIN = 2 /* the varints as they are */ };
#define FLAGS_ALL (RUNS_REST_IS_UNKNOWN | RUNS_PLAIN)
/* zstd must save one part in so many: unpacking a few bytes takes it as long as a thousand frames. */
#define ZSTD_MUST_SAVE 3

/* gap, length, value: no more than this a run; no run without a frame. */
#define RUN_SIZE_MAX (3 * VARINT_SIZE_MAX)

bool segment_find_runs(const int64_t *values, size_t count, size_t limit, int64_t rest,
                       struct value_runs *ret)
{
    ret->count = 0;
    ret->rest = rest;
    for (size_t i = 0; i < count;) {
        int64_t value = values[i];
        if (value == rest) {
            i++;
            continue;
        }
        size_t first = i++;
        while (i < count && values[i] == value)
            i++;
        if (ret->count == limit)
            return false;
        array_push(ret, (struct value_run){first, i - first, value});
    }
    return true;
}

static void write_varints(struct segment_codec *codec, struct byte_buffer *out)
{
    size_t start = out->count, plain = codec->raw.count;

    segment_write_zstd(codec, out);
    if (out->count - start + plain / ZSTD_MUST_SAVE < plain)
        return;
    out->count = start;
    out->items[start - 1] |= RUNS_PLAIN;
    memcpy(bytes_reserve(out, plain), codec->raw.items, plain);
    out->count += plain;
}

void segment_write_runs(struct segment_codec *codec, const struct value_runs *runs, struct byte_buffer *out)
{
    codec->raw.count = 0;
    size_t end = 0;
    for (size_t i = 0; i < runs->count; i++) {
        const struct value_run *run = &runs->items[i];
        uint8_t *to = bytes_reserve(&codec->raw, RUN_SIZE_MAX);
        size_t size = varint_write(to, run->first - end);
        size += varint_write(to + size, run->length - 1);
        size += varint_write(to + size, segment_value_to_code(run->value));
        codec->raw.count += size;
        end = run->first + run->length;
    }
    uint8_t *to = bytes_reserve(out, 3);
    to[0] = SEGMENT_RUNS;
    to[1] = SEGMENT_VERSION;
    to[2] = runs->rest == VALUE_UNKNOWN ? RUNS_REST_IS_UNKNOWN : 0;
    out->count += 3;
    if (runs->count > 0)
        write_varints(codec, out);
}

static bool read_all(const uint8_t *at, const uint8_t *end, size_t count, struct value_runs *ret)
{
    size_t position = 0;
    while (at < end) {
        uint64_t gap, more, code;
        if (!varint_read(&at, end, &gap) || !varint_read(&at, end, &more) || !varint_read(&at, end, &code))
            return false;
        /* position <= count holds here, so that nothing can wrap */
        if (gap >= count - position || more >= count - position - gap)
            return false;
        struct value_run run = {position + gap, more + 1, segment_code_to_value(code)};
        array_push(ret, run);
        position = run.first + run.length;
    }
    return true;
}

bool segment_read_runs(struct segment_codec *codec, const uint8_t *bytes, size_t size, size_t count,
                       struct value_runs *ret, struct error *error)
{
    ret->count = 0;
    if (size < 1 || (bytes[0] & ~FLAGS_ALL))
        return error_set(error, ERROR_STORE, "its head is damaged");
    ret->rest = bytes[0] & RUNS_REST_IS_UNKNOWN ? VALUE_UNKNOWN : 0;
    if (size == 1)
        return true;
    const uint8_t *at = bytes + 1, *end = bytes + size;
    if (!(bytes[0] & RUNS_PLAIN)) {
        if (!segment_read_zstd(codec, at, (size_t)(end - at), count * RUN_SIZE_MAX, false, error))
            return false;
        at = codec->raw.items;
        end = at + codec->raw.count;
    }
    if (!read_all(at, end, count, ret))
        return error_set(error, ERROR_STORE, "a value lies outside its %zu frames", count);
    return true;
}
