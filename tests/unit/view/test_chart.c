#include "stutterscope/view/chart.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void expect(struct canvas *canvas, const char *text)
{
    char *dump = canvas_dump_text(canvas);
    cr_assert_str_eq(dump, text, "\n%s", dump);
    free(dump);
    canvas_destroy(canvas);
}

Test(chart, no_zoom_loses_a_spike)
{
    /* One frame of 90 among a thousand of 16, looked at in 1 … 999 columns. */
    double x[1000], end[1000], y[1000], maxima[1000];
    for (int i = 0; i < 1000; i++) {
        x[i] = i;
        end[i] = i + 1;
        y[i] = i == 617 ? 90 : 16;
    }
    struct chart_series series = {.x = x, .x_end = end, .y = y, .count = 1000};
    for (size_t count = 1; count < 1000; count += 37) {
        chart_maxima(&series, 0, 1000, maxima, count);
        double highest = 0;
        for (size_t i = 0; i < count; i++) {
            cr_assert_not(isnan(maxima[i]));
            highest = fmax(highest, maxima[i]);
        }
        cr_assert_eq(highest, 90);
    }
}

Test(chart, samples_are_as_wide_as_they_last_and_gaps_stay_empty)
{
    double x[] = {0, 20, 60}, end[] = {20, 50, 80}, y[] = {1, 5, NAN}, maxima[10];
    struct chart_series series = {.x = x, .x_end = end, .y = y, .count = 3};
    chart_maxima(&series, 0, 100, maxima, 10);
    static const double want[10] = {1, 1, 5, 5, 5, NAN, NAN, NAN, NAN, NAN};
    for (int i = 0; i < 10; i++)
        cr_assert(isnan(want[i]) ? isnan(maxima[i]) : maxima[i] == want[i], "column %d: %f", i, maxima[i]);
    /* Points, with one at the right edge. */
    double at[] = {0, 55, 100};
    double values[] = {3, 4, 5};
    series = (struct chart_series){.x = at, .y = values, .count = 3};
    chart_maxima(&series, 0, 100, maxima, 10);
    cr_assert(maxima[0] == 3 && maxima[5] == 4 && maxima[9] == 5 && isnan(maxima[1]));
    /* A window of the data: what ended before it and begins after it is not in it. */
    series = (struct chart_series){.x = x, .x_end = end, .y = y, .count = 2};
    chart_maxima(&series, 30, 60, maxima, 3);
    cr_assert(maxima[0] == 5 && maxima[1] == 5 && isnan(maxima[2]));
}

Test(chart, steps_levels_and_labels)
{
    double x[] = {0, 4, 6}, end[] = {4, 6, 10}, y[] = {0, 10, 0};
    struct chart_series series = {x, end, y, 3, ROLE_LANE_1, CHART_STEPS};
    struct chart_level level = {5, ROLE_THRESHOLD, "╌", NULL};
    struct chart_tick ticks[] = {{0, "0"}, {10, "10"}};
    struct chart chart = {0, 10, 0, 10, &series, 1, &level, 1, ticks, 2, 3, true};
    /* Five cells are ten dots: columns 4 and 5 hold the spike; two cells are eight rows. */
    struct canvas *canvas = canvas_create(2, 9, GLYPHS_FULL);
    chart_draw(canvas, canvas_area(canvas), &chart);
    cr_assert_eq(STYLE_ROLE(canvas_cell(canvas, 0, 4)->style),
                 ROLE_THRESHOLD); /* 5 of 10 begins the upper row */
    cr_assert_eq(STYLE_ROLE(canvas_cell(canvas, 0, 6)->style), ROLE_LANE_1);
    expect(canvas, " 10┤╌╌⣿╌╌\n  0┤⣀⣀⣿⣀⣀\n");
    canvas = canvas_create(2, 9, GLYPHS_ASCII);
    chart_draw(canvas, canvas_area(canvas), &chart);
    expect(canvas, " 10+--:--\n  0+..:..\n");
    cr_assert_eq(chart_column_of((struct area){0, 0, 2, 9}, &chart, 5), 6);
    cr_assert_eq(chart_column_of((struct area){0, 0, 2, 9}, &chart, 11), -1);
    cr_assert_eq(chart_row_of((struct area){0, 0, 2, 9}, &chart, 10), 0);
}

