/* What one can do on the Queue. */
#include "queue.h"

#include "stutterscope/base/json.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/tables.h"
#include "stutterscope/view/menu.h"
#include "stutterscope/view/prompt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void select_row(struct queue *queue, size_t row, struct area body)
{
    if (queue->rows.count == 0)
        return;
    queue->selected = row < queue->rows.count ? row : queue->rows.count - 1;
    queue_describe(queue);
    queue_show_selected(queue, body);
}

static int page_of(const struct queue *queue, struct area body)
{
    int rows = queue_list_area(queue, body).rows - 2;
    return rows > 1 ? rows : 1;
}

static bool move(struct queue *queue, const struct screen_event *event)
{
    struct scroll scroll = {.count = (int) queue->rows.count, .selected = (int) queue->selected};
    if (!scroll_act(&scroll, event, page_of(queue, event->area)))
        return false;
    select_row(queue, (size_t) scroll.selected, event->area);
    return true;
}

/* What is chosen here is what the other screens show. False on headings. */
static bool choose_here(struct queue *queue)
{
    struct session *session = queue->session;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    const struct stutter_entry *entry = queue_entry_at(queue, queue->selected);
    if (line == NULL)
        return false;
    if (entry) {
        session_choose_stutter(session, entry);
        session->run = 0;
        session->window = entry->present ? entry->stutter.worst_window : 0;
        return true;
    }
    const struct queue_row *row = &queue->rows.items[queue->selected];
    session->stutter[0] = '\0';
    session->run = session->window = 0;
    session->scene = line->scene;
    session->device = line->device;
    if (row->kind == ROW_MEMBER)
        session->device = line->drifts.items[row->member].key.device;
    return true;
}

static void go(struct queue *queue, enum screen_kind kind, struct screen_reply *reply)
{
    if (choose_here(queue))
        reply->changed = true;
    reply->go = true;
    reply->go_to = kind;
}

static void fold_section(struct queue *queue, enum queue_section section, bool open, struct area body)
{
    queue->open[section] = open;
    queue_make_rows(queue);
    for (size_t i = 0; i < queue->rows.count; i++)
        if (queue->rows.items[i].kind == ROW_SECTION && queue->rows.items[i].section == section)
            queue->selected = i;
    select_row(queue, queue->selected, body);
}

static void fold_line(struct queue *queue, bool unfolded, struct area body)
{
    struct queue_row row = queue->rows.items[queue->selected];
    queue->lines.items[row.line].unfolded = unfolded;
    queue_make_rows(queue);
    for (size_t i = 0; i < queue->rows.count; i++)
        if (queue->rows.items[i].kind == ROW_LINE && queue->rows.items[i].line == row.line)
            queue->selected = i;
    select_row(queue, queue->selected, body);
}

static void unfold(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    struct queue_line *line = queue_line_at(queue, queue->selected);
    if (queue->rows.count == 0)
        return;
    if (line == NULL) {
        fold_section(queue, queue->rows.items[queue->selected].section, true, event->area);
        return;
    }
    if (line->members.count + line->drifts.count == 0)
        reply_say(reply, "nothing to unfold: this is about the whole device");
    else if (!line->unfolded)
        fold_line(queue, true, event->area);
}

static void fold(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    (void) reply;
    if (queue->rows.count == 0)
        return;
    enum queue_section section = queue->rows.items[queue->selected].section;
    if (line && line->unfolded)
        fold_line(queue, false, event->area);
    else if (section != SECTION_DECIDE && queue->open[section])
        fold_section(queue, section, false, event->area);
}

static void fold_all(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    size_t kept = line ? (size_t) (line - queue->lines.items) : SIZE_MAX;
    queue->session->shows_folded = !queue->session->shows_folded;
    memset(queue->open, 0, sizeof queue->open);
    queue_make_rows(queue);
    for (size_t i = 0; i < queue->rows.count; i++)
        if (queue->rows.items[i].kind == ROW_LINE && queue->rows.items[i].line == kept)
            queue->selected = i;
    select_row(queue, queue->selected, event->area);
    reply->changed = true;
    reply_say(reply, queue->session->shows_folded ? "all sections unfolded, z folds them" : "folded, z shows all");
}

