/* Drawing Cover: the grid, the legend, the device at the cursor, the last import. */
#include "cover.h"

#include "names.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "words.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_LEAST = 10,
    NAME_USUAL = 11,
    MINUTE_COLUMNS = 5,
    NOTE_COLUMNS = 14,
    SCENE_COLUMNS = 8,
    TALL_ROWS = 25
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int widest_title(const struct cover_state *state)
{
    int widest = NAME_LEAST;

    for (size_t i = 0; i < state->rows.count; i++) {
        int width = (int)text_width(state->rows.items[i].title);

        widest = width > widest ? width : widest;
    }
    return widest;
}

static int grant(int *spare, int wanted)
{
    if (*spare < wanted)
        return 0;
    *spare -= wanted;
    return wanted;
}

void cover_lay_out(const struct cover_state *state, struct area area, struct cover_layout *ret)
{
    struct area left = area;
    int titles = widest_title(state), spare, pane;

    memset(ret, 0, sizeof *ret);
    ret->boxed = area.rows >= TALL_ROWS && area.columns >= 60;
    ret->heads = area_take_top(&left, ret->boxed ? 2 : 1);
    ret->name_columns = smaller(titles, NAME_USUAL);
    spare = area.columns - 2 - ret->name_columns - COVER_EXPECTED_COLUMNS;
    ret->scene_columns = area.columns >= 70 ? grant(&spare, (int)state->scenes.count + 2 > SCENE_COLUMNS
                                                                ? (int)state->scenes.count + 2
                                                                : SCENE_COLUMNS)
                                            : 0;
    ret->minute_columns = grant(&spare, area.columns >= 60 ? MINUTE_COLUMNS : area.columns);
    ret->page_columns = smaller((int)state->builds.count, spare / COVER_CELL_COLUMNS);
    spare -= ret->page_columns * COVER_CELL_COLUMNS;
    ret->note_columns = grant(&spare, NOTE_COLUMNS);
    ret->name_columns += smaller(spare, titles - ret->name_columns);
    pane = ret->boxed ? 6 : area.rows >= 18 ? 5 : area.rows >= 16 ? 3 : 1;
    if (area.rows >= 10)
        ret->import = area_take_bottom(&left, 1);
    ret->pane = area_take_bottom(&left, pane);
    ret->grid = area_take_top(&left, smaller(left.rows - (area.rows >= 10), (int)state->rows.count));
    ret->legend = area_take_top(&left, area.rows >= 10);
    ret->first_row = scroll_top(&state->row, ret->grid.rows);
    ret->first_column = scroll_top(&state->column, ret->page_columns);
}

static int cell_column(const struct cover_layout *layout, int column)
{
    return layout->grid.column + 1 + layout->name_columns + 1 + COVER_EXPECTED_COLUMNS +
           (column - layout->first_column) * COVER_CELL_COLUMNS;
}

/* "(421)" without its brackets: three or four characters. */
static void short_head(const char *name, char *buffer, size_t size)
{
    size_t length = strlen(name);

    text_print(buffer, size, "%s", name[0] == '(' && length > 2 ? name + 1 : name);
    if (name[0] == '(' && length > 2 && length - 2 < size)
        buffer[length - 2] = '\0'; /* the bracket at its end */
}

static void draw_heads(const struct cover_state *state, struct canvas *canvas,
                       const struct cover_layout *layout)
{
    int row = layout->heads.row, right = cell_column(layout, layout->first_column + layout->page_columns);

    canvas_put_field(canvas, row, cell_column(layout, layout->first_column) - COVER_EXPECTED_COLUMNS,
                     COVER_EXPECTED_COLUMNS - 1, ROLE_HEAD, ALIGN_RIGHT, CUT_HIDE, "exp");
    for (int i = layout->first_column; i < layout->first_column + layout->page_columns; i++) {
        const struct cover_build *build = &state->builds.items[i];
        unsigned flags = i == state->column.selected ? STYLE_CURSOR : 0;
        char head[96], *cut;

        short_head(build->name, head, sizeof head);
        /* The end of a build's name tells it from its neighbours. */
        while (text_width(head) > COVER_CELL_COLUMNS - 1) {
            uint32_t ignored;
            size_t first = text_decode(head, &ignored);

            memmove(head, head + first, strlen(head + first) + 1);
        }
        cut = head;
        canvas_put(canvas, row, cell_column(layout, i), ROLE_HEAD | flags, cut);
        if (layout->heads.rows > 1) {
            struct word date = word_date(build->night_ms);

            canvas_print(canvas, row + 1, cell_column(layout, i), ROLE_MUTED, "%.2s", date.text);
        }
    }
    if (layout->heads.rows > 1)
        canvas_put(canvas, row + 1, layout->heads.column + 1, ROLE_MUTED, "day of month");
    if (layout->scene_columns)
        canvas_put(canvas, row, right + 1, ROLE_HEAD, "scenes");
    right += layout->scene_columns;
    if (layout->minute_columns)
        canvas_put_field(canvas, row, right, layout->minute_columns, ROLE_HEAD, ALIGN_RIGHT, CUT_HIDE, "min");
    if (layout->note_columns)
        canvas_put(canvas, row, right + layout->minute_columns + 2, ROLE_HEAD, "note");
}

