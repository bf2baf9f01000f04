#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/template.h"
#include "template_tree.h"
#include <stdlib.h>
#include <string.h>

struct partial {
    char *name, *indentation;
    struct template *template;
};

struct renderer {
    struct text_buffer output;
    enum escape_kind escape;
    const struct template_partials *partials;
    struct {
        struct partial *items;
        size_t count, capacity;
    } read;                                                /* a partial is parsed once per indentation */
    const struct json *contexts[TEMPLATE_DEPTH_LIMIT + 1]; /* innermost last */
    size_t context_count;
    size_t depth; /* of sections and partials */
    size_t steps;
    struct error *error;
};

static bool render_nodes(struct renderer *renderer, const struct template *template, size_t from, size_t to);

static bool take_steps(struct renderer *renderer, const struct template *template, const struct node *node,
                       size_t steps)
{
    renderer->steps += steps;
    if (renderer->steps <= TEMPLATE_STEP_LIMIT)
        return true;
    return error_set(
        renderer->error, ERROR_INPUT,
        "%s:%zu: expected less work than %d steps, found more: do partials or sections repeat each other?",
        template->name, node->line, TEMPLATE_STEP_LIMIT);
}

static bool check_output(struct renderer *renderer, const struct template *template, const struct node *node)
{
    if (renderer->output.count <= TEMPLATE_OUTPUT_LIMIT)
        return true;
    return error_set(renderer->error, ERROR_INPUT, "%s:%zu: expected at most 8 MiB of text, found more",
                     template->name, node->line);
}

static bool enter(struct renderer *renderer, const struct template *template, const struct node *node)
{
    if (renderer->depth < TEMPLATE_DEPTH_LIMIT) {
        renderer->depth++;
        return true;
    }
    return error_set(
        renderer->error, ERROR_INPUT,
        "%s:%zu: expected at most %d sections and partials inside one another, found one more at \"%s\": "
        "does a partial include itself?",
        template->name, node->line, TEMPLATE_DEPTH_LIMIT, node->name);
}

/* The member named by the part of a dotted name up to *end. */
static const struct json *find_part(const struct json *object, const char *part, const char **end)
{
    char name[TEMPLATE_NAME_LIMIT + 1];
    size_t length = strcspn(part, ".");

    *end = part + length;
    if (json_kind(object) != JSON_OBJECT)
        return NULL;
    memcpy(name, part, length);
    name[length] = '\0';
    return json_member(object, name);
}

/* The first part is searched from the innermost context outwards, the others only in what the part before
 * gave. */
static const struct json *find_value(const struct renderer *renderer, const char *name)
{
    const struct json *value = NULL;
    const char *end = name;
    size_t i = renderer->context_count;

    if (strcmp(name, ".") == 0)
        return renderer->contexts[i - 1];
    while (i > 0 && !value)
        value = find_part(renderer->contexts[--i], name, &end);
    while (value && *end == '.')
        value = find_part(value, end + 1, &end);
    return value;
}

static void add_value(struct renderer *renderer, const struct json *value, enum escape_kind escape)
{
    if (json_kind(value) == JSON_TEXT) {
        escape_add(&renderer->output, escape, json_text(value));
    } else if (json_kind(value) != JSON_NULL) {
        char *text = json_print(value);
        escape_add(&renderer->output, escape, text);
        free(text);
    }
}

static bool is_something(const struct json *value)
{
    switch (json_kind(value)) {
    case JSON_NULL:
        return false;
    case JSON_BOOL:
        return json_is_true(value);
    case JSON_TEXT:
        return json_text(value)[0] != '\0';
    case JSON_ARRAY:
        return json_first(value) != NULL;
    default:
        return true;
    }
}

static bool render_section(struct renderer *renderer, const struct template *template, size_t index)
{
    const struct node *node = &template->nodes.items[index];
    const struct json *value = find_value(renderer, node->name);
    bool many = json_kind(value) == JSON_ARRAY, ok = true;

    if (is_something(value) == (node->kind == NODE_INVERTED))
        return true;
    if (!enter(renderer, template, node))
        return false;
    if (node->kind == NODE_INVERTED) {
        ok = render_nodes(renderer, template, index + 1, node->end);
    } else {
        renderer->context_count++;
        for (const struct json *item = many ? json_first(value) : value; item && ok;
             item = many ? json_next(item) : NULL) {
            renderer->contexts[renderer->context_count - 1] = item;
            ok = take_steps(renderer, template, node, 1) &&
                 render_nodes(renderer, template, index + 1, node->end);
        }
        renderer->context_count--;
    }
    renderer->depth--;
    return ok;
}

