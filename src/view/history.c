#include "stutterscope/view/history.h"

#include "state_file.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/words.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 100 };
static const char file_name[] = "history.json";

char **history_load(const char *kind)
{
    struct json *all = state_file_read(file_name);
    const struct json *list = all ? json_member(all, kind) : NULL;
    size_t count = 0;
    char **lines = memory_take_zeroed(MOST_LINES + 1, sizeof *lines);

    for (const struct json *item = list && json_kind(list) == JSON_ARRAY ? json_first(list) : NULL;
         item && count < MOST_LINES; item = json_next(item))
        if (json_text(item))
            lines[count++] = memory_copy_text(json_text(item));
    json_destroy(all);
    return lines;
}

void history_free(char **lines)
{
    for (char **line = lines; line && *line; line++)
        free(*line);
    free(lines);
}

/* A password that was typed into an address is nothing to keep, also not where an earlier program kept it. */
static void append_shown(struct json *list, const char *line)
{
    char *shown = text_without_user_info(line);

    json_append(list, json_from_text(shown));
    free(shown);
}

void history_add(const char *kind, const char *line)
{
    struct json *list = json_array();
    char **lines = history_load(kind);
    size_t kept = 1;

    append_shown(list, line);
    for (char **old = lines; *old && kept < MOST_LINES; old++)
        if (strcmp(*old, line) != 0) {
            append_shown(list, *old);
            kept++;
        }
    state_file_put(file_name, kind, list, SIZE_MAX);
    history_free(lines);
}