static void enter(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    const struct stutter_entry *entry = queue_entry_at(queue, queue->selected);
    if (queue->rows.count == 0)
        return;
    if (line == NULL) {
        enum queue_section section = queue->rows.items[queue->selected].section;
        fold_section(queue, section, !queue->open[section], event->area);
    } else if (entry) {
        go(queue, entry->present ? SCREEN_FRAMES : SCREEN_TREND, reply);
    } else {
        go(queue, line->kind == QUEUE_DRIFT ? SCREEN_TREND : SCREEN_COVER, reply);
    }
}

static void go_screen(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    if (event->argument >= 1 && event->argument <= SCREEN_COUNT)
        go(state, (enum screen_kind) (event->argument - 1), reply);
}

static void ticket(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    (void) event;
    if (queue->session->marked.count == 0 && queue_entry_at(queue, queue->selected) == NULL) {
        reply_say(reply, "a ticket is written for stutters: mark some with Space, or move to one");
        return;
    }
    go(queue, SCREEN_TICKET, reply);
}

static void mark(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    const struct stutter_entry *entry = queue_entry_at(queue, queue->selected);
    if (entry == NULL) {
        reply_say(reply, "only stutters can be marked");
        return;
    }
    if (queue->rows.items[queue->selected].kind == ROW_MEMBER) {
        session_toggle_mark(queue->session, entry->id);
    } else {
        bool all = true;
        for (size_t i = 0; i < line->members.count; i++)
            all &= session_is_marked(queue->session, line->members.items[i].id);
        for (size_t i = 0; i < line->members.count; i++)
            if (session_is_marked(queue->session, line->members.items[i].id) == all)
                session_toggle_mark(queue->session, line->members.items[i].id);
    }
    reply->changed = true;
    reply_say(reply, "%zu marked · t ticket for them · Esc takes the marks away", queue->session->marked.count);
    select_row(queue, queue->selected + 1, event->area);
}

static bool back(struct queue *queue, struct screen_reply *reply)
{
    if (queue->session->marked.count == 0)
        return false; /* the loop goes one screen back */
    session_clear_marks(queue->session);
    reply->changed = true;
    reply_say(reply, "marks taken away");
    return true;
}

/* The next row, in a direction and around the end, for which `fits` holds; false when there is none. */
static bool step_to(struct queue *queue, int step, bool (*fits)(const struct queue *queue, size_t row), struct area body)
{
    size_t count = queue->rows.count;
    for (size_t tried = 1; tried <= count; tried++) {
        size_t row = step > 0 ? (queue->selected + tried) % count : (queue->selected + count - tried) % count;
        if (fits(queue, row)) {
            select_row(queue, row, body);
            return true;
        }
    }
    return false;
}

static bool is_open(const struct queue *queue, size_t row)
{
    return queue->rows.items[row].kind == ROW_LINE && queue->rows.items[row].section == SECTION_DECIDE;
}

static bool is_line(const struct queue *queue, size_t row)
{
    return queue->rows.items[row].kind == ROW_LINE;
}

static bool is_hit(const struct queue *queue, size_t row)
{
    return is_line(queue, row) && queue_line_contains(queue_line_at(queue, row), queue->find);
}

static void step_open(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    if (!step_to(state, event->action == ACTION_NEXT_OPEN ? 1 : -1, is_open, event->area))
        reply_say(reply, "nothing to decide here");
}

static void step_line(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    if (!step_to(state, event->action == ACTION_NEXT_SIBLING ? 1 : -1, is_line, event->area))
        reply_say(reply, "no other line here");
}

static void find_in_direction(struct queue *queue, int step, struct area body, struct screen_reply *reply)
{
    if (queue->find == NULL)
        reply_say(reply, "nothing was looked for yet: / finds");
    else if (!step_to(queue, step, is_hit, body))
        reply_say(reply, "no line shown here contains \"%s\"; z unfolds all", queue->find);
}

static void find_again(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    find_in_direction(state, event->action == ACTION_FIND_NEXT ? 1 : -1, event->area, reply);
}

static void replace_text(char **text, const char *with)
{
    char *copy = *with ? memory_copy_text(with) : NULL;
    free(*text);
    *text = copy;
}

