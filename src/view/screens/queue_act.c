/* Moving, folding and going on from the Queue; what asks or explains is in queue_ask.c. */
#include "queue_act.h"

#include "decide.h"
#include "distribution.h"
#include "queue_lines.h"
#include "stutterscope/base/memory.h"

#include <string.h>

/* What the cursor is on is what the other screens show. Headings choose nothing. */
static void choose_here(struct queue *queue)
{
    struct session *session = queue->session;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    const struct stutter_entry *entry = queue_entry_at(queue, queue->selected);
    if (line == NULL)
        return;
    if (entry) {
        session_choose_stutter(session, entry);
        session->run = 0;
        session->window = entry->present ? entry->stutter.worst_window : 0;
        return;
    }
    const struct queue_row *row = &queue->rows.items[queue->selected];
    session->stutter[0] = '\0';
    session->run = session->window = 0;
    session->scene = line->scene;
    session->device = line->device;
    if (row->kind == ROW_MEMBER)
        session->device = line->drifts.items[row->member].key.device;
}

void queue_select(struct queue *queue, size_t row, struct area body)
{
    if (queue->rows.count == 0)
        return;
    queue->selected = row < queue->rows.count ? row : queue->rows.count - 1;
    choose_here(queue);
    queue_describe(queue);
    queue_show_selected(queue, body);
}

static int page_of(const struct queue *queue, struct area body)
{
    int rows = queue_list_area(queue, body).rows - 1;
    return rows > 1 ? rows : 1;
}

static bool move(struct queue *queue, const struct screen_event *event)
{
    struct scroll scroll = {.count = (int)queue->rows.count, .selected = (int)queue->selected};
    if (!scroll_act(&scroll, event, page_of(queue, event->area)))
        return false;
    queue_select(queue, (size_t)scroll.selected, event->area);
    return true;
}

static void go(struct queue *queue, enum screen_kind kind, struct screen_reply *reply)
{
    choose_here(queue);
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
    queue_select(queue, queue->selected, body);
}

static void fold_line(struct queue *queue, bool unfolded, struct area body)
{
    struct queue_row row = queue->rows.items[queue->selected];
    queue->lines.items[row.line].unfolded = unfolded;
    queue_make_rows(queue);
    for (size_t i = 0; i < queue->rows.count; i++)
        if (queue->rows.items[i].kind == ROW_LINE && queue->rows.items[i].line == row.line)
            queue->selected = i;
    queue_select(queue, queue->selected, body);
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
    (void)reply;
    if (queue->rows.count == 0)
        return;
    enum queue_section section = queue->rows.items[queue->selected].section;
    if (line && line->unfolded)
        fold_line(queue, false, event->area);
    else if (queue->open[section])
        fold_section(queue, section, false, event->area);
}

static void fold_all(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    size_t kept = line ? (size_t)(line - queue->lines.items) : SIZE_MAX;
    queue->session->shows_folded = !queue->session->shows_folded;
    memset(queue->open, 0, sizeof queue->open);
    queue_make_rows(queue);
    for (size_t i = 0; i < queue->rows.count; i++)
        if (queue->rows.items[i].kind == ROW_LINE && queue->rows.items[i].line == kept)
            queue->selected = i;
    queue_select(queue, queue->selected, event->area);
    reply->changed = true;
    reply_say(reply,
              queue->session->shows_folded ? "all sections unfolded, z folds them" : "folded, z shows all");
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
        go(queue, line->kind == QUEUE_SILENT || line->kind == QUEUE_PARTIAL ? SCREEN_COVER : SCREEN_TREND, reply);
    }
}

static void ticket(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    (void)event;
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
    reply_say(reply, "%zu marked · t ticket for them · Esc takes the marks away",
              queue->session->marked.count);
    queue_select(queue, queue->selected + 1, event->area);
}

