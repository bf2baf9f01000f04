/*
 * The three sets of characters that drawings are made of: full, narrow (only characters which no terminal
 * makes two cells wide) and ascii. Screens write the full characters; the canvas puts what its set has for
 * them.
 */
#ifndef STUTTERSCOPE_VIEW_GLYPHS_H
#define STUTTERSCOPE_VIEW_GLYPHS_H

#include <stdbool.h>
#include <stdint.h>

enum glyph_set { GLYPHS_FULL, GLYPHS_NARROW, GLYPHS_ASCII, GLYPH_SET_COUNT };

/* Characters whose stand-in depends on what they are used for, so that a code point alone does not decide. */
struct glyphs {
    const char *heat[5];  /* level 0 (blank) … 4 (worst); one column each */
    const char *bar[9];   /* lower eighths of a cell, blank … full; equal steps where the set has fewer */
    const char *spark[5]; /* value of 0 (not known) … 4 (highest) where braille is not used */
    const char *ellipsis; /* what a cut ends with */
    bool braille;         /* plots use braille; otherwise the ASCII pair . and ' */
};

const struct glyphs *glyphs_of(enum glyph_set set);

/* "full", "narrow", "ascii"; false when the name is none of them. */
bool glyph_set_parse(const char *name, enum glyph_set *ret);
const char *glyph_set_name(enum glyph_set set);

/*
 * The character to put for this one in this set; the same number of columns. In the ascii set everything that
 * has no stand-in is '?'; characters of names (Hangul, Kanji) stay as they are in the narrow set.
 */
uint32_t glyph_stand_in(enum glyph_set set, uint32_t code_point);

#endif
