/* Lines of the Queue that are no single stutter: drift, slow, silent, partial, and what is to verify. */
#include "queue_lines.h"

#include "figure_text.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/coverage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_open_stutter(const struct queue *queue, const struct group_key *key)
{
    for (size_t i = 0; i < queue->lines.count; i++) {
        const struct queue_line *line = &queue->lines.items[i];
        for (size_t m = 0; line->kind == QUEUE_STUTTER && m < line->members.count; m++) {
            const struct stutter_entry *entry = &line->members.items[m];
            if (entry->stutter.key.device == key->device && entry->stutter.key.scene == key->scene &&
                entry->stutter.key.quality == key->quality && queue_section_of(entry) == SECTION_DECIDE)
                return true;
        }
    }
    return false;
}

static void add_drifts(struct queue *queue, struct queue_line *line,
                       const struct group_comparisons *comparisons)
{
    for (size_t i = 0; i < comparisons->count; i++) {
        const struct group_comparison *item = &comparisons->items[i];
        if (item->key.scene == line->scene && item->comparison.verdict == VERDICT_WORSE &&
            item->figure != COMPARED_MAX &&
            queue_is_in_scope(queue->session, item->key.device, item->key.scene, item->key.quality) &&
            !has_open_stutter(queue, &item->key))
            array_push(&line->drifts, *item);
    }
    /* The device that the line names stands first. */
    for (size_t i = 1; i < line->drifts.count; i++)
        if (line->drifts.items[i].key.device == line->device &&
            line->drifts.items[0].key.device != line->device) {
            struct group_comparison first = line->drifts.items[0];
            line->drifts.items[0] = line->drifts.items[i];
            line->drifts.items[i] = first;
        }
}

static void word_silence(struct queue *queue, struct queue_line *line, const struct coverage *coverage)
{
    const struct coverage_device *device = coverage ? coverage_find(coverage, line->device) : NULL;
    const char *since = device ? model_build_name(queue->session->model, device->cell.since) : NULL;
    line->what = memory_copy_text(line->kind == QUEUE_SILENT ? "no upload" : "fewer runs");
    line->where = memory_copy_text("all");
    line->devices = queue_device_title(queue->session, line->device);
    if (device) {
        line->runs_hit = device->cell.runs;
        line->runs = device->cell.expected;
    }
    if (line->kind == QUEUE_SILENT)
        line->why = since ? memory_print("silent since %s", since) : memory_copy_text("silent");
    else
        line->why = memory_print("%lld of %lld runs", (long long)line->runs_hit, (long long)line->runs);
}

static void word_drift(struct queue *queue, struct queue_line *line)
{
    struct session *session = queue->session;
    struct device_ids devices = {0};
    queue_note_device(&devices, line->device);
    for (size_t i = 0; i < line->drifts.count; i++)
        queue_note_device(&devices, line->drifts.items[i].key.device);
    line->devices = queue_devices_text(session, &devices);
    line->where = memory_copy_text(model_scene_name(session->model, line->scene));
    line->what = memory_copy_text("whole scene");
    line->why = memory_copy_text("worse than the baseline");
    line->verdict = VERDICT_WORSE;
    if (line->drifts.count == 0)
        return;
    const struct group_comparison *worst = &line->drifts.items[0];
    free(line->what);
    free(line->why);
    line->what = memory_print("whole scene %s", queue_figure_title(worst->figure));
    line->why = memory_print("worse: %s", worst->comparison.reason);
    if (worst->figure != COMPARED_HITCH_RATIO) {
        line->peak_ns =
            isfinite(worst->comparison.after) ? llround(worst->comparison.after * NS_PER_MS) : VALUE_UNKNOWN;
        line->delta_ns =
            isfinite(worst->comparison.delta) ? llround(worst->comparison.delta * NS_PER_MS) : VALUE_UNKNOWN;
    }
}

static void word_slow(struct queue *queue, struct queue_line *line, const struct finding *worst,
                      size_t devices)
{
    char *title = queue_device_title(queue->session, line->device);
    line->what = memory_copy_text("whole scene slow");
    line->where = memory_copy_text(model_scene_name(queue->session->model, line->scene));
    line->devices = devices > 1 ? memory_print("%s +%zu", title, devices - 1) : memory_copy_text(title);
    line->why = memory_copy_text(worst->reason);
    free(title);
}

/* "MG-1171, 0 hitches in 15"; "not enough" when one of the members was seen too rarely. */
static void word_verify(struct queue_line *line, int64_t seen, bool enough)
{
    const char *state = triage_state_name(line->triage.state);
    char *ticket = line->triage.ticket ? text_clean(line->triage.ticket, strlen(line->triage.ticket)) : NULL;
    if (line->runs_hit)
        line->why = memory_print("%s%s%s, but still there", state, ticket ? " " : "", ticket ? ticket : "");
    else
        line->why = memory_print("%s, 0 hitches in %lld%s", ticket ? ticket : state, (long long)seen,
                                 enough ? "" : ": not enough");
    line->verdict = line->runs_hit ? VERDICT_SAME : VERDICT_GONE;
    free(ticket);
}

