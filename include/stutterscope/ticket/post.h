/*
 * Files a ticket with a program of the user: the text goes to its standard input, and what it prints tells
 * how the tracker calls the new ticket.
 */
#ifndef STUTTERSCOPE_TICKET_POST_H
#define STUTTERSCOPE_TICKET_POST_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/progress.h"
#include "stutterscope/ticket/ticket.h"

struct ticket_post {
    char *output;    /* all it printed, cleaned, standard output before standard error; may be "" */
    char *reference; /* an address, "KEY-12" or "#12" in it; NULL: none was found */
};

/*
 * Runs the command, split into words as sh quotes them and started without a shell. "{title}" in a word
 * becomes the title (the text is then only the body), so that a name in it stays a name whatever it is.
 * ret->output is set even when the command fails with a status.
 */
bool ticket_post(const char *command, const struct ticket *ticket, const struct progress *progress,
                 struct ticket_post *ret, struct error *error);
void ticket_post_free(struct ticket_post *post);

/* The last address in the text, else the last KEY-12, else the last #12; a new string, NULL without any. */
char *ticket_find_reference(const char *text);

#endif
