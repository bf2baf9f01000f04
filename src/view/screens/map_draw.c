/* Drawing the Map's grid: frozen heads, cells, legend. */
#include "map.h"

#include "names.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "words.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int slot_column(const struct map_layout *layout, int column)
{
    return layout->grid.column + layout->head_columns + (column - layout->first_column) * layout->slot;
}

/* ---- heads ---- */

static void draw_scene_head(const struct map_state *state, struct canvas *canvas,
                            const struct map_layout *layout, int column, const char *upper, const char *lower)
{
    const struct map_column *scene = &state->columns.items[column];
    unsigned flags = column == state->column.selected ? STYLE_CURSOR : 0;
    int at = slot_column(layout, column) + 1, row = layout->heads.row + layout->heads.rows - 1;
    int room = layout->slot - (scene->mark == ' ' ? 1 : 2), width = (int)text_width(lower);
    char mark[2] = {scene->mark, '\0'};

    if (layout->two_heads && *upper)
        canvas_put_field(canvas, row - 1, at, (int)text_width(upper), ROLE_HEAD | flags, ALIGN_LEFT, CUT_END,
                         upper);
    canvas_put_field(canvas, row, at, width < room ? width : room, ROLE_HEAD | flags, ALIGN_LEFT, CUT_END,
                     lower);
    if (scene->mark != ' ')
        canvas_put(canvas, row, at + (width < room ? width : room), word_mark_style(scene->mark), mark);
}

static void draw_heads(const struct map_state *state, struct canvas *canvas, const struct map_layout *layout)
{
    size_t count = state->columns.count;
    const char **names = memory_take((count + 1) * sizeof *names);
    char **upper = memory_take_zeroed(count + 1, sizeof *upper),
         **lower = memory_take_zeroed(count + 1, sizeof *lower);
    int row = layout->heads.row + layout->heads.rows - 1;
    int at = layout->heads.column;

    for (size_t i = 0; i < count; i++)
        names[i] = state->columns.items[i].name;
    if (layout->two_heads)
        names_cut_two(names, count, layout->slot - 1, layout->slot - 2, upper, lower);
    else
        names_cut(names, count, layout->slot - 2, lower);
    for (int i = layout->first_column; i < (int)count && i < layout->first_column + layout->page_columns; i++)
        draw_scene_head(state, canvas, layout, i, upper[i] ? upper[i] : "", lower[i]);
    if (layout->tier_columns > 1)
        canvas_put(canvas, row, at + 1, ROLE_HEAD, "tier");
    if (layout->fps_columns)
        canvas_put(canvas, row, at + layout->tier_columns + 1, ROLE_HEAD, "device");
    at += layout->tier_columns + 1 + layout->name_columns;
    canvas_put_field(canvas, row, at, layout->fps_columns, ROLE_HEAD, ALIGN_RIGHT, CUT_HIDE, "fps");
    canvas_put_field(canvas, row, at + layout->fps_columns, layout->weight_columns, ROLE_HEAD, ALIGN_RIGHT,
                     CUT_HIDE, "wt");
    if (layout->todo_columns)
        canvas_put(canvas, row, slot_column(layout, layout->first_column + layout->page_columns), ROLE_HEAD,
                   "todo");
    if (layout->sum_columns)
        canvas_put_field(canvas, row,
                         slot_column(layout, layout->first_column + layout->page_columns) + layout->todo_columns,
                         layout->sum_columns - 1, ROLE_HEAD, ALIGN_RIGHT, CUT_HIDE, map_sum_title(state));
    if (layout->first_column > 0)
        canvas_put(canvas, row, layout->heads.column + layout->head_columns, ROLE_HEAD, "◂");
    if (layout->first_column + layout->page_columns < (int)count)
        canvas_put(canvas, row, slot_column(layout, layout->first_column + layout->page_columns) - 1,
                   ROLE_HEAD, "▸");
    names_free(upper, count);
    names_free(lower, count);
    free(upper);
    free(lower);
    free(names);
}

/* ---- rows ---- */