/* One line per event and scene. */
static void add_verify_line(struct queue *queue, const struct findings *findings,
                            const struct verify_line *found)
{
    struct session *session = queue->session;
    const struct verify_item *items = &findings->verify.items[found->first];
    const char *event = model_text(session->model, found->event);
    struct device_ids devices = {0};
    int64_t seen = 0;
    bool enough = true;
    struct queue_line *line = queue_add_line(queue, (struct queue_line){.kind = QUEUE_VERIFY,
                                                                  .event = found->event,
                                                                  .scene = found->scene,
                                                                  .section = SECTION_VERIFY,
                                                                  .severity = NAN,
                                                                  .gone = true});
    line->triage = items[0].triage;
    line->device = items[0].subject.key.device;
    for (size_t i = 0; i < found->count; i++) {
        queue_note_device(&devices, items[i].subject.key.device);
        array_push(&line->subjects, items[i].subject);
        seen += items[i].seen;
        enough = enough && items[i].needed == 0;
        line->runs_hit += items[i].hits;
        line->runs += items[i].runs;
        line->gone = line->gone && items[i].verdict == VERDICT_GONE;
    }
    line->devices = queue_devices_text(session, &devices);
    line->where = memory_copy_text(model_scene_name(session->model, found->scene));
    line->what = memory_copy_text(event ? event : "(no event)");
    word_verify(line, seen, enough);
}

static const enum queue_kind line_kinds[FINDING_KIND_COUNT] = {
    [FINDING_HITCH] = QUEUE_STUTTER, [FINDING_DRIFT] = QUEUE_DRIFT,     [FINDING_SLOW] = QUEUE_SLOW,
    [FINDING_SILENT] = QUEUE_SILENT, [FINDING_PARTIAL] = QUEUE_PARTIAL,
};

static bool line_is_in_scope(const struct queue *queue, const struct findings *findings,
                             const struct finding_line *found)
{
    for (size_t i = found->first; i < found->first + found->count; i++) {
        const struct group_key *key = &findings->items.items[i].key;
        if (queue_is_in_scope(queue->session, key->device, key->scene, key->scene ? key->quality : -1))
            return true;
    }
    return false;
}

struct finding_sources {
    const struct findings *findings;
    const struct group_comparisons *comparisons;
    const struct coverage *coverage;
};

/* A line that is no stutter's. */
static void add_finding_line(struct queue *queue, const struct finding_sources *sources, size_t order)
{
    const struct finding_line *found = &sources->findings->lines.items[order];
    const struct finding *worst = &sources->findings->items.items[found->first];
    struct queue_line *line =
        queue_add_line(queue, (struct queue_line){.kind = line_kinds[found->kind],
                                            .event = found->event,
                                            .scene = found->scene,
                                            .device = found->device,
                                            .verdict = found->verdict,
                                            .section = found->decide ? SECTION_DECIDE : SECTION_DECIDED});
    line->order = order;
    line->triage = worst->triage;
    for (size_t i = found->first; i < found->first + found->count; i++)
        array_push(&line->subjects, finding_subject(&sources->findings->items.items[i]));
    if (found->kind == FINDING_DRIFT) {
        add_drifts(queue, line, sources->comparisons);
        word_drift(queue, line);
    } else if (found->kind == FINDING_SLOW) {
        word_slow(queue, line, worst, found->devices);
    } else {
        word_silence(queue, line, sources->coverage);
    }
}

/* What is to decide and to verify comes from where the Map and the tab have it, so that the numbers are the same
 * everywhere. */
bool queue_add_findings(struct queue *queue, const struct findings *findings,
                         const struct progress *progress, struct error *error)
{
    struct session *session = queue->session;
    struct finding_sources sources = {findings, model_compare_groups(session->model, session->build, session->baseline,
                                                                     session->as_it_is, progress, error),
                                      NULL};
    struct coverage *coverage = NULL;
    if (sources.comparisons == NULL || !model_coverage(session->model, session->build, &coverage, error))
        return false;
    sources.coverage = coverage;
    for (size_t i = 0; i < findings->lines.count; i++) {
        const struct finding_line *found = &findings->lines.items[i];
        bool hitch = found->kind == FINDING_HITCH;
        struct queue_line *line =
            hitch ? queue_find_line(queue, QUEUE_STUTTER, LABEL_GAMEPLAY, found->event, found->scene, 0) : NULL;
        if (line)
            line->order = i;
        else if (!hitch && line_is_in_scope(queue, findings, found))
            add_finding_line(queue, &sources, i);
    }
    for (size_t i = 0; i < findings->verify_lines.count; i++) {
        const struct verify_line *found = &findings->verify_lines.items[i];
        const struct group_key *key = &findings->verify.items[found->first].subject.key;
        if (queue_is_in_scope(session, key->device, key->scene, key->quality))
            add_verify_line(queue, findings, found);
    }
    coverage_destroy(coverage);
    return true;
}
