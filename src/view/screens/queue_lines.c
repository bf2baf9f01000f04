/* From the model's stutters, comparisons and coverage to lines: one per probable bug. */
#include "queue_lines.h"

#include "figure_text.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/coverage.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum queue_section section_of(enum verdict verdict)
{
    static const enum queue_section sections[VERDICT_COUNT] = {
        [VERDICT_NONE] = SECTION_UNCLEAR,    [VERDICT_NEW] = SECTION_DECIDE,
        [VERDICT_BACK] = SECTION_DECIDE,     [VERDICT_WORSE] = SECTION_DECIDE,
        [VERDICT_BETTER] = SECTION_SAME,     [VERDICT_SAME] = SECTION_SAME,
        [VERDICT_SPORADIC] = SECTION_ONCE,   [VERDICT_GONE] = SECTION_GONE,
        [VERDICT_MISSING] = SECTION_UNCLEAR, [VERDICT_NOT_EXERCISED] = SECTION_NOT_EXERCISED,
    };
    return verdict < VERDICT_COUNT ? sections[verdict] : SECTION_UNCLEAR;
}

enum queue_section queue_section_of(const struct stutter_entry *entry)
{
    if (entry->stutter.label != LABEL_GAMEPLAY)
        return SECTION_TRANSITIONS;
    return entry->present && entry->triage.state != TRIAGE_UNDECIDED ? SECTION_DECIDED
                                                                     : section_of(entry->verdict);
}

static void line_free(struct queue_line *line)
{
    array_free(&line->members);
    array_free(&line->drifts);
    array_free(&line->subjects);
    free(line->what);
    free(line->where);
    free(line->devices);
    free(line->why);
}

void queue_clear_lines(struct queue *queue)
{
    for (size_t i = 0; i < queue->lines.count; i++)
        line_free(&queue->lines.items[i]);
    array_free(&queue->lines);
    array_free(&queue->rows);
}

struct queue_line *queue_add_line(struct queue *queue, struct queue_line line)
{
    line.order = SIZE_MAX;
    if (line.kind != QUEUE_STUTTER)
        line.peak_ns = line.delta_ns = VALUE_UNKNOWN;
    array_push(&queue->lines, line);
    return &queue->lines.items[queue->lines.count - 1];
}

struct queue_line *queue_find_line(struct queue *queue, enum queue_kind kind, enum frame_label label,
                                    int64_t event, int64_t scene, int64_t device)
{
    for (size_t i = 0; i < queue->lines.count; i++) {
        struct queue_line *line = &queue->lines.items[i];
        bool same_device = (kind != QUEUE_SILENT && kind != QUEUE_PARTIAL) || line->device == device;
        if (line->kind == kind && line->label == label && line->event == event && line->scene == scene &&
            same_device)
            return line;
    }
    return NULL;
}

/* The scope (Enter on a cell, `a` widens) and the quality. device, scene, quality 0, 0, -1: not asked. */
bool queue_is_in_scope(const struct session *session, int64_t device, int64_t scene, int64_t quality)
{
    return (!session->only_device || !device || session->only_device == device) &&
           (!session->only_scene || !scene || session->only_scene == scene) &&
           (session->quality < 0 || quality < 0 || session->quality == quality);
}

/* What is to verify has a line of its own. */
static bool is_to_verify(const struct findings *findings, const struct stutter_entry *entry)
{
    for (size_t i = 0; i < findings->verify.count; i++)
        if (strcmp(findings->verify.items[i].fingerprint, entry->fingerprint) == 0)
            return true;
    return false;
}

static void add_entries(struct queue *queue, const struct stutter_entries *entries,
                        const struct findings *findings)
{
    for (size_t i = 0; i < entries->count; i++) {
        struct stutter_entry entry = entries->items[i];
        const struct stutter *stutter = &entry.stutter;
        if (is_to_verify(findings, &entry))
            continue;
        if (!queue_is_in_scope(queue->session, stutter->key.device, stutter->key.scene, stutter->key.quality))
            continue;
        struct queue_line *line =
            queue_find_line(queue, QUEUE_STUTTER, stutter->label, stutter->event, stutter->key.scene, 0);
        if (line == NULL)
            line = queue_add_line(queue, (struct queue_line){.label = stutter->label,
                                                       .event = stutter->event,
                                                       .scene = stutter->key.scene,
                                                       .section = SECTION_COUNT});
        memset(&entry.clean_devices, 0, sizeof entry.clean_devices);
        array_push(&line->members, entry);
        if (queue_section_of(&entry) < line->section)
            line->section = queue_section_of(&entry);
        queue->stutters += stutter->label == LABEL_GAMEPLAY && entry.present;
    }
}

