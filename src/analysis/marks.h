/*
 * Looking for events around a stretch of frames, inside its visit. For the sources of analysis/ only.
 */
#ifndef STUTTERSCOPE_ANALYSIS_MARKS_H
#define STUTTERSCOPE_ANALYSIS_MARKS_H

#include "stutterscope/analysis/piece.h"

struct mark_place {
    size_t piece, mark;
};

/* Frames (first_piece, first_frame) up to and including (last_piece, last_frame) of one visit. */
struct mark_range {
    const struct frame_piece *pieces;
    size_t count;
    size_t first_piece, first_frame, last_piece, last_frame;
};

const struct event_mark *marks_at(const struct frame_piece *pieces, struct mark_place place);

/* audible: silent events are passed over. */
bool marks_find_on(const struct frame_piece *pieces, size_t piece, size_t frame, bool audible,
                   struct mark_place *ret);
bool marks_find_inside(const struct mark_range *range, bool audible, struct mark_place *ret);
/* The begin of the last occurrence before the range, of the first one behind it; of the same visit. */
bool marks_find_before(const struct mark_range *range, bool audible, struct mark_place *ret);
bool marks_find_after(const struct mark_range *range, struct mark_place *ret);
/* Goes back to the begin of the occurrence; false when it began in an earlier visit. */
bool marks_go_to_begin(const struct frame_piece *pieces, struct mark_place *place);
/* Start of the range minus start of the mark's frame; negative behind the start. */
int64_t marks_offset(const struct mark_range *range, struct mark_place place);

/* Index of the first mark at or behind a frame. */
size_t marks_lower_bound(const struct frame_piece *piece, size_t frame);

#endif
