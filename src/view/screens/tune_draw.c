/* Drawing Tune: sliders, what was and what is, the small map, what is lost. */
#include "tune.h"

#include "names.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/chart.h"
#include "words.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE_FROM = 76,
    TITLE_COLUMNS = 12,
    VALUE_COLUMNS = 9,
    SLIDER_MOST = 24,
    NAME_MOST = 20,
    SCENE_LEAST = 4,
    SCENE_MOST = 9,
    CLASS_COLUMNS = 14,
    COUNT_COLUMNS = 5
};

struct tune_layout {
    struct area settings, map, counts, lost; /* rows 0: not there */
};

/* The two that decide are always there. */
static bool is_counted(const struct tune_state *state, enum tune_class class)
{
    return class == TUNE_TICKET || class == TUNE_DECIDE || tune_count(&state->was, class) ||
           tune_count(&state->now, class);
}

/* The counts that draw_counts() has rows for: head, windows, stutters, and the classes that occur. */
static int count_rows(const struct tune_state *state)
{
    int rows = 3;

    for (int class = 0; class < TUNE_CLASSES; class ++)
        rows += is_counted(state, (enum tune_class) class);
    return rows;
}

static void lay_out(const struct tune_state *state, struct area area, struct tune_layout *ret)
{
    memset(ret, 0, sizeof *ret);
    if (area.columns >= SIDE_FROM) {
        struct area side = area_take_right(&area, area.columns < 96 ? 32 : 40);

        area_take_left(&side, 2);
        ret->counts = area_take_top(&side, count_rows(state) + 1);
        if (side.rows > 2)
            ret->lost = side;
    }
    ret->settings = area_take_top(&area, TUNE_SETTINGS + (area.rows > TUNE_SETTINGS + 8 ? 2 : 0));
    if (area.rows > 2)
        ret->map = area;
}

static double number_of(const struct analysis_settings *settings, const char *name)
{
    char value[64];
    double number = NAN;

    analysis_settings_print(settings, name, value, sizeof value);
    number_parse_double(value, strlen(value), &number);
    return number;
}

/* Long ranges are spread by powers, so that small values can be told apart. */
static double place_on_slider(const struct tune_setting *info, double value)
{
    return info->high > 100 ? log1p(value) : value;
}

static void draw_rule(const struct tune_state *state, struct canvas *canvas, int row, int column, int columns)
{
    char here[64];
    int end = column + columns;

    analysis_settings_print(model_settings(state->session->model), "rule", here, sizeof here);
    for (const char *const *stop = tune_settings[0].stops; *stop && column + (int)strlen(*stop) + 2 < end;
         stop++) {
        bool chosen = strcmp(*stop, here) == 0;

        column += 1 + canvas_print(canvas, row, column, chosen ? ROLE_CHROME | STYLE_BOLD : ROLE_MUTED,
                                   chosen ? "[%s]" : "%s", *stop);
    }
}

static void draw_setting(const struct tune_state *state, struct canvas *canvas, struct area area,
                         size_t index)
{
    const struct tune_setting *info = &tune_settings[index];
    bool selected = (int)index == state->setting.selected, differs = tune_differs(state, index);
    unsigned flags = selected ? STYLE_CURSOR : 0;
    int row = area.row + (int)index, column = area.column + 1,
        room = area.columns - 1 - 2 - TITLE_COLUMNS - VALUE_COLUMNS - 1, slider;
    char value[64], stored[64], text[160];

    analysis_settings_print(model_settings(state->session->model), info->name, value, sizeof value);
    analysis_settings_print(&state->stored, info->name, stored, sizeof stored);
    snprintf(text, sizeof text, "%s%s", value, info->unit);
    canvas_put(canvas, row, column, ROLE_CURSOR, selected ? "▸" : "");
    canvas_put_field(canvas, row, column + 2, TITLE_COLUMNS, ROLE_HEAD | flags, ALIGN_LEFT, CUT_END,
                     info->title);
    canvas_put_field(canvas, row, column + 2 + TITLE_COLUMNS, VALUE_COLUMNS,
                     differs ? ROLE_WARNING : ROLE_CHROME | STYLE_BOLD, ALIGN_RIGHT, CUT_END, text);
    column += 2 + TITLE_COLUMNS + VALUE_COLUMNS + 2;
    if (info->low >= info->high) {
        draw_rule(state, canvas, row, column, room > 30 ? 30 : room);
        slider = 28;
    } else {
        slider = room < 12 ? room - 1 : room < SLIDER_MOST + 14 ? room - 1 : SLIDER_MOST;
        if (room >= 26)
            slider = room - 14 < SLIDER_MOST ? room - 14 : SLIDER_MOST;
        chart_put_slider(canvas, row, column, slider, ROLE_CHROME,
                         place_on_slider(info, number_of(model_settings(state->session->model), info->name)),
                         place_on_slider(info, info->low), place_on_slider(info, info->high));
    }
    if (differs && column + slider + 8 < area.column + area.columns)
        canvas_print(canvas, row, column + slider + 1, ROLE_MUTED, "store %s", stored);
}

