/*
 * Values beside frames, by build: the median over the runs of what each run had, and what has changed against the
 * baseline.
 */
#include "tables_common.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/store/samples.h"
#include <stdlib.h>
#include <string.h>

/* One name in one scene of one device in one build. */
struct sample_group {
    const struct sample_row *first; /* its names */
    int64_t runs, values;
    double median, min, max;
};
struct sample_groups {
    struct sample_group *items;
    size_t count, capacity;
};

static bool same_series(const struct sample_row *a, const struct sample_row *b)
{
    return a->device == b->device && a->scene == b->scene && strcmp(a->name, b->name) == 0 && strcmp(a->unit, b->unit) == 0;
}

/* Rows come by device, scene, name, unit, build. */
static void group_rows(const struct sample_list *rows, struct sample_groups *ret)
{
    struct {
        double *items;
        size_t count, capacity;
    } medians = {0};

    for (size_t i = 0; i < rows->count;) {
        const struct sample_row *first = &rows->items[i];
        struct sample_group group = {.first = first, .min = first->min, .max = first->max};

        medians.count = 0;
        for (; i < rows->count && rows->items[i].build == first->build && same_series(&rows->items[i], first); i++) {
            group.runs++;
            group.values += rows->items[i].count;
            group.min = rows->items[i].min < group.min ? rows->items[i].min : group.min;
            group.max = rows->items[i].max > group.max ? rows->items[i].max : group.max;
            array_push(&medians, rows->items[i].median);
        }
        group.median = median_of(medians.items, medians.count);
        array_push(ret, group);
    }
    array_free(&medians);
}

static bool is_bad(const struct model *model, int64_t build)
{
    for (size_t i = 0; i < model->builds.count; i++)
        if (model->builds.items[i].id == build)
            return model->builds.items[i].bad;
    return false;
}

/* The pinned build, else the nearest earlier one that is not bad and has the same values. */
static bool find_baseline(struct model *model, const struct sample_groups *groups, const struct sample_group *group, int64_t wanted,
                          const struct sample_group **ret, struct error *error)
{
    int64_t here = model_build_position(model, group->first->build), nearest = -1;

    *ret = NULL;
    if (!wanted && !store_get_baseline(model->store, group->first->device, group->first->scene, &wanted, error))
        return false;
    if (!wanted && !store_get_baseline(model->store, 0, 0, &wanted, error))
        return false;
    if (wanted == group->first->build)
        wanted = 0;
    for (size_t i = 0; i < groups->count; i++) {
        const struct sample_group *other = &groups->items[i];
        int64_t there = model_build_position(model, other->first->build);

        if (!same_series(other->first, group->first) || other->first->build == group->first->build)
            continue;
        if (wanted ? other->first->build == wanted : there < here && there > nearest && !is_bad(model, other->first->build)) {
            *ret = other;
            nearest = there;
        }
    }
    return true;
}

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
        group_rows(&rows, &groups);
        table_put_head(table, model, builds.count == 1 ? builds.items[0] : 0, request->baseline);
    }
    for (size_t i = 0; good && i < groups.count; i++) {
        const struct sample_group *baseline;

        if (!is_wanted(request, &builds, &groups.items[i]))
            continue;
        good = find_baseline(model, &groups, &groups.items[i], request->baseline, &baseline, error);
        if (good)
            put_row(table, model, &groups.items[i], baseline);
    }
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
