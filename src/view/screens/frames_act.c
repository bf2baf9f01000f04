/* Moving and going on from Frames; texts are in frames_show.c. */
#include "frames.h"

#include "decide.h"
#include "open_step.h"
#include "stutterscope/view/filtering.h"

static int steps_of(const struct screen_event *event)
{
    return event->argument > 1 ? event->argument : 1;
}

static void move_cursor(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    int steps = steps_of(event);
    (void)reply;
    if (!frames_has_frames(frames))
        return;
    frames_move_cursor(frames, event->action == ACTION_LEFT ? -steps : steps,
                       frames_plot_columns(frames, event->area));
}

static void pan(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    static const struct {
        enum action action;
        double part;
    } parts[] = {
        {ACTION_HALF_DOWN, 0.5}, {ACTION_HALF_UP, -0.5}, {ACTION_PAGE_DOWN, 1}, {ACTION_PAGE_UP, -1}};
    (void)reply;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].action == event->action)
            frames_pan(state, parts[i].part);
}

static void go_end(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    (void)reply;
    if (frames_has_frames(frames))
        frames_set_cursor(frames, event->action == ACTION_FIRST ? 0 : frames->detail->count - 1);
}

static void zoom(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    (void)reply;
    if (event->action == ACTION_DEFAULT)
        frames_fit(state);
    else
        frames_zoom(state, event->action == ACTION_MORE ? steps_of(event) : -steps_of(event));
}

static void step_lane(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    int step = event->action == ACTION_DOWN ? 1 : -1;
    (void)reply;
    for (int lane = (int)frames->lane + step; frames_has_frames(frames) && lane >= 0 && lane < LANE_COUNT;
         lane += step)
        if (frames_has_lane(frames, (enum frames_lane)lane)) {
            frames->lane = (enum frames_lane)lane;
            return;
        }
}

static void choose_lanes(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    static const char *const words[] = {"all lanes", "frame times, CPU and GPU", "frame times only"};
    struct frames *frames = state;
    (void)event;
    frames->lanes_shown = (frames->lanes_shown + 1) % (int)(sizeof words / sizeof *words);
    if (frames_has_frames(frames) && !frames_has_lane(frames, frames->lane))
        frames->lane = LANE_FRAME;
    reply_say(reply, "%s", words[frames->lanes_shown]);
}

static void typical(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    (void)event;
    if (!frames->has_window) {
        reply_say(reply, "there is no window here, so no worst frame");
        return;
    }
    size_t worst = frames_peak_frame(frames);
    frames_set_cursor(frames, frames->cursor == worst ? frames->typical : worst);
}

/* ---- windows, runs, builds ---- */

static void step_window(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    if (!frames_has_frames(frames))
        return;
    const struct run_detail *detail = frames->detail;
    const struct stutter_window *found = NULL;
    bool next = event->action == ACTION_NEXT_SIBLING;
    int64_t here = frames->has_window ? frames->window.start_ns : frames_start_of(detail, frames->cursor);
    for (size_t i = 0; i < detail->windows.count; i++) {
        const struct stutter_window *window = &detail->windows.items[i];
        if (!frames_window_is_listed(frames, window) ||
            (next ? window->start_ns <= here : window->start_ns >= here))
            continue;
        if (!(found && next))
            found = window;
    }
    if (found) {
        struct stutter_window copy = *found;
        frames_choose_window(frames, &copy);
        frames->view_window = copy.id;
        reply->changed = true;
    } else {
        reply_say(reply, next ? "this is the last window of the run; } goes to the next run"
                              : "this is the first window of the run; { goes to the run before");
    }
}

static void step_run(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    int step = event->action == ACTION_NEXT_RUN ? 1 : -1;
    if (!frames_has_frames(frames))
        return;
    for (size_t i = 0; i < frames->runs.count; i++) {
        if (frames->runs.items[i].run != frames->detail->run->id)
            continue;
        if ((step < 0 && i == 0) || i + (size_t)step >= frames->runs.count)
            break;
        frames->session->run = frames->runs.items[i + (size_t)step].run;
        frames->session->window = 0;
        reply->recompute = reply->changed = true;
        return;
    }
    reply_say(reply, step > 0 ? "this is the last run of the device in this build"
                              : "this is the first run of the device in this build");
}

/* The next build in which the device has such frames; the stutter may be gone there, and is shown as clean.
 */
static void step_build(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    struct session *session = frames->session;
    int step = event->action == ACTION_NEWER_BUILD ? 1 : -1;
    int64_t build = session->build, run = session->run, window = session->window;
    struct group_key key = frames->entry.stutter.key;
    while (session_step_build(session, step)) {
        key.build = session->build;
        if (frames->has_entry && !model_group_has_frames(session->model, &key))
            continue;
        reply->recompute = reply->changed = true;
        return;
    }
    session->build = build;
    session->run = run;
    session->window = window;
    reply_say(reply, step > 0 ? "no newer build has frames of this" : "no older build has frames of this");
}