static void draw_settings(const struct tune_state *state, struct canvas *canvas, struct area area)
{
    double factor = number_of(model_settings(state->session->model), "factor");

    for (size_t i = 0; i < TUNE_SETTINGS && (int)i < area.rows; i++)
        draw_setting(state, canvas, area, i);
    if (area.rows > TUNE_SETTINGS) {
        struct line line = {0};

        line_print(&line, LINE_KEEP, ROLE_CHROME, "alert: over %s ms at 60 FPS",
                   word_number(factor * 1000 / 60, 1).text);
        line_print(&line, 1, ROLE_CHROME, ", %s at 30", word_number(factor * 1000 / 30, 1).text);
        line_print(&line, 2, ROLE_CHROME, ", %s at 120", word_number(factor * 1000 / 120, 1).text);
        line_draw(canvas, area.row + TUNE_SETTINGS, area.column + 3, area.columns - 4, &line);
        line_clear(&line);
    }
}

/* ---- counts ---- */

static void put_counts(struct canvas *canvas, struct area area, int row, unsigned style, const char *title,
                       int64_t was, int64_t now, int64_t lost)
{
    const int64_t counts[] = {was, now, lost};

    if (row >= area.rows)
        return;
    canvas_put_field(canvas, area.row + row, area.column, CLASS_COLUMNS, style, ALIGN_LEFT, CUT_END, title);
    for (int i = 0; i < 3; i++) {
        char text[24] = "";

        if (counts[i] >= 0)
            snprintf(text, sizeof text, "%lld", (long long)counts[i]);
        canvas_put_field(canvas, area.row + row, area.column + CLASS_COLUMNS + i * COUNT_COLUMNS,
                         COUNT_COLUMNS,
                         i == 2 && counts[i] > 0 ? style == ROLE_BAD ? ROLE_BAD : ROLE_WARNING : ROLE_CHROME,
                         ALIGN_RIGHT, CUT_HIDE, text);
    }
}

static void draw_counts(const struct tune_state *state, struct canvas *canvas, struct area area)
{
    static const char *const heads[] = {"was", "now", "lost"};
    int row = 1;

    for (int i = 0; i < 3; i++)
        canvas_put_field(canvas, area.row, area.column + CLASS_COLUMNS + i * COUNT_COLUMNS, COUNT_COLUMNS,
                         ROLE_HEAD, ALIGN_RIGHT, CUT_HIDE, heads[i]);
    put_counts(canvas, area, row++, ROLE_CHROME, "windows", state->was.windows, state->now.windows, -1);
    put_counts(canvas, area, row++, ROLE_CHROME | STYLE_BOLD, "stutters", (int64_t)state->was.count,
               (int64_t)state->now.count, (int64_t)state->lost.count);
    for (int class = 0; class < TUNE_CLASSES; class ++) {
        int64_t was = (int64_t)tune_count(&state->was, (enum tune_class) class),
                now = (int64_t)tune_count(&state->now, (enum tune_class) class);
        int64_t lost = (int64_t)tune_count_lost(state, (enum tune_class) class);

        if (is_counted(state, (enum tune_class) class))
            put_counts(canvas, area, row++, class <= TUNE_INVESTIGATING && lost ? ROLE_BAD : ROLE_CHROME,
                       tune_class_title((enum tune_class) class), was, now, lost);
    }
}

static void draw_lost(const struct tune_state *state, struct canvas *canvas, struct area area)
{
    struct model *model = state->session->model;
    size_t page = area.rows > 2 ? (size_t)area.rows - 2 : 1, first = 0;

    for (size_t i = page; i < state->lost.count; i++) /* what was found is seen */
        if (tune_is_found(state, true, i))
            first = i + 1 - page;
    canvas_print(canvas, area.row, area.column, ROLE_TITLE, "LOST %zu", state->lost.count);
    if (state->gained)
        canvas_print(canvas, area.row, area.column + 10, ROLE_TITLE, "GAINED %zu", state->gained);
    for (size_t i = first; i < state->lost.count && (int)(i - first) + 1 < area.rows; i++) {
        const struct tune_stutter *lost = &state->lost.items[i];
        const char *event = model_text(model, lost->event);
        const struct device_row *device = model_device(model, lost->device);
        unsigned cursor = tune_is_found(state, true, i) ? STYLE_CURSOR : 0;
        int row = area.row + 1 + (int)(i - first), figure = 7, left = area.columns - figure - 2, name = left / 2;

        if ((int)(i - first) + 2 == area.rows && i + 1 < state->lost.count) {
            canvas_print(canvas, row, area.column, ROLE_MUTED, "%zu more", state->lost.count - i);
            break;
        }
        canvas_put_field(canvas, row, area.column, name,
                         (lost->class <= TUNE_INVESTIGATING ? ROLE_BAD : ROLE_CHROME) | cursor, ALIGN_LEFT, CUT_END,
                         event ? event : "no event");
        canvas_put_field(canvas, row, area.column + name + 1, left - name, ROLE_CHROME, ALIGN_LEFT,
                         CUT_MIDDLE, device ? model_device_title(device) : "?");
        canvas_put_field(canvas, row, area.column + left + 1, figure, ROLE_CHROME, ALIGN_RIGHT, CUT_HIDE,
                         word_ms(lost->peak_ns).text);
    }
}

