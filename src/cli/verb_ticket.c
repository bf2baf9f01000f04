#include "stutterscope/base/memory.h"
#include "stutterscope/ticket/payload.h"
#include "stutterscope/ticket/ticket.h"
#include "verbs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int list_templates(struct invocation *invocation, struct error *error)
{
    static const struct table_column columns[] = {
        {"template", "template", COLUMN_SHOWN}, {"own", "own", COLUMN_SHOWN}, {"path", "file", COLUMN_SHOWN}};
    struct ticket_templates templates = {0};
    struct table *table;

    if (!ticket_list_templates(&templates, error))
        return EXIT_TROUBLE;
    table = table_create("templates", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < templates.count; i++) {
        struct cell *row = table_add_row(table);

        cell_set_text(&row[0], templates.items[i].name);
        cell_set_bool(&row[1], templates.items[i].own);
        cell_set_text(&row[2], templates.items[i].path);
    }
    ticket_templates_free(&templates);
    return print_table(invocation, table, error);
}

static int show_template(struct invocation *invocation, struct error *error)
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

static int check_template(struct invocation *invocation, struct error *error)
{
    size_t faults = 0;

    if (!ticket_check_template(invocation_value(invocation, OPTION_CHECK_TEMPLATE), print_fault, invocation, &faults, error))
        return EXIT_TROUBLE;
    return faults ? EXIT_FINDING : EXIT_DONE;
}

static bool write_payload(struct invocation *invocation, const struct json *payload, struct error *error)
{
    char *text = json_print_pretty(payload);
    struct text_buffer out = {0};
    bool good;

    text_add(&out, text);
    text_add(&out, "\n");
    good = write_output(invocation, out.items, out.count, error);
    array_free(&out);
    free(text);
    return good;
}

static bool write_text(struct invocation *invocation, const struct json *payload, struct error *error)
{
    struct ticket_options options = {
        .template = invocation_value(invocation, OPTION_TEMPLATE),
        .language = invocation_value(invocation, OPTION_LANGUAGE),
    };
    struct ticket ticket = {0};
    bool good;

    if (!ticket_write(payload, &options, &ticket, error))
        return false;
    good = write_output(invocation, ticket.text, strlen(ticket.text), error);
    ticket_free(&ticket);
    return good;
}

int verb_ticket(struct invocation *invocation, struct error *error)
{
    struct model *model;
    struct json *payload;
    bool good;

    if (invocation_has(invocation, OPTION_LIST_TEMPLATES))
        return list_templates(invocation, error);
    if (invocation_has(invocation, OPTION_SHOW_TEMPLATE))
        return show_template(invocation, error);
    if (invocation_has(invocation, OPTION_CHECK_TEMPLATE))
        return check_template(invocation, error);
    if (!invocation_open_model(invocation, &model, error))
        return EXIT_TROUBLE;
    payload = ticket_payload(model, invocation->operands, invocation->operand_count, error);
    good = payload && (invocation_has(invocation, OPTION_PAYLOAD) || invocation_has(invocation, OPTION_JSON) ? write_payload(invocation, payload, error)
                                                                                                             : write_text(invocation, payload, error));
    json_destroy(payload);
    model_close(model);
    return good ? EXIT_DONE : EXIT_TROUBLE;
}
