/*
 * findings, the log of decisions, a ticket against a later build.
 */
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "tables_common.h"
#include "stutterscope/model/tables_triage.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double ns_or_nan(int64_t ns)
{
    return ns == VALUE_UNKNOWN ? NAN : (double)ns / NS_PER_MS;
}

static bool fits_name(const char *wanted, const char *name)
{
    return !wanted || text_equals_ignoring_case(wanted, name ? name : "");
}

static bool is_after(const struct model *model, int64_t build, int64_t other)
{
    return model_build_position(model, build) > model_build_position(model, other);
}

/* From the last good to the first bad build; else from the baseline to this one. */
static char *commits_link(struct model *model, const struct finding *finding)
{
    int64_t to = finding->first_bad_build ? finding->first_bad_build : finding->key.build;

    return finding->last_good_build && is_after(model, to, finding->last_good_build) ? model_compare_link(model, finding->last_good_build, to) : NULL;
}

/* ---- findings ---- */

static void add_finding_row(struct model *model, struct table *table, const struct finding *finding)
{
    const struct device_row *device = model_device(model, finding->key.device);
    const struct triage_facts *triage = &finding->triage;
    struct row_writer writer = {table_add_row(table)};
    char *link = commits_link(model, finding);
    char since[48];

    cell_set_text(next_cell(&writer), finding->id);
    cell_set_text(next_cell(&writer), finding_kind_name(finding->kind));
    cell_set_text(next_cell(&writer), device ? device->model : NULL);
    cell_set_text(next_cell(&writer), device ? device->chip : NULL);
    cell_set_text(next_cell(&writer), model_scene_name(model, finding->key.scene));
    cell_set_text(next_cell(&writer), model_quality_name(model, finding->key.quality));
    cell_set_text(next_cell(&writer), model_text(model, finding->event));
    cell_set_text(next_cell(&writer), verdict_name(finding->verdict));
    cell_set_text(next_cell(&writer), finding->reason);
    cell_set_text(next_cell(&writer), finding->figure);
    cell_set_real(next_cell(&writer), finding->before);
    cell_set_real(next_cell(&writer), finding->after);
    cell_set_real(next_cell(&writer), finding->entry ? finding->entry->severity : NAN);
    cell_set_text(next_cell(&writer), triage_state_name(triage->state));
    cell_set_text(next_cell(&writer), triage->owner);
    cell_set_text(next_cell(&writer), triage->ticket);
    cell_set_text(next_cell(&writer), triage->note);
    cell_set_bool(next_cell(&writer), triage->joined);
    cell_set_text(next_cell(&writer), triage->reopened ? triage_state_name(triage->was) : NULL);
    cell_set_text(next_cell(&writer), triage->first_at_ms == VALUE_UNKNOWN ? NULL : clock_print(since, sizeof since, triage->first_at_ms / 1000 * 1000));
    cell_set_text(next_cell(&writer), model_build_name(model, finding->last_good_build));
    cell_set_text(next_cell(&writer), model_build_name(model, finding->first_bad_build));
    cell_set_text(next_cell(&writer), link);
    free(link);
}

static bool wants_finding(struct model *model, const struct table_request *request, const struct finding *finding)
{
    return request_wants_group(request, &finding->key) && fits_name(request->event, model_text(model, finding->event)) &&
           fits_name(request->verdict, verdict_name(finding->verdict)) && fits_name(request->state, triage_state_name(finding->triage.state)) &&
           fits_name(request->kind, finding_kind_name(finding->kind));
}

static void add_findings(struct model *model, const struct table_request *request, struct table *table, const struct findings *findings)
{
    for (size_t l = 0; l < findings->lines.count; l++)
        for (size_t i = 0; i < findings->lines.items[l].count; i++) {
            const struct finding *finding = &findings->items.items[findings->lines.items[l].first + i];

            if (wants_finding(model, request, finding))
                add_finding_row(model, table, finding);
        }
}

static struct table *findings_of_build(struct model *model, const struct table_request *request, const struct table_column *columns, size_t count,
                                       struct error *error)
{
    struct findings *findings;
    struct table *table;

