/*
 * What templates are filled from: the payload, shortened where asked, with values made for people.
 */
#ifndef STUTTERSCOPE_TICKET_DATA_H
#define STUTTERSCOPE_TICKET_DATA_H

#include "embed.h"
#include "stutterscope/ticket/ticket.h"
#include "tools.h"

/* How much of the evidence comes into a ticket. */
struct data_limits {
    size_t members, windows, events, devices; /* items of the lists */
    size_t columns;                           /* of texts; 0: whole */
    enum embed_level embed;                   /* of the payload that the text carries */
};

struct data_work {
    const struct ticket_options *options;
    const struct tool_table *tools;
    struct data_limits limits;
};

/* For a payload of each kind. */
struct json *data_create(const struct data_work *work, enum ticket_kind kind, const struct json *payload);
struct json *data_of_stutters(const struct data_work *work, const struct json *payload);
struct json *data_of_regressions(const struct data_work *work, const struct json *payload);
struct json *data_of_verification(const struct data_work *work, const struct json *payload);

/* "CPU-bound" → "cpu_bound": what words, tables and templates call it. A new string; NULL gives "". */
char *data_key(const char *text);
/* {"cpu_bound": true}, so that templates can ask; null gives an empty object. */
struct json *data_is(const char *text);
/* "device_title": its name, else its model. */
void data_add_title(struct json *object, const struct json *from, size_t columns);
/* A difference with its sign, for texts; null when it is none. */
struct json *data_signed(const struct json *number);
/* How many of `whole` are not among the first `limit`; null for none, so that sections can ask. */
struct json *data_left(double whole, size_t limit);
/* "commit_link", "commit_word", "commits_word" of an object with "commit" and "commit_range". */
void data_add_commits(const struct data_work *work, struct json *object, const struct json *from);
void data_add_reopen(struct json *object, const struct json *from);
void data_add_rounded(struct json *object, const char *name, const struct json *number, int decimals);
/* A "last" for each item, so that commas can stand between them. */
struct json *data_list(const struct json *list, size_t limit, size_t columns,
                       void (*decorate)(struct json *item, const struct json *from));

/* Lists whose items have the same names go by one of them: "events_after" by "events_before". */
const char *data_list_name(const char *list);

/* "window_from_s", "window_to_s" of an object with "stutter_window". */
void data_add_window(struct json *object, const struct json *from);
void data_decorate_event(struct json *item, const struct json *from);
void data_decorate_cause(struct json *item, const struct json *from);
void data_decorate_device(struct json *item, const struct json *from);

#endif
