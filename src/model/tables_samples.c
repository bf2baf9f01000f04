/*
 * Values beside frames, by build: the median over the runs of what each run had, and what has changed against the
 * baseline.
 */
#include "sample_groups.h"
#include "tables_common.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/store/samples.h"
#include <stdlib.h>

static const struct device_row *device_of(const struct model *model, int64_t id)
{
    for (size_t i = 0; i < model->devices.count; i++)
        if (model->devices.items[i].id == id)
            return &model->devices.items[i];
    return NULL;
}

static const char *scene_name(const struct model *model, int64_t id)
{
    for (size_t i = 0; i < model->scenes.count; i++)
        if (model->scenes.items[i].id == id)
            return model->scenes.items[i].text;
    return NULL;
}

static bool is_wanted(const struct table_request *request, const struct build_choice *builds, const struct sample_group *group)
{
    const struct sample_row *row = group->first;
    bool build = false;

    for (size_t i = 0; i < builds->count; i++)
        build |= builds->items[i] == row->build;
    return build && (!request->device || request->device == row->device) && (!request->scene || request->scene == row->scene) &&
           (!request->name || text_matches_glob(request->name, row->name));
}

static void put_change(struct row_writer *writer, struct model *model, const struct sample_group *group,
                       const struct sample_group *baseline)
{
    cell_set_text(next_cell(writer), baseline ? model_build_name(model, baseline->first->build) : NULL);
    if (!baseline) {
        writer->next += 3;
        return;
    }
    cell_set_real(next_cell(writer), baseline->median);
    cell_set_real(next_cell(writer), group->median - baseline->median);
    if (baseline->median != 0)
        cell_set_real(next_cell(writer), 100 * (group->median - baseline->median) / baseline->median);
}

static void put_row(struct table *table, struct model *model, const struct sample_group *group, const struct sample_group *baseline)
{
    struct row_writer writer = {table_add_row(table)};
    const struct device_row *device = device_of(model, group->first->device);

    cell_set_text(next_cell(&writer), model_build_name(model, group->first->build));
    cell_set_text(next_cell(&writer), device ? device->model : NULL);
    cell_set_text(next_cell(&writer), device ? device->chip : NULL);
    cell_set_text(next_cell(&writer), scene_name(model, group->first->scene));
    cell_set_text(next_cell(&writer), group->first->name);
    cell_set_text(next_cell(&writer), *group->first->unit ? group->first->unit : NULL);
    cell_set_integer(next_cell(&writer), group->runs);
    cell_set_integer(next_cell(&writer), group->values);
    cell_set_real(next_cell(&writer), group->median);
    cell_set_real(next_cell(&writer), group->min);
    cell_set_real(next_cell(&writer), group->max);
    put_change(&writer, model, group, baseline);
}

static struct table *make_table(struct model *model, const struct table_request *request, enum sample_kind kind, struct table *table,
                                struct error *error)
{
    struct sample_list rows = {0};
    struct sample_groups groups = {0};
    struct build_choice builds = {0};
    bool good = store_list_samples(model->store, kind, model->series, &rows, error) && request_builds(model, request, &builds, error);

    if (good) {
        sample_groups_make(&rows, &groups);
        table_put_head(table, model, builds.count == 1 ? builds.items[0] : 0, request->baseline);
    }
    for (size_t i = 0; good && i < groups.count; i++)
        if (is_wanted(request, &builds, &groups.items[i]))
            put_row(table, model, &groups.items[i], sample_group_baseline(model, &groups, &groups.items[i], request->baseline));
    if (good && table->row_count == 0)
        table->message = memory_copy_text("No such values here. --build all looks at every build.");
    array_free(&groups);
    array_free(&builds);
    sample_list_free(&rows);
    if (good)
        return table;
    table_destroy(table);
    return NULL;
}

struct table *table_samples(struct model *model, const struct table_request *request, struct error *error)
{
    static const struct table_column columns[] = {
        {"build", "build", COLUMN_SHOWN},       {"device", "device", COLUMN_SHOWN},
        {"chip", "chip", COLUMN_DATA_ONLY},     {"scene", "scene", COLUMN_SHOWN},
        {"name", "name", COLUMN_SHOWN},         {"unit", "unit", COLUMN_SHOWN},
        {"runs", "runs", COLUMN_SHOWN},         {"values", "values", COLUMN_SHOWN},
        {"median", "median", COLUMN_SHOWN},     {"min", "min", COLUMN_DATA_ONLY},
        {"max", "max", COLUMN_DATA_ONLY},       {"baseline_build", "baseline", COLUMN_SHOWN},
        {"baseline_median", "before", COLUMN_SHOWN}, {"delta", "change", COLUMN_SHOWN},
        {"delta_percent", "%", COLUMN_SHOWN}};

    return make_table(model, request, SAMPLE_VALUES, table_create("samples", columns, COLUMN_NUMBER(columns)), error);
}

struct table *table_snapshots(struct model *model, const struct table_request *request, struct error *error)
{
    static const struct table_column columns[] = {
        {"build", "build", COLUMN_SHOWN},          {"device", "device", COLUMN_SHOWN},
        {"chip", "chip", COLUMN_DATA_ONLY},        {"scene", "scene", COLUMN_SHOWN},
        {"category", "category", COLUMN_SHOWN},    {"profiler", "profiler", COLUMN_SHOWN},
        {"runs", "runs", COLUMN_SHOWN},            {"snapshots", "snapshots", COLUMN_SHOWN},
        {"median_bytes", "bytes", COLUMN_SHOWN},   {"min_bytes", "min", COLUMN_DATA_ONLY},
        {"max_bytes", "max", COLUMN_DATA_ONLY},    {"baseline_build", "baseline", COLUMN_SHOWN},
        {"baseline_bytes", "before", COLUMN_SHOWN}, {"delta_bytes", "change", COLUMN_SHOWN},
        {"delta_percent", "%", COLUMN_SHOWN}};

    return make_table(model, request, SAMPLE_SNAPSHOTS, table_create("snapshots", columns, COLUMN_NUMBER(columns)), error);
}
