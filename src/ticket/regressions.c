#include "stutterscope/ticket/regressions.h"

#include "data.h"
#include "payload_parts.h"
#include "stutterscope/model/coverage.h"
#include <stdlib.h>

struct work {
    struct model *model;
    int64_t build;
    const struct stutter_entries *entries;
    const struct group_comparisons *comparisons;
    const struct coverage *coverage;
};

/* In the order of a person's interest. */
static const enum verdict told[] = {VERDICT_NEW,    VERDICT_BACK, VERDICT_WORSE,
                                    VERDICT_BETTER, VERDICT_GONE, VERDICT_NOT_EXERCISED};

static bool is_worse(enum verdict verdict)
{
    return verdict == VERDICT_NEW || verdict == VERDICT_BACK || verdict == VERDICT_WORSE;
}

static bool is_play(const struct stutter_entry *entry)
{
    return entry->stutter.label == LABEL_GAMEPLAY;
}

static struct json *count_verdicts(const struct work *work)
{
    int64_t counts[VERDICT_COUNT] = {0};
    struct json *object = json_object();

    for (size_t i = 0; i < work->entries->count; i++)
        if (is_play(&work->entries->items[i]))
            counts[work->entries->items[i].verdict]++;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (verdict != VERDICT_MISSING) {
            char *name = data_key(verdict_name((enum verdict)verdict));

            json_add(object, name, json_from_integer(counts[verdict]));
            free(name);
        }
    return object;
}

static void put_device(const struct work *work, struct json *object, int64_t id)
{
    const struct device_row *device = model_device(work->model, id);

    payload_add_text(object, "device", device ? device->model : NULL);
    payload_add_text(object, "device_name", device ? device->name : NULL);
}

static void put_place(const struct work *work, struct json *object, const struct group_key *key)
{
    put_device(work, object, key->device);
    payload_add_text(object, "scene", model_scene_name(work->model, key->scene));
    payload_add_text(object, "quality", model_quality_name(work->model, key->quality));
}

static struct json *cause_names(uint32_t causes)
{
    struct json *list = json_array();

    for (uint32_t bit = 1; bit <= CAUSE_UNKNOWN; bit <<= 1)
        if (causes & bit)
            json_append(list, json_from_text(cause_name((enum cause)bit)));
    return list;
}

static struct json *stutter_of(const struct work *work, const struct stutter_entry *entry)
{
    const struct stutter *stutter = &entry->stutter;
    bool present = entry->present;
    struct json *object = json_object();

    payload_add_text(object, "id", entry->id);
    payload_add_text(object, "fingerprint", entry->fingerprint);
    payload_add_text(object, "verdict", verdict_name(entry->verdict));
    payload_add_text(object, "reason", entry->reason[0] ? entry->reason : NULL);
    put_place(work, object, &stutter->key);
    payload_add_text(object, "event", model_text(work->model, stutter->event));
    payload_add_ms(object, "peak_frame_ms", present ? stutter->peak_ns : VALUE_UNKNOWN);
    payload_add_text(object, "baseline_build", model_build_name(work->model, entry->baseline_build));
    payload_add_ms(object, "baseline_build_peak_ms", entry->baseline_peak_ns);
    payload_add_ms(object, "delta_peak_ms", entry->delta_peak_ns);
    json_add(object, "runs_hit", json_from_integer(stutter->runs_hit));
    json_add(object, "runs", json_from_integer(stutter->runs));
    json_add(object, "severity", present ? json_from_double(entry->severity, 6) : json_null());
    json_add(object, "causes", cause_names(present ? stutter->causes : 0));
    payload_add_text(object, "state", triage_state_name(entry->triage.state));
    payload_add_text(object, "owner", entry->triage.owner && *entry->triage.owner ? entry->triage.owner : NULL);
    payload_add_text(object, "ticket", entry->triage.ticket && *entry->triage.ticket ? entry->triage.ticket : NULL);
    return object;
}

static struct json *stutters(const struct work *work)
{
    struct json *list = json_array();

    for (size_t v = 0; v < sizeof told / sizeof *told; v++)
        for (size_t i = 0; i < work->entries->count; i++)
            if (is_play(&work->entries->items[i]) && work->entries->items[i].verdict == told[v])
                json_append(list, stutter_of(work, &work->entries->items[i]));
    return list;
}

static bool same_group(const struct group_key *a, const struct group_key *b)
{
    return a->device == b->device && a->scene == b->scene && a->quality == b->quality;
}

/* A stutter that got worse in the group explains its figures. */
static bool is_explained(const struct work *work, const struct group_key *key)
{
    for (size_t i = 0; i < work->entries->count; i++) {
        const struct stutter_entry *entry = &work->entries->items[i];

        if (is_play(entry) && is_worse(entry->verdict) && same_group(&entry->stutter.key, key))
            return true;
    }
    return false;
}

/* One longest frame is no drift. */
static bool is_drift(const struct group_comparison *group)
{
    return group->comparison.verdict == VERDICT_WORSE && group->figure != COMPARED_MAX;
}

/* All figures of the group that are worse. */
static struct json *drift_of(const struct work *work, const struct group_comparison *first)
{
    struct json *object = json_object(), *figures = json_array();

