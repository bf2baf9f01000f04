#include "stutterscope/model/heatmap.h"

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

static void list_axes(struct model *model, const struct snapshots *snapshots, struct heatmap *map)
{
    for (size_t i = 0; i < model->devices.count; i++) {
        bool used = false;

        for (size_t g = 0; g < model->groups.count && !used; g++)
            used = model->groups.items[g].key.device == model->devices.items[i].id;
        for (size_t s = 0; snapshots && s < snapshots->series.count && !used; s++)
            used = snapshots->series.items[s].device == model->devices.items[i].id;
        if (used)
            array_push(&map->devices, &model->devices.items[i]);
    }
    for (size_t i = 0; i < model->scenes.count; i++) {
        bool used = false;

        for (size_t g = 0; g < model->groups.count && !used; g++)
            used = model->groups.items[g].key.scene == model->scenes.items[i].id;
        for (size_t s = 0; snapshots && s < snapshots->series.count && !used; s++)
            used = snapshots->series.items[s].scene == model->scenes.items[i].id;
        if (used)
            array_push(&map->scenes, &model->scenes.items[i]);
    }
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
};

static bool same_group(const struct group_key *a, const struct group_key *b)
{
    return a->device == b->device && a->scene == b->scene && a->quality == b->quality;
}

/* The stutter of the group that gives the metric its greatest value. */
static const struct stutter_entry *worst_stutter(const struct fill_work *work, const struct group_figures *group, enum metric metric)
{
    const struct stutter_entry *worst = NULL;

    for (size_t i = 0; i < work->entries->count; i++) {
        const struct stutter_entry *entry = &work->entries->items[i];

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
static void mark_findings(const struct fill_work *work, struct heat_cell *cell, int64_t device, int64_t scene)
{
    for (size_t l = 0; l < work->findings->lines.count; l++) {
        const struct finding_line *line = &work->findings->lines.items[l];

        for (size_t i = line->first; i < line->first + line->count && !cell->decide; i++) {
            const struct finding *finding = &work->findings->items.items[i];
            char mark = decided_mark(finding->triage.state);

            if (finding->key.device != device || finding->key.scene != scene)
                continue;
            cell->decide = finding->triage.state == TRIAGE_UNDECIDED;
            if (cell->decide)
                cell->mark = verdict_mark(finding->verdict);
            else if (mark && cell->mark != '#')
                cell->mark = mark;
        }
    }
}

/* Stutters come worst first; one that somebody has is marked so, whatever is beside it. */
static void mark_cell(const struct fill_work *work, struct heat_cell *cell, int64_t device, int64_t scene)
{
    mark_findings(work, cell, device, scene);
    for (size_t i = 0; i < work->entries->count; i++) {
        const struct stutter_entry *entry = &work->entries->items[i];
        char mark = decided_mark(entry->triage.state);

        if (entry->stutter.key.device != device || entry->stutter.key.scene != scene || !entry->present)
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

static double cell_delta(const struct fill_work *work, const struct group_figures *group, const struct stutter_entry *stutter)
{
    static const enum compared_figure figures[METRIC_COUNT] = {
        [METRIC_P95] = COMPARED_P95, [METRIC_P99] = COMPARED_P99, [METRIC_MAX] = COMPARED_MAX, [METRIC_HITCH_RATIO] = COMPARED_HITCH_RATIO};
    enum metric metric = work->request->metric;

    if (metric == METRIC_SEVERITY || metric == METRIC_PEAK)
        return stutter && stutter->delta_peak_ns != VALUE_UNKNOWN ? ns_to_ms((double)stutter->delta_peak_ns) : NAN;
    if (metric != METRIC_P95 && metric != METRIC_P99 && metric != METRIC_MAX && metric != METRIC_HITCH_RATIO)
        return NAN;
    for (size_t i = 0; i < work->comparisons->count; i++)
        if (work->comparisons->items[i].figure == figures[metric] && same_group(&work->comparisons->items[i].key, &group->key))
            return work->comparisons->items[i].comparison.delta;
    return NAN;
}

/* The group (quality) with the greatest value decides; frames that give no value yield to those that do. */
static void fill_cell(const struct fill_work *work, struct heat_cell *cell, int64_t device, int64_t scene)
{
    const struct group_figures *chosen = NULL;
    bool has_stutter = false;

    for (size_t g = 0; g < work->results->groups.count; g++) {
        const struct group_figures *group = &work->results->groups.items[g];

        if (group->key.device != device || group->key.scene != scene || !group->runs ||
            (work->request->quality >= 0 && group->key.quality != work->request->quality))
            continue;

        const struct stutter_entry *stutter = worst_stutter(work, group, work->request->metric);
        double value = group_value(work->request->metric, group, stutter);

        has_stutter |= stutter != NULL;
        if (chosen && !(value > cell->value) && !(isnan(cell->value) && !isnan(value)))
            continue;
        chosen = group;
        cell->value = value;
        cell->stutter = stutter;
        cell->delta = cell_delta(work, group, stutter);
    }
    if (!chosen)
        return;

    const struct stutter_entry *severest = worst_stutter(work, chosen, METRIC_SEVERITY);

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
    mark_cell(work, cell, device, scene);
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

    if (!model_coverage(model, map->build, &coverage, error))
        return false;
    for (size_t d = 0; d < map->devices.count; d++) {
        const struct coverage_device *device = coverage_find(coverage, map->devices.items[d]->id);

        for (size_t s = 0; s < map->scenes.count && device; s++) {
            struct heat_cell *cell = &map->cells[d * map->scenes.count + s];
            size_t scene = (size_t)(map->scenes.items[s] - model->scenes.items);

            if (cell->state == STATE_NONE && device->scenes[scene].state == COVERAGE_MISSING) {
                cell->state = STATE_MISSING;
                map->missing_cells++;
            }
        }
    }
    coverage_destroy(coverage);
    return true;
}

bool model_heatmap(struct model *model, const struct heatmap_request *request, const struct progress *progress,
                   struct heatmap **ret, struct error *error)
{
    struct heatmap *map = memory_take_zeroed(1, sizeof *map);
    struct fill_work work = {.model = model, .request = request, .map = map};
    struct snapshots *snapshots = NULL;

    map->metric = request->metric;
    map->build = request->build ? request->build : model_newest_build(model);
    if (request->metric == METRIC_MEMORY && !model_snapshots(model, map->build, request->baseline, &snapshots, error)) {
        heatmap_destroy(map);
        return false;
    }
    list_axes(model, snapshots, map);

    size_t cells = map->devices.count * map->scenes.count;

    map->cells = memory_take_zeroed(cells + 1, sizeof *map->cells);
    for (size_t i = 0; i < cells; i++) {
        struct heat_cell *cell = &map->cells[i];

        cell->value = cell->delta = cell->severity = NAN;
        cell->peak_ns = cell->p95_ns = cell->p99_ns = VALUE_UNKNOWN;
        cell->mark = ' ';
    }
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
        for (size_t i = 0; i < cells; i++)
            fill_cell(&work, &map->cells[i], map->devices.items[i / map->scenes.count]->id, map->scenes.items[i % map->scenes.count]->id);
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
