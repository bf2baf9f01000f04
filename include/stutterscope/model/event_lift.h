/*
 * Which events of a scene are followed by stutter windows more often than the scene is anyway: the pointer to where to
 * look, with its counts. Read from the runs when somebody asks; nothing of it is kept.
 */
#ifndef STUTTERSCOPE_MODEL_EVENT_LIFT_H
#define STUTTERSCOPE_MODEL_EVENT_LIFT_H

#include "stutterscope/analysis/lift.h"
#include "stutterscope/model/model.h"

#define EVENT_LIFT_WITHIN_NS (2 * NS_PER_S) /* as far as the event rule reaches back */

struct event_lift_row {
    struct group_key key;
    int64_t event;
    int64_t runs; /* of the group, those that can show windows */
    struct lift lift;
};
struct event_lift {
    struct event_lift_row *items; /* group by group; in a group those that stand out first, then by lift */
    size_t count, capacity;
    int64_t within_ns;
    size_t groups, outstanding;
    char *answer; /* "boss_spawn stands out: 9 of 11 followed within 2 s, 0.6 expected"; "no event stands out" … */
};
struct event_lift_request {
    int64_t build;                  /* 0: the newest */
    int64_t device, scene, quality; /* 0, 0, -1: all */
    int64_t within_ns;              /* 0: EVENT_LIFT_WITHIN_NS */
    bool as_it_is;                  /* nothing is analysed for it */
};
/* Windows, events and time of gameplay in runs that can show windows; events of the pause, interference and loading lists
 * are left out. */
bool model_event_lift(struct model *model, const struct event_lift_request *request, struct event_lift *ret, struct error *error);
void event_lift_free(struct event_lift *lift);

#endif
