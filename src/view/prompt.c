#include "stutterscope/view/prompt.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct prompt {
    struct prompt_options options; /* its texts are replaced by the copies below */
    char *label;
    bool question;
    char *text;
    size_t cursor; /* byte offset of a character */
    struct {
        char **items;
        size_t count, capacity;
    } history;
    size_t history_at; /* 0: the line being written, n: history.items[n - 1] */
    char *written;     /* that line, while looking at the history */
    char *completing;  /* what Tab started from; NULL: not completing */
    size_t completion;
    struct prompt_note note;
};

static size_t before(const char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[--at] & 0xc0) == 0x80)
        ;
    return at;
}

static size_t after(const char *text, size_t at)
{
    uint32_t code_point = 0;
    return at + text_decode(text + at, &code_point);
}

static void replace(struct prompt *prompt, size_t from, size_t to, const char *text)
{
    size_t length = strlen(text);
    char *whole = memory_print("%.*s%s%s", (int)from, prompt->text, text, prompt->text + to);
    free(prompt->text);
    prompt->text = whole;
    prompt->cursor = from + length;
}

static void set_text(struct prompt *prompt, const char *text)
{
    replace(prompt, 0, strlen(prompt->text), text);
}

static size_t word_before(const struct prompt *prompt)
{
    size_t at = prompt->cursor;
    while (at > 0 && prompt->text[at - 1] == ' ')
        at--;
    while (at > 0 && prompt->text[at - 1] != ' ')
        at--;
    return at;
}

static void look_back(struct prompt *prompt, bool older)
{
    if (older ? prompt->history_at >= prompt->history.count : prompt->history_at == 0)
        return;
    if (prompt->history_at == 0) {
        free(prompt->written);
        prompt->written = memory_copy_text(prompt->text);
    }
    prompt->history_at += older ? 1 : (size_t)-1;
    set_text(prompt,
             prompt->history_at == 0 ? prompt->written : prompt->history.items[prompt->history_at - 1]);
}

static void complete(struct prompt *prompt, struct screen_reply *reply)
{
    char candidate[512];
    if (prompt->options.complete == NULL)
        return;
    if (prompt->completing == NULL) {
        prompt->completing = memory_copy_text(prompt->text);
        prompt->completion = 0;
    }
    if (!prompt->options.complete(prompt->options.owner, prompt->completing, prompt->completion, candidate,
                                  sizeof candidate)) {
        if (prompt->completion == 0) {
            reply_say(reply, "nothing begins with that");
            return;
        }
        text_print(candidate, sizeof candidate, "%s", prompt->completing); /* once around: what was typed */
        prompt->completion = (size_t)-1;
    }
    prompt->completion++;
    set_text(prompt, candidate);
}

static void insert(struct prompt *prompt, const char *text)
{
    char *clean = text_clean(text, strlen(text)); /* a pasted newline becomes a blank */
    replace(prompt, prompt->cursor, prompt->cursor, clean);
    free(clean);
}

static bool edit(struct prompt *prompt, const struct screen_event *event, struct screen_reply *reply)
{
    size_t end = strlen(prompt->text), at = prompt->cursor;
    switch (event->action) {
    case ACTION_TYPE:
        insert(prompt, event->text);
        return true;
    case ACTION_ERASE:
        replace(prompt, before(prompt->text, at), at, "");
        return true;
    case ACTION_ERASE_NEXT:
        replace(prompt, at, after(prompt->text, at), "");
        return true;
    case ACTION_ERASE_WORD:
        replace(prompt, word_before(prompt), at, "");
        return true;
    case ACTION_ERASE_ALL:
        replace(prompt, 0, end, "");
        return true;
    case ACTION_LEFT:
        prompt->cursor = before(prompt->text, at);
        return true;
    case ACTION_RIGHT:
        prompt->cursor = after(prompt->text, at);
        return true;
    case ACTION_FIRST:
        prompt->cursor = 0;
        return true;
    case ACTION_LAST:
        prompt->cursor = end;
        return true;
    case ACTION_UP:
    case ACTION_DOWN:
        look_back(prompt, event->action == ACTION_UP);
        return true;
    case ACTION_COMPLETE:
        complete(prompt, reply);
        return true;
    default:
        return false;
    }
}

static void finish(struct prompt *prompt, bool accepted, struct screen_reply *reply)
{
    reply->close = true;
    if (!accepted && prompt->options.cancel)
        prompt->options.cancel(prompt->options.owner, reply);
    if (accepted)
        prompt->options.accept(prompt->options.owner, prompt->text, reply);
}

/* A key, or the whole line that somebody sent at once; ㅛ is y while an input method is on. */
static bool is_yes(const char *text)
{
    return text_equals_ignoring_case(text, "y") || text_equals_ignoring_case(text, "yes") || strcmp(text, "ㅛ") == 0;
}

static bool act_question(struct prompt *prompt, const struct screen_event *event, struct screen_reply *reply)
{
    if (event->action == ACTION_TYPE || event->action == ACTION_ENTER || event->action == ACTION_BACK) {
        bool yes = event->action == ACTION_TYPE && is_yes(event->text);
        set_text(prompt, "y");
        finish(prompt, yes, reply);
        if (!yes)
            reply_say(reply, "nothing was changed");
    }
    return true;
}

static void take_note(struct prompt *prompt)
{
    memset(&prompt->note, 0, sizeof prompt->note);
    if (prompt->options.note)
        prompt->options.note(prompt->options.owner, prompt->text, &prompt->note);
}

