/*
 * Whether a run got slower while the device got warm: the quarters of its frames, scene by scene, and the thermal
 * states that were recorded.
 */
#ifndef STUTTERSCOPE_MODEL_HEAT_H
#define STUTTERSCOPE_MODEL_HEAT_H

#include "stutterscope/model/model.h"

enum { HEAT_QUARTERS = 4 };

/* One run in one scene at one quality. Quarters are those of the whole run's gameplay frames, by their number. */
struct run_quarters {
    int64_t run, scene, quality;
    double median_ns[HEAT_QUARTERS];   /* of the scene's gameplay frames in it; NaN: fewer than 30 */
    const char *state[HEAT_QUARTERS];  /* the worst thermal state of the run in it; NULL: none recorded */
};
struct quarter_list {
    struct run_quarters *items;
    size_t count, capacity;
};

/* Of all runs of the build, of one device or of one run (0: all). Runs without their frames in between (spikes, samples) have none. */
bool model_quarters(struct model *model, int64_t build, int64_t device, int64_t run, struct quarter_list *ret, struct error *error);
void quarter_list_free(struct quarter_list *list);
const struct run_quarters *quarters_find(const struct quarter_list *list, int64_t run, int64_t scene, int64_t quality); /* NULL */
/* "16.7 16.8 . 19.9" in ms and the states behind it, where they change: "16.7 16.8 . 19.9 nominal > serious"; "" where
 * fewer than two quarters are known and no state. */
char *quarters_text(const struct run_quarters *quarters);
/* Last known quarter against the first, in percent; NaN with fewer than two. */
double quarters_growth(const struct run_quarters *quarters);

#endif
