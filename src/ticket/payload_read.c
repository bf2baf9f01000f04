#include "stutterscope/ticket/payload_read.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 16 << 20 };

static bool is_payload(const struct json *json, enum ticket_kind wanted)
{
    const char *schema = json_text(json_member(json, "schema"));
    enum ticket_kind kind;

    return schema && ticket_kind_of(schema, &kind) && (wanted == TICKET_KIND_COUNT || kind == wanted);
}

/* Length of the object that begins here, with its braces; 0 when it does not end. */
static size_t object_length(const char *text)
{
    size_t depth = 0;
    bool inside = false;

    for (const char *at = text; *at; at++) {
        if (inside && *at == '\\' && at[1])
            at++;
        else if (*at == '"')
            inside = !inside;
        else if (!inside && *at == '{')
            depth++;
        else if (!inside && *at == '}' && --depth == 0)
            return (size_t)(at - text) + 1;
    }
    return 0;
}

/* Mails and trackers put ">" before every line of what they quote. Between tokens of JSON there is never one.
 */
static char *without_quote_marks(const char *text, size_t length)
{
    struct text_buffer plain = {0};

    for (size_t i = 0; i < length; i++) {
        text_add_bytes(&plain, text + i, 1);
        if (text[i] == '\n')
            i += strspn(text + i + 1, " \t>");
    }
    return text_take(&plain);
}

static struct json *parse_object(const char *text, size_t length, enum ticket_kind kind)
{
    char *plain = without_quote_marks(text, length);
    struct json *json = json_parse(plain, strlen(plain), NULL);

    free(plain);
    if (json && is_payload(json, kind))
        return json;
    json_destroy(json);
    return NULL;
}

/* The object around the name "schema": it is the first member, as we write it, or stands after some others.
 */
static struct json *object_around(const char *text, const char *name, enum ticket_kind kind, bool *ret_cut)
{
    enum { OPEN_TRIED = 100 }; /* braces without an end: each costs a look at all that follows */
    int open = 0;

    for (const char *at = name; at-- > text && open < OPEN_TRIED;) {
        size_t length = *at == '{' ? object_length(at) : 0;
        struct json *json = length > (size_t)(name - at) ? parse_object(at, length, kind) : NULL;

        if (json)
            return json;
        open += *at == '{' && !length;
        if (*at == '{' && !length && strspn(at + 1, " \t\r\n>") == (size_t)(name - at) - 1)
            *ret_cut = true;
    }
    return NULL;
}

struct json *payload_find(const char *text, size_t size, enum ticket_kind kind, struct error *error)
{
    enum { TRIED = 16 };
    char *copy = memory_copy_bytes(text, size);
    struct json *found = NULL;
    bool cut = false;
    int tried = 0;

    for (char *at = copy; !found && tried < TRIED && (at = strstr(at, "\"schema\"")); at++) {
        const char *value = at + strlen("\"schema\"");

        value += strspn(value, " \t\r\n:");
        if (strncmp(value, "\"stutterscope.", strlen("\"stutterscope.")) != 0)
            continue;
        tried++;
        found = object_around(copy, at, kind, &cut);
    }
    free(copy);
    if (!found && cut)
        error_set(error, ERROR_INPUT, "expected a ticket payload, found one that was cut: it does not end");
    else if (!found)
        error_set(
            error, ERROR_INPUT,
            "expected a ticket payload (JSON with \"schema\": \"stutterscope.ticket/1\") or a ticket's text "
            "with one, found neither");
    return found;
}

static bool read_input(char **ret_bytes, size_t *ret_size, struct error *error)
{
    struct text_buffer all = {0};
    char part[16384];
    size_t count;

    while ((count = fread(part, 1, sizeof part, stdin)) > 0 && all.count <= FILE_LIMIT)
        text_add_bytes(&all, part, count);
    if (ferror(stdin) || all.count > FILE_LIMIT) {
        bool failed = ferror(stdin);

        array_free(&all);
        return failed ? error_set(error, ERROR_IO, "standard input: %s", strerror(errno))
                      : error_set(error, ERROR_INPUT, "standard input: more than %d bytes", (int)FILE_LIMIT);
    }
    *ret_size = all.count;
    *ret_bytes = text_take(&all);
    return true;
}

struct json *payload_read(const char *path, enum ticket_kind kind, struct error *error)
{
    bool input = strcmp(path, "-") == 0;
    struct json *payload = NULL;
    char *bytes;
    size_t size;

    if (!(input ? read_input(&bytes, &size, error) : path_read_all(path, FILE_LIMIT, &bytes, &size, error)))
        return NULL;
    payload = payload_find(bytes, size, kind, error);
    if (!payload)
        error_prefix(error, "%s", input ? "standard input" : path);
    free(bytes);
    return payload;
}
