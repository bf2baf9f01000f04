/*
 * The distribution of a cell against another build (`d`): an overlay with histogram, percentile curve, and
 * the time over limits that people feel.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_DISTRIBUTION_H
#define STUTTERSCOPE_VIEW_SCREENS_DISTRIBUTION_H

#include "stutterscope/model/distribution_detail.h"
#include "stutterscope/view/screen.h"
#include "stutterscope/view/session.h"

/* Opens it for this group against its baseline, or says in the reply why not. */
void distribution_show(struct session *session, const struct group_key *key, struct screen_reply *reply);
/* The same for any two groups, the first against the second; two builds, two devices, two scenes. */
void distribution_compare(struct session *session, const struct group_key *key, const struct group_key *with,
                          struct screen_reply *reply);
/* When exactly two stutters are marked: their groups against each other; false otherwise. */
bool distribution_compare_marked(struct session *session, struct screen_reply *reply);

struct distribution_state {
    char *title, *name, *other_name;            /* of the two sides */
    char *note;                                 /* what has to be known about them; "" */
    struct distribution_detail *detail, *other; /* other: NULL without */
};
/* distribution_json.c */
void distribution_show_json(const struct distribution_state *state, struct screen_reply *reply);
/* distribution_draw.c */
void distribution_draw(const void *state, struct canvas *canvas, struct area whole);

#endif
