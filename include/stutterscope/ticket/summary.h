/*
 * A paragraph that a program of the user writes about a ticket: it gets the payload as JSON and answers with
 * text. It is an estimate whatever it says, and every number in it that the payload does not have is marked.
 */
#ifndef STUTTERSCOPE_TICKET_SUMMARY_H
#define STUTTERSCOPE_TICKET_SUMMARY_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/json.h"
#include "stutterscope/base/progress.h"

enum {
    SUMMARY_SECONDS = 20,     /* how long the command may take, unless the settings say otherwise */
    SUMMARY_MOST_BYTES = 4000 /* how long its answer may be */
};

#define SUMMARY_MARK "(?)"

/*
 * The answer of the command as one line of text, with SUMMARY_MARK behind every number that is not in the
 * payload. The command is split into words as sh quotes them and started without a shell. NULL with an error
 * when it fails, takes longer than `seconds`, writes too much or nothing: a ticket is written without it
 * then.
 */
char *summary_run(const char *command, int seconds, const struct json *payload,
                  const struct progress *progress, struct error *error);

/*
 * The text with the mark behind every number that does not occur in the payload, compared after rounding to
 * the digits written; the sign does not count, and 80 % may be 0.8. Numbers that are part of a name of the
 * payload
 * ("Galaxy S23", "1.8.0(421)", "P99") are fine there. Whole numbers below 10 and years (1900 to 2100) are not
 * checked. A new string; *ret_marked: how many.
 */
char *summary_mark_numbers(const char *text, const struct json *payload, size_t *ret_marked);

#endif
