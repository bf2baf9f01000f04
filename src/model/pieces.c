#include "pieces.h"

#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* The marks of a segment's events; `before` is the event of the frame before it in the run (0: none). */
static bool load_marks(struct model *model, const struct segment_row *segment, int64_t *before, struct event_mark **ret,
                       size_t *ret_count, struct error *error)
{
    struct column_marks marks = {0};
    size_t previous = SIZE_MAX; /* frame of the mark before, for "neighbouring" */

    if (!store_read_marks(model->store, segment, COLUMN_EVENT, &marks, error))
        return false;
    *ret = marks.count ? memory_take(marks.count * sizeof **ret) : NULL;
    *ret_count = marks.count;
    for (size_t i = 0; i < marks.count; i++) {
        const struct column_mark *mark = &marks.items[i];
        int64_t neighbour = 0;

        if (mark->frame == 0)
            neighbour = *before;
        else if (previous != SIZE_MAX && previous + 1 == mark->frame)
            neighbour = marks.items[i - 1].value;
        (*ret)[i] = (struct event_mark){
            .frame = mark->frame,
            .event = mark->value,
            .class = model_text_class(model, mark->value),
            .begins = neighbour != mark->value,
        };
        previous = mark->frame;
    }
    *before = marks.count && marks.items[marks.count - 1].frame + 1 == (size_t)segment->count
                  ? marks.items[marks.count - 1].value
                  : 0;
    array_free(&marks);
    return true;
}

static int compare_groups(const void *a, const void *b, void *user)
{
    const struct frame_piece *pieces = user;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    if (pieces[x].scene != pieces[y].scene)
        return pieces[x].scene < pieces[y].scene ? -1 : 1;
    if (pieces[x].quality != pieces[y].quality)
        return pieces[x].quality < pieces[y].quality ? -1 : 1;
    return (x > y) - (x < y);
}

static void order_by_group(struct run_pieces *pieces)
{
    pieces->by_group = memory_take((pieces->count + 1) * sizeof *pieces->by_group);
    for (size_t i = 0; i < pieces->count; i++)
        pieces->by_group[i] = i;
    qsort_r(pieces->by_group, pieces->count, sizeof *pieces->by_group, compare_groups, pieces->pieces);
}

/* The column of the segment, taken over; unknown values where it has none. */
static int64_t *take_column(struct frame_columns *columns, enum frame_column column)
{
    int64_t *values = columns->values[column];

    columns->values[column] = NULL;
    if (values)
        return values;
    values = memory_take(columns->count * sizeof *values);
    for (size_t i = 0; i < columns->count; i++)
        values[i] = VALUE_UNKNOWN;
    return values;
}

bool run_pieces_reload(struct model *model, struct run_pieces *pieces, const size_t *which, size_t count, struct error *error)
{
    for (size_t n = 0; n < count; n++) {
        struct frame_columns columns;
        size_t i = which[n];

        if (pieces->times[i])
            continue;
        /* Together: the stamps are packed against the frame times. */
        if (!store_read_columns(model->store, &pieces->segments[i], 1u << COLUMN_FRAME_TIME | 1u << COLUMN_STAMP, &columns, error))
            return false;
        pieces->times[i] = take_column(&columns, COLUMN_FRAME_TIME);
        pieces->stamps[i] = take_column(&columns, COLUMN_STAMP);
        frame_columns_free(&columns);
        pieces->pieces[i].frame_ns = pieces->times[i];
        pieces->pieces[i].stamp_ns = pieces->stamps[i];
    }
    return true;
}

void run_pieces_unload(struct run_pieces *pieces, const size_t *which, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        size_t i = which[n];

        free(pieces->times[i]);
        free(pieces->stamps[i]);
        pieces->times[i] = pieces->stamps[i] = NULL;
        pieces->pieces[i].frame_ns = pieces->pieces[i].stamp_ns = NULL;
    }
}

/* Spikes do not follow each other: the first ones are no slow beginning of the run or the scene. */
static void drop_leading_labels(struct label_spans *labels)
{
    size_t kept = 0;

    for (size_t i = 0; i < labels->count; i++)
        if (labels->items[i].label != LABEL_START_UP && labels->items[i].label != LABEL_SCENE_CHANGE)
            labels->items[kept++] = labels->items[i];
    labels->count = kept;
}

bool run_pieces_load(struct model *model, const struct run_row *run, const struct device_row *device,
                     const struct segment_row *segments, size_t count, struct run_pieces *ret, struct error *error)
{
    int64_t event_before = 0;

    memset(ret, 0, sizeof *ret);
    ret->run = run;
    ret->count = count;
    ret->segments = memory_take_zeroed(count, sizeof *ret->segments);
    ret->pieces = memory_take_zeroed(count, sizeof *ret->pieces);
    ret->labels = memory_take_zeroed(count, sizeof *ret->labels);
    ret->marks = memory_take_zeroed(count, sizeof *ret->marks);
    ret->times = memory_take_zeroed(count, sizeof *ret->times);
    ret->stamps = memory_take_zeroed(count, sizeof *ret->stamps);
    ret->alert_ns = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        const struct segment_row *segment = &segments[i];
        struct frame_piece *piece = &ret->pieces[i];

        ret->segments[i] = *segment;
        piece->segment = segment->id;
        piece->run = segment->run;
        piece->scene = segment->scene;
        piece->quality = segment->quality;
        piece->visit = segment->visit;
        piece->broken = segment->broken;
        piece->fps_milli = model_fps_milli(model, run, device, segment->target_fps_milli, segment->refresh_milli_hz);
        piece->count = (size_t)segment->count;
        piece->labels = &ret->labels[i];
        if (!load_marks(model, segment, &event_before, &ret->marks[i], &piece->event_count, error))
            return false;
        piece->events = ret->marks[i];

        struct frame_limits limits = frame_limits_of(&model->settings, piece->fps_milli);

        if (limits.alert_ns < ret->alert_ns)
            ret->alert_ns = limits.alert_ns;
    }
    order_by_group(ret);
    if (!run_pieces_reload(model, ret, ret->by_group, count, error))
        return false;
    label_run(ret->pieces, count, &model->settings, ret->labels, &ret->report);
    for (size_t i = 0; i < count && run_row_is_spike_only(run); i++)
        drop_leading_labels(&ret->labels[i]);
    return true;
}

void run_pieces_free(struct run_pieces *pieces)
{
    if (!pieces->segments)
        return;
    for (size_t i = 0; i < pieces->count; i++) {
        free(pieces->times[i]);
        free(pieces->stamps[i]);
        free(pieces->marks[i]);
        array_free(&pieces->labels[i]);
    }
    free(pieces->segments);
    free(pieces->pieces);
    free(pieces->by_group);
    free(pieces->labels);
    free(pieces->marks);
    free(pieces->times);
    free(pieces->stamps);
    memset(pieces, 0, sizeof *pieces);
}

int64_t run_pieces_frames(const struct run_pieces *pieces)
{
    int64_t frames = 0;

    for (size_t i = 0; i < pieces->count; i++)
        frames += pieces->segments[i].count;
    return frames;
}
