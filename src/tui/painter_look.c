/* How cells look: the bytes that bring a terminal from one look to another. */
#include "painter_parts.h"

#include <stdio.h>
#include <stdlib.h>

void painter_add_capability(struct text_buffer *out, const char *capability)
{
    for (const char *at = capability; *at;) {
        const char *padding = strstr(at, "$<");
        size_t length = padding ? (size_t)(padding - at) : strlen(at);
        text_add_bytes(out, at, length);
        at += length;
        at = *at ? at + strcspn(at, ">") : at;
        at += *at == '>';
    }
}

void painter_add_expanded(const struct painter *painter, struct text_buffer *out, const char *capability, int first, int second)
{
    const char *expanded = *capability ? painter->language.expand(capability, first, second) : NULL;
    if (expanded)
        painter_add_capability(out, expanded);
}

static int colour_value(const struct painter_language *language, int index)
{
    if (language->swaps_colours && index < 8)
        return (index & 2) | (index & 1) << 2 | (index & 4) >> 2;
    if (!language->direct || index < 8)
        return index;
    int rgb = (int)colour_rgb(index);
    return rgb < 8 ? 8 : rgb; /* 0 … 7 are the palette */
}

static void know_colour(const struct painter *painter, const char *capability, int16_t *colour, char bytes[COLOUR_SIZE])
{
    struct text_buffer out = {0};
    bytes[0] = '\0';
    if (*colour < painter->language.colours && *colour != COLOUR_DEFAULT)
        painter_add_expanded(painter, &out, capability, colour_value(&painter->language, *colour), 0);
    if (out.count > 0 && out.count < COLOUR_SIZE)
        memcpy(bytes, out.items, out.count + 1);
    else
        *colour = COLOUR_DEFAULT;
    free(out.items);
}

/* What the terminal cannot show is not asked for, so that what is known of its state stays true. */
static struct attributes possible(const struct painter_language *language, struct attributes look)
{
    bool coloured = look.foreground != COLOUR_DEFAULT || look.background != COLOUR_DEFAULT;
    unsigned refused = coloured ? language->uncoloured : 0;
    if (look.italic && *language->italic == '\0') {
        look.italic = false;
        look.underline = true;
    }
    look.bold = look.bold && *language->bold && !(refused & STYLE_BOLD);
    look.underline = look.underline && *language->underline && !(refused & STYLE_UNDERLINE);
    look.italic = look.italic && !(refused & STYLE_ITALIC);
    look.reverse = look.reverse && *language->reverse;
    if (look.reverse && (refused & STYLE_REVERSE)) /* where the cursor is has to be seen */
        look.foreground = look.background = COLOUR_DEFAULT;
    return look;
}

const struct known_look painter_no_look = {.attributes = {.foreground = COLOUR_DEFAULT, .background = COLOUR_DEFAULT}};

const struct known_look *painter_look_of(struct painter *painter, unsigned style)
{
    struct known_look *known = &painter->looks[style * 2654435761u >> 24];
    if (style == NO_STYLE)
        return &painter_no_look;
    if (known->known && known->style == style)
        return known;
    const struct painter_language *language = &painter->language;
    known->style = style;
    known->known = true;
    known->attributes = possible(language, theme_look(&language->theme, language->depth, style));
    know_colour(painter, language->foreground, &known->attributes.foreground, known->foreground);
    know_colour(painter, language->background, &known->attributes.background, known->background);
    return known;
}

static bool is_same_look(const struct attributes *a, const struct attributes *b)
{
    return a->foreground == b->foreground && a->background == b->background && a->bold == b->bold &&
           a->underline == b->underline && a->italic == b->italic && a->reverse == b->reverse;
}

static bool loses_attribute(const struct attributes *from, const struct attributes *to)
{
    return (from->bold && !to->bold) || (from->underline && !to->underline) || (from->italic && !to->italic) ||
           (from->reverse && !to->reverse);
}

static bool loses_colour(const struct attributes *from, const struct attributes *to)
{
    return (from->foreground != COLOUR_DEFAULT && to->foreground == COLOUR_DEFAULT) ||
           (from->background != COLOUR_DEFAULT && to->background == COLOUR_DEFAULT);
}

void painter_become_plain(struct painter *painter, struct text_buffer *out)
{
    if (!is_same_look(&painter->look, &painter_no_look.attributes))
        text_add(out, painter->plain);
    painter->look = painter_no_look.attributes;
    painter->style = NO_STYLE;
}

void painter_change_look(struct painter *painter, const struct known_look *known, struct text_buffer *out)
{
    const struct painter_language *language = &painter->language;
    struct attributes *now = &painter->look;
    const struct attributes *to = &known->attributes;
    bool loses = loses_colour(now, to);
    if (loses_attribute(now, to) || (loses && *language->plain_colours == '\0')) {
        painter_become_plain(painter, out);
    } else if (loses) {
        painter_add_capability(out, language->plain_colours);
        now->foreground = now->background = COLOUR_DEFAULT;
    }
    if (to->bold && !now->bold)
        painter_add_capability(out, language->bold);
    if (to->underline && !now->underline)
        painter_add_capability(out, language->underline);
    if (to->italic && !now->italic)
        painter_add_capability(out, language->italic);
    if (to->reverse && !now->reverse)
        painter_add_capability(out, language->reverse);
    if (to->foreground != now->foreground)
        text_add(out, known->foreground);
    if (to->background != now->background)
        text_add(out, known->background);
    *now = *to;
}
