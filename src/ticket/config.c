#include "stutterscope/ticket/config.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/ticket/summary.h"
#include <stdlib.h>
#include <string.h>

const struct ticket_setting ticket_settings[] = {
    {"template", "NAME|FILE", "the template, such as jira-ko; github unless said"},
    {"language", "CODE", "the language, over that of the template's name"},
    {"format", "NAME", "github, gitlab, jira or plain: how values of an own template are escaped"},
    {"commit_link", "ADDRESS", "address of a range of commits with {from} and {to} in it"},
    {"members", "N", "at most so many stutters are shown in one ticket (10)"},
    {"payload", "on|off", "whether tickets carry their figures for verify (on)"},
    {"summary_command", "COMMAND",
     "a program that gets the payload as JSON and answers with a paragraph; none unless said"},
    {"summary_seconds", "N", "how long it may take (20)"},
    {"post", "COMMAND", "a program that files the ticket, such as gh issue create --title {title} -F -"},
    {NULL, NULL, NULL},
};

static bool get_count(const struct settings *settings, const char *name, int most, int *ret,
                      struct error *error)
{
    char *full = memory_print("ticket.%s", name);
    const char *text = settings_get(settings, full, NULL);
    int64_t value;
    bool good = true;

    free(full);
    if (!text)
        return true;
    good =
        number_parse_scaled(text, strlen(text), 1, false, &value) == NUMBER_OK && value >= 1 && value <= most;
    if (!good)
        return error_set(error, ERROR_USAGE,
                         "[ticket] %s: expected a whole number from 1 to %d, found \"%s\"", name, most, text);
    *ret = (int)value;
    return true;
}

static const char *get(const struct settings *settings, const char *name)
{
    const char *value = settings_get(settings, name, NULL);

    return value && *value ? value : NULL;
}

bool ticket_config_read(const struct settings *settings, struct ticket_config *ret, struct error *error)
{
    enum { MOST_SECONDS = 600, MOST_MEMBERS = 1000 };
    const char *payload = settings_get(settings, "ticket.payload", "on");

    *ret = (struct ticket_config){
        .template = get(settings, "ticket.template"),
        .language = get(settings, "ticket.language"),
        .format = get(settings, "ticket.format"),
        .commit_link = get(settings, "ticket.commit_link"),
        .summary_command = get(settings, "ticket.summary_command"),
        .summary_seconds = SUMMARY_SECONDS,
        .post = get(settings, "ticket.post"),
        .without_payload = strcmp(payload, "off") == 0,
    };
    if (strcmp(payload, "on") != 0 && strcmp(payload, "off") != 0)
        return error_set(error, ERROR_USAGE, "[ticket] payload: expected on or off, found \"%s\"", payload);
    return get_count(settings, "summary_seconds", MOST_SECONDS, &ret->summary_seconds, error) &&
           get_count(settings, "members", MOST_MEMBERS, &ret->members, error);
}

struct ticket_options ticket_config_options(const struct ticket_config *config)
{
    return (struct ticket_options){
        .template = config->template,
        .language = config->language,
        .format = config->format,
        .commit_link = config->commit_link,
        .members = (size_t)config->members,
        .without_payload = config->without_payload,
    };
}
