#include "ticket_output.h"

#include "stutterscope/base/clipboard.h"
#include "stutterscope/base/editor.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/ticket/post.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- clipboard ---- */

static bool send_to_terminal(const char *request, struct error *error)
{
    int terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY);
    bool good;

    if (terminal < 0)
        return error_set(error, ERROR_IO, "there is no terminal to send it to, and no wl-copy, xclip or pbcopy with a session");
    good = file_write_whole(terminal, request, strlen(request)) ||
           error_set(error, ERROR_IO, "the terminal did not take it: %s", strerror(errno));
    close(terminal);
    return good;
}

static bool send_request(const char *text, struct error *error)
{
    const char *term = getenv("TERM");
    bool in_tmux = getenv("TMUX") != NULL, good;
    char *request;

    if (term && (strcmp(term, "dumb") == 0 || strcmp(term, "linux") == 0))
        return error_set(error, ERROR_USAGE, "this type of terminal (%s) has no clipboard", term);
    if (in_tmux && !clipboard_tmux_passes_on())
        return error_set(error, ERROR_USAGE, "tmux keeps it to itself: \"tmux set -s set-clipboard on\" changes that");
    request = clipboard_request(text, in_tmux, getenv("STY") != NULL, error);
    good = request && send_to_terminal(request, error);
    free(request);
    return good;
}

/* Beside what went to a terminal that may drop it, and instead of what did not go anywhere. */
static bool keep_file(const char *text, char **ret_path, struct error *error)
{
    char *folder = path_state_folder(), *path = path_join(folder, "clipboard.txt");
    bool good = path_make_parents(path, error) && path_write_all(path, text, strlen(text), error);

    free(folder);
    *ret_path = path;
    return good;
}

/* A terminal never answers: what went to it was sent, nothing more can be said. */
static bool copy(struct invocation *invocation, const char *text, struct error *error)
{
    size_t size = strlen(text);
    const char *program = NULL;
    struct error trouble = {0};
    struct text_buffer said = {0};
    char *path = NULL;
    bool good = true;

    if (!clipboard_use_program(text, &program, &trouble)) {
        say_remark(invocation, trouble.text);
        trouble = (struct error){0};
    }
    if (program)
        text_add_print(&said, "%zu bytes given to %s", size, program);
    else if (send_request(text, &trouble))
        text_add_print(&said, "%zu bytes sent to the terminal's clipboard", size);
    else
        text_add_print(&said, "nothing sent to the clipboard: %s", trouble.text);
    if (!program && (trouble.text[0] || size > CLIPBOARD_SURE)) {
        good = keep_file(text, &path, error);
        if (good)
            text_add_print(&said, "; %s %s", trouble.text[0] ? "the text is in" : "some terminals drop as much without a word, so it is also in", path);
    }
    say_remark(invocation, said.items);
    array_free(&said);
    free(path);
    return good;
}

/* ---- editor ---- */

bool ticket_edit(struct invocation *invocation, struct ticket *ticket, struct error *error)
{
    struct ticket edited;
    char *text = NULL;

    if (!invocation_has(invocation, OPTION_EDIT))
        return true;
    if (invocation->capture)
        return error_set(error, ERROR_USAGE, "--edit needs the whole terminal; on the Ticket screen \"e\" opens the editor");
    if (!editor_edit(ticket->text, editor_run_here, NULL, &text, error))
        return false;
    if (!text[strspn(text, " \n")]) {
        free(text);
        return error_set(error, ERROR_INPUT, "the edited text is empty: nothing was written, nothing filed");
    }
    ticket_take_edited(ticket, text, &edited);
    free(text);
    ticket_free(ticket);
    *ticket = edited;
    if (edited.length > edited.format->body_limit) {
        char *said = memory_print("the edited text has %zu characters, %s takes %zu", edited.length, edited.format->title, edited.format->body_limit);

        say_remark(invocation, said);
        free(said);
    }
    return true;
}

/* ---- tracker ---- */

static bool post_ticket(struct invocation *invocation, const struct ticket *ticket, const char *command, char **ret_reference, struct error *error)
{
    struct ticket_post post;
    bool good = ticket_post(command, ticket, invocation->shows_progress ? &invocation->progress : NULL, &post, error);

    if (post.output && *post.output)
        write_out(invocation, post.output, strlen(post.output), NULL);
    if (good) {
        char *said = post.reference ? memory_print("filed as %s", post.reference)
                                    : memory_copy_text("filed; the command printed no reference (an address, KEY-12 or #12)");

        say_remark(invocation, said);
        free(said);
        *ret_reference = post.reference;
        post.reference = NULL;
    }
    ticket_post_free(&post);
    return good;
}

bool ticket_deliver(struct invocation *invocation, const struct ticket *ticket, const char *post, char **ret_reference, struct error *error)
{
    bool copies = invocation_has(invocation, OPTION_COPY), writes = invocation_has(invocation, OPTION_OUTPUT);

    *ret_reference = NULL;
    return ((!writes && (copies || post)) || write_output(invocation, ticket->text, strlen(ticket->text), error)) &&
           (!copies || copy(invocation, ticket->text, error)) && (!post || post_ticket(invocation, ticket, post, ret_reference, error));
}
