/*
 * The figures of a ticket as one JSON document, "stutterscope.ticket/1": what templates are filled from, what
 * a summary command reads, and what a later build is compared with. Aggregates only, never the frames
 * themselves.
 */
#ifndef STUTTERSCOPE_TICKET_PAYLOAD_H
#define STUTTERSCOPE_TICKET_PAYLOAD_H

#include "stutterscope/base/json.h"
#include "stutterscope/model/model.h"

#define PAYLOAD_SCHEMA "stutterscope.ticket/1"

/*
 * The payload of the stutters with these ids, worst severity first, each once. What all of them share stands
 * at the top level (null where they differ); with one stutter its fields stand there too.
 * data/ticket.schema.json describes every field. Texts are clean, unknown is null, times are exact decimals
 * of ms. NULL with an error, for an id that is not there too.
 */
struct json *ticket_payload(struct model *model, const char *const *ids, size_t count, struct error *error);

/* How somebody else comes to the same view: the command with store, settings and key (NULL: none), quoted for sh. A new string. */
char *ticket_reopen_command(struct model *model, const char *key);

#endif
