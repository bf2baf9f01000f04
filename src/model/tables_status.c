/*
 * status and gate: a build as one JSON object, and what is wrong with it row by row.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/tables_triage.h"
#include "tables_common.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct json *json_clean(const char *text)
{
    char *clean = text ? text_clean(text, strlen(text)) : NULL;
    struct json *value = json_from_text(clean);

    free(clean);
    return value;
}

static struct json *verify_to_json(struct model *model, const struct verify_item *item)
{
    const struct device_row *device = model_device(model, item->subject.key.device);
    struct json *object = json_object();

    json_add(object, "id", json_clean(item->id));
    json_add(object, "device", json_clean(device ? device->model : NULL));
    json_add(object, "chip", json_clean(device ? device->chip : NULL));
    json_add(object, "scene", json_clean(model_scene_name(model, item->subject.key.scene)));
    json_add(object, "quality", json_clean(model_quality_name(model, item->subject.key.quality)));
    json_add(object, "event", json_clean(model_text(model, item->subject.event)));
    json_add(object, "state", json_from_text(triage_state_name(item->triage.state)));
    json_add(object, "owner", json_clean(item->triage.owner));
    json_add(object, "ticket", json_clean(item->triage.ticket));
    json_add(object, "verdict", json_from_text(item->hits ? "still there" : verdict_name(item->verdict)));
    json_add(object, "then_build", json_clean(model_build_name(model, item->then_build)));
    json_add(object, "then_peak_ms", json_from_scaled(item->then_peak_ns, NS_PER_MS));
    json_add(object, "now_peak_ms", json_from_scaled(item->peak_ns, NS_PER_MS));
    json_add(object, "runs_hit", json_from_integer(item->hits));
    json_add(object, "runs", json_from_integer(item->runs));
    json_add(object, "seen", json_from_integer(item->seen));
    json_add(object, "luck", json_from_double(item->luck, 6));
    json_add(object, "needed", json_from_integer(item->needed < 0 ? VALUE_UNKNOWN : item->needed));
    return object;
}

struct json *json_verify(struct model *model, const struct findings *findings)
{
    struct json *list = json_array();

    for (size_t i = 0; i < findings->verify.count; i++)
        json_append(list, verify_to_json(model, &findings->verify.items[i]));
    return list;
}

static struct json *counts_to_json(const struct build_status *status)
{
    struct json *object = json_object();

    for (int i = 0; i < VERDICT_COUNT; i++)
        json_add(object, verdict_name((enum verdict)i), json_from_integer((int64_t)status->counts[i]));
    return object;
}

static struct json *stutter_to_json(struct model *model, const struct stutter_entry *entry)
{
    const struct device_row *device = model_device(model, entry->stutter.key.device);
    struct json *object = json_object();

    json_add(object, "id", json_clean(entry->id));
    json_add(object, "device", json_clean(device ? device->model : NULL));
    json_add(object, "device_name", json_clean(device ? device->name : NULL));
    json_add(object, "scene", json_clean(model_scene_name(model, entry->stutter.key.scene)));
    json_add(object, "quality", json_clean(model_quality_name(model, entry->stutter.key.quality)));
    json_add(object, "event", json_clean(model_text(model, entry->stutter.event)));
    json_add(object, "before_ms", json_from_scaled(entry->baseline_peak_ns, NS_PER_MS));
    json_add(object, "after_ms", json_from_scaled(entry->present ? entry->stutter.peak_ns : VALUE_UNKNOWN, NS_PER_MS));
    json_add(object, "seen", json_from_integer(entry->stutter.seen));
    json_add(object, "reason", json_clean(entry->reason));
    json_add(object, "state", json_from_text(triage_state_name(entry->triage.state)));
    json_add(object, "owner", json_clean(entry->triage.owner));
    json_add(object, "ticket", json_clean(entry->triage.ticket));
    return object;
}

static struct json *stutters_with(struct model *model, const struct stutter_entries *entries, enum verdict verdict)
{
    struct json *list = json_array();

    for (size_t i = 0; entries && i < entries->count; i++)
        if (entries->items[i].verdict == verdict && entries->items[i].stutter.label == LABEL_GAMEPLAY)
            json_append(list, stutter_to_json(model, &entries->items[i]));
    return list;
}

static struct json *place_to_json(const struct model *model, int64_t device_id, int64_t scene)
{
    const struct device_row *device = model_device(model, device_id);
    struct json *object = json_object();

    json_add(object, "device", json_clean(device ? device->model : NULL));
    json_add(object, "chip", json_clean(device ? device->chip : NULL));
    json_add(object, "device_name", json_clean(device ? device->name : NULL));
    json_add(object, "scene", json_clean(model_scene_name(model, scene)));
    return object;
}

static size_t missing_cells_of(const struct build_status *status, int64_t device)
{
    size_t count = 0;

    for (size_t i = 0; i < status->cells.count; i++)
        count += status->cells.items[i].outcome == CELL_MISSING && status->cells.items[i].device == device;
    return count;
}

static bool is_silent(const struct build_status *status, int64_t device)
{
    const struct coverage_device *covered = coverage_find(status->coverage, device);

    return covered && (covered->cell.state == COVERAGE_MISSING || !status->build);
}

/* A silent device is one entry, without a scene; else each cell is one. */
static struct json *missing_list(struct model *model, const struct build_status *status)
{
    struct json *list = json_array();
    int64_t told = 0;

