/*
 * Screens on the sample telemetry, driven by keys as people type them, compared with files that somebody has
 * read: tests/screens/NAME.txt. With STUTTERSCOPE_UPDATE=1 the files are written instead.
 */
#ifndef STUTTERSCOPE_TESTS_SCREENS_GOLDEN_H
#define STUTTERSCOPE_TESTS_SCREENS_GOLDEN_H

#include "stutterscope/view/chrome.h"
#include "stutterscope/view/screens.h"
#include "stutterscope/view/session.h"

/* A screen with the overlays on it, without a terminal or a loop. */
struct desk {
    struct session *session;
    struct keymap *keymap;
    struct canvas *canvas;
    struct screen *stack[4]; /* the screen, then overlays */
    int top;
    char message[400];
    enum screen_kind went_to;                           /* SCREEN_COUNT: nowhere */
    char *copied, *written, *write_name, *edited, *ran; /* what the last keys handed out; NULL */
    char *own;                                          /* path of its own store; NULL */
    bool refused;                                       /* the last key did nothing here */
};

/* The newest build of the sample, analysed; SCREEN_NONE: a store without anything. */
struct desk *desk_open(const struct screen_type *type, int columns, int rows, enum glyph_set glyphs);
/* The same on a store of the test's own. */
struct desk *desk_open_store(const char *path, const struct screen_type *type, int columns, int rows, enum glyph_set glyphs);
struct desk *desk_open_empty(const struct screen_type *type, int columns, int rows);
/* The same with a store of its own, that may be decided in. */
struct desk *desk_open_own(const struct screen_type *type, int columns, int rows);
/* Another screen of the same session in its place. */
void desk_show(struct desk *desk, const struct screen_type *type);
void desk_close(struct desk *desk);
void desk_resize(struct desk *desk, int columns, int rows);
/* Keys as keymaps name them, separated by blanks; while text is asked for, words that are no keys are typed.
 */
void desk_press(struct desk *desk, const char *keys);
void desk_draw(struct desk *desk);
/* The canvas as text; a new string. */
char *desk_text(struct desk *desk);
/* Draws and compares with tests/screens/NAME.txt; with_roles: the map of roles stands below the text. */
void desk_check(struct desk *desk, const char *name, bool with_roles);
/* The same with a text that the test puts together. */
void desk_check_text(const char *name, const char *text);
/* Row of the canvas that contains the text, -1; column (in cells) in *ret_column, which may be NULL. */
int desk_find(struct desk *desk, const char *text, int *ret_column);

#endif
