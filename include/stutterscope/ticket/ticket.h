/*
 * The text of a ticket: a payload poured into a template. A template is a layout for one tracker
 * (github.mustache) with the phrases of one language (languages/en.phrases); people put their own of both
 * into templates/ beside their settings.
 */
#ifndef STUTTERSCOPE_TICKET_TICKET_H
#define STUTTERSCOPE_TICKET_TICKET_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/json.h"
#include "stutterscope/ticket/escape.h"
#include <stddef.h>

/* What a ticket is about. Each kind has a payload schema of its own, and layouts whose names begin with it.
 */
enum ticket_kind {
    TICKET_STUTTERS,     /* one or more stutters: "github" */
    TICKET_REGRESSIONS,  /* what is new, worse, back, gone, missing in a build: "regressions-github" */
    TICKET_VERIFICATION, /* a ticket against a later build: "verification-github" */
    TICKET_KIND_COUNT
};
/* Of a payload, by its "schema". */
bool ticket_kind_of(const char *schema, enum ticket_kind *ret);
const char *ticket_kind_name(enum ticket_kind kind); /* "", "regressions", "verification" */

/* What a tracker takes: its markup and how long texts may be, in UTF-16 units as they count them. */
struct ticket_format {
    const char *name;  /* "github", "gitlab", "jira", "plain" */
    const char *title; /* for people */
    enum escape_kind escape;
    size_t body_limit, title_limit;
};
const struct ticket_format *ticket_formats(size_t *ret_count);

struct ticket_options {
    /*
     * "github-ko": layout and language; "github": the layout, language as below; else the path of
     * a file. NULL: "github".
     */
    const char *template;
    const char *language; /* NULL: that of the template's name, else "en" */
    const char *format;   /* NULL: the one that the template's name begins with or contains, else "github" */
    const char *commit_link; /* "https://…/compare/{from}...{to}"; NULL: commits are text */
    const char *summary;     /* a paragraph that a program wrote: shown as an estimate; NULL */
    size_t members;          /* at most so many stutters (of each verdict) in one ticket; 0: 10 */
    bool without_payload;    /* the text does not carry its payload */
};

struct ticket {
    char *title; /* one line, without markup */
    char *body;  /* ends with a newline */
    char *text;  /* both, the title as a heading */
    const struct ticket_format *format;
    size_t length;  /* of the text, in UTF-16 units */
    bool shortened; /* evidence was left out to stay below the limit */
};

/*
 * Writes the text of a payload of any kind; a template of another kind is exchanged for the one of the same
 * tracker. Long texts lose evidence (of the payload they carry, then stutters, windows, events, devices, at
 * last the middle of long names), never their end; what is left out is counted in the text. False when the
 * payload is none, or the template is not there, malformed or too long even so.
 */
bool ticket_write(const struct json *payload, const struct ticket_options *options, struct ticket *ret,
                  struct error *error);
void ticket_free(struct ticket *ticket);
/*
 * The ticket after somebody changed its text by hand. Its first line is the title: as it was when the line was left
 * alone, else what the line says without its markup. The rest is the body.
 */
void ticket_take_edited(const struct ticket *before, const char *text, struct ticket *ret);

/* A template that --template takes. */
struct ticket_template {
    char *name; /* "github-en" */
    char *path; /* of the layout */
    bool own;   /* in the user's folder */
    enum ticket_kind kind;
};
struct ticket_templates {
    struct ticket_template *items;
    size_t count, capacity;
};
/* By name; the user's own layouts and languages come in, too. */
bool ticket_list_templates(struct ticket_templates *ret, struct error *error);
void ticket_templates_free(struct ticket_templates *templates);
/* The text of the layout as it is in its file; a new string. */
char *ticket_show_template(const char *name, struct error *error);
/*
 * Reports every name in the template (and what it includes) that no ticket fills, with file, line and the
 * name that was probably meant: one line of text each. False when the template cannot be read at all.
 */
bool ticket_check_template(const char *name, void (*report)(void *user, const char *line), void *user,
                           size_t *ret_faults, struct error *error);

/* The names a template can use: those of the payload, as its schema tells them, and those made for templates.
 */
struct ticket_name {
    char *list; /* the section it is found in: "causes", "chart" …; "": of a ticket or a stutter, found
                   everywhere */
    char *name;
    char *help;
    bool made;      /* not in the payload */
    unsigned kinds; /* a bit for every enum ticket_kind that has it: 1 << TICKET_REGRESSIONS … */
};
struct ticket_names {
    struct ticket_name *items;
    size_t count, capacity;
};
bool ticket_list_names(struct ticket_names *ret, struct error *error);
/* "ticket, regressions"; returns the buffer. */
const char *ticket_print_kinds(unsigned kinds, char *buffer, size_t size);
void ticket_names_free(struct ticket_names *names);
/* What templates are filled from: the payload with the values below; the caller destroys it. Mostly for
 * checks. */
struct json *ticket_template_data(const struct json *payload, const struct ticket_options *options,
                                  struct error *error);

#endif