/* Of the cell that the line or the member is about, or of the two marked ones. */
static void show_distribution(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    const struct stutter_entry *entry = queue_entry_at(queue, queue->selected);
    (void)event;
    if (distribution_compare_marked(queue->session, reply))
        return;
    if (entry) {
        struct group_key key = entry->stutter.key;
        key.build = queue->session->build;
        distribution_show(queue->session, &key, reply);
    } else if (line && line->drifts.count) {
        const struct queue_row *row = &queue->rows.items[queue->selected];
        distribution_show(queue->session, &line->drifts.items[row->kind == ROW_MEMBER ? row->member : 0].key,
                          reply);
    } else {
        reply_say(reply, "a distribution is of one device and scene: move to a stutter or a drift");
    }
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

bool queue_step_to(struct queue *queue, int step, bool (*fits)(const struct queue *queue, size_t row),
                   struct area body)
{
    size_t count = queue->rows.count;
    for (size_t tried = 1; tried <= count; tried++) {
        size_t row = step > 0 ? (queue->selected + tried) % count : (queue->selected + count - tried) % count;
        if (fits(queue, row)) {
            queue_select(queue, row, body);
            return true;
        }
    }
    return false;
}

static bool is_open(const struct queue *queue, size_t row)
{
    return queue->rows.items[row].kind == ROW_LINE &&
           (queue->rows.items[row].section == SECTION_DECIDE || queue->rows.items[row].section == SECTION_VERIFY);
}

static bool is_line(const struct queue *queue, size_t row)
{
    return queue->rows.items[row].kind == ROW_LINE;
}

static void step_open(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    if (!queue_step_to(state, event->action == ACTION_NEXT_OPEN ? 1 : -1, is_open, event->area))
        reply_say(reply, "nothing to decide here");
}

static void step_line(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    if (!queue_step_to(state, event->action == ACTION_NEXT_SIBLING ? 1 : -1, is_line, event->area))
        reply_say(reply, "no other line here");
}

static void click(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    int row = queue_row_at(queue, event->area, event->row, event->column);
    if (row < 0)
        return;
    queue_select(queue, (size_t)row, event->area);
    if (event->argument == 2)
        enter(state, event, reply);
}

static const struct screen_handler handlers[] = {
    {ACTION_LEFT, fold},
    {ACTION_RIGHT, unfold},
    {ACTION_FOLD, fold_all},
    {ACTION_ENTER, enter},
    {ACTION_TICKET, ticket},
    {ACTION_MARK, mark},
    {ACTION_NEXT_OPEN, step_open},
    {ACTION_PREVIOUS_OPEN, step_open},
    {ACTION_NEXT_SIBLING, step_line},
    {ACTION_PREVIOUS_SIBLING, step_line},
    {ACTION_FIND, queue_find},
    {ACTION_FIND_NEXT, queue_find},
    {ACTION_FIND_PREVIOUS, queue_find},
    {ACTION_FILTER, queue_filter},
    {ACTION_SORT, queue_sort},
    {ACTION_WIDER, queue_wider},
    {ACTION_OLDER_BUILD, queue_step_build},
    {ACTION_NEWER_BUILD, queue_step_build},
    {ACTION_QUALITY, queue_step_quality},
    {ACTION_COMPARE, queue_compare},
    {ACTION_CHOOSE_BASELINE, queue_choose_baseline},
    {ACTION_WHY, queue_why},
    {ACTION_RUNS, queue_runs},
    {ACTION_DISTRIBUTION, show_distribution},
    {ACTION_RELOAD, queue_reload},
    {ACTION_PAYLOAD, queue_payload},
    {ACTION_CLICK, click},
    {ACTION_NONE, NULL},
};

/* The marked stutters, else the member, else the whole line. */
static void find_subjects(void *user, struct session *session)
{
    struct queue *queue = user;
    const struct queue_line *line = queue_line_at(queue, queue->selected);
    if (decide_add_marked(session) || line == NULL)
        return;
    const struct queue_row *row = &queue->rows.items[queue->selected];
    if (row->kind == ROW_MEMBER && line->kind == QUEUE_STUTTER) {
        const struct stutter_entry *entry = &line->members.items[row->member];
        array_push(&session->pending.subjects, queue_subject_of(entry));
        session->pending.gone = entry->verdict == VERDICT_GONE;
        return;
    }
    for (size_t i = 0; i < line->subjects.count; i++)
        array_push(&session->pending.subjects, line->subjects.items[i]);
    session->pending.gone = line->gone;
}

/* Leaving after deciding: first what to tell the others. */
static bool summarise(struct queue *queue, struct screen_reply *reply)
{
    if (queue->session->decided == queue->summarised)
        return false;
    queue->summarised = queue->session->decided;
    reply->open = decide_open_summary(queue->session);
    return reply->open != NULL;
}

/* What makes the other screens show something else. */
static bool is_same_subject(const struct session *a, const struct session *b)
{
    return a->device == b->device && a->scene == b->scene && a->window == b->window && a->run == b->run &&
           strcmp(a->stutter, b->stutter) == 0;
}

bool queue_act(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct queue *queue = state;
    struct session before = *queue->session; /* only its plain members are looked at */
    if (event->action == ACTION_BACK)
        return back(queue, reply);
    if (event->action == ACTION_CLOSE && summarise(queue, reply))
        return true;
    bool done = move(queue, event) || decide_act(queue->session, event, find_subjects, queue, reply) ||
                screen_dispatch(handlers, state, event, reply);
    if (!is_same_subject(&before, queue->session))
        reply->changed = true;
    return done;
}
