/* From the model's stutters, comparisons and coverage to lines: one per probable bug. */
#include "queue.h"

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

static enum queue_section section_of_entry(const struct stutter_entry *entry)
{
    return entry->stutter.label == LABEL_GAMEPLAY ? section_of(entry->verdict) : SECTION_TRANSITIONS;
}

static void line_free(struct queue_line *line)
{
    array_free(&line->members);
    array_free(&line->drifts);
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

static struct queue_line *add_line(struct queue *queue, struct queue_line line)
{
    line.order = SIZE_MAX;
    if (line.kind != QUEUE_STUTTER)
        line.peak_ns = line.delta_ns = VALUE_UNKNOWN;
    array_push(&queue->lines, line);
    return &queue->lines.items[queue->lines.count - 1];
}

static struct queue_line *find_line(struct queue *queue, enum queue_kind kind, enum frame_label label,
                                    int64_t event, int64_t scene, int64_t device)
{
    for (size_t i = 0; i < queue->lines.count; i++) {
        struct queue_line *line = &queue->lines.items[i];
        bool same_device = kind == QUEUE_STUTTER || kind == QUEUE_DRIFT || line->device == device;
        if (line->kind == kind && line->label == label && line->event == event && line->scene == scene &&
            same_device)
            return line;
    }
    return NULL;
}

/* The scope (Enter on a cell, `a` widens) and the quality. device, scene, quality 0, 0, -1: not asked. */
static bool is_in_scope(const struct session *session, int64_t device, int64_t scene, int64_t quality)
{
    return (!session->only_device || !device || session->only_device == device) &&
           (!session->only_scene || !scene || session->only_scene == scene) &&
           (session->quality < 0 || quality < 0 || session->quality == quality);
}

static void add_entries(struct queue *queue, const struct stutter_entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        struct stutter_entry entry = entries->items[i];
        const struct stutter *stutter = &entry.stutter;
        if (!is_in_scope(queue->session, stutter->key.device, stutter->key.scene, stutter->key.quality))
            continue;
        struct queue_line *line =
            find_line(queue, QUEUE_STUTTER, stutter->label, stutter->event, stutter->key.scene, 0);
        if (line == NULL)
            line = add_line(queue, (struct queue_line){.label = stutter->label,
                                                       .event = stutter->event,
                                                       .scene = stutter->key.scene,
                                                       .section = SECTION_COUNT});
        memset(&entry.clean_devices, 0, sizeof entry.clean_devices);
        array_push(&line->members, entry);
        if (section_of_entry(&entry) < line->section)
            line->section = section_of_entry(&entry);
        queue->stutters += stutter->label == LABEL_GAMEPLAY && entry.present;
    }
}

/* Members that put the line where it is come first; otherwise the model's order, worst first, stays. */
static void order_members(struct queue_line *line)
{
    struct queue_members sorted = {0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < line->members.count; i++)
            if ((section_of_entry(&line->members.items[i]) == line->section) == (pass == 0))
                array_push(&sorted, line->members.items[i]);
    array_free(&line->members);
    line->members = sorted;
}

