#include "stutterscope/view/screen.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/session.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct screen *screen_wrap(const struct screen_type *type, void *state)
{
    struct screen *screen = memory_take_zeroed(1, sizeof *screen);
    screen->type = type;
    screen->state = state;
    return screen;
}

struct screen *screen_create(const struct screen_type *type, struct session *session)
{
    struct screen *screen = screen_wrap(type, type->create(session));

    if (type->take && session->opened.words.count && session->opened.kind == (int)type->kind) {
        screen->opened = session->opened.words;
        session->opened.words = (struct view_words){0};
        type->take(screen->state, &screen->opened, false);
    }
    return screen;
}

void screen_post_free(struct screen_post *post)
{
    if (post == NULL)
        return;
    free(post->command);
    ticket_free(&post->ticket);
    free(post);
}

void screen_destroy(struct screen *screen)
{
    if (screen == NULL)
        return;
    screen->type->destroy(screen->state);
    free(screen->failure);
    view_words_free(&screen->opened);
    free(screen);
}

bool screen_recompute(struct screen *screen, const struct progress *progress, struct error *error)
{
    free(screen->failure);
    screen->failure = NULL;
    screen->computed = true;
    if (screen->type->recompute == NULL || screen->type->recompute(screen->state, progress, error)) {
        if (screen->opened.count)
            screen->type->take(screen->state, &screen->opened, true);
        view_words_free(&screen->opened);
        return true;
    }
    screen->failure = memory_copy_text(error->text);
    return false;
}

static void say(struct screen_reply *reply, unsigned style, const char *format, va_list arguments)
{
    text_print_list(reply->message, sizeof reply->message, format, arguments);
    reply->message_style = style;
}

void reply_say(struct screen_reply *reply, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(reply, ROLE_STATUS, format, arguments);
    va_end(arguments);
}

void reply_fail(struct screen_reply *reply, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(reply, ROLE_ERROR, format, arguments);
    va_end(arguments);
}

void reply_clear(struct screen_reply *reply)
{
    screen_destroy(reply->open);
    free(reply->copy);
    free(reply->write);
    free(reply->write_name);
    free(reply->edit);
    for (char **argument = reply->run; argument && *argument; argument++)
        free(*argument);
    free(reply->run);
    screen_post_free(reply->post);
    *reply = (struct screen_reply){0};
}

bool screen_dispatch(const struct screen_handler *handlers, void *state, const struct screen_event *event,
                     struct screen_reply *reply)
{
    for (const struct screen_handler *handler = handlers; handler->action != ACTION_NONE; handler++) {
        if (handler->action == event->action) {
            handler->handle(state, event, reply);
            return true;
        }
    }
    return false;
}