static bool act(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct prompt *prompt = state;
    if (prompt->question)
        return act_question(prompt, event, reply);
    if (event->action != ACTION_COMPLETE) {
        free(prompt->completing);
        prompt->completing = NULL;
    }
    if (event->action == ACTION_ENTER || event->action == ACTION_BACK ||
        (event->action == ACTION_ERASE && prompt->text[0] == '\0')) {
        finish(prompt, event->action == ACTION_ENTER, reply);
        if (!reply->close)
            take_note(prompt);
        return true;
    }
    char *old = memory_copy_text(prompt->text);
    bool mine = edit(prompt, event, reply);
    if (strcmp(old, prompt->text) != 0) {
        if (prompt->options.change)
            prompt->options.change(prompt->options.owner, prompt->text, reply);
        take_note(prompt);
    }
    free(old);
    return mine;
}

/* In place of the keys of the screen below, which do nothing while one types. */
static void draw_note(const struct prompt *prompt, struct canvas *canvas, struct area whole)
{
    struct area row = {whole.row + whole.rows - 1, whole.column, 1, whole.columns};
    if (whole.rows < 2 || !prompt->options.note)
        return;
    canvas_fill(canvas, row, ROLE_CHROME, " ");
    canvas_put_field(canvas, row.row, row.column + 1, row.columns - 2,
                     prompt->note.fault ? ROLE_ERROR : ROLE_CHROME, ALIGN_LEFT, CUT_END, prompt->note.text);
}

/* The bytes that are wrong, as far as they are seen: `shown` begins at the byte `from` of the text. */
static void draw_fault(const struct prompt *prompt, struct canvas *canvas, int row, int left, const char *visible,
                       size_t from)
{
    size_t begin = prompt->note.fault_at, end = begin + prompt->note.fault_length, size = strlen(visible);
    begin = begin > from ? begin - from : 0;
    end = end > from ? end - from : 0;
    if (!prompt->note.fault || begin >= size || end <= begin)
        return;
    char *before = memory_copy_bytes(visible, begin);
    char *wrong = memory_copy_bytes(visible + begin, (end < size ? end : size) - begin);
    canvas_put(canvas, row, left + (int)text_width(before), ROLE_ERROR | STYLE_UNDERLINE, wrong);
    free(before);
    free(wrong);
}

/* The end of the text is seen while writing there; else the part around the cursor. */
static void draw(const void *state, struct canvas *canvas, struct area whole)
{
    const struct prompt *prompt = state;
    int row = whole.rows >= 2 ? whole.row + whole.rows - 2 : whole.row;
    struct area line = {row, whole.column, 1, whole.columns};
    draw_note(prompt, canvas, whole);
    canvas_fill(canvas, line, ROLE_PROMPT, " ");
    int label = (int)text_width(prompt->label);
    int most = prompt->question ? line.columns - 2 : line.columns / 2; /* "y/n" at its end has to be seen */
    canvas_put_field(canvas, row, line.column + 1, label < most ? label : most, ROLE_PROMPT, ALIGN_LEFT,
                     prompt->question ? CUT_MIDDLE : CUT_END, prompt->label);
    int left = line.column + 2 + (label < most ? label : most);
    int room = line.column + line.columns - left - 1;
    if (prompt->question || room < 1)
        return;
    char *head = memory_copy_bytes(prompt->text, prompt->cursor);
    const char *shown = prompt->text;
    int width = (int)text_width(head);
    while (width > room) {
        shown = shown + after(shown, 0);
        free(head);
        head = memory_copy_bytes(shown, prompt->cursor - (size_t)(shown - prompt->text));
        width = (int)text_width(head);
    }
    size_t fits = text_fit(shown, (size_t)room, NULL);
    char *visible = memory_copy_bytes(shown, fits);
    canvas_put(canvas, row, left, ROLE_PROMPT, visible);
    draw_fault(prompt, canvas, row, left, visible, (size_t)(shown - prompt->text));
    canvas_place_cursor(canvas, row, left + width);
    free(visible);
    free(head);
}

static void destroy(void *state)
{
    struct prompt *prompt = state;
    for (size_t i = 0; i < prompt->history.count; i++)
        free(prompt->history.items[i]);
    array_free(&prompt->history);
    free(prompt->label);
    free(prompt->text);
    free(prompt->written);
    free(prompt->completing);
    free(prompt);
}

static const struct screen_type prompt_screen = {
    .kind = SCREEN_NONE,
    .name = "prompt",
    .overlay = true,
    .takes_text = true,
    .destroy = destroy,
    .draw = draw,
    .act = act,
};

struct screen *prompt_open(const struct prompt_options *options)
{
    struct prompt *prompt = memory_take_zeroed(1, sizeof *prompt);
    prompt->options = *options;
    prompt->label = memory_print("%s:", options->label);
    prompt->text = memory_copy_text(options->text ? options->text : "");
    prompt->cursor = strlen(prompt->text);
    for (const char *const *line = options->history; line && *line; line++)
        array_push(&prompt->history, memory_copy_text(*line));
    prompt->options.label = prompt->options.text = NULL;
    prompt->options.history = NULL;
    take_note(prompt);
    return screen_wrap(&prompt_screen, prompt);
}

struct screen *prompt_open_question(const char *question, void *owner,
                                    void (*accept)(void *owner, const char *text, struct screen_reply *reply))
{
    struct screen *screen =
        prompt_open(&(struct prompt_options){.label = "", .owner = owner, .accept = accept});
    struct prompt *prompt = screen->state;
    free(prompt->label);
    prompt->label = memory_print("%s  y/n", question);
    prompt->question = true;
    return screen;
}
