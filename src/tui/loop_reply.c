/* What screens ask for: messages, other screens, files, clipboard, editor, programs, verbs. */
#include "asked.h"
#include "loop_internal.h"

#include "stutterscope/base/clipboard.h"
#include "stutterscope/base/editor.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/view/data_file.h"
#include "stutterscope/base/words.h"
#include "stutterscope/view/history.h"
#include "stutterscope/view/pager.h"
#include "stutterscope/view/picture.h"
#include "stutterscope/view/place.h"
#include "stutterscope/view/prompt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *view_for_file(struct loop *loop, const char *name, size_t top)
{
    struct chrome chrome = {0};
    if (loop->options->fill_chrome)
        loop->options->fill_chrome(loop->options->session, &chrome);
    loop_draw_screens(loop, &chrome, top);
    char *key = loop_place(loop), *reopen = key ? place_command(loop->options->session, key) : memory_copy_text("");
    char *title = memory_print("%s%s%s", loop_main(loop)->type->name, *reopen ? " · " : "", reopen);
    char *picture = picture_for_file(loop->canvas, loop->options->scheme, title, name);
    char *text = picture_is_name(name) || !*reopen ? memory_copy_text(picture) : memory_print("%sreopen: %s\n", picture, reopen);
    free(picture);
    free(title);
    free(reopen);
    free(key);
    return text;
}

char *loop_view_text(struct loop *loop)
{
    return view_for_file(loop, "", loop->stack.count);
}

void loop_copy(struct loop *loop, const char *text)
{
    struct error error = {0};
    char said[120];
    const char *program = NULL;
    /* What fails there may still work in the terminal. */
    if (clipboard_use_program(text, &program, NULL) && program) {
        snprintf(said, sizeof said, "%zu bytes given to %s", strlen(text), program);
        loop_say(loop, ROLE_STATUS, said);
        return;
    }
    if (!terminal_copy(loop->terminal, text, &error)) {
        char *failure = memory_print("%s; w writes a file", error.text);
        loop_say(loop, ROLE_ERROR, failure);
        free(failure);
        return;
    }
    /* There is no answer from the terminal, so this cannot be called copied. */
    snprintf(said, sizeof said, "%zu bytes sent to the terminal's clipboard; w writes a file", strlen(text));
    loop_say(loop, ROLE_STATUS, said);
}

/* What has data of its own: the topmost when the file was asked for, else the screen below. */
static struct screen *data_source(struct loop *loop)
{
    struct screen *top = loop->writing_top && loop->writing_top <= loop->stack.count ? loop->stack.items[loop->writing_top - 1] : NULL;
    return top ? top : loop_main(loop);
}

static void write_now(struct loop *loop, const char *path, struct screen_reply *reply)
{
    struct error error = {0};
    char *view = loop->writing            ? NULL
                 : data_file_is_name(path) ? data_file_text(data_source(loop), chrome_body(loop->canvas), path, &error)
                                           : view_for_file(loop, path, loop->writing_top);
    const char *text = view ? view : loop->writing;
    if (text && path_write_all(path, text, strlen(text), &error))
        reply_say(reply, "written: %s", path);
    else
        reply_fail(reply, "%s", error.text);
    free(view);
}

static void replace_accepted(void *owner, const char *text, struct screen_reply *reply)
{
    struct loop *loop = owner;
    (void)text;
    write_now(loop, loop->writing_name, reply);
}

static void file_accepted(void *owner, const char *text, struct screen_reply *reply)
{
    struct loop *loop = owner;
    char *path = path_expand_home(text);
    if (*path == '\0') {
        reply_say(reply, "nothing was written");
    } else if (access(path, F_OK) != 0) {
        write_now(loop, path, reply);
    } else {
        free(loop->writing_name);
        loop->writing_name = memory_copy_text(path);
        char *question = memory_print("replace %s?", path);
        reply->open = prompt_open_question(question, loop, replace_accepted);
        free(question);
    }
    free(path);
}

void loop_offer_file(struct loop *loop, char *text, char *name)
{
    free(loop->writing);
    free(loop->writing_name);
    loop->writing = text;
    loop->writing_name = name;
    loop->writing_top = loop->stack.count;
    loop_push(loop, prompt_open(&(struct prompt_options){
                        .label = text ? "write to file" : "write to file (.txt .svg .html .json .csv)", .text = name, .owner = loop, .accept = file_accepted}));
}

static bool run_editor(void *user, char *const arguments[], int *ret_status, struct error *error)
{
    struct loop *loop = user;
    return terminal_run(loop->terminal, arguments, ret_status, error);
}

void loop_edit(struct loop *loop, const char *text, bool give_back)
{
    struct error error = {0};
    struct screen *screen = loop_main(loop);
    char *edited = NULL;
    if (!editor_edit(text, run_editor, loop, &edited, &error))
        loop_say(loop, ROLE_ERROR, error.text);
    if (give_back && screen->type->edited) {
        struct screen_reply reply = {0};
        screen->type->edited(screen->state, edited, &reply);
        loop_apply(loop, &reply);
        reply_clear(&reply);
    }
    free(edited);
}

