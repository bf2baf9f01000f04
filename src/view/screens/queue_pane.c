/* Everything about the line at the cursor: its devices, where it is clean, since when, how far it reaches. */
#include "queue.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/coverage.h"
#include "stutterscope/model/detail.h"
#include "stutterscope/view/chart.h"
#include "figure_text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void queue_pane_clear(struct queue_pane *pane)
{
    for (size_t i = 0; i < pane->texts.count; i++)
        free(pane->texts.items[i].text);
    array_free(&pane->texts);
    array_free(&pane->members);
    free(pane->title);
    memset(pane, 0, sizeof *pane);
}

static void add_text(struct queue_pane *pane, const char *label, unsigned style, char *text)
{
    if (text == NULL || *text == '\0') {
        free(text);
        return;
    }
    array_push(&pane->texts, (struct pane_text) {label, text, style});
}

static const char *title_of(const struct session *session, int64_t device)
{
    const struct device_row *row = model_device(session->model, device);
    return row ? model_device_title(row) : "?";
}

static const char *quality_of(const struct session *session, int64_t quality)
{
    const char *name = model_quality_name(session->model, quality);
    return name ? name : "?";
}

/* "4/5 ▪▪▫▪▪" in the order of the runs; only the share while results are incomplete or the runs are many. */
static void word_strip(struct queue *queue, const struct stutter_entry *entry, char *buffer, size_t size)
{
    enum { MOST_RUNS = 12 };
    struct stutter_runs runs = {0};
    size_t used = (size_t) snprintf(buffer, size, "%s ", figure_share(entry->stutter.runs_hit, entry->stutter.runs).text);
    if (queue->waits || entry->stutter.runs > MOST_RUNS ||
        !model_stutter_runs(queue->session->model, entry, &runs, NULL))
        return;
    for (size_t i = 0; i < runs.count && i < MOST_RUNS; i++)
        if (runs.items[i].can_show)
            used += (size_t) snprintf(buffer + used, size - used, "%s", runs.items[i].hit ? "▪" : "▫");
    stutter_runs_free(&runs);
}

/* Peak of the stutter's event in one build's group, in ms. */
static double peak_in_build(struct session *session, const struct stutter_entry *entry, int64_t build)
{
    struct group_key key = entry->stutter.key;
    key.build = build;
    const struct build_results *results =
        model_group_has_frames(session->model, &key) ? model_results(session->model, build, true, NULL, NULL) : NULL;
    size_t count = 0;
    const struct event_figures *events = results ? results_events(results, &key, &count) : NULL;
    double peak = NAN;
    for (size_t i = 0; i < count; i++) {
        double here = (double) events[i].peak_ns / NS_PER_MS;
        if (events[i].event == entry->stutter.event && events[i].peak_ns != VALUE_UNKNOWN && !(here <= peak))
            peak = here;
    }
    return peak;
}

static void fill_history(struct queue *queue, struct pane_member *member)
{
    const struct build_list *builds = model_builds(queue->session->model);
    int64_t position = model_build_position(queue->session->model, queue->session->build);
    for (int i = 0; i < QUEUE_BUILDS; i++) {
        int64_t at = position - (QUEUE_BUILDS - 1) + i;
        member->history[i] = NAN;
        if (at >= 0 && at < (int64_t) builds->count)
            member->history[i] = peak_in_build(queue->session, member->entry, builds->items[at].id);
        if (member->history[i] > queue->pane.highest)
            queue->pane.highest = member->history[i];
    }
}

static void add_member(struct queue *queue, const struct stutter_entry *entry)
{
    struct session *session = queue->session;
    struct pane_member member = {.entry = entry, .cpu_ns = VALUE_UNKNOWN, .gpu_ns = VALUE_UNKNOWN};
    const struct build_results *results = model_results(session->model, session->build, true, NULL, NULL);
    const struct stutter_window *worst =
        results && entry->present ? results_window(results, entry->stutter.worst_window) : NULL;
    snprintf(member.device, sizeof member.device, "%s", title_of(session, entry->stutter.key.device));
    snprintf(member.quality, sizeof member.quality, "%s", quality_of(session, entry->stutter.key.quality));
    word_strip(queue, entry, member.strip, sizeof member.strip);
    if (worst) {
        member.cpu_ns = worst->cpu_at_peak_ns;
        member.gpu_ns = worst->gpu_at_peak_ns;
        causes_print(member.cause, sizeof member.cause, worst);
    }
    fill_history(queue, &member);
    array_push(&queue->pane.members, member);
}

