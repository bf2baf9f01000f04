/*
 * Rows on their way to the sink: consecutive frames of one context, column by column, handed over in batches.
 */
#ifndef STUTTERSCOPE_IMPORT_BATCH_H
#define STUTTERSCOPE_IMPORT_BATCH_H

#include "stutterscope/import/sink.h"

#define BATCH_FRAMES 4096

struct frame_batch {
    const struct import_sink *sink;
    size_t count;
    int64_t *values[COLUMN_COUNT]; /* BATCH_FRAMES each; NULL: column not in use */
    struct import_context context;
    int64_t line; /* of the first frame */
};

void frame_batch_init(struct frame_batch *batch, const struct import_sink *sink);
void frame_batch_free(struct frame_batch *batch);
/* From now on frames have this column (earlier frames of the batch get VALUE_UNKNOWN). */
void frame_batch_use(struct frame_batch *batch, enum frame_column column);
/* Later frames belong to this context; hands over what is there when it differs. */
bool frame_batch_set_context(struct frame_batch *batch, const struct import_context *context,
                             struct error *error);
/* Adds a frame; values[] of columns not in use are ignored unless known (then they come into use). */
bool frame_batch_add(struct frame_batch *batch, const int64_t values[COLUMN_COUNT], int64_t line,
                     struct error *error);
bool frame_batch_flush(struct frame_batch *batch, struct error *error);
/* Hands over what is there when it is full, or when a frame of this line does not follow. */
static inline bool frame_batch_make_place(struct frame_batch *batch, int64_t line, struct error *error)
{
    return batch->count == 0 || (batch->count < BATCH_FRAMES && line == batch->line + (int64_t)batch->count) ||
           frame_batch_flush(batch, error);
}

#endif
