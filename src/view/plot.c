#include "plot.h"

#include "stutterscope/base/memory.h"
#include <stdlib.h>

struct plot_cell {
    unsigned char dots; /* a bit per dot: numbering of Unicode's braille patterns; ASCII: 1 upper, 2 lower */
    unsigned style;
};

struct plot {
    struct area area;
    bool braille;
    struct plot_cell *cells;
};

/* [column][row from the top] */
static const unsigned char braille_dots[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};

struct plot *plot_create(struct area area, enum glyph_set glyphs)
{
    struct plot *plot = memory_take_zeroed(1, sizeof *plot);
    plot->area = area;
    plot->braille = glyphs_of(glyphs)->braille;
    plot->cells = memory_take_zeroed((size_t)area.rows * (size_t)area.columns + 1, sizeof *plot->cells);
    return plot;
}

void plot_destroy(struct plot *plot)
{
    if (plot == NULL)
        return;
    free(plot->cells);
    free(plot);
}

int plot_columns(const struct plot *plot)
{
    return plot->area.columns * (plot->braille ? 2 : 1);
}

int plot_rows(const struct plot *plot)
{
    return plot->area.rows * (plot->braille ? 4 : 2);
}

void plot_set(struct plot *plot, int x, int y, unsigned style)
{
    if (x < 0 || y < 0 || x >= plot_columns(plot) || y >= plot_rows(plot))
        return;
    int column = plot->braille ? x / 2 : x, row = y / (plot->braille ? 4 : 2);
    struct plot_cell *cell = &plot->cells[row * plot->area.columns + column];
    cell->dots |= plot->braille ? braille_dots[x % 2][y % 4] : (unsigned char)(1 << y % 2);
    cell->style = style;
}

void plot_put(const struct plot *plot, struct canvas *canvas)
{
    static const char pair[4] = {' ', '\'', '.', ':'};
    for (int row = 0; row < plot->area.rows; row++) {
        for (int column = 0; column < plot->area.columns; column++) {
            const struct plot_cell *cell = &plot->cells[row * plot->area.columns + column];
            if (cell->dots == 0)
                continue;
            canvas_put_character(canvas, plot->area.row + row, plot->area.column + column, cell->style,
                                 plot->braille ? 0x2800u + cell->dots : (uint32_t)pair[cell->dots & 3]);
        }
    }
}
