#include "stutterscope/model/heatmap.h"

#include "heatmap_index.h"
#include "heatmap_measures.h"
#include "internal.h"
#include "stutterscope/analysis/distribution.h"
#include "stutterscope/analysis/windows.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/findings.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct metric_info metrics[METRIC_COUNT] = {
    [METRIC_SEVERITY] = {"severity", "severity", ""},
    [METRIC_PEAK] = {"peak", "peak", "ms"},
    [METRIC_P95] = {"p95", "P95", "ms"},
    [METRIC_P99] = {"p99", "P99", "ms"},
    [METRIC_MAX] = {"max", "max", "ms"},
    [METRIC_MEDIAN] = {"median", "median", "ms"},
    [METRIC_HITCH_RATIO] = {"hitch_ratio", "hitch ratio", "ms/s"},
    [METRIC_RATE] = {"rate", "windows a minute", "/min"},
    [METRIC_LOST] = {"lost", "lost", "ms/s"},
    [METRIC_GC] = {"gc", "GC per frame", "bytes", "KB", 1e3},
    [METRIC_MEMORY] = {"memory", "memory", "bytes", "MB", 1e6},
};

bool metric_find(const char *name, enum metric *ret, struct error *error)
{
    struct text_buffer names = {0};

    for (size_t i = 0; i < METRIC_COUNT; i++) {
        if (text_equals_ignoring_case(metrics[i].name, name)) {
            *ret = (enum metric)i;
            array_free(&names);
            return true;
        }
        text_add_print(&names, "%s%s", i ? ", " : "", metrics[i].name);
    }
    error_set(error, ERROR_USAGE, "unknown metric \"%s\": expected one of %s", name, names.items);
    array_free(&names);
    return false;
}

const char *cell_state_name(enum cell_state state)
{
    static const char *const names[] = {"none", "missing", "data", "clean", "slow", "few", "sampled"};

    return names[state];
}

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

/* High, mid, low first (what fleets call their tiers), other names after them, none last. */
static int tier_rank(const char *tier)
{
    static const char *const known[] = {"high", "mid", "medium", "low"};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (text_equals_ignoring_case(text_or_empty(tier), known[i]))
            return (int)i;
    return tier && *tier ? 10 : 11;
}

int compare_devices_for_people(const struct device_row *a, const struct device_row *b)
{
    int order = tier_rank(a->tier) - tier_rank(b->tier);

    if (!order)
        order = text_compare_natural(text_or_empty(a->tier), text_or_empty(b->tier));
    if (!order)
        order = text_compare_natural(model_device_title(a), model_device_title(b));
    return order ? order : text_compare_natural(a->chip, b->chip);
}

static int compare_device_pointers(const void *a, const void *b)
{
    return compare_devices_for_people(*(const struct device_row *const *)a, *(const struct device_row *const *)b);
}

static int compare_scene_pointers(const void *a, const void *b)
{
    return text_compare_natural((*(const struct text_row *const *)a)->text, (*(const struct text_row *const *)b)->text);
}

static void note_used(const struct model *model, int64_t device, int64_t scene, bool *devices, bool *scenes)
{
    const struct device_row *row = model_device(model, device);
    size_t position = model_scene_position(model, scene);

    if (row)
        devices[row - model->devices.items] = true;
    if (position != SIZE_MAX)
        scenes[position] = true;
}

static void list_axes(struct model *model, const struct snapshots *snapshots, struct heatmap *map)
{
    bool *scenes = memory_take_zeroed(model->scenes.count + 1, sizeof *scenes);
    bool *devices = memory_take_zeroed(model->devices.count + 1, sizeof *devices);

    for (size_t g = 0; g < model->groups.count; g++)
        note_used(model, model->groups.items[g].key.device, model->groups.items[g].key.scene, devices, scenes);
    for (size_t s = 0; snapshots && s < snapshots->series.count; s++)
        note_used(model, snapshots->series.items[s].device, snapshots->series.items[s].scene, devices, scenes);
    for (size_t i = 0; i < model->devices.count; i++)
        if (devices[i])
            array_push(&map->devices, &model->devices.items[i]);
    for (size_t i = 0; i < model->scenes.count; i++)
        if (scenes[i])
            array_push(&map->scenes, &model->scenes.items[i]);
    free(devices);
    free(scenes);
    if (map->devices.count)
        qsort(map->devices.items, map->devices.count, sizeof *map->devices.items, compare_device_pointers);
    if (map->scenes.count)
        qsort(map->scenes.items, map->scenes.count, sizeof *map->scenes.items, compare_scene_pointers);
}

static double ns_to_ms(double ns)
{
    return ns / NS_PER_MS;
}

