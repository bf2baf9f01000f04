#include "stutterscope/ticket/ticket.h"

#include "data.h"
#include "source.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/payload.h"
#include "stutterscope/ticket/regressions.h"
#include "stutterscope/ticket/verification.h"
#include <stdlib.h>
#include <string.h>

enum { MEMBERS_SHOWN = 10 };
static const char *const titles[TICKET_KIND_COUNT] = {"{{>title}}", "{{>regressions_title}}",
                                                      "{{>verification_title}}"};

const struct ticket_format *ticket_formats(size_t *ret_count)
{
    static const struct ticket_format formats[] = {
        {"github", "GitHub Markdown", ESCAPE_MARKDOWN, 65536, 255},
        {"gitlab", "GitLab Markdown", ESCAPE_MARKDOWN, 1000000, 255},
        {"jira", "Jira wiki markup", ESCAPE_JIRA, 32767, 255},
        {"plain", "plain text, Redmine", ESCAPE_NONE, 65535, 255},
    };

    *ret_count = sizeof formats / sizeof *formats;
    return formats;
}

bool ticket_kind_of(const char *schema, enum ticket_kind *ret)
{
    static const char *const schemas[TICKET_KIND_COUNT] = {PAYLOAD_SCHEMA, REGRESSIONS_SCHEMA,
                                                           VERIFICATION_SCHEMA};

    for (int kind = 0; kind < TICKET_KIND_COUNT; kind++)
        if (strcmp(schema, schemas[kind]) == 0) {
            *ret = (enum ticket_kind)kind;
            return true;
        }
    return false;
}

/* From everything to what a ticket cannot do without; first the payload is shortened, then what people read.
 */
static const struct data_limits levels[] = {
    {SIZE_MAX, 5, 5, 20, 0, EMBED_WHOLE}, {SIZE_MAX, 5, 5, 20, 0, EMBED_LEAN},
    {SIZE_MAX, 5, 5, 20, 0, EMBED_CORE},  {SIZE_MAX, 3, 3, 5, 0, EMBED_CORE},
    {5, 3, 3, 5, 0, EMBED_CORE},          {3, 1, 2, 3, 0, EMBED_SHOWN},
    {1, 1, 1, 1, 0, EMBED_SHOWN},         {1, 1, 1, 1, 120, EMBED_SHOWN},
    {1, 0, 0, 0, 40, EMBED_NOT},
};
enum { LEVELS = sizeof levels / sizeof *levels };

static bool is_payload(const struct json *payload, enum ticket_kind *ret, struct error *error)
{
    static const char *const lists[TICKET_KIND_COUNT] = {"stutters", "stutters", "members"};
    const char *schema = json_text(json_member(payload, "schema"));
    const struct json *list;

    if (!schema || !ticket_kind_of(schema, ret))
        return error_set(error, ERROR_INPUT,
                         "expected a ticket payload (\"schema\": \"%s\"), found something else",
                         PAYLOAD_SCHEMA);
    list = json_member(payload, lists[*ret]);
    if (json_kind(list) != JSON_ARRAY || (*ret != TICKET_REGRESSIONS && !json_first(list)))
        return error_set(error, ERROR_INPUT, "expected a ticket payload with %s, found one without",
                         lists[*ret]);
    if (json_is_true(json_member(payload, "shortened")))
        return error_set(
            error, ERROR_INPUT,
            "this payload was shortened to fit into a ticket: a later build can be compared with it, "
            "but no ticket can be written from it");
    return true;
}

static char *render(struct ticket_source *source, const char *name, const char *text, const struct json *data,
                    enum escape_kind escape, struct error *error)
{
    struct template_partials partials = layout_partials(source);
    struct template *template = template_parse(name, text, strlen(text), error);
    char *result = template ? template_render(template, data, escape, &partials, error) : NULL;

    template_destroy(template);
    return result;
}

/* One line, and not longer than titles may be. */
static char *cut_title(char *title, size_t limit)
{
    char *clean = text_clean(title, strlen(title));

    free(title);
    for (size_t columns = limit; text_units(clean) > limit && columns > 1; columns -= columns / 8 + 1) {
        char *cut = text_cut_end(clean, columns, "…");

        free(clean);
        clean = cut;
    }
    return clean;
}

