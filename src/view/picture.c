#include "stutterscope/view/picture.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

/* Pixels; the width of a column is stretched or squeezed to this whatever the font. */
enum { CELL_WIDTH = 9, CELL_HEIGHT = 18, BASELINE = 14 };
#define FONT_SIZE "14.9" /* columns of most fonts take 0.6 of it */
#define FONTS "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"

/* What the theme leaves to the terminal. */
static const struct {
    uint32_t foreground, background;
} defaults[SCHEME_COUNT] = {[SCHEME_DARK] = {0xd8d8d8, 0x1c1c1c},
                            [SCHEME_LIGHT] = {0x1c1c1c, 0xffffff},
                            [SCHEME_PROJECTOR] = {0x000000, 0xffffff},
                            [SCHEME_MONO] = {0x000000, 0xffffff}};

struct look {
    uint32_t foreground, background;
    bool bold, italic, underline;
};

static struct look look_of(enum scheme scheme, unsigned style)
{
    struct attributes attributes = theme_attributes(scheme, DEPTH_256, style);
    struct look look = {defaults[scheme].foreground, defaults[scheme].background, attributes.bold,
                        attributes.italic, attributes.underline};

    if (attributes.foreground != COLOUR_DEFAULT)
        look.foreground = colour_rgb(attributes.foreground);
    if (attributes.background != COLOUR_DEFAULT)
        look.background = colour_rgb(attributes.background);
    if (attributes.reverse) {
        uint32_t kept = look.foreground;

        look.foreground = look.background;
        look.background = kept;
    }
    return look;
}

static bool looks_alike(const struct look *a, const struct look *b)
{
    return a->foreground == b->foreground && a->background == b->background && a->bold == b->bold &&
           a->italic == b->italic && a->underline == b->underline;
}

static void add_escaped(struct text_buffer *out, const char *text)
{
    for (; *text; text++)
        if (*text == '<')
            text_add(out, "&lt;");
        else if (*text == '>')
            text_add(out, "&gt;");
        else if (*text == '&')
            text_add(out, "&amp;");
        else if (*text == '"')
            text_add(out, "&quot;");
        else
            text_add_bytes(out, text, 1);
}

/* Cells that stand beside each other and look the same; a wide character is a run of its own, so that columns
 * hold. */
struct run {
    int row, column, columns;
    struct look look;
    struct text_buffer text;
};

static bool is_wide(const struct canvas_cell *cell)
{
    return cell->width == 2;
}

static int take_run(const struct canvas *canvas, enum scheme scheme, int row, int column, struct run *run)
{
    const struct canvas_cell *cell = canvas_cell(canvas, row, column);
    int end = column;

    *run = (struct run){.row = row, .column = column, .look = look_of(scheme, cell->style)};
    for (; end < canvas_columns(canvas); end++) {
        struct look look;

        cell = canvas_cell(canvas, row, end);
        look = look_of(scheme, cell->style);
        if (end > column && (!looks_alike(&look, &run->look) || is_wide(cell)))
            break;
        text_add(&run->text, cell->text);
        if (is_wide(cell)) {
            end += 2;
            break;
        }
    }
    run->columns = end - column;
    return end;
}

/* Text between gaps of two blanks is placed on its own, for renderers that do not stretch text to its length. */
static void add_svg_text(struct text_buffer *out, const struct run *run, int column, const char *text, size_t length)
{
    char *piece = memory_copy_bytes(text, length);
    int x = column * CELL_WIDTH, width = (int)text_width(piece) * CELL_WIDTH;

    text_add_print(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#%06x\"", x,
                   run->row * CELL_HEIGHT + BASELINE, width, run->look.foreground);
    text_add(out, run->look.bold ? " font-weight=\"bold\"" : "");
    text_add(out, run->look.italic ? " font-style=\"italic\"" : "");
    text_add(out, run->look.underline ? " text-decoration=\"underline\"" : "");
    text_add(out, ">");
    add_escaped(out, piece);
    text_add(out, "</text>\n");
    free(piece);
}

