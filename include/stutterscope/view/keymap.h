/*
 * Which key is which action: the defaults of the action table, changed by the configuration.
 */
#ifndef STUTTERSCOPE_VIEW_KEYMAP_H
#define STUTTERSCOPE_VIEW_KEYMAP_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/settings.h"
#include "stutterscope/view/action.h"
#include "stutterscope/view/key.h"

struct keymap;

struct keymap *keymap_create(void);
void keymap_destroy(struct keymap *keymap);
/*
 * Takes "keys.ACTION = KEY KEY …" from the settings. A key that is given to an action leaves the one it had
 * by default. false with a text naming the setting when a key is unknown or two settings claim the same one.
 */
bool keymap_configure(struct keymap *keymap, const struct settings *settings, struct error *error);

struct keymap_match {
    enum action action; /* ACTION_NONE: not bound */
    int argument;       /* 1 …: which of the action's keys it was (ACTION_GO: the number of the screen) */
    bool input_method;  /* it arrived as a Hangul letter of the two-set keyboard */
};
/* A lone two-set Hangul letter counts as the key it stands on; the caller refuses it where the action
 * decides. */
struct keymap_match keymap_find(const struct keymap *keymap, key_code key);
/* While text is typed: only editing keys have actions, everything printable is text (ACTION_TYPE). */
enum action keymap_find_editing(const struct keymap *keymap, key_code key);
/* The latin key under a Hangul compatibility letter (ㅓ: j), 0 for everything else. */
key_code keymap_from_hangul(key_code key);

/* All keys of an action as hints show them, joined with blanks; the first only. "" when it has none. */
char *keymap_print_all(const struct keymap *keymap, enum action action, char *buffer, size_t size);
char *keymap_print_first(const struct keymap *keymap, enum action action, char *buffer, size_t size);

#endif
