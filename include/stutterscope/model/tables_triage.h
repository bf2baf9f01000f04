/*
 * What the verbs about decisions print: findings, status, gate, the log, verify.
 */
#ifndef STUTTERSCOPE_MODEL_TABLES_TRIAGE_H
#define STUTTERSCOPE_MODEL_TABLES_TRIAGE_H

#include "stutterscope/model/status.h"
#include "stutterscope/model/tables.h"

struct table *table_findings(struct model *model, const struct table_request *request, struct error *error);
/* Everything about a build, with the schema stutterscope.SCHEMA/1. build_name: as asked for, also when the store has no such build. */
struct json *status_to_json(struct model *model, const char *schema, const char *build_name, const struct build_status *status);
/* Row by row what is wrong or could not be looked at; no rows when all is fine. */
struct table *table_gate(struct model *model, const char *build_name, const struct build_status *status);
struct table *table_triage_log(struct model *model, struct error *error);
/* An empty table for the members of a ticket, and one row of it. */
struct table *table_verify(struct model *model, int64_t build);
void table_add_check(struct table *table, const struct ticket_member *member, const struct ticket_check *check);
/* The row that says how many of the ticket's stutters its text does not carry. */
void table_add_left_out(struct table *table, int64_t count);

#endif
