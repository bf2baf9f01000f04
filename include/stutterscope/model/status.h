/*
 * A build in one object: what came in, what is to decide, what could be compared and what is missing; and whether a CI
 * job may go on. Missing data is never a pass.
 */
#ifndef STUTTERSCOPE_MODEL_STATUS_H
#define STUTTERSCOPE_MODEL_STATUS_H

#include "stutterscope/base/json.h"
#include "stutterscope/model/findings.h"

/* Calendar days (UTC, by run start) between the first upload and today without any run of the series. */
struct missed_nights {
    int64_t *items; /* days since 1970, oldest first */
    size_t count, capacity;
    int64_t first_day, last_day; /* of uploads; VALUE_UNKNOWN: no run says when it started */
};
/* today_ms: VALUE_UNKNOWN is now. Today itself counts only once it is over. */
bool model_missed_nights(struct model *model, int64_t today_ms, struct missed_nights *ret, struct error *error);
void missed_nights_free(struct missed_nights *nights);
/* "2025-11-27" */
char *day_print(char *buffer, size_t size, int64_t day);

enum cell_outcome {
    CELL_COMPARED,
    CELL_MISSING,       /* expected, no runs here */
    CELL_FRESH,         /* no baseline: nothing to compare with */
    CELL_NOT_COMPARABLE /* few, sampled, another OS … */
};
struct status_cell {
    enum cell_outcome outcome;
    int64_t device, scene;
    int64_t since, last; /* missing: first build without runs, last build with runs; 0 */
    char reason[200];
};

enum gate_result { GATE_CLEAN, GATE_REGRESSION, GATE_INCOMPLETE };
const char *gate_result_name(enum gate_result result); /* "clean", "regression", "incomplete" */

struct build_status {
    int64_t build, baseline;   /* build 0: the store has no such build */
    int64_t wanted_baseline;   /* as asked for; 0: the rule */
    struct findings *findings; /* NULL without a build */
    struct coverage *coverage; /* of the build; without one of the newest */
    struct { struct status_cell *items; size_t count, capacity; } cells;
    size_t compared, missing, fresh, not_comparable; /* cells */
    size_t uploads, expected_uploads; /* devices */
    int64_t runs, expected_runs;
    size_t counts[VERDICT_COUNT];     /* gameplay stutters; missing: cells */
    size_t regressions;        /* findings that are hitch, drift or slow, and that nobody accepted */
    size_t accepted;           /* the same, but known, noise, environment or won't fix */
    bool incomplete;           /* missing cells, or nothing at all could be compared; strict: also cells without a verdict and partial devices */
    enum gate_result result;   /* a regression beats incomplete */
    struct missed_nights nights;
};
struct status_request {
    int64_t build;    /* 0: a build that the store does not have */
    int64_t baseline; /* 0: the rule */
    bool strict;
    int64_t today_ms; /* VALUE_UNKNOWN: now */
    const struct progress *progress;
};
bool model_status(struct model *model, const struct status_request *request, struct build_status **ret, struct error *error);
void build_status_destroy(struct build_status *status);

/* The name of a build as CI knows it: whole, or a part between other signs than letters and digits. 0 when there is none. */
bool model_find_build_strictly(const struct model *model, const char *name, int64_t *ret, struct error *error);

/* Link templates: settings link.compare with {from} and {to} (commits), link.ci with {ci_run}. New string or NULL. */
char *model_compare_link(struct model *model, int64_t from_build, int64_t to_build);
char *model_ci_link(struct model *model, int64_t build);
/* "compare=https://…{from}...{to}" or "ci=…"; nothing behind "=" takes it away. */
bool model_set_link(struct model *model, const char *text, struct error *error);

/* What was decided at this build, what is still to decide and to verify, what is missing: lines for a chat. New string. */
char *model_summary(struct model *model, int64_t build, int64_t baseline, bool as_it_is, struct error *error);

/* ---- a ticket against a later build ---- */

enum verify_result { VERIFY_GONE, VERIFY_STILL_THERE, VERIFY_NOT_ENOUGH };
const char *verify_result_name(enum verify_result result); /* "gone", "still there", "not enough" */

/* One stutter of a payload, as it was when the ticket was written. */
struct ticket_member {
    char *device, *chip, *scene, *quality, *label, *event, *build; /* quality, event NULL: unknown, none */
    int64_t peak_ns, windows, seen, runs_hit, runs;                /* VALUE_UNKNOWN */
};
struct ticket_members {
    struct ticket_member *items;
    size_t count, capacity;
    int64_t left_out; /* stutters of the ticket that its text had no room for: nothing can be said about them */
};
/* The stutters of a ticket's payload. */
bool ticket_members_take(const struct json *payload, struct ticket_members *ret, struct error *error);
void ticket_members_free(struct ticket_members *members);

struct ticket_check {
    enum verify_result result;
    int64_t seen, runs, runs_hit, peak_ns; /* in the build; peak unknown when not hit */
    double rate, luck;                     /* NaN: not known */
    int64_t needed;                        /* more occurrences; -1: cannot be told */
    char reason[160];                      /* why there is not enough; "" */
};
/* Only in a build later than the member's: ERROR_USAGE otherwise, with both names. */
bool model_verify_member(struct model *model, int64_t build, const struct ticket_member *member, struct ticket_check *ret, struct error *error);

#endif
