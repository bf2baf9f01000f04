/*
 * What the user's configuration says about tickets, its section [ticket]: which template and language a
 * project writes, and the commands that add to a ticket and file it. Commands come from there and the command
 * line only, never from a store.
 */
#ifndef STUTTERSCOPE_TICKET_CONFIG_H
#define STUTTERSCOPE_TICKET_CONFIG_H

#include "stutterscope/base/settings.h"
#include "stutterscope/ticket/ticket.h"

/* Texts belong to the settings; NULL: not set. */
struct ticket_config {
    const char *template, *language, *format, *commit_link;
    const char *summary_command;
    int summary_seconds;
    const char *post;
    int members; /* 0: not set */
    bool without_payload;
};
/* Errors name the setting. */
bool ticket_config_read(const struct settings *settings, struct ticket_config *ret, struct error *error);
/* The same for writing; the summary is left to the caller. */
struct ticket_options ticket_config_options(const struct ticket_config *config);

/* The settings there are, for documents: name and help; ends with a NULL name. */
struct ticket_setting {
    const char *name, *argument, *help;
};
extern const struct ticket_setting ticket_settings[];

#endif
