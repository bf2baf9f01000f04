/* What the keys do on Trend: moving, going on, reading. */
#include "trend.h"

#include "decide.h"
#include "distribution.h"
#include "runs_text.h"
#include "stutterscope/base/json.h"
#include "stutterscope/model/tables.h"
#include "stutterscope/view/filtering.h"
#include "stutterscope/view/pager.h"
#include <stdlib.h>

static size_t here(const struct trend_state *state)
{
    return (size_t)state->cursor.selected;
}

static void step_build(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    bool newer = event->action == ACTION_RIGHT || event->action == ACTION_NEWER_BUILD;
    int step = event->argument > 1 ? event->argument : 1,
        next = state->cursor.selected + (newer ? step : -step);

    if (next < 0 || next >= state->cursor.count) {
        reply_say(reply, newer ? "this is the newest build" : "this is the oldest build");
        next = next < 0 ? 0 : state->cursor.count - 1;
    }
    state->cursor.selected = next;
}

static void go(struct screen_reply *reply, enum screen_kind kind)
{
    reply->go = reply->changed = true;
    reply->go_to = kind;
}

/* The stutter from close by, else the map of that build. */
static void enter(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    struct session *session = state->session;

    (void)event;
    if (!state->history->builds[here(state)].has_frames) {
        reply_say(reply, "%s was not run here", trend_build_name(state, here(state)));
        return;
    }
    session->build = state->builds.items[here(state)].build;
    session->device = state->subject.device;
    session->scene = state->subject.scene;
    session->run = session->window = 0;
    if (state->subject.event < 0)
        session->stutter[0] = '\0';
    go(reply, state->subject.event < 0 ? SCREEN_MAP : SCREEN_FRAMES);
}

static void show_elsewhere(struct trend_state *state, int64_t device, int64_t scene,
                           struct screen_reply *reply)
{
    struct session *session = state->session;
    const struct stutter_entries *entries =
        model_stutters(session->model, session->build, session->baseline, session->as_it_is, NULL, NULL);

    session->stutter[0] = '\0';
    session->run = session->window = 0;
    session->device = device;
    session->scene = scene;
    for (size_t i = 0; entries && state->subject.event >= 0 && i < entries->count; i++) {
        const struct stutter_entry *entry = &entries->items[i];

        if (entry->stutter.key.device != device || entry->stutter.key.scene != scene ||
            entry->stutter.event != state->subject.event || entry->stutter.label != LABEL_GAMEPLAY)
            continue;
        session_choose_stutter(session, entry);
        break;
    }
    if (state->subject.event >= 0 &&
        !session->stutter[0]) { /* it does not stutter there: its frames are shown all the same */
        state->subject.device = device;
        state->subject.scene = scene;
        state->subject.quality = trend_quality_of(session->model, device, scene, state->subject.quality);
        state->taken.device = device;
        state->taken.scene = scene;
        state->taken.stutter[0] = '\0';
        state->range_moved = false;
    }
    reply->recompute = reply->changed = true;
}

/* The next device that played the scene, in the order of the store. */
static void step_sibling(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    const struct device_list *devices = model_devices(state->session->model);
    size_t count = devices->count, at = 0;
    bool next = event->action == ACTION_NEXT_SIBLING;

    while (at < count && devices->items[at].id != state->subject.device)
        at++;
    for (size_t tried = 1; tried < count; tried++) {
        size_t other = (next ? at + tried : at + count - tried) % count;

        if (trend_quality_of(state->session->model, devices->items[other].id, state->subject.scene, -1) < 0)
            continue;
        show_elsewhere(state, devices->items[other].id, state->subject.scene, reply);
        return;
    }
    reply_say(reply, "no other device played this scene");
}

static bool is_subject(const struct trend_state *state, const struct open_item *item)
{
    if (item->kind == OPEN_STUTTER)
        return item->event == state->subject.event && item->scene == state->subject.scene;
    return (item->kind == OPEN_DRIFT || item->kind == OPEN_SLOW) && state->subject.event < 0 &&
           item->scene == state->subject.scene && item->device == state->subject.device;
}

