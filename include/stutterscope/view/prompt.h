/*
 * Asking for one line, in the status line. An overlay that calls its owner back; the owner is the state of
 * the screen below, which lives at least as long.
 */
#ifndef STUTTERSCOPE_VIEW_PROMPT_H
#define STUTTERSCOPE_VIEW_PROMPT_H

#include "stutterscope/view/screen.h"

/* What the row below the prompt says about the text, and which bytes of it are wrong. */
struct prompt_note {
    char text[300];
    bool fault;
    size_t fault_at, fault_length;
};

struct prompt_options {
    const char *label; /* "filter", copied; ": " is added */
    const char *text;  /* what is there at first; NULL: nothing */
    void *owner;
    void (*accept)(void *owner, const char *text,
                   struct screen_reply *reply); /* Enter; reply->close is set: clear it to keep the prompt open */
    void (*change)(void *owner, const char *text,
                   struct screen_reply *reply);              /* after every change; may be NULL */
    void (*cancel)(void *owner, struct screen_reply *reply); /* Esc; may be NULL */
    /* The index-th text that `text` could become, false when there are no more; for Tab. May be NULL. */
    bool (*complete)(void *owner, const char *text, size_t index, char *buffer, size_t size);
    /* Earlier lines, newest first, for the up key; NULL-terminated, copied. May be NULL. */
    const char *const *history;
    /* Asked after every change, and at first. May be NULL. */
    void (*note)(void *owner, const char *text, struct prompt_note *ret);
};

struct screen *prompt_open(const struct prompt_options *options);
/* Yes or no with a question: accept is called with "y" only. */
struct screen *prompt_open_question(const char *question, void *owner,
                                    void (*accept)(void *owner, const char *text,
                                                   struct screen_reply *reply));

#endif
