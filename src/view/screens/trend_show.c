/* The keys that change what Trend shows: figure, quality, scope, baseline, range, nights, filter. */
#include "trend.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/model/edit.h"
#include "stutterscope/view/filtering.h"
#include "stutterscope/view/menu.h"
#include "stutterscope/view/prompt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void changed(struct screen_reply *reply)
{
    reply->changed = reply->recompute = true;
}

static bool is_of_event(enum compared_figure figure)
{
    return figure == COMPARED_PEAK || figure == COMPARED_RATE;
}

static void figure_chosen(void *user, int index, struct screen_reply *reply)
{
    struct trend_state *state = user;
    const struct stutter_entry *entry;

    state->subject.figure = state->menu_figures[index];
    if (!is_of_event(state->subject.figure)) {
        state->subject.event = -1;
        if (state->scope == TREND_EVENT)
            state->scope = TREND_SCENE;
    } else if (state->subject.event < 0 && (entry = session_stutter(state->session))) {
        state->subject.event = entry->stutter.event;
        state->scope = TREND_EVENT;
    }
    reply->recompute = true;
}

/* Peak and rate are figures of an event: without one they are not offered. */
static void choose_figure(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    const char *items[COMPARED_COUNT + 1] = {NULL}, *notes[COMPARED_COUNT + 1] = {NULL};
    bool has_event = state->subject.event >= 0 || session_stutter(state->session);
    int count = 0, selected = 0;

    (void)event;
    for (int i = 0; i < COMPARED_COUNT; i++) {
        enum compared_figure figure = (enum compared_figure)i;

        if (is_of_event(figure) && !has_event)
            continue;
        if (figure == state->subject.figure)
            selected = count;
        state->menu_figures[count] = figure;
        items[count] = trend_figure_title(figure);
        notes[count++] = is_of_event(figure) ? "of the stutter" : "of the whole scene";
    }
    reply->open = menu_open(&(struct menu_options){.title = "Which figure, per run",
                                                   .items = items,
                                                   .notes = notes,
                                                   .selected = selected,
                                                   .owner = state,
                                                   .choose = figure_chosen,
                                                   .again = ACTION_WHAT});
}

/* The qualities that the device played here, one after the other, then the one that decides. */
static void next_quality(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    struct session *session = state->session;
    const struct text_list *qualities = model_qualities(session->model);
    size_t at = 0;

    (void)event;
    while (session->quality >= 0 && at < qualities->count && qualities->items[at].id != session->quality)
        at++;
    at += session->quality >= 0;
    while (at < qualities->count &&
           trend_quality_of(session->model, state->subject.device, state->subject.scene,
                            qualities->items[at].id) != qualities->items[at].id)
        at++;
    session->quality = at < qualities->count ? qualities->items[at].id : -1;
    if (session->quality < 0)
        state->has_subject = false; /* choose again */
    changed(reply);
    if (session->quality < 0)
        reply_say(reply, "the quality that decides");
    else
        reply_say(reply, "only quality %s", qualities->items[at].text);
}

/* event → whole scene → the device's other scenes beside it → around */
static void wider(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    const struct stutter_entry *entry = session_stutter(state->session);

    (void)event;
    if (state->scope == TREND_EVENT) {
        state->scope = TREND_SCENE;
        state->subject.event = -1;
        state->subject.figure = COMPARED_P99;
        reply_say(reply, "the whole scene, whatever happened");
    } else if (state->scope == TREND_SCENE) {
        state->scope = TREND_DEVICE;
        reply_say(reply, "beside it: the device's other scenes");
    } else if (entry && entry->stutter.label == LABEL_GAMEPLAY) {
        state->scope = TREND_EVENT;
        state->subject.event = entry->stutter.event;
        state->subject.figure = COMPARED_PEAK;
        reply_say(reply, "the stutter alone");
    } else {
        state->scope = TREND_SCENE;
        reply_say(reply, "beside it: the same scene on other devices");
    }
    reply->recompute = true;
}

static void fold(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;

    (void)event;
    state->folds_others = !state->folds_others;
    reply_say(reply,
              state->folds_others ? "below: only where there is a step, too" : "below: all that played it");
}

/* ---- baseline ---- */

static void compare(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;

    (void)event;
    state->hides_baseline = !state->hides_baseline;
    reply_say(reply,
              state->hides_baseline ? "the line of the baseline is hidden" : "line: median of the baseline");
}

static void baseline_chosen(void *user, int index, struct screen_reply *reply)
{
    struct trend_state *state = user;

    state->session->baseline = state->menu_builds[index];
    changed(reply);
}

