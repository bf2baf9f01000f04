/* The keys that change what the Map shows: metric, order, quality, build, baseline, weights, filter. */
#include "map.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/model/edit.h"
#include "stutterscope/view/menu.h"
#include "stutterscope/view/prompt.h"
#include "words.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void changed(struct screen_reply *reply)
{
    reply->changed = reply->recompute = true;
}

static void metric_chosen(void *user, int index, struct screen_reply *reply)
{
    struct map_state *state = user;

    state->session->metric = (enum metric)index;
    changed(reply);
}

static void choose_metric(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    const char *titles[METRIC_COUNT + 1] = {NULL}, *notes[METRIC_COUNT + 1] = {NULL};

    (void)event;
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        titles[i] = metrics[i].title;
        notes[i] = i == METRIC_SEVERITY      ? "peak × occurrence × weight"
                   : i == METRIC_GC          ? "KB, mean of gameplay frames"
                   : i == METRIC_MEMORY      ? "MB, snapshots by scene"
                   : metrics[i].shown_unit ? metrics[i].shown_unit
                                             : metrics[i].unit;
    }
    reply->open = menu_open(&(struct menu_options){.title = "What the cells show",
                                                   .items = titles,
                                                   .notes = notes,
                                                   .selected = (int)state->session->metric,
                                                   .owner = state,
                                                   .choose = metric_chosen});
}

static void sort_chosen(void *user, int index, struct screen_reply *reply)
{
    struct map_state *state = user;

    state->descending = (int)state->sort == index && !state->descending;
    state->sort = (enum map_sort)index;
    reply->recompute = true;
}

static void choose_sort(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    static const char *const items[] = {"tier, then name", "worst first", NULL};
    struct map_state *state = user;

    (void)event;
    reply->open = menu_open(&(struct menu_options){.title = "Order of the rows (the same again reverses)",
                                                   .items = items,
                                                   .selected = (int)state->sort,
                                                   .owner = state,
                                                   .choose = sort_chosen,
                                                   .again = ACTION_SORT});
}

/* Worst, then one after the other, then worst again. */
static void next_quality(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    const struct text_list *qualities = model_qualities(state->session->model);
    size_t at = 0;

    (void)event;
    while (at < qualities->count && qualities->items[at].id != state->session->quality)
        at++;
    at = state->session->quality < 0 ? 0 : at + 1;
    state->session->quality = at < qualities->count ? qualities->items[at].id : -1;
    changed(reply);
    if (state->session->quality < 0)
        reply_say(reply, "every cell shows its worst quality");
    else
        reply_say(reply, "only quality %s", qualities->items[at].text);
}

static void compare(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;

    (void)event;
    state->session->shows_delta = !state->session->shows_delta;
    changed(reply);
    if (!state->session->shows_delta)
        reply_say(reply, "cells show what this build has");
    else
        reply_say(reply, "cells show the difference to %s%s",
                  state->baseline ? model_build_name(state->session->model, state->baseline) : "the baseline",
                  state->session->metric == METRIC_SEVERITY ? ": of the peak, in ms" : "");
}

static void fold(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;

    (void)event;
    state->session->shows_folded = !state->session->shows_folded;
    changed(reply);
    reply_say(reply, state->session->shows_folded ? "transitions (t) and retired devices are shown"
                                                  : "transitions and retired devices are folded away");
}

static void baseline_chosen(void *user, int index, struct screen_reply *reply)
{
    struct map_state *state = user;
    const struct build_list *builds = model_builds(state->session->model);
    int64_t position = model_build_position(state->session->model, state->session->build);

    if (index > position || (size_t)position >= builds->count)
        return;
    state->session->baseline = index ? builds->items[position - index].id : 0;
    changed(reply);
}

static void choose_baseline(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    const struct build_list *builds = model_builds(state->session->model);
    int64_t position = model_build_position(state->session->model, state->session->build);
    struct {
        const char **items;
        size_t count, capacity;
    } names = {0}, notes = {0};
    int selected = 0;

    (void)event;
    if (position <= 0) {
        reply_say(reply, "there is no earlier build to compare with");
        return;
    }
    array_push(&names, "by the rule");
    array_push(&notes, "pinned, else the build before with runs");
    for (int64_t i = position - 1; i >= 0; i--) {
        if (builds->items[i].id == state->session->baseline)
            selected = (int)names.count;
        array_push(&names, builds->items[i].name);
        array_push(&notes, builds->items[i].bad ? "marked bad" : NULL);
    }
    array_push(&names, NULL);
    array_push(&notes, NULL);
    reply->open = menu_open(&(struct menu_options){.title = "Compare with",
                                                   .items = names.items,
                                                   .notes = notes.items,
                                                   .selected = selected,
                                                   .owner = state,
                                                   .choose = baseline_chosen,
                                                   .again = ACTION_CHOOSE_BASELINE});
    array_free(&names);
    array_free(&notes);
}