    for (size_t i = 0; i < status->cells.count; i++) {
        const struct status_cell *cell = &status->cells.items[i];
        bool silent = is_silent(status, cell->device);

        if (cell->outcome != CELL_MISSING || (silent && cell->device == told))
            continue;

        const struct coverage_device *covered = coverage_find(status->coverage, cell->device);
        struct json *object = place_to_json(model, cell->device, silent ? 0 : cell->scene);
        int64_t since = silent && status->build ? covered->cell.since : cell->since;

        json_add(object, "since", json_clean(model_build_name(model, since)));
        json_add(object, "last", json_clean(model_build_name(model, silent ? covered->cell.last : cell->last)));
        json_add(object, "cells", json_from_integer(silent ? (int64_t)missing_cells_of(status, cell->device) : 1));
        json_append(list, object);
        told = silent ? cell->device : told;
    }
    return list;
}

static struct json *cells_with(const struct model *model, const struct build_status *status, enum cell_outcome outcome)
{
    struct json *list = json_array();

    for (size_t i = 0; i < status->cells.count; i++) {
        const struct status_cell *cell = &status->cells.items[i];

        if (cell->outcome != outcome)
            continue;

        struct json *object = place_to_json(model, cell->device, cell->scene);

        json_add(object, "reason", json_clean(cell->reason));
        json_append(list, object);
    }
    return list;
}

static struct json *devices_with(const struct model *model, const struct build_status *status, bool sampled)
{
    struct json *list = json_array();

    for (size_t d = 0; d < status->coverage->device_count && status->build; d++) {
        const struct coverage_device *device = &status->coverage->devices[d];

        if (sampled ? !device->sampled_runs : device->cell.state != COVERAGE_FEWER)
            continue;

        struct json *object = place_to_json(model, device->device->id, 0);

        json_add(object, "runs", json_from_integer(device->cell.runs));
        json_add(object, "expected_runs", json_from_integer(device->cell.expected ? device->cell.expected : VALUE_UNKNOWN));
        json_add(object, "sampled_runs", json_from_integer(device->sampled_runs));
        json_append(list, object);
    }
    return list;
}

static struct json *nights_list(const struct missed_nights *nights)
{
    struct json *list = json_array();
    char date[48];

    for (size_t i = 0; i < nights->count; i++)
        json_append(list, json_from_text(day_print(date, sizeof date, nights->items[i])));
    return list;
}

static struct json *take_text(char *text)
{
    struct json *value = json_clean(text);

    free(text);
    return value;
}

