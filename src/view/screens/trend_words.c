/* How Trend words its figures, and its long answer to "why". */
#include "trend.h"

#include "figure_text.h"
#include "stutterscope/base/text.h"
#include "words.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *title, *unit;
} figures[COMPARED_COUNT] = {
    [COMPARED_P95] = {"P95", "ms"},   [COMPARED_P99] = {"P99", "ms"},
    [COMPARED_MAX] = {"max", "ms"},   [COMPARED_HITCH_RATIO] = {"hitch ratio", "ms/s"},
    [COMPARED_PEAK] = {"peak", "ms"}, [COMPARED_RATE] = {"rate", "per min"},
};

const char *trend_figure_title(enum compared_figure figure)
{
    return figures[figure].title;
}

const char *trend_figure_unit(enum compared_figure figure)
{
    return figures[figure].unit;
}

const char *trend_lane_title(enum trend_lane lane, int columns)
{
    static const char *const titles[TREND_LANES] = {"OS", "quality", "sampling", "heat"};
    static const char *const short_titles[TREND_LANES] = {"OS", "qual", "sampl", "heat"};

    return (int)text_width(titles[lane]) <= columns ? titles[lane] : short_titles[lane];
}

struct trend_word trend_number(double value)
{
    struct trend_word word;

    snprintf(word.text, sizeof word.text, "%s", isnan(value) ? "?" : figure_number(value, 1).text);
    return word;
}

struct trend_word trend_signed(double value)
{
    struct trend_word word;

    snprintf(word.text, sizeof word.text, "%s%.80s", value > 0 ? "+" : "", trend_number(value).text);
    return word;
}

const char *trend_build_name(const struct trend_state *state, size_t build)
{
    return build < state->builds.count ? state->builds.items[build].name : "?";
}

size_t trend_lane_change(const struct trend_state *state, enum trend_lane lane)
{
    const char *before = NULL;

    for (size_t b = 0; b < state->builds.count; b++) {
        const char *here = state->builds.items[b].lanes[lane];

        if (!state->history->builds[b].has_frames)
            continue;
        if (before && strcmp(before, here) != 0)
            return b;
        before = here;
    }
    return SIZE_MAX;
}

/* Words that all builds share ("Android ") are left out, so that the rest fits. */
size_t trend_lane_start(const struct trend_state *state, enum trend_lane lane)
{
    const char *first = NULL;
    size_t shared = 0;

    for (size_t b = 0; b < state->builds.count; b++) {
        const char *here = state->builds.items[b].lanes[lane], *blank = strchr(here, ' ');

        if (!*here)
            continue;
        if (!first) {
            first = here;
            shared = blank ? (size_t)(blank - here) + 1 : 0;
        } else if (strncmp(first, here, shared) != 0)
            return 0;
    }
    return shared;
}

static void add_share(struct text_buffer *text, const char *name, size_t same, size_t count)
{
    text_add_print(text, "%s%s %zu of %zu", text->count ? ", " : "", name, same, count);
}

/* By tier, in the order in which they are listed. */
char *trend_reading(const struct trend_state *state)
{
    struct text_buffer text = {0};

    for (size_t i = 0; i < state->others.count; i++) {
        const char *tier = state->others.items[i].tier;
        size_t same = 0, count = 0;
        bool told = false;

        for (size_t j = 0; j < state->others.count; j++) {
            if (strcmp(state->others.items[j].tier, tier) != 0)
                continue;
            told |= j < i;
            count++;
            same += state->others.items[j].same;
        }
        if (!told)
            add_share(&text, *tier ? tier : "no tier", same, count);
    }
    return text_take(&text);
}

static void add_runs(struct text_buffer *text, const struct trend_state *state)
{
    const struct history *history = state->history;

    text_add(text, "\n# Per run\n");
    for (size_t b = 0; b < history->build_count; b++) {
        const struct history_build *build = &history->builds[b];

        text_add_print(text, "%s", model_build_name(state->session->model, build->build));
        if (!build->runs.count)
            text_add(text, build->waits        ? "  not analysed yet"
                           : build->sampled    ? "  frames are missing: sampled"
                           : build->has_frames ? "  no run that can be compared"
                                               : "  not run");
        else
            text_add_print(text, "  median %s:", trend_number(build->median).text);
        for (size_t i = 0; i < build->runs.count; i++)
            text_add_print(text, " %s%s", trend_number(build->runs.items[i].value).text,
                           build->runs.items[i].odd ? " (odd)" : "");
        text_add(text, "\n");
    }
}

static void add_change(struct text_buffer *text, const struct trend_state *state)
{
    const struct change_point *change = &state->history->change;

    text_add(text, "# The step\n"
                   "Of all splits of the builds with at least 5 runs on each side, the one with the greatest "
                   "Welch's t of "
                   "the runs' figures; a step when p < 0.001.\n");
    if (isnan(change->t)) {
        text_add(text, "There is no such split: history short.\n");
        return;
    }
    text_add_print(
        text,
        "Split before %s: t %s, p %s; %zu run%s of %zu build%s before, %zu run%s of %zu build%s after: %s.\n",
        trend_build_name(state, change->first_after), trend_number(change->t).text,
        change->p < 0.0001 ? "< 0.0001" : word_number(change->p, 4).text, change->runs_before,
        text_plural((int64_t)change->runs_before), change->builds_before, text_plural((int64_t)change->builds_before),
        change->runs_after, text_plural((int64_t)change->runs_after), change->builds_after,
        text_plural((int64_t)change->builds_after),
        change->found ? change_point_trust(change) : "no step");
    if (change->found)
        text_add_print(text, "Medians over the runs: %s before, %s after.\n",
                       trend_number(change->before).text, trend_number(change->after).text);
}

char *trend_why(const struct trend_state *state)
{
    const struct history *history = state->history;
    struct text_buffer text = {0};

    add_change(&text, state);
    text_add_print(
        &text, "\n# Noise\n3 × 1.4826 × MAD of the runs of the 5 builds before: %s before the newest build",
        isnan(history->noise) ? "history short" : trend_number(history->noise).text);
    if (history->change.found)
        text_add_print(&text, ", %s before the step",
                       isnan(history->change_noise) ? "history short"
                                                    : trend_number(history->change_noise).text);
    text_add(&text, ".\n");
    for (size_t i = 0; i < state->comparisons.count; i++) {
        const struct trend_comparison *comparison = &state->comparisons.items[i];

        text_add_print(&text, "\n# Against %s%s%s\n%s: %s\n",
                       model_build_name(state->session->model, comparison->build),
                       *comparison->what ? ", " : "", comparison->what, verdict_name(comparison->verdict),
                       comparison->reason);
    }
    text_add(
        &text,
        "\nA run is odd when it is far from the runs of its build and the builds beside it: it is named and "
        "does not decide.\n");
    add_runs(&text, state);
    return text_take(&text);
}
