#include "stutterscope/view/chrome.h"

#include "stutterscope/base/text.h"
#include <stdio.h>
#include <string.h>

#define LINES_ABOVE 3
#define LINES_BELOW 2

static bool is_too_small(const struct canvas *canvas)
{
    return canvas_rows(canvas) < CHROME_LEAST_ROWS || canvas_columns(canvas) < CHROME_LEAST_COLUMNS;
}

struct area chrome_body(const struct canvas *canvas)
{
    struct area body = canvas_area(canvas);
    if (is_too_small(canvas))
        return (struct area){0};
    area_take_top(&body, LINES_ABOVE);
    area_take_bottom(&body, LINES_BELOW);
    return body;
}

/* "[1 Map] 2 Queue 5  3 Frames": the active tab has brackets, the others a blank in their place. */
static void add_tab(struct line *line, const struct chrome *chrome, int tab, bool active)
{
    const char *name = screen_kind_name((enum screen_kind)tab);
    const char *badge = chrome->tabs[tab].badge;
    unsigned style = active ? ROLE_TAB_ACTIVE : ROLE_TAB;
    char text[48], number[48];
    snprintf(text, sizeof text, "%s%d %s%s", active ? "[" : " ", tab + 1, name, *badge ? " " : "");
    snprintf(number, sizeof number, "%s%d%s", active ? "[" : " ", tab + 1, *badge ? " " : "");
    line_add_two(line, LINE_KEEP, style, text, active ? text : number);
    if (*badge)
        line_add(line, chrome->tabs[tab].missing ? LINE_KEEP : 2,
                 chrome->tabs[tab].missing ? ROLE_MISSING : style | STYLE_BOLD, badge);
    line_add(line, LINE_KEEP, style, active ? "]" : " ");
}

static void draw_tabs(struct canvas *canvas, const struct chrome *chrome, enum screen_kind active)
{
    struct line line = {0};
    int columns = canvas_columns(canvas);
    for (int tab = 0; tab < SCREEN_COUNT; tab++)
        if (!chrome->tabs[tab].absent)
            add_tab(&line, chrome, tab, tab == (int)active);
    canvas_fill(canvas, (struct area){0, 0, 1, columns}, ROLE_TAB, " ");
    if (chrome->store && *chrome->store) {
        line_add_right(&line, 5, ROLE_TAB, "  ");
        line_add(&line, 5, ROLE_TAB, chrome->store)->least = 8;
        line.items[line.count - 1].right = true;
        line_add_right(&line, 5, ROLE_TAB, chrome->user && *chrome->user ? " ·" : "");
    }
    if (chrome->user && *chrome->user) {
        line_add_right(&line, 4, ROLE_TAB, " ");
        line_add_right(&line, 4, ROLE_TAB, chrome->user);
    }
    if (chrome->clock && *chrome->clock) {
        line_add_right(&line, 3, ROLE_TAB, " ");
        line_add_right(&line, 3, ROLE_TAB, chrome->clock);
    }
    line_draw(canvas, 0, 0, columns, &line);
    line_clear(&line);
}

static void draw_line(struct canvas *canvas, int row, const struct screen *screen,
                      void (*fill)(const void *state, struct line *line))
{
    if (fill == NULL)
        return;
    struct line line = {0};
    fill(screen->state, &line);
    line_draw(canvas, row, 1, canvas_columns(canvas) - 1, &line);
    line_clear(&line);
}

/* The figures of every screen rest on settings that were only tried: that stands beside what they are of. */
static void say_tuned(struct line *line)
{
    struct line_part part;

    line_add(line, LINE_KEEP, ROLE_WARNING, " tuned");
    part = line->items[line->count - 1];
    part.right = false;
    for (size_t i = line->count - 1; i > 1; i--)
        line->items[i] = line->items[i - 1];
    if (line->count > 1)
        line->items[1] = part;
}

static void draw_where(struct canvas *canvas, const struct screen *screen, bool tuned)
{
    struct line line = {0};

    if (screen->type->where)
        screen->type->where(screen->state, &line);
    if (tuned)
        say_tuned(&line);
    line_draw(canvas, 1, 1, canvas_columns(canvas) - 1, &line);
    line_clear(&line);
}

/* Keys of one hint: letters stand together ("hjkl"), signs and names apart ("+ -", "Home End"). */
static void print_hint_keys(const struct keymap *keymap, const struct hint *hint, char *buffer, size_t size)
{
    size_t used = 0;
    bool letters = true;
    buffer[0] = '\0';
    for (size_t i = 0; i < sizeof hint->actions / sizeof *hint->actions && hint->actions[i]; i++) {
        char key[32];
        keymap_print_first(keymap, hint->actions[i], key, sizeof key);
        bool letter = strlen(key) == 1 && ((*key >= 'a' && *key <= 'z') || (*key >= 'A' && *key <= 'Z'));
        if (*key == '\0')
            continue;
        used += (size_t)snprintf(buffer + used, used < size ? size - used : 0, "%s%s",
                                 used && !(letter && letters) ? " " : "", key);
        letters = letter;
    }
}

static void add_hint(struct line *line, const struct keymap *keymap, const struct hint *hint, int priority,
                     bool first)
{
    char keys[80], text[160];
    const char *label = hint->label ? hint->label : action_info(hint->actions[0])->label;
    print_hint_keys(keymap, hint, keys, sizeof keys);
    if (*keys == '\0')
        return;
    /* One part holds both, because half a hint is none; it is split into two styles after drawing. */
    snprintf(text, sizeof text, "%s%s %s", first ? "" : "  ", keys, label);
    line_add(line, priority, ROLE_CHROME, text);
}

