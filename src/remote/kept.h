/*
 * Frames of runs that were fetched because they decide something, and what follows from them: labels, what
 * events own, and the stretches of time in which the server shall find the frames that stay there.
 */
#ifndef STUTTERSCOPE_REMOTE_KEPT_H
#define STUTTERSCOPE_REMOTE_KEPT_H

#include "statements.h"
#include "stutterscope/analysis/labels.h"
#include "stutterscope/base/dictionary.h"

struct kept_frame {
    int64_t ordinal; /* from 1 on, counted through all frames of the run */
    int64_t visit;   /* from 0 on */
    int64_t stamp_ns, frame_ns, cpu_ns, gpu_ns, gc, draw_calls;
    int64_t target_fps_milli, refresh_milli_hz; /* VALUE_UNKNOWN */
    uint32_t scene, quality, event;             /* in the dictionary, as the server has them */
};
struct kept_frames {
    struct kept_frame *items;
    size_t count, capacity;
};

/* A run as the server tells of it. Texts as the server has them; NULL: not known. */
struct remote_run {
    char *device, *soc, *model_code, *name;
    char *os, *gpu_name, *series, *scenario, *commit, *ci_run, *built_at, *started_at, *log_url, *outcome,
        *station;
    int64_t frames, rejected, sum_ns, first_stamp_ns, last_stamp_ns;
    int64_t target_fps_milli, refresh_milli_hz, sample_every, kept_over_ns; /* VALUE_UNKNOWN */
    /* of the kept frames' rows */
    int64_t holes_wide, gaps, gap_ns;
    struct kept_frames kept;
    size_t number; /* in the writer */
};
void remote_run_free(struct remote_run *run);

/* The budget's frame rate of a frame, by the order of the definitions; thousandths. */
int64_t remote_fps_milli(const struct remote_run *run, const struct remote_measure *measure,
                         int64_t target_fps_milli, int64_t refresh_milli_hz);
/* The highest rate that a frame of the run can have: that with the lowest limits. */
int64_t remote_highest_fps_milli(const struct remote_run *run, const struct remote_measure *measure);

/* Ranges between frames over limit_ns that a window may span, and of which frames are missing; adds one row.
 */
void kept_add_ranges(const struct remote_run *run, int64_t limit_ns, int64_t gap_ns,
                     struct text_buffer *rows);
/* Puts frames (in order, all of this run) where they are missing; only where a stretch is complete. */
void kept_insert(struct remote_run *run, const struct kept_frame *frames, size_t count);

/* Labels the frames and adds one row of the table of spans. */
void kept_add_spans(const struct remote_run *run, const struct analysis_settings *settings,
                    const struct remote_measure *measure, const struct dictionary *texts,
                    struct text_buffer *rows);

#endif
