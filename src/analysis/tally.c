#include "stutterscope/analysis/windows.h"
#include "stutterscope/base/memory.h"
#include "scan.h"
#include <stdlib.h>
#include <string.h>

#define NO_EVENT 0

struct tally {
    const struct frame_piece *pieces;
    struct event_tally *ret;
    size_t base;       /* where this run's items begin */
    uint32_t *slots;   /* hash table: 1 + index of the item behind base; 0: free */
    size_t slot_count; /* a power of two, more than twice the items */
    int64_t none_peak; /* of frames that belong to no event */
    /* the last occurrence and what the walk through the current piece remembers */
    int64_t event;                 /* NO_EVENT: none in reach */
    size_t from_piece, from_frame; /* its begin */
    size_t at, span;               /* see next_stretch() */
};

static size_t find_slot(const struct tally *tally, int64_t event)
{
    size_t slot = (size_t)((uint64_t)event * 0x9e3779b97f4a7c15u >> 32) & (tally->slot_count - 1);
    while (tally->slots[slot] != 0 && tally->ret->items[tally->base + tally->slots[slot] - 1].event != event)
        slot = (slot + 1) & (tally->slot_count - 1);
    return slot;
}

static void grow_slots(struct tally *tally)
{
    size_t count = tally->ret->count - tally->base;
    free(tally->slots);
    tally->slot_count = tally->slot_count ? 2 * tally->slot_count : 64;
    tally->slots = memory_take_zeroed(tally->slot_count, sizeof *tally->slots);
    for (size_t i = 0; i < count; i++)
        tally->slots[find_slot(tally, tally->ret->items[tally->base + i].event)] = (uint32_t)(i + 1);
}

/* The item of an event; valid until the next call. */
static struct event_figures *item_of(struct tally *tally, const struct frame_piece *piece, int64_t event)
{
    size_t count = tally->ret->count - tally->base;
    if (2 * (count + 1) >= tally->slot_count)
        grow_slots(tally);
    size_t slot = find_slot(tally, event);
    if (tally->slots[slot] == 0) {
        array_push(tally->ret, (struct event_figures){.run = piece->run,
                                                      .scene = piece->scene,
                                                      .quality = piece->quality,
                                                      .event = event,
                                                      .peak_ns = VALUE_UNKNOWN});
        tally->slots[slot] = (uint32_t)(count + 1);
    }
    return &tally->ret->items[tally->base + tally->slots[slot] - 1];
}

/* Raises the peak to the greatest gameplay frame time from the walk's place up to `end`. */
static void raise_peak(struct tally *tally, const struct frame_piece *piece, size_t end, int64_t *peak_ns)
{
    size_t first, stop;
    enum frame_label label;
    while (next_stretch(piece, end, &tally->at, &tally->span, &first, &stop, &label))
        if (label == LABEL_GAMEPLAY)
            *peak_ns = scan_greatest(piece->frame_ns, first, stop, *peak_ns);
}

/* Whether a frame of a block may start more than `room` >= 0 after `start`: never false when one does. */
static bool may_start_after(const struct frame_piece *piece, size_t first, int64_t start, int64_t room)
{
    const int64_t *stamp_ns = piece->stamp_ns + first, *frame_ns = piece->frame_ns + first;
    uint64_t any = 0;
    for (size_t k = 0; k < SCAN_BLOCK; k++)
        any |= (uint64_t)room - ((uint64_t)stamp_ns[k] - (uint64_t)frame_ns[k] - (uint64_t)start);
    return any >> 63;
}

/* The first frame from `first` on, up to `end`, that starts more than 2000 ms after the begin of the last
 * occurrence. */
static size_t find_reach(struct tally *tally, size_t piece, size_t first, size_t end)
{
    const struct frame_piece *here = &tally->pieces[piece];
    size_t reference = tally->from_piece == piece ? tally->from_frame : 0, i;
    int64_t elapsed =
        time_between(tally->pieces, tally->from_piece, tally->from_frame, piece, reference, EVENT_REACH_NS);
    if (elapsed > EVENT_REACH_NS)
        return first;
    if (here->stamp_ns) {
        int64_t start = frame_start(here, reference);
        for (i = first; elapsed >= 0 && i + SCAN_BLOCK <= end; i += SCAN_BLOCK)
            if (may_start_after(here, i, start, EVENT_REACH_NS - elapsed))
                break;
        for (; i < end && ns_plus(elapsed, ns_minus(frame_start(here, i), start)) <= EVENT_REACH_NS;)
            i++;
        return i;
    }
    for (i = reference; i < end && elapsed <= EVENT_REACH_NS; i++)
        elapsed = ns_plus(elapsed, here->frame_ns[i]);
    /* now i is the first frame that starts too late, or end */
    if (elapsed <= EVENT_REACH_NS)
        return end;
    return i < first ? first : i;
}

/* Frames from the walk's place up to `end` carry no event that names them. */
static void tally_unnamed(struct tally *tally, size_t piece, size_t end)
{
    const struct frame_piece *here = &tally->pieces[piece];
    if (tally->event != NO_EVENT && tally->at < end) {
        size_t reach = find_reach(tally, piece, tally->at, end);
        raise_peak(tally, here, reach, &item_of(tally, here, tally->event)->peak_ns);
        if (reach < end)
            tally->event = NO_EVENT;
    }
    raise_peak(tally, here, end, &tally->none_peak);
}

static void tally_piece(struct tally *tally, size_t piece)
{
    const struct frame_piece *here = &tally->pieces[piece];
    tally->at = tally->span = 0;
    for (size_t i = 0; i < here->event_count; i++) {
        const struct event_mark *mark = &here->events[i];
        if (mark->frame >= here->count)
            break;
        struct event_figures *item = item_of(tally, here, mark->event);
        item->occurrences += mark->begins;
        if (event_class_is_silent(mark->class))
            continue;
        tally_unnamed(tally, piece, mark->frame);
        raise_peak(tally, here, mark->frame + 1, &item_of(tally, here, mark->event)->peak_ns);
        if (mark->begins) {
            tally->event = mark->event;
            tally->from_piece = piece;
            tally->from_frame = mark->frame;
        }
    }
    tally_unnamed(tally, piece, here->count);
}

void events_tally(const struct frame_piece *pieces, size_t count, struct event_tally *ret)
{
    struct tally tally = {.pieces = pieces, .ret = ret, .base = ret->count, .none_peak = VALUE_UNKNOWN};
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && pieces[i].visit != pieces[i - 1].visit)
            tally.event = NO_EVENT;
        tally_piece(&tally, i);
    }
    free(tally.slots);
    if (tally.none_peak == VALUE_UNKNOWN)
        return;
    array_reserve(ret, ret->count + 1);
    struct event_figures *items = ret->items + tally.base;
    memmove(items + 1, items, (ret->count - tally.base) * sizeof *items);
    *items = (struct event_figures){.run = pieces[0].run,
                                    .scene = pieces[0].scene,
                                    .quality = pieces[0].quality,
                                    .event = NO_EVENT,
                                    .peak_ns = tally.none_peak};
    ret->count++;
}
