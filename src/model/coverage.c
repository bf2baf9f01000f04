#include "stutterscope/model/coverage.h"

#include "internal.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Expected runs: the median over so many builds with runs, the newest before the one looked at. */
enum { BUILDS_LOOKED_AT = 10 };

const char *coverage_state_name(enum coverage_state state)
{
    static const char *const names[] = {"ok", "fewer", "missing", "skipped", "retired", "never"};

    return names[state];
}

struct coverage_work {
    struct model *model;
    const struct run_list *runs; /* of the build */
    struct id_index device_runs; /* device to position in runs */
    int64_t *counts;             /* of runs: a row for each device, a number for each build */
    struct expectation_list expectations;
    int64_t build;
    int64_t position;
};

static bool fits(const char *pattern, const char *text)
{
    return !pattern || !*pattern || (text && strcmp(pattern, text) == 0);
}

static bool is_declared(const struct coverage_work *work, enum expectation_kind kind, const struct device_row *device,
                        const char *scene)
{
    for (size_t i = 0; i < work->expectations.count; i++) {
        const struct expectation_row *row = &work->expectations.items[i];
        bool device_fits = fits(row->device_model, device->model) || fits(row->device_model, device->name);
        bool scene_fits = !row->scene || !*row->scene || (scene && strcmp(row->scene, scene) == 0);

        if (row->kind == kind && device_fits && scene_fits &&
            (kind != EXPECTATION_SKIPPED || fits(row->build, model_build_name(work->model, work->build))))
            return true;
    }
    return false;
}

static bool has_matrix(const struct coverage_work *work)
{
    for (size_t i = 0; i < work->expectations.count; i++)
        if (work->expectations.items[i].kind == EXPECTATION_EXPECTED)
            return true;
    return false;
}

static int compare_integers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Median of the last builds that had runs, before this one; rounded up: half a run is a run that is missing. */
static int64_t expected_runs(const int64_t *runs_per_build, int64_t position)
{
    int64_t counts[BUILDS_LOOKED_AT];
    size_t count = 0;

    for (int64_t i = position - 1; i >= 0 && count < BUILDS_LOOKED_AT; i--)
        if (runs_per_build[i])
            counts[count++] = runs_per_build[i];
    if (!count)
        return 0;
    qsort(counts, count, sizeof *counts, compare_integers);
    return count % 2 ? counts[count / 2] : (counts[count / 2 - 1] + counts[count / 2] + 1) / 2;
}

/* State, since and last from the runs per build. */
static void judge(const struct coverage_work *work, const int64_t *runs_per_build, const struct device_row *device,
                  const char *scene, struct coverage_cell *cell)
{
    bool ever = false;

    cell->runs = runs_per_build[work->position];
    cell->expected = expected_runs(runs_per_build, work->position);
    for (int64_t i = work->position; i >= 0 && !ever; i--)
        if (runs_per_build[i]) {
            cell->last = work->model->builds.items[i].id;
            ever = true;
            if (i < work->position)
                cell->since = work->model->builds.items[i + 1].id;
        }
    if (cell->runs) {
        cell->state = cell->runs < cell->expected ? COVERAGE_FEWER : COVERAGE_OK;
        return;
    }
    if (!(has_matrix(work) ? is_declared(work, EXPECTATION_EXPECTED, device, scene) : ever))
        cell->state = COVERAGE_NEVER;
    else if (is_declared(work, EXPECTATION_RETIRED, device, scene))
        cell->state = COVERAGE_RETIRED;
    else if (is_declared(work, EXPECTATION_SKIPPED, device, scene))
        cell->state = COVERAGE_SKIPPED;
    else {
        cell->state = COVERAGE_MISSING;
        if (!ever && work->model->builds.count)
            cell->since = work->model->builds.items[0].id;
    }
}

static bool count_runs(struct coverage_work *work, struct error *error)
{
    const struct model *model = work->model;
    const struct run_start_list *starts = model_run_starts(work->model, error);

    if (!starts)
        return false;
    work->counts = memory_take_zeroed(model->devices.count * model->builds.count + 1, sizeof *work->counts);
    for (size_t i = 0; i < starts->count; i++) {
        int64_t position = model_build_position(model, starts->items[i].build);
        const struct device_row *device = model_device(model, starts->items[i].device);

        if (position >= 0 && device)
            work->counts[(size_t)(device - model->devices.items) * model->builds.count + (size_t)position]++;
    }
    return true;
}