/* The tier stands at its first row only: a word where there is room, else its first letter as a capital. */
static void draw_tier(const struct map_state *state, struct canvas *canvas, const struct map_layout *layout,
                      int index, int row)
{
    const char *tier = state->rows.items[index].tier;
    char letter[8];

    if (!layout->tier_columns || !*tier ||
        (index != layout->first_row && !map_starts_tier(state, index) && state->sort == MAP_BY_TIER))
        return;
    if (layout->tier_columns > 1) {
        canvas_put_field(canvas, row, layout->grid.column + 1, layout->tier_columns - 1, ROLE_MUTED,
                         ALIGN_LEFT, CUT_END, tier);
        return;
    }
    snprintf(letter, sizeof letter, "%.*s", (int)text_fit(tier, 1, NULL), tier);
    if (letter[0] >= 'a' && letter[0] <= 'z')
        letter[0] = (char)(letter[0] - 'a' + 'A');
    canvas_put(canvas, row, layout->grid.column, ROLE_MUTED, letter);
}

static void draw_row_head(const struct map_state *state, struct canvas *canvas,
                          const struct map_layout *layout, int index, int row, const char *name)
{
    const struct map_row *device = &state->rows.items[index];
    bool selected = index == state->row.selected;
    int at = layout->grid.column;
    char text[32];

    draw_tier(state, canvas, layout, index, row);
    at += layout->tier_columns;
    if (selected)
        canvas_put(canvas, row, at, ROLE_HEAD, "▸");
    canvas_put(canvas, row, at + 1, ROLE_HEAD | (selected ? STYLE_CURSOR : 0), name);
    if (device->sampled)
        canvas_put(canvas, row, at + 1 + (int)text_width(name) + (layout->fps_columns ? 1 : 0), ROLE_WARNING,
                   "~");
    at += 1 + layout->name_columns;
    if (layout->fps_columns && device->fps_milli != VALUE_UNKNOWN)
        canvas_put_field(canvas, row, at, layout->fps_columns, ROLE_CHROME, ALIGN_RIGHT, CUT_HIDE,
                         word_number((double)device->fps_milli / 1000, 0).text);
    at += layout->fps_columns;
    if (layout->weight_columns) {
        struct word weight = word_with_decimal(word_number(device->what_if, 2));

        canvas_put_field(canvas, row, at, layout->weight_columns,
                         device->what_if != device->weight ? ROLE_WARNING : ROLE_CHROME, ALIGN_RIGHT,
                         CUT_HIDE, weight.text);
    }
    if (layout->sum_columns)
        map_draw_row_sum(state, canvas, layout, index, row);
    if (layout->todo_columns && device->open) {
        snprintf(text, sizeof text, "%d", device->open);
        canvas_put(canvas, row, slot_column(layout, layout->first_column + layout->page_columns) + 1,
                   ROLE_DECIDE, text);
    }
}

/* What stands in a cell: a heat glyph with a figure, or a word, and a mark. */
struct cell_text {
    char text[24]; /* word or figure */
    bool word;     /* it says why there is no figure */
    char mark;
    int step;       /* heat, 0: none */
    unsigned style; /* of a word */
};

static const char *drift_name(enum compared_figure figure)
{
    static const char *const names[] = {[COMPARED_P95] = "P95",
                                        [COMPARED_P99] = "P99",
                                        [COMPARED_MAX] = "max",
                                        [COMPARED_HITCH_RATIO] = "ms/s"};

    return figure < sizeof names / sizeof *names && names[figure] ? names[figure] : "?";
}

/* Short words and figures, for every cell at every key. */
static void say(struct cell_text *text, const char *word)
{
    size_t length = strlen(word);

    if (length >= sizeof text->text)
        length = sizeof text->text - 1;
    memcpy(text->text, word, length);
    text->text[length] = '\0';
}

static void say_word(struct cell_text *text, unsigned style, const char *word)
{
    say(text, word);
    text->word = true;
    text->style = style;
}

static void say_value(const struct map_state *state, struct cell_text *text, double value, double shade,
                      int digits)
{
    bool severity = state->session->metric == METRIC_SEVERITY, small = fabs(value) < 99.95 && digits > 3;
    struct word figure;

    if (state->session->shows_delta)
        figure = word_signed(value, fabs(value) < 9.95);
    else if (severity)
        figure = word_number(value, 0);
    else if (small)
        figure = word_with_decimal(word_number(value, 1));
    else
        figure = word_number(value, fabs(value) < 9.95);
    say(text, figure.text);
    text->step = map_step(state, shade);
}

