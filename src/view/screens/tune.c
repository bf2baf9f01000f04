/* Tune: the settings that decide what a stutter is, changed while one sees what is lost and gained. */
#include "tune.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/screens.h"
#include "words.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void *create(struct session *session)
{
    struct tune_state *state = memory_take_zeroed(1, sizeof *state);

    state->session = session;
    state->setting.selected = 1;
    state->setting.count = TUNE_SETTINGS;
    state->found = SIZE_MAX;
    return state;
}

static void destroy(void *user)
{
    struct tune_state *state = user;

    tune_clear(state);
    array_free(&state->was);
    finder_set(&state->finder, NULL);
    free(state);
}

static enum screen_work work(void *user, struct screen_progress *ret, struct error *error)
{
    struct tune_state *state = user;

    return analysis_steps_work(&state->steps, state->session, state, tune_recompute, ret, error);
}

static void stop_work(void *user)
{
    struct tune_state *state = user;

    state->steps.stopped = true;
}

static void where(const void *user, struct line *line)
{
    const struct tune_state *state = user;
    const char *build = model_build_name(state->session->model, state->session->build);
    const char *before = " · store: ";

    line_add(line, LINE_KEEP, ROLE_CHROME | STYLE_BOLD, build ? build : "no build")->least = 8;
    if (!model_is_tuned(state->session->model)) {
        line_add(line, 1, ROLE_CHROME, " · analysis settings · as the store has them");
        return;
    }
    line_add_two(line, LINE_KEEP, ROLE_CHROME, " · changed for this session only", " · this session only");
    for (size_t i = 0; i < TUNE_SETTINGS; i++) {
        char value[64];

        if (!tune_differs(state, i))
            continue;
        line_print(line, 3, ROLE_CHROME, "%s%s %s", before, tune_settings[i].title,
                   analysis_settings_print(&state->stored, tune_settings[i].name, value, sizeof value));
        before = ", ";
    }
}

/* "FACTOR 2 → 2.5" */
static void add_changes(const struct tune_state *state, struct line *line)
{
    int priority = LINE_KEEP;

    for (size_t i = 0; i < TUNE_SETTINGS; i++) {
        char before[64], after[64], title[32];
        size_t length = 0;

        if (!tune_differs(state, i))
            continue;
        for (const char *at = tune_settings[i].title; *at && length + 1 < sizeof title; at++)
            title[length++] = (char)toupper((unsigned char)*at);
        title[length] = '\0';
        line_print(line, priority, ROLE_ANSWER | STYLE_BOLD, "%s%s %s → %s", line->count ? ", " : "", title,
                   analysis_settings_print(&state->stored, tune_settings[i].name, before, sizeof before),
                   analysis_settings_print(model_settings(state->session->model), tune_settings[i].name,
                                           after, sizeof after));
        priority = 5;
    }
}

static void answer(const void *user, struct line *line)
{
    const struct tune_state *state = user;
    const struct tune_stutters *was = &state->was, *now = &state->now;

    if (!state->session->build) {
        line_add(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "NO RUNS YET");
        return;
    }
    if (!model_is_tuned(state->session->model)) {
        line_add(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "AS IN THE STORE");
        if (state->session->as_it_is)
            line_add(line, 1, ROLE_MISSING, " so far");
        line_print(line, 1, ROLE_ANSWER, "   %zu stutter%s · %lld windows · %zu to decide", now->count,
                   text_plural((int64_t)now->count), (long long)now->windows, now->lines);
        return;
    }
    add_changes(state, line);
    if (state->session->as_it_is)
        line_add(line, 1, ROLE_MISSING, " so far");
    line_print(line, 2, ROLE_ANSWER, "  stutters %zu → %zu", was->count, now->count);
    line_print(line, 4, ROLE_ANSWER, " · windows %lld → %lld", (long long)was->windows,
               (long long)now->windows);
    if (state->session->as_it_is)
        line_print(line, 3, ROLE_ANSWER, " · to decide %zu → …", was->lines);
    else
        line_print(line, 3, ROLE_ANSWER, " · to decide %zu → %zu", was->lines, now->lines);
    line_print(line, LINE_KEEP, tune_count_lost(state, TUNE_TICKET) ? ROLE_BAD : ROLE_ANSWER | STYLE_BOLD,
               " · tickets lost %zu", tune_count_lost(state, TUNE_TICKET));
}

static void status(const void *user, struct line *line)
{
    const struct tune_state *state = user;

    if (!state->session->build)
        return;
    if (state->took_ms && !state->session->as_it_is)
        line_print(line, 2, ROLE_STATUS, "worked out in %lld ms · ", (long long)state->took_ms);
    if (model_is_tuned(state->session->model))
        line_add_two(line, 1, ROLE_STATUS,
                     "every screen says \"tuned\" beside the build until saved or reset",
                     "\"tuned\" until saved or reset");
    else
        line_add(line, 1, ROLE_STATUS, "h and l change the setting; nothing is saved until S");
}

/* ---- as words of a place: the values are the session's ---- */

static void keep(const void *user, struct view_words *words)
{
    const struct tune_state *state = user;

    view_words_put(words, "setting", tune_settings[state->setting.selected].name);
    if (state->finder.text && state->found != SIZE_MAX) {
        view_words_put(words, "find", state->finder.text);
        view_words_put_number(words, "hit", (int64_t)state->found);
    }
    if (state->row.selected || state->row.first) {
        view_words_add_number(words, "top", state->row.first);
        view_words_add_number(words, "top", state->row.selected);
    }
}

static void take(void *user, const struct view_words *words, bool filled)
{
    struct tune_state *state = user;
    const char *setting = view_words_get(words, "setting");
    int64_t number;

    if (!filled) {
        for (int i = 0; setting && i < TUNE_SETTINGS; i++)
            if (strcmp(setting, tune_settings[i].name) == 0)
                state->setting.selected = i;
        return;
    }
    if (view_words_has(words, "find") &&
        view_words_number(words, "hit", 0, (int64_t)(state->devices.count + state->lost.count) - 1, &number)) {
        finder_set(&state->finder, view_words_get(words, "find"));
        state->found = (size_t)number;
    }
    view_words_place_at(words, "top", 0, state->row.count, &state->row.first);
    view_words_place_at(words, "top", 1, state->row.count, &state->row.selected);
}

static const struct hint hints[] = {
    {{ACTION_DOWN, ACTION_UP}, "setting"},
    {{ACTION_LEFT, ACTION_RIGHT}, "less, more"},
    {{ACTION_DEFAULT}, "reset"},
    {{ACTION_SAVE}, "save in store"},
    {{ACTION_GO}, "look with these"},
    {{ACTION_BACK}, "keep for the session"},
    {{ACTION_NONE}, NULL},
};

const struct screen_type tune_screen = {
    .kind = SCREEN_TUNE,
    .name = "Tune",
    .create = create,
    .destroy = destroy,
    .recompute = tune_recompute,
    .draw = tune_draw,
    .where = where,
    .answer = answer,
    .status = status,
    .hints = hints,
    .act = tune_act,
    .work = work,
    .stop_work = stop_work,
    .keep = keep,
    .take = take,
};