static void count_device_runs(const struct coverage_work *work, struct coverage_device *device)
{
    size_t builds = work->model->builds.count, count;
    const struct id_place *places = id_index_find(&work->device_runs, device->device->id, &count);

    memcpy(device->runs_per_build, work->counts + (size_t)(device->device - work->model->devices.items) * builds, builds * sizeof *work->counts);
    for (size_t i = 0; i < count; i++) {
        const struct run_row *run = &work->runs->items[places[i].at];

        device->sampled_runs += run_row_is_sampled(run) || run->sampling.every > 1;
        device->play_ns += run->sum_ns;
    }
}

/* "4 completed, 1 crashed": in the order of first sight. */
static void note_outcomes(const struct coverage_work *work, struct coverage_device *device)
{
    struct { struct outcome { const char *name; size_t runs; } *items; size_t count, capacity; } met = {0};
    struct text_buffer text = {0};
    size_t count;
    const struct id_place *places = id_index_find(&work->device_runs, device->device->id, &count);

    for (size_t i = 0; i < count; i++) {
        const struct run_row *run = &work->runs->items[places[i].at];
        size_t at = 0;

        if (!run->outcome || !*run->outcome)
            continue;
        while (at < met.count && strcmp(met.items[at].name, run->outcome) != 0)
            at++;
        if (at < met.count)
            met.items[at].runs++;
        else if (met.count < sizeof device->outcomes) /* more would not be shown */
            array_push(&met, (struct outcome){run->outcome, 1});
    }
    for (size_t i = 0; i < met.count; i++)
        text_add_print(&text, "%s%zu %s", i ? ", " : "", met.items[i].runs, met.items[i].name);
    array_free(&met);
    if (text.count) {
        char *clean = text_clean(text.items, text.count);

        snprintf(device->outcomes, sizeof device->outcomes, "%.*s", (int)text_fit(clean, sizeof device->outcomes / 4, NULL), clean);
        free(clean);
    }
    array_free(&text);
}

/* Scenes: whether any quality of the scene has frames in each build; runs are counted by the store's groups. */
static void judge_scenes(const struct coverage_work *work, struct coverage_device *device)
{
    const struct model *model = work->model;
    size_t builds = model->builds.count, scenes = model->scenes.count;
    int64_t *counts = memory_take_zeroed(builds * scenes + 1, sizeof *counts);

    size_t count, first = model_device_range(model, device->device->id, &count);

    for (size_t i = first; i < first + count; i++) {
        const struct group_key *key = &model->groups.items[i].key;
        int64_t position = model_build_position(model, key->build);
        size_t s = model_scene_position(model, key->scene);

        if (position >= 0 && s != SIZE_MAX && counts[s * builds + (size_t)position] < model->groups.items[i].runs)
            counts[s * builds + (size_t)position] = model->groups.items[i].runs;
    }
    for (size_t s = 0; s < scenes; s++)
        judge(work, counts + s * builds, device->device, model->scenes.items[s].text, &device->scenes[s]);
    free(counts);
}

static int compare_coverage(const void *a, const void *b)
{
    return compare_devices_for_people(((const struct coverage_device *)a)->device, ((const struct coverage_device *)b)->device);
}

static void add_device(const struct coverage_work *work, struct coverage *coverage, const struct device_row *row)
{
    struct coverage_device device = {.device = row};

    device.runs_per_build = memory_take_zeroed(coverage->build_count + 1, sizeof *device.runs_per_build);
    device.scenes = memory_take_zeroed(coverage->scene_count + 1, sizeof *device.scenes);
    count_device_runs(work, &device);
    judge(work, device.runs_per_build, row, NULL, &device.cell);
    judge_scenes(work, &device);
    note_outcomes(work, &device);
    if (device.cell.state == COVERAGE_NEVER) { /* uploads of another series, or of later builds only */
        free(device.runs_per_build);
        free(device.scenes);
        return;
    }
    coverage->runs += device.cell.runs;
    if (device.cell.state != COVERAGE_RETIRED && device.cell.state != COVERAGE_SKIPPED)
        coverage->expected_runs += device.cell.expected > device.cell.runs ? device.cell.expected : device.cell.runs;
    coverage->silent += device.cell.state == COVERAGE_MISSING;
    coverage->partial += device.cell.state == COVERAGE_FEWER;
    coverage->sampled += device.sampled_runs > 0;
    coverage->devices[coverage->device_count++] = device;
}

