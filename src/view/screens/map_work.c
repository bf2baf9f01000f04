#include "map.h"

#include "stutterscope/base/clock.h"
#include <stdio.h>

enum {
    SHOW_EVERY_MS = 1000, /* what is there so far is shown again no oftener than this, */
    SHOW_MOST_MS = 150    /* and only while working it out is this quick */
};

static bool show(struct map_state *state, struct error *error)
{
    int64_t begun = clock_steady_ms();
    bool good = map_recompute(state, NULL, error);

    state->shown_ms = clock_steady_ms();
    state->took_ms = state->shown_ms - begun;
    return good;
}

enum screen_work map_work(void *user, struct screen_progress *ret, struct error *error)
{
    struct map_state *state = user;
    int64_t left = 0;

    if (!state->session->as_it_is || state->stopped || state->empty)
        return WORK_NONE;
    if (!model_analyze_step(state->session->model, state->session->build, &left, error)) {
        state->stopped = true; /* the error is shown once; R tries again */
        return WORK_DONE;
    }
    if (left == 0) {
        state->waited = 0;
        state->session->as_it_is = false;
        show(state, error);
        return WORK_DONE;
    }
    if (left + 1 > state->waited)
        state->waited = left + 1;
    if (clock_steady_ms() - state->shown_ms > SHOW_EVERY_MS && state->took_ms < SHOW_MOST_MS && !show(state, error))
        return WORK_DONE;
    snprintf(ret->what, sizeof ret->what, "analysing");
    ret->done = state->waited - left;
    ret->total = state->waited;
    return WORK_MORE;
}

void map_stop_work(void *user)
{
    struct map_state *state = user;

    state->stopped = true;
    state->waited = 0;
}
