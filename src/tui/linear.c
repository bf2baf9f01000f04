#include "stutterscope/tui/linear.h"

#include "asked.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/help.h"
#include "stutterscope/view/place.h"
#include "stutterscope/view/prompt.h"
#include "stutterscope/view/session.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So that little is cut and short lists need no scrolling; what is longer comes when one moves on. */
enum { ROWS = 120, COLUMNS = 240, MOST_LINE = 4096 };

struct linear {
    const struct loop_options *options;
    FILE *out;
    struct canvas *canvas;
    struct {
        struct {
            struct screen *screen;
            size_t number;
        } *items;
        size_t count, capacity;
    } stack;
    size_t opened; /* screens so far: a number for each, for their addresses come again */
    char *said; /* what was written last of the screen: only news are said again */
    bool quit;
};

static struct screen *top_of(const struct linear *linear)
{
    return linear->stack.items[linear->stack.count - 1].screen;
}

static size_t number_of_top(const struct linear *linear)
{
    return linear->stack.count ? linear->stack.items[linear->stack.count - 1].number : 0;
}

static struct screen *main_of(const struct linear *linear)
{
    size_t at = linear->stack.count - 1;

    while (at > 0 && linear->stack.items[at].screen->type->overlay)
        at--;
    return linear->stack.items[at].screen;
}

/* What comes from telemetry, trackers and verbs may say things to terminals. */
static void say(struct linear *linear, const char *heading, const char *text)
{
    char *clean = text_clean_lines(text, strlen(text));

    if (*clean)
        fprintf(linear->out, "%s%s%s", heading, clean, clean[strlen(clean) - 1] == '\n' ? "" : "\n");
    free(clean);
}

/* Nobody types while it works, so it is done in one go. */
static void finish_work(struct linear *linear, struct screen *screen)
{
    struct screen_progress progress = {0};
    struct error error = {0};

    while (screen->type->work && screen->type->work(screen->state, &progress, &error) == WORK_MORE)
        ;
    say(linear, "", error.text);
}

static void recompute(struct linear *linear, struct screen *screen)
{
    struct error error = {0};

    if (!screen_recompute(screen, NULL, &error))
        say(linear, "", error.text);
    finish_work(linear, screen);
}

static void push(struct linear *linear, struct screen *screen)
{
    array_reserve(&linear->stack, linear->stack.count + 1);
    linear->stack.items[linear->stack.count].screen = screen;
    linear->stack.items[linear->stack.count++].number = ++linear->opened;
}

static void drop_top(struct linear *linear)
{
    screen_destroy(top_of(linear));
    linear->stack.count--;
}

static void pop(struct linear *linear)
{
    if (linear->stack.count == 1) {
        linear->quit = true;
        return;
    }
    drop_top(linear);
    if (!main_of(linear)->computed)
        recompute(linear, main_of(linear));
}

static void go(struct linear *linear, int kind)
{
    const struct screen_type *type = kind >= 0 && kind < SCREEN_COUNT ? linear->options->types[kind] : NULL;
    size_t at = 0;

    if (!type) {
        say(linear, "", "there is no such screen");
        linear->quit = linear->stack.count == 0;
        return;
    }
    while (at < linear->stack.count && linear->stack.items[at].screen->type != type)
        at++;
    while (linear->stack.count > at + 1 || (linear->stack.count > 0 && top_of(linear)->type->overlay))
        drop_top(linear);
    if (at >= linear->stack.count)
        push(linear, screen_create(type, linear->options->session));
    recompute(linear, main_of(linear));
}

static void post(struct linear *linear, const struct screen_post *what);

static void apply(struct linear *linear, struct screen_reply *reply)
{
    say(linear, "", reply->message);
    for (size_t i = 0; reply->changed && i < linear->stack.count; i++)
        if (linear->stack.items[i].screen != main_of(linear))
            linear->stack.items[i].screen->computed = false;
    linear->quit |= reply->quit;
    if (reply->close && !linear->quit)
        pop(linear);
    if (linear->quit)
        return;
    if (reply->go)
        go(linear, (int)reply->go_to);
    else if (reply->recompute)
        recompute(linear, main_of(linear));
    if (reply->open) {
        push(linear, reply->open);
        finish_work(linear, reply->open);
        reply->open = NULL;
    }
    if (reply->copy)
        say(linear, "text to copy:\n", reply->copy);
    if (reply->write)
        say(linear, "text to write:\n", reply->write);
    if (reply->edit)
        say(linear, "", "there is no editor in this mode; stutterscope ticket --output FILE writes the text");
    if (reply->run && reply->run[0] && reply->run[1])
        say(linear, "address: ", reply->run[1]);
    if (reply->post)
        post(linear, reply->post);
}

