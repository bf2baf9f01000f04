/*
 * The result of looking at a later build for what a ticket was about, as one JSON document,
 * "stutterscope.verification/1". data/verification.schema.json describes every field.
 */
#ifndef STUTTERSCOPE_TICKET_VERIFICATION_H
#define STUTTERSCOPE_TICKET_VERIFICATION_H

#include "stutterscope/base/json.h"
#include "stutterscope/model/model.h"

#define VERIFICATION_SCHEMA "stutterscope.verification/1"

enum verification_result {
    VERIFICATION_GONE, /* not there, and luck explains it in at most 5 of 100 cases */
    VERIFICATION_STILL_THERE,
    VERIFICATION_NOT_ENOUGH,   /* not there, but the event was seen too rarely to tell */
    VERIFICATION_NOT_COMPARED, /* no runs of the group in the build, or the ticket has no figures of it */
    VERIFICATION_RESULT_COUNT
};
const char *verification_result_name(enum verification_result result); /* "still there" */

/* One stutter of the ticket: what it was (`then`, an item of the payload's "stutters") and what it is now. */
struct verification_member {
    const struct json *then;
    int64_t peak_ns;                 /* VALUE_UNKNOWN: no such stutter now */
    int64_t windows, runs_hit, runs; /* now */
    int64_t seen;                    /* occurrences of the event now; without event: runs */
    double luck;                     /* (1 - hit rate)^seen; NaN: not known */
    int64_t needed;                  /* occurrences that are missing for luck of 5 %; VALUE_UNKNOWN: none */
    enum verification_result result;
    const char *reason; /* NULL: none */
};
struct verification {
    const char *ticket; /* its reference, as the tracker has it: "MG-1211"; NULL */
    int64_t build;      /* the later one */
    const struct verification_member *members;
    size_t count;
    int64_t left_out; /* stutters of the ticket that its text does not carry */
    enum verification_result result; /* of all of them */
};
/* What all members say together: still there before not enough before not compared before gone, which it never
 * is while some were left out. */
enum verification_result verification_join(const struct verification *verification);

struct json *verification_payload(struct model *model, const struct verification *verification);

#endif