static void add_svg_run(struct text_buffer *out, const struct run *run, enum scheme scheme)
{
    int x = run->column * CELL_WIDTH, y = run->row * CELL_HEIGHT, column = run->column;

    if (run->look.background != defaults[scheme].background)
        text_add_print(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", x, y, run->columns * CELL_WIDTH, CELL_HEIGHT,
                       run->look.background);
    for (const char *at = run->text.items ? run->text.items : ""; *at;) {
        size_t blanks = strspn(at, " "), length;
        const char *gap;
        char *piece;

        column += (int)blanks;
        at += blanks;
        if (!*at)
            break;
        gap = strstr(at, "  ");
        length = gap ? (size_t)(gap - at) : strlen(at);
        add_svg_text(out, run, column, at, length);
        piece = memory_copy_bytes(at, length);
        column += (int)text_width(piece);
        free(piece);
        at += length;
    }
}

char *picture_svg(const struct canvas *canvas, enum scheme scheme, const char *title)
{
    struct text_buffer out = {0};
    int width = canvas_columns(canvas) * CELL_WIDTH, height = canvas_rows(canvas) * CELL_HEIGHT;

    text_add_print(&out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
                   "%d\" role=\"img\" "
                   "font-family=\"" FONTS "\" font-size=\"" FONT_SIZE "\" xml:space=\"preserve\">\n<title>",
                   width, height, width, height);
    add_escaped(&out, title);
    text_add_print(&out, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", width, height,
                   defaults[scheme].background);
    for (int row = 0; row < canvas_rows(canvas); row++)
        for (int column = 0; column < canvas_columns(canvas);) {
            struct run run;

            column = take_run(canvas, scheme, row, column, &run);
            add_svg_run(&out, &run, scheme);
            array_free(&run.text);
        }
    text_add(&out, "</svg>\n");
    return text_take(&out);
}

static void add_html_run(struct text_buffer *out, const struct run *run, enum scheme scheme)
{
    bool plain = run->look.foreground == defaults[scheme].foreground &&
                 run->look.background == defaults[scheme].background && !run->look.bold &&
                 !run->look.italic && !run->look.underline;

    if (!plain)
        text_add_print(out, "<span style=\"color:#%06x;background:#%06x%s%s%s\">", run->look.foreground,
                       run->look.background, run->look.bold ? ";font-weight:bold" : "",
                       run->look.italic ? ";font-style:italic" : "",
                       run->look.underline ? ";text-decoration:underline" : "");
    add_escaped(out, run->text.items ? run->text.items : "");
    text_add(out, plain ? "" : "</span>");
}

char *picture_html(const struct canvas *canvas, enum scheme scheme, const char *title)
{
    struct text_buffer out = {0};

    text_add(&out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    add_escaped(&out, title);
    text_add_print(&out,
                   "</title>\n</head>\n<body style=\"margin:0;background:#%06x\">\n<pre "
                   "style=\"margin:1em;color:#%06x;font:" FONT_SIZE "px/1.2 " FONTS "\">\n",
                   defaults[scheme].background, defaults[scheme].foreground);
    for (int row = 0; row < canvas_rows(canvas); row++) {
        for (int column = 0; column < canvas_columns(canvas);) {
            struct run run;

            column = take_run(canvas, scheme, row, column, &run);
            add_html_run(&out, &run, scheme);
            array_free(&run.text);
        }
        text_add(&out, "\n");
    }
    text_add(&out, "</pre>\n</body>\n</html>\n");
    return text_take(&out);
}

static bool is_page(const char *name)
{
    return text_ends_with(name, ".html") || text_ends_with(name, ".htm");
}

bool picture_is_name(const char *name)
{
    return text_ends_with(name, ".svg") || is_page(name);
}

char *picture_for_file(const struct canvas *canvas, enum scheme scheme, const char *title, const char *name)
{
    if (text_ends_with(name, ".svg"))
        return picture_svg(canvas, scheme, title);
    if (is_page(name))
        return picture_html(canvas, scheme, title);
    return canvas_dump_text(canvas);
}