static void run_program(struct loop *loop, char *const argv[])
{
    struct error error = {0};
    struct screen *screen = loop_main(loop);
    int status = -1;
    if (!terminal_run(loop->terminal, argv, &status, &error))
        loop_say(loop, ROLE_ERROR, error.text);
    if (screen->type->ran) {
        struct screen_reply reply = {0};
        screen->type->ran(screen->state, status, &reply);
        loop_apply(loop, &reply);
        reply_clear(&reply);
    }
}

/* The command may take as long as networks do: progress shows, Ctrl-C stops it. */
static void post(struct loop *loop, const struct screen_post *what)
{
    struct screen_reply reply = {0};
    loop_begin_progress(loop);
    asked_to_post(loop_main(loop), what, &loop->progress, &reply);
    loop_apply(loop, &reply);
    reply_clear(&reply);
}

static bool complete_command(void *owner, const char *text, size_t index, char *buffer, size_t size)
{
    const struct loop *loop = owner;
    if (loop->options->complete_line)
        return loop->options->complete_line(loop->options->user, text, index, buffer, size);
    for (const char *const *verb = loop->options->verbs; *verb; verb++) {
        if (strncmp(*verb, text, strlen(text)) == 0 && index-- == 0) {
            snprintf(buffer, size, "%s", *verb);
            return true;
        }
    }
    return false;
}

static void verb_accepted(void *owner, const char *text, struct screen_reply *reply)
{
    struct loop *loop = owner;
    struct error error = {0};
    text += strspn(text, " ");
    if (*text == '\0')
        return;
    if (asked_to_quit(text)) {
        reply->quit = true;
        return;
    }
    history_add("command", text);
    loop_begin_progress(loop);
    char *output = loop->options->run_verb(loop->options->user, text, &loop->progress, &error);
    if (output == NULL) {
        reply_fail(reply, "%s", error.text);
        return;
    }
    bool followed = !loop->options->follow || loop->options->follow(loop->options->session, &error);
    reply->changed = reply->recompute = true;
    char *shown = text_without_user_info(text);
    if (!followed)
        reply_fail(reply, "%s", error.text);
    if (output[strspn(output, " \n")] != '\0')
        reply->open = pager_open(shown, output);
    else if (followed)
        reply_say(reply, "done: %s", shown);
    free(shown);
    free(output);
}

static void note_command(void *owner, const char *text, struct prompt_note *ret)
{
    (void)owner;
    snprintf(ret->text, sizeof ret->text, "%s",
             asked_to_quit(text) ? "Enter leaves the program"
                           : "a verb of the command line on this store · Tab completes · Up: earlier ones · :q leaves");
}

void loop_open_command(struct loop *loop)
{
    if (loop->options->verbs == NULL || loop->options->run_verb == NULL) {
        loop_say(loop, ROLE_STATUS, "there are no commands here");
        return;
    }
    char **history = history_load("command");
    loop_push(loop, prompt_open(&(struct prompt_options){.label = "command",
                                                         .owner = loop,
                                                         .accept = verb_accepted,
                                                         .complete = complete_command,
                                                         .note = note_command,
                                                         .history = (const char *const *)history}));
    history_free(history);
}

/* Strings are taken out of the reply before anything else can reply. */
static char *take(char **text)
{
    char *taken = *text;
    *text = NULL;
    return taken;
}

static void run_what_was_asked(struct loop *loop, struct screen_reply *reply)
{
    char *copy = take(&reply->copy), *edit = take(&reply->edit);
    char **run = reply->run;
    struct screen_post *posted = reply->post;
    reply->run = NULL;
    reply->post = NULL;
    if (reply->write) {
        char *name = reply->write_name ? take(&reply->write_name) : memory_copy_text("stutterscope.txt");
        loop_offer_file(loop, take(&reply->write), name);
    }
    if (copy)
        loop_copy(loop, copy);
    if (edit)
        loop_edit(loop, edit, true);
    if (run)
        run_program(loop, run);
    if (posted)
        post(loop, posted);
    screen_post_free(posted);
    for (char **argument = run; argument && *argument; argument++)
        free(*argument);
    free(run);
    free(copy);
    free(edit);
}

/*
 * Order: what was changed, closing, going, working out again, then whatever opens. Replies of overlays speak
 * for the screen below them.
 */
void loop_apply(struct loop *loop, struct screen_reply *reply)
{
    if (reply->message[0])
        loop_say(loop, reply->message_style ? reply->message_style : ROLE_STATUS, reply->message);
    if (reply->changed) {
        loop_changes(loop);
        for (size_t i = 0; i < loop->stack.count; i++)
            if (loop->stack.items[i] != loop_main(loop))
                loop->stack.items[i]->computed = false;
    }
    if (reply->quit)
        loop->quit = true;
    if (reply->close)
        loop_pop(loop);
    if (loop->quit)
        return;
    if (reply->go)
        loop_go(loop, reply->go_to);
    else if (reply->recompute)
        loop_recompute(loop, loop_main(loop));
    else
        loop_start_work(loop);
    if (reply->open) {
        loop_push(loop, reply->open);
        reply->open = NULL;
    }
    run_what_was_asked(loop, reply);
}
