#include "stutterscope/view/data_file.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/escape.h"
#include "stutterscope/view/pager.h"
#include <stdlib.h>
#include <string.h>

bool data_file_is_name(const char *name)
{
    return text_ends_with(name, ".json") || text_ends_with(name, ".csv");
}

/* As the CSV of verbs has it: lists of texts joined by commas, yes and no. */
static char *print_value(const struct json *value)
{
    struct text_buffer text = {0};

    if (json_kind(value) == JSON_BOOL)
        return memory_copy_text(json_is_true(value) ? "yes" : "no");
    if (json_kind(value) != JSON_ARRAY)
        return json_print(value);
    for (const struct json *item = json_first(value); item; item = json_next(item)) {
        if (!json_text(item)) {
            array_free(&text);
            return json_print(value);
        }
        text_add_print(&text, "%s%s", text.count ? ", " : "", json_text(item));
    }
    return text_take(&text);
}

static void add_value(struct text_buffer *csv, const struct json *value)
{
    char *printed;

    if (json_kind(value) == JSON_TEXT) {
        escape_add(csv, ESCAPE_CSV, json_text(value));
        return;
    }
    if (json_kind(value) == JSON_NULL)
        return;
    printed = print_value(value);
    if (json_kind(value) == JSON_ARRAY || json_kind(value) == JSON_OBJECT)
        escape_add(csv, ESCAPE_CSV, printed);
    else
        text_add(csv, printed);
    free(printed);
}

char *data_file_csv(const struct json *document)
{
    const struct json *table = json_member(document, "rows"), *stutters = json_member(document, "stutters"),
                      *rows = table ? table : stutters, /* of a ticket */
                          *head = json_first(rows);
    struct text_buffer csv = {0};

    if (json_kind(rows) != JSON_ARRAY || json_kind(head) != JSON_OBJECT)
        return NULL;
    for (const struct json *name = json_first(head); name; name = json_next(name)) {
        text_add(&csv, csv.count ? "," : "");
        escape_add(&csv, ESCAPE_CSV, json_name(name));
    }
    text_add(&csv, "\n");
    for (const struct json *row = head; row; row = json_next(row)) {
        for (const struct json *name = json_first(head); name; name = json_next(name)) {
            if (name != json_first(head))
                text_add(&csv, ",");
            add_value(&csv, json_member(row, json_name(name)));
        }
        text_add(&csv, "\n");
    }
    return text_take(&csv);
}

/* What `p` shows; what else it would do is not done. */
static char *ask_payload(struct screen *screen, struct area area, struct error *error)
{
    struct screen_event event = {.action = ACTION_PAYLOAD, .area = area};
    struct screen_reply reply = {0};
    char *text = NULL;

    if (screen->type->act && screen->type->act(screen->state, &event, &reply) && reply.open)
        text = pager_text(reply.open);
    if (!text)
        error_set(error, ERROR_USAGE, "%s", reply.message[0] ? reply.message : "this screen has no data of its own; .txt, .svg and .html work");
    if (reply.open)
        screen_destroy(reply.open);
    reply.open = NULL;
    reply_clear(&reply);
    return text;
}

char *data_file_text(struct screen *screen, struct area area, const char *name, struct error *error)
{
    char *text = ask_payload(screen, area, error), *csv;
    struct json *document;

    if (!text || text_ends_with(name, ".json"))
        return text;
    document = json_parse(text, strlen(text), error);
    csv = document ? data_file_csv(document) : NULL;
    if (document && !csv)
        error_set(error, ERROR_USAGE, "there are no rows here for CSV; a name with .json writes all that is known");
    json_destroy(document);
    free(text);
    return csv;
}
