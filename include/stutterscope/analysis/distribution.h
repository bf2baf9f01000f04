/*
 * The distribution of a group or of a run: counts, nearest-rank percentiles, median, MAD. Exact, in bounded
 * memory.
 */
#ifndef STUTTERSCOPE_ANALYSIS_DISTRIBUTION_H
#define STUTTERSCOPE_ANALYSIS_DISTRIBUTION_H

#include "stutterscope/analysis/piece.h"

struct distribution_builder;
struct distribution_builder *distribution_builder_create(const struct analysis_settings *settings);
/* With the same settings, and sharing its working memory: for a group beside its runs. The other one lives longer, and one
 * thread uses both. */
struct distribution_builder *distribution_builder_create_beside(struct distribution_builder *other);
void distribution_builder_destroy(struct distribution_builder *builder);
void distribution_builder_clear(struct distribution_builder *builder); /* keeps the memory */
/* Adds a piece: its gameplay frames to the distribution, the others to labelled[]. Stamps are not used. */
void distribution_builder_add(struct distribution_builder *builder, const struct frame_piece *piece,
                              struct sample_policy policy);
/* Adds all frames of another builder (for a group: its runs' builders), so that nothing is sorted twice. The other one is
 * empty then. */
void distribution_builder_merge(struct distribution_builder *builder, struct distribution_builder *other);
void distribution_builder_finish(struct distribution_builder *builder, struct distribution *ret);
/* After finish: nearest rank of percent_milli / 1000 (99900 is P99.9); VALUE_UNKNOWN without frames. */
int64_t distribution_builder_percentile(const struct distribution_builder *builder, int64_t percent_milli);
/* After finish: the sorted distinct frame times with their weights (for histograms); valid until the next
 * call. */
size_t distribution_builder_values(const struct distribution_builder *builder, const int64_t **ret_values,
                                   const int64_t **ret_weights);

uint32_t distribution_flags(const struct distribution *distribution,
                            const struct analysis_settings *settings); /* few, slow */
/* ms of excess per second of play; NaN without frames. */
double distribution_hitch_ratio(const struct distribution *distribution);
double distribution_fps(const struct distribution *distribution);

#endif
