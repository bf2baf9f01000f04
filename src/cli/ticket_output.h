/*
 * Where a ticket goes: files, the clipboard, a tracker. Files of cli/ only.
 */
#ifndef STUTTERSCOPE_CLI_TICKET_OUTPUT_H
#define STUTTERSCOPE_CLI_TICKET_OUTPUT_H

#include "invocation.h"
#include "stutterscope/ticket/ticket.h"

/* A remark for people: standard error, or what captures the output; not with --quiet. */
void ticket_say(struct invocation *invocation, const char *text);

/*
 * To where the options ask for: --output, --copy, --post; without them to standard output. *ret_reference is what the
 * tracker calls it, a new string; NULL when it was not filed or did not say. post: the command; NULL: not to file.
 */
bool ticket_deliver(struct invocation *invocation, const struct ticket *ticket, const char *post, char **ret_reference, struct error *error);

/* What "ticket" can list. */
int ticket_print_templates(struct invocation *invocation, struct error *error);
int ticket_print_names(struct invocation *invocation, struct error *error);
int ticket_print_template(struct invocation *invocation, struct error *error);
int ticket_print_faults(struct invocation *invocation, struct error *error);

#endif
