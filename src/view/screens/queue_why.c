/* Why a line is where it is, with all its figures: for `i`. */
#include "queue.h"

#include "figure_text.h"
#include "lift_text.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/detail.h"
#include <stdlib.h>

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

static void explain_entry(struct session *session, struct text_buffer *text,
                          const struct stutter_entry *entry)
{
    const char *baseline = model_build_name(session->model, entry->baseline_build);
    text_add_print(text, "# %s × %s %s\n", title_of(session, entry->stutter.key.device),
                   model_scene_name(session->model, entry->stutter.key.scene),
                   quality_of(session, entry->stutter.key.quality));
    if (entry->present)
        text_add_print(text, "severity %s = peak %s ms × occurrence %s (%s runs) × weight %s\n",
                       figure_number(entry->severity, 1).text, figure_ms(entry->stutter.peak_ns).text,
                       figure_number(entry->occurrence, 2).text,
                       figure_share(entry->stutter.runs_hit, entry->stutter.runs).text,
                       figure_number(entry->weight, 2).text);
    text_add_print(text, "verdict %s: %s\n", verdict_name(entry->verdict),
                   entry->reason[0] ? entry->reason : "no reason given");
    if (baseline)
        text_add_print(
            text, "compared with %s%s: largest frame there at this event %s ms, change %s ms\n", baseline,
            entry->baseline_pinned ? " (pinned)" : "",
            entry->baseline_peak_ns == VALUE_UNKNOWN ? "not known" : figure_ms(entry->baseline_peak_ns).text,
            entry->delta_peak_ns == VALUE_UNKNOWN ? "not known" : figure_delta_ms(entry->delta_peak_ns).text);
    else
        text_add(text, "no baseline to compare with\n");
    text_add_print(text, "seen %lld times, %lld windows\n", (long long)entry->stutter.seen,
                   (long long)entry->stutter.windows);
    if (entry->history_short)
        text_add(text, "history short: fewer than 5 earlier runs, the noise was not tested\n");
    const struct build_results *results = model_results(session->model, session->build, true, NULL, NULL);
    const struct stutter_window *worst =
        results && entry->present ? results_worst_window(results, &entry->stutter) : NULL;
    if (worst) {
        char *why = window_why_text(session->model, worst), *cause = window_cause_text(session->model, worst);
        text_add_print(text, "worst window, why picked:\n%s\nprobable cause (estimate):\n%s\n", why, cause);
        free(why);
        free(cause);
    }
    if (entry->present)
        lift_text_add(text, session, &entry->stutter.key, entry->stutter.event, "");
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
            text_add_print(&text, "%s: %s\n", queue->pane.texts.items[i].label,
                           queue->pane.texts.items[i].text);
    }
    return text_take(&text);
}