static void step_open(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    struct open_items open = {0};
    struct error error = {0};
    size_t at = SIZE_MAX;
    bool next = event->action == ACTION_NEXT_OPEN, found = false;

    if (!session_open_items(state->session, &open, &error))
        reply_fail(reply, "%s", error.text);
    for (size_t i = 0; i < open.count; i++)
        if (at == SIZE_MAX && is_subject(state, &open.items[i]))
            at = i;
    for (size_t tried = 1; tried <= open.count && !found; tried++) {
        size_t start = at == SIZE_MAX ? (next ? open.count - 1 : 0) : at;
        const struct open_item *item =
            &open.items[(next ? start + tried : start + open.count - tried) % open.count];

        if ((item->kind != OPEN_STUTTER && item->kind != OPEN_DRIFT && item->kind != OPEN_SLOW) ||
            is_subject(state, item))
            continue;
        found = true;
        state->session->stutter[0] = '\0';
        state->session->device = item->device;
        state->session->scene = item->scene;
        if (item->kind == OPEN_STUTTER)
            session_choose_stutter(state->session, item->worst);
        reply->recompute = reply->changed = true;
    }
    if (!found && error.code == ERROR_NONE)
        reply_say(reply, "nothing else is to decide that has a trend");
    free(open.items);
}

/* ---- marks ---- */

static void mark(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    int64_t build = state->builds.items[here(state)].build;

    (void)event;
    if (!state->history->builds[here(state)].has_frames)
        reply_say(reply, "%s was not run here", trend_build_name(state, here(state)));
    else if (state->marked[0] == build) {
        state->marked[0] = state->marked[1];
        state->marked[1] = 0;
    } else if (state->marked[1] == build)
        state->marked[1] = 0;
    else {
        if (state->marked[0] && state->marked[1]) /* the older mark gives way */
            state->marked[0] = state->marked[1];
        state->marked[state->marked[0] ? 1 : 0] = build;
        reply_say(reply, state->marked[1] ? "two marked: d compares their distributions"
                                          : "marked; mark another and d compares the two");
    }
}

static bool back(struct trend_state *state, struct screen_reply *reply)
{
    if (state->marked[0]) {
        state->marked[0] = state->marked[1] = 0;
        reply_say(reply, "marks are gone");
        return true;
    }
    return filtering_drop(state->session, reply);
}

/* ---- finding ---- */

static struct scroll places(const void *user, int step)
{
    const struct trend_state *state = user;

    (void)step;
    return state->cursor;
}

static bool has(const void *user, int place, const char *text)
{
    const struct trend_state *state = user;

    return finder_contains(trend_build_name(state, (size_t)place), text) || finder_contains(state->builds.items[place].commit, text);
}

static void go_to(void *user, int place, struct screen_reply *reply)
{
    struct trend_state *state = user;

    (void)reply;
    state->cursor.selected = place;
}

static void find(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    static const struct finder_way way = {"find build or commit", "no build or commit has ", "", places, has, go_to};
    struct trend_state *state = user;

    finder_act(&state->finder, &way, state, event, reply);
}

/* ---- reading ---- */

static void why(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    char *text = trend_why(state);

    (void)event;
    reply->open = pager_open("Why", text);
    free(text);
}

static void show_runs(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    struct error error = {0};
    char *text = runs_text(state->session->model, state->builds.items[here(state)].build,
                           state->subject.device, &error);

    (void)event;
    if (text)
        reply->open = pager_open(trend_build_name(state, here(state)), text);
    else
        reply_fail(reply, "%s", error.text);
    free(text);
}

/* The build at the cursor against its baseline, or the two marked ones: the newer against the older. */
static void show_distribution(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    struct model *model = state->session->model;
    struct group_key key = {0, state->subject.device, state->subject.scene, state->subject.quality},
                     with = key;

    (void)event;
    key.build = state->builds.items[here(state)].build;
    if (state->marked[1]) {
        bool first_is_newer =
            model_build_position(model, state->marked[0]) > model_build_position(model, state->marked[1]);

        key.build = state->marked[first_is_newer ? 0 : 1];
        with.build = state->marked[first_is_newer ? 1 : 0];
        distribution_compare(state->session, &key, &with, reply);
    } else
        distribution_show(state->session, &key, reply);
}

