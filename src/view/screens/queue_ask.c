/* What asks for something or explains: finding, filtering, sorting, scope, baseline, reasons. */
#include "queue_act.h"

#include "runs_text.h"

#include "stutterscope/base/json.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/tables.h"
#include "stutterscope/view/filtering.h"
#include "stutterscope/view/menu.h"
#include <stdlib.h>

static struct scroll places(const void *state, int step)
{
    const struct queue *queue = state;
    (void)step;
    return (struct scroll){.count = (int)queue->rows.count, .selected = (int)queue->selected};
}

static bool has(const void *state, int place, const char *text)
{
    const struct queue *queue = state;
    return queue->rows.items[place].kind == ROW_LINE && queue_line_contains(queue_line_at(queue, (size_t)place), text);
}

/* The size of the body is not known here; the row is brought into view by drawing. */
static void go_to(void *state, int place, struct screen_reply *reply)
{
    (void)reply;
    queue_select(state, (size_t)place, (struct area){0});
}

void queue_find(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    static const struct finder_way way = {"find", "no line shown here contains ", "; z unfolds all", places, has, go_to};
    struct queue *queue = state;
    finder_act(&queue->finder, &way, queue, event, reply);
}

void queue_filter(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    (void)event;
    filtering_ask(queue->session, &(struct filtering_scope){"lines", queue, queue_count_fitting}, reply);
}

static void sort_chosen(void *owner, int index, struct screen_reply *reply)
{
    struct queue *queue = owner;
    (void)reply;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    size_t kept = line ? (size_t)(line - queue->lines.items) : SIZE_MAX;
    queue->reversed = (int)queue->order == index ? !queue->reversed : false;
    queue->order = (enum queue_order)index;
    queue_make_rows(queue);
    for (size_t i = 0; i < queue->rows.count; i++)
        if (queue->rows.items[i].kind == ROW_LINE && queue->rows.items[i].line == kept)
            queue->selected = i;
    queue_describe(queue);
}

void queue_sort(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    static const char *const items[] = {"severity", "peak", "change", "runs hit", "what", "scene", NULL};
    static const char *const notes[] = {"the order of what is to decide",
                                        "largest frame first",
                                        "greatest growth first",
                                        "most often first",
                                        "by name",
                                        "by name"};
    struct queue *queue = state;
    (void)event;
    reply->open = menu_open(&(struct menu_options){.title = "sort by (the same again reverses)",
                                                   .items = items,
                                                   .notes = notes,
                                                   .selected = (int)queue->order,
                                                   .owner = queue,
                                                   .choose = sort_chosen,
                                                   .again = ACTION_SORT});
}

/* cell → device → scene → build, and around to the cell again. */
void queue_wider(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    struct session *session = queue->session;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    (void)event;
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

void queue_step_build(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    bool older = event->action == ACTION_OLDER_BUILD;
    if (!session_step_build(queue->session, older ? -1 : 1)) {
        reply_say(reply, older ? "this is the oldest build" : "this is the newest build");
        return;
    }
    reply->recompute = reply->changed = true;
}

void queue_step_quality(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    const struct text_list *qualities = model_qualities(queue->session->model);
    size_t at = 0;
    (void)event;
    while (at < qualities->count && qualities->items[at].id != queue->session->quality)
        at++;
    size_t next = queue->session->quality < 0 ? 0 : at + 1;
    queue->session->quality = next < qualities->count ? qualities->items[next].id : -1;
    reply->recompute = reply->changed = true;
    reply_say(reply, "quality: %s", next < qualities->count ? qualities->items[next].text : "all");
}

void queue_compare(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    (void)event;
    (void)reply;
    queue->hides_delta = !queue->hides_delta;
}

static void baseline_chosen(void *owner, int index, struct screen_reply *reply)
{
    struct queue *queue = owner;
    queue->session->baseline = queue->menu_builds[index];
    reply->recompute = reply->changed = true;
}

void queue_choose_baseline(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    const struct build_list *builds = model_builds(queue->session->model);
    int64_t position = model_build_position(queue->session->model, queue->session->build);
    size_t count = position > 0 ? (size_t)position : 0;
    const char **items = memory_take_zeroed(count + 2, sizeof *items);
    int selected = 0;
    (void)event;
    free(queue->menu_builds);
    queue->menu_builds = memory_take_zeroed(count + 1, sizeof *queue->menu_builds);
    items[0] = "by the rule: nearest earlier build";
    for (size_t i = 0; i < count; i++) {
        const struct build_row *build = &builds->items[count - 1 - i];
        items[i + 1] = build->name;
        queue->menu_builds[i + 1] = build->id;
        if (build->id == queue->session->baseline)
            selected = (int)i + 1;
    }
    reply->open = menu_open(&(struct menu_options){.title = "compare with",
                                                   .items = items,
                                                   .selected = selected,
                                                   .owner = queue,
                                                   .choose = baseline_chosen,
                                                   .again = ACTION_NONE});
    free(items);
}

void queue_why(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    char *text = queue_why_text(state);
    (void)event;
    if (*text)
        reply->open = pager_open("why", text);
    else
        reply_say(reply, "move to a line first");
    free(text);
}

void queue_runs(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    const struct stutter_entry *entry = queue_entry_at(queue, queue->selected);
    struct error error = {0};
    (void)event;
    if (line == NULL) {
        reply_say(reply, "move to a line first");
        return;
    }
    int64_t device = entry ? entry->stutter.key.device : line->device;
    char *text = runs_text(queue->session->model, queue->session->build, device, &error);
    if (text)
        reply->open = pager_open("runs", text);
    else
        reply_fail(reply, "%s", error.text);
    free(text);
}

void queue_reload(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    struct error error = {0};
    (void)event;
    queue->steps.stopped = false;
    if (!session_reload(queue->session, &error)) {
        reply_fail(reply, "%s", error.text);
        return;
    }
    reply->recompute = reply->changed = true;
    reply_say(reply, "read again");
}

/* The rows of `stutters --json` that the line at the cursor is made of. */
void queue_payload(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    struct session *session = queue->session;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    struct table_request request;
    struct error error = {0};
    (void)event;
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
