/* What the keys do on the Map. */
#include "map.h"

#include "decide.h"
#include "distribution.h"
#include "runs_text.h"
#include "stutterscope/base/json.h"
#include "stutterscope/model/tables.h"
#include "stutterscope/view/filtering.h"
#include "stutterscope/view/pager.h"
#include "words.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- moving ---- */

/* In the list of what is to decide the cursor of the map follows the line. */
static void follow_list(struct map_state *state)
{
    if ((size_t)state->list.selected < state->open.count) {
        const struct open_item *item = &state->open.items[state->list.selected].item;

        map_go_to(state, item->device, item->scene);
    }
}

static bool move(struct map_state *state, const struct screen_event *event)
{
    struct map_layout layout;
    int step = event->action == ACTION_LEFT ? -1 : event->action == ACTION_RIGHT ? 1 : 0;

    map_lay_out(state, event->area, &layout);
    if (!layout.list && (step || event->action == ACTION_UP || event->action == ACTION_DOWN))
        state->came_for = SIZE_MAX;
    if (layout.list) {
        if (!scroll_act(&state->list, event, layout.page_rows))
            return false;
        follow_list(state);
    } else if (step)
        scroll_select(&state->column, state->column.selected + step, layout.page_columns);
    else if (!scroll_act(&state->row, event, layout.page_rows))
        return false;
    map_choose(state);
    return true;
}

static bool go_to_verify(struct map_state *state, int at, struct screen_reply *reply)
{
    const struct map_verify *verify = &state->verify.items[at];

    if (!map_go_to(state, verify->device, verify->scene))
        return false;
    map_choose(state);
    state->verify_at = at;
    reply_say(reply, "%d of %zu to verify: V compares with the figures of the ticket, D is done", at + 1,
              state->verify.count);
    return true;
}

/* What is to decide, and behind it what is to verify. */
static void step_open(struct map_state *state, int step, struct screen_reply *reply)
{
    int open = (int)state->open.count, count = open + (int)state->verify.count;
    int at = state->verify_at >= 0 ? open + state->verify_at : map_open_here(state);

    if (at < 0)
        at = step > 0 ? -1 : count;
    for (int tried = 1; tried <= count; tried++) {
        int next = ((at + step * tried) % count + count) % count;

        if (next >= open) {
            if (go_to_verify(state, next - open, reply))
                return;
            continue;
        }

        const struct open_item *item = &state->open.items[next].item;

        if (!map_go_to(state, item->device, item->scene))
            continue; /* the filter hides it */
        state->list.selected = next;
        map_choose(state);
        return;
    }
    reply_say(reply, count ? "what is to decide is hidden by the filter" : "nothing to decide in this build");
}

static void next_open(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    step_open(user, event->action == ACTION_NEXT_OPEN ? 1 : -1, reply);
}

/* The next cell with a stutter, row by row. */
static void step_sibling(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    int columns = (int)state->columns.count, cells = columns * (int)state->rows.count;
    int at = state->row.selected * columns + state->column.selected,
        step = event->action == ACTION_NEXT_SIBLING ? 1 : -1;

    for (int tried = 1; tried <= cells; tried++) {
        int next = ((at + step * tried) % cells + cells) % cells;

        if (state->cells[next].entry == SIZE_MAX && state->cells[next].drift == MAP_NO_DRIFT)
            continue;
        state->came_for = SIZE_MAX;
        state->row.selected = next / columns;
        state->column.selected = next % columns;
        map_choose(state);
        return;
    }
    reply_say(reply, "no cell has a stutter in this build");
}

/* ---- deeper ---- */

static void go(struct screen_reply *reply, enum screen_kind kind)
{
    reply->go = true;
    reply->go_to = kind;
    reply->changed = true;
}