/* Members that put the line where it is come first; otherwise the model's order, worst first, stays. */
static void order_members(struct queue_line *line)
{
    struct queue_members sorted = {0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < line->members.count; i++)
            if ((queue_section_of(&line->members.items[i]) == line->section) == (pass == 0))
                array_push(&sorted, line->members.items[i]);
    array_free(&line->members);
    line->members = sorted;
}

char *queue_device_title(const struct session *session, int64_t device)
{
    const struct device_row *row = model_device(session->model, device);
    return memory_copy_text(row ? model_device_title(row) : "?");
}

void queue_note_device(struct device_ids *devices, int64_t device)
{
    for (size_t i = 0; i < devices->count; i++)
        if (devices->items[i] == device)
            return;
    array_push(devices, device);
}

/* "Galaxy S23 Ultra +2": the pane has them all. */
char *queue_devices_text(struct session *session, struct device_ids *devices)
{
    char *title = queue_device_title(session, devices->count ? devices->items[0] : 0);
    char *text =
        devices->count > 1 ? memory_print("%s +%zu", title, devices->count - 1) : memory_copy_text(title);
    free(title);
    array_free(devices);
    return text;
}

const char *queue_figure_title(enum compared_figure figure)
{
    static const char *const titles[COMPARED_COUNT] = {"P95", "P99", "max", "hitch ratio", "peak", "rate"};
    return figure < COMPARED_COUNT ? titles[figure] : "?";
}

struct triage_subject queue_subject_of(const struct stutter_entry *entry)
{
    return (struct triage_subject){FINDING_HITCH, entry->stutter.key, entry->stutter.label, entry->stutter.event};
}

/* The verdict first: it is what is left of this in a narrow column; before it what people made of it. */
static char *entry_why(const struct stutter_entry *entry)
{
    const struct triage_facts *triage = &entry->triage;
    if (entry->stutter.label != LABEL_GAMEPLAY || entry->reason[0] == '\0')
        return memory_copy_text(entry->reason[0] ? entry->reason : verdict_name(entry->verdict));
    struct text_buffer text = {0};
    if (triage->state != TRIAGE_UNDECIDED || triage->reopened) {
        char *ticket = triage->ticket ? text_clean(triage->ticket, strlen(triage->ticket)) : NULL;
        text_add_print(&text, "%s%s%s%s, ",
                       triage->reopened ? "was "
                       : triage->joined ? "joined "
                                        : "",
                       triage_state_name(triage->reopened ? triage->was : triage->state), ticket ? " " : "",
                       ticket ? ticket : "");
        free(ticket);
    }
    text_add_print(&text, "%s: %s",
                   entry->verdict == VERDICT_NONE ? "no verdict" : verdict_name(entry->verdict),
                   entry->reason);
    return text_take(&text);
}

static void word_stutter(struct queue *queue, struct queue_line *line)
{
    struct session *session = queue->session;
    order_members(line);
    const struct stutter_entry *worst = &line->members.items[0];
    const char *event = model_text(session->model, line->event);
    struct device_ids devices = {0};
    for (size_t i = 0; i < line->members.count; i++) {
        const struct stutter_entry *entry = &line->members.items[i];
        if (queue_section_of(entry) != line->section)
            continue;
        queue_note_device(&devices, entry->stutter.key.device);
        line->runs_hit += entry->stutter.runs_hit;
        line->runs += entry->stutter.runs;
    }
    line->devices = queue_devices_text(session, &devices);
    line->where = memory_copy_text(model_scene_name(session->model, line->scene));
    if (line->label == LABEL_GAMEPLAY)
        line->what = memory_copy_text(event ? event : "(no event)");
    else
        line->what =
            memory_print("%s%s%s", frame_label_name(line->label), event ? " " : "", event ? event : "");
    line->device = worst->stutter.key.device;
    line->verdict = worst->verdict;
    line->severity = worst->present ? worst->severity : NAN;
    line->peak_ns = worst->present ? worst->stutter.peak_ns : VALUE_UNKNOWN;
    line->delta_ns = worst->delta_peak_ns;
    line->why = entry_why(worst);
    line->triage = worst->triage;
    line->gone = worst->verdict == VERDICT_GONE;
    for (size_t i = 0; i < line->members.count; i++) {
        const struct stutter_entry *entry = &line->members.items[i];
        if (queue_section_of(entry) == line->section) /* the others stand unfolded beside them, no more */
            array_push(&line->subjects, queue_subject_of(entry));
    }
}

