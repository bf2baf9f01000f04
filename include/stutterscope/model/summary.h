/*
 * Runs that were imported from a database server: what can be said of them here, and their frames on demand.
 */
#ifndef STUTTERSCOPE_MODEL_SUMMARY_H
#define STUTTERSCOPE_MODEL_SUMMARY_H

#include "stutterscope/model/model.h"

enum summary_fit {
    SUMMARY_FITS,         /* the settings are those that its figures were made with */
    SUMMARY_OTHER_FACTOR, /* of another alert factor: windows and counts of frames over it where it is not lower */
    SUMMARY_OTHER         /* other labels or budgets, that of its device among them: neither figures nor windows */
};
enum summary_fit model_summary_fit(const struct model *model, const struct run_row *run);
/*
 * Why the settings in use show no windows of summarised runs of the build (0: any), as a sentence that says how to
 * import again; NULL when they do. A new string.
 */
char *model_summary_warning(struct model *model, int64_t build, struct error *error);

/*
 * Asks the server for all frames of a run between two times of its clock: they are in its details from then on, until
 * the model is reloaded. Nothing else touches the network.
 */
bool model_fetch_frames(struct model *model, int64_t run, int64_t from_ns, int64_t to_ns, const struct progress *progress,
                        struct error *error);

#endif