/* Indents every line but empty ones; NULL when that gets longer than a template may be. */
static char *indent(const char *text, const char *indentation, size_t width)
{
    struct text_buffer result = {0};

    while (*text) {
        size_t line = strcspn(text, "\n");
        size_t end = line + (text[line] == '\n');
        if (strcspn(text, "\r\n") > 0)
            text_add_bytes(&result, indentation, width);
        text_add_bytes(&result, text, end);
        text += end;
        if (result.count > TEMPLATE_TEXT_LIMIT) {
            array_free(&result);
            return NULL;
        }
    }
    return text_take(&result);
}

/* *ret_template is NULL when there is no partial of the name. */
static bool read_partial(struct renderer *renderer, const struct template *template, const struct node *node,
                         const struct template **ret_template)
{
    struct partial partial = {0};
    const char *text;
    char *indented;

    *ret_template = NULL;
    for (size_t i = 0; i < renderer->read.count; i++) {
        const struct partial *known = &renderer->read.items[i];
        if (strcmp(known->name, node->name) == 0 && strlen(known->indentation) == node->length &&
            memcmp(known->indentation, node->text, node->length) == 0) {
            *ret_template = known->template;
            return true;
        }
    }
    text = renderer->partials ? renderer->partials->find(renderer->partials->context, node->name) : NULL;
    if (!text)
        return true;
    indented = indent(text, node->text, node->length);
    if (!indented)
        return error_set(
            renderer->error, ERROR_INPUT,
            "%s:%zu: expected the partial \"%s\" with its indentation to have at most 1 MiB, found more",
            template->name, node->line, node->name);
    if (take_steps(renderer, template, node, strlen(indented)))
        partial.template = template_parse(node->name, indented, strlen(indented), renderer->error);
    free(indented);
    if (!partial.template)
        return false;
    partial.name = memory_copy_text(node->name);
    partial.indentation = memory_copy_bytes(node->text, node->length);
    array_push(&renderer->read, partial);
    *ret_template = partial.template;
    return true;
}

static bool render_partial(struct renderer *renderer, const struct template *template,
                           const struct node *node)
{
    const struct template *partial;
    bool ok;

    if (!enter(renderer, template, node))
        return false;
    ok = read_partial(renderer, template, node, &partial);
    if (ok && partial)
        ok = render_nodes(renderer, partial, 0, partial->nodes.count);
    renderer->depth--;
    return ok;
}

static bool render_nodes(struct renderer *renderer, const struct template *template, size_t from, size_t to)
{
    for (size_t i = from; i < to;) {
        const struct node *node = &template->nodes.items[i];
        bool ok =
            take_steps(renderer, template, node, 1 + (node->kind == NODE_TEXT ? 0 : renderer->context_count));

        if (ok && node->kind == NODE_TEXT)
            text_add_bytes(&renderer->output, node->text, node->length);
        else if (ok && node->kind == NODE_PARTIAL)
            ok = render_partial(renderer, template, node);
        else if (ok && (node->kind == NODE_SECTION || node->kind == NODE_INVERTED))
            ok = render_section(renderer, template, i);
        else if (ok)
            add_value(renderer, find_value(renderer, node->name),
                      node->kind == NODE_RAW ? ESCAPE_NONE : renderer->escape);
        if (!ok || !check_output(renderer, template, node))
            return false;
        i = node->end > i ? node->end : i + 1;
    }
    return true;
}

char *template_render(const struct template *template, const struct json *data, enum escape_kind escape,
                      const struct template_partials *partials, struct error *error)
{
    struct renderer renderer = {
        .escape = escape, .partials = partials, .contexts = {data}, .context_count = 1, .error = error};
    bool ok = render_nodes(&renderer, template, 0, template->nodes.count);

    for (size_t i = 0; i < renderer.read.count; i++) {
        free(renderer.read.items[i].name);
        free(renderer.read.items[i].indentation);
        template_destroy(renderer.read.items[i].template);
    }
    array_free(&renderer.read);
    if (ok)
        return text_take(&renderer.output);
    array_free(&renderer.output);
    return NULL;
}