static void enter(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    const struct map_cell *cell = map_cell_here(state);
    const struct map_row *row = map_row_here(state);

    (void)event;
    state->session->only_device = state->session->only_scene = 0;
    if (!cell || !row)
        reply_say(reply, "there is nothing yet: stutterscope import FILE…");
    else if (row->sentence || cell->heat.state == STATE_MISSING)
        go(reply, SCREEN_COVER);
    else if (cell->heat.stutters == 1 && cell->drift == MAP_NO_DRIFT)
        go(reply, SCREEN_FRAMES);
    else if (cell->heat.stutters == 0 && cell->drift != MAP_NO_DRIFT)
        go(reply, SCREEN_TREND);
    else if (cell->heat.stutters > 0 || cell->drift != MAP_NO_DRIFT) {
        state->session->only_device = row->device;
        state->session->only_scene = map_column_here(state)->scene;
        go(reply, SCREEN_QUEUE);
    } else if (row->coverage == COVERAGE_FEWER)
        go(reply, SCREEN_COVER);
    else
        reply_say(reply, "no stutter here: %s; r shows its runs", cell_state_name(cell->heat.state));
}

static void ticket(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;

    (void)event;
    if (state->session->marked.count || map_entry_of(state, map_cell_here(state)))
        go(reply, SCREEN_TICKET);
    else
        reply_say(reply, "no stutter here to write a ticket about; , and . go to the next one");
}

static void mark(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    const struct stutter_entry *entry = map_entry_of(state, map_cell_here(state));

    (void)event;
    if (!entry) {
        reply_say(reply, "no stutter here to mark");
        return;
    }
    session_toggle_mark(state->session, entry->id);
    reply->changed = true;
    reply_say(reply, "%zu marked; t writes their ticket, Esc takes the marks away",
              state->session->marked.count);
}

static bool back(struct map_state *state, struct screen_reply *reply)
{
    if (state->session->marked.count) {
        session_clear_marks(state->session);
        reply_say(reply, "marks are gone");
        reply->changed = true;
        return true;
    }
    return filtering_drop(state->session, reply);
}

static void changed(struct screen_reply *reply)
{
    reply->changed = reply->recompute = true;
}

/* ---- reading ---- */

static void why(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    char *text;

    (void)event;
    if (!map_cell_here(state)) {
        reply_say(reply, "there is no number yet");
        return;
    }
    text = map_why(state);
    reply->open = pager_open("Why this number", text);
    free(text);
}

static void show_runs(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    const struct map_row *row = map_row_here(state);
    struct error error = {0};
    char *text = row ? runs_text(state->session->model, state->session->build, row->device, &error) : NULL;

    (void)event;
    if (!row)
        reply_say(reply, "there are no runs yet");
    else if (!text)
        reply_fail(reply, "%s", error.text);
    else
        reply->open = pager_open(row->title, text);
    free(text);
}

/* Of the cell, or of the two marked ones. */
static void show_distribution(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    const struct map_cell *cell = map_cell_here(state);
    struct group_key key = {state->session->build, 0, 0, -1};

    (void)event;
    if (distribution_compare_marked(state->session, reply))
        return;
    if (cell && cell->heat.state != STATE_NONE && cell->heat.state != STATE_MISSING) {
        key.device = map_row_here(state)->device;
        key.scene = map_column_here(state)->scene;
        key.quality = cell->heat.quality;
    }
    distribution_show(state->session, &key, reply);
}

static void payload(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    struct table_request request;
    struct error error = {0};
    struct table *table;

    (void)event;
    table_request_default(&request);
    request.build = state->session->build;
    request.baseline = state->session->baseline;
    request.quality = state->session->quality;
    request.metric = state->session->metric;
    table = table_heatmap(state->session->model, &request, &error);
    if (!table) {
        reply_fail(reply, "%s", error.text);
        return;
    }

    struct json *json = table_to_json(table);
    char *text = json_print_pretty(json);

    reply->open = pager_open("The cells as JSON (stutterscope heatmap --json)", text);
    free(text);
    json_destroy(json);
    table_destroy(table);
}

