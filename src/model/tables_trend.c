/*
 * trend: a figure over the builds.
 */
#include "stutterscope/base/text.h"
#include "stutterscope/model/history.h"
#include "tables_common.h"
#include <math.h>
#include <string.h>

static const struct table_column trend_columns[] = {
    {"build", "build", COLUMN_SHOWN},       {"commit", "commit", COLUMN_SHOWN}, {"ci_run", "CI run", COLUMN_DATA_ONLY},
    {"runs", "runs", COLUMN_SHOWN},         {"sampled", "sampled", COLUMN_DATA_ONLY}, {"median", "median", COLUMN_SHOWN},
    {"min", "min", COLUMN_SHOWN},           {"max", "max", COLUMN_SHOWN},       {"values", "per run", COLUMN_SHOWN},
    {"odd_runs", "odd runs", COLUMN_SHOWN}, {"mark", "mark", COLUMN_SHOWN},
};

static int64_t find_event(const struct model *model, const char *name)
{
    for (size_t i = 0; i < model->texts.count; i++)
        if (text_equals_ignoring_case(model->texts.items[i].text, name))
            return model->texts.items[i].id;
    return -1;
}

/* The one group that the request means; several qualities need --quality. */
static bool choose_group(struct model *model, const struct table_request *request, struct group_key *ret, struct error *error)
{
    int64_t build = request->build > 0 ? request->build : model_newest_build(model);
    size_t found = 0;

    if (!request->device || !request->scene)
        return error_set(error, ERROR_USAGE, "a trend needs --device and --scene");
    for (size_t i = 0; i < model->groups.count; i++) {
        struct group_key key = model->groups.items[i].key;

        if (!request_wants_group(request, &key) || (found && key.quality == ret->quality))
            continue;
        found++;
        *ret = key;
    }
    ret->build = build;
    if (found == 1)
        return true;
    return error_set(error, ERROR_USAGE, found ? "this device and scene have several quality levels: name one with --quality"
                                               : "this device never played this scene");
}

static const char *build_mark(const struct history *history, size_t index)
{
    int64_t build = history->builds[index].build;

    if (build == history->first_bad)
        return history->change.after > history->change.before ? "first bad" : "first better";
    if (build == history->last_good)
        return history->change.after > history->change.before ? "last good" : "last before";
    if (build == history->baseline)
        return "baseline";
    return history->builds[index].has_frames ? NULL : "not run";
}

static void add_build_row(struct model *model, struct table *table, const struct history *history, size_t index)
{
    const struct history_build *build = &history->builds[index];
    const struct build_row *row = model_build(model, build->build);
    struct row_writer writer = {table_add_row(table)};
    struct json *values = json_array(), *odd = json_array();
    double low = NAN, high = NAN;

    for (size_t i = 0; i < build->runs.count; i++) {
        double value = build->runs.items[i].value;

        low = isnan(low) || value < low ? value : low;
        high = isnan(high) || value > high ? value : high;
        json_append(values, json_from_double(value, 6));
        if (build->runs.items[i].odd)
            json_append(odd, json_from_text(build->runs.items[i].name));
    }
    cell_set_text(next_cell(&writer), row ? row->name : NULL);
    cell_set_text(next_cell(&writer), row ? row->commit : NULL);
    cell_set_text(next_cell(&writer), row ? row->ci_run : NULL);
    cell_set_integer(next_cell(&writer), (int64_t)build->runs.count);
    cell_set_integer(next_cell(&writer), (int64_t)build->sampled);
    cell_set_real(next_cell(&writer), build->median);
    cell_set_real(next_cell(&writer), low);
    cell_set_real(next_cell(&writer), high);
    cell_set_json(next_cell(&writer), values);
    cell_set_json(next_cell(&writer), odd);
    cell_set_text(next_cell(&writer), build_mark(history, index));
}

static void put_change(struct json *head, const struct model *model, const struct history *history)
{
    const struct change_point *change = &history->change;
    struct json *object;

    json_add(head, "answer", json_from_text(history->answer));
    json_add(head, "figure", json_from_text(compared_figure_name(history->figure)));
    json_add(head, "noise", json_from_double(history->noise, 6));
    json_add(head, "hidden_by_baseline", json_from_bool(history->hidden_by_baseline));
    if (!change->found) {
        json_add(head, "change", json_null());
        return;
    }
    object = json_object();
    json_add(object, "first_bad_build", json_from_text(model_build_name(model, history->first_bad)));
    json_add(object, "last_good_build", json_from_text(model_build_name(model, history->last_good)));
    json_add(object, "builds_not_run", json_from_integer((int64_t)history->not_run));
    json_add(object, "before", json_from_double(change->before, 6));
    json_add(object, "after", json_from_double(change->after, 6));
    json_add(object, "t", json_from_double(change->t, 6));
    json_add(object, "p", json_from_double(change->p, 9));
    json_add(object, "runs_before", json_from_integer((int64_t)change->runs_before));
    json_add(object, "runs_after", json_from_integer((int64_t)change->runs_after));
    json_add(object, "nights_before", json_from_integer((int64_t)change->builds_before));
    json_add(object, "nights_after", json_from_integer((int64_t)change->builds_after));
    json_add(object, "trust", json_from_text(change_point_trust(change)));
    json_add(head, "change", object);
}

struct table *table_trend(struct model *model, const struct table_request *request, struct error *error)
{
    enum compared_figure figure = request->event ? COMPARED_PEAK : COMPARED_P95;
    int64_t event = -1;
    struct group_key key = {0};
    struct history *history;
    struct table *table;

    if (!choose_group(model, request, &key, error) || (request->figure && !compared_figure_find(request->figure, &figure, error)))
        return NULL;
    if (request->event) {
        event = find_event(model, request->event);
        if (event < 0) {
            error_set(error, ERROR_USAGE, "no event \"%s\" in this store", request->event);
            return NULL;
        }
    }
    if (!model_history(model, &key, event, figure, request->baseline, false, request->progress, &history, error))
        return NULL;
    table = table_create("trend", trend_columns, COLUMN_NUMBER(trend_columns));
    table_put_head(table, model, key.build, history->baseline);
    json_add(table->head, "device", json_from_text(model_device(model, key.device)->model));
    json_add(table->head, "scene", json_from_text(model_scene_name(model, key.scene)));
    json_add(table->head, "quality", json_from_text(model_quality_name(model, key.quality)));
    json_add(table->head, "event", json_from_text(request->event));
    put_change(table->head, model, history);
    for (size_t b = 0; b < history->build_count; b++)
        add_build_row(model, table, history, b);
    history_destroy(history);
    return table;
}
