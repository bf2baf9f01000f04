#include "stutterscope/import/batch.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>
#include <string.h>

void frame_batch_init(struct frame_batch *batch, const struct import_sink *sink)
{
    memset(batch, 0, sizeof *batch);
    batch->sink = sink;
    frame_batch_use(batch, COLUMN_FRAME_TIME);
}

void frame_batch_free(struct frame_batch *batch)
{
    for (int i = 0; i < COLUMN_COUNT; i++)
        free(batch->values[i]);
    memset(batch, 0, sizeof *batch);
}

void frame_batch_use(struct frame_batch *batch, enum frame_column column)
{
    if (batch->values[column])
        return;
    batch->values[column] = memory_take(BATCH_FRAMES * sizeof(int64_t));
    for (size_t i = 0; i < batch->count; i++)
        batch->values[column][i] = VALUE_UNKNOWN;
}

bool frame_batch_flush(struct frame_batch *batch, struct error *error)
{
    struct frame_columns columns = {.count = batch->count};

    if (batch->count == 0)
        return true;
    memcpy(columns.values, batch->values, sizeof columns.values);
    batch->count = 0;
    return batch->sink->frames(batch->sink->user, &batch->context, &columns, batch->line, error);
}

bool frame_batch_set_context(struct frame_batch *batch, const struct import_context *context,
                             struct error *error)
{
    if (memcmp(&batch->context, context, sizeof *context) == 0)
        return true;
    if (!frame_batch_flush(batch, error))
        return false;
    batch->context = *context;
    return true;
}

bool frame_batch_add(struct frame_batch *batch, const int64_t values[COLUMN_COUNT], int64_t line,
                     struct error *error)
{
    if (!frame_batch_make_place(batch, line, error))
        return false;
    if (batch->count == 0)
        batch->line = line;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (values[i] != VALUE_UNKNOWN)
            frame_batch_use(batch, (enum frame_column)i);
        if (batch->values[i])
            batch->values[i][batch->count] = values[i];
    }
    batch->count++;
    return true;
}
