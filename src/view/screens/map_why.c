/* Why a cell has its number: the formula with its figures, the verdict's reason, the estimate, the steps of
 * the heat. */
#include "map.h"

#include "lift_text.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_indented(struct text_buffer *text, char *lines)
{
    char *rest = lines, *line;

    while ((line = strtok_r(rest, "\n", &rest)))
        text_add_print(text, "  %s\n", line);
    free(lines);
}

static void add_severity(struct text_buffer *text, const struct map_state *state,
                         const struct stutter_entry *entry)
{
    const struct stutter *stutter = &entry->stutter;
    const struct map_detail *detail = &state->detail;
    const char *event = model_text(state->session->model, stutter->event);

    text_add_print(text, "# %s: severity %s\n", event ? event : "no event",
                   word_number(entry->severity, 2).text);
    text_add(text, "  severity = peak × occurrence × device weight\n");
    text_add_print(text, "  %s = %s ms × %s × %s\n", word_number(entry->severity, 2).text,
                   word_number((double)stutter->peak_ns / NS_PER_MS, 3).text,
                   word_number(entry->occurrence, 3).text, word_number(entry->weight, 3).text);
    text_add_print(text, "  occurrence: %lld of the %lld run%s that can show windows\n",
                   (long long)stutter->runs_hit, (long long)stutter->runs, text_plural(stutter->runs));
    text_add_print(text, "  %lld window%s, the event occurred %lld time%s\n", (long long)stutter->windows,
                   text_plural(stutter->windows), (long long)stutter->seen, text_plural(stutter->seen));
    if (!isnan(detail->lost_now))
        text_add_print(text, "  lost: %s ms of excess per second of %s of play\n",
                       word_number(detail->lost_now, 2).text, word_duration(stutter->play_ns).text);
}

static void add_verdict(struct text_buffer *text, const struct map_state *state,
                        const struct stutter_entry *entry)
{
    struct model *model = state->session->model;

    text_add_print(text, "\n# Verdict: %s\n", verdict_name(entry->verdict));
    if (entry->reason[0])
        text_add_print(text, "  %s\n", entry->reason);
    if (entry->baseline_build)
        text_add_print(text, "  baseline %s%s: peak %s ms\n", model_build_name(model, entry->baseline_build),
                       entry->baseline_pinned ? ", pinned" : "",
                       entry->baseline_peak_ns == VALUE_UNKNOWN ? "not known,"
                                                                : word_ms(entry->baseline_peak_ns).text);
    if (entry->first_seen_build)
        text_add_print(text, "  first seen in %s\n", model_build_name(model, entry->first_seen_build));
    if (entry->last_clean_build)
        text_add_print(text, "  last clean in %s\n", model_build_name(model, entry->last_clean_build));
}

static void add_group(struct text_buffer *text, const struct map_state *state)
{
    const struct map_detail *detail = &state->detail;
    const struct distribution *now = &detail->now;

    text_add(text, "\n# The group (this device, scene and quality)\n");
    text_add_print(text, "  %s FPS: budget %s ms, alert threshold %s ms\n",
                   word_number((double)detail->fps_milli / 1000, 2).text,
                   word_number((double)detail->budget_ns / NS_PER_MS, 2).text,
                   word_number((double)detail->alert_ns / NS_PER_MS, 2).text);
    if (!detail->has_now) {
        text_add(text, "  no frames in this build\n");
        return;
    }
    text_add_print(text, "  %lld frames (%lld kept) in %lld run%s, %s of play\n", (long long)now->frames,
                   (long long)now->frames_kept, (long long)detail->runs, text_plural(detail->runs),
                   word_duration(detail->play_ns).text);
    text_add_print(text, "  median %s, MAD %s, P95 %s, P99 %s, max %s ms\n",
                   word_number(now->median_ns / NS_PER_MS, 2).text,
                   word_number(now->mad_ns / NS_PER_MS, 3).text, word_ms(now->p95_ns).text,
                   word_ms(now->p99_ns).text, word_ms(now->max_ns).text);
    text_add_print(text, "  %s frames over the threshold, %lld late\n", word_count(now->over).text,
                   (long long)now->late);
    for (int label = LABEL_GAMEPLAY + 1; label < LABEL_COUNT; label++)
        if (now->labelled[label].frames)
            text_add_print(
                text, "  apart, in none of these figures: %lld %s frames, %s of them over the threshold\n",
                (long long)now->labelled[label].frames, frame_label_name((enum frame_label)label),
                word_count(now->labelled[label].over).text);
}

static void add_heat(struct text_buffer *text, const struct map_state *state)
{
    text_add_print(text, "\n# Heat\n  Steps are quantiles of the %s of all cells of this build",
                   metrics[state->session->metric].title);
    if (isnan(state->quantiles[0]))
        text_add(text, ": none has one.\n");
    else
        text_add_print(text, ": 25 %% below %s, half below %s,\n  75 %% below %s, 90 %% below %s.\n",
                       word_number(state->quantiles[0], 1).text, word_number(state->quantiles[1], 1).text,
                       word_number(state->quantiles[2], 1).text, word_number(state->quantiles[3], 1).text);
}

static void add_events(struct text_buffer *text, const struct map_state *state, const struct stutter_entry *entry)
{
    struct group_key key = {state->session->build, map_row_here(state)->device, map_column_here(state)->scene,
                            map_cell_here(state)->heat.quality};
    struct text_buffer lines = {0};

    if (entry)
        key.quality = entry->stutter.key.quality;
    lift_text_add(&lines, state->session, &key, entry ? entry->stutter.event : 0, "  ");
    if (lines.count)
        text_add_print(text, "\n# Events of this scene\n%s", lines.items);
    array_free(&lines);
}

char *map_why(const struct map_state *state)
{
    struct text_buffer text = {0};
    const struct map_cell *cell = map_cell_here(state);
    const struct map_row *row = map_row_here(state);
    const struct stutter_entry *entry = map_entry_of(state, cell);

    text_add_print(&text, "%s × %s in %s: %s\n\n", row->title, map_column_here(state)->name,
                   model_build_name(state->session->model, state->session->build),
                   cell_state_name(cell->heat.state));
    if (row->sentence)
        text_add_print(&text, "%s\n\n", row->sentence);
    if (cell->drift != MAP_NO_DRIFT)
        text_add_print(&text, "# Worse without a stutter of its own: %s %s → %s\n  %s\n\n",
                       compared_figure_name(cell->drift), word_number(state->detail.drift.before, 2).text,
                       word_number(state->detail.drift.after, 2).text, state->detail.drift.reason);
    if (entry) {
        add_severity(&text, state, entry);
        if (state->detail.has_window) {
            text_add(&text, "\n# Why its worst window was picked\n");
            add_indented(&text, window_why_text(state->session->model, &state->detail.window));
        }
        add_verdict(&text, state, entry);
        if (state->detail.has_window) {
            text_add(&text, "\n# Probable cause (an estimate, not a measurement)\n");
            add_indented(&text, window_cause_text(state->session->model, &state->detail.window));
        }
    } else
        text_add(&text, "No gameplay stutter here: severity needs one.\n");
    if (state->detail.others[0])
        text_add_print(&text, "\n# Also in this cell\n  %s\n", state->detail.others);
    add_events(&text, state, entry);
    add_group(&text, state);
    add_heat(&text, state);
    return text_take(&text);
}
