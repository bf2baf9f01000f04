/*
 * What a person can do, in one table: action, default keys, name, group, wording per screen. Dispatch,
 * footer, help screen and manual page all come from this table, so they cannot differ.
 */
#ifndef STUTTERSCOPE_VIEW_ACTION_H
#define STUTTERSCOPE_VIEW_ACTION_H

#include <stdbool.h>

/* The screens in the order of their digits, 1 … 8; overlays (prompt, menu, help) lie over one of them. */
enum screen_kind {
    SCREEN_MAP,
    SCREEN_QUEUE,
    SCREEN_FRAMES,
    SCREEN_TREND,
    SCREEN_COVER,
    SCREEN_TICKET,
    SCREEN_TUNE,
    SCREEN_MEMORY,
    SCREEN_COUNT,
    SCREEN_NONE = SCREEN_COUNT
};

const char *screen_kind_name(enum screen_kind kind); /* "Map", … */

enum action {
    ACTION_NONE,
    ACTION_GO, /* argument 1 … 8: the same thing on that screen */
    ACTION_LEFT,
    ACTION_DOWN,
    ACTION_UP,
    ACTION_RIGHT,
    ACTION_FIRST,
    ACTION_LAST,
    ACTION_HALF_DOWN,
    ACTION_HALF_UP,
    ACTION_PAGE_DOWN,
    ACTION_PAGE_UP,
    ACTION_ENTER,
    ACTION_BACK,
    ACTION_CLOSE,
    ACTION_INTERRUPT,
    ACTION_NEXT_OPEN, /* next, previous thing to decide */
    ACTION_PREVIOUS_OPEN,
    ACTION_PREVIOUS_SIBLING,
    ACTION_NEXT_SIBLING,
    ACTION_PREVIOUS_RUN,
    ACTION_NEXT_RUN,
    ACTION_OLDER_BUILD,
    ACTION_NEWER_BUILD,
    ACTION_RANGE_OLDER,
    ACTION_RANGE_NEWER,
    ACTION_MORE,
    ACTION_LESS,
    ACTION_DEFAULT,
    ACTION_FIND,
    ACTION_FIND_NEXT,
    ACTION_FIND_PREVIOUS,
    ACTION_FILTER,
    ACTION_SORT,
    ACTION_WHAT,
    ACTION_QUALITY,
    ACTION_WIDER,
    ACTION_FOLD,
    ACTION_COMPARE,
    ACTION_CHOOSE_BASELINE,
    ACTION_DISTRIBUTION,
    ACTION_WHY,
    ACTION_RUNS,
    ACTION_TYPICAL,
    ACTION_OPEN,
    ACTION_TICKET,
    ACTION_MARK,
    ACTION_EDIT,
    ACTION_WRITE,
    ACTION_COPY,
    ACTION_PAYLOAD,
    ACTION_UNDO,
    ACTION_REDO,
    ACTION_INVESTIGATE,
    ACTION_FILE,
    ACTION_KNOWN,
    ACTION_NOISE,
    ACTION_ENVIRONMENT,
    ACTION_WONT_FIX,
    ACTION_DONE,
    ACTION_UNDECIDED,
    ACTION_ASSIGN,
    ACTION_COMMENT,
    ACTION_VERIFY,
    ACTION_PIN_BASELINE,
    ACTION_SAVE,
    ACTION_RELOAD,
    ACTION_COMMAND,
    ACTION_HELP,
    ACTION_REDRAW,
    ACTION_SUSPEND,
    ACTION_CAPS_LOCK, /* H J K L: says what is wrong, never does anything */
    ACTION_TABLE_COUNT,

    /* While text is typed (screen_type.takes_text); fixed keys. ACTION_ENTER, ACTION_BACK, moves as above. */
    ACTION_TYPE = ACTION_TABLE_COUNT, /* event.text: typed or pasted characters */
    ACTION_ERASE,                     /* the character before the cursor */
    ACTION_ERASE_NEXT,
    ACTION_ERASE_WORD,
    ACTION_ERASE_ALL,
    ACTION_COMPLETE,

    /* From the mouse; the wheel arrives as ACTION_UP, ACTION_DOWN. */
    ACTION_CLICK, /* event.row, event.column; argument 2 for the second click on the same cell */
    ACTION_COUNT
};

enum action_group {
    GROUP_MOVE,
    GROUP_LOOK,
    GROUP_FIND,
    GROUP_TAKE,   /* out of the program: copy, write, open */
    GROUP_DECIDE, /* written to the store, taken back with ACTION_UNDO */
    GROUP_PROGRAM,
    GROUP_COUNT
};

const char *action_group_name(enum action_group group);

struct action_info {
    const char *name; /* for the configuration: "keys.NAME = KEY KEY" */
    const char
        *keys; /* default keys, separated by blanks (view/key.h); the first is the one that hints show */
    const char *label; /* one or two words, for hints */
    const char *help;  /* one sentence, for the help screen and the manual page */
    enum action_group group;
    bool decides; /* writes a decision: never from a key that came through an input method */
    /* What it means on each screen: NULL not there, "" as `help` says. */
    const char *on[SCREEN_COUNT];
};

/* Of a row of the table; ACTION_NONE … ACTION_TABLE_COUNT - 1. */
const struct action_info *action_info(enum action action);
bool action_opens_text(enum action action); /* what it shows lies on the screen and is a part of the view */
/* ACTION_NONE when no action has that name. */
enum action action_by_name(const char *name);
bool action_is_on(enum action action, enum screen_kind kind);
/* Help text on that screen. */
const char *action_help(enum action action, enum screen_kind kind);

#endif