static struct cell_text text_of_cell(const struct map_state *state, const struct map_row *row,
                                     const struct map_cell *cell, int digits)
{
    const struct heat_cell *heat = &cell->heat;
    double value = map_value(state, row, cell);
    struct cell_text text = {.mark = heat->mark};
    bool has_value = !isnan(value) && (heat->value > 0 || !metric_is_of_stutters(state->session->metric));

    if (cell->drift != MAP_NO_DRIFT && metric_is_of_stutters(state->session->metric))
        say_word(&text, ROLE_DECIDE | STYLE_BOLD, drift_name(cell->drift));
    else if (heat->state ==
             STATE_NONE) /* while analysis goes on, nothing is said of a device that reported */
        say_word(&text, ROLE_MUTED, state->session->as_it_is && row->runs ? "…" : "");
    else if (heat->state == STATE_MISSING)
        say_word(&text, ROLE_CHROME, "--");
    else if (has_value) {
        /* A difference is shaded only where it is for the worse. */
        say_value(state, &text, map_shown(state, value),
                  state->session->shows_delta && !(value > 0) ? 0 : heat->value, digits);
        if (heat->state == STATE_FEW)
            text.mark = '?';
        else if (heat->state == STATE_SAMPLED)
            text.mark = '~';
    } else if (heat->state == STATE_FEW) {
        say_word(&text, ROLE_CHROME, "few?");
        text.mark = ' ';
    } else if (heat->state == STATE_SAMPLED)
        say_word(&text, ROLE_WARNING, "~");
    else if (heat->state == STATE_SLOW)
        say_word(&text, ROLE_WARNING, "slow");
    else if (map_is_measured(state->session->metric))
        say_word(&text, ROLE_MUTED, state->session->shows_delta && !isnan(heat->value) ? "?" : "--");
    else if (heat->state == STATE_CLEAN && state->session->shows_folded && heat->transitions)
        snprintf(text.text, sizeof text.text, "%zut", heat->transitions), text.word = true,
                                                                          text.style = ROLE_MUTED;
    else
        say_word(&text, ROLE_CHROME, heat->state == STATE_CLEAN || !state->session->shows_delta ? "·" : "?");
    return text;
}

static void draw_cell(const struct map_state *state, struct canvas *canvas, const struct map_layout *layout,
                      int row_index, int column, int row)
{
    const struct map_row *device = &state->rows.items[row_index];
    struct cell_text text =
        text_of_cell(state, device, map_cell_at(state, row_index, column), layout->digits);
    bool selected = row_index == state->row.selected && column == state->column.selected;
    unsigned flags = selected ? STYLE_CURSOR : 0;
    int at = slot_column(layout, column) + 1;
    char mark[2] = {text.mark, '\0'};

    if (selected) {
        canvas_put(canvas, row, at - 1, ROLE_CURSOR, "[");
        canvas_fill(canvas, (struct area){row, at, 1, layout->digits + 2}, ROLE_CHROME | STYLE_CURSOR, " ");
        canvas_put(canvas, row, at + layout->digits + 2, ROLE_CURSOR, "]");
    }
    if (text.word)
        canvas_put_field(canvas, row, at, layout->digits + 1, text.style | flags, ALIGN_RIGHT, CUT_END,
                         text.text);
    else {
        unsigned heat = role_heat(text.step) | flags;

        canvas_put(canvas, row, at, heat, glyphs_of(canvas_glyphs(canvas))->heat[text.step]);
        canvas_put_field(canvas, row, at + 1, layout->digits, heat, ALIGN_RIGHT, CUT_END, text.text);
    }
    if (text.mark && text.mark != ' ')
        canvas_put(canvas, row, at + layout->digits + 1, word_mark_style(text.mark) | flags, mark);
}

static void draw_sentence(const struct map_state *state, struct canvas *canvas,
                          const struct map_layout *layout, int index, int row)
{
    const struct map_row *device = &state->rows.items[index];
    int at = layout->grid.column + layout->head_columns + 1;
    bool missing = device->coverage == COVERAGE_MISSING;
    unsigned flags = index == state->row.selected ? STYLE_CURSOR : 0;
    int room = layout->todo_columns ? layout->slot * layout->page_columns - 1
                                    : layout->grid.columns - layout->head_columns - 1;

    if (missing) {
        int used = canvas_put(canvas, row, at, ROLE_MISSING | flags, "MISSING");

        at += used + 2;
        room -= used + 2;
    }
    if (missing && (int)text_width(device->sentence) > room && device->since)
        canvas_print(canvas, row, at, ROLE_CHROME, "since %s",
                     word_short_build(state->session->model, device->since).text);
    else
        canvas_put_field(canvas, row, at, room, ROLE_CHROME, ALIGN_LEFT, CUT_END, device->sentence);
}

