/* Finding on Tune: devices of the small map, then what is lost, by event and device. */
#include "tune.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/view/prompt.h"
#include <stdlib.h>
#include <string.h>

static const char *device_title(const struct tune_state *state, int64_t device)
{
    const struct device_row *row = model_device(state->session->model, device);

    return row ? model_device_title(row) : "";
}

/* Places are counted through: the rows of the map, then those of what is lost. */
static bool is_hit(const struct tune_state *state, size_t at)
{
    const struct tune_stutter *lost;
    const char *event;

    if (at < state->devices.count)
        return strcasestr(state->devices.items[at].title, state->find) != NULL;
    lost = &state->lost.items[at - state->devices.count];
    event = model_text(state->session->model, lost->event);
    return (event && strcasestr(event, state->find)) || strcasestr(device_title(state, lost->device), state->find);
}

static void find_again(struct tune_state *state, int step, struct screen_reply *reply)
{
    size_t count = state->devices.count + state->lost.count,
           at = state->found != SIZE_MAX && state->found < count ? state->found : step > 0 ? count - 1 : 0;

    if (!state->find) {
        reply_say(reply, "nothing was looked for yet: / finds");
        return;
    }
    for (size_t tried = 1; tried <= count; tried++) {
        size_t next = step > 0 ? (at + tried) % count : (at + count - tried) % count;

        if (!is_hit(state, next))
            continue;
        state->found = next;
        if (next < state->devices.count)
            state->row.selected = (int)next;
        return;
    }
    reply_say(reply, "no device and no lost stutter has \"%s\"", state->find);
}

static void find_accepted(void *user, const char *text, struct screen_reply *reply)
{
    struct tune_state *state = user;

    if (!*text)
        return;
    free(state->find);
    state->find = memory_copy_text(text);
    state->found = SIZE_MAX;
    find_again(state, 1, reply);
}

void tune_find(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct tune_state *state = user;

    if (event->action == ACTION_FIND)
        reply->open = prompt_open(&(struct prompt_options){.label = "find device or lost stutter", .owner = state, .accept = find_accepted});
    else
        find_again(state, event->action == ACTION_FIND_NEXT ? 1 : -1, reply);
}

bool tune_is_found(const struct tune_state *state, bool lost, size_t index)
{
    return state->find && state->found == (lost ? state->devices.count : 0) + index;
}
