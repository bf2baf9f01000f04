/*
 * What templates there are, what is in them and what may be.
 */
#include "ticket_output.h"
#include <stdlib.h>
#include <string.h>

int ticket_print_templates(struct invocation *invocation, struct error *error)
{
    static const struct table_column columns[] = {
        {"template", "template", COLUMN_SHOWN}, {"kind", "kind", COLUMN_SHOWN}, {"own", "own", COLUMN_SHOWN}, {"path", "file", COLUMN_SHOWN}};
    struct ticket_templates templates = {0};
    struct table *table;

    if (!ticket_list_templates(&templates, error))
        return EXIT_TROUBLE;
    table = table_create("templates", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < templates.count; i++) {
        const struct ticket_template *template = &templates.items[i];
        struct cell *row = table_add_row(table);

        cell_set_text(&row[0], template->name);
        cell_set_text(&row[1], template->kind == TICKET_STUTTERS ? "ticket" : ticket_kind_name(template->kind));
        cell_set_bool(&row[2], template->own);
        cell_set_text(&row[3], template->path);
    }
    ticket_templates_free(&templates);
    return print_table(invocation, table, error);
}

int ticket_print_names(struct invocation *invocation, struct error *error)
{
    static const struct table_column columns[] = {{"list", "list", COLUMN_SHOWN},
                                                  {"name", "name", COLUMN_SHOWN},
                                                  {"kinds", "kinds", COLUMN_SHOWN},
                                                  {"made", "made", COLUMN_DATA_ONLY},
                                                  {"help", "what it is", COLUMN_SHOWN}};
    struct ticket_names names = {0};
    struct table *table;

    if (!ticket_list_names(&names, error))
        return EXIT_TROUBLE;
    table = table_create("names", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < names.count; i++) {
        const struct ticket_name *name = &names.items[i];
        struct cell *row = table_add_row(table);
        char kinds[80];

        cell_set_text(&row[0], name->list);
        cell_set_text(&row[1], name->name);
        cell_set_text(&row[2], ticket_print_kinds(name->kinds, kinds, sizeof kinds));
        cell_set_bool(&row[3], name->made);
        cell_set_text(&row[4], name->help);
    }
    ticket_names_free(&names);
    return print_table(invocation, table, error);
}

int ticket_print_template(struct invocation *invocation, struct error *error)
{
    const char *name = invocation_value(invocation, OPTION_TEMPLATE);
    char *text = ticket_show_template(name ? name : "github", error);
    bool good = text && write_output(invocation, text, strlen(text), error);

    free(text);
    return good ? EXIT_DONE : EXIT_TROUBLE;
}

static void print_fault(void *user, const char *line)
{
    struct invocation *invocation = user;

    write_out(invocation, line, strlen(line), NULL);
    write_out(invocation, "\n", 1, NULL);
}

int ticket_print_faults(struct invocation *invocation, struct error *error)
{
    size_t faults = 0;

    if (!ticket_check_template(invocation_value(invocation, OPTION_CHECK_TEMPLATE), print_fault, invocation, &faults, error))
        return EXIT_TROUBLE;
    return faults ? EXIT_FINDING : EXIT_DONE;
}