static void draw_rows(const struct map_state *state, struct canvas *canvas, const struct map_layout *layout)
{
    size_t count = state->rows.count;
    const char **titles = memory_take((count + 1) * sizeof *titles);
    char **names = memory_take_zeroed(count + 1, sizeof *names);
    bool sampled = false;

    for (size_t i = 0; i < count; i++) {
        titles[i] = state->rows.items[i].title;
        sampled |= state->rows.items[i].sampled;
    }
    names_cut(titles, count, layout->name_columns - (sampled ? 1 : 0), names);
    for (int i = layout->first_row; i < (int)count && i < layout->first_row + layout->page_rows; i++) {
        int row = map_canvas_row(state, layout, i);

        if (row < 0)
            break;
        if (layout->separators && i > 0 && map_starts_tier(state, i))
            canvas_horizontal(canvas, row - 1, layout->grid.column + layout->tier_columns + 1,
                              layout->head_columns - layout->tier_columns - 1 +
                                  layout->slot * layout->page_columns,
                              ROLE_BORDER, "╌");
        draw_row_head(state, canvas, layout, i, row, names[i]);
        if (state->rows.items[i].sentence)
            draw_sentence(state, canvas, layout, i, row);
        for (int column = layout->first_column;
             !state->rows.items[i].sentence && column < layout->first_column + layout->page_columns; column++)
            draw_cell(state, canvas, layout, i, column, row);
    }
    names_free(names, count);
    free(names);
    free(titles);
}

/* ---- legend and coverage ---- */

enum { BOUNDS = sizeof ((struct map_state *)NULL)->quantiles / sizeof *((struct map_state *)NULL)->quantiles };

static struct word bound_text(const struct map_state *state, int bound, bool exact)
{
    double value = map_shown(state, state->quantiles[bound]);

    return word_number(value, exact || value < 10);
}

/* Different bounds may be rounded to one number. */
static bool look_alike(const struct map_state *state)
{
    bool ret = false;

    for (int i = 1; i < BOUNDS && !isnan(state->quantiles[i]); i++)
        ret |= state->quantiles[i - 1] < state->quantiles[i] &&
               strcmp(bound_text(state, i - 1, false).text, bound_text(state, i, false).text) == 0;
    return ret;
}

/* Where bounds are equal no cell has the lighter shade. */
static void add_bounds(const struct map_state *state, enum glyph_set set, struct line *line)
{
    const struct glyphs *glyphs = glyphs_of(set);
    bool exact = look_alike(state);

    for (int i = 0; i < BOUNDS && !isnan(state->quantiles[i]); i++) {
        struct word bound = bound_text(state, i, exact);

        if (i + 1 < BOUNDS && strcmp(bound.text, bound_text(state, i + 1, exact).text) == 0)
            continue;
        line_print(line, LINE_KEEP, ROLE_CHROME, set == GLYPHS_FULL ? " %s%s" : " %s %s", glyphs->heat[i + 1], bound.text);
    }
}

static void draw_legend(const struct map_state *state, struct canvas *canvas, const struct map_layout *layout)
{
    struct line line = {0};

    line_add_two(&line, 3, ROLE_CHROME, " * new  ^ worse  ! back", " *new ^worse !back");
    line_add_two(&line, 3, ROLE_CHROME, " │ # ticket  = known, same  v better", "  #= handled");
    line_add_two(&line, 5, ROLE_CHROME, " │ ' once  ? unclear", "  'once ?unclear");
    line_add_two(&line, 6, ROLE_CHROME, " │ · ok  -- none  ~ sampled", "  ·ok --none");
    if (!isnan(state->quantiles[0]))
        line_add(&line, LINE_KEEP, ROLE_CHROME, "  ");
    add_bounds(state, canvas_glyphs(canvas), &line);
    if (metrics[state->session->metric].shown_unit && !isnan(state->quantiles[0]))
        line_print(&line, LINE_KEEP, ROLE_CHROME, " %s", metrics[state->session->metric].shown_unit);
    line_draw(canvas, layout->legend.row, layout->legend.column, layout->legend.columns, &line);
    line_clear(&line);
}

