/*
 * Runs and what import said about them, as text for a pager.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_RUNS_TEXT_H
#define STUTTERSCOPE_VIEW_SCREENS_RUNS_TEXT_H

#include "stutterscope/model/model.h"

/* The runs of one device in one build, with the files they came from: a new string; NULL with an error. */
char *runs_text(struct model *model, int64_t build, int64_t device, struct error *error);

#endif
