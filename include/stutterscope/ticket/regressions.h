/*
 * What changed in a build, as one JSON document, "stutterscope.regressions/1": what the summary of a night is
 * written from. data/regressions.schema.json describes every field.
 */
#ifndef STUTTERSCOPE_TICKET_REGRESSIONS_H
#define STUTTERSCOPE_TICKET_REGRESSIONS_H

#include "stutterscope/base/json.h"
#include "stutterscope/model/model.h"

#define REGRESSIONS_SCHEMA "stutterscope.regressions/1"

/*
 * Of a build (0: the newest) against the baseline of the rule (0) or a chosen one: its gameplay stutters that
 * are new, back, worse, better, gone or not exercised, the groups that are worse without one, what is
 * missing. NULL with an error.
 */
struct json *regressions_payload(struct model *model, int64_t build, int64_t baseline,
                                 const struct progress *progress, struct error *error);

#endif
