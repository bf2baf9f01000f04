/* Ticket: the text as it will be, what was checked about it, and who is in it. */
#include "ticket_view.h"

#include "figure_text.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

static void *create(struct session *session)
{
    struct ticket_view *view = memory_take_zeroed(1, sizeof *view);
    view->session = session;
    return view;
}

static void destroy(void *state)
{
    ticket_clear(state);
    free(state);
}

static bool recompute(void *state, const struct progress *progress, struct error *error)
{
    (void)progress;
    return ticket_compose(state, error);
}

static void where(const void *state, struct line *line)
{
    const struct ticket_view *view = state;
    const struct model *model = view->session->model;
    const char *build = model_build_name(model, view->session->build);
    size_t count = ticket_members_in(view);
    line_add(line, LINE_KEEP, ROLE_CHROME, build ? build : "no build")->least = 8;
    if (view->has_entry) {
        const char *event = model_text(model, view->entry.stutter.event);
        line_print(line, 1, ROLE_CHROME, " ▸ %s", event ? event : frame_label_name(view->entry.stutter.label))
            ->least = 8;
        line_print(line, 2, ROLE_CHROME, " × %s", model_scene_name(model, view->entry.stutter.key.scene))
            ->least = 8;
        line_print(line, 3, ROLE_CHROME, " ▸ %zu stutter%s", count, text_plural(count));
        line_add(line, 6, ROLE_CHROME, ", one ticket");
    }
    line_add_right(line, 4, ROLE_CHROME, "  template ");
    line_add_right(line, 3, ROLE_CHROME, ticket_template_name(view));
    line_add_right(line, 7, ROLE_CHROME, "  (m: next)");
}

static void answer(const void *state, struct line *line)
{
    const struct ticket_view *view = state;
    size_t warnings = ticket_warnings(view), said = 0;
    if (view->trouble && !view->edited) {
        line_add(line, LINE_KEEP, ROLE_MISSING, "NO TEXT");
        return;
    }
    line_add(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "READY");
    if (view->edited)
        line_add(line, LINE_KEEP, ROLE_ANSWER, "  edited");
    if (warnings)
        line_print(line, 1, ROLE_WARNING, "  %zu warning%s: ", warnings, text_plural(warnings));
    else
        line_add(line, 1, ROLE_GOOD, "  nothing is missing");
    for (size_t i = 0; i < view->checks.count; i++)
        if (!view->checks.items[i].good) {
            line_print(line, 2 + (int)(said < 6 ? said : 6), ROLE_WARNING, "%s%s", said ? " · " : "",
                       view->checks.items[i].text);
            said++;
        }
}

static void status(const void *state, struct line *line)
{
    const struct ticket_view *view = state;
    line_add(line, LINE_KEEP, ROLE_STATUS, "nothing sent or written yet");
    if (view->ticket.format)
        line_print(line, 1, ROLE_STATUS, " · %s of %s characters", figure_grouped((int64_t)view->units).text,
                   figure_grouped((int64_t)view->ticket.format->body_limit).text);
    if (view->pager.line_count)
        line_print(line, 2, ROLE_STATUS, " · from line %d of %zu", view->pager.scroll.first + 1,
                   view->pager.line_count);
}

/* ---- as words of a place; a text that was edited is nowhere but in the session ---- */

static void keep(const void *state, struct view_words *words)
{
    const struct ticket_view *view = state;
    if (!view->has_entry)
        return;
    view_words_put(words, "template", ticket_template_name(view));
    view_words_put(words, "in", NULL);
    for (size_t i = 0; i < view->members.count; i++)
        if (view->members.items[i].in)
            view_words_add_number(words, "in", (int64_t)i);
    if (view->pager.scroll.first)
        view_words_put_number(words, "top", view->pager.scroll.first);
}

static void take(void *state, const struct view_words *words, bool filled)
{
    struct ticket_view *view = state;
    const char *template = view_words_get(words, "template");
    int64_t number;
    if (!filled || !view->has_entry)
        return;
    for (size_t i = 0; template && i < view->templates.count; i++)
        if (strcmp(view->templates.items[i].name, template) == 0)
            view->template = i;
    if (view_words_has(words, "in")) {
        for (size_t i = 0; i < view->members.count; i++)
            view->members.items[i].in = false;
        for (size_t i = 0; view_words_number_at(words, "in", i, &number); i++)
            if (number >= 0 && number < (int64_t)view->members.count)
                view->members.items[number].in = true;
    }
    ticket_rewrite(view);
    if (view_words_number(words, "top", 0, (int64_t)view->pager.line_count - 1, &number))
        view->pager.scroll.first = view->pager.scroll.selected = (int)number;
}

static const struct hint hints[] = {
    {{ACTION_DOWN, ACTION_UP}, "scroll"}, {{ACTION_WHAT}, "template"},  {{ACTION_EDIT}, "edit"},
    {{ACTION_WRITE}, "write file"},       {{ACTION_COPY}, "clipboard"}, {{ACTION_PAYLOAD}, "payload"},
    {{ACTION_MARK}, "members"},           {{ACTION_NONE}, NULL},
};

const struct screen_type ticket_screen = {
    .kind = SCREEN_TICKET,
    .name = "ticket",
    .create = create,
    .destroy = destroy,
    .recompute = recompute,
    .draw = ticket_draw,
    .where = where,
    .answer = answer,
    .status = status,
    .hints = hints,
    .act = ticket_act,
    .edited = ticket_edited,
    .posted = ticket_posted,
    .keep = keep,
    .take = take,
};
