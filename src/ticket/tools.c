#include "tools.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOOL_FIELDS = 5, TOOLS_TOLD = 2, TABLE_LIMIT = 1 << 20 };
enum { FIELD_OS, FIELD_CHIP, FIELD_CAUSE, FIELD_TOOL, FIELD_VIEW };

struct tool_row {
    char *fields[TOOL_FIELDS];
};
struct tool_table {
    struct tool_row *items;
    size_t count, capacity;
};

static char *copy_trimmed(const char *text, size_t length)
{
    while (length && strchr(" \t\r", text[length - 1]))
        length--;
    while (length && strchr(" \t", *text)) {
        text++;
        length--;
    }
    return text_clean(text, length);
}

static bool add_row(struct tool_table *table, const char *name, size_t line, const char *text, size_t length,
                    struct error *error)
{
    struct tool_row row = {{NULL}};
    size_t count = 0, at = 0;

    for (;;) {
        size_t field = at;

        while (field < length && text[field] != '|')
            field++;
        if (count < TOOL_FIELDS)
            row.fields[count] = copy_trimmed(text + at, field - at);
        count++;
        if (field == length)
            break;
        at = field + 1;
    }
    array_push(table, row);
    return (count == TOOL_FIELDS && row.fields[FIELD_TOOL][0]) ||
           error_set(error, ERROR_INPUT,
                     "%s:%zu: expected operating system | chip | cause | tool | view, found %zu fields%s",
                     name, line, count, count == TOOL_FIELDS ? " without a tool" : "");
}

bool tool_table_parse(const char *name, const char *text, struct tool_table **ret, struct error *error)
{
    struct tool_table *table = memory_take_zeroed(1, sizeof *table);

    for (size_t line = 1; *text; line++) {
        size_t length = strcspn(text, "\n");

        if (*text != '#' && strspn(text, " \t\r") < length &&
            !add_row(table, name, line, text, length, error)) {
            tool_table_destroy(table);
            return false;
        }
        text += length + (text[length] == '\n');
    }
    *ret = table;
    return true;
}

bool tool_table_read(struct tool_table **ret, struct error *error)
{
    char *folder = path_config_folder(), *path = path_join(folder, "profilers.table"), *text = NULL;
    size_t size;
    bool good;

    if (access(path, R_OK) != 0) {
        free(path);
        path = path_data("profilers.table", error);
    }
    good = path && path_read_all(path, TABLE_LIMIT, &text, &size, error) &&
           tool_table_parse(path, text, ret, error);
    free(folder);
    free(path);
    free(text);
    return good;
}

void tool_table_destroy(struct tool_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->count; i++)
        for (size_t j = 0; j < TOOL_FIELDS; j++)
            free(table->items[i].fields[j]);
    array_free(table);
    free(table);
}

static bool is_told(const struct json *list, const char *tool)
{
    for (const struct json *item = json_first(list); item; item = json_next(item))
        if (strcmp(json_text(json_member(item, "tool")), tool) == 0)
            return true;
    return false;
}

struct json *tool_table_find(const struct tool_table *table, const char *os, const char *chip,
                             const char *cause)
{
    struct json *list = json_array();
    size_t count = 0;

    for (size_t i = 0; i < table->count && count < TOOLS_TOLD; i++) {
        char *const *fields = table->items[i].fields;
        struct json *item;

        if (!text_matches_glob(fields[FIELD_OS], os ? os : "") ||
            !text_matches_glob(fields[FIELD_CHIP], chip ? chip : "") ||
            !text_matches_glob(fields[FIELD_CAUSE], cause ? cause : "") || is_told(list, fields[FIELD_TOOL]))
            continue;
        item = json_object();
        json_add(item, "tool", json_from_text(fields[FIELD_TOOL]));
        json_add(item, "view", json_from_text(fields[FIELD_VIEW][0] ? fields[FIELD_VIEW] : NULL));
        json_append(list, item);
        count++;
    }
    return list;
}
