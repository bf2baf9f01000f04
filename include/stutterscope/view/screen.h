/*
 * What a screen is: recompute (ask the model) and draw (on the canvas), two functions, with actions in
 * between. The terminal, the loop and the keys are somewhere else; a screen can be drawn and driven without
 * them.
 *
 * Guide for authors of screens
 *
 * - One screen is one file src/view/screens/NAME.c that ends in its table `const struct screen_type
 *   NAME_screen`, declared in include/stutterscope/view/screens.h. Everything it knows is in its state; no
 *   statics, no globals.
 * - `create` makes the state from the session (what is chosen: store, build, baseline, filter, quality,
 *   subject) and takes nothing long; `recompute` asks the model and keeps plain data in the state; `draw`
 *   only reads the state. The loop draws everything after every event, so there is nothing to invalidate.
 * - Chrome (tabs, line 2, line 3, status, keys) is drawn for you: fill struct line in `where`, `answer`,
 *   `status`, and list the `hints`. Keep what matters most at LINE_KEEP, everything else 1 … 9; words about
 *   missing data get ROLE_MISSING and are never the part that is cut. `draw` gets the body: everything
 *   between line 3 and the status. The body may be as small as 7 × 40: drop columns by priority, keep the
 *   list of what is to decide.
 * - Write the full characters (·, ×, ─, ▪); the canvas puts stand-ins in its narrow and ascii sets, column
 *   for column. Take heat glyphs, bars and sparks from glyphs_of() or the functions in view/chart.h,
 *   because theirs differ. All text from the store must have passed text_clean(); widths are counted by
 *   base/text and the canvas, never by strlen() or printf("%-10s").
 * - Colours do not exist here: choose the role; if none fits, add one in view/theme.
 * - `act` gets actions, not keys. Return false for what you do not do: the loop then does what it can
 *   (back, close, write the view, copy the view) or says "not here". A table of handlers and
 *   screen_dispatch() keep it short; scroll_act() and pager_act() do the moving of lists and texts.
 * - Never draw, wait, print, ask or start programs in `act`: say in the reply what shall happen. To ask for
 *   a word open a prompt (view/prompt.h), to let choose a menu (view/menu.h), to show a text a pager
 *   (view/pager.h): they lie on top and call you back with a new reply. A callback gets your state, which
 *   lives at least as long.
 * - A decision: write it through the model, set reply->changed, and say in reply->message what was written,
 *   for how many, and that `u` takes it back.
 * - Work over some 100 ms: report to `progress` in recompute (it shows and lets Ctrl-C stop it), or do it
 *   in `work` in steps of at most 50 ms, between which keys are obeyed.
 * - Keys, their meaning and the help come from the table in src/view/action_table.c. What is NULL there for
 *   your screen never reaches it; change the wording there, nowhere else. Hangul letters, Caps Lock, paste
 *   and mouse are dealt with before you. ACTION_CLICK: select; with argument 2 do what Enter does.
 * - The loop itself does ACTION_GO, HELP, COMMAND, REDRAW, SUSPEND, INTERRUPT; and, when `act` returns
 *   false, BACK and CLOSE (to the screen below), RELOAD (recompute), COPY, WRITE and EDIT (of the text of
 *   the screen). Take BACK yourself only while there is something of yours to undo first (marks, a filter).
 * - To show the subject on another screen set reply->go and reply->go_to after putting the subject into the
 *   session; the screen there is made or found again and recomputed. Going back recomputes only what
 *   reply->changed made stale.
 * - What people choose on your screen beside the session must survive `--open KEY`: write it in `keep`, choose it again in
 *   `take`.
 * - Tests: create, recompute, draw on a canvas, compare canvas_dump_text() and canvas_dump_roles() with
 *   files, at 80 × 24, 100 × 30, 40 × 12, in full and ascii. chrome_draw() draws the whole screen as the
 *   terminal shows it.
 */
#ifndef STUTTERSCOPE_VIEW_SCREEN_H
#define STUTTERSCOPE_VIEW_SCREEN_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/progress.h"
#include "stutterscope/ticket/post.h"
#include "stutterscope/view/action.h"
#include "stutterscope/view/canvas.h"
#include "stutterscope/view/line.h"
#include "stutterscope/view/view_words.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What all screens share: the store and what is chosen in it. Its members belong to the screens, not to the
 * loop. */
struct session;
struct screen;

struct screen_event {
    enum action action;
    int argument;     /* ACTION_GO: 1 … 8; moves: how many (1, or 3 from the wheel); ACTION_CLICK: 1 or 2 */
    const char *text; /* ACTION_TYPE: clean UTF-8, never NULL there */
    int row, column;  /* ACTION_CLICK: on the canvas */
    struct area area; /* what draw got last: the body, or for overlays the whole canvas */
};

/*
 * What shall happen. All zero: only draw again. Pointers are handed over to the loop (free()). A reply given
 * in the callback of an overlay speaks for the screen below it: `recompute`, `go`, `edit` and `run` are about
 * that screen, only `close` is about the overlay itself (and is set already when a prompt or menu calls
 * back).
 */
