/*
 * One distribution as a whole: every distinct frame time of a group with how often it occurred, for histograms and
 * percentile curves. Read from the frames when somebody looks at it; nothing of it is kept.
 */
#ifndef STUTTERSCOPE_MODEL_DISTRIBUTION_DETAIL_H
#define STUTTERSCOPE_MODEL_DISTRIBUTION_DETAIL_H

#include "stutterscope/model/model.h"

struct distribution_detail {
    struct group_key key;
    struct distribution figures;  /* gameplay frames of all its runs, as in the group's figures */
    size_t runs;                  /* that have frames in it */
    int64_t budget_ns, alert_ns;  /* of most of its frames */
    bool mixed_budgets;           /* some frames have another budget */
    size_t count;                 /* distinct frame times, ascending */
    int64_t *frame_ns;
    int64_t *frames_to, *ns_to;   /* frames (as sampling weighs them) up to and with this frame time, and their time together */
};
/* Labelled frames are left out, declared sampling is weighed, as everywhere. A group without frames has count 0. */
bool model_distribution_detail(struct model *model, const struct group_key *key, const struct progress *progress,
                               struct distribution_detail **ret, struct error *error);
void distribution_detail_destroy(struct distribution_detail *detail);

/* Nearest rank of percent_milli / 1000 (99900 is P99.9); VALUE_UNKNOWN without frames. */
int64_t distribution_detail_percentile(const struct distribution_detail *detail, int64_t percent_milli);
/* Frames that took strictly longer than the limit, and the time that these took. */
struct time_over {
    int64_t frames, ns;
};
struct time_over distribution_detail_over(const struct distribution_detail *detail, int64_t limit_ns);
/* Share (0 … 1) of the frames with low <= x < high; NaN without frames. */
double distribution_detail_share(const struct distribution_detail *detail, int64_t low_ns, int64_t high_ns);

#endif