static void reload(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    struct error error = {0};

    (void)event;
    if (!session_reload(state->session, &error)) {
        reply_fail(reply, "%s", error.text);
        return;
    }
    state->stopped = false;
    changed(reply);
    reply_say(reply, "read again");
}

static void click(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;
    struct map_layout layout;

    map_lay_out(state, event->area, &layout);
    if (area_contains(layout.open, event->row, event->column)) {
        int at = event->row - layout.open.row - (layout.list ? 0 : 1) +
                 (layout.list ? scroll_top(&state->list, layout.page_rows) : 0);

        if (at < 0 || (size_t)at >= state->open.count)
            return;
        state->list.selected = at;
        follow_list(state);
    } else if (layout.list || !area_contains(layout.grid, event->row, event->column))
        return;
    else {
        int column = event->column - layout.grid.column - layout.head_columns, row = -1;

        for (int i = layout.first_row; i < (int)state->rows.count && row < 0; i++)
            if (map_canvas_row(state, &layout, i) == event->row)
                row = i;
        if (row < 0)
            return;
        state->row.selected = row;
        state->came_for = SIZE_MAX;
        if (column >= 0 && column / layout.slot < layout.page_columns)
            state->column.selected = layout.first_column + column / layout.slot;
    }
    map_choose(state);
    if (event->argument == 2)
        enter(state, event, reply);
}

static const struct screen_handler handlers[] = {
    {ACTION_NEXT_OPEN, next_open},
    {ACTION_PREVIOUS_OPEN, next_open},
    {ACTION_NEXT_SIBLING, step_sibling},
    {ACTION_PREVIOUS_SIBLING, step_sibling},
    {ACTION_ENTER, enter},
    {ACTION_TICKET, ticket},
    {ACTION_MARK, mark},
    {ACTION_FIND, map_find},
    {ACTION_FIND_NEXT, map_find},
    {ACTION_FIND_PREVIOUS, map_find},
    {ACTION_WHY, why},
    {ACTION_RUNS, show_runs},
    {ACTION_DISTRIBUTION, show_distribution},
    {ACTION_PAYLOAD, payload},
    {ACTION_RELOAD, reload},
    {ACTION_CLICK, click},
    {ACTION_NONE, NULL},
};

/* What is undecided in the cell, else what it shows; a device without upload as a whole. */
static void find_subjects(void *user, struct session *session)
{
    struct map_state *state = user;
    const struct map_row *row = map_row_here(state);
    const struct map_column *column = map_column_here(state);
    const struct map_cell *cell = map_cell_here(state);
    const struct stutter_entry *entry = map_entry_of(state, cell);

    if (decide_add_marked(session) || !row || !column)
        return;
    if (state->verify_at >= 0) {
        decide_add_place(session, state->verify.items[state->verify_at].id, row->device, column->scene);
        return;
    }
    if (row->sentence || cell->heat.state == STATE_MISSING)
        decide_add_place(session, "", row->device, 0);
    else
        decide_add_place(session, entry && (map_is_open(entry) || !cell->heat.decide) ? entry->id : "", row->device, column->scene);
}

/* What works in a store without runs; everything else needs cells. */
static bool works_without_cells(enum action action)
{
    return action == ACTION_RELOAD || action == ACTION_FILTER || action == ACTION_ENTER;
}

bool map_act(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;

    if (event->action == ACTION_BACK)
        return back(state, reply);
    if (!state->rows.count || !state->columns.count) {
        if (!works_without_cells(event->action))
            return false;
        return screen_dispatch(handlers, state, event, reply) ||
               screen_dispatch(map_show_handlers, state, event, reply);
    }
    return move(state, event) || decide_act(state->session, event, find_subjects, state, reply) ||
           screen_dispatch(handlers, state, event, reply) ||
           screen_dispatch(map_show_handlers, state, event, reply);
}
