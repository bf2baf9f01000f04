/*
 * Import options under a name: what a team's logger needs is said once.
 */
#include "preset.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/import/columns.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_MAPS = 200 };

/* What is of the logger, not of one capture. */
static const enum option kept[] = {
    OPTION_FORMAT, OPTION_ENCODING, OPTION_STREAM,     OPTION_INTERVAL, OPTION_PATH_PATTERN, OPTION_BUILD,        OPTION_DEVICE,    OPTION_SCENE,
    OPTION_QUALITY, OPTION_OS,      OPTION_SCENARIO,   OPTION_SOC,      OPTION_MODEL_CODE,   OPTION_GPU,          OPTION_STATION,   OPTION_FPS,
    OPTION_REFRESH, OPTION_SERIES,  OPTION_SAMPLE_EVERY, OPTION_KEPT_OVER,
};

/* A name, not a path: letters, digits, and - _ . between them. */
static char *preset_path(const char *name, struct error *error)
{
    char *folder, *presets, *file, *path;

    if (!*name || *name == '.' || strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.") != strlen(name)) {
        error_set(error, ERROR_USAGE, "a preset's name has letters, digits, \"-\", \"_\" and \".\" only, found \"%s\"", name);
        return NULL;
    }
    folder = path_config_folder();
    presets = path_join(folder, "presets");
    file = memory_print("%s.preset", name);
    path = path_join(presets, file);
    free(file);
    free(presets);
    free(folder);
    return path;
}

/* Said on the command line for the same column of ours: that counts. */
static bool is_mapped(const struct option_values *maps, size_t count, const char *map)
{
    struct column_target wanted, target;
    const char *equals = strchr(map, '=');

    if (!equals || !column_find(map, (size_t)(equals - map), &wanted))
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *other = strchr(maps->items[i], '=');

        if (other && column_find(maps->items[i], (size_t)(other - maps->items[i]), &target) && target.kind == wanted.kind &&
            target.index == wanted.index)
            return true;
    }
    return false;
}

static void apply_maps(struct invocation *invocation, const struct settings *settings)
{
    struct option_values *maps = &invocation->values[OPTION_MAP];
    size_t said = maps->count;

    for (int i = 1; i <= MOST_MAPS; i++) {
        char *name = memory_print("map.%d", i);
        const char *map = settings_get(settings, name, NULL);

        free(name);
        if (!map)
            return;
        if (!is_mapped(maps, said, map))
            array_push(maps, map);
    }
}

bool preset_apply(struct invocation *invocation, struct settings **ret, struct error *error)
{
    const char *name = invocation_value(invocation, OPTION_PRESET);
    char *path = name ? preset_path(name, error) : NULL;
    bool good = !name || path;

    *ret = settings_create();
    if (path && access(path, F_OK) != 0)
        good = error_set(error, ERROR_USAGE, "--preset %s: there is none of that name: %s; --save-preset %s makes it", name, path, name);
    good = good && (!path || settings_read_file(*ret, path, error));
    for (size_t i = 0; good && i < sizeof kept / sizeof *kept; i++) {
        const char *value = settings_get(*ret, option_table[kept[i]].name, NULL);

        if (value && !invocation_has(invocation, kept[i]))
            array_push(&invocation->values[kept[i]], value);
    }
    if (good)
        apply_maps(invocation, *ret);
    free(path);
    return good;
}

static bool add_line(struct text_buffer *text, const char *name, const char *value, struct error *error)
{
    if (strchr(value, '\n') || strchr(value, '\r'))
        return error_set(error, ERROR_USAGE, "--%s: a value with a line break cannot be kept in a preset", name);
    text_add_print(text, "%s = %s\n", name, value);
    return true;
}

bool preset_save(const struct invocation *invocation, struct error *error)
{
    const char *name = invocation_value(invocation, OPTION_SAVE_PRESET);
    const struct option_values *maps = &invocation->values[OPTION_MAP];
    struct text_buffer text = {0};
    char *path, *content;
    bool good = true;

    if (!name)
        return true;
    path = preset_path(name, error);
    if (!path)
        return false;
    text_add(&text, "# Options of \"stutterscope import\", used with --preset.\n");
    for (size_t i = 0; good && i < sizeof kept / sizeof *kept; i++) {
        const char *value = invocation_value(invocation, kept[i]);

        good = !value || add_line(&text, option_table[kept[i]].name, value, error);
    }
    for (size_t i = 0; good && i < maps->count && i < MOST_MAPS; i++) {
        char *numbered = memory_print("map.%zu", i + 1);

        good = add_line(&text, numbered, maps->items[i], error);
        free(numbered);
    }
    content = text_take(&text);
    good = good && path_make_parents(path, error) && path_write_all(path, content, strlen(content), error);
    free(content);
    free(path);
    return good;
}
