/* What one can do on Ticket. Nothing here sends anything; F asks the loop to. */
#include "ticket_view.h"

#include "decide.h"

#include "figure_text.h"
#include "open_step.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/menu.h"
#include "stutterscope/view/prompt.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The last line can be scrolled to the top: how many rows the wrapped lines above it take is not known here.
 */
static bool scroll_text(struct ticket_view *view, const struct screen_event *event)
{
    int page = ticket_page(event->area), lines = (int)view->pager.line_count;
    struct scroll scroll = view->pager.scroll;
    scroll.count = lines + page - 1;
    if (!scroll_act_view(&scroll, event, page))
        return false;
    view->pager.scroll.first = view->pager.scroll.selected = scroll.first;
    if (event->action == ACTION_LAST)
        view->pager.scroll.first = lines > page ? lines - page : 0;
    return true;
}

/* ---- members ---- */

static void open_members(struct ticket_view *view, int selected, struct screen_reply *reply);

static void member_chosen(void *owner, int index, struct screen_reply *reply)
{
    struct ticket_view *view = owner;
    view->members.items[index].in = !view->members.items[index].in;
    ticket_rewrite(view);
    open_members(view, index, reply);
}

static void open_members(struct ticket_view *view, int selected, struct screen_reply *reply)
{
    const char **items = memory_take_zeroed(view->members.count + 1, sizeof *items);
    const char **notes = memory_take_zeroed(view->members.count + 1, sizeof *notes);
    for (size_t i = 0; i < view->members.count; i++) {
        items[i] = view->members.items[i].title;
        notes[i] = view->members.items[i].in ? "in" : "out";
    }
    reply->open = menu_open(&(struct menu_options){.title = "members (Space: in, out)",
                                                   .items = items,
                                                   .notes = notes,
                                                   .selected = selected,
                                                   .owner = view,
                                                   .choose = member_chosen,
                                                   .again = ACTION_MARK});
    free(items);
    free(notes);
}

static void mark(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct ticket_view *view = state;
    (void)event;
    if (view->members.count)
        open_members(view, 0, reply);
    else
        reply_say(reply, "there is no stutter to take in");
}

/* ---- template ---- */

static void next_template(struct ticket_view *view, struct screen_reply *reply)
{
    view->template = (view->template + 1) % view->templates.count;
    ticket_rewrite(view);
    reply_say(reply, "template %s, %zu of %zu", ticket_template_name(view), view->template + 1,
              view->templates.count);
}

static void drop_draft(struct session *session)
{
    free(session->draft.key);
    free(session->draft.text);
    session->draft.key = session->draft.text = NULL;
}

static void drop_accepted(void *owner, const char *text, struct screen_reply *reply)
{
    struct ticket_view *view = owner;
    (void)text;
    drop_draft(view->session);
    next_template(view, reply);
}

static void choose_template(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct ticket_view *view = state;
    (void)event;
    if (view->templates.count == 0)
        reply_say(reply, "there is no template");
    else if (view->edited)
        reply->open =
            prompt_open_question("drop the edited text and take the next template? y/n", view, drop_accepted);
    else
        next_template(view, reply);
}

/* ---- out of the program ---- */

static bool has_text(const struct ticket_view *view, struct screen_reply *reply)
{
    if (*ticket_shown_text(view))
        return true;
    reply_say(reply, "there is no text yet");
    return false;
}

static void edit(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct ticket_view *view = state;
    (void)event;
    if (has_text(view, reply))
        reply->edit = memory_copy_text(ticket_shown_text(view));
}

void ticket_edited(void *state, const char *text, struct screen_reply *reply)
{
    struct ticket_view *view = state;
    if (text == NULL)
        return; /* the loop says what failed */
    char *clean = text_clean_lines(text, strlen(text));
    if (strcmp(clean, ticket_shown_text(view)) == 0) {
        free(clean);
        reply_say(reply, "nothing was changed");
        return;
    }
    drop_draft(view->session);
    view->session->draft.key = ticket_draft_key(view);
    view->session->draft.text = clean;
    ticket_rewrite(view);
    reply_say(reply, "the edited text is kept for these stutters; m drops it");
}