static void find_accepted(void *owner, const char *text, struct screen_reply *reply)
{
    struct queue *queue = owner;
    replace_text(&queue->find, text);
    /* The size of the body is not known here; the row is brought into view by drawing. */
    if (queue->find && !step_to(queue, 1, is_hit, (struct area) {0}))
        reply_say(reply, "no line shown here contains \"%s\"; z unfolds all", text);
}

static void find(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    (void) event;
    reply->open = prompt_open(&(struct prompt_options) {.label = "find", .owner = state, .accept = find_accepted});
}

static void filter_accepted(void *owner, const char *text, struct screen_reply *reply)
{
    struct queue *queue = owner;
    struct session *session = queue->session;
    size_t length = 0, step = 0;
    uint32_t code_point = 0;
    while ((step = text_decode(text + length, &code_point)) > 0 && length + step < sizeof session->filter)
        length += step;
    snprintf(session->filter, sizeof session->filter, "%.*s", (int) length, text);
    queue_make_rows(queue);
    queue_describe(queue);
    reply->changed = true;
    if (session->filter[0])
        reply_say(reply, "%zu lines hidden by \"%s\"; an empty filter shows all", queue->filtered, session->filter);
    else
        reply_say(reply, "no filter");
}

static void filter(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    (void) event;
    reply->open = prompt_open(&(struct prompt_options) {.label = "filter (words, kind:drift, verdict:new)",
                                                        .text = queue->session->filter, .owner = queue, .accept = filter_accepted});
}

static void sort_chosen(void *owner, int index, struct screen_reply *reply)
{
    struct queue *queue = owner;
    (void) reply;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    size_t kept = line ? (size_t) (line - queue->lines.items) : SIZE_MAX;
    queue->reversed = (int) queue->order == index ? !queue->reversed : false;
    queue->order = (enum queue_order) index;
    queue_make_rows(queue);
    for (size_t i = 0; i < queue->rows.count; i++)
        if (queue->rows.items[i].kind == ROW_LINE && queue->rows.items[i].line == kept)
            queue->selected = i;
    queue_describe(queue);
}

static void sort(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    static const char *const items[] = {"severity", "peak", "change", "runs hit", "what", "scene", NULL};
    static const char *const notes[] = {"the order of what is to decide", "largest frame first",
                                        "greatest growth first", "most often first", "by name", "by name"};
    struct queue *queue = state;
    (void) event;
    reply->open = menu_open(&(struct menu_options) {.title = "sort by (the same again reverses)", .items = items,
                                                    .notes = notes, .selected = (int) queue->order, .owner = queue,
                                                    .choose = sort_chosen, .again = ACTION_SORT});
}

/* cell → device → scene → build, and around to the cell again. */
static void wider(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    struct session *session = queue->session;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    (void) event;
    if (!session->only_device && !session->only_scene) {
        if (!queue->cell_device || !queue->cell_scene) {
            queue->cell_device = line ? line->device : session->device;
            queue->cell_scene = line ? line->scene : session->scene;
        }
        session->only_device = queue->cell_device;
        session->only_scene = queue->cell_scene;
        if (!session->only_device && !session->only_scene) {
            reply_say(reply, "this is the whole build already");
            return;
        }
    } else {
        if (session->only_device && session->only_scene) {
            queue->cell_device = session->only_device;
            queue->cell_scene = session->only_scene;
            session->only_scene = 0;
        } else if (session->only_device) {
            session->only_device = 0;
            session->only_scene = queue->cell_scene;
        } else {
            session->only_scene = queue->cell_device = queue->cell_scene = 0;
        }
    }
    reply->recompute = reply->changed = true;
}

static void step_build(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    bool older = event->action == ACTION_OLDER_BUILD;
    if (!session_step_build(queue->session, older ? -1 : 1)) {
        reply_say(reply, older ? "this is the oldest build" : "this is the newest build");
        return;
    }
    reply->recompute = reply->changed = true;
}

static void step_quality(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    const struct text_list *qualities = model_qualities(queue->session->model);
    size_t at = 0;
    (void) event;
    while (at < qualities->count && qualities->items[at].id != queue->session->quality)
        at++;
    size_t next = queue->session->quality < 0 ? 0 : at + 1;
    queue->session->quality = next < qualities->count ? qualities->items[next].id : -1;
    reply->recompute = reply->changed = true;
    reply_say(reply, "quality: %s", next < qualities->count ? qualities->items[next].text : "all");
}

