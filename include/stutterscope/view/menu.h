/*
 * Choosing one of a few things: sort orders, metrics, what to open. An overlay that calls its owner back.
 */
#ifndef STUTTERSCOPE_VIEW_MENU_H
#define STUTTERSCOPE_VIEW_MENU_H

#include "stutterscope/view/screen.h"

struct menu_options {
    const char *title;
    const char *const *items; /* NULL-terminated, copied */
    const char *const *notes; /* beside the items, may be NULL, else as long as items; entries may be NULL */
    int selected;
    void *owner;
    void (*choose)(void *owner, int index, struct screen_reply *reply); /* the menu is closed */
    enum action again; /* this action also takes the selected item (the key that opened the menu);
                          ACTION_NONE: none */
};

struct screen *menu_open(const struct menu_options *options);

#endif
