/* Everything about the line at the cursor: its devices, where it is clean, since when, how far it reaches. */
#include "queue.h"

#include "figure_text.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/coverage.h"
#include "stutterscope/model/detail.h"
#include "stutterscope/model/status.h"
#include "words.h"
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
    array_push(&pane->texts, (struct pane_text){label, text, style});
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
    size_t used = (size_t)snprintf(buffer, size, "%s ",
                                   figure_share(entry->stutter.runs_hit, entry->stutter.runs).text);
    if (queue->waits || entry->stutter.runs > MOST_RUNS ||
        !model_stutter_hits(queue->session->model, entry, &runs, NULL))
        return;
    for (size_t i = 0; i < runs.count && i < MOST_RUNS; i++)
        if (runs.items[i].can_show)
            used += (size_t)snprintf(buffer + used, size - used, "%s", runs.items[i].hit ? "▪" : "▫");
    stutter_runs_free(&runs);
}

/* Peak of the stutter's event in one build's group, in ms. */
static double peak_in_build(struct session *session, const struct stutter_entry *entry, int64_t build)
{
    struct group_key key = entry->stutter.key;
    key.build = build;
    const struct build_results *results = model_group_has_frames(session->model, &key)
                                              ? model_results(session->model, build, true, NULL, NULL)
                                              : NULL;
    size_t count = 0;
    const struct event_figures *events = results ? results_events(results, &key, &count) : NULL;
    double peak = NAN;
    for (size_t i = 0; i < count; i++) {
        double here = (double)events[i].peak_ns / NS_PER_MS;
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
        if (at >= 0 && at < (int64_t)builds->count)
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
        results && entry->present ? results_worst_window(results, &entry->stutter) : NULL;
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

/* The devices that met the event there without such a stutter, as the model has them for the line's worst
 * member. */
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
        const char *why = group->flags & FIGURE_SAMPLED      ? " sampled"
                          : group->flags & FIGURE_NO_WINDOWS ? " no windows"
                          : group->flags & FIGURE_FEW        ? " few frames"
                          : group->flags & FIGURE_SLOW       ? " slow"
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
        text_add_print(text, "%s%s %s%s%s", text->count ? ", " : "", before, build->name,
                       build->commit ? " " : "", build->commit ? build->commit : "");
}

static char *since_text(const struct session *session, const struct stutter_entry *entry)
{
    struct text_buffer text = {0};
    add_build(&text, session, "first seen", entry->first_seen_build);
    add_build(&text, session, "last clean", entry->last_clean_build);
    int64_t apart = model_build_position(session->model, entry->first_seen_build) -
                    model_build_position(session->model, entry->last_clean_build);
    if (entry->first_seen_build && entry->last_clean_build && apart > 1)
        text_add_print(&text, ": %lld build%s between", (long long)apart - 1, text_plural(apart - 1));
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
    text_add_print(&text, "%d of %d device%s", hit, count, text_plural(count));
    if (all > 0)
        text_add_print(&text, " = %s %% of fleet weight", figure_number(100 * mine / all, 0).text);
    if (seen > 0)
        text_add_print(&text, " · %lld window%s in %lld %s%s", (long long)windows, text_plural(windows),
                       (long long)seen, line->event ? "occurrence" : "run", text_plural(seen));
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
    add_text(pane, "unclear", ROLE_WAIT, unclear_text(queue, line));
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
                 memory_print("%s %s: %s%s %s%s%s", title_of(session, drift->key.device),
                              quality_of(session, drift->key.quality), queue_figure_title(drift->figure),
                              drift->figure == COMPARED_HITCH_RATIO ? "" : " per run",
                              drift->comparison.reason, baseline ? ", against " : "",
                              baseline ? baseline : ""));
    }
}

