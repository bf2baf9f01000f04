#include "stutterscope/view/filtering.h"

#include "filters_kept.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/history.h"
#include "stutterscope/view/prompt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct filtering {
    struct filtering_scope scope;
    struct kept_filters kept;
    bool loaded; /* what was kept for the store */
    struct filter_names names;
};

void filtering_destroy(struct filtering *filtering)
{
    if (!filtering)
        return;
    kept_filters_free(&filtering->kept);
    filter_names_free(&filtering->names);
    free(filtering);
}

static struct filtering *filtering_of(struct session *session)
{
    if (!session->filtering)
        session->filtering = memory_take_zeroed(1, sizeof *session->filtering);
    return session->filtering;
}

bool filtering_configure(struct session *session, const struct settings *settings, struct error *error)
{
    struct filtering *filtering = filtering_of(session);
    const char *name;

    for (size_t i = 0; (name = settings_name(settings, i)); i++) {
        struct filter *filter;

        if (strncmp(name, "filters.", strlen("filters.")) != 0)
            continue;
        if (!kept_filter_is_name(name + strlen("filters."), strlen(name + strlen("filters."))))
            return error_set(error, ERROR_USAGE, "%s: expected a name of letters, digits, - _ . for a filter, found \"%s\"",
                             settings_place(settings, name), name + strlen("filters."));
        if (!filter_parse(settings_get(settings, name, ""), &filter, NULL, NULL, error))
            return error_prefix(error, "%s: %s", settings_place(settings, name), name);
        filter_destroy(filter);
    }
    kept_filters_add_configured(&filtering->kept, settings);
    return true;
}

/* ---- "@NAME", "@NAME = FILTER" ---- */

struct asked {
    char name[40];    /* "": no name */
    const char *text; /* the filter; NULL: there is none of that name */
    bool keep;        /* "=" was there */
};

static bool understand(const struct filtering *filtering, const char *text, struct asked *ret, struct prompt_note *fault)
{
    size_t length;

    memset(ret, 0, sizeof *ret);
    ret->text = text;
    text += strspn(text, " ");
    if (*text != '@')
        return true;
    length = strcspn(text + 1, " =");
    ret->keep = text[1 + length + strspn(text + 1 + length, " ")] == '=';
    fault->fault = true;
    fault->fault_at = 0;
    fault->fault_length = length + 1;
    if (!kept_filter_is_name(text + 1, length)) {
        snprintf(fault->text, sizeof fault->text, "expected a name behind @, of letters, digits, - _ .");
        return false;
    }
    snprintf(ret->name, sizeof ret->name, "%.*s", (int)length, text + 1);
    ret->text = ret->keep ? strchr(text, '=') + 1 : kept_filters_find(&filtering->kept, ret->name);
    if (!ret->text) {
        struct text_buffer names = {0};

        for (size_t i = 0; i < filtering->kept.count; i++)
            text_add_print(&names, " @%s", filtering->kept.items[i].name);
        snprintf(fault->text, sizeof fault->text, "no filter is kept as %s; there are:%s", ret->name,
                 names.count ? names.items : " none, @NAME = FILTER keeps one");
        array_free(&names);
        return false;
    }
    fault->fault = false;
    return true;
}

/* ---- the prompt ---- */

static void describe(const struct filtering *filtering, const struct asked *asked, const struct filter *filter,
                     struct prompt_note *note)
{
    size_t of = 0, fits = filtering->scope.count ? filtering->scope.count(filtering->scope.state, filter, &of) : 0;
    const char *what = filtering->scope.what;

    if (asked->keep && filter_is_empty(filter))
        snprintf(note->text, sizeof note->text, "Enter forgets @%s", asked->name);
    else if (filter_is_empty(filter))
        snprintf(note->text, sizeof note->text,
                 "%zu %s · words, state:filed, -device:pixel, peak>50 · Tab completes · @NAME = … keeps it", of, what);
    else if (fits == 0)
        snprintf(note->text, sizeof note->text, "NOTHING FITS: all %zu %s would be hidden", of, what);
    else
        snprintf(note->text, sizeof note->text, "%zu of %zu %s fit%s%s%s", fits, of, what, fits == 1 ? "s" : "",
                 asked->name[0] ? asked->keep ? " · Enter keeps it as @" : " · @" : "", asked->name);
}