/* ---- the small map ---- */

static void draw_cell(const struct tune_state *state, struct canvas *canvas, int row, int column,
                      size_t device, size_t scene)
{
    const struct tune_cell *cell = &state->cells[device * state->scenes.count + scene];

    if (!cell->has_frames)
        canvas_put(canvas, row, column, ROLE_BAD, cell->missing ? "--" : "");
    else if (state->devices.items[device].waits)
        canvas_put(canvas, row, column, ROLE_MUTED, "…");
    else if (cell->lost)
        column += canvas_put(canvas, row, column, ROLE_WARNING, "-");
    if (!cell->has_frames || state->devices.items[device].waits)
        return;
    if (cell->gained)
        column += canvas_put(canvas, row, column, ROLE_BAD, "+");
    if (cell->kept)
        canvas_put(canvas, row, column, ROLE_CHROME, "▪");
    else if (!cell->lost && !cell->gained)
        canvas_put(canvas, row, column, ROLE_MUTED, "·");
}

static void draw_scene_heads(const struct tune_state *state, struct canvas *canvas, int row, int column,
                             int slot, size_t shown)
{
    char **names = memory_take_zeroed(state->scenes.count + 1, sizeof *names);

    names_cut((const char *const *)state->scenes.items, state->scenes.count, slot - 1, names);
    for (size_t s = 0; s < shown; s++)
        canvas_put(canvas, row, column + (int)s * slot, ROLE_HEAD, names[s]);
    names_free(names, state->scenes.count);
    free(names);
}

static void draw_map(const struct tune_state *state, struct canvas *canvas, struct area area)
{
    int widest = 6, room, first, slot;
    size_t shown;
    struct area title = area_take_top(&area, 1);

    canvas_put_field(canvas, title.row, title.column + 1, title.columns - 2, ROLE_TITLE, ALIGN_LEFT, CUT_END,
                     "MAP  ▪ kept  - lost  + gained  · none");
    for (size_t d = 0; d < state->devices.count; d++) {
        int width = (int)text_width(state->devices.items[d].title);

        widest = width > widest ? width : widest;
    }
    widest = widest > NAME_MOST ? NAME_MOST : widest;
    if (area.columns < 60 && widest > 14)
        widest = 14;
    room = area.columns - widest - 3;
    slot = state->scenes.count ? room / (int)state->scenes.count : 0;
    slot = slot < SCENE_LEAST ? SCENE_LEAST : slot > SCENE_MOST ? SCENE_MOST : slot;
    shown = room > 0 ? (size_t)(room / slot) : 0;
    shown = shown < state->scenes.count ? shown : state->scenes.count;
    draw_scene_heads(state, canvas, area.row, area.column + widest + 3, slot, shown);
    if (shown < state->scenes.count)
        canvas_print(canvas, title.row, title.column + title.columns - 10, ROLE_MUTED, "%zu more →",
                     state->scenes.count - shown);
    area_take_top(&area, 1);
    first = scroll_top(&state->row, area.rows);
    for (int i = 0; i < area.rows && (size_t)(first + i) < state->devices.count; i++) {
        size_t device = (size_t)(first + i);
        bool found = tune_is_found(state, false, device);

        canvas_put(canvas, area.row + i, area.column, ROLE_CURSOR, found ? "▸" : "");
        canvas_put_field(canvas, area.row + i, area.column + 1, widest, ROLE_HEAD | (found ? STYLE_CURSOR : 0), ALIGN_LEFT, CUT_MIDDLE,
                         state->devices.items[device].title);
        for (size_t s = 0; s < shown; s++)
            draw_cell(state, canvas, area.row + i, area.column + widest + 3 + (int)s * slot, device, s);
    }
}

void tune_draw(const void *user, struct canvas *canvas, struct area area)
{
    const struct tune_state *state = user;
    struct tune_layout layout;

    if (!state->session->build) {
        struct area inside = area_centre(area, area.rows - 2, area.columns - 4);

        canvas_put_wrapped(canvas, inside, ROLE_CHROME,
                           "This store has no runs yet: stutterscope import FILE… brings some.");
        return;
    }
    lay_out(state, area, &layout);
    draw_settings(state, canvas, layout.settings);
    if (layout.counts.rows)
        draw_counts(state, canvas, layout.counts);
    if (layout.lost.rows)
        draw_lost(state, canvas, layout.lost);
    if (layout.map.rows)
        draw_map(state, canvas, layout.map);
}
