/*
 * What the files share that find out what is to decide.
 */
#ifndef STUTTERSCOPE_MODEL_FINDINGS_PARTS_H
#define STUTTERSCOPE_MODEL_FINDINGS_PARTS_H

#include "internal.h"
#include "stutterscope/analysis/distribution.h"
#include "stutterscope/model/findings.h"

enum { POLICY_LIMITS = 4 };
/* Limits of one tier, read once. */
struct tier_limits {
    const char *tier; /* of a device row */
    double values[POLICY_LIMITS];
};

struct findings_work {
    struct model *model;
    struct findings *findings;
    int64_t baseline; /* as wanted; 0: the rule */
    bool as_it_is;
    const struct stutter_entries *entries;
    const struct group_comparisons *comparisons;
    const struct build_results *results;
    struct { struct tier_limits *items; size_t count, capacity; } policies;
};

/* Sorts findings and what is to verify into lines and counts them. */
void findings_make_lines(struct findings *findings);
void findings_add_verify(struct findings_work *work);

#endif