static void payload(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    struct model *model = state->session->model;
    struct table_request request;
    struct error error = {0};
    struct table *table;

    (void)event;
    table_request_default(&request);
    request.device = state->subject.device;
    request.scene = state->subject.scene;
    request.quality = state->subject.quality;
    request.baseline = state->session->baseline;
    request.figure = compared_figure_name(state->subject.figure);
    request.event = state->subject.event > 0 ? model_text(model, state->subject.event) : NULL;
    table = table_trend(model, &request, &error);
    if (!table) {
        reply_fail(reply, "%s", error.text);
        return;
    }

    struct json *json = table_to_json(table);
    char *text = json_print_pretty(json);

    reply->open = pager_open("The builds as JSON (stutterscope trend --json)", text);
    free(text);
    json_destroy(json);
    table_destroy(table);
}

static void ticket(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    const struct stutter_entry *entry = session_stutter(state->session);

    (void)event;
    if (state->session->marked.count || (entry && entry->present))
        go(reply, SCREEN_TICKET);
    else
        reply_say(reply, "a ticket is written about a stutter; there is none here");
}

static void reload(struct trend_state *state, struct screen_reply *reply)
{
    struct error error = {0};

    state->stopped = false;
    if (session_reload(state->session, &error)) {
        reply->changed = reply->recompute = true;
        reply_say(reply, "read again");
    } else
        reply_fail(reply, "%s", error.text);
}

static void click(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;
    struct trend_layout layout;

    trend_lay_out(state, event->area, &layout);
    for (size_t b = 0; b < state->builds.count; b++) {
        int column = trend_slot_column(&layout, b);

        if (column < 0 || event->column < column || event->column >= column + layout.slot ||
            event->row > layout.marks.row)
            continue;
        state->cursor.selected = (int)b;
        if (event->argument == 2)
            enter(state, event, reply);
        return;
    }
}

static const struct screen_handler handlers[] = {
    {ACTION_LEFT, step_build},
    {ACTION_RIGHT, step_build},
    {ACTION_OLDER_BUILD, step_build},
    {ACTION_NEWER_BUILD, step_build},
    {ACTION_ENTER, enter},
    {ACTION_NEXT_SIBLING, step_sibling},
    {ACTION_PREVIOUS_SIBLING, step_sibling},
    {ACTION_NEXT_OPEN, step_open},
    {ACTION_PREVIOUS_OPEN, step_open},
    {ACTION_MARK, mark},
    {ACTION_FIND, find},
    {ACTION_FIND_NEXT, find},
    {ACTION_FIND_PREVIOUS, find},
    {ACTION_WHY, why},
    {ACTION_RUNS, show_runs},
    {ACTION_DISTRIBUTION, show_distribution},
    {ACTION_PAYLOAD, payload},
    {ACTION_TICKET, ticket},
    {ACTION_CLICK, click},
    {ACTION_NONE, NULL},
};

/* g and G, and a page: along the builds, which lie from left to right. */
static bool move(struct trend_state *state, const struct screen_event *event)
{
    struct trend_layout layout;

    if (event->action == ACTION_UP || event->action == ACTION_DOWN)
        return false;
    trend_lay_out(state, event->area, &layout);
    return scroll_act(&state->cursor, event, layout.shown);
}

bool trend_act(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct trend_state *state = user;

    if (event->action == ACTION_RELOAD) {
        reload(state, reply);
        return true;
    }
    if (event->action == ACTION_BACK)
        return back(state, reply);
    if (!state->history || !state->builds.count) {
        if (event->action == ACTION_NEXT_OPEN || event->action == ACTION_PREVIOUS_OPEN)
            step_open(state, event, reply);
        return event->action == ACTION_NEXT_OPEN || event->action == ACTION_PREVIOUS_OPEN;
    }
    return move(state, event) || decide_act(state->session, event, decide_find_subject, NULL, reply) ||
           screen_dispatch(handlers, state, event, reply) ||
           screen_dispatch(trend_show_handlers, state, event, reply);
}
