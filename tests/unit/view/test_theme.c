#include "../leftovers.h"
#include "stutterscope/view/theme.h"

#include "stutterscope/view/theme_user.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <math.h>

/* Relative luminance of sRGB, as WCAG 2 defines it. */
static double luminance(int index)
{
    uint32_t rgb = colour_rgb(index);
    double sum = 0;
    static const double weight[3] = {0.2126, 0.7152, 0.0722};
    for (int i = 0; i < 3; i++) {
        double part = (double)(rgb >> (16 - 8 * i) & 0xff) / 255;
        sum += weight[i] * (part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(struct attributes look)
{
    double a = luminance(look.foreground), b = luminance(look.background);
    return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

static double lightness(int index)
{
    double y = luminance(index);
    return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y; /* CIE L* */
}

Test(theme, palette_is_that_of_xterm)
{
    cr_assert_eq(colour_rgb(16), 0x000000);
    cr_assert_eq(colour_rgb(196), 0xff0000);
    cr_assert_eq(colour_rgb(221), 0xffd75f);
    cr_assert_eq(colour_rgb(231), 0xffffff);
    cr_assert_eq(colour_rgb(244), 0x808080);
    cr_assert_eq(colour_rgb(1000), 0);
}

Test(theme, heat_rises_in_lightness_and_its_text_can_be_read)
{
    for (int scheme = SCHEME_DARK; scheme <= SCHEME_LIGHT; scheme++) {
        double before = scheme == SCHEME_DARK ? 0 : 101;
        for (int level = 1; level <= 4; level++) {
            struct attributes look = theme_attributes((enum scheme)scheme, DEPTH_256, role_heat(level));
            double now = lightness(look.background);
            cr_assert_gt(contrast(look), 4.5, "scheme %d level %d: %f", scheme, level, contrast(look));
            cr_assert_gt(scheme == SCHEME_DARK ? now - before : before - now, level == 1 ? 0 : 14,
                         "scheme %d level %d: %f after %f", scheme, level, now, before);
            before = now;
        }
    }
}

Test(theme, without_colours_there_are_none)
{
    for (int role = 0; role < ROLE_COUNT; role++) {
        struct attributes mono = theme_attributes(SCHEME_MONO, DEPTH_256, (unsigned)role);
        struct attributes none = theme_attributes(SCHEME_DARK, DEPTH_NONE, (unsigned)role);
        cr_assert(mono.foreground == COLOUR_DEFAULT && mono.background == COLOUR_DEFAULT);
        cr_assert(none.foreground == COLOUR_DEFAULT && none.background == COLOUR_DEFAULT);
        cr_assert_eq(mono.reverse, none.reverse);
    }
}

Test(theme, every_role_has_a_name_and_a_letter_of_its_own)
{
    for (int i = 0; i < ROLE_COUNT; i++) {
        cr_assert_not_null(role_name((enum role)i), "role %d", i);
        for (int j = 0; j < i; j++)
            cr_assert_neq(role_letter((enum role)i), role_letter((enum role)j), "roles %d and %d", i, j);
    }
}

Test(theme, what_must_be_told_apart_differs_without_colour)
{
    struct attributes missing = theme_attributes(SCHEME_MONO, DEPTH_NONE, ROLE_MISSING);
    struct attributes decide = theme_attributes(SCHEME_MONO, DEPTH_NONE, ROLE_DECIDE);
    struct attributes done = theme_attributes(SCHEME_MONO, DEPTH_NONE, ROLE_DONE);
    cr_assert(missing.reverse && decide.bold && !decide.reverse && !done.bold);
    struct attributes cursor = theme_attributes(SCHEME_MONO, DEPTH_NONE, ROLE_CHROME | STYLE_CURSOR);
    struct attributes on_missing = theme_attributes(SCHEME_MONO, DEPTH_NONE, ROLE_MISSING | STYLE_CURSOR);
    cr_assert(cursor.reverse && !on_missing.reverse);
}

Test(theme, depth_follows_the_number_of_colours)
{
    cr_assert_eq(colour_depth_of(-1), DEPTH_NONE);
    cr_assert_eq(colour_depth_of(8), DEPTH_8);
    cr_assert_eq(colour_depth_of(16), DEPTH_16);
    cr_assert_eq(colour_depth_of(88), DEPTH_16);
    cr_assert_eq(colour_depth_of(256), DEPTH_256);
    cr_assert_eq(colour_depth_of(1 << 24), DEPTH_256);
}

Test(theme, projector_has_no_meaning_in_shades)
{
    for (int role = 0; role < ROLE_COUNT; role++) {
        struct attributes look = theme_attributes(SCHEME_PROJECTOR, DEPTH_256, (unsigned)role);

        if (role == ROLE_MUTED || role == ROLE_HEAD || role == ROLE_BORDER || role == ROLE_BASELINE)
            cr_expect_eq(look.foreground, COLOUR_DEFAULT, "%s", role_name((enum role)role));
    }
    cr_expect(theme_attributes(SCHEME_PROJECTOR, DEPTH_256, ROLE_SELECTED).reverse);
    cr_expect(theme_attributes(SCHEME_PROJECTOR, DEPTH_256, ROLE_CURSOR).reverse);
}

Test(theme, painted_cells_have_colours_of_their_own)
{
    struct attributes look = theme_attributes(SCHEME_DARK, DEPTH_256, STYLE_PAINTED(ROLE_CHROME, 196, 21));

    cr_expect_eq(look.foreground, 196);
    cr_expect_eq(look.background, 21);
    look = theme_attributes(SCHEME_DARK, DEPTH_NONE, STYLE_PAINTED(ROLE_CHROME, 196, 21));
    cr_expect_eq(look.foreground, COLOUR_DEFAULT);
}

Test(theme, looks_are_read_as_they_are_written)
{
    static const struct {
        const char *text;
        int foreground, background;
        unsigned flags;
    } good[] = {
        {"", COLOUR_DEFAULT, COLOUR_DEFAULT, 0},
        {"bold", COLOUR_DEFAULT, COLOUR_DEFAULT, STYLE_BOLD},
        {"117 on 16 bold underline", 117, 16, STYLE_BOLD | STYLE_UNDERLINE},
        {"on blue", COLOUR_DEFAULT, 4, 0},
        {"bright-white on default italic", 15, COLOUR_DEFAULT, STYLE_ITALIC},
        {"#ffffff on #000000", 231, 16, 0},
        {"#00ff01 reverse", 46, COLOUR_DEFAULT, STYLE_REVERSE},
    };
    static const char *const bad[] = {"256", "-1", "pink", "#12345", "#12345g", "1 2", "1 on", "on on 3", "1 on 2 3x"};
    struct role_look look;
    struct error error = {0};

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        cr_expect(theme_parse_look(good[i].text, &look, &error), "%s: %s", good[i].text, error.text);
        cr_expect_eq(look.foreground, good[i].foreground, "%s", good[i].text);
        cr_expect_eq(look.background, good[i].background, "%s", good[i].text);
        cr_expect_eq(look.flags, good[i].flags, "%s", good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(theme_parse_look(bad[i], &look, &error), "%s", bad[i]);
}

Test(theme, themes_of_the_configuration)
{
    char path[] = "/tmp/stutterscope-theme-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    struct settings *settings = settings_create();
    struct theme theme;
    struct error error = {0};
    char want[200];

    leftover_note(path);
    fputs("theme = night\n[theme.night]\nbase = light\nheat-4 = 16 on 196 bold\nkey = 3\n[theme.bad]\nheat-9 = 1\n"
          "[theme.worse]\nkey = pink\n[theme.dark]\nkey = 200\n",
          file);
    fclose(file);
    cr_assert(settings_read_file(settings, path, &error), "%s", error.text);
    cr_assert(theme_choose("night", settings, &theme, &error), "%s", error.text);
    cr_expect_eq(theme.base, SCHEME_LIGHT);
    cr_expect_eq(theme_look(&theme, DEPTH_256, ROLE_HEAT_4).background, 196);
    cr_expect(theme_look(&theme, DEPTH_256, ROLE_HEAT_4 | STYLE_CURSOR).reverse);
    cr_expect_eq(theme_look(&theme, DEPTH_256, ROLE_HEAT_3).background,
                 theme_attributes(SCHEME_LIGHT, DEPTH_256, ROLE_HEAT_3).background, "what is not said is the base's");
    cr_expect_neq(theme_look(&theme, DEPTH_16, ROLE_HEAT_4).background, 196, "16 colours have no 196");
    cr_expect_eq(theme_look(&theme, DEPTH_16, ROLE_KEY).foreground, 3);
    cr_expect_eq(theme_look(&theme, DEPTH_NONE, ROLE_KEY).foreground, COLOUR_DEFAULT);
    cr_assert(theme_choose("dark", settings, &theme, &error), "%s", error.text);
    cr_expect_eq(theme_look(&theme, DEPTH_256, ROLE_KEY).foreground, 200, "a scheme can be changed under its own name");
    cr_expect_not(theme_choose("bad", settings, &theme, &error));
    snprintf(want, sizeof want, "%s:7: expected base or a role", path);
    cr_expect_eq(strncmp(error.text, want, strlen(want)), 0, "%s", error.text);
    cr_expect_not(theme_choose("worse", settings, &theme, &error));
    snprintf(want, sizeof want, "%s:9: key: expected COLOUR", path);
    cr_expect_eq(strncmp(error.text, want, strlen(want)), 0, "%s", error.text);
    cr_expect_not(theme_choose("nope", settings, &theme, &error));
    cr_assert(theme_choose("colour-blind", settings, &theme, &error));
    cr_expect_eq(theme.base, SCHEME_DARK);
    settings_destroy(settings);
    unlink(path);
}