/* What of the old lines is worth keeping: which were unfolded. */
static void keep_unfolded(struct queue *queue, const struct queue *old)
{
    for (size_t i = 0; i < old->lines.count; i++) {
        const struct queue_line *line = &old->lines.items[i];
        struct queue_line *now =
            line->unfolded ? queue_find_line(queue, line->kind, line->label, line->event, line->scene, line->device)
                           : NULL;
        if (now)
            now->unfolded = true;
    }
}

static bool fill(struct queue *queue, const struct progress *progress, struct error *error)
{
    struct session *session = queue->session;
    const struct stutter_entries *entries = model_stutters(session->model, session->build, session->baseline,
                                                           session->as_it_is, progress, error);
    struct findings *findings;
    if (entries == NULL || !session_findings(session, &findings, error))
        return false;
    queue->to_decide = findings->to_decide;
    queue->to_verify = findings->to_verify;
    add_entries(queue, entries, findings);
    size_t stutter_lines = queue->lines.count;
    bool good = queue_add_findings(queue, findings, progress, error);
    for (size_t i = 0; i < stutter_lines; i++)
        word_stutter(queue, &queue->lines.items[i]);
    for (size_t i = 0; i < queue->lines.count; i++)
        queue->counts[queue->lines.items[i].section]++;
    const struct build_results *results =
        model_results(session->model, session->build, true, NULL, NULL);
    queue->waits = results != NULL && !results->complete;
    findings_destroy(findings);
    return good;
}

static bool is_about(const struct queue_line *line, const struct session *session)
{
    if (session->stutter[0] == '\0')
        return session->device && line->device == session->device && line->scene == session->scene;
    for (size_t i = 0; i < line->members.count; i++)
        if (strcmp(line->members.items[i].id, session->stutter) == 0)
            return true;
    return false;
}

/*
 * The cursor stays on what it was on, found by the line's key; where other screens went on to something else
 * meanwhile, it is on that.
 */
static void keep_cursor(struct queue *queue, const struct queue *old)
{
    const struct queue_line *was = queue_line_at(old, old->selected);
    const struct queue_line *kept =
        was ? queue_find_line(queue, was->kind, was->label, was->event, was->scene, was->device) : NULL;
    bool follows = kept == NULL || !is_about(kept, queue->session);
    for (int pass = follows ? 0 : 1; pass < 2; pass++) /* what the session is about, else what it was */
        for (size_t i = 0; i < queue->rows.count; i++) {
            const struct queue_row *row = &queue->rows.items[i];
            const struct queue_line *line = &queue->lines.items[row->line];
            if (row->kind == ROW_LINE && (pass == 0 ? is_about(line, queue->session) : line == kept)) {
                bool member =
                    pass == 1 && old->rows.items[old->selected].kind == ROW_MEMBER && line->unfolded;
                size_t down = member ? old->rows.items[old->selected].member + 1 : 0;
                queue->selected = i + down < queue->rows.count ? i + down : i;
                return;
            }
        }
    if (queue->selected >= queue->rows.count)
        queue->selected = queue->rows.count ? queue->rows.count - 1 : 0;
}

bool queue_build(struct queue *queue, const struct progress *progress, struct error *error)
{
    struct queue old = *queue;
    queue_pane_clear(&queue->pane);
    free(queue->summary);
    queue->summary = NULL;
    coverage_destroy(queue->coverage);
    queue->coverage = NULL;
    queue->baseline = queue->session->build ? model_usual_baseline(queue->session->model, queue->session->build, queue->session->baseline) : 0;
    memset(&queue->lines, 0, sizeof queue->lines);
    memset(&queue->rows, 0, sizeof queue->rows);
    memset(queue->counts, 0, sizeof queue->counts);
    queue->to_decide = queue->to_verify = queue->stutters = 0;
    bool good = queue->session->build == 0 || fill(queue, progress, error);
    if (good) {
        keep_unfolded(queue, &old);
        queue_make_rows(queue);
        keep_cursor(queue, &old);
        queue_describe(queue);
    } else {
        queue_clear_lines(queue);
    }
    queue_clear_lines(&old);
    return good;
}
