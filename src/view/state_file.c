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

bool state_file_write(const char *name, const struct json *value)
{
    char *path = path_of(name), *text = json_print_pretty(value);
    bool good = path_make_parents(path, NULL) && path_write_all(path, text, strlen(text), NULL);

    free(text);
    free(path);
    return good;
}

char *state_store_name(const char *path)
{
    char *whole = realpath(path, NULL);
    char *clean = text_clean(whole ? whole : path, strlen(whole ? whole : path));

    free(whole);
    return clean;
}
