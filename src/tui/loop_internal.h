/*
 * What the parts of the loop share: the stack of screens, the message, work that is going on.
 */
#ifndef SRC_TUI_LOOP_INTERNAL_H
#define SRC_TUI_LOOP_INTERNAL_H

#include "stutterscope/tui/input.h"
#include "stutterscope/tui/loop.h"
#include "stutterscope/view/chrome.h"

#define QUEUE_SIZE 64 /* keys that were typed while something else was going on */

struct loop {
    struct loop_options *options;
    struct terminal *terminal;
    struct canvas *canvas;
    int64_t looked_ms; /* for news, by clock_steady_ms() */
    struct {
        struct screen **items;
        size_t count, capacity;
    } stack; /* main screens below, overlays on top of them */
    char message[400];
    unsigned message_style;

    struct input_event queue[QUEUE_SIZE];
    size_t queued;

    bool screen_works, session_works; /* there is more to do */
    char work_text[192];
    struct progress progress;               /* handed to recompute and verbs */
    int64_t progress_since, progress_drawn; /* ms */

    int64_t clicked_at; /* ms; to tell a second click */
    int clicked_row, clicked_column;

    char *writing; /* what the prompt for a file name is about; NULL: the view, as the name's ending asks for */
    char *writing_name;
    size_t writing_top; /* of the stack, when it was asked for: what lies above asks for the name */

    struct {
        struct canvas *canvas; /* what lies below the topmost overlay, while that only reads; NULL: never needed */
        unsigned changes;      /* as of when; 0: not known */
        char clock[16];
        const char *store;
    } below;
    unsigned changes; /* counts whatever may change how screens look that are not on top; never 0 */

    enum action shown; /* what opened the overlay that lies on the screen */

    int64_t settle_at; /* ms; the size has changed: drawn anew when it stays; 0: it has not */

    bool finding; /* where to begin: Esc stops that, too */
    bool quit;
    int status;
};

/* loop.c */
void loop_draw(struct loop *loop);
/* On the canvas: the main screen with what lies on it, as far up the stack as `top`. */
void loop_draw_screens(struct loop *loop, struct chrome *chrome, size_t top);
void loop_say(struct loop *loop, unsigned style, const char *text);

/* loop_below.c */
void loop_changes(struct loop *loop);
/* Draws all screens, or the topmost over what is known to lie below it. */
void loop_draw_stack(struct loop *loop, struct chrome *chrome);

/* loop_stack.c */
struct screen *loop_top(const struct loop *loop);  /* never NULL while the loop runs */
struct screen *loop_main(const struct loop *loop); /* the topmost that is no overlay */
void loop_push(struct loop *loop, struct screen *screen);
void loop_pop(struct loop *loop);
void loop_go(struct loop *loop, enum screen_kind kind);
void loop_recompute(struct loop *loop, struct screen *screen);
void loop_reload(struct loop *loop);

/* loop_reply.c */
void loop_apply(struct loop *loop, struct screen_reply *reply);
void loop_open_command(struct loop *loop);
void loop_offer_file(struct loop *loop, char *text, char *name); /* takes both over; text NULL: the view */
void loop_copy(struct loop *loop, const char *text);
void loop_edit(struct loop *loop, const char *text, bool give_back);
char *loop_view_text(struct loop *loop);

/* loop_act.c */
void loop_handle(struct loop *loop, const struct input_event *event);
void loop_act(struct loop *loop, enum action action);

/* loop_work.c */
bool loop_work(struct loop *loop); /* a step; whether something may look different now */
void loop_start_work(struct loop *loop);
bool loop_stop_work(struct loop *loop); /* false when none was going on */
void loop_begin_progress(struct loop *loop);

/* loop_first.c */
bool loop_find_first(struct loop *loop, struct error *error); /* false with an error: nowhere */
void loop_begin(struct loop *loop);
char *loop_place(struct loop *loop); /* where one is now; a new string */

#endif
