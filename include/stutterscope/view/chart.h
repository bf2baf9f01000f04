/*
 * Plots made of characters: braille (2 × 4 dots a cell), eighths of blocks for bars, a pair of ASCII
 * characters. Every column shows the maximum of what lies in it, so that no spike is lost however far one
 * zooms out.
 */
#ifndef STUTTERSCOPE_VIEW_CHART_H
#define STUTTERSCOPE_VIEW_CHART_H

#include "stutterscope/view/canvas.h"
#include <stddef.h>

enum chart_shape {
    CHART_STEPS, /* outline: a level for every column, joined upright */
    CHART_AREA,  /* filled down to the lower edge, braille or ASCII */
    CHART_BARS,  /* filled with eighths of blocks */
    CHART_DOTS   /* a dot for every point */
};

/* Points with y = NAN are not known: there is a gap. x rises; the unit is the caller's. */
struct chart_series {
    const double *x;
    const double *x_end; /* where each sample ends, so that it is drawn as wide as it lasts; NULL: points */
    const double *y;
    size_t count;
    unsigned style;
    enum chart_shape shape;
};

struct chart_level {
    double y;
    unsigned style;
    const char *character; /* "╌" */
    const char *label;     /* at the right end; NULL: none */
};

struct chart_tick {
    double value;
    const char *label;
};

struct chart {
    double x_low, x_high;              /* x_low < x_high; what the left and right edges are */
    double y_low, y_high;              /* lower and upper edge; what is higher is drawn at the upper edge */
    const struct chart_series *series; /* later ones lie above earlier ones */
    size_t series_count;
    const struct chart_level *levels; /* thresholds, noise bands: where no series is */
    size_t level_count;
    const struct chart_tick *ticks; /* labels of the y axis */
    size_t tick_count;
    int label_columns; /* room for them at the left, right-aligned; 0: no axis labels */
    bool axis;         /* ┤ and │ between labels and plot */
};

void chart_draw(struct canvas *canvas, struct area area, const struct chart *chart);
/* The part of the area in which chart_draw() plots (without labels and axis). */
struct area chart_plot_area(struct area area, const struct chart *chart);
/* The column of the canvas at which x is drawn, -1 outside. */
int chart_column_of(struct area area, const struct chart *chart, double x);
int chart_row_of(struct area area, const struct chart *chart, double y);

/*
 * The maximum of the samples that lie in or reach into each of `count` equal parts of x_low … x_high; NAN
 * where there is none. A sample without width counts where it is; one with width everywhere it reaches.
 */
void chart_maxima(const struct chart_series *series, double x_low, double x_high, double *maxima,
                  size_t count);

/* A round step (1, 2 or 5 × 10^n) with which about `count` ticks fit into the range. */
double chart_round_step(double range, int count);

/*
 * Two values a cell: ⣀⣸. Four heights between low and high; NAN: nothing. Returns the columns, (count + 1)
 * / 2. Without braille a cell shows the greater of its two.
 */
int chart_put_sparkline(struct canvas *canvas, int row, int column, unsigned style, const double *values,
                        size_t count, double low, double high);
/* One character per run in order: ▪ hit, ▫ clean. */
int chart_put_runs(struct canvas *canvas, int row, int column, unsigned style, const bool *hits,
                   size_t count);
/* A slider "├──●───┤" of that many columns; value between low and high. */
void chart_put_slider(struct canvas *canvas, int row, int column, int columns, unsigned style, double value,
                      double low, double high);

#endif