static void step_open(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    struct error error = {0};
    enum open_step found;
    if (!open_step(frames->session, frames->has_entry ? &frames->entry : NULL,
                   event->action == ACTION_NEXT_OPEN, &found, &error))
        reply_fail(reply, "%s", error.text);
    else
        open_step_reply(found, reply);
}

static void compare(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    struct error error = {0};
    (void)event;
    if (frames->overlay.detail) {
        frames_drop_overlay(frames);
        frames->wants_overlay = false;
    } else if (frames_load_overlay(frames, &error)) {
        frames->wants_overlay = true;
    } else {
        reply_say(reply, "%s", error.text);
    }
}

/* The network is asked when somebody says so, never by itself. */
static void fetch(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    (void)event;
    if (!frames_has_frames(frames))
        return;
    if (frames->detail->elsewhere == 0) {
        reply_say(reply, "all frames of this run are here");
        return;
    }
    frames->wants_fetch = true;
    reply->recompute = reply->changed = true;
}

static void reload(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    struct error error = {0};
    (void)event;
    frames->steps.stopped = false;
    if (!session_reload(frames->session, &error)) {
        reply_fail(reply, "%s", error.text);
        return;
    }
    reply->recompute = reply->changed = true;
    reply_say(reply, "read again");
}

static void ticket(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    (void)event;
    if (frames->session->marked.count == 0 && !(frames->has_entry && frames->entry.present)) {
        reply_say(reply, "there is no stutter here to write a ticket about");
        return;
    }
    reply->changed = reply->go = true;
    reply->go_to = SCREEN_TICKET;
}

/* A double click would be the table; a click moves the cursor to the highest frame of that column. */
static void click(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    struct frames_layout layout;
    if (!frames_has_frames(frames))
        return;
    frames_lay(frames, event->area, &layout);
    struct area plot = layout.chart;
    area_take_left(&plot, layout.label_columns);
    if (plot.columns > 0 && event->column >= plot.column && event->column < plot.column + plot.columns &&
        event->row >= plot.row) {
        int64_t column = (frames->view_to - frames->view_from) / plot.columns;
        int64_t from = frames->view_from + column * (event->column - plot.column);
        size_t best = run_detail_frame_at(frames->detail, from);
        for (size_t i = best; i < frames->detail->count && frames_start_of(frames->detail, i) < from + column;
             i++)
            if (frames->detail->frame_ns[i] > frames->detail->frame_ns[best])
                best = i;
        frames_set_cursor(frames, best);
        if (event->argument == 2)
            reply->open = frames_open_table(frames);
    }
}

static void ask_filter(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    (void)event;
    filtering_ask(frames->session, &(struct filtering_scope){"windows of this run", frames, frames_count_fitting}, reply);
}

static const struct screen_handler handlers[] = {
    {ACTION_LEFT, move_cursor},
    {ACTION_RIGHT, move_cursor},
    {ACTION_DOWN, step_lane},
    {ACTION_UP, step_lane},
    {ACTION_FIRST, go_end},
    {ACTION_LAST, go_end},
    {ACTION_HALF_DOWN, pan},
    {ACTION_HALF_UP, pan},
    {ACTION_PAGE_DOWN, pan},
    {ACTION_PAGE_UP, pan},
    {ACTION_MORE, zoom},
    {ACTION_LESS, zoom},
    {ACTION_DEFAULT, zoom},
    {ACTION_WHAT, choose_lanes},
    {ACTION_TYPICAL, typical},
    {ACTION_NEXT_SIBLING, step_window},
    {ACTION_PREVIOUS_SIBLING, step_window},
    {ACTION_NEXT_RUN, step_run},
    {ACTION_PREVIOUS_RUN, step_run},
    {ACTION_OLDER_BUILD, step_build},
    {ACTION_NEWER_BUILD, step_build},
    {ACTION_NEXT_OPEN, step_open},
    {ACTION_PREVIOUS_OPEN, step_open},
    {ACTION_COMPARE, compare},
    {ACTION_FIND, frames_find},
    {ACTION_FIND_NEXT, frames_find},
    {ACTION_FIND_PREVIOUS, frames_find},
    {ACTION_FILTER, ask_filter},
    {ACTION_OPEN, frames_open},
    {ACTION_WIDER, fetch},
    {ACTION_RELOAD, reload},
    {ACTION_TICKET, ticket},
    {ACTION_CLICK, click},
    {ACTION_NONE, NULL},
};

bool frames_act(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    return decide_act(frames->session, event, decide_find_subject, NULL, reply) || screen_dispatch(handlers, state, event, reply) ||
           screen_dispatch(frames_show_handlers, state, event, reply);
}
