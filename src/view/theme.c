#include "stutterscope/view/theme.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    char letter;
} roles[ROLE_COUNT] = {
    [ROLE_CHROME] = {"chrome", '.'},
    [ROLE_MUTED] = {"muted", 'm'},
    [ROLE_ANSWER] = {"answer", 'A'},
    [ROLE_TITLE] = {"title", 'T'},
    [ROLE_HEAD] = {"head", 'h'},
    [ROLE_TAB] = {"tab", 't'},
    [ROLE_TAB_ACTIVE] = {"tab active", 'X'},
    [ROLE_KEY] = {"key", 'k'},
    [ROLE_BORDER] = {"border", '-'},
    [ROLE_HEAT_1] = {"heat 1", '1'},
    [ROLE_HEAT_2] = {"heat 2", '2'},
    [ROLE_HEAT_3] = {"heat 3", '3'},
    [ROLE_HEAT_4] = {"heat 4", '4'},
    [ROLE_DECIDE] = {"decide", 'D'},
    [ROLE_DONE] = {"done", 'd'},
    [ROLE_WAIT] = {"wait", 'w'},
    [ROLE_MISSING] = {"missing", '!'},
    [ROLE_CURSOR] = {"cursor", '@'},
    [ROLE_SELECTED] = {"selected", 's'},
    [ROLE_MARKED] = {"marked", 'M'},
    [ROLE_ESTIMATE] = {"estimate", 'e'},
    [ROLE_GOOD] = {"good", 'g'},
    [ROLE_BAD] = {"bad", 'b'},
    [ROLE_WARNING] = {"warning", 'W'},
    [ROLE_STATUS] = {"status", 'S'},
    [ROLE_ERROR] = {"error", 'E'},
    [ROLE_PROMPT] = {"prompt", 'p'},
    [ROLE_MATCH] = {"match", '/'},
    [ROLE_THRESHOLD] = {"threshold", '='},
    [ROLE_BASELINE] = {"baseline", 'B'},
    [ROLE_EVENT] = {"event", 'v'},
    [ROLE_LANE_1] = {"lane 1", 'F'},
    [ROLE_LANE_2] = {"lane 2", 'C'},
    [ROLE_LANE_3] = {"lane 3", 'G'},
    [ROLE_LANE_4] = {"lane 4", 'H'},
};

static const char *const scheme_names[SCHEME_COUNT] = {"dark", "light", "mono", "projector"};

#define NO     COLOUR_DEFAULT
#define BOLD   STYLE_BOLD
#define UNDER  STYLE_UNDERLINE
#define BACK   STYLE_REVERSE
#define ITALIC STYLE_ITALIC

/* One look of a role; a row per role, so that schemes can be compared at a glance. */

struct role_looks {
    struct role_look dark, light, dark_16, light_16, plain;
};

/*
 * The heat backgrounds rise (dark) or fall (light) evenly in lightness, so that their order survives every
 * kind of colour blindness and a grey projector. Good and bad are blue and orange for the same reason.
 */
