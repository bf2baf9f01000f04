/* What the keys do on Tune. */
#include "decide.h"
#include "tune.h"

#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/pager.h"
#include "stutterscope/view/prompt.h"
#include "words.h"
#include <stdio.h>
#include <stdlib.h>

static void try(struct tune_state *state, const struct analysis_settings *settings,
                struct screen_reply *reply)
{
    struct error error = {0};

    state->steps = (struct analysis_steps){0};
    state->changed_ms = clock_steady_ms();
    state->took_ms = 0;
    if (model_try_settings(state->session->model, settings, &error))
        reply->changed = reply->recompute = true;
    else
        reply_fail(reply, "%s", error.text);
}

static void change(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct tune_state *state = user;
    struct analysis_settings settings = *model_settings(state->session->model);
    size_t setting = (size_t)state->setting.selected;
    bool more = event->action == ACTION_RIGHT || event->action == ACTION_MORE, moved = false;

    for (int i = 0; i < (event->argument > 1 ? event->argument : 1); i++)
        moved |= tune_step(&settings, setting, more ? 1 : -1);
    if (moved)
        try(state, &settings, reply);
    else
        reply_say(reply, "this is the %s value here; stutterscope --%s takes others",
                  more ? "greatest" : "smallest", tune_settings[setting].name);
}

/* The setting; when it is as in the store already, all of them. */
static void reset(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct tune_state *state = user;
    struct analysis_settings settings = *model_settings(state->session->model);
    const char *name = tune_settings[state->setting.selected].name;
    char value[64];

    (void)event;
    if (!model_is_tuned(state->session->model)) {
        reply_say(reply, "everything is as in the store");
        return;
    }
    if (tune_differs(state, (size_t)state->setting.selected)) {
        analysis_settings_print(&state->stored, name, value, sizeof value);
        analysis_settings_set(&settings, name, value, NULL);
        reply_say(reply, "%s is %s again, as in the store", tune_settings[state->setting.selected].title,
                  value);
    } else {
        settings = state->stored;
        reply_say(reply, "all settings are as in the store again");
    }
    try(state, &settings, reply);
}

static void save_accepted(void *user, const char *text, struct screen_reply *reply)
{
    struct tune_state *state = user;
    struct analysis_settings settings = *model_settings(state->session->model);
    struct error error = {0};

    (void)text;
    if (!model_save_settings(state->session->model, &error)) {
        reply_fail(reply, "%s", error.text);
        return;
    }
    state->has_was = false; /* what was is what is now */
    try(state, &settings, reply);
    reply_say(reply, "saved in the store for everybody; change them back here and S takes that back");
}

static void ask_save(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct tune_state *state = user;
    size_t tickets = tune_count_lost(state, TUNE_TICKET);
    char question[96];

    (void)event;
    if (!model_is_tuned(state->session->model)) {
        reply_say(reply, "nothing to save: everything is as in the store");
        return;
    }
    if (tickets)
        snprintf(question, sizeof question, "%zu ticket%s would be lost; save all the same?", tickets,
                 text_plural((int64_t)tickets));
    else
        snprintf(question, sizeof question, "save these settings for everybody?");
    reply->open = prompt_open_question(question, state, save_accepted);
}

static void step_build(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct tune_state *state = user;
    int step = event->action == ACTION_NEWER_BUILD ? 1 : -1;

    if (session_step_build(state->session, step))
        reply->changed = reply->recompute = true;
    else
        reply_say(reply,
                  step > 0 ? "this is the newest build with runs" : "this is the oldest build with runs");
}

static void why(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct tune_state *state = user;
    struct text_buffer text = {0};
    size_t count;
    const struct analysis_setting *table = analysis_settings_table(&count);

    (void)event;
    for (size_t i = 0; i < count; i++) {
        char here[64], there[64];

        analysis_settings_print(model_settings(state->session->model), table[i].name, here, sizeof here);
        analysis_settings_print(&state->stored, table[i].name, there, sizeof there);
        text_add_print(&text, "# %s  %s%s%s\n%s\nin the store %s; allowed %s\n\n", table[i].name, here,
                       *table[i].unit ? " " : "", table[i].unit, table[i].help, there, table[i].values);
    }
    text_add(
        &text,
        "A candidate is over the threshold and stands out of its group by the robust z (rule both). The "
        "shown build is "
        "analysed again with what is tried; the results stay in memory and are gone with the session.\n");
    reply->open = pager_open("The settings", text.items);
    array_free(&text);
}

static void reload(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct tune_state *state = user;
    struct error error = {0};

    (void)event;
    state->has_was = false;
    state->steps.stopped = false;
    if (session_reload(state->session, &error)) {
        reply->changed = reply->recompute = true;
        reply_say(reply, "read again");
    } else
        reply_fail(reply, "%s", error.text);
}

static const struct screen_handler handlers[] = {
    {ACTION_LEFT, change},
    {ACTION_RIGHT, change},
    {ACTION_LESS, change},
    {ACTION_MORE, change},
    {ACTION_DEFAULT, reset},
    {ACTION_SAVE, ask_save},
    {ACTION_OLDER_BUILD, step_build},
    {ACTION_NEWER_BUILD, step_build},
    {ACTION_WHY, why},
    {ACTION_RELOAD, reload},
    {ACTION_PAYLOAD, tune_show_json},
    {ACTION_FIND, tune_find},
    {ACTION_FIND_NEXT, tune_find},
    {ACTION_FIND_PREVIOUS, tune_find},
    {ACTION_NONE, NULL},
};

bool tune_act(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct tune_state *state = user;

    if (event->action == ACTION_PAGE_DOWN || event->action == ACTION_PAGE_UP ||
        event->action == ACTION_HALF_DOWN || event->action == ACTION_HALF_UP) {
        state->found = SIZE_MAX;
        return scroll_act(&state->row, event, 5);
    }
    if (scroll_act(&state->setting, event, TUNE_SETTINGS))
        return true;
    if (event->action == ACTION_UNDO || event->action == ACTION_REDO) {
        state->has_was = false; /* a loss is counted by what was decided */
        return decide_act(state->session, event, decide_find_subject, NULL, reply);
    }
    return screen_dispatch(handlers, state, event, reply);
}
