/* Themes of the configuration: "[theme.NAME]" with "base = dark" and "ROLE = COLOUR on COLOUR bold". */
#include "stutterscope/view/theme.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/theme_user.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const colour_names[16] = {"black",        "red",        "green",          "yellow",        "blue",        "magenta",
                                             "cyan",         "white",      "bright-black",   "bright-red",    "bright-green", "bright-yellow",
                                             "bright-blue",  "bright-magenta", "bright-cyan", "bright-white"};
static const struct {
    const char *name;
    uint16_t flag;
} flag_names[] = {{"bold", STYLE_BOLD}, {"underline", STYLE_UNDERLINE}, {"italic", STYLE_ITALIC}, {"reverse", STYLE_REVERSE}};

enum { BACKGROUND_AWAITED = -2 }; /* "on" was read */

/* "heat 1" is written heat-1. */
static bool is_role(const char *name, enum role role)
{
    const char *own = role_name(role);

    for (; *name && *own; name++, own++)
        if (*name != *own && !(*name == '-' && *own == ' '))
            return false;
    return *name == '\0' && *own == '\0';
}

/* The nearest fixed colour of the palette; the first 16 differ from terminal to terminal. */
static int nearest(uint32_t rgb)
{
    int best = 16;
    long least = -1;

    for (int i = 16; i < 256; i++) {
        uint32_t other = colour_rgb(i);
        long red = (long)(rgb >> 16 & 0xff) - (long)(other >> 16 & 0xff);
        long green = (long)(rgb >> 8 & 0xff) - (long)(other >> 8 & 0xff), blue = (long)(rgb & 0xff) - (long)(other & 0xff);
        long distance = red * red * 3 + green * green * 6 + blue * blue;

        if (least < 0 || distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

static bool parse_colour(const char *word, int16_t *ret)
{
    char *end;

    if (strcasecmp(word, "default") == 0) {
        *ret = COLOUR_DEFAULT;
        return true;
    }
    for (int i = 0; i < 16; i++)
        if (strcasecmp(word, colour_names[i]) == 0) {
            *ret = (int16_t)i;
            return true;
        }
    if (*word == '#') {
        unsigned long rgb = strtoul(word + 1, &end, 16);

        *ret = (int16_t)nearest((uint32_t)rgb);
        return strlen(word) == 7 && *end == '\0' && strspn(word + 1, "0123456789abcdefABCDEF") == 6;
    }

    long index = strtol(word, &end, 10);

    *ret = (int16_t)index;
    return isdigit((unsigned char)*word) && *end == '\0' && index <= 255;
}

bool theme_parse_look(const char *text, struct role_look *ret, struct error *error)
{
    char *words = memory_copy_text(text), *rest = words, *word;
    bool background = false, has_foreground = false, good = true;

    *ret = (struct role_look){COLOUR_DEFAULT, COLOUR_DEFAULT, 0};
    while (good && (word = strtok_r(rest, " \t", &rest))) {
        bool flag = false;

        for (size_t i = 0; i < sizeof flag_names / sizeof *flag_names; i++)
            if (strcasecmp(word, flag_names[i].name) == 0) {
                ret->flags |= flag_names[i].flag;
                flag = true;
            }
        if (flag)
            continue;
        if (strcasecmp(word, "on") == 0 && !background)
            background = true, ret->background = BACKGROUND_AWAITED;
        else if (background || !has_foreground)
            good = parse_colour(word, background ? &ret->background : &ret->foreground);
        else
            good = false;
        has_foreground |= good && !background;
        if (!good) {
            char *clean = text_clean(word, strlen(word));

            error_set(error, ERROR_USAGE,
                      "expected COLOUR on COLOUR with bold, underline, italic, reverse; colours are default, 0 to 255, #rrggbb, "
                      "black … bright-white; found \"%s\"",
                      clean);
            free(clean);
        }
    }
    free(words);
    if (good && background && ret->background == BACKGROUND_AWAITED)
        return error_set(error, ERROR_USAGE, "expected a colour behind \"on\"");
    return good;
}

static bool read_role(struct theme *theme, const struct settings *settings, const char *setting, const char *name, struct error *error)
{
    for (int role = 0; role < ROLE_COUNT; role++)
        if (is_role(name, (enum role)role)) {
            theme->has[role] = true;
            return theme_parse_look(settings_get(settings, setting, ""), &theme->looks[role], error) ||
                   error_prefix(error, "%s: %s", settings_place(settings, setting), name);
        }

    struct text_buffer roles = {0};

    for (int role = 0; role < ROLE_COUNT; role++)
        text_add_print(&roles, "%s%s", role ? ", " : "", role_name((enum role)role));
    error_set(error, ERROR_USAGE, "%s: expected base or a role (blanks written as -), found \"%s\"; roles are: %s",
              settings_place(settings, setting), name, roles.items);
    array_free(&roles);
    return false;
}

static bool read_theme(const struct settings *settings, const char *section, struct theme *theme, bool *ret_found, struct error *error)
{
    const char *setting;
    size_t length = strlen(section);

    for (size_t i = 0; (setting = settings_name(settings, i)); i++) {
        if (strncmp(setting, section, length) != 0 || setting[length] != '.')
            continue;
        *ret_found = true;
        if (strcmp(setting + length + 1, "base") != 0) {
            if (!read_role(theme, settings, setting, setting + length + 1, error))
                return false;
        } else if (!scheme_parse(settings_get(settings, setting, ""), &theme->base)) {
            return error_set(error, ERROR_USAGE, "%s: base: expected dark, light, mono or projector, found \"%s\"",
                             settings_place(settings, setting), settings_get(settings, setting, ""));
        }
    }
    return true;
}

bool theme_choose(const char *name, const struct settings *settings, struct theme *ret, struct error *error)
{
    char *section = memory_print("theme.%s", name);
    bool found = false, good;

    memset(ret, 0, sizeof *ret);
    found = scheme_parse(name, &ret->base);
    good = read_theme(settings, section, ret, &found, error);
    free(section);
    if (good && !found)
        return error_set(error, ERROR_USAGE,
                         "theme: expected dark, light, mono, projector, colour-blind or the name of a section [theme.NAME], found \"%s\"",
                         name);
    return good;
}
