/*
 * What roles look like: role × scheme × depth of colour → attributes, as plain data. Screens name roles,
 * never colours, and no role is told by colour alone.
 */
#ifndef STUTTERSCOPE_VIEW_THEME_H
#define STUTTERSCOPE_VIEW_THEME_H

#include <stdbool.h>
#include <stdint.h>

enum role {
    ROLE_CHROME, /* plain text; also what is not drawn on */
    ROLE_MUTED,  /* less important; never the only carrier of a meaning */
    ROLE_ANSWER, /* line 3 */
    ROLE_TITLE,  /* heading of a box or a block */
    ROLE_HEAD,   /* heading of a row or a column */
    ROLE_TAB,    /* tabs of line 1 */
    ROLE_TAB_ACTIVE,
    ROLE_KEY,    /* key names in hints */
    ROLE_BORDER, /* lines and boxes */
    ROLE_HEAT_1, /* background of a heatmap cell, weakest … */
    ROLE_HEAT_2,
    ROLE_HEAT_3,
    ROLE_HEAT_4,   /* … worst */
    ROLE_DECIDE,   /* * ^ ! ? : somebody must decide */
    ROLE_DONE,     /* # = : decided */
    ROLE_WAIT,     /* ' : wait for more runs */
    ROLE_MISSING,  /* a word that says what is not there; parts of a line with this role are cut last */
    ROLE_CURSOR,   /* the cell at the cursor, and its row and column head */
    ROLE_SELECTED, /* the row at the cursor of a list */
    ROLE_MARKED,   /* marked with Space */
    ROLE_ESTIMATE, /* guessed, not measured */
    ROLE_GOOD,
    ROLE_BAD,
    ROLE_WARNING,
    ROLE_STATUS, /* status line */
    ROLE_ERROR,  /* status line, something failed */
    ROLE_PROMPT,
    ROLE_MATCH,     /* hit of a search */
    ROLE_THRESHOLD, /* alert threshold, noise band */
    ROLE_BASELINE,  /* what is compared with */
    ROLE_EVENT,     /* event marks of a chart */
    ROLE_LANE_1,    /* chart lanes: frame time, … */
    ROLE_LANE_2,    /* CPU */
    ROLE_LANE_3,    /* GPU */
    ROLE_LANE_4,    /* GC, draw calls */
    ROLE_COUNT
};

/*
 * A style is a role with flags or-ed to it; every drawing function takes one. Flags come on top of the role:
 * ROLE_HEAT_3 | STYLE_CURSOR is a warm cell that the cursor is on. A style is an unsigned.
 */
enum style_flag {
    STYLE_BOLD = 0x100,
    STYLE_UNDERLINE = 0x200,
    STYLE_REVERSE = 0x400,
    STYLE_ITALIC = 0x800,
    STYLE_CURSOR = 0x1000, /* reversed, whatever the role */
    STYLE_PAINT = 0x2000   /* colours of its own, see below */
};
#define STYLE_ROLE(value)  ((enum role)((value)&0xff))
#define STYLE_FLAGS(value) ((value) & ~0xffu)

/* Colours of the palette (0 … 255) in place of the role's: for pictures, where a colour is no meaning. */
#define STYLE_PAINTED(role, foreground, background)                                                          \
    ((unsigned)(role) | STYLE_PAINT | (unsigned)(foreground) << 16 | (unsigned)(background) << 24)
#define STYLE_FOREGROUND(value) ((value) >> 16 & 0xff)
#define STYLE_BACKGROUND(value) ((value) >> 24 & 0xff)

/* "answer", "heat 1", … and one letter each for role maps ('.' for ROLE_CHROME). */
const char *role_name(enum role role);
char role_letter(enum role role);
const char *role_help(enum role role); /* for the manual */
/* Heat role of level 1 … 4; ROLE_CHROME for 0. */
enum role role_heat(int level);

/*
 * Dark and light are made for every kind of colour vision; projector is light with full contrast and no meaning in
 * shades.
 */
enum scheme { SCHEME_DARK, SCHEME_LIGHT, SCHEME_MONO, SCHEME_PROJECTOR, SCHEME_COUNT };
const char *scheme_name(enum scheme scheme);
/* "dark", "light", "mono", "projector"; "colour-blind" is dark. false when the name is none of them. */
bool scheme_parse(const char *name, enum scheme *ret);

enum colour_depth { DEPTH_NONE, DEPTH_8, DEPTH_16, DEPTH_256, DEPTH_COUNT };
/* The depth for a terminal with that many colours (0, 8, 16, 88, 256, 16777216). */
enum colour_depth colour_depth_of(int colours);

#define COLOUR_DEFAULT (-1)
struct attributes {
    int16_t foreground, background; /* index into the terminal's palette, or COLOUR_DEFAULT */
    bool bold, underline, italic, reverse;
};

struct role_look {
    int16_t foreground, background; /* COLOUR_DEFAULT or an index */
    uint16_t flags;                 /* STYLE_BOLD, … */
};
/* A scheme with looks of the user's own over it. Those count where the terminal has their colours. */
struct theme {
    enum scheme base;
    bool has[ROLE_COUNT];
    struct role_look looks[ROLE_COUNT];
};
struct attributes theme_look(const struct theme *theme, enum colour_depth depth, unsigned style);

/* How a style looks. SCHEME_MONO and DEPTH_NONE give no colours. */
struct attributes theme_attributes(enum scheme scheme, enum colour_depth depth, unsigned style);
/* The colour 0 … 255 of the xterm palette as 0xRRGGBB (16 … 255 are fixed; 0 … 15 as xterm has them). */
uint32_t colour_rgb(int index);

#endif
