/*
 * Tickets as they were filed: what the tracker calls them, the figures they were about, for which stutters. So that a
 * second ticket about the same thing is noticed before it is written.
 */
#ifndef STUTTERSCOPE_MODEL_TICKETS_H
#define STUTTERSCOPE_MODEL_TICKETS_H

#include "stutterscope/model/model.h"
#include "stutterscope/model/triage.h"

struct filed_ticket {
    const char *reference;
    const char *payload; /* JSON; NULL: not kept */
    const char *const *ids; /* of the stutters it is about, in one build */
    size_t id_count;
};
/* Keeps the ticket and decides "filed" with its reference for all its stutters: one decision, one `u`. */
bool model_file_ticket(struct model *model, const struct filed_ticket *ticket, struct error *error);

/* What is known about a stutter before a ticket is written about it; NULL: nothing. A new string, one line: "Galaxy S23
 * Ultra · Battle_03 · boss_spawn: MG-1211, filed, in 1.8.0(421) by kim". *ret_filed: it has a ticket. */
bool model_known_ticket(struct model *model, const char *id, char **ret_text, bool *ret_filed, struct error *error);

#endif
