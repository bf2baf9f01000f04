/*
 * From the windows of a group to its stutters.
 */
#ifndef STUTTERSCOPE_MODEL_ANALYZE_STUTTERS_H
#define STUTTERSCOPE_MODEL_ANALYZE_STUTTERS_H

#include "stutterscope/store/derived.h"

/* The windows of the group with the same label and event become one stutter. Windows have to come run by run. */
void group_join_stutters(struct group_results *results);

#endif
