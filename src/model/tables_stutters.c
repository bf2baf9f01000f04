/*
 * heatmap, stutters, windows.
 */
#include "stutterscope/analysis/windows.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "tables_common.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_device(struct row_writer *writer, const struct device_row *device)
{
    cell_set_text(next_cell(writer), device ? device->model : NULL);
    cell_set_text(next_cell(writer), device ? device->chip : NULL);
}

static void add_heat_row(struct model *model, struct table *table, const struct heatmap *map, size_t d, size_t s)
{
    const struct heat_cell *cell = heatmap_cell(map, d, s);
    struct row_writer writer = {table_add_row(table)};
    bool has_frames = cell->state != STATE_NONE && cell->state != STATE_MISSING;
    char mark[2] = {cell->mark, '\0'};

    put_device(&writer, map->devices.items[d]);
    cell_set_text(next_cell(&writer), map->scenes.items[s]->text);
    cell_set_text(next_cell(&writer), has_frames ? model_quality_name(model, cell->quality) : NULL);
    cell_set_text(next_cell(&writer), metrics[map->metric].name);
    cell_set_real(next_cell(&writer), cell->value);
    cell_set_text(next_cell(&writer), cell_state_name(cell->state));
    cell_set_real(next_cell(&writer), cell->severity);
    cell_set_ns(next_cell(&writer), cell->peak_ns);
    cell_set_ns(next_cell(&writer), cell->p95_ns);
    cell_set_ns(next_cell(&writer), cell->p99_ns);
    cell_set_real(next_cell(&writer), cell->delta);
    cell_set_text(next_cell(&writer), cell->mark == ' ' ? NULL : mark);
    cell_set_text(next_cell(&writer), cell->stutter ? cell->stutter->id : NULL);
    cell_set_json(next_cell(&writer), json_flags(cell->flags));
}

struct table *table_heatmap(struct model *model, const struct table_request *request, struct error *error)
{
    static const struct table_column columns[] = {
        {"device", "device", COLUMN_SHOWN},     {"chip", "chip", COLUMN_DATA_ONLY},     {"scene", "scene", COLUMN_SHOWN},
        {"quality", "quality", COLUMN_SHOWN},   {"metric", "metric", COLUMN_DATA_ONLY}, {"value", "value", COLUMN_SHOWN},
        {"state", "state", COLUMN_SHOWN},       {"severity", "severity", COLUMN_DATA_ONLY}, {"peak_frame_ms", "peak", COLUMN_SHOWN},
        {"p95_ms", "P95", COLUMN_SHOWN},        {"p99_ms", "P99", COLUMN_SHOWN},        {"delta", "delta", COLUMN_SHOWN},
        {"mark", "mark", COLUMN_SHOWN},         {"stutter", "stutter", COLUMN_SHOWN},   {"flags", "flags", COLUMN_DATA_ONLY},
    };
    struct heatmap_request wanted = {request->build == -1 ? 0 : request->build, request->baseline, request->metric, request->quality, false};
    struct build_choice builds;
    struct heatmap *map;

    if (!request_builds(model, request, &builds, error))
        return NULL;
    array_free(&builds);
    if (!model_heatmap(model, &wanted, request->progress, &map, error))
        return NULL;

    struct table *table = table_create("heatmap", columns, COLUMN_NUMBER(columns));

    table_put_head(table, model, map->build, map->baseline);
    json_add(table->head, "metric", json_from_text(metrics[map->metric].name));
    for (size_t d = 0; d < map->devices.count; d++)
        for (size_t s = 0; s < map->scenes.count; s++)
            if ((!request->device || request->device == map->devices.items[d]->id) &&
                (!request->scene || request->scene == map->scenes.items[s]->id))
                add_heat_row(model, table, map, d, s);
    heatmap_destroy(map);
    return table;
}

static struct json *device_names(const struct model *model, const int64_t *devices, size_t count)
{
    struct json *list = json_array();