/* A metric of one group; stutter: its worst gameplay stutter by that metric, NULL when it has none. */
static double group_value(enum metric metric, const struct group_figures *group, const struct stutter_entry *stutter)
{
    const struct distribution *distribution = &group->distribution;
    bool can_show = group->runs_windows > 0;

    switch (metric) {
    case METRIC_SEVERITY:
        return stutter ? stutter->severity : can_show ? 0 : NAN;
    case METRIC_PEAK:
        return stutter ? ns_to_ms((double)stutter->stutter.peak_ns) : NAN;
    case METRIC_RATE:
        return stutter ? stutter_rate_per_minute(&stutter->stutter) : can_show ? 0 : NAN;
    case METRIC_LOST:
        return stutter ? stutter_lost_ms_per_s(&stutter->stutter) : can_show ? 0 : NAN;
    case METRIC_P95:
        return distribution->frames ? ns_to_ms((double)distribution->p95_ns) : NAN;
    case METRIC_P99:
        return distribution->frames ? ns_to_ms((double)distribution->p99_ns) : NAN;
    case METRIC_MAX:
        return distribution->frames ? ns_to_ms((double)distribution->max_ns) : NAN;
    case METRIC_MEDIAN:
        return distribution->frames ? ns_to_ms(distribution->median_ns) : NAN;
    case METRIC_HITCH_RATIO:
        return distribution_hitch_ratio(distribution);
    case METRIC_GC: /* heatmap_measures.c */
    case METRIC_MEMORY:
    case METRIC_COUNT:
        break;
    }
    return NAN;
}

bool metric_is_of_stutters(enum metric metric)
{
    return metric == METRIC_SEVERITY || metric == METRIC_PEAK || metric == METRIC_RATE || metric == METRIC_LOST;
}

static enum cell_state group_state_of(const struct group_figures *group, bool has_stutter)
{
    if (group->flags & FIGURE_FEW)
        return STATE_FEW;
    if ((group->flags & FIGURE_SAMPLED) && !group->runs_windows)
        return STATE_SAMPLED;
    if (group->flags & FIGURE_SLOW)
        return STATE_SLOW;
    return has_stutter ? STATE_DATA : STATE_CLEAN;
}

struct fill_work {
    struct model *model;
    const struct heatmap_request *request;
    const struct build_results *results;
    const struct stutter_entries *entries;
    const struct group_comparisons *comparisons;
    const struct findings *findings;
    struct heatmap *map;
    struct heatmap_index index;
};

/* The places in the list of what belongs to a cell. */
static const struct id_place *of_cell(const struct fill_work *work, const struct id_index *list, const struct heat_cell *cell, size_t *ret_count)
{
    return id_index_find(list, cell - work->map->cells, ret_count);
}

static bool same_group(const struct group_key *a, const struct group_key *b)
{
    return a->device == b->device && a->scene == b->scene && a->quality == b->quality;
}

/* The stutter of the group that gives the metric its greatest value. */
static const struct stutter_entry *worst_stutter(const struct fill_work *work, const struct heat_cell *cell, const struct group_figures *group,
                                                 enum metric metric)
{
    const struct stutter_entry *worst = NULL;
    size_t count;
    const struct id_place *places = of_cell(work, &work->index.entries, cell, &count);

    for (size_t i = 0; i < count; i++) {
        const struct stutter_entry *entry = &work->entries->items[places[i].at];

        if (!entry->present || entry->stutter.label != LABEL_GAMEPLAY || !same_group(&entry->stutter.key, &group->key))
            continue;
        if (!worst || group_value(metric, group, entry) > group_value(metric, group, worst))
            worst = entry;
    }
    return worst;
}

/* What people made of it: # somebody has it, = nobody has to look; 0: nothing decided. */
static char decided_mark(enum triage_state state)
{
    if (state == TRIAGE_FILED || state == TRIAGE_INVESTIGATING)
        return '#';
    return triage_state_is_accepted(state) ? '=' : 0;
}

/* What is to decide outranks what is not, whatever its size; findings of a line come worst first. */
static void mark_findings(const struct fill_work *work, struct heat_cell *cell)
{
    size_t count;
    const struct id_place *places = of_cell(work, &work->index.findings, cell, &count);

    for (size_t i = 0; i < count && !cell->decide; i++) {
        const struct finding *finding = &work->findings->items.items[work->index.finding_order[places[i].at]];
        char mark = decided_mark(finding->triage.state);

        cell->decide = finding->triage.state == TRIAGE_UNDECIDED;
        if (cell->decide)
            cell->mark = verdict_mark(finding->verdict);
        else if (mark && cell->mark != '#')
            cell->mark = mark;
    }
}