static void describe_silence(struct queue *queue, const struct queue_line *line)
{
    struct session *session = queue->session;
    queue->pane.title = memory_print("%s: %s", line->devices,
                                     line->kind == QUEUE_SILENT ? "no upload" : "fewer runs than usual");
    if (!queue->coverage && !model_coverage(session->model, session->build, &queue->coverage, NULL))
        return;
    const struct coverage_device *device = coverage_find(queue->coverage, line->device);
    if (device) {
        const char *since = model_build_name(session->model, device->cell.since);
        const char *last = model_build_name(session->model, device->cell.last);
        add_text(&queue->pane, "runs", ROLE_CHROME,
                 memory_print("%lld here, %lld usual (median of the last builds)",
                              (long long)device->cell.runs, (long long)device->cell.expected));
        add_text(&queue->pane, "since", ROLE_MISSING, since ? memory_print("missing since %s", since) : NULL);
        add_text(&queue->pane, "last", ROLE_CHROME, last ? memory_print("last upload with %s", last) : NULL);
    }
    add_text(&queue->pane, "to do", ROLE_CHROME,
             memory_copy_text("5 Cover shows which scenes are missing; retire or skip the device there"));
}

static void add_decision_part(struct text_buffer *text, const char *before, const char *part)
{
    char *clean = part && *part ? text_clean(part, strlen(part)) : NULL;
    if (clean)
        text_add_print(text, "%s%s", before, clean);
    free(clean);
}

/* Lines whose reason says it all. */
static void describe_sentence(struct queue *queue, const struct queue_line *line)
{
    queue->pane.title = memory_print("%s × %s", line->what, line->where);
    add_text(&queue->pane, "devices", ROLE_CHROME, memory_copy_text(line->devices));
    add_text(&queue->pane, "why", ROLE_CHROME, memory_copy_text(line->why));
    if (line->kind == QUEUE_VERIFY)
        add_text(&queue->pane, "to do", ROLE_CHROME, memory_copy_text("V shows the figures of then and now; D: it is done"));
}

/* What people made of it. */
static char *decision_text(const struct queue_line *line)
{
    const struct triage_facts *triage = &line->triage;
    struct text_buffer text = {0};
    if (triage->state == TRIAGE_UNDECIDED && !triage->owner && !triage->note && !triage->reopened)
        return NULL;
    if (triage->reopened)
        text_add_print(&text, "was %s before it came back", triage_state_name(triage->was));
    else
        text_add(&text, triage_state_name(triage->state));
    add_decision_part(&text, " ", triage->ticket);
    add_decision_part(&text, " · ", triage->owner);
    add_decision_part(&text, " · ", triage->note);
    add_decision_part(&text, " · decided in ", triage->build);
    if (triage->joined)
        text_add(&text, " · on another device, this one joined");
    return text_take(&text);
}

/* Everything is decided: what to tell the others stands there without being asked for. */
static void describe_end(struct queue *queue)
{
    struct session *session = queue->session;
    char *text, *rest, *line;

    if (!session->decided || queue->to_decide || !session->build)
        return;
    if (!queue->summary)
        queue->summary = model_summary(session->model, session->build, session->baseline, session->as_it_is, NULL);
    if (!queue->summary)
        return;
    text = memory_copy_text(queue->summary);
    queue->pane.title = memory_copy_text("All decided: for the chat (q shows it, y there copies it)");
    rest = text;
    while ((line = strsep(&rest, "\n")))
        add_text(&queue->pane, "", ROLE_CHROME, memory_copy_text(line));
    free(text);
}

void queue_describe(struct queue *queue)
{
    queue_pane_clear(&queue->pane);
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    if (line == NULL) {
        describe_end(queue);
        return;
    }
    if (line->kind == QUEUE_STUTTER)
        describe_stutter(queue, line);
    else if (line->kind == QUEUE_SLOW || line->kind == QUEUE_VERIFY)
        describe_sentence(queue, line);
    else if (line->kind == QUEUE_DRIFT)
        describe_drift(queue, line);
    else
        describe_silence(queue, line);
    add_text(&queue->pane, "state", ROLE_CHROME, decision_text(line));
}