static void post(struct linear *linear, const struct screen_post *what)
{
    struct screen_reply reply = {0};

    asked_to_post(main_of(linear), what, NULL, &reply);
    apply(linear, &reply);
    reply_clear(&reply);
}

/* ---- saying what is there ---- */

static char *screen_text(struct linear *linear)
{
    struct chrome chrome = {.keymap = linear->options->keymap};
    struct screen *screen = main_of(linear), *top = top_of(linear);

    if (top != screen) { /* only what lies on top; the rest was said before */
        canvas_clear(linear->canvas);
        top->type->draw(top->state, linear->canvas, canvas_area(linear->canvas));
        return linear_text(linear->canvas);
    }
    if (linear->options->look_for_news)
        linear->options->look_for_news(linear->options->session);
    if (linear->options->fill_chrome)
        linear->options->fill_chrome(linear->options->session, &chrome);
    chrome.clock = chrome.user = NULL; /* a new minute is no news */
    chrome_draw(linear->canvas, &chrome, screen);
    return linear_text(linear->canvas);
}

static bool has_line(const char *text, const char *line, size_t length)
{
    for (const char *at = text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (strncmp(at, line, length) == 0 && (at[length] == '\n' || at[length] == '\0'))
            return true;
    return false;
}

/* Lines that were not there before: after a move that is what is selected now, and what is known about it. */
static void say_news(struct linear *linear, bool all)
{
    char *text = screen_text(linear);

    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "\n");

        if (all || !linear->said || !has_line(linear->said, at, length))
            fprintf(linear->out, "%.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    free(linear->said);
    linear->said = text;
    fflush(linear->out);
}

/* ---- acting ---- */

static bool ask_screen(struct linear *linear, struct screen *screen, struct screen_event *event)
{
    struct screen_reply reply = {0};
    bool mine;

    event->area = screen->type->overlay ? canvas_area(linear->canvas) : chrome_body(linear->canvas);
    mine = screen->type->act && screen->type->act(screen->state, event, &reply);
    if (mine)
        apply(linear, &reply);
    reply_clear(&reply);
    return mine;
}

static void verb_accepted(void *owner, const char *text, struct screen_reply *reply)
{
    struct linear *linear = owner;
    struct error error = {0};
    char *output;

    text += strspn(text, " ");
    if (*text == '\0')
        return;
    if (asked_to_quit(text)) {
        reply->quit = true;
        return;
    }
    output = linear->options->run_verb(linear->options->user, text, NULL, &error);
    if (!output) {
        reply_fail(reply, "%s", error.text);
        return;
    }
    if (linear->options->follow && !linear->options->follow(linear->options->session, &error))
        reply_fail(reply, "%s", error.text);
    reply->changed = reply->recompute = true;
    say(linear, "", output);
    free(output);
}

static bool act_itself(struct linear *linear, const struct screen_event *event)
{
    switch (event->action) {
    case ACTION_GO:
        go(linear, event->argument - 1);
        return true;
    case ACTION_HELP:
        push(linear, help_open(linear->options->keymap, main_of(linear)->type->kind));
        return true;
    case ACTION_COMMAND:
        if (linear->options->run_verb)
            push(linear, prompt_open(&(struct prompt_options){.label = "command", .owner = linear, .accept = verb_accepted}));
        return true;
    case ACTION_INTERRUPT:
        linear->quit = true;
        return true;
    case ACTION_REDRAW:
        free(linear->said);
        linear->said = NULL;
        return true;
    case ACTION_CAPS_LOCK:
    case ACTION_SUSPEND:
        say(linear, "", "not in this mode");
        return true;
    default:
        return false;
    }
}

static bool act_otherwise(struct linear *linear, const struct screen_event *event)
{
    char *text;

    switch (event->action) {
    case ACTION_BACK:
    case ACTION_CLOSE:
        if (linear->stack.count > 1 || event->action == ACTION_CLOSE)
            pop(linear);
        else
            say(linear, "", "this is the first screen; q quits");
        return true;
    case ACTION_RELOAD:
        recompute(linear, main_of(linear));
        say(linear, "", "read again");
        return true;
    case ACTION_COPY:
    case ACTION_WRITE:
        text = screen_text(linear);
        fputs(text, linear->out);
        free(text);
        return true;
    default:
        return false;
    }
}

static void act(struct linear *linear, struct screen_event *event, const char *key)
{
    struct screen *top = top_of(linear);
    bool overlay = top->type->overlay;

    if ((overlay ? event->action == ACTION_REDRAW || event->action == ACTION_INTERRUPT : true) && act_itself(linear, event))
        return;
    if (!overlay && event->action < ACTION_TABLE_COUNT && !action_is_on(event->action, top->type->kind)) {
        fprintf(linear->out, "%s: not here, ? lists the keys\n", key);
        return;
    }
    if (ask_screen(linear, top, event) || (!overlay && act_otherwise(linear, event)))
        return;
    fprintf(linear->out, "%s: not here, ? lists the keys\n", key);
}

static void press(struct linear *linear, const char *word)
{
    struct keymap_match match;
    key_code key;

    if (!key_parse(word, strlen(word), &key)) {
        fprintf(linear->out, "%s is no key; one line holds keys with blanks between them, such as j j Enter\n", word);
        return;
    }
    match = keymap_find(linear->options->keymap, key);
    if (match.action == ACTION_NONE) {
        fprintf(linear->out, "%s does nothing, ? lists the keys\n", word);
        return;
    }
    act(linear, &(struct screen_event){.action = match.action, .argument = match.action == ACTION_GO ? match.argument : 1}, word);
}

/* The line is the answer to a prompt; what was proposed is replaced, an empty line takes it. A lone dot cancels. */
static void answer(struct linear *linear, const char *line)
{
    struct screen *prompt = top_of(linear);
    struct screen_event event = {.argument = 1};
    size_t number = number_of_top(linear);

    if (strcmp(line, ".") == 0) {
        event.action = ACTION_BACK;
        ask_screen(linear, prompt, &event);
        return;
    }
    if (*line) { /* of a question the first letter counts, so "yes" comes at once */
        event.action = ACTION_ERASE_ALL;
        ask_screen(linear, prompt, &event);
        event.action = ACTION_TYPE;
        event.text = line;
        ask_screen(linear, prompt, &event);
    }
    if (linear->quit || number_of_top(linear) != number) /* a question is answered by its first letter */
        return;
    event.action = ACTION_ENTER;
    ask_screen(linear, prompt, &event);
}

static void obey(struct linear *linear, char *line)
{
    char *rest = line, *word;

    if (top_of(linear)->type->takes_text) {
        answer(linear, line);
        return;
    }
    if (line[strspn(line, " ")] == '\0')
        press(linear, "Enter");
    while (!linear->quit && (word = strtok_r(rest, " ", &rest))) {
        press(linear, word);
        if (!linear->quit && *rest && top_of(linear)->type->takes_text) {
            answer(linear, rest);
            return;
        }
    }
}

int linear_run(struct loop_options *options, FILE *in, FILE *out)
{
    struct linear linear = {.options = options, .out = out, .canvas = canvas_create(ROWS, COLUMNS, GLYPHS_FULL)};
    char line[MOST_LINE];

    options->session->is_linear = true;
    go(&linear, (int)options->first);
    while (!linear.quit) {
        say_news(&linear, false);
        if (in == stdin && isatty(STDIN_FILENO)) {
            fputs(top_of(&linear)->type->takes_text ? "text (. cancels): " : "keys: ", out);
            fflush(out);
        }
        if (!fgets(line, sizeof line, in))
            break;
        line[strcspn(line, "\r\n")] = '\0';

        char *clean = text_clean(line, strlen(line));
        size_t before = number_of_top(&linear);

        obey(&linear, clean);
        free(clean);
        if (number_of_top(&linear) != before) { /* another screen is said as a whole */
            free(linear.said);
            linear.said = NULL;
        }
    }
    options->left = linear.stack.count ? place_of_screen(options->session, main_of(&linear), NULL) : NULL;
    while (linear.stack.count > 0)
        drop_top(&linear);
    array_free(&linear.stack);
    free(linear.said);
    canvas_destroy(linear.canvas);
    fflush(out);
    return 0;
}