static void pin_accepted(void *user, const char *text, struct screen_reply *reply)
{
    struct map_state *state = user;
    struct error error = {0};
    int64_t build = state->baseline;

    (void)text;
    if (!model_pin_baseline(state->session->model, 0, 0, build, &error)) {
        reply_fail(reply, "%s", error.text);
        return;
    }
    state->session->baseline = 0;
    changed(reply);
    reply_say(reply, "%s is the baseline for everybody now; :builds --baseline none takes that back",
              model_build_name(state->session->model, build));
}

/* The build that is compared with becomes the baseline of the store. */
static void ask_pin(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    char *question;

    (void)event;
    if (!state->baseline) {
        reply_say(reply, "there is no baseline to pin; b chooses one");
        return;
    }
    question = memory_print("pin %s as the baseline for everybody?", model_build_name(state->session->model, state->baseline));
    reply->open = prompt_open_question(question, state, pin_accepted);
    free(question);
}

static void step_build(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    int step = event->action == ACTION_NEWER_BUILD ? 1 : -1;

    if (!session_step_build(state->session, step)) {
        reply_say(reply,
                  step > 0 ? "this is the newest build with runs" : "this is the oldest build with runs");
        return;
    }
    state->session->stutter[0] = '\0';
    changed(reply);
}

void map_try_weight(struct map_state *state, int64_t device, double weight)
{
    size_t at = 0;

    while (at < state->what_if_count && state->what_if[at].device != device)
        at++;
    if (at == state->what_if_count) {
        if (state->what_if_count == state->what_if_capacity)
            state->what_if = memory_grow(state->what_if, &state->what_if_capacity, state->what_if_count + 1,
                                         sizeof *state->what_if);
        state->what_if[state->what_if_count++].device = device;
    }
    state->what_if[at].weight = weight;
}

/* What if the device weighed more or less: only looked at, never stored. */
static void try_weight(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    const struct map_row *here = map_row_here(state);
    struct map_row *row = (struct map_row *)here;
    double step = event->action == ACTION_MORE ? 0.1 : -0.1, weight;

    if (!row)
        return;
    weight = event->action == ACTION_DEFAULT ? row->weight : round((row->what_if + step) * 10) / 10;
    weight = weight < 0 ? 0 : weight > 100 ? 100 : weight;
    map_try_weight(state, row->device, weight);
    row->what_if = weight;
    reply->recompute = state->rows_of != MAP_DEVICES; /* another device may be the worst of the cell now */
    if (weight == row->weight)
        reply_say(reply, "%s has its own weight %s", row->title, word_number(weight, 2).text);
    else
        reply_say(reply, "what if %s weighed %s (it weighs %s); = takes it back", row->title,
                  word_number(weight, 2).text, word_number(row->weight, 2).text);
}

static void rows_chosen(void *user, int index, struct screen_reply *reply)
{
    struct map_state *state = user;

    map_clear(state); /* the rows there are of another kind */
    state->rows_of = (enum map_rows_of)index;
    state->regrouped = true;
    reply->recompute = true;
    if (state->rows_of == MAP_DEVICES)
        reply_say(reply, "every device has its row");
    else
        reply_say(reply, "rows are %s: each cell shows the device that needs you first (a)", map_rows_title(state->rows_of));
}

static void choose_rows(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    static const char *const items[] = {"devices", "tiers", "systems", "chips", NULL};
    static const char *const notes[] = {"one row each", "as the devices file says", "Android, iOS …", "SoC", NULL};
    struct map_state *state = user;

    (void)event;
    reply->open = menu_open(&(struct menu_options){.title = "What a row is",
                                                   .items = items,
                                                   .notes = notes,
                                                   .selected = (int)state->rows_of,
                                                   .owner = state,
                                                   .choose = rows_chosen,
                                                   .again = ACTION_WIDER});
}

const struct screen_handler map_show_handlers[] = {
    {ACTION_WHAT, choose_metric},
    {ACTION_SORT, choose_sort},
    {ACTION_WIDER, choose_rows},
    {ACTION_QUALITY, next_quality},
    {ACTION_COMPARE, compare},
    {ACTION_FOLD, fold},
    {ACTION_CHOOSE_BASELINE, choose_baseline},
    {ACTION_PIN_BASELINE, ask_pin},
    {ACTION_OLDER_BUILD, step_build},
    {ACTION_NEWER_BUILD, step_build},
    {ACTION_MORE, try_weight},
    {ACTION_LESS, try_weight},
    {ACTION_DEFAULT, try_weight},
    {ACTION_FILTER, map_ask_filter},
    {ACTION_NONE, NULL},
};
