/*
 * Looks for names in a template that no ticket fills.
 */
#include "data.h"
#include "source.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

struct check {
    struct ticket_names names;
    struct ticket_source source;
    void (*report)(void *user, const char *line);
    void *user;
    size_t faults;
};

static bool has_members(const struct check *check, const char *list)
{
    for (size_t i = 0; i < check->names.count; i++)
        if (*list && strcmp(check->names.items[i].list, data_list_name(list)) == 0)
            return true;
    return false;
}

static bool is_member(const struct check *check, const char *list, const char *name, size_t length)
{
    for (size_t i = 0; i < check->names.count; i++)
        if (strcmp(check->names.items[i].list, data_list_name(list)) == 0 &&
            strncmp(check->names.items[i].name, name, length) == 0 && !check->names.items[i].name[length])
            return true;
    return false;
}

/* The last part of a dotted name: "worst.chart" opens what "chart" does. */
static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot ? dot + 1 : name;
}

/* The first part has to be known in a section around, or everywhere; the others inside the part before. */
static bool is_known(const struct check *check, const struct template_name *use)
{
    const char *part = use->name;
    size_t length = strcspn(part, ".");
    bool known = is_member(check, "", part, length);
    char *list;

    if (strcmp(part, ".") == 0)
        return true;
    for (size_t i = 0; i < use->section_count && !known; i++)
        known = is_member(check, last_part(use->sections[i]), part, length);
    while (known && part[length] == '.') {
        list = memory_copy_bytes(part, length);
        part += length + 1;
        length = strcspn(part, ".");
        /* A stutter's names are those that are found everywhere. */
        if (strcmp(list, "worst") == 0 || strcmp(list, "stutters") == 0)
            known = is_member(check, "", part, length);
        else
            known = !has_members(check, list) || is_member(check, list, part, length);
        free(list);
    }
    return known;
}

struct nearest {
    const char *name;
    size_t distance;
};

static void offer(struct nearest *nearest, const char *name, const char *wanted)
{
    size_t distance = text_distance(name, wanted);

    if (distance < nearest->distance)
        *nearest = (struct nearest){name, distance};
}

/* Inside a dotted name only what its section has; a name that is right elsewhere gives the section it is in.
 */
static const char *find_nearest(const struct check *check, const struct template_name *use,
                                struct nearest *nearest)
{
    const char *last = last_part(use->name), *elsewhere = NULL;
    char *section = last > use->name ? memory_copy_bytes(use->name, (size_t)(last - use->name) - 1) : NULL;
    const char *list = section && has_members(check, last_part(section)) ? last_part(section) : NULL;

    for (size_t i = 0; i < check->names.count; i++) {
        const struct ticket_name *name = &check->names.items[i];

        if (list && strcmp(name->list, data_list_name(list)) != 0)
            continue;
        if (!elsewhere && *name->list && strcmp(name->name, last) == 0)
            elsewhere = name->list;
        offer(nearest, name->name, last);
    }
    free(section);
    return elsewhere;
}

static void report_unknown(struct check *check, const struct template_name *use, bool partial)
{
    struct nearest nearest = {NULL, strlen(use->name) / 2 + 1};
    const char *elsewhere = NULL;
    struct text_buffer line = {0};

    if (partial)
        for (size_t i = 0; i < check->source.phrases.count; i++)
            offer(&nearest, check->source.phrases.items[i].name, use->name);
    else
        elsewhere = find_nearest(check, use, &nearest);
    text_add_print(&line, "%s:%zu: no ticket has %s \"%s\"", use->template_name, use->line,
                   partial ? "a phrase or part" : "a value", use->name);
    if (elsewhere)
        text_add_print(&line, "; it is one inside {{#%s}}", elsewhere);
    else if (nearest.name)
        text_add_print(&line, "; was \"%s\" meant?", nearest.name);
    check->report(check->user, line.items);
    check->faults++;
    array_free(&line);
}

static void visit(void *context, const struct template_name *use)
{
    struct check *check = context;

    if (use->use == TEMPLATE_USE_PARTIAL) {
        struct template_partials partials = layout_partials(&check->source);

        if (!partials.find(partials.context, use->name))
            report_unknown(check, use, true);
    } else if (!is_known(check, use)) {
        report_unknown(check, use, false);
    }
}

bool ticket_check_template(const char *name, void (*report)(void *user, const char *line), void *user,
                           size_t *ret_faults, struct error *error)
{
    const struct ticket_options options = {.template = name};
    struct check check = {.report = report, .user = user};
    struct template *template = NULL;
    bool good =
        layout_open_named(&options, &check.source, error) && ticket_list_names(&check.names, error) &&
        (template = template_parse(check.source.path, check.source.text, strlen(check.source.text), error));

    if (good) {
        struct template_partials partials = layout_partials(&check.source);

        good = template_visit_names(template, &partials, visit, &check, error);
    }
    *ret_faults = check.faults;
    template_destroy(template);
    ticket_names_free(&check.names);
    layout_close(&check.source);
    return good;
}
