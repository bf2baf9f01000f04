#include "analysis_steps.h"

#include "stutterscope/base/clock.h"
#include <stdio.h>

enum {
    SHOW_EVERY_MS = 1000, /* what is there so far is shown again no oftener than this, */
    SHOW_MOST_MS = 150    /* and only while working it out is this quick */
};

enum screen_work analysis_steps_work(struct analysis_steps *steps, struct session *session, void *state,
                                     bool (*show)(void *state, const struct progress *progress,
                                                  struct error *error),
                                     struct screen_progress *ret, struct error *error)
{
    int64_t left = 0;
    if (!session->as_it_is || steps->stopped || !session->build)
        return WORK_NONE;
    if (!model_analyze_step(session->model, session->build, &left, error)) {
        steps->stopped = true;
        return WORK_DONE;
    }
    if (left == 0)
        session->as_it_is = false;
    if (left + 1 > steps->waited)
        steps->waited = left + 1;
    bool due = clock_steady_ms() - steps->shown_ms > SHOW_EVERY_MS && steps->took_ms < SHOW_MOST_MS;
    if (left == 0 || due) {
        int64_t begun = clock_steady_ms();
        if (!show(state, NULL, error))
            steps->stopped = true;
        steps->shown_ms = clock_steady_ms();
        steps->took_ms = steps->shown_ms - begun;
    }
    if (left == 0 || steps->stopped) {
        steps->waited = 0;
        return WORK_DONE;
    }
    snprintf(ret->what, sizeof ret->what, "analysing");
    ret->done = steps->waited - left;
    ret->total = steps->waited;
    return WORK_MORE;
}
