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

/* ---- "@NAME", "@NAME MORE", "@NAME = FILTER" ---- */

struct asked {
    char name[40]; /* "": no name */
    char *text;    /* the whole filter; NULL: there is none of that name */
    bool keep;     /* "=" was there */
    /* The first `stands_for` bytes of `text` come from the name, which lies at `name_at`; the others were typed at `typed_at`. */
    size_t stands_for, name_at, name_length, typed_at;
};

static void say_names(const struct filtering *filtering, const char *name, struct prompt_note *fault)
{
    struct text_buffer names = {0};

    for (size_t i = 0; i < filtering->kept.count; i++)
        text_add_print(&names, " @%s", filtering->kept.items[i].name);
    text_print(fault->text, sizeof fault->text, "no filter is kept as %s; there are:%s", name,
             names.count ? names.items : " none, @NAME = FILTER keeps one");
    array_free(&names);
}

/* ret->text is a new string. */
static bool understand(const struct filtering *filtering, const char *text, struct asked *ret, struct prompt_note *fault)
{
    const char *at = text + strspn(text, " "), *rest, *kept;

    memset(ret, 0, sizeof *ret);
    if (*at != '@') {
        ret->text = memory_copy_text(text);
        return true;
    }
    ret->name_at = (size_t)(at - text);
    ret->name_length = 1 + strcspn(at + 1, " =");
    fault->fault = true;
    fault->fault_at = ret->name_at;
    fault->fault_length = ret->name_length;
    if (!kept_filter_is_name(at + 1, ret->name_length - 1)) {
        snprintf(fault->text, sizeof fault->text, "expected a name behind @, of letters, digits, - _ .");
        return false;
    }
    snprintf(ret->name, sizeof ret->name, "%.*s", (int)ret->name_length - 1, at + 1);
    rest = at + ret->name_length;
    rest += strspn(rest, " ");
    ret->keep = *rest == '=';
    rest += ret->keep;
    kept = ret->keep ? "" : kept_filters_find(&filtering->kept, ret->name);
    if (!kept) {
        say_names(filtering, ret->name, fault);
        return false;
    }
    ret->text = memory_print("%s%s%s", kept, *kept && *rest ? " " : "", rest);
    ret->stands_for = strlen(ret->text) - strlen(rest);
    ret->typed_at = (size_t)(rest - text);
    fault->fault = false;
    return true;
}

/* From a place in the filter to one in what was typed. */
static void place_fault(const struct asked *asked, struct prompt_note *note)
{
    if (note->fault_at >= asked->stands_for) {
        note->fault_at = note->fault_at - asked->stands_for + asked->typed_at;
        return;
    }
    note->fault_at = asked->name_at;
    note->fault_length = asked->name_length;
}

/* ---- the prompt ---- */

static void describe(const struct filtering *filtering, const struct asked *asked, const struct filter *filter,
                     struct prompt_note *note)
{
    size_t of = 0, fits = filtering->scope.count ? filtering->scope.count(filtering->scope.state, filter, &of) : 0;
    const char *what = filtering->scope.what;

    if (asked->keep && filter_is_empty(filter) && kept_filters_has_own(&filtering->kept, asked->name))
        text_print(note->text, sizeof note->text, "Enter forgets @%s", asked->name);
    else if (asked->keep && filter_is_empty(filter))
        text_print(note->text, sizeof note->text, "@%s = … keeps a filter under this name", asked->name);
    else if (filter_is_empty(filter))
        snprintf(note->text, sizeof note->text,
                 "%zu %s · words, state:filed, -device:pixel, peak>50 · Tab completes · @NAME = … keeps it", of, what);
    else if (fits == 0)
        text_print(note->text, sizeof note->text, "NOTHING FITS: all %zu %s would be hidden", of, what);
    else
        text_print(note->text, sizeof note->text, "%zu of %zu %s fit%s%s%s", fits, of, what, fits == 1 ? "s" : "",
                 asked->name[0] ? asked->keep ? " · Enter keeps it as @" : " · @" : "", asked->name);
}

