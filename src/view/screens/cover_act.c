/* What the keys do on Cover. */
#include "cover.h"

#include "decide.h"

#include "runs_text.h"
#include "stutterscope/base/json.h"
#include "stutterscope/model/tables.h"
#include "stutterscope/view/filtering.h"
#include "stutterscope/view/pager.h"
#include <stdlib.h>

static void choose(struct cover_state *state)
{
    state->session->device = state->rows.items[state->row.selected].device;
    cover_find_heat(state);
}

static void enter(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct cover_state *state = user;
    struct error error = {0};
    const struct cover_row *row = &state->rows.items[state->row.selected];
    char *text = runs_text(state->session->model, state->builds.items[state->column.selected].build,
                           row->device, &error);

    (void)event;
    if (text)
        reply->open = pager_open(row->title, text);
    else
        reply_fail(reply, "%s", error.text);
    free(text);
}

static bool is_trouble(const struct cover_row *row)
{
    return row->cell.state == COVERAGE_MISSING || row->cell.state == COVERAGE_FEWER ||
           row->scenes_missing > 0;
}

static void step_device(struct cover_state *state, int step, bool trouble, struct screen_reply *reply)
{
    int count = (int)state->rows.count;

    for (int tried = 1; tried <= count; tried++) {
        int next = ((state->row.selected + step * tried) % count + count) % count;

        if (trouble && !is_trouble(&state->rows.items[next]))
            continue;
        state->row.selected = next;
        choose(state);
        return;
    }
    reply_say(reply, "every device has what is expected");
}

static void step_trouble(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    step_device(user, event->action == ACTION_NEXT_OPEN ? 1 : -1, true, reply);
}

static void step_sibling(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    step_device(user, event->action == ACTION_NEXT_SIBLING ? 1 : -1, false, reply);
}

static void step_build(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct cover_state *state = user;
    int step = event->action == ACTION_NEWER_BUILD ? 1 : -1;

    if (session_step_build(state->session, step))
        reply->changed = reply->recompute = true;
    else
        reply_say(reply,
                  step > 0 ? "this is the newest build with runs" : "this is the oldest build with runs");
}

static void fold(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct cover_state *state = user;

    (void)event;
    state->session->shows_folded = !state->session->shows_folded;
    reply->changed = reply->recompute = true;
    reply_say(reply,
              state->session->shows_folded ? "retired devices are shown" : "retired devices are folded away");
}

static struct scroll places(const void *user, int step)
{
    const struct cover_state *state = user;

    (void)step;
    return state->row;
}

static bool has(const void *user, int place, const char *text)
{
    const struct cover_state *state = user;

    return finder_contains(state->rows.items[place].title, text);
}

static void go_to(void *user, int place, struct screen_reply *reply)
{
    struct cover_state *state = user;

    (void)reply;
    state->row.selected = place;
    choose(state);
}

static void find(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    static const struct finder_way way = {"find device", "no device has ", "", places, has, go_to};
    struct cover_state *state = user;

    finder_act(&state->finder, &way, state, event, reply);
}

static void ask_filter(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct cover_state *state = user;

    (void)event;
    filtering_ask(state->session, &(struct filtering_scope){"devices", state, cover_count_fitting}, reply);
}

static void payload(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct cover_state *state = user;
    struct table_request request;
    struct error error = {0};
    struct table *table;

    (void)event;
    table_request_default(&request);
    request.build = state->session->build;
    table = table_coverage(state->session->model, &request, &error);
    if (!table) {
        reply_fail(reply, "%s", error.text);
        return;
    }

    struct json *json = table_to_json(table);
    char *text = json_print_pretty(json);

    reply->open = pager_open("Coverage as JSON (stutterscope coverage --json)", text);
    free(text);
    json_destroy(json);
    table_destroy(table);
}

static void click(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct cover_state *state = user;
    struct cover_layout layout;
    int column;

    cover_lay_out(state, event->area, &layout);
    if (!area_contains(layout.grid, event->row, event->column))
        return;
    state->row.selected = layout.first_row + event->row - layout.grid.row;
    column = event->column - layout.grid.column - 2 - layout.name_columns - COVER_EXPECTED_COLUMNS;
    if (column >= 0 && column / COVER_CELL_COLUMNS < layout.page_columns)
        state->column.selected = layout.first_column + column / COVER_CELL_COLUMNS;
    choose(state);
    if (event->argument == 2)
        enter(state, event, reply);
}

static const struct screen_handler handlers[] = {
    {ACTION_ENTER, enter},
    {ACTION_RUNS, enter},
    {ACTION_NEXT_OPEN, step_trouble},
    {ACTION_PREVIOUS_OPEN, step_trouble},
    {ACTION_NEXT_SIBLING, step_sibling},
    {ACTION_PREVIOUS_SIBLING, step_sibling},
    {ACTION_OLDER_BUILD, step_build},
    {ACTION_NEWER_BUILD, step_build},
    {ACTION_FOLD, fold},
    {ACTION_FIND, find},
    {ACTION_FIND_NEXT, find},
    {ACTION_FIND_PREVIOUS, find},
    {ACTION_FILTER, ask_filter},
    {ACTION_PAYLOAD, payload},
    {ACTION_CLICK, click},
    {ACTION_NONE, NULL},
};

/* The device: that it is silent, or has fewer runs than usual. */
static void find_subjects(void *user, struct session *session)
{
    struct cover_state *state = user;

    if ((size_t)state->row.selected < state->rows.count)
        decide_add_place(session, "", state->rows.items[state->row.selected].device, 0);
}

static bool reload(struct cover_state *state, struct screen_reply *reply)
{
    struct error error = {0};

    if (session_reload(state->session, &error)) {
        reply->changed = reply->recompute = true;
        reply_say(reply, "read again");
    } else
        reply_fail(reply, "%s", error.text);
    return true;
}

bool cover_act(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct cover_state *state = user;
    struct cover_layout layout;
    int step = event->action == ACTION_LEFT ? -1 : event->action == ACTION_RIGHT ? 1 : 0;

    if (event->action == ACTION_RELOAD)
        return reload(state, reply);
    if (event->action == ACTION_BACK && filtering_drop(state->session, reply))
        return true;
    if (!state->rows.count || !state->builds.count)
        return false;
    cover_lay_out(state, event->area, &layout);
    if (step) {
        scroll_select(&state->column, state->column.selected + step, layout.page_columns);
        cover_find_heat(state);
        return true;
    }
    if (scroll_act(&state->row, event, layout.grid.rows)) {
        choose(state);
        return true;
    }
    return decide_act(state->session, event, find_subjects, state, reply) || screen_dispatch(handlers, state, event, reply);
}
