#include "stutterscope/base/settings.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGEST_FILE (1024 * 1024)

struct setting {
    char *name; /* with the section */
    char *value;
    char *place; /* "file:line"; NULL: not from a file */
};

struct settings {
    struct setting *items;
    size_t count, capacity;
};

struct settings *settings_create(void)
{
    return memory_take_zeroed(1, sizeof(struct settings));
}

void settings_destroy(struct settings *settings)
{
    if (!settings)
        return;
    for (size_t i = 0; i < settings->count; i++) {
        free(settings->items[i].name);
        free(settings->items[i].value);
        free(settings->items[i].place);
    }
    array_free(settings);
    free(settings);
}

static struct setting *find(const struct settings *settings, const char *name)
{
    for (size_t i = 0; i < settings->count; i++) {
        if (strcmp(settings->items[i].name, name) == 0)
            return &settings->items[i];
    }
    return NULL;
}

const char *settings_get(const struct settings *settings, const char *name, const char *fallback)
{
    const struct setting *setting = find(settings, name);

    return setting ? setting->value : fallback;
}

void settings_set(struct settings *settings, const char *name, const char *value)
{
    struct setting *setting = find(settings, name);
    char *copy = memory_copy_text(value);

    if (setting) {
        free(setting->value);
        free(setting->place);
        setting->value = copy;
        setting->place = NULL;
    } else {
        array_push(settings, (struct setting){.name = memory_copy_text(name), .value = copy});
    }
}

const char *settings_name(const struct settings *settings, size_t index)
{
    return index < settings->count ? settings->items[index].name : NULL;
}

const char *settings_place(const struct settings *settings, const char *name)
{
    const struct setting *setting = find(settings, name);

    return setting && setting->place ? setting->place : "";
}

/* Cuts blanks off both ends, in place. */
static char *trimmed(char *text)
{
    size_t length;

    text += strspn(text, " \t\r");
    length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

static bool refuse_line(const char *path, size_t number, const char *expected, const char *found,
                        struct error *error)
{
    char *shown = text_cut_end(found, 60, "…");

    error_set(error, ERROR_USAGE, "%s:%zu: expected %s, found \"%s\".", path, number, expected, shown);
    free(shown);
    return false;
}

/* One line; *section is replaced when the line begins a new one. */
static bool read_line(struct settings *settings, char *line, char **section, const char *path, size_t number,
                      struct error *error)
{
    char *mark, *name;
    struct setting *setting;

    if (!text_is_valid_utf8(line, strlen(line)))
        return refuse_line(path, number, "UTF-8 text", line, error);
    line = trimmed(line);
    if (*line == '\0' || *line == '#')
        return true;
    if (*line == '[') {
        size_t length = strlen(line);

        if (line[length - 1] != ']')
            return refuse_line(path, number, "\"[section]\"", line, error);
        line[length - 1] = '\0';
        free(*section);
        *section = memory_copy_text(trimmed(line + 1));
        return true;
    }
    mark = strchr(line, '=');
    if (!mark || mark == line)
        return refuse_line(path, number, "\"name = value\", \"[section]\" or a # comment", line, error);
    *mark = '\0';
    line = trimmed(line);
    name = **section ? memory_print("%s.%s", *section, line) : memory_copy_text(line);
    settings_set(settings, name, trimmed(mark + 1));
    setting = find(settings, name);
    setting->place = memory_print("%s:%zu", path, number);
    free(name);
    return true;
}

bool settings_read_file(struct settings *settings, const char *path, struct error *error)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    char *bytes, *line, *section;
    bool fine = true;
    size_t size;

    if (access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return true;
    if (!path_read_all(path, LARGEST_FILE, &bytes, &size, error))
        return false;
    if (strlen(bytes) != size) {
        free(bytes);
        return error_set(error, ERROR_USAGE, "%s: expected a text file, found a NUL byte.", path);
    }
    line = bytes;
    if (strncmp(line, byte_order_mark, 3) == 0)
        line += 3;
    section = memory_copy_text("");
    for (size_t number = 1; fine && line; number++) {
        char *next = strchr(line, '\n');

        if (next)
            *next++ = '\0';
        fine = read_line(settings, line, &section, path, number, error);
        line = next;
    }
    free(section);
    free(bytes);
    return fine;
}
