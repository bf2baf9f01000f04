/*
 * The result of "verify" as a ticket's text. Files of cli/ only.
 */
#ifndef STUTTERSCOPE_CLI_VERIFY_TICKET_H
#define STUTTERSCOPE_CLI_VERIFY_TICKET_H

#include "invocation.h"
#include "stutterscope/model/status.h"

struct ticket_checks {
    struct ticket_check *items; /* in the order of the payload's stutters */
    size_t count, capacity;
};
/* Of the ticket named by the operand, to where the options of "ticket" ask for. */
bool write_verification(struct invocation *invocation, struct model *model, int64_t build, const struct ticket_checks *checks, struct error *error);

#endif
