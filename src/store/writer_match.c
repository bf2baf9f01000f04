/* Frames on their way against stored ones: bit by bit, segment by segment, whatever the segments are cut
 * like. */
#include "stutterscope/base/memory.h"
#include "writer_internal.h"
#include <stdlib.h>
#include <string.h>

/* A run's frames from either side; the segment that was asked for last is unpacked. */
struct frame_source {
    struct store_writer *writer;
    const struct writer_run *run; /* NULL: stored frames, of `stored` */
    struct segment_list stored;
    size_t count; /* segments */
    const struct segment_row *row;
    struct {
        int64_t *items;
        size_t count, capacity;
    } stamps, frame_times;
};

static const struct segment_row *source_row(struct frame_source *source, size_t index)
{
    if (!source->run)
        return &source->stored.items[index];
    return &source->writer->segments.items[source->writer->order[source->run->first_segment + index]].row;
}

static bool unpack_new(struct frame_source *source, const struct packed_segment *segment, struct error *error)
{
    struct store_writer *writer = source->writer;
    struct segment_codec *codec = writer->store->codec;
    size_t count = (size_t)segment->row.count, stamp_size = segment->sizes[COLUMN_STAMP];
    const uint8_t *bytes; /* stamps and frame times are the first columns of a segment */
    if (!spool_read(writer->spool, segment->at, stamp_size + segment->sizes[COLUMN_FRAME_TIME], &bytes,
                    error) ||
        !segment_unpack(codec, COLUMN_FRAME_TIME, bytes + stamp_size, segment->sizes[COLUMN_FRAME_TIME], NULL,
                        source->frame_times.items, count, error))
        return false;
    for (size_t i = 0; stamp_size == 0 && i < count; i++)
        source->stamps.items[i] = VALUE_UNKNOWN;
    return stamp_size == 0 || segment_unpack(codec, COLUMN_STAMP, bytes, stamp_size,
                                             source->frame_times.items, source->stamps.items, count, error);
}

static bool source_load(struct frame_source *source, size_t index, struct error *error)
{
    struct store *store = source->writer->store;
    source->row = source_row(source, index);
    size_t room = source->row->count > 0 ? (size_t)source->row->count : 1; /* never NULL, also for no frames */
    array_reserve(&source->stamps, room);
    array_reserve(&source->frame_times, room);
    if (source->run)
        return unpack_new(
            source,
            &source->writer->segments.items[source->writer->order[source->run->first_segment + index]],
            error);
    return store_read_column(store, source->row, COLUMN_FRAME_TIME, source->frame_times.items, error) &&
           store_read_column(store, source->row, COLUMN_STAMP, source->stamps.items, error);
}

static void source_free(struct frame_source *source)
{
    segment_list_free(&source->stored);
    array_free(&source->stamps);
    array_free(&source->frame_times);
}

static bool open_stored(struct frame_source *source, struct store_writer *writer, int64_t stored,
                        struct error *error)
{
    struct segment_filter filter = {.run = stored, .quality = -1};
    *source = (struct frame_source){.writer = writer};
    if (!store_list_segments(writer->store, &filter, &source->stored, error))
        return false;
    source->count = source->stored.count;
    return true;
}

/* Up to the end of the shorter one. */
static bool find_same(struct frame_source *old, struct frame_source *new, bool *ret_same, struct error *error)
{
    size_t old_segment = 0, new_segment = 0, old_at = 0, new_at = 0;
    while (old_segment < old->count && new_segment < new->count) {
        if ((old_at == 0 && !source_load(old, old_segment, error)) ||
            (new_at == 0 && !source_load(new, new_segment, error)))
            return false;
        size_t old_left = (size_t)old->row->count - old_at, new_left = (size_t) new->row->count - new_at;
        size_t count = old_left < new_left ? old_left : new_left, bytes = count * sizeof(int64_t);
        *ret_same = old->row->scene ==
                        new->row->scene &&memcmp(old->stamps.items + old_at, new->stamps.items + new_at,
                                                 bytes) == 0 &&
                    memcmp(old->frame_times.items + old_at, new->frame_times.items + new_at, bytes) == 0;
        if (!*ret_same)
            return true;
        old_at = count == old_left ? 0 : old_at + count;
        new_at = count == new_left ? 0 : new_at + count;
        old_segment += count == old_left;
        new_segment += count == new_left;
    }
    *ret_same = true;
    return true;
}

/* Stamps ascend inside a segment: what breaks that begins a new one. */
static bool share_a_stamp(const struct frame_source *a, const struct frame_source *b)
{
    size_t i = 0, j = 0, a_count = (size_t)a->row->count, b_count = (size_t)b->row->count;
    while (i < a_count && j < b_count) {
        if (a->stamps.items[i] == b->stamps.items[j])
            return true;
        if (a->stamps.items[i] < b->stamps.items[j])
            i++;
        else
            j++;
    }
    return false;
}

static bool may_share(const struct segment_row *a, const struct segment_row *b)
{
    if (a->scene != b->scene)
        return false;
    if (a->first_stamp_ns == VALUE_UNKNOWN || b->first_stamp_ns == VALUE_UNKNOWN)
        return true;
    return a->first_stamp_ns <= b->last_stamp_ns && b->first_stamp_ns <= a->last_stamp_ns;
}

static bool find_shared(struct frame_source *old, struct frame_source *new, bool *ret_shared,
                        struct error *error)
{
    *ret_shared = false;
    for (size_t i = 0; i < new->count; i++) {
        bool loaded = false;
        for (size_t j = 0; j < old->count; j++) {
            if (!may_share(source_row(new, i), source_row(old, j)))
                continue;
            if ((!loaded && !source_load(new, i, error)) || !source_load(old, j, error))
                return false;
            loaded = true;
            *ret_shared = share_a_stamp(old, new);
            if (*ret_shared)
                return true;
        }
    }
    return true;
}

static bool relate(struct store_writer *writer, const struct writer_run *run, int64_t stored,
                   bool prefix_only, enum frames_relation *ret, struct error *error)
{
    struct frame_source old = {0}, new = {.writer = writer, .run = run, .count = run->segment_count};
    bool same = false, shared = false;
    bool fine = open_stored(&old, writer, stored, error) && find_same(&old, &new, &same, error);
    int64_t old_frames = 0;
    for (size_t i = 0; i < old.count; i++)
        old_frames += old.stored.items[i].count;
    if (fine && same) {
        *ret = run->frames > old_frames ? FRAMES_NEW_IS_LONGER : FRAMES_NEW_IS_SHORTER;
    } else if (fine) {
        fine = prefix_only || find_shared(&old, &new, &shared, error);
        *ret = prefix_only || shared ? FRAMES_CONFLICT : FRAMES_DISJOINT;
    }
    source_free(&old);
    source_free(&new);
    return fine;
}

bool writer_relate(struct store_writer *writer, const struct writer_run *run, int64_t stored,
                   enum frames_relation *ret, struct error *error)
{
    return relate(writer, run, stored, false, ret, error);
}

bool writer_relate_prefix(struct store_writer *writer, const struct writer_run *run, int64_t stored,
                          enum frames_relation *ret, struct error *error)
{
    return relate(writer, run, stored, true, ret, error);
}