static bool is_letter_cell(const struct canvas_cell *cell)
{
    return cell != NULL && strcmp(cell->text, " ") != 0;
}

/* The word after a wide gap (or at the start) is the key: it gets its own role. Signs may be several ("+ -
 * zoom"). */
static void paint_keys(struct canvas *canvas, int row, int column, int columns)
{
    for (int at = column; at < column + columns; at++) {
        bool gap = at == column || (!is_letter_cell(canvas_cell(canvas, row, at - 1)) &&
                                    (at - 1 == column || !is_letter_cell(canvas_cell(canvas, row, at - 2))));
        if (!gap || !is_letter_cell(canvas_cell(canvas, row, at)))
            continue;
        while (at < column + columns && is_letter_cell(canvas_cell(canvas, row, at)))
            canvas_set_role(canvas, (struct area){row, at++, 1, 1}, ROLE_KEY);
    }
}

void chrome_draw_hints(struct canvas *canvas, int row, int column, int columns, const struct keymap *keymap,
                       const struct hint *hints)
{
    if (keymap == NULL || hints == NULL)
        return;
    struct line line = {0};
    for (int i = 0; hints[i].actions[0] != ACTION_NONE; i++)
        add_hint(&line, keymap, &hints[i], hints[i].actions[0] == ACTION_HELP ? LINE_KEEP : i + 1, i == 0);
    line_draw(canvas, row, column, columns, &line);
    paint_keys(canvas, row, column, columns);
    line_clear(&line);
}

static void draw_keys(struct canvas *canvas, const struct chrome *chrome, const struct screen *screen)
{
    struct hint hints[9] = {{{ACTION_NONE}, NULL}};
    int count = 0;
    for (const struct hint *hint = screen->type->hints; hint && hint->actions[0] && count < 7; hint++)
        hints[count++] = *hint;
    hints[count] = (struct hint){{ACTION_HELP}, NULL};
    chrome_draw_hints(canvas, canvas_rows(canvas) - 1, 1, canvas_columns(canvas) - 1, chrome->keymap, hints);
}

static void draw_status(struct canvas *canvas, const struct chrome *chrome, const struct screen *screen)
{
    int row = canvas_rows(canvas) - LINES_BELOW, columns = canvas_columns(canvas);
    if (chrome->message == NULL || chrome->message[0] == '\0') {
        draw_line(canvas, row, screen, screen->type->status);
        return;
    }
    unsigned style = chrome->message_style ? chrome->message_style : ROLE_STATUS;
    int width = (int)text_width(chrome->message);
    canvas_put_field(canvas, row, 1, width < columns - 1 ? width : columns - 1, style, ALIGN_LEFT, CUT_END,
                     chrome->message);
}

static void draw_failure(struct canvas *canvas, struct area body, const char *failure)
{
    struct area inside = area_centre(body, body.rows - 2, body.columns - 4);
    canvas_put(canvas, inside.row, inside.column, ROLE_ERROR, " This could not be worked out. ");
    area_take_top(&inside, 2);
    int rows = canvas_put_wrapped(canvas, inside, ROLE_CHROME, failure);
    area_take_top(&inside, rows + 1);
    canvas_put_wrapped(canvas, inside, ROLE_CHROME, "R tries again, Esc goes back.");
}

static void draw_too_small(struct canvas *canvas)
{
    struct line line = {0};
    line_add_two(&line, LINE_KEEP, ROLE_CHROME, "stutterscope needs 40 × 12", "needs 40 × 12");
    line_print(&line, 1, ROLE_CHROME, ", this is %d × %d", canvas_columns(canvas), canvas_rows(canvas));
    line_draw(canvas, 0, 0, canvas_columns(canvas), &line);
    line_clear(&line);
}

static void draw_middle(struct canvas *canvas, const struct chrome *chrome, const struct screen *screen)
{
    draw_where(canvas, screen, chrome->tuned);
    if (screen->failure) {
        draw_failure(canvas, chrome_body(canvas), screen->failure);
        return;
    }
    draw_line(canvas, 2, screen, screen->type->answer);
    screen->type->draw(screen->state, canvas, chrome_body(canvas));
}

void chrome_draw(struct canvas *canvas, const struct chrome *chrome, const struct screen *screen)
{
    canvas_clear(canvas);
    if (is_too_small(canvas)) {
        draw_too_small(canvas);
        return;
    }
    draw_tabs(canvas, chrome, screen->type->kind);
    if (!chrome->covered)
        draw_middle(canvas, chrome, screen);
    draw_status(canvas, chrome, screen);
    draw_keys(canvas, chrome, screen);
}

void chrome_draw_above(struct canvas *canvas, const struct chrome *chrome, const struct screen *overlay)
{
    int row = canvas_rows(canvas) - 1, columns = canvas_columns(canvas);

    if (!is_too_small(canvas)) {
        canvas_fill(canvas, (struct area){row, 0, 1, columns}, ROLE_CHROME, " ");
        chrome_draw_hints(canvas, row, 1, columns - 1, chrome->keymap, overlay->type->hints);
    }
    overlay->type->draw(overlay->state, canvas, canvas_area(canvas));
}
