/*
 * What all screens share: the store's model and what is chosen in it. A screen changes it and says reply->changed; the
 * others ask the model again when they are next seen.
 */
#ifndef STUTTERSCOPE_VIEW_SESSION_H
#define STUTTERSCOPE_VIEW_SESSION_H

#include "stutterscope/model/filter.h"
#include "stutterscope/model/heatmap.h"
#include "stutterscope/model/model.h"
#include "stutterscope/view/display.h"
#include "stutterscope/view/view_words.h"

struct session {
    struct model *model; /* owned */

    /* What is looked at. */
    int64_t build;        /* 0 only when the store has no runs */
    int64_t baseline;     /* chosen for this view (b); 0: the rule */
    enum metric metric;
    int64_t quality;      /* -1: the worst of all */
    bool shows_delta;     /* c: compare with the baseline */
    bool shows_folded;    /* z: transitions, interference, what is not to decide */
    struct filter *filter; /* f: what is not hidden; NULL: everything. Set with session_set_filter() */
    bool as_it_is;        /* results still wait for analysis: screens show what is there and never block on it */

    /* The subject: a cell, a stutter of it, a window of that. 0 and "": not chosen. */
    int64_t device, scene;
    char stutter[192];     /* id of a stutter_entry */
    int64_t run;          /* the run shown on Frames */
    int64_t window;       /* id of the window shown on Frames */

    /* Queue: only this cell when both are set (Enter on a cell with several stutters); wider with `a`. */
    int64_t only_device, only_scene;

    bool analyses_in_steps; /* somebody calls screen_type.work: never block on results that are missing */

    /* As session_open_items() counted last, for badges. */
    size_t to_decide; /* lines of the queue */
    size_t to_verify; /* lines below them */
    bool has_news;      /* imports arrived since the store was read, as session_look_for_news() saw last */
    bool has_snapshots; /* the store has some: without them there is no tab for them */
    size_t silent;    /* devices without upload, or with fewer runs than usual; decided ones, too */

    bool is_linear;         /* what is drawn will be read out: lists in place of maps */
    struct display display; /* of the terminal; depth DEPTH_NONE where nobody said */
    int64_t today_ms; /* for nights without upload; VALUE_UNKNOWN: now */

    /* Line 1 of the terminal; filled by the program on it. */
    struct { char store[160], user[96], clock[16]; } header;

    /* What a prompt was opened for, until it is answered: the action and what it decides on. */
    struct {
        int action; /* enum action */
        bool gone;  /* all of it is gone in this build */
        struct { struct triage_subject *items; size_t count, capacity; } subjects;
    } pending;
    size_t decided; /* decisions made in this session, for the summary */

    /* What the prompt of the filter counts and offers while it is open; view/filtering.c. */
    struct filtering *filtering;

    /* What a place (view/place.h) says of the screen that it opens; taken by the next one of this kind. */
    struct { int kind; struct view_words words; } opened;

    /* Marked stutters (Space), as ids; the ticket is written for these, else for `stutter`. */
    struct { char **items; size_t count, capacity; } marked;
    /* The text of a ticket that somebody edited, and the ids of the stutters it is about; NULL: none. */
    struct { char *key, *text; } draft;
};

/* "" takes it away. false, and nothing changed, when the text is no filter or asks for a name that is not there. */
bool session_set_filter(struct session *session, const char *text, struct error *error);
struct session *session_create(struct model *model); /* takes the model over; build = the newest */
void session_destroy(struct session *session);
/* The entry of session->stutter in the shown build; NULL when there is none (any more). Valid until reload. */
const struct stutter_entry *session_stutter(struct session *session);
void session_choose_stutter(struct session *session, const struct stutter_entry *entry); /* device, scene and stutter; window and run are left to Frames */
bool session_is_marked(const struct session *session, const char *id);
void session_toggle_mark(struct session *session, const char *id);
void session_clear_marks(struct session *session);
/* Older (-1) or newer (1) build with runs; false when there is none. Clears the subject's window and run. */
bool session_step_build(struct session *session, int step);
/*
 * What waits for a decision in the shown build, in the order of the queue (line 3 of the Map, the Queue's badge, Tab).
 * Lines are event x scene; the first entry of a line is its worst.
 */
struct open_item {
    enum { OPEN_STUTTER, OPEN_DRIFT, OPEN_SLOW, OPEN_SILENT, OPEN_PARTIAL } kind;
    int64_t event, scene;     /* event: of stutters; scene: not of devices */
    int64_t device;           /* silent, partial; the worst device of the others */
    enum verdict verdict;
    const struct stutter_entry *worst; /* stutters */
    size_t devices;
};
struct open_items {
    struct open_item *items;
    size_t count, capacity;
};
bool session_open_items(struct session *session, struct open_items *ret, struct error *error); /* caller frees items */

/* The same with everything about it: destroy with findings_destroy(). Sets the counts for the badges, too. */
struct findings;
bool session_findings(struct session *session, struct findings **ret, struct error *error);
/* What of them waits for a decision, appended. */
void session_add_open(const struct findings *findings, struct open_items *ret);

/* Nights on which nothing came in: between uploads, and since the last one. */
struct session_nights {
    size_t between, since;
    int64_t last_day; /* with an upload, for day_print(); VALUE_UNKNOWN */
};
struct line;
bool session_nights(const struct session *session, struct session_nights *ret, struct error *error);
/* " · 2 nights without upload · nothing since 2025-11-26, 3 nights"; `before` stands before each of the two. */
void session_nights_fill(const struct session_nights *nights, const char *before, struct line *line);

/* "Android" of "Android 14", as the device's runs in that build say; NULL: they do not. A new string. */
char *session_system_of(const struct session *session, int64_t build, int64_t device);

/* Sets as_it_is: whether results of this build or of those it is compared with are missing and worked on in steps. */
void session_check_results(struct session *session);
/*
 * Reads the store again (R). Who looked at the newest build looks at the newest afterwards; a build that is gone is
 * replaced by it, too. Everything that was asked of the model before is void.
 */
bool session_reload(struct session *session, struct error *error);
/* The same only if somebody else has written to the store since it was read (a verb of the : prompt, say). */
bool session_follow(struct session *session, struct error *error);
/* Whether there is something to reload for; true when that is new. */
bool session_look_for_news(struct session *session);

#endif