    if (!model_findings(model, request->build, request->baseline, false, request->progress, &findings, error))
        return NULL;
    table = table_create("findings", columns, count);
    table_put_head(table, model, findings->build, findings->baseline);
    json_add(table->head, "to_decide", json_from_integer((int64_t)findings->to_decide));
    json_add(table->head, "to_verify", json_from_integer((int64_t)findings->to_verify));
    json_add(table->head, "verify", json_verify(model, findings));
    add_findings(model, request, table, findings);
    table->message = memory_print("nothing to decide in %s", findings->build ? model_build_name(model, findings->build) : "this store");
    findings_destroy(findings);
    return table;
}

struct table *table_findings(struct model *model, const struct table_request *request, struct error *error)
{
    static const struct table_column columns[] = {
        {"id", "id", COLUMN_SHOWN},           {"kind", "kind", COLUMN_SHOWN},       {"device", "device", COLUMN_SHOWN},
        {"chip", "chip", COLUMN_DATA_ONLY},   {"scene", "scene", COLUMN_SHOWN},     {"quality", "quality", COLUMN_SHOWN},
        {"event", "event", COLUMN_SHOWN},     {"verdict", "verdict", COLUMN_SHOWN}, {"reason", "reason", COLUMN_DATA_ONLY},
        {"figure", "figure", COLUMN_SHOWN},   {"before", "before", COLUMN_SHOWN},   {"after", "after", COLUMN_SHOWN},
        {"severity", "severity", COLUMN_SHOWN}, {"state", "state", COLUMN_SHOWN},   {"owner", "owner", COLUMN_SHOWN},
        {"ticket", "ticket", COLUMN_SHOWN},   {"note", "note", COLUMN_DATA_ONLY},   {"joined", "joined", COLUMN_DATA_ONLY},
        {"reopened_from", "was", COLUMN_SHOWN}, {"first_triaged", "first triaged", COLUMN_DATA_ONLY},
        {"last_good_build", "last good", COLUMN_DATA_ONLY}, {"first_bad_build", "first bad", COLUMN_DATA_ONLY},
        {"commits_url", "commits", COLUMN_DATA_ONLY},
    };
    struct build_choice builds;
    struct table *table;
    bool good = true;

    if (request->build != -1)
        return findings_of_build(model, request, columns, COLUMN_NUMBER(columns), error);
    if (!request_builds(model, request, &builds, error))
        return NULL;
    table = table_create("findings", columns, COLUMN_NUMBER(columns));
    table_put_head(table, model, -1, 0);
    for (size_t b = 0; b < builds.count && good; b++) {
        struct findings *findings;

        good = model_findings(model, builds.items[b], request->baseline, false, request->progress, &findings, error);
        if (good) {
            add_findings(model, request, table, findings);
            findings_destroy(findings);
        }
    }
    array_free(&builds);
    if (good)
        return table;
    table_destroy(table);
    return NULL;
}

/* ---- the log ---- */

struct table *table_triage_log(struct model *model, struct error *error)
{
    static const struct table_column columns[] = {
        {"decision", "no", COLUMN_SHOWN},   {"at", "at", COLUMN_SHOWN},         {"who", "who", COLUMN_SHOWN},
        {"what", "what", COLUMN_SHOWN},     {"before", "from", COLUMN_SHOWN},   {"after", "to", COLUMN_SHOWN},
        {"subject", "of", COLUMN_SHOWN},    {"fingerprint", "fingerprint", COLUMN_DATA_ONLY}, {"members", "for", COLUMN_SHOWN},
        {"undoes", "undoes", COLUMN_SHOWN}, {"taken_back", "taken back", COLUMN_DATA_ONLY},
    };
    struct triage_log_list log = {0};

    if (!store_list_triage_log(model->store, 0, &log, error)) {
        triage_log_list_free(&log);
        return NULL;
    }

    struct table *table = table_create("triage", columns, COLUMN_NUMBER(columns));