/* "ticket-boss_spawn-Battle_03.md": letters, digits, '.', '_', '-' of any script stay, everything else is
 * '-'. */
static char *file_name(const struct ticket_view *view)
{
    const struct model *model = view->session->model;
    const char *event = model_text(model, view->entry.stutter.event);
    bool markdown = view->ticket.format && view->ticket.format->escape == ESCAPE_MARKDOWN;
    char *name =
        memory_print("ticket-%s-%s%s", event ? event : frame_label_name(view->entry.stutter.label),
                     model_scene_name(model, view->entry.stutter.key.scene), markdown ? ".md" : ".txt");
    for (char *at = name; *at; at++)
        if ((unsigned char)*at < 0x80 && !isalnum((unsigned char)*at) && strchr("._-", *at) == NULL)
            *at = '-';
    return name;
}

static void write_file(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct ticket_view *view = state;
    (void)event;
    if (!has_text(view, reply))
        return;
    reply->write = memory_copy_text(ticket_shown_text(view));
    reply->write_name = file_name(view);
}

static void copy(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct ticket_view *view = state;
    (void)event;
    if (has_text(view, reply))
        reply->copy = memory_copy_text(ticket_shown_text(view));
}

static void payload(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct ticket_view *view = state;
    (void)event;
    if (view->payload)
        reply->open = pager_open("payload", view->payload);
    else
        reply_say(reply, "%s", view->trouble ? view->trouble : "there is no payload");
}

/* ---- looking ---- */

static void why(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct ticket_view *view = state;
    struct text_buffer text = {0};
    (void)event;
    text_add(&text, "# Checks\n");
    for (size_t i = 0; i < view->checks.count; i++)
        text_add_print(&text, "%s %s\n", view->checks.items[i].good ? "✓" : "!", view->checks.items[i].text);
    text_add(&text, "\n# Members\n");
    for (size_t i = 0; i < view->members.count; i++)
        text_add_print(&text, "%s %s\n", view->members.items[i].in ? "+" : "-", view->members.items[i].title);
    if (view->has_entry)
        text_add_print(&text, "\n# Verdict\n%s: %s\n", verdict_name(view->entry.verdict),
                       view->entry.reason[0] ? view->entry.reason : "no reason given");
    char *whole = text_take(&text);
    reply->open = pager_open("why", whole);
    free(whole);
}

static void find(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct ticket_view *view = state;
    pager_find(&view->pager, event, reply);
}

static void step(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct ticket_view *view = state;
    struct error error = {0};
    enum open_step found;
    bool forward = event->action == ACTION_NEXT_OPEN || event->action == ACTION_NEXT_SIBLING;
    if (view->session->marked.count)
        reply_say(reply, "this ticket is about what is marked; Esc on the Queue takes the marks away");
    else if (!open_step(view->session, view->has_entry ? &view->entry : NULL, forward, &found, &error))
        reply_fail(reply, "%s", error.text);
    else
        open_step_reply(found, reply);
}

static void file(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct ticket_view *view = state;
    if (!ticket_ask_to_post(view, reply))
        decide_act(view->session, event, ticket_find_members, view, reply);
}

static const struct screen_handler handlers[] = {
    {ACTION_FILE, file},
    {ACTION_MARK, mark},
    {ACTION_WHAT, choose_template},
    {ACTION_EDIT, edit},
    {ACTION_WRITE, write_file},
    {ACTION_COPY, copy},
    {ACTION_PAYLOAD, payload},
    {ACTION_WHY, why},
    {ACTION_FIND, find},
    {ACTION_FIND_NEXT, find},
    {ACTION_FIND_PREVIOUS, find},
    {ACTION_NEXT_OPEN, step},
    {ACTION_PREVIOUS_OPEN, step},
    {ACTION_NEXT_SIBLING, step},
    {ACTION_PREVIOUS_SIBLING, step},
    {ACTION_NONE, NULL},
};

bool ticket_act(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct ticket_view *view = state;
    return scroll_text(state, event) || screen_dispatch(handlers, state, event, reply) ||
           decide_act(view->session, event, decide_find_subject, NULL, reply);
}
