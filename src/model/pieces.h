/*
 * Segments of the store as pieces for the analysis.
 */
#ifndef STUTTERSCOPE_MODEL_PIECES_H
#define STUTTERSCOPE_MODEL_PIECES_H

#include "internal.h"
#include "stutterscope/analysis/labels.h"
#include "stutterscope/store/frames.h"

/*
 * Pieces of one run, in order, with what they own. A segment is one piece, but for summarised runs: there a piece ends
 * where frames were left out.
 */
struct run_pieces {
    const struct run_row *run;
    size_t count;
    struct frame_piece *pieces;
    struct label_spans *labels; /* count */
    size_t *segment_of;         /* count: index into segments */
    size_t segment_count;
    struct segment_row *segments;
    struct event_mark **marks; /* of segments; [i] owned */
    int64_t **times, **stamps; /* of segments; [i] owned; NULL while unloaded */
    size_t *by_group; /* positions of the pieces, those of one scene and quality after each other in run order */
    struct label_report report;
    int64_t alert_ns;          /* the lowest alert threshold of its pieces */
};

/* Segments must be those of the run, in run order. Events and frame times are loaded; labels are made. */
bool run_pieces_load(struct model *model, const struct run_row *run, const struct device_row *device,
                     const struct segment_row *segments, size_t count, struct run_pieces *ret, struct error *error);
/* Frees the frame times and stamps of these pieces, keeps labels and events. */
void run_pieces_unload(struct run_pieces *pieces, const size_t *which, size_t count);
/* Loads them again. */
bool run_pieces_reload(struct model *model, struct run_pieces *pieces, const size_t *which, size_t count, struct error *error);
void run_pieces_free(struct run_pieces *pieces);
int64_t run_pieces_frames(const struct run_pieces *pieces);

#endif
