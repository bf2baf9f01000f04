/*
 * Three nights of six devices, small enough to be worked out by hand, and screens drawn on them.
 *
 * Builds 1.7.9(418), 1.8.0(420), 1.8.0(421); scenes Battle_03, Lobby, Login, Raid_02. Every visit has 400 calm frames of
 * 16.0 … 16.4 ms (60 FPS: budget 16.67, threshold 33.33). Three runs a night unless said. In 421:
 *   Galaxy S23 Ultra  high  1.4  five runs, boss_spawn at Battle_03 92.4 71.0 – 88.2 64.9; before: 31.6, no window
 *   Galaxy Z Flip5    high  1.1  boss_spawn at Battle_03 72.0 in every run of every night
 *   iPhone 15 Pro     high  1.2  shop_open at Lobby 40.0 in one run of three, never before
 *   Galaxy A54        mid   1.2  eight frames of 30.0 a run at Raid_02, 16.4 before
 *   Pixel 6a          mid   0.4  no run
 *   Galaxy A15        low   0.9  20 frames at Login, two runs of three
 */
#ifndef TESTS_VIEW_NIGHT_H
#define TESTS_VIEW_NIGHT_H

#include "stutterscope/view/chrome.h"
#include "stutterscope/view/session.h"

struct night {
    char folder[64], path[96];
    struct session *session;
    struct screen *screen, *overlay;
    struct keymap *keymap;
    struct canvas *canvas;
    struct screen_reply reply; /* of the last night_do(); its overlay is taken over */
};

/* with_runs false: a store in which nothing is. */
struct night night_open(const struct screen_type *type, bool with_runs);
/* The same with a store that somebody else fills; NULL: nothing is in it. */
struct night night_open_with(const struct screen_type *type, void (*fill)(struct store *store));
/* Another session on the same store, at this place; today as there. Close it first. */
struct night night_again(const struct night *night, const char *key);
void night_close(struct night *night);
void night_size(struct night *night, int rows, int columns, enum glyph_set glyphs);
/* Lets the screen (or the overlay on it) do the action, and works out again what asks for that. */
bool night_do(struct night *night, enum action action);
bool night_type(struct night *night, const char *text); /* into a prompt, then Enter */
bool night_click(struct night *night, int row, int column, int times);
/* The whole screen as the terminal shows it; a new string. */
char *night_text(struct night *night);
/* Compares with tests/screens/NAME.txt; with STUTTERSCOPE_UPDATE_SCREENS set it is written instead. */
void night_expect(struct night *night, const char *name);
bool night_shows(struct night *night, const char *text);

#endif
