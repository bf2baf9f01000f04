#include "stutterscope/view/config_check.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/config.h"
#include "stutterscope/view/action.h"
#include "stutterscope/view/theme_user.h"
#include <stdlib.h>
#include <string.h>

#define NEAR_ENOUGH 3 /* more slips than that are another word */

static const char *const plain_names[] = {"theme", "glyphs", "color", "mouse", NULL};
static const char *const section_names[] = {"keys", "filters", "theme.NAME", "ticket", NULL};

/* Settings that take one of a few words and are read by nobody who would complain. */
static const struct {
    const char *name, *words[4];
} choices[] = {
    {"color", {"auto", "always", "never", NULL}},
    {"mouse", {"on", "off", NULL}},
};

struct names {
    const char **items;
    size_t count, capacity;
};

static const char *find_near(const struct names *names, const char *wanted)
{
    const char *near = NULL;
    size_t least = NEAR_ENOUGH + 1;

    for (size_t i = 0; i < names->count; i++) {
        size_t distance = text_distance(names->items[i], wanted);

        if (distance < least && distance < strlen(wanted)) {
            least = distance;
            near = names->items[i];
        }
    }
    return near;
}

/* "FILE:LINE: there is no WHAT "found"; did you mean …? The … are …". Frees the names. */
static bool refuse(const struct settings *settings, const char *setting, const char *what, const char *found,
                   struct names *names, struct error *error)
{
    const char *place = settings_place(settings, setting), *near = find_near(names, found);
    char *shown = text_clean(found, strlen(found));
    struct text_buffer all = {0};

    for (size_t i = 0; i < names->count; i++)
        text_add_print(&all, "%s%s", i ? ", " : "", names->items[i]);
    if (near)
        error_set(error, ERROR_USAGE, "%s%sthere is no %s \"%s\" (did you mean %s?); stutterscope-config(5) lists them", place,
                  *place ? ": " : "", what, shown, near);
    else if (all.count < 200)
        error_set(error, ERROR_USAGE, "%s%sthere is no %s \"%s\"; there are: %s", place, *place ? ": " : "", what, shown,
                  all.items ? all.items : "none");
    else
        error_set(error, ERROR_USAGE, "%s%sthere is no %s \"%s\"; stutterscope-config(5) lists them", place, *place ? ": " : "",
                  what, shown);
    array_free(&all);
    array_free(names);
    free(shown);
    return false;
}

static bool has(const struct names *names, const char *wanted)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], wanted) == 0)
            return true;
    return false;
}

static void add_list(struct names *names, const char *const *list)
{
    for (; *list; list++)
        array_push(names, *list);
}

static bool check_known(const struct settings *settings, const char *setting, const char *what, const char *name,
                        struct names *names, struct error *error)
{
    if (!has(names, name))
        return refuse(settings, setting, what, name, names, error);
    array_free(names);
    return true;
}

static bool check_choice(const struct settings *settings, const char *setting, struct error *error)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (strcmp(choices[i].name, setting) == 0) {
            const char *value = settings_get(settings, setting, "");
            struct names words = {0};
            char *what = memory_print("value of %s", setting);
            bool good;

            add_list(&words, choices[i].words);
            good = check_known(settings, setting, what, value, &words, error);
            free(what);
            return good;
        }
    return true;
}

static bool check_plain(const struct settings *settings, const char *setting, struct error *error)
{
    struct names names = {0};

    add_list(&names, plain_names);
    return check_known(settings, setting, "setting", setting, &names, error) && check_choice(settings, setting, error);
}

static bool check_key(const struct settings *settings, const char *setting, const char *name, struct error *error)
{
    struct names names = {0};

    for (int action = ACTION_NONE + 1; action < ACTION_TABLE_COUNT; action++)
        array_push(&names, action_info((enum action)action)->name);
    return check_known(settings, setting, "action", name, &names, error);
}

static bool check_ticket(const struct settings *settings, const char *setting, const char *name, struct error *error)
{
    struct names names = {0};

    for (const struct ticket_setting *known = ticket_settings; known->name; known++)
        array_push(&names, known->name);
    return check_known(settings, setting, "setting of [ticket]", name, &names, error);
}

/* Every theme, not only the chosen one: the next person chooses another. */
static bool check_theme(const struct settings *settings, const char *name, struct error *error)
{
    char *theme = memory_copy_bytes(name, strcspn(name, "."));
    struct theme read;
    bool good = theme_choose(theme, settings, &read, error);

    free(theme);
    return good;
}

static bool check_one(const struct settings *settings, const char *setting, struct error *error)
{
    const char *dot = strchr(setting, '.');
    struct names sections = {0};
    char *section;
    bool good;

    if (!dot)
        return check_plain(settings, setting, error);
    if (strncmp(setting, "keys.", 5) == 0)
        return check_key(settings, setting, dot + 1, error);
    if (strncmp(setting, "ticket.", 7) == 0)
        return check_ticket(settings, setting, dot + 1, error);
    if (strncmp(setting, "filters.", 8) == 0) /* any name; the prompt says which are none */
        return true;
    if (strncmp(setting, "theme.", 6) == 0 && strchr(dot + 1, '.'))
        return check_theme(settings, dot + 1, error);
    add_list(&sections, section_names);
    section = memory_copy_bytes(setting, (size_t)(dot - setting));
    good = refuse(settings, setting, "section", section, &sections, error);
    free(section);
    return good;
}

bool config_check(const struct settings *settings, struct error *error)
{
    const char *setting;

    for (size_t i = 0; (setting = settings_name(settings, i)); i++)
        if (!check_one(settings, setting, error))
            return false;
    return true;
}
