/*
 * coverage: what came in, device by device and scene by scene.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/model/imports.h"
#include "stutterscope/model/status.h"
#include "tables_common.h"
#include <stdlib.h>

/* Devices come before their scenes; what is known of runs stands beside the device. */
static void add_row(struct model *model, struct table *table, const struct coverage *coverage, size_t d, size_t s)
{
    const struct coverage_device *device = &coverage->devices[d];
    const struct coverage_cell *cell = s ? &device->scenes[s - 1] : &device->cell;
    struct row_writer writer = {table_add_row(table)};
    bool whole = s == 0 && cell->runs > 0;

    cell_set_text(next_cell(&writer), device->device->model);
    cell_set_text(next_cell(&writer), device->device->chip);
    cell_set_text(next_cell(&writer), s ? model->scenes.items[s - 1].text : NULL);
    cell_set_text(next_cell(&writer), model_build_name(model, coverage->build));
    cell_set_integer(next_cell(&writer), cell->runs);
    cell_set_integer(next_cell(&writer), cell->expected ? cell->expected : VALUE_UNKNOWN);
    cell_set_text(next_cell(&writer), coverage_state_name(cell->state));
    cell_set_text(next_cell(&writer), cell->state == COVERAGE_MISSING ? model_build_name(model, cell->since) : NULL);
    cell_set_text(next_cell(&writer), model_build_name(model, cell->last));
    cell_set_text(next_cell(&writer), whole && device->outcomes[0] ? device->outcomes : NULL);
    cell_set_integer(next_cell(&writer), whole ? device->sampled_runs : VALUE_UNKNOWN);
    cell_set_integer(next_cell(&writer), whole ? device->interfered_runs : VALUE_UNKNOWN);
    cell_set_integer(next_cell(&writer), whole ? device->spike_runs : VALUE_UNKNOWN);
    cell_set_ns(next_cell(&writer), whole ? device->play_ns : VALUE_UNKNOWN);
}

static bool wants_row(const struct model *model, const struct table_request *request, const struct coverage *coverage, size_t d, size_t s)
{
    const struct coverage_cell *cell = s ? &coverage->devices[d].scenes[s - 1] : &coverage->devices[d].cell;

    return cell->state != COVERAGE_NEVER && (!request->device || request->device == coverage->devices[d].device->id) &&
           (!request->scene || (s && model->scenes.items[s - 1].id == request->scene));
}

static struct json *nights_to_json(const struct missed_nights *nights)
{
    struct json *list = json_array();
    char date[48];

    for (size_t i = 0; i < nights->count; i++)
        json_append(list, json_from_text(day_print(date, sizeof date, nights->items[i])));
    return list;
}

struct table *table_coverage(struct model *model, const struct table_request *request, struct error *error)
{
    static const struct table_column columns[] = {
        {"device", "device", COLUMN_SHOWN},     {"chip", "chip", COLUMN_DATA_ONLY}, {"scene", "scene", COLUMN_SHOWN},
        {"build", "build", COLUMN_SHOWN},       {"runs", "runs", COLUMN_SHOWN},     {"expected", "expected", COLUMN_SHOWN},
        {"state", "state", COLUMN_SHOWN},       {"since", "missing since", COLUMN_SHOWN}, {"last", "last", COLUMN_SHOWN},
        {"outcomes", "outcome", COLUMN_SHOWN},  {"sampled_runs", "sampled", COLUMN_DATA_ONLY},
        {"interfered_runs", "interfered", COLUMN_DATA_ONLY}, {"spike_only_runs", "spikes only", COLUMN_DATA_ONLY}, {"play_ms", "play", COLUMN_DATA_ONLY},
    };
    int64_t build = request->build == -1 ? 0 : request->build;
    struct missed_nights nights;
    struct coverage *coverage;
    struct json *imports;

    if (!model_results(model, build ? build : model_newest_build(model), false, request->progress, error) ||
        !model_coverage(model, build, &coverage, error))
        return NULL;
    if (!model_coverage_disturbed(model, coverage, error) || !model_missed_nights(model, request->today_ms, &nights, error)) {
        coverage_destroy(coverage);
        return NULL;
    }

    imports = model_imports(model, coverage->build, request->device, error);
    if (!imports) {
        missed_nights_free(&nights);
        coverage_destroy(coverage);
        return NULL;
    }

    struct table *table = table_create("coverage", columns, COLUMN_NUMBER(columns));

    table_put_head(table, model, coverage->build, 0);
    json_add(table->head, "series", json_from_text(model_series(model)));
    json_add(table->head, "runs", json_from_integer(coverage->runs));
    json_add(table->head, "expected_runs", json_from_integer(coverage->expected_runs));
    json_add(table->head, "nights_without_upload", nights_to_json(&nights));
    json_add(table->head, "imports", imports);
    for (size_t d = 0; d < coverage->device_count; d++)
        for (size_t s = 0; s <= coverage->scene_count; s++)
            if (wants_row(model, request, coverage, d, s))
                add_row(model, table, coverage, d, s);
    missed_nights_free(&nights);
    coverage_destroy(coverage);
    return table;
}
