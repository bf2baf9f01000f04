/* What is to decide, line by line: below the Map where there is room, in its place where there is none for a
 * map. */
#include "map.h"

#include "words.h"
#include <math.h>

static void add_what(const struct map_state *state, const struct map_open *open, struct line *line)
{
    struct model *model = state->session->model;
    const char *scene = model_scene_name(model, open->item.scene);

    switch (open->item.kind) {
    case OPEN_STUTTER:
        line_print(line, LINE_KEEP, ROLE_CHROME, " %s", open->text)->least = 8;
        line_print(line, 4, ROLE_CHROME, " %s", verdict_name(open->item.verdict));
        line_print(line, 2, ROLE_CHROME, "  %s", scene ? scene : "?")->least = 5;
        break;
    case OPEN_DRIFT:
        line_print(line, LINE_KEEP, ROLE_CHROME, " %s", open->text)->least = 8;
        line_add(line, 2, ROLE_CHROME, " slower as a whole");
        break;
    case OPEN_SLOW:
        line_print(line, LINE_KEEP, ROLE_CHROME, " %s", open->text)->least = 8;
        line_add(line, 2, ROLE_CHROME, " slow");
        break;
    case OPEN_SILENT:
        line_print(line, LINE_KEEP, ROLE_CHROME, " %s ", open->text)->least = 8;
        line_add(line, LINE_KEEP, ROLE_MISSING, "silent");
        return;
    case OPEN_PARTIAL:
        line_print(line, LINE_KEEP, ROLE_CHROME, " %s", open->text)->least = 8;
        line_add_two(line, 1, ROLE_WARNING, " fewer runs than usual", " partial");
        return;
    }
    line_print(line, 3, ROLE_CHROME, "  %s", model_device_title(model_device(model, open->item.device)))
        ->least = 6;
    if (open->item.devices > 1)
        line_print(line, 1, ROLE_CHROME, " +%zu", open->item.devices - 1);
    if (!isnan(open->severity)) {
        line_print(line, LINE_KEEP, ROLE_CHROME, "  %s", word_number(open->severity, 0).text);
        line->items[line->count - 1].right = true;
    }
}

static void draw_item(const struct map_state *state, struct canvas *canvas, struct area row, int index,
                      bool selected)
{
    const struct map_open *open = &state->open.items[index];
    char mark[2] = {open->mark, '\0'};
    struct line line = {0};

    if (selected)
        canvas_fill(canvas, row, ROLE_SELECTED, " ");
    line_add(&line, LINE_KEEP, selected ? ROLE_SELECTED : ROLE_CHROME, selected ? "▸" : " ");
    line_add(&line, LINE_KEEP, word_mark_style(open->mark), mark);
    add_what(state, open, &line);
    for (size_t i = 0; selected && i < line.count; i++)
        if (STYLE_ROLE(line.items[i].style) == ROLE_CHROME)
            line.items[i].style = ROLE_SELECTED | STYLE_FLAGS(line.items[i].style);
    line_draw(canvas, row.row, row.column, row.columns, &line);
    line_clear(&line);
}

void map_draw_open(const struct map_state *state, struct canvas *canvas, struct area area, int selected)
{
    struct scroll scroll = state->list;
    int first;

    if (!state->open.count) {
        struct area text = area;

        area_take_left(&text, 1);
        canvas_put_wrapped(canvas, text, ROLE_CHROME,
                           state->stutters
                               ? "Nothing to decide. 2 shows the stutters that are known or unclear."
                               : "Nothing to decide: no gameplay stutter in this build.");
        return;
    }
    scroll.selected = selected >= 0 ? selected : state->list.selected;
    first = scroll_top(&scroll, area.rows);
    for (int i = 0; i < area.rows && first + i < scroll.count; i++)
        draw_item(state, canvas, (struct area){area.row + i, area.column, 1, area.columns}, first + i,
                  first + i == selected);
}