    put_place(work, object, &first->key);
    payload_add_text(object, "baseline_build", model_build_name(work->model, first->baseline_build));
    for (size_t i = 0; i < work->comparisons->count; i++) {
        const struct group_comparison *group = &work->comparisons->items[i];
        struct json *figure;

        if (!is_drift(group) || !same_group(&group->key, &first->key))
            continue;
        figure = json_object();
        payload_add_text(figure, "figure", compared_figure_name(group->figure));
        json_add(figure, "before", json_from_double(group->comparison.before, 6));
        json_add(figure, "after", json_from_double(group->comparison.after, 6));
        json_add(figure, "delta", json_from_double(group->comparison.delta, 6));
        json_append(figures, figure);
    }
    json_add(object, "figures", figures);
    return object;
}

/* Groups that are worse without a stutter that is. */
static struct json *drifts(const struct work *work)
{
    struct json *list = json_array();

    for (size_t i = 0; i < work->comparisons->count; i++) {
        const struct group_comparison *group = &work->comparisons->items[i];
        bool told_before = false;

        for (size_t j = 0; j < i && !told_before; j++)
            told_before = is_drift(&work->comparisons->items[j]) &&
                          same_group(&work->comparisons->items[j].key, &group->key);
        if (is_drift(group) && !told_before && !is_explained(work, &group->key))
            json_append(list, drift_of(work, group));
    }
    return list;
}

static struct json *gap_of(const struct work *work, const struct coverage_device *device, size_t scene)
{
    const struct coverage_cell *cell = scene == SIZE_MAX ? &device->cell : &device->scenes[scene];
    struct json *object = json_object();

    payload_add_text(object, "device", device->device->model);
    payload_add_text(object, "device_name", device->device->name);
    payload_add_text(object, "scene",
                     scene == SIZE_MAX ? NULL : model_scenes(work->model)->items[scene].text);
    json_add(object, "runs", json_from_integer(cell->runs));
    json_add(object, "expected_runs", json_from_integer(cell->expected));
    payload_add_text(object, "since_build", model_build_name(work->model, cell->since));
    return object;
}

/* Devices in this state; scenes only of devices that are there. */
static struct json *gaps(const struct work *work, enum coverage_state state)
{
    struct json *list = json_array();

    for (size_t d = 0; d < work->coverage->device_count; d++) {
        const struct coverage_device *device = &work->coverage->devices[d];

        if (device->cell.state == state)
            json_append(list, gap_of(work, device, SIZE_MAX));
        else if (state == COVERAGE_MISSING)
            for (size_t s = 0; s < work->coverage->scene_count; s++)
                if (device->scenes[s].state == state)
                    json_append(list, gap_of(work, device, s));
    }
    return list;
}

static struct json *commit_range(struct model *model, int64_t from, int64_t to)
{
    const struct build_row *first = model_build(model, from), *last = model_build(model, to);
    struct json *range;

    if (!first || !last || !first->commit || !last->commit)
        return json_null();
    range = json_object();
    payload_add_text(range, "from", first->commit);
    payload_add_text(range, "to", last->commit);
    return range;
}

static const struct stutter_entry *worst(const struct work *work)
{
    for (size_t i = 0; i < work->entries->count; i++)
        if (is_play(&work->entries->items[i]) && is_worse(work->entries->items[i].verdict))
            return &work->entries->items[i];
    return NULL;
}

static struct json *assemble(const struct work *work, int64_t baseline)
{
    struct json *payload = json_object();
    const struct stutter_entry *first = worst(work);

    json_add(payload, "schema", json_from_text(REGRESSIONS_SCHEMA));
    payload_add_text(payload, "series", model_series(work->model));
    json_add(payload, "settings", payload_settings(work->model));
    payload_put_build(work->model, payload, work->build);
    payload_add_text(payload, "baseline_build", model_build_name(work->model, baseline));
    json_add(payload, "commit_range", commit_range(work->model, baseline, work->build));
    json_add(payload, "runs", json_from_integer(work->coverage->runs));
    json_add(payload, "expected_runs", json_from_integer(work->coverage->expected_runs));
    json_add(payload, "counts", count_verdicts(work));
    json_add(payload, "stutters", stutters(work));
    json_add(payload, "drifts", drifts(work));
    json_add(payload, "missing", gaps(work, COVERAGE_MISSING));
    json_add(payload, "fewer", gaps(work, COVERAGE_FEWER));
    json_add(payload, "reopen", payload_reopen(work->model, first ? first->id : NULL));
    return payload;
}

struct json *regressions_payload(struct model *model, int64_t build, int64_t baseline,
                                 const struct progress *progress, struct error *error)
{
    struct work work = {.model = model, .build = build ? build : model_newest_build(model)};
    struct coverage *coverage = NULL;
    struct json *payload = NULL;

    if (!work.build) {
        error_set(error, ERROR_USAGE, "there is no build with runs in the series \"%s\" yet",
                  model_series(model));
        return NULL;
    }
    work.entries = model_stutters(model, work.build, baseline, false, progress, error);
    work.comparisons =
        work.entries ? model_compare_groups(model, work.build, baseline, false, progress, error) : NULL;
    if (work.comparisons && model_coverage(model, work.build, &coverage, error)) {
        work.coverage = coverage;
        payload = assemble(&work, model_usual_baseline(model, work.build, baseline));
    }
    coverage_destroy(coverage);
    return payload;
}
