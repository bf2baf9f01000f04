/*
 * How analysis sees frames: pieces, in the order of the run. A piece is one stored segment: consecutive
 * frames of one run in one scene at one quality with one budget and no clock step inside. Pieces with the
 * same visit number belong to one visit.
 */
#ifndef STUTTERSCOPE_ANALYSIS_PIECE_H
#define STUTTERSCOPE_ANALYSIS_PIECE_H

#include "stutterscope/analysis/settings.h"
#include "stutterscope/base/figures.h"

struct event_mark {
    size_t frame;   /* index in the piece */
    int64_t event;  /* text id */
    uint32_t class; /* event_class_of() its name */
    bool begins; /* first frame of its occurrence (the frame before, in the run, has another event or none) */
};

struct label_span {
    size_t first, count;
    enum frame_label label; /* never LABEL_GAMEPLAY: what no span covers is gameplay */
};

struct label_spans {
    struct label_span *items; /* ascending, disjoint */
    size_t count, capacity;
};

struct frame_piece {
    int64_t segment; /* id, passed through to the windows */
    int64_t run, scene, quality;
    int64_t visit; /* ordinal in the run, from 0 */
    bool broken;   /* a clock step lies before it: no window spans it */
    bool loading_scene;
    int64_t fps_milli;
    /*
     * Where the log is a summary, frames without any event, none of them over the limit and no gap among them, are left
     * out: a piece ends there and the next one of the same segment begins.
     */
    int64_t skipped; /* how many lie between the piece before and this one */
    size_t first;    /* place of its first frame in the segment; 0: it begins the segment */
    size_t count;
    const int64_t *frame_ns;
    const int64_t *stamp_ns; /* END of each frame; NULL where not loaded (see the functions) */
    const struct event_mark *events;
    size_t event_count;
    const struct label_spans *labels; /* NULL: all gameplay */
};

/* How a run was sampled: every == 1 and kept_over_ns unknown for a full log. A frame <= kept_over counts
 * `every` times. */
struct sample_policy {
    int64_t every;
    int64_t kept_over_ns; /* VALUE_UNKNOWN: no frame was kept for being slow */
};

#endif
