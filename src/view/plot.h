/*
 * A raster of dots, several to a cell, on the way from numbers to characters. Only chart.c uses it.
 */
#ifndef SRC_VIEW_PLOT_H
#define SRC_VIEW_PLOT_H

#include "stutterscope/view/canvas.h"

struct plot;

struct plot *plot_create(struct area area, enum glyph_set glyphs);
void plot_destroy(struct plot *plot);
int plot_columns(const struct plot *plot); /* dots */
int plot_rows(const struct plot *plot);
/* y counts from the top. The last style of a cell wins. Dots outside are left out. */
void plot_set(struct plot *plot, int x, int y, unsigned style);
/* Puts the cells that have dots; the others stay as they are. */
void plot_put(const struct plot *plot, struct canvas *canvas);

#endif