static void note(void *owner, const char *text, struct prompt_note *ret)
{
    struct session *session = owner;
    struct filtering *filtering = session->filtering;
    struct asked asked;
    struct filter *filter = NULL;
    struct error error = {0};

    if (!understand(filtering, text, &asked, ret))
        return;
    if (!filter_parse(asked.text, &filter, &ret->fault_at, &ret->fault_length, &error) ||
        !filter_check_names(filter, &filtering->names, &ret->fault_at, &ret->fault_length, &error)) {
        ret->fault = true;
        place_fault(&asked, ret);
        snprintf(ret->text, sizeof ret->text, "%.*s", (int)text_fit(error.text, sizeof ret->text / 3, NULL), error.text);
    } else
        describe(filtering, &asked, filter, ret);
    filter_destroy(filter);
    free(asked.text);
}

static bool complete(void *owner, const char *text, size_t index, char *buffer, size_t size)
{
    const struct filtering *filtering = ((struct session *)owner)->filtering;
    const char *name = text + 1;

    if (text[0] != '@' || strchr(text, ' '))
        return filter_complete(&filtering->names, text, index, buffer, size);
    for (size_t i = 0; i < filtering->kept.count; i++)
        if (strncmp(filtering->kept.items[i].name, name, strlen(name)) == 0 && index-- == 0) {
            snprintf(buffer, size, "@%s", filtering->kept.items[i].name);
            return true;
        }
    return false;
}

/* An empty filter was kept under a name: that forgets what is there. */
static void say_forgotten(struct session *session, const char *name, bool had_own, struct screen_reply *reply)
{
    bool configured = kept_filters_find(&session->filtering->kept, name) != NULL;

    if (had_own)
        reply_say(reply, "@%s is %s; no filter", name, configured ? "again what the configuration says" : "forgotten");
    else if (configured)
        reply_say(reply, "@%s stands in the configuration and stays there; no filter", name);
    else
        reply_say(reply, "nothing was kept as @%s; no filter", name);
}

static void say_result(struct session *session, const struct asked *asked, bool written, struct screen_reply *reply)
{
    const struct filtering_scope *scope = &session->filtering->scope;
    size_t of = 0, fits = session->filter ? scope->count(scope->state, session->filter, &of) : 0;

    if (!session->filter)
        reply_say(reply, "no filter");
    else if (fits == 0)
        reply_say(reply, "nothing fits: the filter hides all %zu %s; an empty one shows them", of, scope->what);
    else
        reply_say(reply, "%zu of %zu %s shown%s%s%s; an empty filter shows all", fits, of, scope->what,
                  asked->keep ? ", kept as @" : "", asked->keep ? asked->name : "", written ? "" : " for this session only");
}

static void take(struct session *session, const struct asked *asked, const char *typed, struct screen_reply *reply)
{
    struct filtering *filtering = session->filtering;
    bool had_own = kept_filters_has_own(&filtering->kept, asked->name), written = true;

    if (asked->keep)
        written = kept_filters_put(&filtering->kept, model_path(session->model), asked->name, filter_text(session->filter));
    if (session->filter)
        history_add("filter", typed);
    reply->changed = reply->recompute = true;
    if (asked->keep && !session->filter)
        say_forgotten(session, asked->name, had_own, reply);
    else
        say_result(session, asked, written, reply);
}

static void accept(void *owner, const char *text, struct screen_reply *reply)
{
    struct session *session = owner;
    struct asked asked;
    struct prompt_note fault = {0};
    struct error error = {0};

    if (understand(session->filtering, text, &asked, &fault) && session_set_filter(session, asked.text, &error))
        take(session, &asked, text, reply);
    else
        reply->close = false; /* the row below says why */
    free(asked.text);
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