static bool is_member(const struct queue_line *line, int64_t device)
{
    for (size_t i = 0; i < line->members.count; i++)
        if (line->members.items[i].stutter.key.device == device)
            return true;
    return false;
}

static void add_name(struct text_buffer *text, const char *name, const char *after)
{
    text_add_print(text, "%s%s%s", text->count ? ", " : "", name, after);
}

/* The devices that met the event there without such a stutter, as the model has them for the line's worst member. */
static char *clean_text(struct queue *queue, const struct queue_line *line)
{
    struct session *session = queue->session;
    struct text_buffer text = {0};
    const struct stutter_entries *entries =
        model_stutters(session->model, session->build, session->baseline, true, NULL, NULL);
    for (size_t i = 0; entries && i < entries->count; i++) {
        const struct stutter_entry *entry = &entries->items[i];
        if (strcmp(entry->id, line->members.items[0].id) != 0)
            continue;
        for (size_t d = 0; d < entry->clean_devices.count; d++)
            add_name(&text, title_of(session, entry->clean_devices.items[d]), "");
    }
    if (text.count)
        text_add(&text, ": met it, no stutter");
    return text_take(&text);
}

/* Groups of the scene that cannot say: few frames, sampled, slow. */
static char *unclear_text(struct queue *queue, const struct queue_line *line)
{
    struct session *session = queue->session;
    const struct build_results *results = model_results(session->model, session->build, true, NULL, NULL);
    struct text_buffer text = {0};
    for (size_t i = 0; results && i < results->groups.count; i++) {
        const struct group_figures *group = &results->groups.items[i];
        if (group->key.scene != line->scene || is_member(line, group->key.device))
            continue;
        const char *why = group->flags & FIGURE_SAMPLED       ? " sampled"
                          : group->flags & FIGURE_NO_WINDOWS  ? " no windows"
                          : group->flags & FIGURE_FEW         ? " few frames"
                          : group->flags & FIGURE_SLOW        ? " slow"
                                                              : NULL;
        if (why)
            add_name(&text, title_of(session, group->key.device), why);
    }
    return text_take(&text);
}

static void add_build(struct text_buffer *text, const struct session *session, const char *before, int64_t id)
{
    const struct build_row *build = model_build(session->model, id);
    if (build)
        text_add_print(text, "%s%s %s%s%s", text->count ? ", " : "", before, build->name, build->commit ? " " : "",
                       build->commit ? build->commit : "");
}

static char *since_text(const struct session *session, const struct stutter_entry *entry)
{
    struct text_buffer text = {0};
    add_build(&text, session, "first seen", entry->first_seen_build);
    add_build(&text, session, "last clean", entry->last_clean_build);
    int64_t apart = model_build_position(session->model, entry->first_seen_build) -
                    model_build_position(session->model, entry->last_clean_build);
    if (entry->first_seen_build && entry->last_clean_build && apart > 1)
        text_add_print(&text, ": %lld builds between", (long long) apart - 1);
    const struct build_row *build = model_build(session->model, entry->first_seen_build);
    if (build && build->ci_run)
        text_add_print(&text, " · CI %s", build->ci_run);
    return text_take(&text);
}

/* Devices with frames in this build, and the share of their weight that the line's devices have. */
static char *reach_text(struct queue *queue, const struct queue_line *line)
{
    struct session *session = queue->session;
    const struct device_list *devices = model_devices(session->model);
    const struct build_results *results = model_results(session->model, session->build, true, NULL, NULL);
    double all = 0, mine = 0;
    int count = 0, hit = 0;
    int64_t windows = 0, seen = 0;
    for (size_t i = 0; results && i < devices->count; i++) {
        bool has_frames = false;
        for (size_t g = 0; g < results->groups.count && !has_frames; g++)
            has_frames = results->groups.items[g].key.device == devices->items[i].id;
        if (!has_frames)
            continue;
        bool member = is_member(line, devices->items[i].id);
        all += devices->items[i].weight;
        mine += member ? devices->items[i].weight : 0;
        count++;
        hit += member;
    }
    for (size_t i = 0; i < line->members.count; i++) {
        windows += line->members.items[i].stutter.windows;
        seen += line->members.items[i].stutter.seen;
    }
    struct text_buffer text = {0};
    text_add_print(&text, "%d of %d devices", hit, count);
    if (all > 0)
        text_add_print(&text, " = %s %% of fleet weight", figure_number(100 * mine / all, 0).text);
    if (seen > 0)
        text_add_print(&text, " · %lld windows in %lld %s", (long long) windows, (long long) seen,
                       line->event ? "occurrences" : "runs");
    return text_take(&text);
}

