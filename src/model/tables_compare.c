/*
 * compare, frames.
 */
#include "stutterscope/model/summary.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "tables_common.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct table_column compare_columns[] = {
    {"build", "build", COLUMN_DATA_ONLY},  {"baseline_build", "baseline", COLUMN_DATA_ONLY}, {"device", "device", COLUMN_SHOWN},
    {"chip", "chip", COLUMN_DATA_ONLY},    {"scene", "scene", COLUMN_SHOWN},   {"quality", "quality", COLUMN_SHOWN},
    {"stutter", "stutter", COLUMN_DATA_ONLY}, {"event", "event", COLUMN_SHOWN}, {"figure", "figure", COLUMN_SHOWN},
    {"before", "before", COLUMN_SHOWN},    {"after", "after", COLUMN_SHOWN},   {"delta", "delta", COLUMN_SHOWN},
    {"delta_percent", "%", COLUMN_SHOWN},  {"noise", "noise", COLUMN_SHOWN},   {"verdict", "verdict", COLUMN_SHOWN},
    {"reason", "reason", COLUMN_SHOWN},
};

static void put_keys(struct row_writer *writer, struct model *model, const struct group_key *key, int64_t baseline)
{
    const struct device_row *device = model_device(model, key->device);

    cell_set_text(next_cell(writer), model_build_name(model, key->build));
    cell_set_text(next_cell(writer), model_build_name(model, baseline));
    cell_set_text(next_cell(writer), device ? device->model : NULL);
    cell_set_text(next_cell(writer), device ? device->chip : NULL);
    cell_set_text(next_cell(writer), model_scene_name(model, key->scene));
    cell_set_text(next_cell(writer), model_quality_name(model, key->quality));
}

static void add_group_row(struct model *model, struct table *table, const struct group_comparison *comparison)
{
    const struct figure_comparison *figures = &comparison->comparison;
    struct row_writer writer = {table_add_row(table)};

    put_keys(&writer, model, &comparison->key, comparison->baseline_build);
    next_cell(&writer); /* a whole group: no stutter, no event */
    next_cell(&writer);
    cell_set_text(next_cell(&writer), compared_figure_name(comparison->figure));
    cell_set_real(next_cell(&writer), figures->before);
    cell_set_real(next_cell(&writer), figures->after);
    cell_set_real(next_cell(&writer), figures->delta);
    cell_set_real(next_cell(&writer), figures->delta_percent);
    cell_set_real(next_cell(&writer), figures->noise);
    cell_set_text(next_cell(&writer), verdict_name(figures->verdict));
    cell_set_text(next_cell(&writer), figures->reason);
}

static void add_stutter_row(struct model *model, struct table *table, const struct stutter_entry *entry)
{
    struct row_writer writer = {table_add_row(table)};
    double before = entry->baseline_peak_ns == VALUE_UNKNOWN ? NAN : (double)entry->baseline_peak_ns / NS_PER_MS;
    double delta = entry->delta_peak_ns == VALUE_UNKNOWN ? NAN : (double)entry->delta_peak_ns / NS_PER_MS;

    put_keys(&writer, model, &entry->stutter.key, entry->baseline_build);
    cell_set_text(next_cell(&writer), entry->id);
    cell_set_text(next_cell(&writer), model_text(model, entry->stutter.event));
    cell_set_text(next_cell(&writer), compared_figure_name(COMPARED_PEAK));
    cell_set_real(next_cell(&writer), before);
    cell_set_ns(next_cell(&writer), entry->present ? entry->stutter.peak_ns : VALUE_UNKNOWN);
    cell_set_real(next_cell(&writer), delta);
    cell_set_real(next_cell(&writer), before > 0 ? 100 * delta / before : NAN);
    next_cell(&writer);
    cell_set_text(next_cell(&writer), verdict_name(entry->verdict));
    cell_set_text(next_cell(&writer), entry->reason);
}

