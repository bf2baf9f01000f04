/*
 * What the files share that make the lines of the Queue.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_QUEUE_LINES_H
#define STUTTERSCOPE_VIEW_SCREENS_QUEUE_LINES_H

#include "queue.h"

/* Valid until the next line is added. */
struct queue_line *queue_add_line(struct queue *queue, struct queue_line line);
struct queue_line *queue_find_line(struct queue *queue, enum queue_kind kind, enum frame_label label, int64_t event,
                                   int64_t scene, int64_t device);
/* The scope (Enter on a cell, `a` widens) and the quality. device, scene, quality 0, 0, -1: not asked. */
bool queue_is_in_scope(const struct session *session, int64_t device, int64_t scene, int64_t quality);
enum queue_section queue_section_of(const struct stutter_entry *entry);

struct triage_subject queue_subject_of(const struct stutter_entry *entry);

struct device_ids {
    int64_t *items;
    size_t count, capacity;
};
void queue_note_device(struct device_ids *devices, int64_t device);
char *queue_device_title(const struct session *session, int64_t device); /* new string */
/* "Galaxy S23 Ultra +2"; empties the list. New string. */
char *queue_devices_text(struct session *session, struct device_ids *devices);

/* Adds what is found and to verify, and puts the stutters' lines into the order of what is to decide. */
bool queue_add_findings(struct queue *queue, const struct findings *findings, const struct progress *progress,
                        struct error *error);

#endif
