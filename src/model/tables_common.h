/*
 * What the files that fill tables share.
 */
#ifndef STUTTERSCOPE_MODEL_TABLES_COMMON_H
#define STUTTERSCOPE_MODEL_TABLES_COMMON_H

#include "internal.h"
#include "stutterscope/model/tables.h"

#define COLUMN_NUMBER(columns) (sizeof(columns) / sizeof *(columns))

/* "store" and "build" (and "baseline" where it is not 0) at the head of a document. */
void table_put_head(struct table *table, struct model *model, int64_t build, int64_t baseline);
/* The builds a request asks for: one, or all from oldest to newest. False with an error when the store has none. */
struct build_choice {
    int64_t *items;
    size_t count, capacity;
};
bool request_builds(struct model *model, const struct table_request *request, struct build_choice *ret, struct error *error);
bool request_wants_group(const struct table_request *request, const struct group_key *key);

struct json *json_flags(uint32_t flags); /* ["few", …] */
struct json *json_causes(const struct stutter_window *window);
struct findings;
struct json *json_verify(struct model *model, const struct findings *findings); /* what is to verify, item by item */
struct json *json_labelled(const struct distribution *distribution);
const char *sampling_text(const struct run_row *run, char *buffer, size_t size); /* "full", "1 of 10, all over 40 ms", "sampled" */

/* A cursor over the cells of a row, so that a row is written in the order of its columns. */
struct row_writer {
    struct cell *next;
};
static inline struct cell *next_cell(struct row_writer *writer)
{
    return writer->next++;
}
/* The cells from frames to labelled, in the order of DISTRIBUTION_COLUMNS. */
void put_distribution(struct row_writer *writer, const struct distribution *distribution, uint32_t flags);

#define DISTRIBUTION_COLUMNS                                                                                           \
    {"frames", "frames", COLUMN_SHOWN}, {"frames_kept", "kept", COLUMN_DATA_ONLY}, {"duration_ms", "ms", COLUMN_SHOWN}, \
        {"median_ms", "median", COLUMN_SHOWN}, {"mad_ms", "MAD", COLUMN_SHOWN}, {"p95_ms", "P95", COLUMN_SHOWN},       \
        {"p99_ms", "P99", COLUMN_SHOWN}, {"min_ms", "min", COLUMN_DATA_ONLY}, {"max_ms", "max", COLUMN_SHOWN},         \
        {"mean_ms", "mean", COLUMN_DATA_ONLY}, {"low1_ms", "low1", COLUMN_DATA_ONLY}, {"fps", "fps", COLUMN_SHOWN},    \
        {"late_frames", "late", COLUMN_DATA_ONLY}, {"over_budget_frames", "over", COLUMN_SHOWN},                       \
        {"hitch_ratio_ms_per_s", "hitch", COLUMN_SHOWN}, {"labelled", "labelled", COLUMN_DATA_ONLY}

#endif