static bool had_runs_before(const struct cover_state *state, size_t row, size_t column)
{
    for (size_t b = 0; b < column; b++)
        if (cover_cell_at(state, row, b)->runs)
            return true;
    return false;
}

static void draw_cell(const struct cover_state *state, struct canvas *canvas,
                      const struct cover_layout *layout, size_t row, int column, int at_row)
{
    const struct cover_cell *cell = cover_cell_at(state, row, (size_t)column);
    bool selected = (int)row == state->row.selected && column == state->column.selected;
    unsigned style = ROLE_CHROME;
    char text[24] = "";

    if (cell->runs == 0) {
        snprintf(text, sizeof text, "%s", had_runs_before(state, row, (size_t)column) ? "--" : "");
        style = ROLE_BAD;
    } else if (cell->runs < state->rows.items[row].cell.expected) {
        snprintf(text, sizeof text, "%lld<", (long long)cell->runs);
        style = ROLE_WARNING;
    } else
        snprintf(text, sizeof text, "%s",
                 cell->spikes == cell->runs ? "s" : cell->sampled ? "~" : cell->interfered ? "i" : "·");
    if (selected)
        canvas_put_field(canvas, at_row, cell_column(layout, column), COVER_CELL_COLUMNS - 1,
                         style | STYLE_CURSOR, ALIGN_LEFT, CUT_END, text);
    else
        canvas_put(canvas, at_row, cell_column(layout, column), style, text);
}

static void draw_note(const struct cover_row *row, struct canvas *canvas, int at_row, int column, int columns)
{
    char text[64] = "";
    unsigned style = ROLE_WARNING;

    if (row->cell.state == COVERAGE_MISSING) {
        snprintf(text, sizeof text, "SILENT");
        style = ROLE_MISSING;
    } else if (row->cell.state == COVERAGE_FEWER)
        snprintf(text, sizeof text, "%lld of %lld run%s", (long long)row->cell.runs,
                 (long long)row->cell.expected, text_plural(row->cell.expected));
    else if (row->cell.state == COVERAGE_SKIPPED || row->cell.state == COVERAGE_RETIRED)
        snprintf(text, sizeof text, "%s", coverage_state_name(row->cell.state));
    else if (row->spikes)
        snprintf(text, sizeof text, "spikes only");
    else if (row->sampled)
        snprintf(text, sizeof text, "sampled");
    else if (row->interfered)
        snprintf(text, sizeof text, "interfered");
    else if (row->scenes_missing)
        snprintf(text, sizeof text, "%zu scene%s out", row->scenes_missing,
                 text_plural((int64_t)row->scenes_missing));
    if (*text)
        canvas_put_field(canvas, at_row, column, smaller((int)text_width(text), columns), style, ALIGN_LEFT,
                         CUT_END, text);
}

static void draw_right(const struct cover_state *state, struct canvas *canvas,
                       const struct cover_layout *layout, size_t index, int row)
{
    const struct cover_row *device = &state->rows.items[index];
    int at = cell_column(layout, layout->first_column + layout->page_columns);

    for (size_t s = 0; layout->scene_columns && s < state->scenes.count; s++) {
        enum coverage_state scene = device->scenes[s];

        if (scene == COVERAGE_OK || scene == COVERAGE_FEWER)
            canvas_put(canvas, row, at + 1 + (int)s, ROLE_CHROME, "▪");
        else if (scene == COVERAGE_MISSING)
            canvas_put(canvas, row, at + 1 + (int)s, ROLE_BAD, "▫");
    }
    at += layout->scene_columns;
    if (layout->minute_columns)
        canvas_put_field(
            canvas, row, at, layout->minute_columns, ROLE_CHROME, ALIGN_RIGHT, CUT_HIDE,
            word_number((double)device->play_ns / (60.0 * NS_PER_S), device->play_ns < 600 * NS_PER_S ? 1 : 0)
                .text);
    if (layout->note_columns)
        draw_note(device, canvas, row, at + layout->minute_columns + 2, layout->note_columns - 2);
}

