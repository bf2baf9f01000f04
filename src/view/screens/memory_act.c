/* What the keys do on Memory. */
#include "memory.h"

#include "decide.h"
#include "runs_text.h"
#include "stutterscope/base/json.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/tables.h"
#include "stutterscope/view/pager.h"
#include "words.h"
#include <math.h>
#include <stdlib.h>

#define MB 1e6

static void choose(struct memory_state *state)
{
    state->session->device = state->devices.items[state->device].device;
    if (state->rows.items[state->row.selected].scene)
        state->session->scene = state->rows.items[state->row.selected].scene;
}

static void enter(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct memory_state *state = user;

    (void)event;
    choose(state);
    state->session->metric = METRIC_MEMORY;
    reply->changed = reply->go = true;
    reply->go_to = SCREEN_MAP;
}

static void step_device(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct memory_state *state = user;
    size_t count = state->devices.count, step = event->action == ACTION_NEXT_SIBLING ? 1 : count - 1;

    if (count < 2) {
        reply_say(reply, "no other device has snapshots in this build");
        return;
    }
    state->device = (state->device + step) % count;
    state->session->device = state->devices.items[state->device].device;
    reply->changed = reply->recompute = true;
}

static void step_build(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct memory_state *state = user;
    int step = event->action == ACTION_NEWER_BUILD ? 1 : -1;

    if (session_step_build(state->session, step))
        reply->changed = reply->recompute = true;
    else
        reply_say(reply, step > 0 ? "this is the newest build with runs" : "this is the oldest build with runs");
}

static void compare(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct memory_state *state = user;

    (void)event;
    state->session->shows_delta = !state->session->shows_delta;
    reply->changed = true;
    reply_say(reply, state->session->shows_delta ? "categories show the difference to the baseline" : "categories show what this build has");
}

static void show_runs(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct memory_state *state = user;
    const struct memory_device *device = &state->devices.items[state->device];
    struct error error = {0};
    char *text = runs_text(state->session->model, state->session->build, device->device, &error);

    (void)event;
    if (text)
        reply->open = pager_open(device->title, text);
    else
        reply_fail(reply, "%s", error.text);
    free(text);
}

static void why(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct memory_state *state = user;
    const struct memory_row *row = &state->rows.items[state->row.selected];
    const struct build_list *builds = model_builds(state->session->model);
    struct text_buffer text = {0};

    (void)event;
    text_add_print(&text, "%s × %s in %s\n\n", state->devices.items[state->device].title, row->name,
                   model_build_name(state->session->model, state->session->build));
    text_add_print(&text, "# Total\n%s MB: %s. Each category is the median over the runs of what each run had.\n\n",
                   word_number(row->total.bytes / MB, 3).text,
                   row->total.sum ? "the sum of the categories, because none is called total" : "the category that is called total");
    text_add(&text, "# Compared\n");
    if (row->total.before_build == SIZE_MAX)
        text_add(&text, "No earlier build has these categories, taken in the same way.\n\n");
    else if (isnan(row->total.delta))
        text_add(&text, "Categories are compared each for itself; the total is not, because the two builds have not the same categories.\n\n");
    else
        text_add_print(&text, "%s MB in %s: %s MB (%s %%)\n\n", word_number(row->total.before / MB, 3).text,
                       builds->items[row->total.before_build].name, word_signed(row->total.delta / MB, 3).text,
                       word_signed(100 * row->total.delta / row->total.before, 2).text);
    text_add(&text, "# Like with like\nSnapshots that were taken while a profiler ran stand apart and are compared only with such "
                    "of the same profiler: a profiler takes memory itself. ");
    text_add_print(&text, "These were taken %s%s.\n", *row->total.profiler ? "while this one ran: " : "without one",
                   row->total.profiler);
    text_add(&text, "\n# Growth\nA growth is named from 1 MB and 2 % on. It is no verdict: snapshots have no noise band yet.\n");

    char *taken = text_take(&text);

    reply->open = pager_open("Why this number", taken);
    free(taken);
}

