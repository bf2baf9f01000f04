/*
 * Mustache templates filled from JSON data: variables, sections, inverted sections, comments, partials and
 * changed delimiters, as the official specification has them. Optional parts of it (lambdas, inheritance) are
 * left out.
 */
#ifndef STUTTERSCOPE_TICKET_TEMPLATE_H
#define STUTTERSCOPE_TICKET_TEMPLATE_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/json.h"
#include "stutterscope/ticket/escape.h"
#include <stddef.h>

enum {
    TEMPLATE_TEXT_LIMIT = 1 << 20,   /* bytes of one template or partial, indentation included */
    TEMPLATE_OUTPUT_LIMIT = 8 << 20, /* bytes of a rendered text */
    TEMPLATE_DEPTH_LIMIT = 64,       /* sections and partials inside one another */
    TEMPLATE_NAME_LIMIT = 200,       /* bytes of a name */
    TEMPLATE_STEP_LIMIT = 10 << 20   /* tags rendered, contexts searched and bytes of partials read */
};

struct template;

/* Where partials come from: the text of a name, or NULL (renders as nothing). It must stay valid until the
 * next call. */
struct template_partials {
    const char *(*find)(void *context, const char *name);
    void *context;
};

/*
 * Reads a template; the name is for messages only. NULL with an ERROR_INPUT that names template and line when
 * tags or sections are not closed, names are malformed or a limit is exceeded.
 */
struct template *template_parse(const char *name, const char *text, size_t length, struct error *error);
void template_destroy(struct template *template);

/*
 * Fills the template; a new string, or NULL when a partial is malformed or a limit is exceeded. partials may
 * be NULL.
 * {{x}} is escaped, {{{x}}} and {{&x}} are not. Numbers show as JSON writes them, objects and arrays as JSON,
 * null and unknown names as nothing. Sections are left out for unknown, null, false, "" and empty arrays; 0
 * counts as something. A partial alone on its line has its lines indented like its tag, except empty ones.
 */
char *template_render(const struct template *template, const struct json *data, enum escape_kind escape,
                      const struct template_partials *partials, struct error *error);

enum template_use {
    TEMPLATE_USE_VALUE,
    TEMPLATE_USE_RAW,
    TEMPLATE_USE_SECTION,
    TEMPLATE_USE_INVERTED,
    TEMPLATE_USE_PARTIAL
};

/* One use of a name. All texts are valid during the call of the visitor only. */
struct template_name {
    enum template_use use;
    const char *name;          /* as written: "device.model", "." */
    const char *template_name; /* the template or partial it stands in */
    size_t line;               /* from 1 */
    const char *const
        *sections;        /* names of the sections around it, outermost first, those around its partial too */
    size_t section_count; /* inverted sections are not among them: they do not change where names are found */
};

/*
 * Tells every use of a name in the order of the text, for checking them against the names there are. Partials
 * are followed (NULL: only named), each at most once inside itself. False when a partial is malformed or a
 * limit exceeded.
 */
bool template_visit_names(const struct template *template, const struct template_partials *partials,
                          void (*visit)(void *context, const struct template_name *name), void *context,
                          struct error *error);

#endif