/* clang-format off */
static const struct role_looks looks[ROLE_COUNT] = {
    /*                     dark                light               dark, 16           light, 16          no colour */
    [ROLE_CHROME]     = {{NO, NO, 0},        {NO, NO, 0},        {NO, NO, 0},       {NO, NO, 0},       {NO, NO, 0}},
    [ROLE_MUTED]      = {{246, NO, 0},       {240, NO, 0},       {NO, NO, 0},       {NO, NO, 0},       {NO, NO, 0}},
    [ROLE_ANSWER]     = {{NO, NO, BOLD},     {NO, NO, BOLD},     {NO, NO, BOLD},    {NO, NO, BOLD},    {NO, NO, BOLD}},
    [ROLE_TITLE]      = {{NO, NO, BOLD},     {NO, NO, BOLD},     {NO, NO, BOLD},    {NO, NO, BOLD},    {NO, NO, BOLD}},
    [ROLE_HEAD]       = {{250, NO, 0},       {236, NO, 0},       {NO, NO, 0},       {NO, NO, 0},       {NO, NO, 0}},
    [ROLE_TAB]        = {{250, 236, 0},      {236, 253, 0},      {NO, NO, 0},       {NO, NO, 0},       {NO, NO, 0}},
    [ROLE_TAB_ACTIVE] = {{16, 252, BOLD},    {231, 236, BOLD},   {NO, NO, BOLD | BACK}, {NO, NO, BOLD | BACK},
                         {NO, NO, BOLD | BACK}},
    [ROLE_KEY]        = {{117, NO, BOLD},    {25, NO, BOLD},     {6, NO, BOLD},     {4, NO, BOLD},     {NO, NO, BOLD}},
    [ROLE_BORDER]     = {{242, NO, 0},       {245, NO, 0},       {NO, NO, 0},       {NO, NO, 0},       {NO, NO, 0}},
    [ROLE_HEAT_1]     = {{255, 19, 0},       {16, 229, 0},       {7, 4, 0},         {0, 7, 0},         {NO, NO, 0}},
    [ROLE_HEAT_2]     = {{255, 61, 0},       {16, 215, 0},       {0, 6, 0},         {0, 3, 0},         {NO, NO, 0}},
    [ROLE_HEAT_3]     = {{16, 209, 0},       {16, 168, 0},       {0, 3, 0},         {0, 6, 0},         {NO, NO, BOLD}},
    [ROLE_HEAT_4]     = {{16, 221, BOLD},    {231, 53, BOLD},    {0, 7, 0},         {7, 4, BOLD},
                         {NO, NO, BOLD | BACK}},
    [ROLE_DECIDE]     = {{NO, NO, BOLD},     {NO, NO, BOLD},     {NO, NO, BOLD},    {NO, NO, BOLD},    {NO, NO, BOLD}},
    [ROLE_DONE]       = {{NO, NO, 0},        {NO, NO, 0},        {NO, NO, 0},       {NO, NO, 0},       {NO, NO, 0}},
    [ROLE_WAIT]       = {{NO, NO, 0},        {NO, NO, 0},        {NO, NO, 0},       {NO, NO, 0},       {NO, NO, 0}},
    [ROLE_MISSING]    = {{NO, NO, BOLD | BACK}, {NO, NO, BOLD | BACK}, {NO, NO, BOLD | BACK}, {NO, NO, BOLD | BACK},
                         {NO, NO, BOLD | BACK}},
    [ROLE_CURSOR]     = {{NO, NO, BACK},     {NO, NO, BACK},     {NO, NO, BACK},    {NO, NO, BACK},    {NO, NO, BACK}},
    [ROLE_SELECTED]   = {{NO, 238, BOLD},    {NO, 252, BOLD},    {NO, NO, BACK},    {NO, NO, BACK},    {NO, NO, BACK}},
    [ROLE_MARKED]     = {{117, NO, BOLD},    {25, NO, BOLD},     {6, NO, BOLD},     {4, NO, BOLD},     {NO, NO, BOLD}},
    [ROLE_ESTIMATE]   = {{NO, NO, ITALIC},   {NO, NO, ITALIC},   {NO, NO, UNDER},   {NO, NO, UNDER},   {NO, NO, UNDER}},
    [ROLE_GOOD]       = {{75, NO, 0},        {25, NO, 0},        {6, NO, 0},        {4, NO, 0},        {NO, NO, 0}},
    [ROLE_BAD]        = {{215, NO, BOLD},    {130, NO, BOLD},    {3, NO, BOLD},     {1, NO, BOLD},     {NO, NO, BOLD}},
    [ROLE_WARNING]    = {{221, NO, BOLD},    {94, NO, BOLD},     {3, NO, BOLD},     {5, NO, BOLD},     {NO, NO, BOLD}},
    [ROLE_STATUS]     = {{NO, NO, 0},        {NO, NO, 0},        {NO, NO, 0},       {NO, NO, 0},       {NO, NO, 0}},
    [ROLE_ERROR]      = {{231, 124, BOLD},   {231, 124, BOLD},   {NO, NO, BOLD | BACK}, {NO, NO, BOLD | BACK},
                         {NO, NO, BOLD | BACK}},
    [ROLE_PROMPT]     = {{NO, 236, BOLD},    {NO, 254, BOLD},    {NO, NO, BOLD},    {NO, NO, BOLD},    {NO, NO, BOLD}},
    [ROLE_MATCH]      = {{16, 117, 0},       {16, 153, 0},       {NO, NO, UNDER},   {NO, NO, UNDER},   {NO, NO, UNDER}},
    [ROLE_THRESHOLD]  = {{221, NO, 0},       {94, NO, 0},        {3, NO, 0},        {1, NO, 0},        {NO, NO, 0}},
    [ROLE_BASELINE]   = {{246, NO, 0},       {242, NO, 0},       {NO, NO, 0},       {NO, NO, 0},       {NO, NO, 0}},
    [ROLE_EVENT]      = {{183, NO, 0},       {91, NO, 0},        {5, NO, 0},        {5, NO, 0},        {NO, NO, 0}},
    [ROLE_LANE_1]     = {{255, NO, 0},       {16, NO, 0},        {NO, NO, BOLD},    {NO, NO, BOLD},    {NO, NO, 0}},
    [ROLE_LANE_2]     = {{215, NO, 0},       {130, NO, 0},       {3, NO, 0},        {1, NO, 0},        {NO, NO, 0}},
    [ROLE_LANE_3]     = {{117, NO, 0},       {25, NO, 0},        {6, NO, 0},        {4, NO, 0},        {NO, NO, 0}},
    [ROLE_LANE_4]     = {{183, NO, 0},       {91, NO, 0},        {5, NO, 0},        {5, NO, 0},        {NO, NO, 0}},
};
/* clang-format on */