struct screen_reply {
    char message[400];      /* into the status line until the next key; "" leaves the screen's own status */
    unsigned message_style; /* 0: ROLE_STATUS; ROLE_ERROR for failures */
    bool recompute;         /* this screen must ask the model again */
    bool changed; /* the store or the session was changed: all other screens must, when they are seen */
    bool close;   /* this screen is done: back to the one below (the last one: the program ends) */
    bool quit;
    bool go; /* show the session's subject on the screen `go_to` */
    enum screen_kind go_to;
    struct screen *open;      /* an overlay to lie on top */
    char *copy;               /* to the clipboard */
    char *write, *write_name; /* to a file: asks for the name, proposing write_name */
    char *edit;               /* into the user's editor; the result comes to `edited` */
    struct screen_post *post; /* a ticket to the tracker; the result comes to `posted` */
    char **run; /* a program in the foreground: argv, NULL at the end, each allocated; then `ran` */
};

/* A ticket on its way to the tracker. */
struct screen_post {
    char *command;
    struct ticket ticket;
};
void screen_post_free(struct screen_post *post); /* NULL is fine */

/* Message with a format. ROLE_STATUS; the second is for failures. */
__attribute__((format(printf, 2, 3))) void reply_say(struct screen_reply *reply, const char *format, ...);
__attribute__((format(printf, 2, 3))) void reply_fail(struct screen_reply *reply, const char *format, ...);
/* Releases what was not handed over to anybody. */
void reply_clear(struct screen_reply *reply);

/* A hint of the footer: "hjkl move". */
struct hint {
    enum action actions[4]; /* their first keys are written together; ACTION_NONE ends */
    const char *label;      /* NULL: the label of the action table */
};

struct screen_progress {
    char what[120];
    int64_t done, total; /* total 0: not known */
};

enum screen_work { WORK_NONE, WORK_MORE, WORK_DONE };

/* A picture that the terminal draws itself, over the cells that were left blank for it. */
struct screen_image {
    int row, column;
    const char *bytes; /* valid until the next draw */
    size_t size;
    unsigned version;  /* another one: what is on the glass is old; never 0 */
    bool is_layer;     /* taken away by its own sequence, not by drawing over it */
};

struct screen_type {
    enum screen_kind kind; /* SCREEN_NONE for overlays */
    const char *name;
    bool overlay;    /* drawn over what is below, and gets every action first */
    bool only_reads; /* an overlay whose actions change nothing that is drawn below it, unless a reply says so */
    bool covers;     /* an overlay that leaves nothing of the body below to be seen */
    bool takes_text; /* characters are text, not keys */

    void *(*create)(struct session *session); /* NULL for overlays, whose functions make the state */
    void (*destroy)(void *state);
    /* false: the error is shown in place of the body until a recompute succeeds. May be NULL. */
    bool (*recompute)(void *state, const struct progress *progress, struct error *error);
    void (*draw)(const void *state, struct canvas *canvas, struct area area);
    bool (*image)(const void *state, struct area whole, struct screen_image *ret); /* overlays, after draw; may be NULL */

    /* Lines of the chrome, empty at the call. Not for overlays, but for the hints; may be NULL. */
    void (*where)(const void *state, struct line *line);
    void (*answer)(const void *state, struct line *line);
    void (*status)(const void *state, struct line *line);
    /* Most used first, at most 7, ended by {{ACTION_NONE}}; "? help" is added. Overlays: only what works there, no help. */
    const struct hint *hints;

    /* false: nothing of mine. */
    bool (*act)(void *state, const struct screen_event *event, struct screen_reply *reply);
    void (*edited)(void *state, const char *text,
                   struct screen_reply *reply);                       /* text NULL: the editor failed */
    void (*ran)(void *state, int status, struct screen_reply *reply); /* exit status, 128 + signal, -1 */

    /* What the post command printed, and why it failed (NULL: it did not). */
    void (*posted)(void *state, const struct ticket_post *post, const char *failure, struct screen_reply *reply);

    /* A step of pending work, at most 50 ms; WORK_NONE when there is none, WORK_DONE after its last step.
     * Asked after every action of the topmost screen, so it must be quick to say WORK_NONE. */
    enum screen_work (*work)(void *state, struct screen_progress *ret, struct error *error);
    void (*stop_work)(void *state); /* the user wants no more of it: WORK_NONE from now on */

    /*
     * What is chosen here beside the session (order, zoom, cursor …), as words of a place, and how it is chosen again:
     * `take` is called before the first recompute (filled false: for what recompute looks at) and after it (for cursors).
     * Words are somebody's text: what cannot be is left out. Both may be NULL. What is as at the start needs no word.
     */
    void (*keep)(const void *state, struct view_words *words);
    void (*take)(void *state, const struct view_words *words, bool filled);
};

struct screen {
    const struct screen_type *type;
    void *state;
    bool computed; /* recompute was run since the last change */
    char *failure; /* why not, NULL when nothing failed */
    struct view_words opened; /* for `take` after the first recompute */
};

/* Takes the state over; screen_create() asks type->create. */
struct screen *screen_wrap(const struct screen_type *type, void *state);
struct screen *screen_create(const struct screen_type *type, struct session *session);
void screen_destroy(struct screen *screen);
/* Runs recompute and notes the failure for drawing; false when it failed or was stopped. */
bool screen_recompute(struct screen *screen, const struct progress *progress, struct error *error);

struct screen_handler {
    enum action action;
    void (*handle)(void *state, const struct screen_event *event, struct screen_reply *reply);
};
/* Calls the handler of the event's action; false when the table (ended by ACTION_NONE) has none. */
bool screen_dispatch(const struct screen_handler *handlers, void *state, const struct screen_event *event,
                     struct screen_reply *reply);

#endif