/* Tags that are alone in their line leave no blank lines; at the ends there are none, either. */
static char *trim_body(char *text)
{
    size_t start = strspn(text, "\n"), end = strlen(text);
    char *trimmed;

    while (end > start && strchr(" \n", text[end - 1]))
        end--;
    trimmed = memory_print("%.*s\n", (int)(end - start), text + start);
    free(text);
    return trimmed;
}

static struct data_limits limits_of(const struct ticket_options *options, size_t level)
{
    struct data_limits limits = levels[level];
    size_t members = options->members ? options->members : MEMBERS_SHOWN;

    if (limits.members > members)
        limits.members = members;
    return limits;
}

/*
 * Title and body as one text. In Markdown the fixed words of the title stay as they are, as in the body; Jira
 * would take its brackets for a link, so there the whole title is escaped.
 */
static char *join(struct ticket_source *source, const char *title, const struct ticket *ticket,
                  const struct json *data, struct error *error)
{
    enum escape_kind escape = source->format->escape;
    char *heading = escape == ESCAPE_MARKDOWN ? render(source, "title", title, data, escape, error)
                                              : memory_copy_text(ticket->title);
    struct text_buffer text = {0};

    if (!heading)
        return NULL;
    text_add(&text, escape == ESCAPE_JIRA ? "h1. " : escape == ESCAPE_MARKDOWN ? "# " : "");
    if (escape == ESCAPE_JIRA)
        escape_add(&text, escape, heading);
    else
        text_add(&text, heading);
    text_add_print(&text, "\n\n%s", ticket->body);
    free(heading);
    return text_take(&text);
}

static bool render_all(struct ticket_source *source, enum ticket_kind kind, const struct json *data,
                       struct ticket *ret, struct error *error)
{
    ret->format = source->format;
    ret->body = render(source, source->path, source->text, data, source->format->escape, error);
    ret->title = ret->body ? render(source, "title", titles[kind], data, ESCAPE_NONE, error) : NULL;
    if (!ret->title)
        return false;
    ret->title = cut_title(ret->title, source->format->title_limit);
    ret->body = trim_body(ret->body);
    ret->text = join(source, titles[kind], ret, data, error);
    return ret->text != NULL;
}

/* Renders at ever stricter limits until the text fits. */
static bool fill(struct ticket_source *source, struct data_work *work, enum ticket_kind kind,
                 const struct json *payload, struct ticket *ret, struct error *error)
{
    for (size_t level = 0; level < LEVELS; level++) {
        struct json *data;
        bool good;

        work->limits = limits_of(work->options, level);
        data = data_create(work, kind, payload);
        ticket_free(ret);
        good = render_all(source, kind, data, ret, error);
        json_destroy(data);
        if (!good)
            return false;
        ret->length = text_units(ret->text);
        ret->shortened = level > 0;
        if (ret->length <= source->format->body_limit)
            return true;
    }
    return error_set(error, ERROR_INPUT,
                     "%s: the text has %zu characters even with the least evidence, but %s takes %zu",
                     source->path, ret->length, source->format->title, source->format->body_limit);
}

bool ticket_write(const struct json *payload, const struct ticket_options *options, struct ticket *ret,
                  struct error *error)
{
    struct data_work work = {.options = options};
    struct tool_table *tools = NULL;
    struct ticket_source source = {0};
    enum ticket_kind kind;
    bool good;

    memset(ret, 0, sizeof *ret);
    good = is_payload(payload, &kind, error) && layout_open(options, kind, &source, error) &&
           tool_table_read(&tools, error);
    work.tools = tools;
    good = good && fill(&source, &work, kind, payload, ret, error);
    if (!good)
        ticket_free(ret);
    tool_table_destroy(tools);
    layout_close(&source);
    return good;
}

void ticket_free(struct ticket *ticket)
{
    free(ticket->title);
    free(ticket->body);
    free(ticket->text);
    memset(ticket, 0, sizeof *ticket);
}

struct json *ticket_template_data(const struct json *payload, const struct ticket_options *options,
                                  struct error *error)
{
    struct data_work work = {.options = options, .limits = limits_of(options, 0)};
    struct tool_table *tools = NULL;
    struct json *data = NULL;
    enum ticket_kind kind;

    if (is_payload(payload, &kind, error) && tool_table_read(&tools, error)) {
        work.tools = tools;
        data = data_create(&work, kind, payload);
    }
    tool_table_destroy(tools);
    return data;
}
