#include "stutterscope/view/photo_screen.h"

#include "stutterscope/base/hash.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP_MS = 30, CHROME_ROWS = 2 };

/* What was worked out for a size of the terminal; drawing fills it in. */
struct shown {
    int rows, columns; /* of the picture; 0: nothing yet */
    int room_rows, room_columns;
    enum glyph_set glyphs;
    struct photo_cell *cells;
    char *bytes;
    size_t size;
    unsigned version;
};

struct photo_screen {
    char *title, *name;
    struct display display;
    struct photo *photo;
    bool done;
    char *failure;
    struct shown *shown;
};

static void forget_shown(struct shown *shown)
{
    free(shown->cells);
    free(shown->bytes);
    shown->cells = NULL;
    shown->bytes = NULL;
    shown->rows = shown->columns = 0;
}

static void destroy(void *state)
{
    struct photo_screen *screen = state;
    forget_shown(screen->shown);
    free(screen->shown);
    photo_close(screen->photo);
    free(screen->title);
    free(screen->name);
    free(screen->failure);
    free(screen);
}

static struct area room_of(struct area whole)
{
    area_take_top(&whole, 1);
    area_take_bottom(&whole, 1);
    return whole;
}

static enum photo_colours colours_of(enum colour_depth depth)
{
    return depth == DEPTH_256 ? PHOTO_256 : depth == DEPTH_16 ? PHOTO_16 : depth == DEPTH_8 ? PHOTO_8 : PHOTO_MONO;
}

static void work_out(const struct photo_screen *screen, struct area room, enum glyph_set glyphs)
{
    struct shown *shown = screen->shown;
    struct photo_pixels pixels = photo_pixels(screen->photo);
    if (shown->rows && shown->room_rows == room.rows && shown->room_columns == room.columns && shown->glyphs == glyphs)
        return;
    forget_shown(shown);
    shown->room_rows = room.rows;
    shown->room_columns = room.columns;
    shown->glyphs = glyphs;
    photo_fit(pixels, room.rows, room.columns, screen->display.cell_width, screen->display.cell_height, &shown->rows,
              &shown->columns);
    if (screen->display.protocol != PHOTO_NO_PROTOCOL && glyphs == GLYPHS_FULL) {
        shown->bytes = photo_to_bytes(pixels, shown->rows, shown->columns, screen->display.cell_width,
                                      screen->display.cell_height, screen->display.protocol, &shown->size);
        /* Of the bytes: another picture may be opened before anything was drawn in between. */
        shown->version = (unsigned)hash_bytes(shown->bytes, shown->size) | 1;
        return;
    }
    shown->cells = memory_take_zeroed((size_t)shown->rows * (size_t)shown->columns, sizeof *shown->cells);
    photo_to_cells(pixels, shown->rows, shown->columns, colours_of(screen->display.depth),
                   glyphs == GLYPHS_ASCII ? PHOTO_ASCII : PHOTO_BLOCKS, shown->cells);
}

static struct area place_of(const struct shown *shown, struct area room)
{
    return area_centre(room, shown->rows, shown->columns);
}

static void draw_cells(const struct photo_screen *screen, struct canvas *canvas, struct area place)
{
    const struct shown *shown = screen->shown;
    for (int row = 0; row < shown->rows; row++)
        for (int column = 0; column < shown->columns; column++) {
            const struct photo_cell *cell = &shown->cells[row * shown->columns + column];
            char text[5] = "";
            unsigned style = screen->display.depth == DEPTH_NONE
                                 ? ROLE_CHROME
                                 : STYLE_PAINTED(ROLE_CHROME, cell->foreground, cell->background);
            text[text_encode(cell->character, text)] = '\0';
            canvas_put(canvas, place.row + row, place.column + column, style, text);
        }
}