static void describe_stutter(struct queue *queue, const struct queue_line *line)
{
    struct queue_pane *pane = &queue->pane;
    pane->title = memory_print("%s × %s", line->what, line->where);
    for (size_t i = 0; i < line->members.count; i++)
        add_member(queue, &line->members.items[i]);
    add_text(pane, "why", ROLE_CHROME, memory_copy_text(line->why));
    if (line->event)
        add_text(pane, "clean", ROLE_GOOD, clean_text(queue, line));
    add_text(pane, "unclear", ROLE_MISSING, unclear_text(queue, line));
    add_text(pane, "since", ROLE_CHROME, since_text(queue->session, &line->members.items[0]));
    add_text(pane, "reach", ROLE_CHROME, reach_text(queue, line));
}

static void describe_drift(struct queue *queue, const struct queue_line *line)
{
    struct session *session = queue->session;
    queue->pane.title = memory_print("%s: worse, no single stutter behind it", line->where);
    for (size_t i = 0; i < line->drifts.count; i++) {
        const struct group_comparison *drift = &line->drifts.items[i];
        const char *baseline = model_build_name(session->model, drift->baseline_build);
        add_text(&queue->pane, "drift", ROLE_CHROME,
                 memory_print("%s %s: %s%s%s", title_of(session, drift->key.device),
                              quality_of(session, drift->key.quality), drift->comparison.reason,
                              baseline ? ", against " : "", baseline ? baseline : ""));
    }
}

static void describe_silence(struct queue *queue, const struct queue_line *line)
{
    struct session *session = queue->session;
    struct coverage *coverage = NULL;
    queue->pane.title = memory_print("%s: %s", line->devices, line->kind == QUEUE_SILENT ? "no upload" : "fewer runs than usual");
    if (!model_coverage(session->model, session->build, &coverage, NULL))
        return;
    const struct coverage_device *device = coverage_find(coverage, line->device);
    if (device) {
        const char *since = model_build_name(session->model, device->cell.since);
        const char *last = model_build_name(session->model, device->cell.last);
        add_text(&queue->pane, "runs", ROLE_CHROME,
                 memory_print("%lld here, %lld usual (median of the last builds)", (long long) device->cell.runs,
                              (long long) device->cell.expected));
        add_text(&queue->pane, "since", ROLE_MISSING, since ? memory_print("missing since %s", since) : NULL);
        add_text(&queue->pane, "last", ROLE_CHROME, last ? memory_print("last upload with %s", last) : NULL);
    }
    add_text(&queue->pane, "to do", ROLE_CHROME,
             memory_copy_text("5 Cover shows which scenes are missing; retire or skip the device there"));
    coverage_destroy(coverage);
}

void queue_describe(struct queue *queue)
{
    queue_pane_clear(&queue->pane);
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    if (line == NULL)
        return;
    if (line->kind == QUEUE_STUTTER)
        describe_stutter(queue, line);
    else if (line->kind == QUEUE_DRIFT)
        describe_drift(queue, line);
    else
        describe_silence(queue, line);
}

/* ---- drawing ---- */

enum pane_column { PANE_DEVICE, PANE_QUALITY, PANE_PEAK, PANE_BASE, PANE_DELTA, PANE_RUNS, PANE_SEVERITY, PANE_CPU,
                   PANE_GPU, PANE_CAUSE, PANE_BUILDS, PANE_COLUMN_COUNT };

static const struct list_column pane_columns[PANE_COLUMN_COUNT] = {
    [PANE_DEVICE] = {"device", 10, 26, LINE_KEEP, ALIGN_LEFT, CUT_MIDDLE},
    [PANE_QUALITY] = {"Q", 6, 7, 8, ALIGN_LEFT, CUT_END},
    [PANE_PEAK] = {"peak", 5, 7, LINE_KEEP, ALIGN_RIGHT, CUT_HIDE},
    [PANE_BASE] = {"base", 4, 7, 5, ALIGN_RIGHT, CUT_HIDE},
    [PANE_DELTA] = {"Δ", 5, 8, 2, ALIGN_RIGHT, CUT_HIDE},
    [PANE_RUNS] = {"runs", 9, 18, 1, ALIGN_LEFT, CUT_END},
    [PANE_SEVERITY] = {"sev", 5, 7, 3, ALIGN_RIGHT, CUT_HIDE},
    [PANE_CPU] = {"CPU", 4, 6, 6, ALIGN_RIGHT, CUT_HIDE},
    [PANE_GPU] = {"GPU", 4, 6, 7, ALIGN_RIGHT, CUT_HIDE},
    [PANE_CAUSE] = {"cause (est.)", 12, 0, 4, ALIGN_LEFT, CUT_END, .takes_rest = true},
    [PANE_BUILDS] = {"builds", QUEUE_BUILDS / 2, QUEUE_BUILDS / 2, 9, ALIGN_LEFT, CUT_HIDE},
};