static void note(void *owner, const char *text, struct prompt_note *ret)
{
    struct session *session = owner;
    struct filtering *filtering = session->filtering;
    struct asked asked;
    struct filter *filter = NULL;
    struct error error = {0};
    size_t shift;

    if (!understand(filtering, text, &asked, ret))
        return;
    shift = asked.text >= text && asked.text <= text + strlen(text) ? (size_t)(asked.text - text) : 0;
    if (!filter_parse(asked.text, &filter, &ret->fault_at, &ret->fault_length, &error) ||
        !filter_check_names(filter, &filtering->names, &ret->fault_at, &ret->fault_length, &error)) {
        ret->fault = true;
        ret->fault_at += shift;
        snprintf(ret->text, sizeof ret->text, "%.*s", (int)text_fit(error.text, sizeof ret->text / 3, NULL), error.text);
        filter_destroy(filter);
        return;
    }
    describe(filtering, &asked, filter, ret);
    filter_destroy(filter);
}

static bool complete(void *owner, const char *text, size_t index, char *buffer, size_t size)
{
    const struct filtering *filtering = ((struct session *)owner)->filtering;

    if (text[0] != '@')
        return filter_complete(&filtering->names, text, index, buffer, size);
    for (size_t i = 0; i < filtering->kept.count; i++)
        if (strncmp(filtering->kept.items[i].name, text + 1, strlen(text + 1)) == 0 && index-- == 0) {
            snprintf(buffer, size, "@%s", filtering->kept.items[i].name);
            return true;
        }
    return false;
}

static void say_result(struct session *session, const struct asked *asked, struct screen_reply *reply)
{
    const struct filtering_scope *scope = &session->filtering->scope;
    size_t of = 0, fits = session->filter ? scope->count(scope->state, session->filter, &of) : 0;

    if (asked->keep && !session->filter)
        reply_say(reply, "@%s is forgotten; no filter", asked->name);
    else if (!session->filter)
        reply_say(reply, "no filter");
    else if (fits == 0)
        reply_say(reply, "nothing fits: the filter hides all %zu %s; an empty one shows them", of, scope->what);
    else
        reply_say(reply, "%zu of %zu %s shown%s%s; an empty filter shows all", fits, of, scope->what,
                  asked->keep ? ", kept as @" : "", asked->keep ? asked->name : "");
}

static void accept(void *owner, const char *text, struct screen_reply *reply)
{
    struct session *session = owner;
    struct filtering *filtering = session->filtering;
    struct asked asked;
    struct prompt_note fault = {0};
    struct error error = {0};

    if (!understand(filtering, text, &asked, &fault)) {
        reply->close = false; /* the row below says why */
        return;
    }
    if (!session_set_filter(session, asked.text, &error)) {
        reply->close = false;
        return;
    }
    if (asked.keep)
        kept_filters_put(&filtering->kept, model_path(session->model), asked.name, filter_text(session->filter));
    if (session->filter)
        history_add("filter", text);
    reply->changed = reply->recompute = true;
    say_result(session, &asked, reply);
}

void filtering_ask(struct session *session, const struct filtering_scope *scope, struct screen_reply *reply)
{
    struct filtering *filtering = filtering_of(session);
    char **history = history_load("filter");

    filtering->scope = *scope;
    if (!filtering->loaded)
        kept_filters_load(&filtering->kept, model_path(session->model));
    filtering->loaded = true;
    filter_names_free(&filtering->names);
    model_filter_names(session->model, session->build, &filtering->names);
    reply->open = prompt_open(&(struct prompt_options){.label = "filter",
                                                       .text = filter_text(session->filter),
                                                       .owner = session,
                                                       .accept = accept,
                                                       .complete = complete,
                                                       .note = note,
                                                       .history = (const char *const *)history});
    history_free(history);
}

void filtering_show(const struct session *session, struct line *line)
{
    if (session->filter)
        line_print(line, LINE_KEEP, ROLE_WARNING, " · filter \"%s\"", filter_text(session->filter))->least = 12;
}

bool filtering_drop(struct session *session, struct screen_reply *reply)
{
    if (!session->filter)
        return false;
    filter_destroy(session->filter);
    session->filter = NULL;
    reply->changed = reply->recompute = true;
    reply_say(reply, "the filter is gone");
    return true;
}
