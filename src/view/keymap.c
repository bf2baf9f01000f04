#include "stutterscope/view/keymap.h"

#include "stutterscope/base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct binding {
    key_code key;
    enum action action;
    int argument;
    bool configured;
};

struct keymap {
    struct {
        struct binding *items;
        size_t count, capacity;
    } bindings; /* in the order of the actions' keys */
};

/* The two-set keyboard: Hangul compatibility letters from U+3131 on, and the key each stands on (0: a
 * cluster). */
static const char hangul_keys[] = {
    'r', 'R', 0,   's', 0,   0,   'e', 'E', 'f', 0,   0,   0,   0,   0,   0,   0,   'a',
    'q', 'Q', 0,   't', 'T', 'd', 'w', 'W', 'c', 'z', 'x', 'v', 'g', 'k', 'o', 'i', 'O',
    'j', 'p', 'u', 'P', 'h', 0,   0,   0,   'y', 'n', 0,   0,   0,   'b', 'm', 0,   'l',
};

key_code keymap_from_hangul(key_code key)
{
    if (key < 0x3131 || key >= 0x3131 + sizeof hangul_keys)
        return 0;
    return (key_code)hangul_keys[key - 0x3131];
}

/* The next word of a list of keys; false at its end. */
static bool next_word(const char **list, const char **ret_word, size_t *ret_length)
{
    *list += strspn(*list, " \t");
    *ret_word = *list;
    *ret_length = strcspn(*list, " \t");
    *list += *ret_length;
    return *ret_length > 0;
}

static const struct binding *find(const struct keymap *keymap, key_code key)
{
    for (size_t i = 0; i < keymap->bindings.count; i++)
        if (keymap->bindings.items[i].key == key)
            return &keymap->bindings.items[i];
    return NULL;
}

static void unbind_key(struct keymap *keymap, key_code key)
{
    size_t kept = 0;
    for (size_t i = 0; i < keymap->bindings.count; i++)
        if (keymap->bindings.items[i].key != key)
            keymap->bindings.items[kept++] = keymap->bindings.items[i];
    keymap->bindings.count = kept;
}

static void unbind_action(struct keymap *keymap, enum action action)
{
    size_t kept = 0;
    for (size_t i = 0; i < keymap->bindings.count; i++)
        if (keymap->bindings.items[i].action != action || keymap->bindings.items[i].configured)
            keymap->bindings.items[kept++] = keymap->bindings.items[i];
    keymap->bindings.count = kept;
}

struct keymap *keymap_create(void)
{
    struct keymap *keymap = memory_take_zeroed(1, sizeof *keymap);
    for (int action = ACTION_NONE + 1; action < ACTION_TABLE_COUNT; action++) {
        const char *list = action_info((enum action)action)->keys, *word = NULL;
        size_t length = 0;
        key_code key = 0;
        for (int argument = 1; next_word(&list, &word, &length); argument++)
            if (key_parse(word, length, &key))
                array_push(&keymap->bindings,
                           (struct binding){.key = key, .action = (enum action)action, .argument = argument});
    }
    return keymap;
}

void keymap_destroy(struct keymap *keymap)
{
    if (keymap == NULL)
        return;
    array_free(&keymap->bindings);
    free(keymap);
}

static bool configure_action(struct keymap *keymap, enum action action, const char *list, struct error *error)
{
    const char *word = NULL;
    size_t length = 0;
    unbind_action(keymap, action);
    for (int argument = 1; next_word(&list, &word, &length); argument++) {
        key_code key = 0;
        const char *name = action_info(action)->name;
        if (!key_parse(word, length, &key))
            return error_set(
                error, ERROR_USAGE,
                "setting keys.%s: expected keys such as \"j\", \"Ctrl-D\", \"PgDn\" or \"F5\", found "
                "\"%.*s\"",
                name, (int)length, word);
        const struct binding *other = find(keymap, key);
        if (other != NULL && other->configured)
            return error_set(
                error, ERROR_USAGE,
                "settings keys.%s and keys.%s both use \"%.*s\": a key has one meaning; take it out of "
                "one of them",
                action_info(other->action)->name, name, (int)length, word);
        unbind_key(keymap, key);
        array_push(&keymap->bindings,
                   (struct binding){.key = key, .action = action, .argument = argument, .configured = true});
    }
    return true;
}