/* Stutters come worst first; one that somebody has is marked so, whatever is beside it. */
static void mark_cell(const struct fill_work *work, struct heat_cell *cell)
{
    size_t count;
    const struct id_place *places = of_cell(work, &work->index.entries, cell, &count);

    mark_findings(work, cell);
    for (size_t i = 0; i < count; i++) {
        const struct stutter_entry *entry = &work->entries->items[places[i].at];
        char mark = decided_mark(entry->triage.state);

        if (!entry->present)
            continue;
        if (entry->stutter.label != LABEL_GAMEPLAY) {
            cell->transitions++;
            continue;
        }
        cell->stutters++;
        if (cell->mark == ' ')
            cell->mark = mark ? mark : verdict_mark(entry->verdict);
        else if (!cell->decide && mark == '#')
            cell->mark = mark;
    }
}

static double cell_delta(const struct fill_work *work, const struct heat_cell *cell, const struct group_figures *group,
                         const struct stutter_entry *stutter)
{
    static const enum compared_figure figures[METRIC_COUNT] = {
        [METRIC_P95] = COMPARED_P95, [METRIC_P99] = COMPARED_P99, [METRIC_MAX] = COMPARED_MAX, [METRIC_HITCH_RATIO] = COMPARED_HITCH_RATIO};
    enum metric metric = work->request->metric;

    if (metric == METRIC_SEVERITY || metric == METRIC_PEAK)
        return stutter && stutter->delta_peak_ns != VALUE_UNKNOWN ? ns_to_ms((double)stutter->delta_peak_ns) : NAN;
    if (metric != METRIC_P95 && metric != METRIC_P99 && metric != METRIC_MAX && metric != METRIC_HITCH_RATIO)
        return NAN;

    size_t count;
    const struct id_place *places = of_cell(work, &work->index.comparisons, cell, &count);

    for (size_t i = 0; i < count; i++) {
        const struct group_comparison *comparison = &work->comparisons->items[places[i].at];

        if (comparison->figure == figures[metric] && same_group(&comparison->key, &group->key))
            return comparison->comparison.delta;
    }
    return NAN;
}

