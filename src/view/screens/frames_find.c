/* Finding on Frames: the next event of the run whose name has a text. */
#include "frames.h"

#include "figure_text.h"

/* The cursor lies between two events: the one that is left is the last before it, or the first behind it. */
static struct scroll places(const void *state, int step)
{
    const struct frames *frames = state;
    struct scroll events = {.count = frames_has_frames(frames) ? (int)frames->detail->events.count : 0};
    int64_t here = events.count ? frames_start_of(frames->detail, frames->cursor) : 0;
    while (events.selected < events.count) {
        int64_t ns = frames->detail->events.items[events.selected].stamp_ns;
        if (step > 0 ? ns > here : ns >= here)
            break;
        events.selected++;
    }
    events.selected -= step > 0;
    return events;
}

static const char *name_of(const struct frames *frames, int place)
{
    return model_text(frames->session->model, frames->detail->events.items[place].event);
}

static bool has(const void *state, int place, const char *text)
{
    return finder_contains(name_of(state, place), text);
}

static void go_to(void *state, int place, struct screen_reply *reply)
{
    struct frames *frames = state;
    int64_t ns = frames->detail->events.items[place].stamp_ns;
    frames_set_cursor(frames, run_detail_frame_at(frames->detail, ns));
    reply_say(reply, "%s at %s", name_of(frames, place), figure_time(frames_shown_time(frames, ns)).text);
}

void frames_find(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    static const struct finder_way way = {"find an event", "no event ", " in this run", places, has, go_to};
    struct frames *frames = state;
    finder_act(&frames->finder, &way, frames, event, reply);
}
