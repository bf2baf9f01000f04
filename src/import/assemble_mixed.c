#include "assemble_private.h"

#include "stutterscope/base/memory.h"

#include <string.h>

static void remember_row(struct mixed_rows *mixed, const struct joined_context *context, int64_t line)
{
    struct lane *lane = context->lane;
    uint32_t row = (uint32_t)mixed->frames.count;

    mixed->contexts[row] = context;
    mixed->lines[row] = line;
    mixed->next[row] = NO_ROW;
    if (lane->first_mixed == NO_ROW) {
        lane->first_mixed = row;
        array_push(&mixed->lanes, lane);
    } else {
        mixed->next[lane->last_mixed] = row;
    }
    lane->last_mixed = row;
}

bool mixed_add(struct assembler *assembler, const struct joined_context *context,
               const struct frame_columns *columns, const int64_t *lines, size_t start, size_t count,
               struct error *error)
{
    if (!assembler->mixed)
        assembler->mixed = memory_take_zeroed(1, sizeof *assembler->mixed);
    if (!columns->values[COLUMN_STAMP] != !assembler->mixed->frames.values[COLUMN_STAMP]) {
        if (!mixed_flush(assembler, error))
            return false;
        frame_store_free(&assembler->mixed->frames);
        frame_store_free(&assembler->mixed->sorted);
    }
    for (size_t i = start; i < start + count; i++) {
        remember_row(assembler->mixed, context, lines[i]);
        frame_store_append(&assembler->mixed->frames, columns, i, 1);
        if (assembler->mixed->frames.count == MIXED_ROWS && !mixed_flush(assembler, error))
            return false;
    }
    return true;
}

/* The lane's rows one after the other. */
static size_t sort_lane(struct mixed_rows *mixed, const struct lane *lane)
{
    uint32_t rows[MIXED_ROWS];
    size_t count = 0;

    for (uint32_t row = lane->first_mixed; row != NO_ROW; row = mixed->next[row]) {
        mixed->sorted_contexts[count] = mixed->contexts[row];
        mixed->sorted_lines[count] = mixed->lines[row];
        rows[count++] = row;
    }
    for (int column = 0; column < COLUMN_COUNT; column++) {
        const int64_t *from = mixed->frames.values[column];

        if (!from)
            continue;
        if (!mixed->sorted.values[column])
            mixed->sorted.values[column] = memory_take(MIXED_ROWS * sizeof(int64_t));
        for (size_t i = 0; i < count; i++)
            mixed->sorted.values[column][i] = from[rows[i]];
    }
    return count;
}

static bool give_lane(struct assembler *assembler, struct lane *lane, struct error *error)
{
    struct mixed_rows *mixed = assembler->mixed;
    size_t count = sort_lane(mixed, lane), at = 0;
    struct frame_columns columns = {.count = count};

    lane->first_mixed = NO_ROW;
    memcpy(columns.values, mixed->sorted.values, sizeof columns.values);
    while (at < count) {
        size_t end = at + 1;

        while (end < count && mixed->sorted_contexts[end] == mixed->sorted_contexts[at])
            end++;
        if (!take_sound(assembler, mixed->sorted_contexts[at], &columns, mixed->sorted_lines, at, end - at,
                        error))
            return false;
        at = end;
    }
    return true;
}

bool mixed_flush(struct assembler *assembler, struct error *error)
{
    struct mixed_rows *mixed = assembler->mixed;
    bool fine = true;

    if (!mixed || mixed->frames.count == 0)
        return true;
    for (size_t i = 0; i < mixed->lanes.count && fine; i++)
        fine = give_lane(assembler, mixed->lanes.items[i], error);
    mixed->lanes.count = 0;
    frame_store_clear(&mixed->frames);
    return fine;
}