bool model_coverage(struct model *model, int64_t build, struct coverage **ret, struct error *error)
{
    struct coverage_work work = {.model = model, .build = build ? build : model_newest_build(model)};
    struct coverage *coverage;

    work.position = model_build_position(model, work.build);
    if (work.position < 0)
        return error_set(error, ERROR_USAGE, "this store has no runs yet; import telemetry first");
    work.runs = model_build_runs(model, work.build, error);
    if (!work.runs || !store_list_expectations(model->store, &work.expectations, error) || !count_runs(&work, error)) {
        expectation_list_free(&work.expectations);
        return false;
    }
    for (size_t i = 0; i < work.runs->count; i++)
        array_push(&work.device_runs, (struct id_place){work.runs->items[i].device, i});
    id_index_sort(&work.device_runs);
    coverage = memory_take_zeroed(1, sizeof *coverage);
    coverage->build = work.build;
    coverage->build_count = model->builds.count;
    coverage->scene_count = model->scenes.count;
    coverage->devices = memory_take_zeroed(model->devices.count + 1, sizeof *coverage->devices);
    for (size_t i = 0; i < model->devices.count; i++)
        add_device(&work, coverage, &model->devices.items[i]);
    if (coverage->device_count)
        qsort(coverage->devices, coverage->device_count, sizeof *coverage->devices, compare_coverage);
    array_free(&work.device_runs);
    free(work.counts);
    expectation_list_free(&work.expectations);
    *ret = coverage;
    return true;
}

bool model_coverage_disturbed(struct model *model, struct coverage *coverage, struct error *error)
{
    const struct build_results *results = model_results(model, coverage->build, true, NULL, error);
    const struct run_figures_list *figures = results ? results_all_runs(results, error) : NULL;
    const struct run_list *runs = figures ? model_build_runs(model, coverage->build, error) : NULL;
    struct id_index interfered = {0}, spikes = {0}, devices = {0};

    if (!runs)
        return false;
    for (size_t i = 0; i < figures->count; i++) {
        if (figures->items[i].distribution.labelled[LABEL_INTERFERENCE].frames > 0)
            array_push(&interfered, (struct id_place){figures->items[i].run, i});
        if (figures->items[i].flags & FIGURE_SPIKE_ONLY)
            array_push(&spikes, (struct id_place){figures->items[i].run, i});
    }
    for (size_t i = 0; i < coverage->device_count; i++)
        array_push(&devices, (struct id_place){coverage->devices[i].device->id, i});
    id_index_sort(&interfered);
    id_index_sort(&spikes);
    id_index_sort(&devices);
    for (size_t i = 0; i < runs->count; i++) {
        size_t count;
        const struct id_place *place = id_index_find(&devices, runs->items[i].device, &count);

        if (!place)
            continue;
        coverage->devices[place->at].interfered_runs += id_index_find(&interfered, runs->items[i].id, &count) != NULL;
        coverage->devices[place->at].spike_runs += id_index_find(&spikes, runs->items[i].id, &count) != NULL;
    }
    array_free(&interfered);
    array_free(&spikes);
    array_free(&devices);
    return true;
}

void coverage_destroy(struct coverage *coverage)
{
    if (!coverage)
        return;
    for (size_t i = 0; i < coverage->device_count; i++) {
        free(coverage->devices[i].runs_per_build);
        free(coverage->devices[i].scenes);
    }
    free(coverage->devices);
    free(coverage);
}

const struct coverage_device *coverage_find(const struct coverage *coverage, int64_t device)
{
    for (size_t i = 0; i < coverage->device_count; i++)
        if (coverage->devices[i].device->id == device)
            return &coverage->devices[i];
    return NULL;
}