    for (size_t i = 0; i < count; i++) {
        const struct device_row *device = model_device(model, devices[i]);

        json_append(list, json_from_text(device ? device->model : NULL));
    }
    return list;
}

static bool fits_name(const char *wanted, const char *name)
{
    return !wanted || text_equals_ignoring_case(wanted, name ? name : "");
}

static bool wants_entry(struct model *model, const struct table_request *request, const struct stutter_entry *entry)
{
    return request_wants_group(request, &entry->stutter.key) && fits_name(request->event, model_text(model, entry->stutter.event)) &&
           fits_name(request->verdict, verdict_name(entry->verdict)) &&
           fits_name(request->label, frame_label_name(entry->stutter.label)) && fits_name(request->state, triage_state_name(entry->triage.state)) &&
           (request->with_transitions || entry->stutter.label == LABEL_GAMEPLAY);
}

static void add_stutter_row(struct model *model, struct table *table, const struct stutter_entry *entry, const struct build_results *results)
{
    const struct stutter *stutter = &entry->stutter;
    struct row_writer writer = {table_add_row(table)};
    bool present = entry->present;
    const struct stutter_window *worst = present ? results_worst_window(results, stutter) : NULL;

    cell_set_text(next_cell(&writer), entry->id);
    cell_set_text(next_cell(&writer), entry->fingerprint);
    cell_set_text(next_cell(&writer), model_build_name(model, stutter->key.build));
    put_device(&writer, model_device(model, stutter->key.device));
    cell_set_text(next_cell(&writer), model_scene_name(model, stutter->key.scene));
    cell_set_text(next_cell(&writer), model_quality_name(model, stutter->key.quality));
    cell_set_text(next_cell(&writer), frame_label_name(stutter->label));
    cell_set_text(next_cell(&writer), model_text(model, stutter->event));
    cell_set_real(next_cell(&writer), present ? entry->severity : NAN);
    cell_set_ns(next_cell(&writer), present ? stutter->peak_ns : VALUE_UNKNOWN);
    cell_set_real(next_cell(&writer), present ? entry->occurrence : NAN);
    cell_set_integer(next_cell(&writer), present ? stutter->runs_hit : VALUE_UNKNOWN);
    cell_set_integer(next_cell(&writer), stutter->runs);
    cell_set_integer(next_cell(&writer), stutter->seen);
    cell_set_integer(next_cell(&writer), present ? stutter->windows : VALUE_UNKNOWN);
    cell_set_real(next_cell(&writer), present ? stutter_rate_per_minute(stutter) : NAN);
    cell_set_real(next_cell(&writer), present ? stutter_lost_ms_per_s(stutter) : NAN);
    cell_set_real(next_cell(&writer), entry->weight);
    cell_set_text(next_cell(&writer), verdict_name(entry->verdict));
    cell_set_text(next_cell(&writer), entry->reason);
    cell_set_text(next_cell(&writer), model_build_name(model, entry->baseline_build));
    cell_set_ns(next_cell(&writer), entry->baseline_peak_ns);
    cell_set_ns(next_cell(&writer), entry->delta_peak_ns);
    cell_set_text(next_cell(&writer), model_build_name(model, entry->first_seen_build));
    cell_set_text(next_cell(&writer), model_build_name(model, entry->last_clean_build));
    cell_set_json(next_cell(&writer), device_names(model, entry->clean_devices.items, entry->clean_devices.count));
    cell_set_json(next_cell(&writer), worst ? json_causes(worst) : json_array());
    cell_set_text(next_cell(&writer), triage_state_name(entry->triage.state));
    cell_set_text(next_cell(&writer), entry->triage.owner);
    cell_set_text(next_cell(&writer), entry->triage.ticket);
    cell_set_text(next_cell(&writer), entry->triage.note);
}

