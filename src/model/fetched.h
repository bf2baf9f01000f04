/*
 * Frames of summarised runs that were asked for: kept in memory, shown between those of the store.
 */
#ifndef STUTTERSCOPE_MODEL_FETCHED_H
#define STUTTERSCOPE_MODEL_FETCHED_H

#include "internal.h"
#include "stutterscope/model/detail.h"

void fetched_forget(struct model *model);
/* Puts what was fetched of the run into its arrays. */
void fetched_put(const struct model *model, struct run_detail *detail);

#endif
