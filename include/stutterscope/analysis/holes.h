/*
 * What lies between the frames of a run: gaps in the log, and whether frames are missing everywhere.
 */
#ifndef STUTTERSCOPE_ANALYSIS_HOLES_H
#define STUTTERSCOPE_ANALYSIS_HOLES_H

#include "stutterscope/analysis/piece.h"

struct hole_figures {
    int64_t tested; /* holes looked at: none before the first frame, behind a clock step, without stamps */
    int64_t wide;   /* longer than half of the frame that follows */
    int64_t gaps, gap_ns; /* over 500 ms */
};
/* Of all pieces of one run, in order, with stamps: ret[i] is what lies before the frames of pieces[i]. */
void holes_find(const struct frame_piece *pieces, size_t count, struct hole_figures *ret);
/* The gaps alone, several times as fast: tested and wide are 0. */
void gaps_find(const struct frame_piece *pieces, size_t count, struct hole_figures *ret);

/*
 * Frames are missing everywhere: at least 30 frames, no declared policy, more than half of the holes wide.
 * tests_holes is false for formats whose frame time is a duration and no interval between frames.
 */
bool run_is_sampled(int64_t frames, int64_t holes_tested, int64_t holes_wide, bool declared,
                    bool tests_holes);

#endif