    table_put_head(table, model, -1, 0);
    table->message = memory_copy_text("nothing was decided yet");
    for (size_t i = 0; i < log.count; i++) {
        const struct triage_log_row *row = &log.items[i];
        struct row_writer writer = {table_add_row(table)};
        bool rename = strncmp(row->what, "rename ", 7) == 0 || strcmp(row->what, "baseline") == 0;
        char *subject = model_fingerprint_text(model, row->subject), when[48];

        cell_set_integer(next_cell(&writer), row->decision);
        cell_set_text(next_cell(&writer), clock_print(when, sizeof when, row->at_ms / 1000 * 1000));
        cell_set_text(next_cell(&writer), row->who);
        cell_set_text(next_cell(&writer), row->what);
        cell_set_text(next_cell(&writer), row->before);
        cell_set_text(next_cell(&writer), row->after);
        cell_set_text(next_cell(&writer), subject);
        cell_set_text(next_cell(&writer), rename ? NULL : row->subject);
        cell_set_integer(next_cell(&writer), row->members);
        cell_set_integer(next_cell(&writer), row->undoes ? row->undoes : VALUE_UNKNOWN);
        cell_set_bool(next_cell(&writer), row->taken_back);
        free(subject);
    }
    triage_log_list_free(&log);
    return table;
}

/* ---- verify ---- */

void table_add_check(struct table *table, const struct ticket_member *member, const struct ticket_check *check)
{
    struct row_writer writer = {table_add_row(table)};

    cell_set_text(next_cell(&writer), member->device);
    cell_set_text(next_cell(&writer), member->chip);
    cell_set_text(next_cell(&writer), member->scene);
    cell_set_text(next_cell(&writer), member->quality);
    cell_set_text(next_cell(&writer), member->event);
    cell_set_text(next_cell(&writer), member->build);
    cell_set_real(next_cell(&writer), ns_or_nan(member->peak_ns));
    cell_set_integer(next_cell(&writer), member->runs_hit);
    cell_set_integer(next_cell(&writer), member->runs);
    cell_set_real(next_cell(&writer), ns_or_nan(check->peak_ns));
    cell_set_integer(next_cell(&writer), check->runs_hit);
    cell_set_integer(next_cell(&writer), check->runs);
    cell_set_integer(next_cell(&writer), check->seen);
    cell_set_real(next_cell(&writer), check->rate);
    cell_set_real(next_cell(&writer), check->luck * 100);
    cell_set_integer(next_cell(&writer), check->result == VERIFY_STILL_THERE || check->needed < 0 ? VALUE_UNKNOWN : check->needed);
    cell_set_text(next_cell(&writer), verify_result_name(check->result));
    cell_set_text(next_cell(&writer), check->reason[0] ? check->reason : NULL);
}

void table_add_left_out(struct table *table, int64_t count)
{
    struct cell *row = table_add_row(table);
    char *reason = memory_print("%lld more stutter%s: the text of the ticket has no room for %s", (long long)count, text_plural(count), count == 1 ? "it" : "them");

    cell_set_text(&row[table->column_count - 2], verify_result_name(VERIFY_NOT_ENOUGH));
    cell_set_text(&row[table->column_count - 1], reason);
    free(reason);
}

struct table *table_verify(struct model *model, int64_t build)
{
    static const struct table_column columns[] = {
        {"device", "device", COLUMN_SHOWN},   {"chip", "chip", COLUMN_DATA_ONLY}, {"scene", "scene", COLUMN_SHOWN},
        {"quality", "quality", COLUMN_SHOWN}, {"event", "event", COLUMN_SHOWN},   {"then_build", "ticket's build", COLUMN_DATA_ONLY},
        {"then_peak_ms", "then", COLUMN_SHOWN}, {"then_runs_hit", "hit", COLUMN_SHOWN}, {"then_runs", "of", COLUMN_SHOWN},
        {"now_peak_ms", "now", COLUMN_SHOWN}, {"runs_hit", "hit now", COLUMN_SHOWN}, {"runs", "of runs", COLUMN_SHOWN},
        {"seen", "seen", COLUMN_SHOWN},       {"hit_rate", "hit rate", COLUMN_DATA_ONLY}, {"luck_percent", "luck %", COLUMN_SHOWN},
        {"needed", "needs", COLUMN_SHOWN},    {"result", "result", COLUMN_SHOWN}, {"reason", "", COLUMN_SHOWN},
    };
    struct table *table = table_create("verify", columns, COLUMN_NUMBER(columns));

    table_put_head(table, model, build, 0);
    return table;
}
