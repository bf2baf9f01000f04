/* Pixels to what a terminal shows, with libchafa. */
#include "stutterscope/photo/photo.h"

#include "stutterscope/base/memory.h"
#include <chafa.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

void photo_fit(struct photo_pixels pixels, int rows, int columns, int cell_width, int cell_height, int *ret_rows,
               int *ret_columns)
{
    double shape = cell_width > 0 && cell_height > 0 ? (double)cell_width / cell_height : 0.5;
    double high = (double)columns * pixels.height / pixels.width * shape;

    if (high > rows) {
        double wide = (double)rows * pixels.width / pixels.height / shape;

        *ret_rows = rows;
        *ret_columns = wide < 1 ? 1 : wide > columns ? columns : (int)(wide + 0.5);
        return;
    }
    *ret_columns = columns;
    *ret_rows = high < 1 ? 1 : (int)(high + 0.5) > rows ? rows : (int)(high + 0.5);
}

static ChafaCanvas *draw(struct photo_pixels pixels, ChafaCanvasConfig *config)
{
    ChafaCanvas *canvas = chafa_canvas_new(config);

    chafa_canvas_draw_all_pixels(canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, pixels.rgba, pixels.width, pixels.height,
                                 pixels.width * 4);
    return canvas;
}

static uint8_t palette_index(gint colour, uint8_t otherwise)
{
    return colour >= 0 && colour <= 255 ? (uint8_t)colour : otherwise;
}

void photo_to_cells(struct photo_pixels pixels, int rows, int columns, enum photo_colours colours, enum photo_symbols symbols,
                    struct photo_cell *cells)
{
    static const ChafaCanvasMode modes[] = {
        [PHOTO_MONO] = CHAFA_CANVAS_MODE_FGBG,
        [PHOTO_8] = CHAFA_CANVAS_MODE_INDEXED_8,
        [PHOTO_16] = CHAFA_CANVAS_MODE_INDEXED_16,
        [PHOTO_256] = CHAFA_CANVAS_MODE_INDEXED_240, /* not the 16 that people change */
    };
    ChafaCanvasConfig *config = chafa_canvas_config_new();
    ChafaSymbolMap *map = chafa_symbol_map_new();
    ChafaSymbolTags tags = CHAFA_SYMBOL_TAG_SPACE;

    tags |= symbols == PHOTO_ASCII ? CHAFA_SYMBOL_TAG_ASCII
                                   : CHAFA_SYMBOL_TAG_SOLID | CHAFA_SYMBOL_TAG_HALF | CHAFA_SYMBOL_TAG_QUAD | CHAFA_SYMBOL_TAG_STIPPLE;
    chafa_symbol_map_add_by_tags(map, tags);
    chafa_canvas_config_set_symbol_map(config, map);
    chafa_canvas_config_set_geometry(config, columns, rows);
    chafa_canvas_config_set_canvas_mode(config, modes[colours]);
    chafa_canvas_config_set_pixel_mode(config, CHAFA_PIXEL_MODE_SYMBOLS);
    if (colours == PHOTO_MONO)
        chafa_canvas_config_set_dither_mode(config, CHAFA_DITHER_MODE_ORDERED);

    ChafaCanvas *canvas = draw(pixels, config);

    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            struct photo_cell *cell = &cells[row * columns + column];
            gint foreground = -1, background = -1;

            cell->character = chafa_canvas_get_char_at(canvas, column, row);
            if (cell->character == 0)
                cell->character = ' ';
            chafa_canvas_get_raw_colors_at(canvas, column, row, &foreground, &background);
            cell->background = palette_index(background, colours == PHOTO_256 ? 16 : 0);
            cell->foreground = palette_index(foreground, cell->background);
        }
    chafa_canvas_unref(canvas);
    chafa_symbol_map_unref(map);
    chafa_canvas_config_unref(config);
}

enum photo_protocol photo_protocol_of_terminal(void)
{
    const char *term = getenv("TERM");
    enum photo_protocol protocol = PHOTO_NO_PROTOCOL;

    if (getenv("TMUX") || getenv("STY") || !term || strncmp(term, "tmux", 4) == 0 || strncmp(term, "screen", 6) == 0)
        return protocol;

    ChafaTermDb *terminals = chafa_term_db_new();
    ChafaTermInfo *here = chafa_term_db_detect(terminals, environ);

    if (chafa_term_info_have_seq(here, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1))
        protocol = PHOTO_KITTY;
    else if (chafa_term_info_have_seq(here, CHAFA_TERM_SEQ_BEGIN_SIXELS))
        protocol = PHOTO_SIXEL;
    chafa_term_info_unref(here);
    chafa_term_db_unref(terminals);
    return protocol;
}

/* The sequences of a terminal that knows them all: which one is used was decided before. */
static ChafaTermInfo *terminal_with(enum photo_protocol protocol)
{
    ChafaTermInfo *info = chafa_term_info_new();

    if (protocol == PHOTO_KITTY) {
        chafa_term_info_set_seq(info, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1,
                                "\033_Ga=T,f=%1,s=%2,v=%3,c=%4,r=%5,m=1,q=2\033\\", NULL);
        chafa_term_info_set_seq(info, CHAFA_TERM_SEQ_BEGIN_KITTY_IMAGE_CHUNK, "\033_Gm=1;", NULL);
        chafa_term_info_set_seq(info, CHAFA_TERM_SEQ_END_KITTY_IMAGE_CHUNK, "\033\\", NULL);
        chafa_term_info_set_seq(info, CHAFA_TERM_SEQ_END_KITTY_IMAGE, "\033_Gm=0\033\\", NULL);
    } else {
        chafa_term_info_set_seq(info, CHAFA_TERM_SEQ_BEGIN_SIXELS, "\033P%1;%2;%3q", NULL);
        chafa_term_info_set_seq(info, CHAFA_TERM_SEQ_END_SIXELS, "\033\\", NULL);
    }
    return info;
}

char *photo_to_bytes(struct photo_pixels pixels, int rows, int columns, int cell_width, int cell_height,
                     enum photo_protocol protocol, size_t *ret_size)
{
    enum { USUAL_WIDTH = 10, USUAL_HEIGHT = 20 };
    ChafaCanvasConfig *config = chafa_canvas_config_new();
    ChafaTermInfo *info = terminal_with(protocol);
    char *bytes;

    chafa_canvas_config_set_geometry(config, columns, rows);
    chafa_canvas_config_set_cell_geometry(config, cell_width > 0 ? cell_width : USUAL_WIDTH,
                                          cell_height > 0 ? cell_height : USUAL_HEIGHT);
    chafa_canvas_config_set_canvas_mode(config, CHAFA_CANVAS_MODE_TRUECOLOR);
    chafa_canvas_config_set_pixel_mode(config, protocol == PHOTO_KITTY ? CHAFA_PIXEL_MODE_KITTY : CHAFA_PIXEL_MODE_SIXELS);

    ChafaCanvas *canvas = draw(pixels, config);
    GString *text = chafa_canvas_print(canvas, info);

    bytes = memory_copy_bytes(text->str, text->len);
    *ret_size = text->len;
    g_string_free(text, TRUE);
    chafa_canvas_unref(canvas);
    chafa_canvas_config_unref(config);
    chafa_term_info_unref(info);
    return bytes;
}
