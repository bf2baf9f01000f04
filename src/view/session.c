#include "stutterscope/view/session.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/model/coverage.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session *session_create(struct model *model)
{
    struct session *session = memory_take_zeroed(1, sizeof *session);

    session->model = model;
    session->build = model_newest_build(model);
    session->metric = METRIC_SEVERITY;
    session->quality = -1;
    return session;
}

void session_destroy(struct session *session)
{
    if (!session)
        return;
    session_clear_marks(session);
    array_free(&session->marked);
    free(session->draft.key);
    free(session->draft.text);
    model_close(session->model);
    free(session);
}

static const struct stutter_entries *entries_of(struct session *session, struct error *error)
{
    return model_stutters(session->model, session->build, session->baseline, session->as_it_is, NULL, error);
}

const struct stutter_entry *session_stutter(struct session *session)
{
    struct error ignored;
    const struct stutter_entries *entries =
        session->build && session->stutter[0] ? entries_of(session, &ignored) : NULL;

    for (size_t i = 0; entries && i < entries->count; i++)
        if (strcmp(entries->items[i].id, session->stutter) == 0)
            return &entries->items[i];
    return NULL;
}

void session_choose_stutter(struct session *session, const struct stutter_entry *entry)
{
    session->device = entry->stutter.key.device;
    session->scene = entry->stutter.key.scene;
    if (strcmp(session->stutter, entry->id) == 0)
        return;
    snprintf(session->stutter, sizeof session->stutter, "%s", entry->id);
    session->run = session->window = 0;
}

bool session_is_marked(const struct session *session, const char *id)
{
    for (size_t i = 0; i < session->marked.count; i++)
        if (strcmp(session->marked.items[i], id) == 0)
            return true;
    return false;
}

void session_toggle_mark(struct session *session, const char *id)
{
    for (size_t i = 0; i < session->marked.count; i++) {
        if (strcmp(session->marked.items[i], id) != 0)
            continue;
        free(session->marked.items[i]);
        session->marked.count--;
        memmove(session->marked.items + i, session->marked.items + i + 1,
                (session->marked.count - i) * sizeof *session->marked.items);
        return;
    }
    array_push(&session->marked, memory_copy_text(id));
}

void session_clear_marks(struct session *session)
{
    for (size_t i = 0; i < session->marked.count; i++)
        free(session->marked.items[i]);
    session->marked.count = 0;
}

static bool has_runs(struct model *model, int64_t build)
{
    struct run_list runs = {0};
    bool any = model_list_runs(model, build, 0, &runs, NULL) && runs.count > 0;

    run_list_free(&runs);
    return any;
}

bool session_step_build(struct session *session, int step)
{
    const struct build_list *builds = model_builds(session->model);
    int64_t position = model_build_position(session->model, session->build);

    if (position < 0)
        return false;
    for (position += step; position >= 0 && position < (int64_t)builds->count; position += step) {
        if (!has_runs(session->model, builds->items[position].id))
            continue;
        session->build = builds->items[position].id;
        session->run = session->window = 0;
        return true;
    }
    return false;
}

void session_check_results(struct session *session)
{
    enum { BUILDS_COMPARED = 6 }; /* the build before and five of history, as the comparison looks at */
    const struct build_list *builds = model_builds(session->model);
    int64_t position = model_build_position(session->model, session->build);

    session->as_it_is = false;
    for (int64_t i = position; session->analyses_in_steps && i >= 0 && i >= position - BUILDS_COMPARED; i--) {
        const struct build_results *results =
            model_results(session->model, builds->items[i].id, true, NULL, NULL);

        session->as_it_is |= results && !results->complete;
    }
}

bool session_reload(struct session *session, struct error *error)
{
    bool newest = session->build == model_newest_build(session->model);

    if (!model_reload(session->model, error))
        return false;
    if (newest || model_build_position(session->model, session->build) < 0) {
        session->build = model_newest_build(session->model);
        session->run = session->window = 0;
    }
    if (session->baseline && model_build_position(session->model, session->baseline) < 0)
        session->baseline = 0;
    return true;
}

/* ---- what waits for a decision ---- */

static bool is_open(const struct stutter_entry *entry)
{
    return entry->present && entry->stutter.label == LABEL_GAMEPLAY &&
           (entry->verdict == VERDICT_NEW || entry->verdict == VERDICT_BACK ||
            entry->verdict == VERDICT_WORSE);
}

static struct open_item *find_line(struct open_items *items, int64_t event, int64_t scene)
{
    for (size_t i = 0; i < items->count; i++)
        if (items->items[i].kind == OPEN_STUTTER && items->items[i].event == event &&
            items->items[i].scene == scene)
            return &items->items[i];
    return NULL;
}