struct table *table_stutters(struct model *model, const struct table_request *request, struct error *error)
{
    static const struct table_column columns[] = {
        {"id", "id", COLUMN_SHOWN},                {"fingerprint", "fingerprint", COLUMN_DATA_ONLY}, {"build", "build", COLUMN_DATA_ONLY},
        {"device", "device", COLUMN_SHOWN},        {"chip", "chip", COLUMN_DATA_ONLY},     {"scene", "scene", COLUMN_SHOWN},
        {"quality", "quality", COLUMN_SHOWN},      {"label", "label", COLUMN_SHOWN},       {"event", "event", COLUMN_SHOWN},
        {"severity", "severity", COLUMN_SHOWN},    {"peak_frame_ms", "peak", COLUMN_SHOWN}, {"occurrence", "occurrence", COLUMN_DATA_ONLY},
        {"runs_hit", "hit", COLUMN_SHOWN},         {"runs", "runs", COLUMN_SHOWN},         {"seen", "seen", COLUMN_SHOWN},
        {"windows", "windows", COLUMN_DATA_ONLY},  {"rate_per_min", "rate", COLUMN_DATA_ONLY}, {"lost_ms_per_s", "lost", COLUMN_DATA_ONLY},
        {"weight", "weight", COLUMN_DATA_ONLY},    {"verdict", "verdict", COLUMN_SHOWN},   {"reason", "reason", COLUMN_DATA_ONLY},
        {"baseline_build", "baseline", COLUMN_DATA_ONLY}, {"baseline_peak_ms", "before", COLUMN_SHOWN},
        {"delta_peak_ms", "delta", COLUMN_SHOWN},  {"first_seen_build", "first seen", COLUMN_DATA_ONLY},
        {"last_clean_build", "last clean", COLUMN_DATA_ONLY}, {"clean_devices", "clean devices", COLUMN_DATA_ONLY},
        {"causes", "cause (estimate)", COLUMN_SHOWN}, {"state", "state", COLUMN_DATA_ONLY}, {"owner", "owner", COLUMN_DATA_ONLY},
        {"ticket", "ticket", COLUMN_DATA_ONLY},    {"note", "note", COLUMN_DATA_ONLY},
    };
    struct build_choice builds;

    if (!request_builds(model, request, &builds, error))
        return NULL;

    struct table *table = table_create("stutters", columns, COLUMN_NUMBER(columns));
    bool good = true;

    table_put_head(table, model, builds.count == 1 ? builds.items[0] : -1,
                   builds.count == 1 ? model_usual_baseline(model, builds.items[0], request->baseline) : 0);
    for (size_t b = 0; b < builds.count && good; b++) {
        const struct stutter_entries *entries = model_stutters(model, builds.items[b], request->baseline, false, request->progress, error);
        const struct build_results *results = entries ? model_results(model, builds.items[b], true, NULL, error) : NULL;

        good = results != NULL;
        for (size_t i = 0; good && i < entries->count; i++)
            if (wants_entry(model, request, &entries->items[i]))
                add_stutter_row(model, table, &entries->items[i], results);
    }
    array_free(&builds);
    if (good)
        return table;
    table_destroy(table);
    return NULL;
}