#undef NO

const char *role_help(enum role role)
{
    static const char *const helps[ROLE_COUNT] = {
        [ROLE_CHROME] = "plain text",
        [ROLE_MUTED] = "what is less important",
        [ROLE_ANSWER] = "line 3, the answer",
        [ROLE_TITLE] = "heading of a box or a block",
        [ROLE_HEAD] = "heading of a row or a column",
        [ROLE_TAB] = "tabs of line 1",
        [ROLE_TAB_ACTIVE] = "the tab of this screen",
        [ROLE_KEY] = "names of keys in hints",
        [ROLE_BORDER] = "lines and boxes",
        [ROLE_HEAT_1] = "heat of a cell, weakest",
        [ROLE_HEAT_2] = "heat of a cell",
        [ROLE_HEAT_3] = "heat of a cell",
        [ROLE_HEAT_4] = "heat of a cell, worst",
        [ROLE_DECIDE] = "marks of what is to decide",
        [ROLE_DONE] = "marks of what is decided",
        [ROLE_WAIT] = "marks of what waits for more runs",
        [ROLE_MISSING] = "a word that says what is not there",
        [ROLE_CURSOR] = "the cell at the cursor and its heads",
        [ROLE_SELECTED] = "the row at the cursor",
        [ROLE_MARKED] = "marked with Space",
        [ROLE_ESTIMATE] = "guessed, not measured",
        [ROLE_GOOD] = "better, gone",
        [ROLE_BAD] = "worse",
        [ROLE_WARNING] = "what to be careful with",
        [ROLE_STATUS] = "the status line",
        [ROLE_ERROR] = "the status line when something failed",
        [ROLE_PROMPT] = "where one types",
        [ROLE_MATCH] = "hit of a search",
        [ROLE_THRESHOLD] = "alert threshold, noise band",
        [ROLE_BASELINE] = "what is compared with",
        [ROLE_EVENT] = "marks of events",
        [ROLE_LANE_1] = "frame times",
        [ROLE_LANE_2] = "CPU",
        [ROLE_LANE_3] = "GPU",
        [ROLE_LANE_4] = "GC, draw calls",
    };
    return role < ROLE_COUNT && helps[role] ? helps[role] : "";
}

const char *role_name(enum role role)
{
    return role < ROLE_COUNT ? roles[role].name : "unknown";
}

char role_letter(enum role role)
{
    return role < ROLE_COUNT ? roles[role].letter : '?';
}

enum role role_heat(int level)
{
    if (level <= 0)
        return ROLE_CHROME;
    return (enum role)(ROLE_HEAT_1 + (level > 4 ? 4 : level) - 1);
}

const char *scheme_name(enum scheme scheme)
{
    return scheme_names[scheme];
}

bool scheme_parse(const char *name, enum scheme *ret)
{
    if (strcmp(name, "colour-blind") == 0 || strcmp(name, "color-blind") == 0) {
        *ret = SCHEME_DARK;
        return true;
    }
    for (int i = 0; i < SCHEME_COUNT; i++) {
        if (strcmp(scheme_names[i], name) == 0) {
            *ret = (enum scheme)i;
            return true;
        }
    }
    return false;
}

