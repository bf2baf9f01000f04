#include "stutterscope/view/picture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct canvas *make_canvas(void)
{
    struct canvas *canvas = canvas_create(2, 20, GLYPHS_FULL);

    canvas_put(canvas, 0, 1, ROLE_CHROME, "a<b & \"c\"");
    canvas_put(canvas, 1, 0, ROLE_HEAT_4, "▓92");
    canvas_put(canvas, 1, 6, ROLE_CHROME, "갤럭시");
    canvas_put(canvas, 1, 15, ROLE_TITLE | STYLE_CURSOR, "x");
    return canvas;
}

/* Columns are 9, rows 18 pixels. Heat 4 of the dark theme is 16 on 221: #000000 on #ffd75f, bold. */
Test(picture, svg_places_text_by_columns_and_escapes_it)
{
    struct canvas *canvas = make_canvas();
    char *svg = picture_svg(canvas, SCHEME_DARK, "Map & <more>");

    cr_expect_eq(strncmp(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"180\" height=\"36\"", 60), 0);
    cr_expect_not_null(strstr(svg, "<title>Map &amp; &lt;more&gt;</title>"));
    cr_expect_not_null(strstr(svg, "<text x=\"9\" y=\"14\" textLength=\"81\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#d8d8d8\">a&lt;b &amp; &quot;c&quot;</text>"));
    cr_expect_not_null(strstr(svg, "<rect x=\"0\" y=\"18\" width=\"27\" height=\"18\" fill=\"#ffd75f\"/>"));
    cr_expect_not_null(strstr(svg, "fill=\"#000000\" font-weight=\"bold\">▓92</text>"));
    cr_expect_not_null(strstr(svg, "<text x=\"54\" y=\"32\" textLength=\"18\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#d8d8d8\">갤</text>"),
                       "two columns each");
    cr_expect_not_null(strstr(svg, "<text x=\"72\" y=\"32\" textLength=\"18\""));
    cr_expect_not_null(strstr(svg, "<rect x=\"135\" y=\"18\" width=\"9\" height=\"18\" fill=\"#d8d8d8\"/>"), "the cursor is reversed");
    free(svg);
    canvas_destroy(canvas);
}

Test(picture, text_after_a_gap_stands_where_it_belongs)
{
    struct canvas *canvas = canvas_create(1, 20, GLYPHS_FULL);
    char *svg;

    canvas_put(canvas, 0, 0, ROLE_CHROME, "one");
    canvas_put(canvas, 0, 10, ROLE_CHROME, "ten");
    svg = picture_svg(canvas, SCHEME_LIGHT, "t");
    cr_expect_not_null(strstr(svg, "<text x=\"90\" y=\"14\" textLength=\"27\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#1c1c1c\">ten</text>"));
    free(svg);
    canvas_destroy(canvas);
}

Test(picture, html_needs_nothing_else)
{
    struct canvas *canvas = make_canvas();
    char *html = picture_html(canvas, SCHEME_DARK, "Map");

    cr_expect_eq(strncmp(html, "<!DOCTYPE html>", 15), 0);
    cr_expect_not_null(strstr(html, " a&lt;b &amp; &quot;c&quot;"));
    cr_expect_not_null(strstr(html, "<span style=\"color:#000000;background:#ffd75f;font-weight:bold\">▓92</span>"));
    cr_expect_null(strstr(html, "http"), "nothing is loaded from anywhere");
    free(html);
    canvas_destroy(canvas);
}

Test(picture, the_ending_of_the_name_decides)
{
    struct canvas *canvas = make_canvas();
    static const struct {
        const char *name, *begin;
    } files[] = {{"a.svg", "<svg"}, {"A.SVG", "<svg"}, {"a.html", "<!DOCTYPE"}, {"a.htm", "<!DOCTYPE"}, {"a.txt", " a<b"}, {"svg", " a<b"}, {".svg", " a<b"}};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *text = picture_for_file(canvas, SCHEME_DARK, "t", files[i].name);

        cr_expect_eq(strncmp(text, files[i].begin, strlen(files[i].begin)), 0, "%s", files[i].name);
        free(text);
    }
    canvas_destroy(canvas);
}