/* Cells that are expected and sent nothing are a row of their own: never silently fine. */
static bool add_missing_rows(struct model *model, const struct table_request *request, struct table *table, int64_t build, struct error *error)
{
    struct coverage *coverage;

    if (!model_coverage(model, build, &coverage, error))
        return false;
    for (size_t d = 0; d < coverage->device_count; d++)
        for (size_t s = 0; s < coverage->scene_count; s++) {
            const struct coverage_cell *cell = &coverage->devices[d].scenes[s];
            struct group_key key = {build, coverage->devices[d].device->id, model->scenes.items[s].id, 0};

            if (cell->state != COVERAGE_MISSING || (request->verdict && !text_equals_ignoring_case(request->verdict, "missing")) ||
                (request->device && request->device != key.device) || (request->scene && request->scene != key.scene))
                continue;

            struct row_writer writer = {table_add_row(table)};
            char *reason = memory_print("expected, but no runs from %s on", model_build_name(model, cell->since));

            put_keys(&writer, model, &key, cell->last);
            writer.next += 8;
            cell_set_text(next_cell(&writer), verdict_name(VERDICT_MISSING));
            cell_set_text(next_cell(&writer), reason);
            free(reason);
        }
    coverage_destroy(coverage);
    return true;
}

static bool fits_verdict(const struct table_request *request, enum verdict verdict)
{
    return !request->verdict || text_equals_ignoring_case(request->verdict, verdict_name(verdict));
}

struct table *table_compare(struct model *model, const struct table_request *request, struct error *error)
{
    struct build_choice builds;

    if (!request_builds(model, request, &builds, error))
        return NULL;

    int64_t build = builds.items[builds.count - 1];

    array_free(&builds);

    const struct stutter_entries *entries = model_stutters(model, build, request->baseline, false, request->progress, error);
    const struct group_comparisons *groups = entries ? model_compare_groups(model, build, request->baseline, false, request->progress, error) : NULL;

    if (!groups)
        return NULL;

    struct table *table = table_create("compare", compare_columns, COLUMN_NUMBER(compare_columns));

    table_put_head(table, model, build, model_usual_baseline(model, build, request->baseline));
    for (size_t i = 0; i < groups->count; i++)
        if (request_wants_group(request, &groups->items[i].key) && !request->event && fits_verdict(request, groups->items[i].comparison.verdict))
            add_group_row(model, table, &groups->items[i]);
    for (size_t i = 0; i < entries->count; i++)
        if (entries->items[i].stutter.label == LABEL_GAMEPLAY && request_wants_group(request, &entries->items[i].stutter.key) &&
            fits_verdict(request, entries->items[i].verdict) &&
            (!request->event || text_equals_ignoring_case(request->event, model_text(model, entries->items[i].stutter.event) ? model_text(model, entries->items[i].stutter.event) : "")))
            add_stutter_row(model, table, &entries->items[i]);
    if (!add_missing_rows(model, request, table, build, error)) {
        table_destroy(table);
        return NULL;
    }
    return table;
}

static void add_frame_row(struct model *model, struct table *table, const struct run_detail *detail, size_t i, const struct run_visit *visit,
                          const char *event)
{
    struct row_writer writer = {table_add_row(table)};
    const struct device_row *device = model_device(model, detail->run->device);

    cell_set_text(next_cell(&writer), detail->run->name);
    cell_set_text(next_cell(&writer), model_build_name(model, detail->run->build));
    cell_set_text(next_cell(&writer), device ? device->model : NULL);
    cell_set_text(next_cell(&writer), model_scene_name(model, visit->scene));
    cell_set_text(next_cell(&writer), model_quality_name(model, visit->quality));
    cell_set_integer(next_cell(&writer), (int64_t)i + 1);
    cell_set_ns(next_cell(&writer), detail->stamp_ns[i]);
    cell_set_ns(next_cell(&writer), detail->frame_ns[i]);
    cell_set_ns(next_cell(&writer), detail->cpu_ns[i]);
    cell_set_ns(next_cell(&writer), detail->gpu_ns[i]);
    cell_set_integer(next_cell(&writer), detail->gc[i]);
    cell_set_integer(next_cell(&writer), detail->draw_calls[i]);
    cell_set_text(next_cell(&writer), event);
    cell_set_text(next_cell(&writer), frame_label_name((enum frame_label)detail->labels[i]));
}

