/* Trend: since when it is so. One figure over the builds; here are its lines and its table. */
#include "trend.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/filtering.h"
#include "stutterscope/view/screens.h"
#include "words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *create(struct session *session)
{
    struct trend_state *state = memory_take_zeroed(1, sizeof *state);

    state->session = session;
    state->now = SIZE_MAX;
    return state;
}

static void destroy(void *user)
{
    struct trend_state *state = user;

    trend_clear(state);
    finder_set(&state->finder, NULL);
    free(state->menu_builds);
    free(state);
}

static void where(const void *user, struct line *line)
{
    const struct trend_state *state = user;
    struct model *model = state->session->model;
    const struct trend_subject *subject = &state->subject;
    const char *quality = state->history ? model_quality_name(model, subject->quality) : NULL, *event;

    if (!state->history) {
        line_add(line, LINE_KEEP, ROLE_CHROME, "no cell");
        return;
    }
    line_add(line, LINE_KEEP, ROLE_CHROME | STYLE_BOLD,
             model_device_title(model_device(model, subject->device)))
        ->least = 8;
    line_print(line, LINE_KEEP, ROLE_CHROME, " × %s", model_scene_name(model, subject->scene))->least = 8;
    line_print(line, 4, ROLE_CHROME, " · %s", quality ? quality : "quality unknown");
    event = subject->event > 0    ? model_text(model, subject->event)
            : subject->event == 0 ? "no event"
                                  : "whole scene";
    line_print(line, 1, ROLE_CHROME, " ▸ %s", event)->least = 8;
    line_print(line, LINE_KEEP, ROLE_CHROME, " · %s %s", trend_figure_title(subject->figure),
               trend_figure_unit(subject->figure));
    filtering_show(state->session, line);
    line_print(line, 3, ROLE_CHROME, "  %s … %s ", trend_build_name(state, 0),
               trend_build_name(state, state->builds.count - 1))
        ->right = true;
}

/* Nothing moved, or too little is known to say so: the newest build against the one before is said instead.
 */
static void answer_without_step(const struct trend_state *state, struct line *line)
{
    const struct history *history = state->history;
    size_t with_runs = 0;

    for (size_t b = 0; b < history->build_count; b++)
        with_runs += history->builds[b].runs.count > 0;
    if (with_runs == 0) {
        line_add(line, LINE_KEEP, ROLE_MISSING,
                 state->waits ? "NOT ANALYSED YET" : "NO RUN THAT CAN BE COMPARED");
        return;
    }
    line_print(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "NO STEP in %zu build%s", with_runs,
               text_plural((int64_t)with_runs));
    if (isnan(history->change.t))
        line_add(line, LINE_KEEP, ROLE_MISSING, " HISTORY SHORT");
    if (state->comparisons.count && !isnan(state->comparisons.items[0].delta)) {
        const struct trend_comparison *comparison = &state->comparisons.items[0];

        line_print(line, 1, ROLE_ANSWER, "  %s %s", trend_build_name(state, state->now),
                   trend_number(history->builds[state->now].median).text);
        line_print(line, 1, ROLE_ANSWER, "  %s", trend_signed(comparison->delta).text);
        line_print(line, 2, ROLE_BASELINE, " to %s",
                   word_short_build(state->session->model, comparison->build).text);
        line_print(line, 1, ROLE_ANSWER, ": %s", verdict_name(comparison->verdict));
    }
    if (!isnan(history->noise))
        line_print(line, 3, ROLE_ANSWER, ", noise ±%s", trend_number(history->noise).text);
}

