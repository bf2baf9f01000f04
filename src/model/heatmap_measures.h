/*
 * Cells of the heatmap that are measured beside frame times: allocations and memory snapshots.
 */
#ifndef STUTTERSCOPE_MODEL_HEATMAP_MEASURES_H
#define STUTTERSCOPE_MODEL_HEATMAP_MEASURES_H

#include "stutterscope/model/heatmap.h"
#include "stutterscope/model/snapshots.h"

/* Value and difference of every cell; a cell with snapshots only becomes one with data. */
void heatmap_put_memory(struct heatmap *map, const struct snapshots *snapshots);
/* The same; the quality with the most decides. */
bool heatmap_put_allocations(struct model *model, struct heatmap *map, int64_t quality, const struct progress *progress,
                             struct error *error);

#endif
