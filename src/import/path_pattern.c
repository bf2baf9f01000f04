#include "path_pattern.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct capture {
    const char *begin;
    size_t length;
};

static int find_field(const char *name, size_t length)
{
    for (int i = 0; i < CONTEXT_COUNT; i++) {
        const char *option = context_fields[i].option ? context_fields[i].option + 2 : "";
        const char *column = context_fields[i].column;

        if ((strlen(option) == length && memcmp(option, name, length) == 0) ||
            (strlen(column) == length && memcmp(column, name, length) == 0))
            return i;
    }
    return -1;
}

static bool check_names(const char *pattern, struct error *error)
{
    for (const char *open = strchr(pattern, '{'); open; open = strchr(open + 1, '{')) {
        const char *close = strchr(open, '}');

        if (!close || find_field(open + 1, (size_t)(close - open - 1)) < 0)
            return error_set(
                error, ERROR_USAGE,
                "--path-pattern %s: \"%.*s\" is no known name. Use {build}, {device}, {scene}, {quality}, "
                "{run}, {os}, … (the options' names) in braces.",
                pattern, close ? (int)(close - open + 1) : (int)strlen(open), open);
    }
    return true;
}

/* Tries shorter captures first, so that what follows a name ends it. */
static bool match(const char *pattern, const char *text, struct capture captures[CONTEXT_COUNT],
                  size_t *budget)
{
    const char *rest;
    int field = -1;

    if ((*budget)-- == 0) {
        *budget = 1;
        return false;
    }
    if (*pattern == '\0')
        return *text == '\0';
    if (*pattern != '{' && *pattern != '*')
        return *pattern == *text && match(pattern + 1, text + 1, captures, budget);
    if (*pattern == '{') {
        rest = strchr(pattern, '}') + 1;
        field = find_field(pattern + 1, (size_t)(rest - pattern - 2));
    } else {
        rest = pattern + 1;
    }
    for (size_t length = field >= 0 ? 1 : 0;; length++) {
        if (length > 0 && (text[length - 1] == '\0' || text[length - 1] == '/'))
            return false;
        if (match(rest, text + length, captures, budget)) {
            if (field >= 0)
                captures[field] = (struct capture){text, length};
            return true;
        }
    }
}

/* The last parts of the path, as many as the pattern has. */
static const char *last_parts(const char *pattern, const char *path)
{
    size_t parts = 1;
    const char *at = path + strlen(path);

    for (const char *slash = strchr(pattern, '/'); slash; slash = strchr(slash + 1, '/'))
        parts++;
    while (at > path && parts > 0) {
        at--;
        if (*at == '/')
            parts--;
    }
    return parts == 0 ? at + 1 : path;
}

/* Without "//" and "/./", which are no parts; a new string. */
static char *without_idle_parts(const char *path)
{
    char *copy = memory_copy_text(path), *to = copy;

    for (const char *at = path; *at; at++) {
        while ((to > copy && to[-1] == '/' && *at == '/') || ((to == copy || to[-1] == '/') && *at == '.' && at[1] == '/'))
            at += *at == '/' ? 1 : 2;
        if (!*at)
            break;
        *to++ = *at;
    }
    *to = '\0';
    return copy;
}

static bool fill(const char *path, const struct capture captures[CONTEXT_COUNT], char *ret[CONTEXT_COUNT], struct error *error)
{
    for (int i = 0; i < CONTEXT_COUNT; i++) {
        if (!captures[i].begin)
            continue;
        if (captures[i].length <= 2 && strncmp(captures[i].begin, "..", captures[i].length) == 0)
            return error_set(error, ERROR_INPUT, "%s: the %s would be \"..\". Name the path without \".\" and \"..\".", path,
                             context_fields[i].option ? context_fields[i].option + 2 : context_fields[i].column);
        ret[i] = memory_copy_bytes(captures[i].begin, captures[i].length);
    }
    return true;
}

bool path_pattern_match(const char *pattern, const char *path, char *ret[CONTEXT_COUNT], struct error *error)
{
    struct capture captures[CONTEXT_COUNT] = {0};
    size_t budget = 1000000;

    memset(ret, 0, CONTEXT_COUNT * sizeof *ret);
    if (!check_names(pattern, error))
        return false;

    char *plain = without_idle_parts(path);
    bool good = match(pattern, last_parts(pattern, plain), captures, &budget) ||
                error_set(error, ERROR_INPUT,
                          "%s: the path does not fit --path-pattern %s. Expected its last parts to look like that.",
                          path, pattern);

    good = good && fill(path, captures, ret, error);
    if (!good) {
        path_pattern_free(ret);
        memset(ret, 0, CONTEXT_COUNT * sizeof *ret);
    }
    free(plain);
    return good;
}

void path_pattern_free(char *values[CONTEXT_COUNT])
{
    for (int i = 0; i < CONTEXT_COUNT; i++)
        free(values[i]);
}