static void payload(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct memory_state *state = user;
    struct table_request request;
    struct error error = {0};
    struct table *table;

    (void)event;
    table_request_default(&request);
    request.build = state->session->build;
    request.baseline = state->session->baseline;
    request.device = state->devices.items[state->device].device;
    table = table_snapshots(state->session->model, &request, &error);
    if (!table) {
        reply_fail(reply, "%s", error.text);
        return;
    }

    struct json *json = table_to_json(table);
    char *text = json_print_pretty(json);

    reply->open = pager_open("Snapshots as JSON (stutterscope snapshots --json)", text);
    free(text);
    json_destroy(json);
    table_destroy(table);
}

static struct scroll places(const void *user, int step)
{
    const struct memory_state *state = user;

    (void)step;
    return state->row;
}

static bool has(const void *user, int place, const char *text)
{
    const struct memory_state *state = user;

    return finder_contains(state->rows.items[place].name, text);
}

static void go_to(void *user, int place, struct screen_reply *reply)
{
    struct memory_state *state = user;

    (void)reply;
    state->row.selected = place;
    choose(state);
}

static void find(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    static const struct finder_way way = {"find scene", "no scene has ", "", places, has, go_to};
    struct memory_state *state = user;

    finder_act(&state->finder, &way, state, event, reply);
}

static void click(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct memory_state *state = user;
    struct memory_layout layout;
    int category;

    memory_lay_out(state, event->area, &layout);
    if (!area_contains(layout.grid, event->row, event->column))
        return;
    state->row.selected = layout.first_row + event->row - layout.grid.row;
    category = event->column - layout.grid.column - 1 - layout.name_columns - MEMORY_TOTAL_COLUMNS - MEMORY_CHANGE_COLUMNS -
               layout.percent_columns;
    if (category < 0)
        state->column.selected = 0;
    else if (category / MEMORY_CATEGORY_COLUMNS < layout.page_columns)
        state->column.selected = layout.first_column + category / MEMORY_CATEGORY_COLUMNS + 1;
    choose(state);
    if (event->argument == 2)
        enter(state, event, reply);
}

static const struct screen_handler handlers[] = {
    {ACTION_ENTER, enter},
    {ACTION_PREVIOUS_SIBLING, step_device},
    {ACTION_NEXT_SIBLING, step_device},
    {ACTION_OLDER_BUILD, step_build},
    {ACTION_NEWER_BUILD, step_build},
    {ACTION_COMPARE, compare},
    {ACTION_RUNS, show_runs},
    {ACTION_WHY, why},
    {ACTION_PAYLOAD, payload},
    {ACTION_FIND, find},
    {ACTION_FIND_NEXT, find},
    {ACTION_FIND_PREVIOUS, find},
    {ACTION_CLICK, click},
    {ACTION_NONE, NULL},
};

/* Nothing here is a finding. */
static void find_no_subjects(void *user, struct session *session)
{
    (void)user;
    (void)session;
}

static bool reload(struct memory_state *state, struct screen_reply *reply)
{
    struct error error = {0};

    if (session_reload(state->session, &error)) {
        reply->changed = reply->recompute = true;
        reply_say(reply, "read again");
    } else
        reply_fail(reply, "%s", error.text);
    return true;
}

bool memory_act(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct memory_state *state = user;
    struct memory_layout layout;
    int step = event->action == ACTION_LEFT ? -1 : event->action == ACTION_RIGHT ? 1 : 0;

    if (event->action == ACTION_RELOAD)
        return reload(state, reply);
    if (event->action == ACTION_OLDER_BUILD || event->action == ACTION_NEWER_BUILD) {
        step_build(state, event, reply);
        return true;
    }
    if (!state->rows.count)
        return false;
    memory_lay_out(state, event->area, &layout);
    if (step) {
        scroll_select(&state->column, state->column.selected + step, layout.page_columns + 1);
        return true;
    }
    if (scroll_act(&state->row, event, layout.grid.rows)) {
        choose(state);
        return true;
    }
    if (event->action == ACTION_UNDO || event->action == ACTION_REDO)
        return decide_act(state->session, event, find_no_subjects, state, reply);
    return screen_dispatch(handlers, state, event, reply);
}