static void choose_baseline(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    const char **items = memory_take_zeroed(state->builds.count + 2, sizeof *items);
    int count = 1, selected = 0;

    (void)event;
    free(state->menu_builds);
    state->menu_builds = memory_take_zeroed(state->builds.count + 1, sizeof *state->menu_builds);
    items[0] = "by the rule: pinned, else the build before with runs";
    for (size_t b = state->now == SIZE_MAX ? 0 : state->now; b-- > 0;) {
        if (!state->history->builds[b].runs.count)
            continue;
        if (state->builds.items[b].build == state->session->baseline)
            selected = count;
        items[count] = model_build_name(state->session->model, state->builds.items[b].build);
        state->menu_builds[count++] = state->builds.items[b].build;
    }
    reply->open = menu_open(&(struct menu_options){.title = "Compare with",
                                                   .items = items,
                                                   .selected = selected,
                                                   .owner = state,
                                                   .choose = baseline_chosen,
                                                   .again = ACTION_CHOOSE_BASELINE});
    free(items);
}

static int64_t build_here(const struct trend_state *state)
{
    return state->builds.items[state->cursor.selected].build;
}

static bool is_pinned_here(const struct trend_state *state)
{
    return model_pin(state->session->model, state->subject.device, state->subject.scene) == build_here(state);
}

static void pin_accepted(void *user, const char *text, struct screen_reply *reply)
{
    struct trend_state *state = user;
    struct error error = {0};
    bool takes_away = is_pinned_here(state);

    (void)text;
    if (!model_pin_baseline(state->session->model, state->subject.device, state->subject.scene,
                            takes_away ? 0 : build_here(state), &error)) {
        reply_fail(reply, "%s", error.text);
        return;
    }
    state->session->baseline = 0;
    changed(reply);
    if (takes_away)
        reply_say(reply, "the pin of this cell is gone: the rule chooses its baseline again");
    else
        reply_say(reply, "%s is the baseline of this cell for everybody; B on it again takes that back",
                  model_build_name(state->session->model, build_here(state)));
}

/* The build at the cursor, for this cell. */
static void ask_pin(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    char *question;

    (void)event;
    if (!state->history->builds[state->cursor.selected].runs.count) {
        reply_say(reply, "%s has no runs here: it cannot be the baseline",
                  trend_build_name(state, (size_t)state->cursor.selected));
        return;
    }
    question = memory_print(is_pinned_here(state) ? "take the pin of %s away here?" : "pin %s in this cell, for everybody?",
                            model_build_name(state->session->model, build_here(state)));
    reply->open = prompt_open_question(question, state, pin_accepted);
    free(question);
}

/* ---- range and scale ---- */

/* To the next build with runs on that side that has runs before it, too. */
static void move_range(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    const struct history *history = state->history;
    int step = event->action == ACTION_RANGE_NEWER ? 1 : -1;
    int64_t at = state->has_range ? (int64_t)state->range.first_bad + step : state->cursor.selected;
    struct history_range range;

    for (; at >= 0 && at < (int64_t)history->build_count; at += step) {
        if (!history->builds[at].runs.count)
            continue;
        history_range_at(history, (size_t)at, &range);
        if (range.last_good == SIZE_MAX)
            break;
        state->range = range;
        state->has_range = state->range_moved = true;
        state->cursor.selected = (int)at;
        reply_say(reply, "range: %s … %s; = puts it back", trend_build_name(state, range.last_good),
                  trend_build_name(state, range.first_bad));
        return;
    }
    reply_say(reply, step > 0 ? "no newer build has runs" : "no older build has runs before it");
}

static void zoom(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    struct trend_layout layout;
    int builds = (int)state->builds.count;

    if (event->action == ACTION_DEFAULT) {
        state->nights = 0;
        state->range_moved = false;
        reply->recompute = true;
        return;
    }
    trend_lay_out(state, event->area, &layout);
    state->nights = event->action == ACTION_MORE ? layout.shown * 2 / 3 : layout.shown * 3 / 2 + 1;
    state->nights = state->nights < 3 ? 3 : state->nights > builds ? builds : state->nights;
    reply_say(reply, "%d of %d builds; = shows what fits", state->nights < builds ? state->nights : builds,
              builds);
}

static void ask_filter(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;

    (void)event;
    filtering_ask(state->session, &(struct filtering_scope){"others below", state, trend_count_fitting}, reply);
}

const struct screen_handler trend_show_handlers[] = {
    {ACTION_WHAT, choose_figure},
    {ACTION_QUALITY, next_quality},
    {ACTION_WIDER, wider},
    {ACTION_FOLD, fold},
    {ACTION_COMPARE, compare},
    {ACTION_CHOOSE_BASELINE, choose_baseline},
    {ACTION_PIN_BASELINE, ask_pin},
    {ACTION_RANGE_OLDER, move_range},
    {ACTION_RANGE_NEWER, move_range},
    {ACTION_MORE, zoom},
    {ACTION_LESS, zoom},
    {ACTION_DEFAULT, zoom},
    {ACTION_FILTER, ask_filter},
    {ACTION_NONE, NULL},
};
