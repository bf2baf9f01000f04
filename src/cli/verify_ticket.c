/*
 * The result of "verify" as a ticket's text.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/model/comparison.h"
#include "stutterscope/ticket/config.h"
#include "stutterscope/ticket/payload_read.h"
#include "stutterscope/ticket/verification.h"
#include "ticket_output.h"
#include "verify_ticket.h"
#include <math.h>
#include <stdlib.h>

static struct verification_member member_of(const struct json *then, const struct ticket_check *check)
{
    static const enum verification_result results[] = {[VERIFY_GONE] = VERIFICATION_GONE,
                                                       [VERIFY_STILL_THERE] = VERIFICATION_STILL_THERE,
                                                       [VERIFY_NOT_ENOUGH] = VERIFICATION_NOT_ENOUGH};
    bool there = check->result == VERIFY_STILL_THERE;

    return (struct verification_member){
        .then = then,
        .peak_ns = there ? check->peak_ns : VALUE_UNKNOWN,
        .windows = VALUE_UNKNOWN,
        .runs_hit = check->runs_hit,
        .runs = check->runs,
        .seen = check->seen,
        .luck = there ? NAN : check->luck,
        .needed = check->result == VERIFY_NOT_ENOUGH && check->needed > 0 ? check->needed : VALUE_UNKNOWN,
        .result = check->result == VERIFY_NOT_ENOUGH && !check->runs ? VERIFICATION_NOT_COMPARED : results[check->result],
        .reason = check->reason[0] ? check->reason : NULL,
    };
}

/* What the tracker calls the ticket, as far as somebody said so. */
static const char *reference_of(struct model *model, const struct json *stutters)
{
    const char *id = json_text(json_member(json_first(stutters), "id"));
    const struct stutter_entry *entry = id ? model_find_stutter(model, id, NULL) : NULL;

    return entry ? entry->triage.ticket : NULL;
}

static struct json *make_payload(struct model *model, int64_t build, const struct json *payload, const struct ticket_checks *checks)
{
    const struct json *stutters = json_member(payload, "stutters"), *then = json_first(stutters);
    struct verification_member *members = memory_take_zeroed(checks->count + 1, sizeof *members);
    struct verification verification = {.ticket = reference_of(model, stutters), .build = build, .members = members};
    struct json *result;

    for (; verification.count < checks->count && then; then = json_next(then), verification.count++)
        members[verification.count] = member_of(then, &checks->items[verification.count]);
    verification.result = verification_join(members, verification.count);
    result = verification_payload(model, &verification);
    free(members);
    return result;
}

bool write_verification(struct invocation *invocation, struct model *model, int64_t build, const struct ticket_checks *checks, struct error *error)
{
    struct json *payload = payload_read(invocation->operands[0], TICKET_STUTTERS, error), *result = NULL;
    bool good = payload != NULL;

    if (good) {
        result = make_payload(model, build, payload, checks);
        good = ticket_print(invocation, result, error);
    }
    json_destroy(result);
    json_destroy(payload);
    return good;
}