static void draw_status(const struct photo_screen *screen, struct canvas *canvas, struct area whole)
{
    struct line line = {0};
    int width, height, bottom = whole.row + whole.rows - 1;
    photo_size(screen->photo, &width, &height);
    if (screen->failure)
        line_print(&line, LINE_KEEP, ROLE_ERROR, " %s ", screen->failure)->least = 10;
    else if (!screen->done)
        line_print(&line, LINE_KEEP, ROLE_STATUS, " loading %d %%", photo_percent(screen->photo));
    else
        line_print(&line, 2, ROLE_STATUS, " %d × %d pixels", width, height);
    line_add_right(&line, 1, ROLE_STATUS, "  any key closes ");
    canvas_fill(canvas, (struct area){bottom, whole.column, 1, whole.columns}, ROLE_CHROME, " ");
    line_draw(canvas, bottom, whole.column, whole.columns, &line);
    line_clear(&line);
}

static void draw(const void *state, struct canvas *canvas, struct area whole)
{
    const struct photo_screen *screen = state;
    struct area room = room_of(whole);
    canvas_fill(canvas, whole, ROLE_CHROME, " ");
    if (whole.rows <= CHROME_ROWS) {
        canvas_put_field(canvas, whole.row, whole.column, whole.columns, ROLE_STATUS, ALIGN_LEFT, CUT_END,
                         "too small for a picture");
        return;
    }
    struct line line = {0};
    line_print(&line, 1, ROLE_TITLE, " %s", screen->title)->least = 10;
    line_print(&line, 3, ROLE_CHROME, "  %s", screen->name)->least = 8;
    line_draw(canvas, whole.row, whole.column, whole.columns, &line);
    line_clear(&line);
    if (screen->done && room.rows > 0 && room.columns > 0) {
        work_out(screen, room, canvas_glyphs(canvas));
        if (screen->shown->cells)
            draw_cells(screen, canvas, place_of(screen->shown, room));
    }
    draw_status(screen, canvas, whole);
}

static bool image(const void *state, struct area whole, struct screen_image *ret)
{
    const struct photo_screen *screen = state;
    struct area place = place_of(screen->shown, room_of(whole));
    if (!screen->shown->bytes || whole.rows <= CHROME_ROWS)
        return false;
    *ret = (struct screen_image){place.row, place.column, screen->shown->bytes, screen->shown->size,
                                 screen->shown->version, screen->display.protocol == PHOTO_KITTY};
    return true;
}

static enum screen_work work(void *state, struct screen_progress *ret, struct error *error)
{
    struct photo_screen *screen = state;
    struct error failure = {0};
    (void)ret;
    (void)error; /* it is shown here, as long as somebody looks */
    if (screen->done || screen->failure)
        return WORK_NONE;
    if (!photo_step(screen->photo, STEP_MS, &screen->done, &failure))
        screen->failure = memory_copy_text(failure.text);
    return screen->done || screen->failure ? WORK_DONE : WORK_MORE;
}

static bool act(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    (void)state;
    if (event->action == ACTION_REDRAW || event->action == ACTION_SUSPEND || event->action == ACTION_INTERRUPT)
        return false;
    reply->close = true;
    return true;
}

static const struct screen_type photo_type = {
    .kind = SCREEN_NONE,
    .name = "screenshot",
    .overlay = true,
    .destroy = destroy,
    .draw = draw,
    .image = image,
    .act = act,
    .work = work,
};

struct screen *photo_screen_open(const char *path, const char *title, const struct display *display, struct error *error)
{
    struct photo *photo;
    if (!photo_open(path, &photo, error))
        return NULL;
    struct photo_screen *screen = memory_take_zeroed(1, sizeof *screen);
    const char *name = path_base_name(path);
    screen->photo = photo;
    screen->display = *display;
    screen->title = memory_copy_text(title);
    screen->name = text_clean(name, strlen(name));
    screen->shown = memory_take_zeroed(1, sizeof *screen->shown);
    return screen_wrap(&photo_type, screen);
}
