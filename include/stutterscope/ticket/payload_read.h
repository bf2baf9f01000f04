/*
 * A ticket's payload out of whatever somebody kept of it: the JSON itself, or the text of a ticket that
 * carries it.
 */
#ifndef STUTTERSCOPE_TICKET_PAYLOAD_READ_H
#define STUTTERSCOPE_TICKET_PAYLOAD_READ_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/json.h"
#include "stutterscope/ticket/ticket.h"

/*
 * The first payload of this kind (TICKET_KIND_COUNT: of any) in the text, wherever it stands in it; line
 * ends, indentation and quote marks (">") around it do not matter. NULL with an error; a payload that was cut
 * is told from a text without any. A shortened one ("shortened": true) has only the fields that a later build
 * is compared with: id, fingerprint, build, device, chip, scene, quality, label, event, peak_frame_ms,
 * windows, runs_hit, runs, occurrence, seen, verdict.
 */
struct json *payload_find(const char *text, size_t size, enum ticket_kind kind, struct error *error);
/* The same from a file; "-": standard input. Errors name the file. */
struct json *payload_read(const char *path, enum ticket_kind kind, struct error *error);

#endif
