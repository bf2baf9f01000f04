/*
 * What the files that write the payload share.
 */
#ifndef STUTTERSCOPE_TICKET_PAYLOAD_PARTS_H
#define STUTTERSCOPE_TICKET_PAYLOAD_PARTS_H

#include "stutterscope/model/comparison.h"
#include "stutterscope/model/detail.h"
#include "stutterscope/ticket/payload.h"

struct payload_work {
    struct model *model;
    struct run_detail *detail; /* of the run asked for last: stutters of one run come one after another */
    struct error *error;
};

/* One member: an object with all fields of a stutter; NULL with an error. */
struct json *payload_stutter(struct payload_work *work, const struct stutter_entry *entry);

/* Adds the fields that need the frames around the window, null without one (window NULL). */
bool payload_put_surroundings(struct payload_work *work, struct json *object,
                              const struct stutter_window *window);

/* Adds causes[] and not_causes[]. */
void payload_put_causes(struct json *object, const struct stutter_window *window);

/* Adds build, commit, ci_run, built_at. */
void payload_put_build(struct model *model, struct json *object, int64_t build);
/* The command that opens this stutter (NULL: the store) again, quoted for sh. */
struct json *payload_reopen(struct model *model, const char *id);
/* The settings of the analysis that are not the defaults, by name. */
struct json *payload_settings(const struct model *model);

void payload_add_text(struct json *object, const char *name, const char *text); /* cleaned */
void payload_add_ms(struct json *object, const char *name, int64_t ns);
/* "184233-185010ms": start rounded down, end up. */
struct json *payload_window_text(const struct stutter_window *window);

#endif