static struct json *links_to_json(struct model *model, const struct build_status *status)
{
    const struct build_row *build = model_build(model, status->build), *baseline = model_build(model, status->baseline);
    struct json *object = json_object();

    json_add(object, "commits", take_text(model_compare_link(model, status->baseline, status->build)));
    json_add(object, "ci_run", take_text(model_ci_link(model, status->build)));
    json_add(object, "commit", json_clean(build ? build->commit : NULL));
    json_add(object, "baseline_commit", json_clean(baseline ? baseline->commit : NULL));
    return object;
}

static struct json *cell_counts(const struct build_status *status)
{
    struct json *object = json_object();

    json_add(object, "compared", json_from_integer((int64_t)status->compared));
    json_add(object, "missing", json_from_integer((int64_t)status->missing));
    json_add(object, "new", json_from_integer((int64_t)status->fresh));
    json_add(object, "not_comparable", json_from_integer((int64_t)status->not_comparable));
    return object;
}

struct json *status_to_json(struct model *model, const char *schema, const char *build_name, const struct build_status *status)
{
    static const enum verdict listed[] = {VERDICT_NEW, VERDICT_WORSE, VERDICT_BACK, VERDICT_GONE};
    const struct stutter_entries *entries = status->build ? model_stutters(model, status->build, status->wanted_baseline, false, NULL, NULL) : NULL;
    struct json *object = json_object();
    char *name = memory_print("stutterscope.%s/1", schema);

    json_add(object, "schema", json_from_text(name));
    free(name);
    json_add(object, "store", json_clean(model_path(model)));
    json_add(object, "series", json_clean(model_series(model)));
    json_add(object, "build", json_clean(build_name));
    json_add(object, "baseline", json_clean(model_build_name(model, status->baseline)));
    json_add(object, "result", json_from_text(gate_result_name(status->result)));
    json_add(object, "regression", json_from_bool(status->regressions > 0));
    json_add(object, "incomplete", json_from_bool(status->incomplete));
    json_add(object, "runs", json_from_integer(status->runs));
    json_add(object, "expected_runs", json_from_integer(status->expected_runs));
    json_add(object, "uploads", json_from_integer((int64_t)status->uploads));
    json_add(object, "expected_uploads", json_from_integer((int64_t)status->expected_uploads));
    json_add(object, "to_decide", json_from_integer(status->findings ? (int64_t)status->findings->to_decide : VALUE_UNKNOWN));
    json_add(object, "to_verify", json_from_integer(status->findings ? (int64_t)status->findings->to_verify : VALUE_UNKNOWN));
    json_add(object, "counts", counts_to_json(status));
    json_add(object, "cells", cell_counts(status));
    json_add(object, "regressions", json_from_integer((int64_t)status->regressions));
    json_add(object, "accepted", json_from_integer((int64_t)status->accepted));
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        json_add(object, verdict_name(listed[i]), stutters_with(model, entries, listed[i]));
    json_add(object, "verify", status->findings ? json_verify(model, status->findings) : json_array());
    json_add(object, "missing", missing_list(model, status));
    json_add(object, "partial", devices_with(model, status, false));
    json_add(object, "sampled", devices_with(model, status, true));
    json_add(object, "no_baseline", cells_with(model, status, CELL_FRESH));
    json_add(object, "not_comparable", cells_with(model, status, CELL_NOT_COMPARABLE));
    json_add(object, "nights_without_upload", nights_list(&status->nights));
    json_add(object, "links", links_to_json(model, status));
    return object;
}

struct problem {
    const char *result, *kind, *verdict;
    int64_t device, scene, quality;
    const char *event, *reason, *id;
    double before, after;
    enum triage_state state;
};