static void put_word(struct list_cell *cell, struct figure_text text)
{
    snprintf(cell->scratch, sizeof cell->scratch, "%s", text.text);
    cell->text = cell->scratch;
}

static void get_pane_cell(const void *user, int row, int column, struct list_cell *ret)
{
    const struct queue *queue = user;
    const struct pane_member *member = &queue->pane.members.items[row];
    const struct stutter_entry *entry = member->entry;
    switch ((enum pane_column) column) {
    case PANE_DEVICE:
        ret->text = member->device;
        break;
    case PANE_QUALITY:
        ret->text = member->quality;
        break;
    case PANE_PEAK:
        put_word(ret, entry->present ? figure_ms(entry->stutter.peak_ns) : (struct figure_text) {"gone"});
        break;
    case PANE_BASE:
        put_word(ret, figure_ms(entry->baseline_peak_ns));
        ret->style = ROLE_BASELINE;
        break;
    case PANE_DELTA:
        put_word(ret, figure_delta_ms(entry->delta_peak_ns));
        break;
    case PANE_RUNS:
        ret->text = member->strip;
        break;
    case PANE_SEVERITY:
        put_word(ret, entry->present ? figure_number(entry->severity, 1) : (struct figure_text) {""});
        break;
    case PANE_CPU:
        put_word(ret, figure_ms(member->cpu_ns));
        break;
    case PANE_GPU:
        put_word(ret, figure_ms(member->gpu_ns));
        break;
    case PANE_CAUSE:
        ret->text = member->cause;
        ret->style = ROLE_ESTIMATE;
        break;
    default:
        break;
    }
}

static struct list pane_list(const struct queue *queue)
{
    return (struct list) {.columns = pane_columns, .column_count = PANE_COLUMN_COUNT, .get = get_pane_cell,
                          .user = queue, .sorted_by = -1};
}

/* The member at the cursor when the line is unfolded; no row is selected otherwise. */
static int member_row(const struct queue *queue)
{
    const struct queue_row *row = &queue->rows.items[queue->selected];
    return row->kind == ROW_MEMBER ? (int) row->member : -1;
}

static void draw_sparklines(const struct queue *queue, struct canvas *canvas, struct area area, const struct list *list,
                            const struct scroll *scroll)
{
    int widths[PANE_COLUMN_COUNT] = {0}, at = area.column + 2, page = list_page(area);
    list_fit_columns(list, scroll, area, widths);
    if (widths[PANE_BUILDS] == 0)
        return;
    for (int i = 0; i < PANE_BUILDS; i++)
        at += widths[i] ? widths[i] + LIST_GAP : 0;
    int top = scroll_top(scroll, page);
    for (int i = 0; i < page && top + i < scroll->count; i++)
        chart_put_sparkline(canvas, area.row + LIST_HEAD_ROWS + i, at, ROLE_LANE_1,
                            queue->pane.members.items[top + i].history, QUEUE_BUILDS, 0, queue->pane.highest);
}

static int member_rows(const struct queue *queue)
{
    return queue->pane.members.count ? (int) queue->pane.members.count + LIST_HEAD_ROWS : 0;
}

int queue_pane_rows(const struct queue *queue, struct area area)
{
    (void) area;
    return member_rows(queue) + (int) queue->pane.texts.count;
}