static void draw_rows(const struct cover_state *state, struct canvas *canvas,
                      const struct cover_layout *layout)
{
    size_t count = state->rows.count;
    const char **titles = memory_take((count + 1) * sizeof *titles);
    char **names = memory_take_zeroed(count + 1, sizeof *names);

    for (size_t i = 0; i < count; i++)
        titles[i] = state->rows.items[i].title;
    names_cut(titles, count, layout->name_columns, names);
    for (int i = layout->first_row; i < (int)count && i < layout->first_row + layout->grid.rows; i++) {
        int row = layout->grid.row + i - layout->first_row;
        bool selected = i == state->row.selected;

        if (selected)
            canvas_put(canvas, row, layout->grid.column, ROLE_HEAD, "▸");
        canvas_put(canvas, row, layout->grid.column + 1, ROLE_HEAD | (selected ? STYLE_CURSOR : 0), names[i]);
        canvas_put_field(canvas, row, cell_column(layout, layout->first_column) - COVER_EXPECTED_COLUMNS,
                         COVER_EXPECTED_COLUMNS - 1, ROLE_CHROME, ALIGN_RIGHT, CUT_HIDE,
                         state->rows.items[i].cell.expected
                             ? word_number((double)state->rows.items[i].cell.expected, 0).text
                             : "");
        for (int column = layout->first_column; column < layout->first_column + layout->page_columns;
             column++)
            draw_cell(state, canvas, layout, (size_t)i, column, row);
        draw_right(state, canvas, layout, (size_t)i, row);
    }
    names_free(names, count);
    free(names);
    free(titles);
}

/* ---- the device at the cursor ---- */

static void fill_upload(const struct cover_state *state, const struct cover_row *row, struct line *line)
{
    struct model *model = state->session->model;

    if (row->cell.state == COVERAGE_MISSING) {
        line_add(line, LINE_KEEP, ROLE_MISSING, "SILENT");
        line_print(line, LINE_KEEP, ROLE_CHROME, " since %s", model_build_name(model, row->cell.since));
        line_print(line, 2, ROLE_CHROME,
                   row->cell.last ? ": no file arrived; last upload %s" : ": never uploaded",
                   model_build_name(model, row->cell.last));
        return;
    }
    line_print(line, LINE_KEEP, row->cell.state == COVERAGE_FEWER ? ROLE_WARNING : ROLE_CHROME, "%lld run%s",
               (long long)row->cell.runs, text_plural(row->cell.runs));
    if (row->cell.expected)
        line_print(line, 1, ROLE_CHROME, ", %lld expected", (long long)row->cell.expected);
    line_print(line, 2, ROLE_CHROME, ", %s of play", word_duration(row->play_ns).text);
    if (row->sampled)
        line_print(line, LINE_KEEP, ROLE_WARNING, ", %lld sampled", (long long)row->sampled);
    if (row->spikes)
        line_print(line, LINE_KEEP, ROLE_WARNING, ", %lld with spikes only: no percentiles", (long long)row->spikes);
    if (row->interfered)
        line_print(line, 1, ROLE_WARNING, ", %lld interfered", (long long)row->interfered);
    if (*row->outcomes)
        line_print(line, 1, ROLE_CHROME, " · %s", row->outcomes);
    if (row->cell.state == COVERAGE_SKIPPED || row->cell.state == COVERAGE_RETIRED)
        line_print(line, LINE_KEEP, ROLE_WARNING, ", %s", coverage_state_name(row->cell.state));
}

static void fill_scenes(const struct cover_state *state, const struct cover_row *row, struct line *line)
{
    struct text_buffer missing = {0};

    for (size_t s = 0; s < state->scenes.count; s++)
        if (row->scenes[s] == COVERAGE_MISSING)
            text_add_print(&missing, "%s%s", missing.count ? ", " : "", state->scenes.items[s]);
    line_print(line, LINE_KEEP, ROLE_CHROME, "%zu scene%s played", row->scenes_here,
               text_plural((int64_t)row->scenes_here));
    if (missing.count) {
        line_print(line, 1, ROLE_WARNING, ", %zu missing and without verdict: ", row->scenes_missing);
        line_add(line, 2, ROLE_CHROME, missing.items)->least = 6;
    }
    array_free(&missing);
}

static void fill_cell(const struct cover_state *state, struct line *line)
{
    const struct cover_cell *cell =
        cover_cell_at(state, (size_t)state->row.selected, (size_t)state->column.selected);
    const struct cover_build *build = &state->builds.items[state->column.selected];

    line_print(line, LINE_KEEP, ROLE_CHROME, "%s: %lld run%s",
               model_build_name(state->session->model, build->build), (long long)cell->runs,
               text_plural(cell->runs));
    if (cell->sampled)
        line_print(line, 1, ROLE_CHROME, ", %lld sampled", (long long)cell->sampled);
    line_add(line, 3, ROLE_MUTED, cell->runs ? "   Enter shows them with their rejected rows" : "");
}