static void add_problem(struct model *model, struct table *table, const struct problem *problem)
{
    const struct device_row *device = model_device(model, problem->device);
    struct row_writer writer = {table_add_row(table)};

    cell_set_text(next_cell(&writer), problem->result);
    cell_set_text(next_cell(&writer), problem->kind);
    cell_set_text(next_cell(&writer), device ? device->model : NULL);
    cell_set_text(next_cell(&writer), device ? device->chip : NULL);
    cell_set_text(next_cell(&writer), model_scene_name(model, problem->scene));
    cell_set_text(next_cell(&writer), model_quality_name(model, problem->quality));
    cell_set_text(next_cell(&writer), problem->event);
    cell_set_text(next_cell(&writer), problem->verdict);
    cell_set_real(next_cell(&writer), problem->before);
    cell_set_real(next_cell(&writer), problem->after);
    cell_set_text(next_cell(&writer), problem->state == TRIAGE_UNDECIDED ? NULL : triage_state_name(problem->state));
    cell_set_text(next_cell(&writer), problem->reason);
    cell_set_text(next_cell(&writer), problem->id);
}

static void add_findings(struct model *model, struct table *table, const struct build_status *status)
{
    for (size_t i = 0; status->findings && i < status->findings->items.count; i++) {
        const struct finding *finding = &status->findings->items.items[i];
        bool accepted = triage_state_is_accepted(finding->triage.state);
        struct problem problem = {
            .result = finding->kind == FINDING_PARTIAL ? "partial" : accepted ? "accepted" : "regression",
            .kind = finding_kind_name(finding->kind),
            .verdict = verdict_name(finding->verdict),
            .device = finding->key.device,
            .scene = finding->key.scene,
            .quality = finding->key.quality,
            .event = model_text(model, finding->event),
            .reason = finding->reason,
            .id = finding->id,
            .before = finding->before,
            .after = finding->after,
            .state = finding->triage.state,
        };

        if (finding->kind != FINDING_SILENT) /* its cells are listed */
            add_problem(model, table, &problem);
    }
}

struct table *table_gate(struct model *model, const char *build_name, const struct build_status *status)
{
    static const struct table_column columns[] = {
        {"result", "", COLUMN_SHOWN},         {"kind", "kind", COLUMN_SHOWN},       {"device", "device", COLUMN_SHOWN},
        {"chip", "chip", COLUMN_DATA_ONLY},   {"scene", "scene", COLUMN_SHOWN},     {"quality", "quality", COLUMN_SHOWN},
        {"event", "event", COLUMN_SHOWN},     {"verdict", "verdict", COLUMN_SHOWN}, {"before", "before", COLUMN_SHOWN},
        {"after", "after", COLUMN_SHOWN},     {"state", "state", COLUMN_SHOWN},     {"reason", "reason", COLUMN_SHOWN},
        {"id", "id", COLUMN_DATA_ONLY},
    };
    static const char *const results[] = {"", "incomplete", "new", "not comparable"};
    struct table *table = table_create("gate", columns, COLUMN_NUMBER(columns));

    table->head = json_object();
    json_add(table->head, "build", json_clean(build_name));
    json_add(table->head, "baseline", json_clean(model_build_name(model, status->baseline)));
    add_findings(model, table, status);
    for (size_t i = 0, told = 0; i < status->cells.count; i++) {
        const struct status_cell *cell = &status->cells.items[i];
        bool silent = cell->outcome == CELL_MISSING && is_silent(status, cell->device);
        char *reason = silent ? memory_print("%s, %zu cell%s", cell->reason, missing_cells_of(status, cell->device), text_plural((int64_t)missing_cells_of(status, cell->device))) : memory_copy_text(cell->reason);
        struct problem problem = {
            .result = results[cell->outcome],
            .kind = silent ? finding_kind_name(FINDING_SILENT) : NULL,
            .verdict = cell->outcome == CELL_MISSING ? verdict_name(VERDICT_MISSING) : verdict_name(VERDICT_NONE),
            .device = cell->device,
            .scene = silent ? 0 : cell->scene,
            .reason = reason,
            .before = NAN,
            .after = NAN,
        };

        if (cell->outcome != CELL_COMPARED && !(silent && (int64_t)told == cell->device))
            add_problem(model, table, &problem);
        told = silent ? (size_t)cell->device : told;
        free(reason);
    }
    return table;
}
