/*
 * Which groups, stutters, findings and comparisons belong to a cell of the heatmap.
 */
#ifndef STUTTERSCOPE_MODEL_HEATMAP_INDEX_H
#define STUTTERSCOPE_MODEL_HEATMAP_INDEX_H

#include "internal.h"
#include "stutterscope/model/findings.h"
#include "stutterscope/model/heatmap.h"

/* Ids are numbers of cells; positions those in the lists, in their order. */
struct heatmap_index {
    struct id_index rows, columns; /* ids of devices and scenes */
    size_t width;
    struct id_index groups, entries, findings, comparisons;
    size_t *finding_order; /* findings: position here is that in the order of the lines */
};

void heatmap_index_make(struct heatmap_index *index, const struct heatmap *map, const struct build_results *results,
                        const struct stutter_entries *entries, const struct findings *findings, const struct group_comparisons *comparisons);
void heatmap_index_free(struct heatmap_index *index);

#endif
