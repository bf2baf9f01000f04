/*
 * One function per verb, each in a file of its own or with its kin.
 */
#ifndef STUTTERSCOPE_CLI_VERBS_H
#define STUTTERSCOPE_CLI_VERBS_H

#include "invocation.h"
#include "stutterscope/model/status.h"

int verb_import(struct invocation *invocation, struct error *error);
int verb_builds(struct invocation *invocation, struct error *error);
int verb_devices(struct invocation *invocation, struct error *error);
int verb_runs(struct invocation *invocation, struct error *error);
int verb_stats(struct invocation *invocation, struct error *error);
int verb_heatmap(struct invocation *invocation, struct error *error);
int verb_stutters(struct invocation *invocation, struct error *error);
int verb_windows(struct invocation *invocation, struct error *error);
int verb_frames(struct invocation *invocation, struct error *error);
int verb_compare(struct invocation *invocation, struct error *error);
int verb_trend(struct invocation *invocation, struct error *error);
int verb_coverage(struct invocation *invocation, struct error *error);
int verb_events(struct invocation *invocation, struct error *error);
int verb_findings(struct invocation *invocation, struct error *error);
int verb_status(struct invocation *invocation, struct error *error);
int verb_gate(struct invocation *invocation, struct error *error);
int verb_triage(struct invocation *invocation, struct error *error);
int verb_verify(struct invocation *invocation, struct error *error);
int verb_samples(struct invocation *invocation, struct error *error);
int verb_snapshots(struct invocation *invocation, struct error *error);
int verb_view(struct invocation *invocation, struct error *error);
int verb_sql(struct invocation *invocation, struct error *error);
int verb_ticket(struct invocation *invocation, struct error *error);
int verb_check(struct invocation *invocation, struct error *error);
int verb_template(struct invocation *invocation, struct error *error);
/* The store of the sample telemetry, imported on first use; a new string. */
bool demo_prepare(char **ret_path, struct error *error);
int verb_export(struct invocation *invocation, struct error *error);

/* "nights without upload 2: 2025-11-20 to 2025-11-21"; nothing when there are none. */
void add_nights(struct text_buffer *out, const struct missed_nights *nights);

#endif
