/*
 * Where a ticket goes: files, the clipboard, a tracker. Files of cli/ only.
 */
#ifndef STUTTERSCOPE_CLI_TICKET_OUTPUT_H
#define STUTTERSCOPE_CLI_TICKET_OUTPUT_H

#include "invocation.h"
#include "stutterscope/ticket/ticket.h"

/* With --edit: the ticket as the editor leaves it. */
bool ticket_edit(struct invocation *invocation, struct ticket *ticket, struct error *error);

/*
 * To where the options ask for: --output, --copy, --post; without them to standard output. *ret_reference is what the
 * tracker calls it, a new string; NULL when it was not filed or did not say. post: the command; NULL: not to file.
 */
bool ticket_deliver(struct invocation *invocation, const struct ticket *ticket, const char *post, char **ret_reference, struct error *error);

/* Writes the text of a payload as options and settings say, and delivers it. For payloads of stutters with `model`. */
bool ticket_print(struct invocation *invocation, const struct json *payload, struct error *error);

/* Says what is known about the stutters of the operands. False when they have a ticket and another one would be filed. */
bool ticket_show_known(struct invocation *invocation, struct model *model, bool files, struct error *error);
/* The stutters of the operands are filed under this reference. */
bool ticket_keep_reference(struct invocation *invocation, struct model *model, const struct json *payload, const char *reference, struct error *error);

/* What "ticket" can list. */
int ticket_print_templates(struct invocation *invocation, struct error *error);
int ticket_print_names(struct invocation *invocation, struct error *error);
int ticket_print_template(struct invocation *invocation, struct error *error);
int ticket_print_faults(struct invocation *invocation, struct error *error);

#endif
