#include "stutterscope/ticket/template.h"
#include "template_tree.h"
#include <string.h>

struct walk {
    const struct template_partials *partials;
    void (*visit)(void *context, const struct template_name *name);
    void *context;
    const char *sections[TEMPLATE_DEPTH_LIMIT];
    size_t section_count;
    const char *open[TEMPLATE_DEPTH_LIMIT]; /* partials that are being walked */
    size_t open_count;
    size_t steps;
    struct error *error;
};

static bool walk_nodes(struct walk *walk, const struct template *template, size_t from, size_t to);

static bool walk_partial(struct walk *walk, const struct template *template, const struct node *node)
{
    struct template *partial;
    const char *text;
    bool ok;

    for (size_t i = 0; i < walk->open_count; i++)
        if (strcmp(walk->open[i], node->name) == 0)
            return true;
    text = walk->partials ? walk->partials->find(walk->partials->context, node->name) : NULL;
    if (!text)
        return true;
    walk->steps += strlen(text);
    if (walk->open_count == TEMPLATE_DEPTH_LIMIT || walk->steps > TEMPLATE_STEP_LIMIT)
        return error_set(walk->error, ERROR_INPUT,
                         "%s:%zu: expected fewer partials inside one another, found \"%s\"", template->name,
                         node->line, node->name);
    partial = template_parse(node->name, text, strlen(text), walk->error);
    if (!partial)
        return false;
    walk->open[walk->open_count++] = node->name;
    ok = walk_nodes(walk, partial, 0, partial->nodes.count);
    walk->open_count--;
    template_destroy(partial);
    return ok;
}

static bool walk_section(struct walk *walk, const struct template *template, size_t index)
{
    const struct node *node = &template->nodes.items[index];
    bool ok;

    if (node->kind == NODE_INVERTED)
        return walk_nodes(walk, template, index + 1, node->end);
    if (walk->section_count == TEMPLATE_DEPTH_LIMIT)
        return error_set(walk->error, ERROR_INPUT,
                         "%s:%zu: expected at most %d sections inside one another, found \"%s\"",
                         template->name, node->line, TEMPLATE_DEPTH_LIMIT, node->name);
    walk->sections[walk->section_count++] = node->name;
    ok = walk_nodes(walk, template, index + 1, node->end);
    walk->section_count--;
    return ok;
}

static bool walk_nodes(struct walk *walk, const struct template *template, size_t from, size_t to)
{
    static const enum template_use uses[] = {
        [NODE_VALUE] = TEMPLATE_USE_VALUE,     [NODE_RAW] = TEMPLATE_USE_RAW,
        [NODE_SECTION] = TEMPLATE_USE_SECTION, [NODE_INVERTED] = TEMPLATE_USE_INVERTED,
        [NODE_PARTIAL] = TEMPLATE_USE_PARTIAL,
    };

    for (size_t i = from; i < to;) {
        const struct node *node = &template->nodes.items[i];
        bool ok = true;

        if (node->kind != NODE_TEXT)
            walk->visit(walk->context, &(struct template_name){.use = uses[node->kind],
                                                               .name = node->name,
                                                               .template_name = template->name,
                                                               .line = node->line,
                                                               .sections = walk->sections,
                                                               .section_count = walk->section_count});
        if (node->kind == NODE_PARTIAL)
            ok = walk_partial(walk, template, node);
        else if (node->kind == NODE_SECTION || node->kind == NODE_INVERTED)
            ok = walk_section(walk, template, i);
        if (!ok)
            return false;
        i = node->end > i ? node->end : i + 1;
    }
    return true;
}

bool template_visit_names(const struct template *template, const struct template_partials *partials,
                          void (*visit)(void *context, const struct template_name *name), void *context,
                          struct error *error)
{
    struct walk walk = {.partials = partials, .visit = visit, .context = context, .error = error};
    return walk_nodes(&walk, template, 0, template->nodes.count);
}
