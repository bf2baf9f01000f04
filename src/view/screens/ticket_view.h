/*
 * What the files of the Ticket screen share: the members, the text, and what was checked about it.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_TICKET_VIEW_H
#define STUTTERSCOPE_VIEW_SCREENS_TICKET_VIEW_H

#include "stutterscope/base/settings.h"
#include "stutterscope/model/comparison.h"
#include "stutterscope/ticket/ticket.h"
#include "stutterscope/view/pager.h"
#include "stutterscope/view/screens.h"
#include "stutterscope/view/session.h"

struct ticket_member {
    char *id, *title; /* "Galaxy S23 Ultra High  92.4 ms" */
    bool in;
};

struct ticket_check {
    bool good;
    char *text;
};

struct ticket_view {
    struct session *session;
    bool has_entry;
    struct stutter_entry
        entry; /* the stutter that members were gathered around; a copy without its devices */
    struct {
        struct ticket_member *items;
        size_t count, capacity;
    } members;
    char *gathered; /* what members were gathered for: choices stay while that is the same */
    struct ticket_templates templates;
    size_t template; /* of the templates */
    struct settings *settings; /* of the user */
    struct ticket ticket;
    char *payload; /* pretty JSON */
    char *trouble; /* why there is no text; NULL */
    bool edited;   /* the session's draft is shown */
    size_t units;  /* length of what is shown, as the tracker counts */
    struct {
        struct ticket_check *items;
        size_t count, capacity;
    } checks;
    struct pager pager; /* the lines and where they are scrolled to */
};

/* ---- ticket_compose.c ---- */

bool ticket_compose(struct ticket_view *view, struct error *error);
void ticket_clear(struct ticket_view *view);
/* Writes the text again after members or the template were changed. */
void ticket_rewrite(struct ticket_view *view);
size_t ticket_members_in(const struct ticket_view *view);
const char *ticket_shown_text(const struct ticket_view *view); /* "" when there is none */
const char *ticket_template_name(const struct ticket_view *view);
/* The ids of the members, joined: what a draft belongs to. A new string. */
char *ticket_draft_key(const struct ticket_view *view);
/* ---- ticket_checks.c ---- */

struct json;
void ticket_check(struct ticket_view *view, const struct json *payload);
size_t ticket_warnings(const struct ticket_view *view);
/* ---- ticket_post.c ---- */

/* Asks whether to file the ticket with the command of the settings; false when there is none, or no text. */
bool ticket_ask_to_post(struct ticket_view *view, struct screen_reply *reply);
void ticket_posted(void *state, const struct ticket_post *post, const char *failure, struct screen_reply *reply);
/* A decide_find: what the ticket is about; owner is the view. */
void ticket_find_members(void *owner, struct session *session);
/* ---- ticket_draw.c, ticket_act.c ---- */


void ticket_draw(const void *state, struct canvas *canvas, struct area area);
int ticket_page(struct area body);
bool ticket_act(void *state, const struct screen_event *event, struct screen_reply *reply);
void ticket_edited(void *state, const char *text, struct screen_reply *reply);

#endif