static void add_window_row(struct model *model, struct table *table, const struct stutter_window *window, const struct run_row *run)
{
    struct row_writer writer = {table_add_row(table)};
    char *id = memory_print("%s@%lld", run->name, (long long)(window->start_ns / NS_PER_MS));

    cell_set_text(next_cell(&writer), id);
    free(id);
    cell_set_text(next_cell(&writer), run->name);
    cell_set_text(next_cell(&writer), model_build_name(model, run->build));
    put_device(&writer, model_device(model, run->device));
    cell_set_text(next_cell(&writer), run->os);
    cell_set_text(next_cell(&writer), model_scene_name(model, window->scene));
    cell_set_text(next_cell(&writer), model_quality_name(model, window->quality));
    cell_set_text(next_cell(&writer), frame_label_name(window->label));
    cell_set_text(next_cell(&writer), model_text(model, window->event));
    cell_set_ns(next_cell(&writer), window->start_ns);
    cell_set_ns(next_cell(&writer), window->end_ns);
    cell_set_ns(next_cell(&writer), window->end_ns - window->start_ns);
    cell_set_ns(next_cell(&writer), window->peak_ns);
    cell_set_integer(next_cell(&writer), window->over);
    cell_set_ns(next_cell(&writer), window->excess_ns);
    cell_set_ns(next_cell(&writer), window->cpu_peak_ns);
    cell_set_ns(next_cell(&writer), window->gpu_peak_ns);
    cell_set_integer(next_cell(&writer), window->gc_peak);
    cell_set_real_ns(next_cell(&writer), (double)window->limit_ns);
    cell_set_real(next_cell(&writer), window->z);
    cell_set_bool(next_cell(&writer), window->floor_used);
    cell_set_json(next_cell(&writer), json_causes(window));
}

struct table *table_windows(struct model *model, const struct table_request *request, struct error *error)
{
    static const struct table_column columns[] = {
        {"id", "id", COLUMN_SHOWN},           {"run", "run", COLUMN_DATA_ONLY},       {"build", "build", COLUMN_DATA_ONLY},
        {"device", "device", COLUMN_SHOWN},   {"chip", "chip", COLUMN_DATA_ONLY},     {"os", "OS", COLUMN_DATA_ONLY},
        {"scene", "scene", COLUMN_SHOWN},     {"quality", "quality", COLUMN_SHOWN},   {"label", "label", COLUMN_SHOWN},
        {"event", "event", COLUMN_SHOWN},     {"start_ms", "start", COLUMN_SHOWN},    {"end_ms", "end", COLUMN_SHOWN},
        {"duration_ms", "ms", COLUMN_SHOWN},  {"peak_frame_ms", "peak", COLUMN_SHOWN}, {"over_budget_frames", "over", COLUMN_SHOWN},
        {"excess_ms", "excess", COLUMN_SHOWN}, {"cpu_frame_ms_peak", "CPU", COLUMN_SHOWN}, {"gpu_frame_ms_peak", "GPU", COLUMN_SHOWN},
        {"gc_alloc_bytes_peak", "GC", COLUMN_DATA_ONLY}, {"threshold_ms", "threshold", COLUMN_DATA_ONLY}, {"z", "z", COLUMN_DATA_ONLY},
        {"mad_floor_used", "floor", COLUMN_DATA_ONLY}, {"causes", "cause (estimate)", COLUMN_SHOWN},
    };
    struct build_choice builds;

    if (!request_builds(model, request, &builds, error))
        return NULL;

    struct table *table = table_create("windows", columns, COLUMN_NUMBER(columns));
    bool good = true;

    table_put_head(table, model, builds.count == 1 ? builds.items[0] : -1, 0);
    for (size_t b = 0; b < builds.count && good; b++) {
        const struct build_results *results = model_results(model, builds.items[b], false, request->progress, error);
        const struct run_list *runs = results ? model_build_runs(model, builds.items[b], error) : NULL;

        const struct stutter_window_list *windows = runs ? results_all_windows(results, error) : NULL;

        good = windows != NULL;
        for (size_t i = 0; good && i < windows->count; i++) {
            const struct stutter_window *window = &windows->items[i];
            const struct run_row *run = run_list_find(runs, window->run);
            struct group_key key = {builds.items[b], run ? run->device : 0, window->scene, window->quality};

            if (run && request_wants_group(request, &key) && fits_name(request->event, model_text(model, window->event)) &&
                fits_name(request->label, frame_label_name(window->label)) && fits_name(request->run_name, run->name) &&
                (request->with_transitions || window->label == LABEL_GAMEPLAY))
                add_window_row(model, table, window, run);
        }
    }
    array_free(&builds);
    if (good)
        return table;
    table_destroy(table);
    return NULL;
}