bool keymap_configure(struct keymap *keymap, const struct settings *settings, struct error *error)
{
    for (int action = ACTION_NONE + 1; action < ACTION_TABLE_COUNT; action++) {
        char name[64];
        snprintf(name, sizeof name, "keys.%s", action_info((enum action)action)->name);
        const char *list = settings_get(settings, name, NULL);
        if (list != NULL && !configure_action(keymap, (enum action)action, list, error))
            return false;
    }
    return true;
}

struct keymap_match keymap_find(const struct keymap *keymap, key_code key)
{
    struct keymap_match match = {0};
    const struct binding *binding = find(keymap, key);
    if (binding == NULL && keymap_from_hangul(key) != 0) {
        binding = find(keymap, keymap_from_hangul(key));
        match.input_method = true;
    }
    if (binding != NULL) {
        match.action = binding->action;
        match.argument = binding->argument;
    }
    return match;
}

enum action keymap_find_editing(const struct keymap *keymap, key_code key)
{
    static const struct {
        key_code key;
        enum action action;
    } fixed[] = {
        {KEY_CODE_ENTER, ACTION_ENTER},
        {KEY_CODE_ESC, ACTION_BACK},
        {KEY_CODE_CONTROL('C'), ACTION_BACK},
        {KEY_CODE_BACKSPACE, ACTION_ERASE},
        {KEY_CODE_DELETE, ACTION_ERASE_NEXT},
        {KEY_CODE_CONTROL('D'), ACTION_ERASE_NEXT},
        {KEY_CODE_CONTROL('W'), ACTION_ERASE_WORD},
        {KEY_CODE_CONTROL('U'), ACTION_ERASE_ALL},
        {KEY_CODE_TAB, ACTION_COMPLETE},
        {KEY_CODE_LEFT, ACTION_LEFT},
        {KEY_CODE_CONTROL('B'), ACTION_LEFT},
        {KEY_CODE_RIGHT, ACTION_RIGHT},
        {KEY_CODE_CONTROL('F'), ACTION_RIGHT},
        {KEY_CODE_HOME, ACTION_FIRST},
        {KEY_CODE_CONTROL('A'), ACTION_FIRST},
        {KEY_CODE_END, ACTION_LAST},
        {KEY_CODE_CONTROL('E'), ACTION_LAST},
        {KEY_CODE_UP, ACTION_UP},
        {KEY_CODE_CONTROL('P'), ACTION_UP},
        {KEY_CODE_DOWN, ACTION_DOWN},
        {KEY_CODE_CONTROL('N'), ACTION_DOWN},
    };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (fixed[i].key == key)
            return fixed[i].action;
    if (key >= ' ' && key < KEY_SPECIAL_FIRST)
        return ACTION_TYPE;
    /* Redraw and suspend do not interfere with typing. */
    enum action action = keymap_find(keymap, key).action;
    return action == ACTION_REDRAW || action == ACTION_SUSPEND ? action : ACTION_NONE;
}

static char *print_keys(const struct keymap *keymap, enum action action, char *buffer, size_t size,
                        bool first_only)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < keymap->bindings.count; i++) {
        const struct binding *binding = &keymap->bindings.items[i];
        if (binding->action != action)
            continue;
        char name[16];
        key_print(name, sizeof name, binding->key);
        if (used + strlen(name) + 2 > size)
            break;
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", used ? " " : "", name);
        if (first_only)
            break;
    }
    return buffer;
}

char *keymap_print_all(const struct keymap *keymap, enum action action, char *buffer, size_t size)
{
    return print_keys(keymap, action, buffer, size, false);
}

char *keymap_print_first(const struct keymap *keymap, enum action action, char *buffer, size_t size)
{
    return print_keys(keymap, action, buffer, size, true);
}
