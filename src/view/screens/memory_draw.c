/* Drawing Memory: scenes by category, and the cell at the cursor over the builds. */
#include "memory.h"

#include "names.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/chart.h"
#include "words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MB 1e6

enum { NAME_LEAST = 10, NAME_MOST = 24, PERCENT_COLUMNS = 8, SPARK_COLUMNS = 14, SPARK_BUILDS = 24, TALL_ROWS = 25, PANE_LINES = 6 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int grant(int *spare, int wanted)
{
    if (*spare < wanted)
        return 0;
    *spare -= wanted;
    return wanted;
}

void memory_lay_out(const struct memory_state *state, struct area area, struct memory_layout *ret)
{
    struct area left = area;
    int widest = NAME_LEAST, spare, pane;

    memset(ret, 0, sizeof *ret);
    for (size_t i = 0; i < state->rows.count; i++)
        widest = (int)text_width(state->rows.items[i].name) > widest ? (int)text_width(state->rows.items[i].name) : widest;
    ret->boxed = area.rows >= TALL_ROWS && area.columns >= 60;
    ret->heads = area_take_top(&left, 1);
    ret->name_columns = smaller(widest, area.columns >= 80 ? NAME_MOST : NAME_LEAST);
    spare = area.columns - 2 - ret->name_columns - MEMORY_TOTAL_COLUMNS - MEMORY_CHANGE_COLUMNS;
    ret->percent_columns = area.columns >= 60 ? grant(&spare, PERCENT_COLUMNS) : 0;
    ret->page_columns = smaller((int)state->categories.count, spare / MEMORY_CATEGORY_COLUMNS);
    spare -= ret->page_columns * MEMORY_CATEGORY_COLUMNS;
    ret->spark_columns = grant(&spare, SPARK_COLUMNS);
    pane = ret->boxed ? PANE_LINES + 2 : area.rows >= 14 ? 4 : area.rows >= 8 ? 2 : 1;
    ret->pane = area_take_bottom(&left, pane);
    ret->grid = area_take_top(&left, smaller(left.rows - (area.rows >= 10), (int)state->rows.count));
    ret->legend = area_take_top(&left, area.rows >= 10);
    ret->first_row = scroll_top(&state->row, ret->grid.rows);
    /* Column 0, the total, is frozen. */
    ret->first_column = state->column.selected > ret->page_columns ? state->column.selected - ret->page_columns : 0;
}

static int category_column(const struct memory_layout *layout, int category)
{
    return layout->grid.column + 1 + layout->name_columns + MEMORY_TOTAL_COLUMNS + MEMORY_CHANGE_COLUMNS + layout->percent_columns +
           (category - layout->first_column) * MEMORY_CATEGORY_COLUMNS;
}

static void put_right(struct canvas *canvas, int row, int column, int columns, unsigned style, const char *text)
{
    canvas_put_field(canvas, row, column, columns, style, ALIGN_RIGHT, CUT_END, text);
}

/* Always one decimal, so that columns stand under each other. */
static struct word megabytes(double bytes)
{
    if (isnan(bytes))
        return (struct word){"--"};
    return word_with_decimal(word_number(bytes / MB, 1));
}

static struct word change(double delta)
{
    if (isnan(delta))
        return (struct word){"?"};
    return word_with_decimal(word_signed(delta / MB, 1));
}

static unsigned change_style(double delta, double before)
{
    return memory_has_grown(delta, before) ? ROLE_BAD | STYLE_BOLD : memory_has_grown(-delta, before) ? ROLE_GOOD : ROLE_CHROME;
}

static void draw_heads(const struct memory_state *state, struct canvas *canvas, const struct memory_layout *layout)
{
    size_t count = state->categories.count;
    const char **names = memory_take((count + 1) * sizeof *names);
    char **cut = memory_take_zeroed(count + 1, sizeof *cut);
    int row = layout->heads.row, at = layout->heads.column + 1;
    unsigned total = state->column.selected == 0 ? STYLE_CURSOR : 0;

    for (size_t i = 0; i < count; i++)
        names[i] = state->categories.items[i];
    names_cut(names, count, MEMORY_CATEGORY_COLUMNS - 2, cut);
    canvas_put(canvas, row, at, ROLE_HEAD, "scene");
    at += layout->name_columns;
    canvas_put(canvas, row, at + MEMORY_TOTAL_COLUMNS - 5, ROLE_HEAD | total, "total");
    at += MEMORY_TOTAL_COLUMNS;
    put_right(canvas, row, at, MEMORY_CHANGE_COLUMNS, ROLE_HEAD, "change");
    at += MEMORY_CHANGE_COLUMNS;
    if (layout->percent_columns)
        put_right(canvas, row, at, layout->percent_columns, ROLE_HEAD, "%");
    for (int i = layout->first_column; i < layout->first_column + layout->page_columns; i++) {
        int width = (int)text_width(cut[i]);

        canvas_put(canvas, row, category_column(layout, i) + MEMORY_CATEGORY_COLUMNS - width,
                   ROLE_HEAD | (state->column.selected == i + 1 ? STYLE_CURSOR : 0), cut[i]);
    }
    if (layout->first_column > 0)
        canvas_put(canvas, row, category_column(layout, layout->first_column), ROLE_HEAD, "◂");
    if (layout->first_column + layout->page_columns < (int)count)
        canvas_put(canvas, row, category_column(layout, layout->first_column + layout->page_columns), ROLE_HEAD, "▸");
    if (layout->spark_columns)
        canvas_put(canvas, row, category_column(layout, layout->first_column + layout->page_columns) + 2, ROLE_HEAD, "builds");
    names_free(cut, count);
    free(cut);
    free(names);
}

/* Values of a column over the last builds up to this one; returns how many. */
static size_t history_of(const struct memory_state *state, size_t row, size_t column, double *values, double *low, double *high)
{
    size_t last = state->snapshots->position, first = last + 1 > SPARK_BUILDS ? last + 1 - SPARK_BUILDS : 0, count = 0;

    *low = INFINITY;
    *high = 0;
    for (size_t b = first; b <= last; b++) {
        values[count] = memory_bytes_in(state, row, column, b);
        if (!isnan(values[count])) {
            *low = fmin(*low, values[count]);
            *high = fmax(*high, values[count]);
        }
        count++;
    }
    return count;
}

static void put_sparkline(const struct memory_state *state, struct canvas *canvas, int at_row, int at, size_t row, size_t column)
{
    double values[SPARK_BUILDS], low, high;
    size_t count = history_of(state, row, column, values, &low, &high);

    /* From nothing, so that a megabyte of a gigabyte stays flat. */
    if (high > 0)
        chart_put_sparkline(canvas, at_row, at, ROLE_LANE_1, values, count, high - low < 0.02 * high ? 0 : low, high);
}

static void draw_row(const struct memory_state *state, struct canvas *canvas, const struct memory_layout *layout, int index, int row)
{
    const struct memory_row *scene = &state->rows.items[index];
    bool selected = index == state->row.selected;
    int at = layout->grid.column + 1 + layout->name_columns;
    unsigned flags = selected && state->column.selected == 0 ? STYLE_CURSOR : 0;

    put_right(canvas, row, at + 1, MEMORY_TOTAL_COLUMNS - 1, ROLE_CHROME | flags, megabytes(scene->total.bytes).text);
    at += MEMORY_TOTAL_COLUMNS;
    put_right(canvas, row, at, MEMORY_CHANGE_COLUMNS, change_style(scene->total.delta, scene->total.before), change(scene->total.delta).text);
    at += MEMORY_CHANGE_COLUMNS;
    if (layout->percent_columns && !isnan(scene->total.delta) && scene->total.before > 0)
        put_right(canvas, row, at, layout->percent_columns, ROLE_CHROME, word_signed(100 * scene->total.delta / scene->total.before, 1).text);
    for (int i = layout->first_column; i < layout->first_column + layout->page_columns; i++) {
        const struct snapshot_series *series = memory_series(state, (size_t)index, (size_t)i);
        double bytes = series ? series->builds[state->snapshots->position].bytes : NAN;
        unsigned style = series ? change_style(series->delta, bytes - series->delta) : ROLE_MUTED;

        flags = selected && state->column.selected == i + 1 ? STYLE_CURSOR : 0;
        put_right(canvas, row, category_column(layout, i) + 1, MEMORY_CATEGORY_COLUMNS - 1, style | flags,
                  state->session->shows_delta && series ? change(series->delta).text : megabytes(bytes).text);
    }
    if (layout->spark_columns)
        put_sparkline(state, canvas, row, category_column(layout, layout->first_column + layout->page_columns) + 2, (size_t)index,
                      (size_t)state->column.selected);
}

static void draw_rows(const struct memory_state *state, struct canvas *canvas, const struct memory_layout *layout)
{
    size_t count = state->rows.count;
    const char **titles = memory_take((count + 1) * sizeof *titles);
    char **names = memory_take_zeroed(count + 1, sizeof *names);

    for (size_t i = 0; i < count; i++)
        titles[i] = state->rows.items[i].name;
    names_cut(titles, count, layout->name_columns, names);
    for (int i = layout->first_row; i < (int)count && i < layout->first_row + layout->grid.rows; i++) {
        int row = layout->grid.row + i - layout->first_row;
        bool selected = i == state->row.selected;

        if (selected)
            canvas_put(canvas, row, layout->grid.column, ROLE_HEAD, "▸");
        canvas_put(canvas, row, layout->grid.column + 1, ROLE_HEAD | (selected ? STYLE_CURSOR : 0), names[i]);
        draw_row(state, canvas, layout, i, row);
    }
    names_free(names, count);
    free(names);
    free(titles);
}

/* ---- the cell at the cursor ---- */

/* "330.0 in (418) · 330.1 in (420) · 414.3 in (421)", the newest builds that fit. */
static void fill_builds(const struct memory_state *state, struct line *line)
{
    size_t row = (size_t)state->row.selected, column = (size_t)state->column.selected, named = 0;
    const struct build_list *builds = model_builds(state->session->model);

    for (size_t b = state->snapshots->position + 1; b-- > 0 && named < 9;) {
        double bytes = memory_bytes_in(state, row, column, b);

        if (isnan(bytes))
            continue;
        line_print(line, named ? (int)named : LINE_KEEP, named ? ROLE_CHROME : ROLE_CHROME | STYLE_BOLD, "%s%s %s", named ? "  " : "",
                   word_short_build(state->session->model, builds->items[b].id).text, megabytes(bytes).text);
        named++;
    }
}

/* The same scene on the other devices. */
static void fill_others(const struct memory_state *state, struct line *line)
{
    size_t named = 0;

    for (size_t d = 0; d < state->devices.count; d++) {
        struct snapshot_total total =
            snapshots_total(state->snapshots, state->devices.items[d].device, state->rows.items[state->row.selected].scene);

        if (d == state->device || !total.known)
            continue;
        line_print(line, named ? 3 : 1, ROLE_CHROME, "%s%s %s", named ? ", " : "total here on ", state->devices.items[d].title,
                   megabytes(total.bytes).text);
        line_print(line, named ? 3 : 1, change_style(total.delta, total.before), " (%s)", change(total.delta).text);
        named++;
    }
    if (!named)
        line_add(line, 1, ROLE_MUTED, "no other device has snapshots of this scene");
}

static void fill_profilers(const struct memory_state *state, struct line *line)
{
    const struct memory_row *row = &state->rows.items[state->row.selected];
    size_t named = 0;

    if (*row->total.profiler)
        line_print(line, 1, ROLE_WARNING, "taken while %s ran: compared only with such", row->total.profiler);
    for (size_t i = 0; i < row->series.count; i++) {
        const struct snapshot_series *series = &row->series.items[i];

        if (strcmp(series->profiler, row->total.profiler) == 0 || isnan(series->builds[state->snapshots->position].bytes))
            continue;
        line_print(line, named ? 4 : 1, ROLE_CHROME, "%s%s %s (%s)", named ? ", " : "apart, while a profiler ran: ", series->category,
                   megabytes(series->builds[state->snapshots->position].bytes).text, *series->profiler ? series->profiler : "none");
        named++;
    }
}

static void fill_runs(const struct memory_state *state, struct line *line)
{
    const struct memory_row *row = &state->rows.items[state->row.selected];
    int64_t runs = 0, snapshots = 0;

    for (size_t i = 0; i < row->series.count; i++) {
        const struct snapshot_series *series = &row->series.items[i];
        const struct snapshot_point *point = &series->builds[state->snapshots->position];

        if (strcmp(series->profiler, row->total.profiler) != 0)
            continue;
        runs = point->runs > runs ? point->runs : runs;
        snapshots = point->snapshots > snapshots ? point->snapshots : snapshots;
    }
    line_print(line, LINE_KEEP, ROLE_CHROME, "%lld snapshot%s in %lld run%s", (long long)snapshots, text_plural(snapshots),
               (long long)runs, text_plural(runs));
    line_add(line, 2, ROLE_CHROME, row->total.sum ? "; the total is the sum of the categories" : "; the total is as the tool says");
}

static void draw_pane(const struct memory_state *state, struct canvas *canvas, const struct memory_layout *layout)
{
    struct area area = layout->pane;
    struct line lines[4] = {{0}};
    int spark = 0;
    char *title = memory_print("%s × %s · %s", state->devices.items[state->device].title, state->rows.items[state->row.selected].name,
                               memory_column_name(state, (size_t)state->column.selected));

    if (layout->boxed) {
        char *fitting = text_cut_end(title, (size_t)(area.columns > 8 ? area.columns - 8 : 0), "…");

        canvas_box(canvas, area, ROLE_BORDER, fitting);
        free(fitting);
        area = (struct area){area.row + 1, area.column + 2, area.rows - 2, area.columns - 4};
        put_sparkline(state, canvas, area.row, area.column, (size_t)state->row.selected, (size_t)state->column.selected);
        spark = SPARK_BUILDS / 2 + 1;
    } else {
        if (area.rows > 1)
            canvas_horizontal(canvas, area.row, area.column, area.columns, ROLE_BORDER, "─");
        if (area.rows > 1)
            area_take_top(&area, 1);
        area_take_left(&area, 1);
        line_print(&lines[0], LINE_KEEP, ROLE_TITLE, "%s: ", memory_column_name(state, (size_t)state->column.selected));
    }
    free(title);
    fill_builds(state, &lines[0]);
    fill_others(state, &lines[1]);
    fill_runs(state, &lines[2]);
    fill_profilers(state, &lines[3]);
    for (int i = 0; i < 4; i++) {
        if (i < area.rows)
            line_draw(canvas, area.row + i, area.column + (i ? 0 : spark), area.columns - (i ? 0 : spark), &lines[i]);
        line_clear(&lines[i]);
    }
}

void memory_draw(const void *user, struct canvas *canvas, struct area area)
{
    const struct memory_state *state = user;
    struct memory_layout layout;
    struct line legend = {0};

    if (!state->rows.count) {
        canvas_put_wrapped(canvas, area_centre(area, area.rows - 2, area.columns - 4), ROLE_CHROME,
                           "No memory snapshots are in this build. stutterscope import FILE… takes them from CSV or JSON with the "
                           "columns run_id, scene, category and bytes; [ and ] look at other builds.");
        return;
    }
    memory_lay_out(state, area, &layout);
    draw_heads(state, canvas, &layout);
    draw_rows(state, canvas, &layout);
    if (layout.legend.rows) {
        line_add(&legend, 2, ROLE_CHROME, state->session->shows_delta ? " categories: change against the baseline" : " categories: MB");
        line_add(&legend, 1, ROLE_CHROME, "   bold: grew by 1 MB and 2 %");
        line_add(&legend, 3, ROLE_CHROME, "   -- not measured  ? nothing alike before");
        line_draw(canvas, layout.legend.row, layout.legend.column, layout.legend.columns, &legend);
        line_clear(&legend);
    }
    draw_pane(state, canvas, &layout);
}