static void answer(const void *user, struct line *line)
{
    const struct trend_state *state = user;
    const struct history *history = state->history;
    const struct change_point *change;

    if (!history) {
        line_add(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD,
                 state->session->build ? "NOTHING TO SHOW" : "NO RUNS YET");
        return;
    }
    change = &history->change;
    if (state->waits)
        line_add(line, LINE_KEEP, ROLE_MISSING, "so far");
    if (state->waits)
        line_add(line, LINE_KEEP, ROLE_ANSWER, " ");
    if (!change->found) {
        answer_without_step(state, line);
        return;
    }
    line_print(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "STEP %s at %s",
               change->after > change->before ? "UP" : "DOWN",
               model_build_name(state->session->model, history->first_bad))
        ->short_text = memory_print("STEP %s at %s", change->after > change->before ? "UP" : "DOWN",
                                    trend_build_name(state, change->first_after));
    line_print(line, 1, ROLE_ANSWER, "  %s → %s", trend_number(change->before).text,
               trend_number(change->after).text);
    line_print(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "  %s",
               trend_signed(change->after - change->before).text);
    line_print(line, 4, ROLE_ANSWER, " %s", trend_figure_unit(state->subject.figure));
    if (isnan(history->change_noise))
        line_add(line, 3, ROLE_MISSING, " history short");
    else
        line_print(line, 2, ROLE_ANSWER, ", noise ±%s", trend_number(history->change_noise).text);
    if (history->hidden_by_baseline) {
        struct word baseline = word_short_build(state->session->model, history->baseline);

        line_print(line, LINE_KEEP, ROLE_WARNING, " · HIDDEN BY BASELINE %s", baseline.text)->short_text =
            memory_print(" · HIDDEN %s", baseline.text);
        line_add(line, 5, ROLE_WARNING, ", which has it too");
    }
}

static void add_odd_runs(const struct trend_state *state, struct line *line)
{
    enum { NAMED = 2 };
    size_t count = 0;

    for (size_t b = state->history->build_count; b-- > 0;)
        for (size_t i = 0; i < state->history->builds[b].runs.count; i++) {
            const struct history_run *run = &state->history->builds[b].runs.items[i];

            if (!run->odd || count++ >= NAMED)
                continue;
            line_print(line, 1, ROLE_WARNING, "%s %s run %s, %s",
                       count > 1     ? ";"
                       : line->count ? " · odd, does not decide:"
                                     : "odd, does not decide:",
                       trend_build_name(state, b), run->name, trend_number(run->value).text)
                ->least = 12;
        }
    if (count > NAMED)
        line_print(line, 2, ROLE_WARNING, " and %zu more", count - NAMED);
}

static void status(const void *user, struct line *line)
{
    const struct trend_state *state = user;

    if (!state->history)
        return;
    if (state->marked[0])
        line_print(line, 1, ROLE_MARKED, "%d marked", state->marked[1] ? 2 : 1);
    if (state->triage[0])
        line_print(line, LINE_KEEP, ROLE_STATUS, "%s%s", line->count ? " · " : "", state->triage)->least = 12;
    add_odd_runs(state, line);
    line_add_two(line, 5, ROLE_STATUS,
                 line->count ? " · dots: runs, dash: their median, ╌ noise"
                             : "dots: runs, dash: their median, ╌ noise",
                 line->count ? " · dots runs, dash median" : "dots runs, dash median, ╌ noise");
    if (state->others.count) {
        char *reading = trend_reading(state);

        if (state->history->change.found && state->scope != TREND_DEVICE)
            line_print(line, 2, ROLE_STATUS, "  same step on %s ", reading)->right = true;
        free(reading);
    }
}

static const struct hint hints[] = {
    {{ACTION_LEFT, ACTION_RIGHT}, "build"},
    {{ACTION_ENTER}, "open there"},
    {{ACTION_WHAT}, "metric"},
    {{ACTION_RANGE_OLDER, ACTION_RANGE_NEWER}, "range"},
    {{ACTION_WIDER}, "wider"},
    {{ACTION_DISTRIBUTION}, "distribution"},
    {{ACTION_PIN_BASELINE}, "pin"},
    {{ACTION_NONE}, NULL},
};

const struct screen_type trend_screen = {
    .kind = SCREEN_TREND,
    .name = "Trend",
    .create = create,
    .destroy = destroy,
    .recompute = trend_recompute,
    .draw = trend_draw,
    .where = where,
    .answer = answer,
    .status = status,
    .hints = hints,
    .act = trend_act,
    .work = trend_work,
    .stop_work = trend_stop_work,
    .keep = trend_keep,
    .take = trend_take,
};