static void compare(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    (void) event;
    (void) reply;
    queue->hides_delta = !queue->hides_delta;
}

static void baseline_chosen(void *owner, int index, struct screen_reply *reply)
{
    struct queue *queue = owner;
    queue->session->baseline = queue->menu_builds[index];
    reply->recompute = reply->changed = true;
}

static void choose_baseline(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    const struct build_list *builds = model_builds(queue->session->model);
    int64_t position = model_build_position(queue->session->model, queue->session->build);
    size_t count = position > 0 ? (size_t) position : 0;
    const char **items = memory_take_zeroed(count + 2, sizeof *items);
    int selected = 0;
    (void) event;
    free(queue->menu_builds);
    queue->menu_builds = memory_take_zeroed(count + 1, sizeof *queue->menu_builds);
    items[0] = "by the rule: nearest earlier build";
    for (size_t i = 0; i < count; i++) {
        const struct build_row *build = &builds->items[count - 1 - i];
        items[i + 1] = build->name;
        queue->menu_builds[i + 1] = build->id;
        if (build->id == queue->session->baseline)
            selected = (int) i + 1;
    }
    reply->open = menu_open(&(struct menu_options) {.title = "compare with", .items = items, .selected = selected,
                                                    .owner = queue, .choose = baseline_chosen, .again = ACTION_NONE});
    free(items);
}

static void why(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    char *text = queue_why_text(state);
    (void) event;
    if (*text)
        reply->open = pager_open("why", text);
    else
        reply_say(reply, "move to a line first");
    free(text);
}

/* The rows of `stutters --json` that the line at the cursor is made of. */
static void payload(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    struct session *session = queue->session;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    struct table_request request;
    struct error error = {0};
    (void) event;
    table_request_default(&request);
    request.build = session->build;
    request.baseline = session->baseline;
    request.scene = line ? line->scene : session->only_scene;
    request.event = line && line->event ? model_text(session->model, line->event) : NULL;
    request.with_transitions = line && line->label != LABEL_GAMEPLAY;
    struct table *table = table_stutters(session->model, &request, &error);
    if (table == NULL) {
        reply_fail(reply, "%s", error.text);
        return;
    }
    struct json *json = table_to_json(table);
    char *text = json_print_pretty(json);
    reply->open = pager_open("JSON", text);
    free(text);
    json_destroy(json);
    table_destroy(table);
}

static void click(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    int row = queue_row_at(queue, event->area, event->row, event->column);
    if (row < 0)
        return;
    select_row(queue, (size_t) row, event->area);
    if (event->argument == 2)
        enter(state, event, reply);
}

static const struct screen_handler handlers[] = {
    {ACTION_LEFT, fold},
    {ACTION_RIGHT, unfold},
    {ACTION_FOLD, fold_all},
    {ACTION_ENTER, enter},
    {ACTION_GO, go_screen},
    {ACTION_TICKET, ticket},
    {ACTION_MARK, mark},
    {ACTION_NEXT_OPEN, step_open},
    {ACTION_PREVIOUS_OPEN, step_open},
    {ACTION_NEXT_SIBLING, step_line},
    {ACTION_PREVIOUS_SIBLING, step_line},
    {ACTION_FIND, find},
    {ACTION_FIND_NEXT, find_again},
    {ACTION_FIND_PREVIOUS, find_again},
    {ACTION_FILTER, filter},
    {ACTION_SORT, sort},
    {ACTION_WIDER, wider},
    {ACTION_OLDER_BUILD, step_build},
    {ACTION_NEWER_BUILD, step_build},
    {ACTION_QUALITY, step_quality},
    {ACTION_COMPARE, compare},
    {ACTION_CHOOSE_BASELINE, choose_baseline},
    {ACTION_WHY, why},
    {ACTION_PAYLOAD, payload},
    {ACTION_CLICK, click},
    {ACTION_NONE, NULL},
};

bool queue_act(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    if (event->action == ACTION_BACK)
        return back(queue, reply);
    return move(queue, event) || screen_dispatch(handlers, state, event, reply);
}
