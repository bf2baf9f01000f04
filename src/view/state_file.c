#include "state_file.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 20 };

static char *path_of(const char *name)
{
    char *folder = path_state_folder(), *path = path_join(folder, name);

    free(folder);
    return path;
}

struct json *state_file_read(const char *name)
{
    char *path = path_of(name), *bytes = NULL;
    size_t size = 0;
    struct json *value = path_read_all(path, LARGEST, &bytes, &size, NULL) ? json_parse(bytes, size, NULL) : NULL;

    free(bytes);
    free(path);
    if (json_kind(value) == JSON_OBJECT)
        return value;
    json_destroy(value);
    return NULL;
}

static bool state_file_write(const char *name, const struct json *value)
{
    char *path = path_of(name), *text = json_print_pretty(value);
    bool good = path_make_parents(path, NULL) && path_write_all(path, text, strlen(text), NULL);

    free(text);
    free(path);
    return good;
}

/* Of texts, lists and objects; nothing else is remembered. */
static struct json *copy_of(const struct json *value)
{
    bool list = json_kind(value) == JSON_ARRAY;
    struct json *copy;

    if (json_kind(value) == JSON_TEXT)
        return json_from_text(json_text(value));
    if (!list && json_kind(value) != JSON_OBJECT)
        return NULL;
    copy = list ? json_array() : json_object();
    for (const struct json *item = json_first(value); item; item = json_next(item)) {
        struct json *inner = copy_of(item);

        if (inner && list)
            json_append(copy, inner);
        else if (inner)
            json_add(copy, json_name(item), inner);
    }
    return copy;
}

bool state_file_put(const char *name, const char *member, struct json *value, size_t most)
{
    struct json *before = state_file_read(name), *after = json_object();
    size_t kept = 1;
    bool good;

    json_add(after, member, value);
    for (const struct json *other = before ? json_first(before) : NULL; other && kept < most; other = json_next(other)) {
        struct json *copy = strcmp(json_name(other), member) == 0 ? NULL : copy_of(other);

        if (copy) {
            json_add(after, json_name(other), copy);
            kept++;
        }
    }
    good = state_file_write(name, after);
    json_destroy(before);
    json_destroy(after);
    return good;
}

char *state_store_name(const char *path)
{
    char *whole = realpath(path, NULL);
    char *clean = text_clean(whole ? whole : path, strlen(whole ? whole : path));

    free(whole);
    return clean;
}
