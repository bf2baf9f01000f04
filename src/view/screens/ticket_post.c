/* F with a post command: asks, hands the ticket to the loop, keeps what the tracker calls it. */
#include "decide.h"
#include "ticket_view.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/base/words.h"
#include "stutterscope/model/tickets.h"
#include "stutterscope/ticket/config.h"
#include "stutterscope/view/pager.h"
#include "stutterscope/view/prompt.h"
#include <stdlib.h>
#include <string.h>

struct id_list {
    const char **items;
    size_t count, capacity;
};

static struct id_list ids_of(const struct ticket_view *view)
{
    struct id_list ids = {0};

    for (size_t i = 0; i < view->members.count; i++)
        if (view->members.items[i].in)
            array_push(&ids, view->members.items[i].id);
    return ids;
}

static const char *post_command(const struct ticket_view *view)
{
    struct ticket_config config = {0};

    return view->settings && ticket_config_read(view->settings, &config, NULL) ? config.post : NULL;
}

static void post_accepted(void *owner, const char *text, struct screen_reply *reply)
{
    struct ticket_view *view = owner;
    const char *command = post_command(view);

    (void)text;
    if (!command)
        return;
    reply->post = memory_take_zeroed(1, sizeof *reply->post);
    reply->post->command = memory_copy_text(command);
    ticket_take_edited(&view->ticket, ticket_shown_text(view), &reply->post->ticket);
}

/* What the store knows of a stutter's ticket: "MG-1211, filed, in 1.8.0(421) by kim"; NULL: it has none. */
static char *known_ticket(const struct ticket_view *view, const char *id)
{
    char *text = NULL, *short_text = NULL;
    bool filed = false;

    if (model_known_ticket(view->session->model, id, &text, &filed, NULL) && filed && text) {
        const char *at = text, *next;

        while ((next = strstr(at, ": "))) /* behind the name of the stutter, which the screen shows */
            at = next + 2;
        short_text = memory_copy_text(at);
    }
    free(text);
    return short_text;
}

/* Only the program: the command may be long, and what is asked has to be seen. */
static char *program_of(const char *command)
{
    struct words words;
    char *name;

    if (!words_split(command, &words, NULL))
        return text_clean(command, strlen(command));
    name = words.count ? text_clean(words.items[0], strlen(words.items[0])) : memory_copy_text("");
    words_free(&words);
    return name;
}

static char *question(const struct ticket_view *view, const char *command)
{
    struct id_list ids = ids_of(view);
    char *known = NULL, *program = program_of(command), *text;

    for (size_t i = 0; i < ids.count && !known; i++)
        known = known_ticket(view, ids.items[i]);
    text = known ? memory_print("there is %s. File another ticket with %s?", known, program)
                 : memory_print("file it with %s (%zu stutter%s)?", program, ids.count, ids.count == 1 ? "" : "s");
    free(program);
    free(known);
    array_free(&ids);
    return text;
}

bool ticket_ask_to_post(struct ticket_view *view, struct screen_reply *reply)
{
    const char *command = post_command(view);
    char *text;

    if (!command || !*ticket_shown_text(view) || !ticket_members_in(view))
        return false;
    text = question(view, command);
    reply->open = prompt_open_question(text, view, post_accepted);
    free(text);
    return true;
}

void ticket_find_members(void *owner, struct session *session)
{
    struct id_list ids = ids_of(owner);

    for (size_t i = 0; i < ids.count; i++)
        decide_add_stutter(session, ids.items[i]);
    array_free(&ids);
    if (!session->pending.subjects.count)
        decide_find_subject(NULL, session);
}

static void show_output(const char *output, const char *heading, struct screen_reply *reply)
{
    if (output && output[strspn(output, " \n")])
        reply->open = pager_open(heading, output);
}

void ticket_posted(void *state, const struct ticket_post *post, const char *failure, struct screen_reply *reply)
{
    struct ticket_view *view = state;

    if (failure) {
        show_output(post->output, "Not filed. The post command said", reply);
        reply_fail(reply, "not filed: %s", failure);
        return;
    }
    if (!post->reference) {
        const struct screen_event file = {.action = ACTION_FILE, .argument = 1};

        decide_act(view->session, &file, ticket_find_members, view, reply);
        reply_say(reply, "it was sent, but the command printed no reference: type the number");
        return;
    }
    show_output(post->output, "The post command said", reply);
    decide_filed(view->session, ticket_find_members, view, post->reference, reply);
}
