/*
 * Figures of runs whose frames stay in a server, for the analysis: they take the place of what would be
 * computed from frames.
 */
#ifndef STUTTERSCOPE_MODEL_SUMMARIES_H
#define STUTTERSCOPE_MODEL_SUMMARIES_H

#include "pieces.h"
#include "stutterscope/analysis/windows.h"
#include "stutterscope/store/summary.h"

/* Distribution and flags of one run in the scene and quality of `figures`. */
void summaries_put_run(const struct summary_list *list, const struct model *model,
                       const struct run_pieces *run, struct run_figures *figures);
/*
 * The same of the group, after its runs; false when none of its runs is summarised. limits that leave the
 * kept frames behind make its runs unable to show windows.
 */
bool summaries_put_group(const struct summary_list *list, const struct model *model,
                         const struct run_list *runs, struct group_results *results);
/* Greatest frames that events own, where they are below what is kept. */
void summaries_raise_peaks(const struct summary_list *list, const struct run_figures *figures,
                           struct event_tally *tally);
/* Whether the run had become slower and the window's peak lies in the second half of its play. */
bool summaries_hot(const struct summary_list *list, const struct run_figures *figures,
                   const struct stutter_window *window);

#endif