static void fill_heat(const struct cover_state *state, struct line *line)
{
    if (!state->heat || !*state->heat)
        return;
    line_add(line, LINE_KEEP, ROLE_TITLE, "heat by quarter ");
    line_add(line, LINE_KEEP, ROLE_CHROME, state->heat)->least = 10;
    line_add(line, 3, ROLE_MUTED, "   median frame ms");
}

static void draw_pane(const struct cover_state *state, struct canvas *canvas,
                      const struct cover_layout *layout)
{
    const struct cover_row *row = &state->rows.items[state->row.selected];
    struct area area = layout->pane;
    struct line lines[4] = {{0}};
    char *title = memory_print(
        "%s%s%s · %s FPS · weight %s", row->title, row->tier[0] ? " · " : "", row->tier,
        row->fps_milli == VALUE_UNKNOWN ? "?" : word_number((double)row->fps_milli / 1000, 0).text,
        word_number(row->weight, 2).text);

    if (layout->boxed) {
        char *fitting = text_cut_end(title, (size_t)(area.columns > 8 ? area.columns - 8 : 0), "…");

        canvas_box(canvas, area, ROLE_BORDER, fitting);
        free(fitting);
        area = (struct area){area.row + 1, area.column + 2, area.rows - 2, area.columns - 4};
    } else {
        if (area.rows > 1) {
            canvas_horizontal(canvas, area.row, area.column, area.columns, ROLE_BORDER, "─");
            area_take_top(&area, 1);
        }
        area_take_left(&area, 1);
        line_print(&lines[0], LINE_KEEP, ROLE_TITLE, "%s: ", row->title);
    }
    free(title);
    fill_upload(state, row, &lines[0]);
    fill_scenes(state, row, &lines[1]);
    fill_heat(state, &lines[3]);
    fill_cell(state, &lines[2]);
    for (int i = 0; i < 4; i++) {
        if (i < area.rows)
            line_draw(canvas, area.row + i, area.column, area.columns, &lines[i]);
        line_clear(&lines[i]);
    }
}

static void draw_import(const struct cover_state *state, struct canvas *canvas, struct area area)
{
    struct line line = {0};

    if (state->last_import_ms == VALUE_UNKNOWN)
        line_add(&line, LINE_KEEP, ROLE_CHROME, " no import is on record");
    else {
        line_print(&line, LINE_KEEP, ROLE_CHROME, " last import %s UTC",
                   word_date(state->last_import_ms).text);
        line_print(&line, 1, ROLE_CHROME, ", %lld file%s that day", (long long)state->files,
                   text_plural(state->files));
        line_print(&line, 1, ROLE_CHROME, ", %lld row%s rejected", (long long)state->rejected,
                   text_plural(state->rejected));
        line_add(&line, 3, ROLE_CHROME, " (Enter)");
    }
    line_draw(canvas, area.row, area.column, area.columns, &line);
    line_clear(&line);
}

void cover_draw(const void *user, struct canvas *canvas, struct area area)
{
    const struct cover_state *state = user;
    struct cover_layout layout;
    struct line legend = {0};

    if (state->empty || !state->rows.count || !state->builds.count) {
        canvas_put_wrapped(canvas, area_centre(area, area.rows - 2, area.columns - 4), ROLE_CHROME,
                           "No device has uploaded anything yet. stutterscope import FILE… reads the "
                           "telemetry of a night; R looks again.");
        return;
    }
    cover_lay_out(state, area, &layout);
    draw_heads(state, canvas, &layout);
    draw_rows(state, canvas, &layout);
    if (layout.legend.rows) {
        line_add(&legend, 1, ROLE_CHROME, " · all");
        line_add(&legend, 2, ROLE_CHROME, "  2< fewer than exp");
        line_add(&legend, 1, ROLE_CHROME, "  -- none, had before");
        line_add(&legend, 3, ROLE_CHROME, "  ~ sampled");
        line_add(&legend, 5, ROLE_CHROME, "  s spikes only");
        line_add(&legend, 5, ROLE_CHROME, "  i interfered");
        if (layout.scene_columns)
            line_add(&legend, 4, ROLE_CHROME, "  ▪ played ▫ missing");
        line_draw(canvas, layout.legend.row, layout.legend.column, layout.legend.columns, &legend);
        line_clear(&legend);
    }
    draw_pane(state, canvas, &layout);
    if (layout.import.rows)
        draw_import(state, canvas, layout.import);
}