/* The same device may have the stutter at several qualities. */
static bool device_is_counted(const struct stutter_entries *entries, size_t index)
{
    const struct stutter *here = &entries->items[index].stutter;

    for (size_t i = 0; i < index; i++) {
        const struct stutter *other = &entries->items[i].stutter;

        if (is_open(&entries->items[i]) && other->event == here->event &&
            other->key.scene == here->key.scene && other->key.device == here->key.device)
            return true;
    }
    return false;
}

/* Entries come worst first, so lines do, and the first entry of a line is its worst. */
static void add_stutters(const struct stutter_entries *entries, struct open_items *ret)
{
    for (size_t i = 0; i < entries->count; i++) {
        const struct stutter_entry *entry = &entries->items[i];

        if (!is_open(entry))
            continue;

        const struct group_key *key = &entry->stutter.key;
        struct open_item *line = find_line(ret, entry->stutter.event, key->scene);

        if (line)
            line->devices += !device_is_counted(entries, i);
        else
            array_push(ret, (struct open_item){OPEN_STUTTER, entry->stutter.event, key->scene, key->device,
                                               entry->verdict, entry, 1});
    }
}

static bool has_open_stutter(const struct stutter_entries *entries, const struct group_key *key)
{
    for (size_t i = 0; i < entries->count; i++) {
        const struct group_key *here = &entries->items[i].stutter.key;

        if (is_open(&entries->items[i]) && here->device == key->device && here->scene == key->scene &&
            here->quality == key->quality)
            return true;
    }
    return false;
}

/* Groups that are worse without a stutter that says so; the greatest frame alone is no drift. */
static bool is_drift(const struct stutter_entries *entries, const struct group_comparison *comparison)
{
    return comparison->comparison.verdict == VERDICT_WORSE && comparison->figure != COMPARED_MAX &&
           !has_open_stutter(entries, &comparison->key);
}

static bool is_first_of_device(const struct stutter_entries *entries,
                               const struct group_comparisons *comparisons, size_t index)
{
    const struct group_key *key = &comparisons->items[index].key;

    for (size_t i = 0; i < index; i++)
        if (comparisons->items[i].key.device == key->device &&
            comparisons->items[i].key.scene == key->scene && is_drift(entries, &comparisons->items[i]))
            return false;
    return true;
}

static void add_drifts(const struct stutter_entries *entries, const struct group_comparisons *comparisons,
                       struct open_items *ret)
{
    size_t first = ret->count;
    double *worst = memory_take_zeroed(comparisons->count + 1, sizeof *worst);

    for (size_t i = 0; i < comparisons->count; i++) {
        const struct group_comparison *comparison = &comparisons->items[i];
        size_t line = first;

        if (!is_drift(entries, comparison))
            continue;
        while (line < ret->count && ret->items[line].scene != comparison->key.scene)
            line++;
        if (line == ret->count)
            array_push(ret, (struct open_item){.kind = OPEN_DRIFT,
                                               .scene = comparison->key.scene,
                                               .device = comparison->key.device,
                                               .verdict = VERDICT_WORSE});
        ret->items[line].devices += is_first_of_device(entries, comparisons, i);
        if (comparison->comparison.delta_percent > worst[line - first]) {
            worst[line - first] = comparison->comparison.delta_percent;
            ret->items[line].device = comparison->key.device;
        }
    }
    free(worst);
}

static void add_devices(const struct coverage *coverage, enum coverage_state state, struct open_items *ret)
{
    for (size_t i = 0; i < coverage->device_count; i++)
        if (coverage->devices[i].cell.state == state)
            array_push(ret, (struct open_item){.kind = state == COVERAGE_MISSING ? OPEN_SILENT : OPEN_PARTIAL,
                                               .device = coverage->devices[i].device->id,
                                               .verdict = VERDICT_MISSING,
                                               .devices = 1});
}

bool session_open_items(struct session *session, struct open_items *ret, struct error *error)
{
    struct coverage *coverage;

    memset(ret, 0, sizeof *ret);
    session->to_decide = session->silent = 0;
    if (!session->build)
        return true;

    const struct stutter_entries *entries = entries_of(session, error);
    const struct group_comparisons *comparisons =
        entries ? model_compare_groups(session->model, session->build, session->baseline, session->as_it_is,
                                       NULL, error)
                : NULL;

    if (!comparisons || !model_coverage(session->model, session->build, &coverage, error))
        return false;
    add_stutters(entries, ret);
    add_drifts(entries, comparisons, ret);
    add_devices(coverage, COVERAGE_MISSING, ret);
    add_devices(coverage, COVERAGE_FEWER, ret);
    coverage_destroy(coverage);
    session->to_decide = ret->count;
    for (size_t i = 0; i < ret->count; i++)
        session->silent += ret->items[i].kind == OPEN_SILENT || ret->items[i].kind == OPEN_PARTIAL;
    return true;
}
