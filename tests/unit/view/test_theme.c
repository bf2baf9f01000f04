#include "stutterscope/view/theme.h"

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