Test(chart, bars_use_eighths)
{
    double x[] = {0, 1, 2, 3}, y[] = {0, 7.99, 8, 100};
    struct chart_series series = {x, NULL, y, 4, ROLE_LANE_1, CHART_BARS};
    struct chart chart = {
        .x_low = 0, .x_high = 4, .y_low = 0, .y_high = 16, .series = &series, .series_count = 1};
    struct canvas *canvas = canvas_create(2, 4, GLYPHS_FULL);
    chart_draw(canvas, canvas_area(canvas), &chart);
    expect(canvas, "  ▁█\n▁███\n");
}

Test(chart, points_are_dots)
{
    double x[] = {0, 1}, y[] = {0, 1};
    struct chart_series series = {x, NULL, y, 2, ROLE_LANE_1, CHART_DOTS};
    struct chart chart = {
        .x_low = 0, .x_high = 1, .y_low = 0, .y_high = 1, .series = &series, .series_count = 1};
    struct canvas *canvas = canvas_create(1, 2, GLYPHS_FULL);
    chart_draw(canvas, canvas_area(canvas), &chart);
    expect(canvas, "⡀⠈\n");
}

Test(chart, strips)
{
    double values[] = {0, 0, 0, 4, NAN};
    bool hits[] = {true, true, false, true, true};
    struct canvas *canvas = canvas_create(3, 12, GLYPHS_FULL);
    cr_assert_eq(chart_put_sparkline(canvas, 0, 0, ROLE_CHROME, values, 5, 0, 4), 3);
    cr_assert_eq(chart_put_runs(canvas, 1, 0, ROLE_CHROME, hits, 5), 5);
    chart_put_slider(canvas, 2, 0, 7, ROLE_CHROME, 5, 0, 10);
    expect(canvas, "⣀⣸\n▪▪▫▪▪\n├──●──┤\n");
    canvas = canvas_create(3, 12, GLYPHS_ASCII);
    chart_put_sparkline(canvas, 0, 0, ROLE_CHROME, values, 5, 0, 4);
    chart_put_runs(canvas, 1, 0, ROLE_CHROME, hits, 5);
    chart_put_slider(canvas, 2, 0, 7, ROLE_CHROME, 99, 0, 10);
    expect(canvas, "_#\n##.##\n+----@+\n");
}

Test(chart, nonsense_is_harmless)
{
    double x[] = {NAN, 1, -1e300}, y[] = {1, INFINITY, 2};
    struct chart_series series = {x, NULL, y, 3, ROLE_LANE_1, CHART_STEPS};
    struct chart chart = {.x_low = 0,
                          .x_high = 2,
                          .y_low = 0,
                          .y_high = 1,
                          .series = &series,
                          .series_count = 1,
                          .label_columns = 30,
                          .axis = true};
    for (int shape = CHART_STEPS; shape <= CHART_DOTS; shape++)
        for (int columns = 1; columns < 40; columns += 3) {
            series.shape = (enum chart_shape)shape;
            struct canvas *canvas = canvas_create(2, columns, GLYPHS_FULL);
            chart_draw(canvas, canvas_area(canvas), &chart);
            canvas_destroy(canvas);
        }
    chart.y_high = NAN;
    struct canvas *canvas = canvas_create(2, 40, GLYPHS_FULL);
    chart_draw(canvas, canvas_area(canvas), &chart);
    canvas_destroy(canvas);
}

Test(chart, round_steps)
{
    cr_assert_float_eq(chart_round_step(100, 5), 20, 1e-9);
    cr_assert_float_eq(chart_round_step(12, 4), 5, 1e-9);
    cr_assert_float_eq(chart_round_step(0.9, 10), 0.1, 1e-9);
    cr_assert_eq(chart_round_step(0, 10), 1);
}
