/*
 * Which frames are no gameplay: pause, interference, loading, start-up, scene change.
 */
#ifndef STUTTERSCOPE_ANALYSIS_LABELS_H
#define STUTTERSCOPE_ANALYSIS_LABELS_H

#include "stutterscope/analysis/piece.h"

/* Intervals that ended otherwise than by their end event. */
struct label_report {
    int64_t open_pauses, open_interferences, open_loadings;
};

/*
 * Labels all frames of one run; pieces in run order, with stamps and events. ret[i] (count entries, zeroed by
 * the caller) receives the spans of pieces[i]; the caller frees their items. With settings->labels off
 * nothing is added.
 */
void label_run(const struct frame_piece *pieces, size_t count, const struct analysis_settings *settings,
               struct label_spans *ret, struct label_report *report);

/*
 * What was labelled why: a stretch of the run, frames counted through all pieces. Claims overlap; the label that stands
 * first in enum frame_label wins.
 */
struct label_claim {
    size_t first, end;
    enum frame_label label;
    /* Frames of its last piece's time that start later are outside: an interval that nothing ended. INT64_MAX: it ends
     * with a frame. */
    int64_t latest_start_ns;
};
struct label_claims {
    struct label_claim *items;
    size_t count, capacity;
};
/* label_run(), and the claims behind it; claims may be NULL. The caller frees its items. */
void label_run_claims(const struct frame_piece *pieces, size_t count, const struct analysis_settings *settings,
                      struct label_spans *ret, struct label_report *report, struct label_claims *claims);

/* The label of one frame. */
enum frame_label label_at(const struct label_spans *spans, size_t frame);

#endif