void queue_pane_draw(const struct queue *queue, struct canvas *canvas, struct area area)
{
    const struct queue_pane *pane = &queue->pane;
    int texts = (int) pane->texts.count;
    if (pane->members.count) {
        /* At least two rows of devices; texts give way from the end. */
        int most = area.rows - (texts < 2 ? texts : 2);
        struct area top = area_take_top(&area, member_rows(queue) < most ? member_rows(queue) : most);
        struct list list = pane_list(queue);
        int at = member_row(queue);
        struct scroll scroll = {.count = (int) pane->members.count, .selected = at < 0 ? 0 : at};
        list_draw(canvas, top, &list, &scroll);
        if (at < 0) /* nothing is selected here: take the cursor of the list away */
            for (int column = top.column; column < top.column + top.columns; column++) {
                const struct canvas_cell *cell = canvas_cell(canvas, top.row + LIST_HEAD_ROWS, column);
                if (cell && STYLE_ROLE(cell->style) == ROLE_SELECTED)
                    canvas_set_role(canvas, (struct area) {top.row + LIST_HEAD_ROWS, column, 1, 1}, ROLE_MUTED);
            }
        if (at < 0 && top.rows > LIST_HEAD_ROWS)
            canvas_put(canvas, top.row + LIST_HEAD_ROWS, top.column, ROLE_CHROME, " ");
        draw_sparklines(queue, canvas, top, &list, &scroll);
    }
    for (int i = 0; i < texts && i < area.rows; i++) {
        const struct pane_text *text = &pane->texts.items[i];
        canvas_put_field(canvas, area.row + i, area.column + 2, 8, ROLE_HEAD, ALIGN_LEFT, CUT_END, text->label);
        canvas_put_field(canvas, area.row + i, area.column + 11, area.columns - 11, text->style, ALIGN_LEFT, CUT_END,
                         text->text);
    }
}

/* ---- i ---- */

static void explain_entry(struct session *session, struct text_buffer *text, const struct stutter_entry *entry)
{
    const char *baseline = model_build_name(session->model, entry->baseline_build);
    text_add_print(text, "# %s × %s %s\n", title_of(session, entry->stutter.key.device),
                   model_scene_name(session->model, entry->stutter.key.scene), quality_of(session, entry->stutter.key.quality));
    if (entry->present)
        text_add_print(text, "severity %s = peak %s ms × occurrence %s (%s runs) × weight %s\n",
                       figure_number(entry->severity, 1).text, figure_ms(entry->stutter.peak_ns).text,
                       figure_number(entry->occurrence, 2).text,
                       figure_share(entry->stutter.runs_hit, entry->stutter.runs).text, figure_number(entry->weight, 2).text);
    text_add_print(text, "verdict %s: %s\n", verdict_name(entry->verdict), entry->reason[0] ? entry->reason : "no reason given");
    if (baseline)
        text_add_print(text, "compared with %s%s: largest frame there at this event %s ms, change %s ms\n", baseline,
                       entry->baseline_pinned ? " (pinned)" : "",
                       entry->baseline_peak_ns == VALUE_UNKNOWN ? "not known" : figure_ms(entry->baseline_peak_ns).text,
                       entry->delta_peak_ns == VALUE_UNKNOWN ? "not known" : figure_delta_ms(entry->delta_peak_ns).text);
    else
        text_add(text, "no baseline to compare with\n");
    text_add_print(text, "seen %lld times, %lld windows\n", (long long) entry->stutter.seen, (long long) entry->stutter.windows);
    if (entry->history_short)
        text_add(text, "history short: fewer than 5 earlier runs, the noise was not tested\n");
    const struct build_results *results = model_results(session->model, session->build, true, NULL, NULL);
    const struct stutter_window *worst = results && entry->present ? results_window(results, entry->stutter.worst_window) : NULL;
    if (worst) {
        char *why = window_why_text(session->model, worst), *cause = window_cause_text(session->model, worst);
        text_add_print(text, "worst window, why picked:\n%s\nprobable cause (estimate):\n%s\n", why, cause);
        free(why);
        free(cause);
    }
    text_add_print(text, "id %s\n\n", entry->id);
}

char *queue_why_text(struct queue *queue)
{
    struct text_buffer text = {0};
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    if (line && queue->rows.items[queue->selected].kind == ROW_MEMBER && line->kind == QUEUE_STUTTER)
        explain_entry(queue->session, &text, queue_entry_at(queue, queue->selected));
    else if (line) {
        for (size_t i = 0; i < line->members.count; i++)
            explain_entry(queue->session, &text, &line->members.items[i]);
        for (size_t i = 0; line->kind != QUEUE_STUTTER && i < queue->pane.texts.count; i++)
            text_add_print(&text, "%s: %s\n", queue->pane.texts.items[i].label, queue->pane.texts.items[i].text);
    }
    return text_take(&text);
}