/* The group (quality) with the greatest value decides; frames that give no value yield to those that do. */
static void fill_cell(const struct fill_work *work, struct heat_cell *cell)
{
    const struct group_figures *chosen = NULL;
    bool has_stutter = false;
    size_t count;
    const struct id_place *places = of_cell(work, &work->index.groups, cell, &count);

    for (size_t g = 0; g < count; g++) {
        const struct group_figures *group = &work->results->groups.items[places[g].at];

        if (!group->runs || (work->request->quality >= 0 && group->key.quality != work->request->quality))
            continue;

        const struct stutter_entry *stutter = worst_stutter(work, cell, group, work->request->metric);
        double value = group_value(work->request->metric, group, stutter);

        has_stutter |= stutter != NULL;
        if (chosen && !(value > cell->value) && !(isnan(cell->value) && !isnan(value)))
            continue;
        chosen = group;
        cell->value = value;
        cell->stutter = stutter;
        cell->delta = cell_delta(work, cell, group, stutter);
    }
    if (!chosen)
        return;

    const struct stutter_entry *severest = worst_stutter(work, cell, chosen, METRIC_SEVERITY);

    cell->quality = chosen->key.quality;
    cell->flags = chosen->flags;
    cell->state = group_state_of(chosen, has_stutter);
    cell->severity = group_value(METRIC_SEVERITY, chosen, severest);
    if (severest)
        cell->peak_ns = severest->stutter.peak_ns;
    if (chosen->distribution.frames) {
        cell->p95_ns = chosen->distribution.p95_ns;
        cell->p99_ns = chosen->distribution.p99_ns;
    }
    if (!metric_is_of_stutters(work->request->metric) && cell->state == STATE_CLEAN)
        cell->state = STATE_DATA;
    if (!cell->stutter)
        cell->stutter = severest;
    work->map->data_cells++;
    mark_cell(work, cell);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void find_quantiles(struct heatmap *map)
{
    static const double shares[] = {0.25, 0.5, 0.75, 0.9};
    size_t cells = map->devices.count * map->scenes.count, count = 0;
    double *values = memory_take((cells + 1) * sizeof *values);

    for (size_t i = 0; i < cells; i++)
        if (map->cells[i].value > 0)
            values[count++] = map->cells[i].value;
    qsort(values, count, sizeof *values, compare_doubles);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        map->quantiles[i] = count ? values[(size_t)(shares[i] * (double)(count - 1) + 0.5)] : NAN;
    free(values);
}

static bool fill_missing(struct model *model, struct heatmap *map, struct error *error)
{
    struct coverage *coverage;
    struct id_index places = {0};

    if (!model_coverage(model, map->build, &coverage, error))
        return false;
    for (size_t i = 0; i < coverage->device_count; i++)
        array_push(&places, (struct id_place){coverage->devices[i].device->id, i});
    id_index_sort(&places);
    for (size_t d = 0; d < map->devices.count; d++) {
        size_t count;
        const struct id_place *place = id_index_find(&places, map->devices.items[d]->id, &count);
        const struct coverage_device *device = place ? &coverage->devices[place->at] : NULL;

        for (size_t s = 0; s < map->scenes.count && device; s++) {
            struct heat_cell *cell = &map->cells[d * map->scenes.count + s];
            size_t scene = (size_t)(map->scenes.items[s] - model->scenes.items);

            if (cell->state == STATE_NONE && device->scenes[scene].state == COVERAGE_MISSING) {
                cell->state = STATE_MISSING;
                map->missing_cells++;
            }
        }
    }
    array_free(&places);
    coverage_destroy(coverage);
    return true;
}

static struct heatmap *start_map(struct model *model, const struct snapshots *snapshots, int64_t build)
{
    struct heatmap *map = memory_take_zeroed(1, sizeof *map);

    map->build = build ? build : model_newest_build(model);
    list_axes(model, snapshots, map);

    size_t cells = map->devices.count * map->scenes.count;

    map->cells = memory_take_zeroed(cells + 1, sizeof *map->cells);
    for (size_t i = 0; i < cells; i++) {
        struct heat_cell *cell = &map->cells[i];

        cell->value = cell->delta = cell->severity = NAN;
        cell->peak_ns = cell->p95_ns = cell->p99_ns = VALUE_UNKNOWN;
        cell->mark = ' ';
    }
    return map;
}

bool model_heatmap_axes(struct model *model, int64_t build, struct heatmap **ret, struct error *error)
{
    struct heatmap *map = start_map(model, NULL, build);

    if (map->build && !fill_missing(model, map, error)) {
        heatmap_destroy(map);
        return false;
    }
    *ret = map;
    return true;
}

bool model_heatmap(struct model *model, const struct heatmap_request *request, const struct progress *progress,
                   struct heatmap **ret, struct error *error)
{
    struct snapshots *snapshots = NULL;

    if (request->metric == METRIC_MEMORY &&
        !model_snapshots(model, request->build ? request->build : model_newest_build(model), request->baseline, &snapshots, error))
        return false;

    struct heatmap *map = start_map(model, snapshots, request->build);
    struct fill_work work = {.model = model, .request = request, .map = map};
    size_t cells = map->devices.count * map->scenes.count;

    map->metric = request->metric;
    if (map->build) {
        map->baseline = model_usual_baseline(model, map->build, request->baseline);
        work.entries = model_stutters(model, map->build, request->baseline, request->as_it_is, progress, error);
        work.comparisons = work.entries ? model_compare_groups(model, map->build, request->baseline, request->as_it_is, progress, error) : NULL;
        work.results = work.comparisons ? model_results(model, map->build, true, progress, error) : NULL;

        struct findings *findings = NULL;

        if (!work.results || !fill_missing(model, map, error) ||
            !model_findings(model, map->build, request->baseline, request->as_it_is, progress, &findings, error)) {
            snapshots_destroy(snapshots);
            heatmap_destroy(map);
            return false;
        }
        work.findings = findings;
        heatmap_index_make(&work.index, map, work.results, work.entries, findings, work.comparisons);
        for (size_t i = 0; i < cells; i++)
            fill_cell(&work, &map->cells[i]);
        heatmap_index_free(&work.index);
        findings_destroy(findings);
        if (snapshots)
            heatmap_put_memory(map, snapshots);
        if (request->metric == METRIC_GC && !heatmap_put_allocations(model, map, request->quality, progress, error)) {
            heatmap_destroy(map);
            return false;
        }
    }
    snapshots_destroy(snapshots);
    find_quantiles(map);
    *ret = map;
    return true;
}

void heatmap_destroy(struct heatmap *heatmap)
{
    if (!heatmap)
        return;
    array_free(&heatmap->devices);
    array_free(&heatmap->scenes);
    free(heatmap->cells);
    free(heatmap);
}

const struct heat_cell *heatmap_cell(const struct heatmap *heatmap, size_t device, size_t scene)
{
    return &heatmap->cells[device * heatmap->scenes.count + scene];
}

int heatmap_step(const struct heatmap *heatmap, double value)
{
    int step = 0;

    if (!(value > 0))
        return 0;
    for (size_t i = 0; i < sizeof heatmap->quantiles / sizeof *heatmap->quantiles; i++)
        step += value >= heatmap->quantiles[i];
    return step;
}