static void add_run_frames(struct model *model, const struct table_request *request, struct table *table, const struct run_detail *detail)
{
    size_t visit = 0, event = 0;

    for (size_t i = 0; i < detail->count; i++) {
        int64_t start = detail->stamp_ns[i] - detail->frame_ns[i];
        const char *name = NULL;

        while (visit + 1 < detail->visits.count && detail->stamp_ns[i] > detail->visits.items[visit].end_ns)
            visit++;
        if (event < detail->events.count && detail->events.items[event].stamp_ns == start)
            name = model_text(model, detail->events.items[event++].event);

        const struct run_visit *here = &detail->visits.items[visit];

        if ((request->scene && here->scene != request->scene) || (request->quality >= 0 && here->quality != request->quality) ||
            (request->from_ns != VALUE_UNKNOWN && detail->stamp_ns[i] < request->from_ns) ||
            (request->to_ns != VALUE_UNKNOWN && start > request->to_ns))
            continue;
        add_frame_row(model, table, detail, i, here, name);
    }
}

static bool fetch_frames(struct model *model, const struct table_request *request, const struct run_row *run, struct error *error)
{
    int64_t from = request->from_ns == VALUE_UNKNOWN ? run->first_stamp_ns - 1 : request->from_ns;
    int64_t to = request->to_ns == VALUE_UNKNOWN ? run->last_stamp_ns : request->to_ns;

    return model_fetch_frames(model, run->id, from, to, request->progress, error);
}

struct table *table_frames(struct model *model, const struct table_request *request, struct error *error)
{
    static const struct table_column columns[] = {
        {"run", "run", COLUMN_SHOWN},          {"build", "build", COLUMN_DATA_ONLY},   {"device", "device", COLUMN_SHOWN},
        {"scene", "scene", COLUMN_SHOWN},      {"quality", "quality", COLUMN_DATA_ONLY}, {"frame", "frame", COLUMN_SHOWN},
        {"timestamp_ms", "stamp", COLUMN_SHOWN}, {"frame_time_ms", "ms", COLUMN_SHOWN}, {"cpu_frame_ms", "CPU", COLUMN_SHOWN},
        {"gpu_frame_ms", "GPU", COLUMN_SHOWN}, {"gc_alloc_bytes", "GC", COLUMN_SHOWN}, {"draw_calls", "draws", COLUMN_SHOWN},
        {"event_name", "event", COLUMN_SHOWN}, {"label", "label", COLUMN_SHOWN},
    };
    struct build_choice builds;
    struct run_list runs = {0};

    if (!request_builds(model, request, &builds, error))
        return NULL;

    struct table *table = table_create("frames", columns, COLUMN_NUMBER(columns));
    bool good = model_list_runs(model, request->build == -1 ? 0 : builds.items[0], request->device, &runs, error);

    table_put_head(table, model, builds.count == 1 ? builds.items[0] : -1, 0);
    for (size_t r = 0; r < runs.count && good; r++) {
        struct run_detail *detail;

        if ((request->run && request->run != runs.items[r].id) || (request->run_name && strcmp(request->run_name, runs.items[r].name) != 0))
            continue;
        if (request->fetch && runs.items[r].summarised)
            good = fetch_frames(model, request, &runs.items[r], error);
        good = good && model_run_detail(model, runs.items[r].id, &detail, error);
        if (good) {
            add_run_frames(model, request, table, detail);
            run_detail_destroy(detail);
        }
    }
    run_list_free(&runs);
    array_free(&builds);
    if (good)
        return table;
    table_destroy(table);
    return NULL;
}
