/* The charts that are one row high: sparkline, strip of runs, slider. */
#include "stutterscope/base/text.h"
#include "stutterscope/view/chart.h"

#include <math.h>

/* Height 1 … 4; 0 for a value that is not known. */
static int height_of(double value, double low, double high)
{
    if (isnan(value))
        return 0;
    if (!(high > low))
        return 1;
    double height = floor((value - low) / (high - low) * 4) + 1;
    return height < 1 ? 1 : height > 4 ? 4 : (int)height;
}

static void put_pair(struct canvas *canvas, int row, int column, unsigned style, int left, int right)
{
    /* Dots from the bottom up. */
    static const unsigned char left_dots[5] = {0x00, 0x40, 0x44, 0x46, 0x47};
    static const unsigned char right_dots[5] = {0x00, 0x80, 0xa0, 0xb0, 0xb8};
    const struct glyphs *glyphs = glyphs_of(canvas_glyphs(canvas));
    char text[5] = "";
    if (left == 0 && right == 0) {
        canvas_put(canvas, row, column, style, " ");
        return;
    }
    if (glyphs->braille) {
        text[text_encode(0x2800u + left_dots[left] + right_dots[right], text)] = '\0';
        canvas_put(canvas, row, column, style, text);
    } else {
        canvas_put(canvas, row, column, style, glyphs->spark[left > right ? left : right]);
    }
}

int chart_put_sparkline(struct canvas *canvas, int row, int column, unsigned style, const double *values,
                        size_t count, double low, double high)
{
    int columns = (int)((count + 1) / 2);
    for (int i = 0; i < columns; i++) {
        size_t at = (size_t)i * 2;
        int left = height_of(values[at], low, high);
        int right = at + 1 < count ? height_of(values[at + 1], low, high) : 0;
        put_pair(canvas, row, column + i, style, left, right);
    }
    return columns;
}

int chart_put_runs(struct canvas *canvas, int row, int column, unsigned style, const bool *hits, size_t count)
{
    for (size_t i = 0; i < count; i++)
        canvas_put(canvas, row, column + (int)i, style, hits[i] ? "▪" : "▫");
    return (int)count;
}

void chart_put_slider(struct canvas *canvas, int row, int column, int columns, unsigned style, double value,
                      double low, double high)
{
    if (columns < 3)
        return;
    int room = columns - 2;
    double part = high > low && !isnan(value) ? (value - low) / (high - low) * room : 0;
    int at = part < 0 ? 0 : part >= room ? room - 1 : (int)part;
    canvas_put(canvas, row, column, style, "├");
    canvas_horizontal(canvas, row, column + 1, room, style, "─");
    canvas_put(canvas, row, column + columns - 1, style, "┤");
    canvas_put(canvas, row, column + 1 + at, style | STYLE_BOLD, "●");
}