static bool has_open_stutter(const struct queue *queue, const struct group_key *key)
{
    for (size_t i = 0; i < queue->lines.count; i++) {
        const struct queue_line *line = &queue->lines.items[i];
        for (size_t m = 0; line->kind == QUEUE_STUTTER && m < line->members.count; m++) {
            const struct stutter_entry *entry = &line->members.items[m];
            if (entry->stutter.key.device == key->device && entry->stutter.key.scene == key->scene &&
                entry->stutter.key.quality == key->quality && section_of_entry(entry) == SECTION_DECIDE)
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
            is_in_scope(queue->session, item->key.device, item->key.scene, item->key.quality) &&
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

static char *device_title(const struct session *session, int64_t device)
{
    const struct device_row *row = model_device(session->model, device);
    return memory_copy_text(row ? model_device_title(row) : "?");
}

static void word_silence(struct queue *queue, struct queue_line *line, const struct coverage *coverage)
{
    const struct coverage_device *device = coverage ? coverage_find(coverage, line->device) : NULL;
    const char *since = device ? model_build_name(queue->session->model, device->cell.since) : NULL;
    line->what = memory_copy_text(line->kind == QUEUE_SILENT ? "no upload" : "fewer runs");
    line->where = memory_copy_text("all");
    line->devices = device_title(queue->session, line->device);
    if (device) {
        line->runs_hit = device->cell.runs;
        line->runs = device->cell.expected;
    }
    if (line->kind == QUEUE_SILENT)
        line->why = since ? memory_print("silent since %s", since) : memory_copy_text("silent");
    else
        line->why = memory_print("%lld of %lld runs", (long long)line->runs_hit, (long long)line->runs);
}

struct device_ids {
    int64_t *items;
    size_t count, capacity;
};

static void note_device(struct device_ids *devices, int64_t device)
{
    for (size_t i = 0; i < devices->count; i++)
        if (devices->items[i] == device)
            return;
    array_push(devices, device);
}

/* "Galaxy S23 Ultra +2": the pane has them all. */
static char *devices_text(struct session *session, struct device_ids *devices)
{
    char *title = device_title(session, devices->count ? devices->items[0] : 0);
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

static void word_drift(struct queue *queue, struct queue_line *line)
{
    struct session *session = queue->session;
    struct device_ids devices = {0};
    note_device(&devices, line->device);
    for (size_t i = 0; i < line->drifts.count; i++)
        note_device(&devices, line->drifts.items[i].key.device);
    line->devices = devices_text(session, &devices);
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

/* The verdict first: it is what is left of this in a narrow column. */
static char *entry_why(const struct stutter_entry *entry)
{
    if (entry->stutter.label != LABEL_GAMEPLAY || entry->reason[0] == '\0')
        return memory_copy_text(entry->reason[0] ? entry->reason : verdict_name(entry->verdict));
    return memory_print("%s: %s",
                        entry->verdict == VERDICT_NONE ? "no verdict" : verdict_name(entry->verdict),
                        entry->reason);
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
        if (section_of_entry(entry) != line->section)
            continue;
        note_device(&devices, entry->stutter.key.device);
        line->runs_hit += entry->stutter.runs_hit;
        line->runs += entry->stutter.runs;
    }
    line->devices = devices_text(session, &devices);
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
}

/* What is to decide comes from where the Map and the tab have it, so that the numbers are the same
 * everywhere. */
static bool add_open_items(struct queue *queue, const struct progress *progress, struct error *error)
{
    struct session *session = queue->session;
    struct open_items open = {0};
    const struct group_comparisons *comparisons = model_compare_groups(
        session->model, session->build, session->baseline, session->as_it_is, progress, error);
    struct coverage *coverage = NULL;
    if (comparisons == NULL || !session_open_items(session, &open, error) ||
        !model_coverage(session->model, session->build, &coverage, error)) {
        free(open.items);
        return false;
    }
    static const enum queue_kind kinds[] = {[OPEN_STUTTER] = QUEUE_STUTTER,
                                            [OPEN_DRIFT] = QUEUE_DRIFT,
                                            [OPEN_SILENT] = QUEUE_SILENT,
                                            [OPEN_PARTIAL] = QUEUE_PARTIAL};
    queue->to_decide = open.count;
    for (size_t i = 0; i < open.count; i++) {
        const struct open_item *item = &open.items[i];
        enum queue_kind kind = kinds[item->kind];
        bool whole_device = kind == QUEUE_SILENT || kind == QUEUE_PARTIAL;
        struct queue_line *line = find_line(queue, kind, LABEL_GAMEPLAY, whole_device ? 0 : item->event,
                                            whole_device ? 0 : item->scene, item->device);
        if (line == NULL && (kind == QUEUE_STUTTER ||
                             !is_in_scope(session, whole_device ? item->device : 0, item->scene, -1)))
            continue; /* not in the scope */
        if (line == NULL)
            line = add_line(queue, (struct queue_line){.kind = kind,
                                                       .event = item->event,
                                                       .scene = item->scene,
                                                       .device = item->device,
                                                       .verdict = item->verdict});
        line->section = SECTION_DECIDE;
        line->order = i;
        if (kind == QUEUE_DRIFT) {
            add_drifts(queue, line, comparisons);
            word_drift(queue, line);
        } else if (whole_device) {
            word_silence(queue, line, coverage);
        }
    }
    coverage_destroy(coverage);
    free(open.items);
    return true;
}

/* What of the old lines is worth keeping: which were unfolded. */
static void keep_unfolded(struct queue *queue, const struct queue *old)
{
    for (size_t i = 0; i < old->lines.count; i++) {
        const struct queue_line *line = &old->lines.items[i];
        struct queue_line *now =
            line->unfolded ? find_line(queue, line->kind, line->label, line->event, line->scene, line->device)
                           : NULL;
        if (now)
            now->unfolded = true;
    }
}

static bool fill(struct queue *queue, const struct progress *progress, struct error *error)
{
    struct session *session = queue->session;
    const struct stutter_entries *entries =
        model_stutters(session->model, session->build, session->baseline, session->as_it_is, progress, error);
    if (entries == NULL)
        return false;
    add_entries(queue, entries);
    size_t stutter_lines = queue->lines.count;
    if (!add_open_items(queue, progress, error))
        return false;
    for (size_t i = 0; i < stutter_lines; i++)
        word_stutter(queue, &queue->lines.items[i]);
    for (size_t i = 0; i < queue->lines.count; i++)
        queue->counts[queue->lines.items[i].section]++;
    const struct build_results *results = model_results(session->model, session->build, true, NULL, NULL);
    queue->waits = results != NULL && !results->complete;
    return true;
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
        was ? find_line(queue, was->kind, was->label, was->event, was->scene, was->device) : NULL;
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
    memset(&queue->lines, 0, sizeof queue->lines);
    memset(&queue->rows, 0, sizeof queue->rows);
    memset(queue->counts, 0, sizeof queue->counts);
    queue->to_decide = queue->stutters = 0;
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
