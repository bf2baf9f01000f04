/*
 * Steps through the pieces of a run: holes between frames, spans of one label. For the sources of analysis/
 * only.
 */
#ifndef STUTTERSCOPE_ANALYSIS_WALK_H
#define STUTTERSCOPE_ANALYSIS_WALK_H

#include "stutterscope/analysis/piece.h"

#define GAP_NS         (500 * NS_PER_MS)  /* a longer hole is a gap */
#define EVENT_REACH_NS (2000 * NS_PER_MS) /* how long an occurrence names what comes after it */

/* Damaged stamps may lie anywhere in int64_t; these wrap or stop at the end instead of being undefined. */
static inline int64_t ns_minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t ns_plus(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN + 1 : INT64_MAX) : sum;
}

static inline int64_t ns_times(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

/* Start of a frame of a piece with stamps. */
static inline int64_t frame_start(const struct frame_piece *piece, size_t frame)
{
    return ns_minus(piece->stamp_ns[frame], piece->frame_ns[frame]);
}

/* The piece that holds the window's peak; count when it is not there. */
size_t piece_of_window(const struct frame_piece *pieces, size_t count, const struct stutter_window *window);

/* The hole before a frame; VALUE_UNKNOWN at the first frame, behind a clock step and where stamps are
 * missing; 0 behind frames that were left out. */
int64_t hole_before(const struct frame_piece *pieces, size_t piece, size_t frame);
/* Time between the end of the frame before and the start of this one; below 0 where they overlap. The same as the hole
 * but for frames that were left out: these took that time. */
int64_t time_before(const struct frame_piece *pieces, size_t piece, size_t frame);

/*
 * Time from the start of frame (piece, frame) to the start of (to_piece, to_frame) of the same visit, which
 * lies at or after it. Clock steps and missing stamps are bridged with frame times. INT64_MAX as soon as it
 * is over `most`.
 */
int64_t time_between(const struct frame_piece *pieces, size_t piece, size_t frame, size_t to_piece,
                     size_t to_frame, int64_t most);

/*
 * The stretch of equal label that begins at *at, cut at `end`; false when *at is there. Stretches come in
 * ascending order: *span, 0 before the first call, remembers the place.
 */
bool next_stretch(const struct frame_piece *piece, size_t end, size_t *at, size_t *span, size_t *ret_first,
                  size_t *ret_end, enum frame_label *ret_label);

#endif
