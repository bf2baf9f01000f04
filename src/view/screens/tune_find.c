/* Finding on Tune: devices of the small map, then what is lost, by event and device. */
#include "tune.h"

static const char *device_title(const struct tune_state *state, int64_t device)
{
    const struct device_row *row = model_device(state->session->model, device);

    return row ? model_device_title(row) : "";
}

/* Places are counted through: the rows of the map, then those of what is lost. */
static bool has(const void *user, int place, const char *text)
{
    const struct tune_state *state = user;
    const struct tune_stutter *lost;

    if ((size_t)place < state->devices.count)
        return finder_contains(state->devices.items[place].title, text);
    lost = &state->lost.items[(size_t)place - state->devices.count];
    return finder_contains(model_text(state->session->model, lost->event), text) || finder_contains(device_title(state, lost->device), text);
}

static struct scroll places(const void *user, int step)
{
    const struct tune_state *state = user;
    size_t count = state->devices.count + state->lost.count;

    return (struct scroll){.count = (int)count, .selected = state->found < count ? (int)state->found : step > 0 ? -1 : (int)count};
}

static void go_to(void *user, int place, struct screen_reply *reply)
{
    struct tune_state *state = user;

    (void)reply;
    state->found = (size_t)place;
    if (state->found < state->devices.count)
        state->row.selected = place;
}

void tune_find(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    static const struct finder_way way = {"find device or lost stutter", "no device and no lost stutter has ", "", places, has, go_to};
    struct tune_state *state = user;

    finder_act(&state->finder, &way, state, event, reply);
}

bool tune_is_found(const struct tune_state *state, bool lost, size_t index)
{
    return state->finder.text && state->found == (lost ? state->devices.count : 0) + index &&
           has(state, (int)state->found, state->finder.text);
}
