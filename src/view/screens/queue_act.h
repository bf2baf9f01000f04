/*
 * The handlers of the Queue's actions that are shared by its files.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_QUEUE_ACT_H
#define STUTTERSCOPE_VIEW_SCREENS_QUEUE_ACT_H

#include "queue.h"

/* Moves the cursor, fills the pane, scrolls; rows beyond the last are the last. */
void queue_select(struct queue *queue, size_t row, struct area body);
/* To the next row, in a direction and around the end, for which `fits` holds; false when there is none. */
bool queue_step_to(struct queue *queue, int step, bool (*fits)(const struct queue *queue, size_t row),
                   struct area body);

void queue_find(void *state, const struct screen_event *event, struct screen_reply *reply);
void queue_filter(void *state, const struct screen_event *event, struct screen_reply *reply);
void queue_sort(void *state, const struct screen_event *event, struct screen_reply *reply);
void queue_wider(void *state, const struct screen_event *event, struct screen_reply *reply);
void queue_step_build(void *state, const struct screen_event *event, struct screen_reply *reply);
void queue_step_quality(void *state, const struct screen_event *event, struct screen_reply *reply);
void queue_compare(void *state, const struct screen_event *event, struct screen_reply *reply);
void queue_choose_baseline(void *state, const struct screen_event *event, struct screen_reply *reply);
void queue_why(void *state, const struct screen_event *event, struct screen_reply *reply);
void queue_runs(void *state, const struct screen_event *event, struct screen_reply *reply);
void queue_reload(void *state, const struct screen_event *event, struct screen_reply *reply);
void queue_payload(void *state, const struct screen_event *event, struct screen_reply *reply);

#endif
