#include "stutterscope/view/glyphs.h"

#include <stddef.h>
#include <string.h>

static const struct glyphs sets[GLYPH_SET_COUNT] = {
    [GLYPHS_FULL] = {.heat = {" ", "░", "▒", "▓", "█"},
                     .bar = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
                     .spark = {" ", "▁", "▃", "▅", "█"},
                     .ellipsis = "…",
                     .braille = true},
    [GLYPHS_NARROW] = {.heat = {" ", "░", ":", "%", "@"},
                       .bar = {" ", "⣀", "⣀", "⣤", "⣤", "⣶", "⣶", "⣿", "⣿"},
                       .spark = {" ", "⣀", "⣤", "⣶", "⣿"},
                       .ellipsis = "~",
                       .braille = true},
    [GLYPHS_ASCII] = {.heat = {" ", ".", ":", "%", "@"},
                      .bar = {" ", "_", "_", "_", "=", "=", "=", "#", "#"},
                      .spark = {" ", "_", "-", "=", "#"},
                      .ellipsis = "~",
                      .braille = false},
};

static const char *const names[GLYPH_SET_COUNT] = {"full", "narrow", "ascii"};

/* Sorted by code point. Narrow: a stand-in only where East Asian Width says "ambiguous". */
static const struct stand_in {
    uint32_t code_point, narrow, ascii;
} stand_ins[] = {
    {0x00a0, ' ', ' '},    {0x00a7, 'S', 'S'},     {0x00b0, 'o', 'o'},    {0x00b1, '~', '~'},
    {0x00b2, '2', '2'},    {0x00b5, 0x00b5, 'u'},  {0x00b7, '.', '.'},    {0x00d7, 'x', 'x'},
    {0x0394, 'D', 'D'},    {0x03a3, 'S', 'S'},     {0x03c3, 's', 's'},    {0x2013, '-', '-'},
    {0x2014, '-', '-'},    {0x2018, '\'', '\''},   {0x2019, '\'', '\''},  {0x201c, '"', '"'},
    {0x201d, '"', '"'},    {0x2026, '~', '~'},     {0x2190, '<', '<'},    {0x2191, '^', '^'},
    {0x2192, '>', '>'},    {0x2193, 'v', 'v'},     {0x2194, '-', '-'},    {0x2211, 'S', 'S'},
    {0x2212, 0x2212, '-'}, {0x221a, 'V', 'V'},     {0x2248, '~', '~'},    {0x2260, '#', '#'},
    {0x2264, '<', '<'},    {0x2265, '>', '>'},     {0x2308, 0x2308, '['}, {0x2309, 0x2309, ']'},
    {0x2500, 0x2812, '-'}, {0x2502, 0x2847, '|'},  {0x250c, '+', '+'},    {0x2510, '+', '+'},
    {0x2514, '+', '+'},    {0x2518, '+', '+'},     {0x251c, '+', '+'},    {0x2524, '+', '+'},
    {0x252c, '+', '+'},    {0x2534, '+', '+'},     {0x253c, '+', '+'},    {0x254c, 0x254c, '-'},
    {0x254e, 0x254e, ':'}, {0x2575, 0x2575, '\''}, {0x2577, 0x2577, '.'}, {0x2581, 0x28c0, '_'},
    {0x2582, 0x28c0, '_'}, {0x2583, 0x28e4, '_'},  {0x2584, 0x28e4, '='}, {0x2585, 0x28f6, '='},
    {0x2586, 0x28f6, '='}, {0x2587, 0x28ff, '#'},  {0x2588, 0x28ff, '#'}, {0x2591, 0x2591, '.'},
    {0x2592, ':', ':'},    {0x2593, '%', '%'},     {0x25aa, 0x25aa, '#'}, {0x25ab, 0x25ab, '.'},
    {0x25b2, 0x25b4, '^'}, {0x25b4, 0x25b4, '^'},  {0x25b6, 0x25b8, '>'}, {0x25b8, 0x25b8, '>'},
    {0x25bc, 0x25be, 'v'}, {0x25be, 0x25be, 'v'},  {0x25c0, 0x25c2, '<'}, {0x25c2, 0x25c2, '<'},
    {0x25cb, 'o', 'o'},    {0x25cf, '@', '@'},     {0x2713, 0x2713, '+'}, {0x2717, 0x2717, 'x'},
    {0x2800, 0x2800, ' '}, {0xfffd, '?', '?'},
};

const struct glyphs *glyphs_of(enum glyph_set set)
{
    return &sets[set];
}

bool glyph_set_parse(const char *name, enum glyph_set *ret)
{
    for (int i = 0; i < GLYPH_SET_COUNT; i++) {
        if (strcmp(names[i], name) == 0) {
            *ret = (enum glyph_set)i;
            return true;
        }
    }
    return false;
}

const char *glyph_set_name(enum glyph_set set)
{
    return names[set];
}

static const struct stand_in *find_stand_in(uint32_t code_point)
{
    size_t low = 0, high = sizeof stand_ins / sizeof *stand_ins;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (stand_ins[middle].code_point == code_point)
            return &stand_ins[middle];
        if (stand_ins[middle].code_point < code_point)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

uint32_t glyph_stand_in(enum glyph_set set, uint32_t code_point)
{
    if (code_point < 0x80 || set == GLYPHS_FULL)
        return code_point;
    const struct stand_in *found = find_stand_in(code_point);
    if (set == GLYPHS_NARROW)
        return found ? found->narrow : code_point;
    return found ? found->ascii : '?';
}