enum colour_depth colour_depth_of(int colours)
{
    if (colours >= 256)
        return DEPTH_256;
    if (colours >= 16)
        return DEPTH_16;
    return colours >= 8 ? DEPTH_8 : DEPTH_NONE;
}

static bool is_shade(enum role role)
{
    return role == ROLE_MUTED || role == ROLE_HEAD || role == ROLE_BORDER || role == ROLE_BASELINE || role == ROLE_SELECTED ||
           role == ROLE_TAB || role == ROLE_TAB_ACTIVE || role == ROLE_PROMPT;
}

static struct role_look look_of(enum scheme scheme, enum colour_depth depth, enum role role)
{
    const struct role_looks *row = &looks[role < ROLE_COUNT ? role : ROLE_CHROME];
    if (scheme == SCHEME_MONO || depth == DEPTH_NONE)
        return row->plain;
    bool light = scheme == SCHEME_LIGHT || scheme == SCHEME_PROJECTOR;
    if (scheme == SCHEME_PROJECTOR && is_shade(role)) /* a projector washes shades out */
        return row->plain;
    if (depth == DEPTH_256)
        return light ? row->light : row->dark;
    /* With eight colours a background takes the text's contrast away: there heat is told by glyphs and
     * weight. */
    if (depth == DEPTH_8 && role >= ROLE_HEAT_1 && role <= ROLE_HEAT_4)
        return row->plain;
    return light ? row->light_16 : row->dark_16;
}

static struct attributes attributes_of(struct role_look look, enum scheme scheme, enum colour_depth depth, unsigned style)
{
    unsigned flags = look.flags | STYLE_FLAGS(style);
    if (style & STYLE_PAINT && depth != DEPTH_NONE && scheme != SCHEME_MONO) {
        look.foreground = (int16_t)STYLE_FOREGROUND(style);
        look.background = (int16_t)STYLE_BACKGROUND(style);
    }
    return (struct attributes){
        .foreground = look.foreground,
        .background = look.background,
        .bold = (flags & STYLE_BOLD) != 0,
        .underline = (flags & STYLE_UNDERLINE) != 0,
        .italic = (flags & STYLE_ITALIC) != 0,
        /* A cursor on something reversed must still be seen: it is then plain. */
        .reverse = ((flags & STYLE_REVERSE) != 0) != ((flags & STYLE_CURSOR) != 0),
    };
}

struct attributes theme_attributes(enum scheme scheme, enum colour_depth depth, unsigned style)
{
    return attributes_of(look_of(scheme, depth, STYLE_ROLE(style)), scheme, depth, style);
}

/* A colour that the terminal does not have would come out as another one, so the scheme's own look is taken then. */
static bool has_colours(struct role_look look, enum colour_depth depth)
{
    static const int most[DEPTH_COUNT] = {[DEPTH_NONE] = 0, [DEPTH_8] = 8, [DEPTH_16] = 16, [DEPTH_256] = 256};
    return look.foreground < most[depth] && look.background < most[depth];
}

struct attributes theme_look(const struct theme *theme, enum colour_depth depth, unsigned style)
{
    enum role role = STYLE_ROLE(style);
    if (role >= ROLE_COUNT || !theme->has[role] || depth == DEPTH_NONE || theme->base == SCHEME_MONO ||
        !has_colours(theme->looks[role], depth))
        return theme_attributes(theme->base, depth, style);
    return attributes_of(theme->looks[role], theme->base, depth, style);
}

uint32_t colour_rgb(int index)
{
    static const uint32_t basic[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
                                       0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                       0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
    if (index < 0 || index > 255)
        return 0;
    if (index < 16)
        return basic[index];
    if (index >= 232) {
        uint32_t grey = 8 + 10 * (uint32_t)(index - 232);
        return grey << 16 | grey << 8 | grey;
    }
    static const uint32_t steps[6] = {0x00, 0x5f, 0x87, 0xaf, 0xd7, 0xff};
    int cube = index - 16;
    return steps[cube / 36] << 16 | steps[cube / 6 % 6] << 8 | steps[cube % 6];
}