void map_draw_coverage(const struct map_state *state, struct canvas *canvas, struct area area)
{
    const struct map_rows *devices = map_devices(state);
    struct line line = {0};
    struct model *model = state->session->model;
    size_t sampled = 0, missing = 0, named = 0;

    for (size_t i = 0; i < devices->count; i++)
        missing += devices->items[i].coverage == COVERAGE_MISSING;
    line_print(&line, LINE_KEEP, ROLE_CHROME, " %lld/%lld runs", (long long)state->runs,
               (long long)state->expected_runs);
    for (size_t i = 0; i < devices->count; i++) {
        const struct map_row *row = &devices->items[i];

        if (row->coverage != COVERAGE_MISSING)
            continue;
        if (!named++) {
            line_add(&line, LINE_KEEP, ROLE_CHROME, "   ");
            if (missing > 1)
                line_print(&line, LINE_KEEP, ROLE_MISSING, "%zu MISSING", missing);
            else
                line_add(&line, LINE_KEEP, ROLE_MISSING, "MISSING");
        }
        line_print(&line, 1, ROLE_CHROME, "%s %s since %s", named > 1 ? "," : "", row->title,
                   word_short_build(model, row->since).text)
            ->short_text = memory_print("%s %s", named > 1 ? "," : "", row->title);
    }
    for (size_t i = 0; i < devices->count; i++) {
        const struct map_row *row = &devices->items[i];

        if (row->coverage == COVERAGE_FEWER)
            line_print(&line, 2, ROLE_WARNING, "   PARTIAL %s %lld/%lld", row->title, (long long)row->runs,
                       (long long)row->expected);
    }
    session_nights_fill(&state->nights, "   ", &line);
    for (size_t i = 0; i < devices->count; i++)
        if (devices->items[i].sampled)
            line_print(&line, 3, ROLE_WARNING, "%s%s", sampled++ ? ", " : "   SAMPLED ~ ",
                       devices->items[i].title)
                ->least = 6;
    line_draw(canvas, area.row, area.column, area.columns, &line);
    line_clear(&line);
}

static void draw_nothing(const struct map_state *state, struct canvas *canvas, struct area area)
{
    struct area inside = area_centre(area, area.rows - 2, area.columns - 4);
    static const char *const lines[] = {
        "This store has no runs yet.",
        "",
        "stutterscope import FILE…  reads telemetry of a night: CSV, JSON, PresentMon and more.",
        "stutterscope devices --load FILE  tells names, tiers, target FPS and weights of the devices.",
        "",
        "R reads the store again, q quits, ? shows the keys.",
    };

    if (!state->empty) {
        canvas_put_wrapped(canvas, inside, ROLE_CHROME,
                           model_has_frames(state->session->model)
                               ? "No device, scene or event fits the filter. f changes it, Esc takes it away."
                               : "No run here has frame times. What there is besides: 5 Cover shows the runs, 8 Memory the snapshots.");
        return;
    }
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        int rows = *lines[i] ? canvas_put_wrapped(canvas, inside, i ? ROLE_CHROME : ROLE_TITLE, lines[i]) : 1;

        area_take_top(&inside, rows);
    }
}

void map_draw(const void *user, struct canvas *canvas, struct area area)
{
    const struct map_state *state = user;
    struct map_layout layout;

    if (state->empty || !state->rows.count || !state->columns.count) {
        draw_nothing(state, canvas, area);
        return;
    }
    map_lay_out(state, area, &layout);
    if (layout.list) {
        map_draw_open(state, canvas, area, state->list.selected);
        return;
    }
    if (layout.coverage.rows)
        map_draw_coverage(state, canvas, layout.coverage);
    draw_heads(state, canvas, &layout);
    draw_rows(state, canvas, &layout);
    if (layout.summary.rows)
        map_draw_sums(state, canvas, &layout);
    draw_legend(state, canvas, &layout);
    map_draw_pane(state, canvas, &layout);
    if (layout.open.rows) {
        struct area open = layout.open;

        area_take_top(&open, 1);
        canvas_print(canvas, open.row - 1, open.column + 1, ROLE_TITLE, "To decide");
        map_draw_open(state, canvas, open, map_open_here(state));
    }
}
