/*
 * What is known about a build as a whole. Cells that are expected count, not those that happen to be on both sides.
 */
#include "stutterscope/model/status.h"

#include "internal.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *gate_result_name(enum gate_result result)
{
    static const char *const names[] = {"clean", "regression", "incomplete"};

    return names[result];
}

static bool is_sign(char c)
{
    return !isalnum((unsigned char)c) && !(c & 0x80);
}

/* "422" in "1.8.0(422)", not "b10" in "b101": a CI job must not be told about another build. */
static bool holds_part(const char *name, const char *part)
{
    size_t length = strlen(part);

    for (const char *at = strstr(name, part); at; at = strstr(at + 1, part))
        if ((at == name || is_sign(at[-1])) && (!at[length] || is_sign(at[length])))
            return length > 0;
    return false;
}

bool model_find_build_strictly(const struct model *model, const char *name, int64_t *ret, struct error *error)
{
    size_t found = 0;

    *ret = 0;
    for (size_t i = 0; i < model->builds.count; i++)
        if (strcmp(model->builds.items[i].name, name) == 0) {
            *ret = model->builds.items[i].id;
            return true;
        }
    for (size_t i = 0; i < model->builds.count; i++)
        if (holds_part(model->builds.items[i].name, name)) {
            *ret = model->builds.items[i].id;
            found++;
        }
    if (found <= 1)
        return true;

    char *clean = text_clean(name, strlen(name));

    error_set(error, ERROR_USAGE, "\"%s\" is a part of %zu builds; give the whole name", clean, found);
    free(clean);
    return false;
}

/* ---- cells ---- */

static void add_cell(struct build_status *status, const struct status_cell *cell)
{
    size_t *const counts[] = {&status->compared, &status->missing, &status->fresh, &status->not_comparable};

    ++*counts[cell->outcome];
    array_push(&status->cells, *cell);
}

static bool is_before(const struct group_key *key, const struct status_cell *cell)
{
    return key->device != cell->device ? key->device < cell->device : key->scene < cell->scene;
}

/* One figure of one quality that could be compared is enough; else the reason of the first. Comparisons come in the order
 * of their groups: device, scene, quality. */
static void judge_cell(const struct group_comparisons *comparisons, struct status_cell *cell)
{
    bool any_baseline = false;
    size_t first = 0, high = comparisons->count;

    while (first < high) {
        size_t middle = first + (high - first) / 2;

        if (is_before(&comparisons->items[middle].key, cell))
            first = middle + 1;
        else
            high = middle;
    }
    cell->outcome = CELL_FRESH;
    for (size_t i = first; i < comparisons->count; i++) {
        const struct group_comparison *comparison = &comparisons->items[i];

        if (comparison->key.device != cell->device || comparison->key.scene != cell->scene)
            break;
        if (comparison->comparison.verdict != VERDICT_NONE) {
            cell->outcome = CELL_COMPARED;
            cell->reason[0] = '\0';
            return;
        }
        any_baseline |= comparison->baseline_build != 0;
        if (!cell->reason[0])
            text_print(cell->reason, sizeof cell->reason, "%s", comparison->comparison.reason);
    }
    if (any_baseline)
        cell->outcome = CELL_NOT_COMPARABLE;
    else
        text_print(cell->reason, sizeof cell->reason, "no baseline");
}

static void add_cells(struct model *model, struct build_status *status, const struct group_comparisons *comparisons)
{
    for (size_t d = 0; d < status->coverage->device_count; d++)
        for (size_t s = 0; s < status->coverage->scene_count; s++) {
            const struct coverage_cell *covered = &status->coverage->devices[d].scenes[s];
            struct status_cell cell = {.device = status->coverage->devices[d].device->id, .scene = model->scenes.items[s].id,
                                       .since = covered->since, .last = covered->last};
            bool has_runs = covered->state == COVERAGE_OK || covered->state == COVERAGE_FEWER;

            if (comparisons && has_runs) {
                judge_cell(comparisons, &cell);
            } else if (covered->state == COVERAGE_MISSING || has_runs) {
                cell.outcome = CELL_MISSING;
                if (!comparisons) { /* the build is not in the store */
                    cell.since = 0;
                    text_print(cell.reason, sizeof cell.reason, "no data for this build");
                } else {
                    text_print(cell.reason, sizeof cell.reason, "no runs from %s on", model_build_name(model, cell.since));
                }
            } else {
                continue;
            }
            add_cell(status, &cell);
        }
}

static void count_uploads(struct build_status *status)
{
    for (size_t d = 0; d < status->coverage->device_count; d++) {
        const struct coverage_cell *cell = &status->coverage->devices[d].cell;
        bool uploaded = status->build && cell->runs > 0;

        status->uploads += uploaded;
        status->expected_uploads += uploaded || cell->state == COVERAGE_MISSING ||
                                    (!status->build && (cell->state == COVERAGE_OK || cell->state == COVERAGE_FEWER));
    }
    status->runs = status->build ? status->coverage->runs : 0;
    status->expected_runs = status->coverage->expected_runs;
}

static void count_verdicts(const struct stutter_entries *entries, struct build_status *status)
{
    for (size_t i = 0; i < entries->count; i++)
        status->counts[entries->items[i].verdict] += entries->items[i].stutter.label == LABEL_GAMEPLAY;
    for (size_t i = 0; i < status->findings->items.count; i++) {
        const struct finding *finding = &status->findings->items.items[i];

        if (finding->kind == FINDING_SILENT || finding->kind == FINDING_PARTIAL)
            continue;
        if (triage_state_is_accepted(finding->triage.state))
            status->accepted++;
        else
            status->regressions++;
    }
}

static void judge_build(struct build_status *status, bool strict)
{
    bool unclear = status->fresh || status->not_comparable || (status->findings && status->findings->partial);

    status->counts[VERDICT_MISSING] = status->missing;
    status->incomplete = status->missing > 0 || status->compared == 0 || (strict && unclear);
    status->result = status->regressions ? GATE_REGRESSION : status->incomplete ? GATE_INCOMPLETE : GATE_CLEAN;
}

static bool fill(struct model *model, const struct status_request *request, struct build_status *status, struct error *error)
{
    const struct stutter_entries *entries = NULL;
    const struct group_comparisons *comparisons = NULL;

    if (!model_coverage(model, request->build, &status->coverage, error) ||
        !model_missed_nights(model, request->today_ms, &status->nights, error))
        return false;
    if (request->build) {
        if (!model_findings(model, request->build, request->baseline, false, request->progress, &status->findings, error))
            return false;
        entries = model_stutters(model, request->build, request->baseline, false, request->progress, error);
        comparisons = entries ? model_compare_groups(model, request->build, request->baseline, false, request->progress, error) : NULL;
        if (!comparisons)
            return false;
        status->baseline = status->findings->baseline;
        count_verdicts(entries, status);
    }
    add_cells(model, status, comparisons);
    count_uploads(status);
    judge_build(status, request->strict);
    return true;
}

bool model_status(struct model *model, const struct status_request *request, struct build_status **ret, struct error *error)
{
    struct build_status *status = memory_take_zeroed(1, sizeof *status);

    status->build = request->build;
    status->wanted_baseline = request->baseline;
    if (!fill(model, request, status, error)) {
        build_status_destroy(status);
        return false;
    }
    *ret = status;
    return true;
}

void build_status_destroy(struct build_status *status)
{
    if (!status)
        return;
    findings_destroy(status->findings);
    coverage_destroy(status->coverage);
    array_free(&status->cells);
    missed_nights_free(&status->nights);
    free(status);
}
