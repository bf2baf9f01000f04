#include "pictures.h"
#include "stutterscope/photo/photo.h"
#include "stutterscope/view/theme.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct photo *red_and_blue(void)
{
    struct picture picture = picture_png(80, 80, false);
    struct photo *photo = NULL;
    struct error error = {0};
    bool done = false;

    cr_assert(photo_open_bytes("shot", picture.bytes, picture.size, &photo, &error));
    while (!done)
        cr_assert(photo_step(photo, 10, &done, &error));
    picture_free(&picture);
    return photo;
}

Test(show, keeps_the_shape)
{
    struct photo_pixels wide = {1600, 900, NULL}, high = {900, 1600, NULL};
    int rows, columns;

    photo_fit(wide, 40, 80, 0, 0, &rows, &columns); /* 80 x 9/16 / 2 = 22.5 */
    cr_expect_eq(columns, 80);
    cr_expect(rows == 22 || rows == 23);
    photo_fit(high, 40, 80, 10, 20, &rows, &columns); /* 40 x 9/16 x 2 = 45 */
    cr_expect_eq(rows, 40);
    cr_expect_eq(columns, 45);
    photo_fit((struct photo_pixels){5000, 1, NULL}, 10, 10, 0, 0, &rows, &columns);
    cr_expect_eq(rows, 1);
    photo_fit((struct photo_pixels){1, 5000, NULL}, 10, 10, 0, 0, &rows, &columns);
    cr_expect_eq(columns, 1);
}

/* Each quarter of the picture has one colour: so has the middle of each quarter of the cells. */
Test(show, cells_have_the_colours_of_the_palette)
{
    struct photo *photo = red_and_blue();
    struct photo_cell cells[8 * 16];

    photo_to_cells(photo_pixels(photo), 8, 16, PHOTO_256, PHOTO_BLOCKS, cells);
    for (int quarter = 0; quarter < 4; quarter++) {
        const struct photo_cell *cell = &cells[(quarter / 2 ? 6 : 1) * 16 + (quarter % 2 ? 12 : 3)];
        uint32_t seen = colour_rgb(cell->character == ' ' ? cell->background : cell->foreground);
        int red = (int)(seen >> 16), green = (int)(seen >> 8 & 0xff), blue = (int)(seen & 0xff);

        cr_expect_lt(green, 40, "quarter %d: %06x", quarter, seen);
        if (quarter % 2)
            cr_expect_gt(blue, red + 60, "quarter %d: %06x", quarter, seen);
        else
            cr_expect_gt(red, blue + 60, "quarter %d: %06x", quarter, seen);
    }
    photo_to_cells(photo_pixels(photo), 8, 16, PHOTO_16, PHOTO_BLOCKS, cells);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        cr_expect(cells[i].foreground < 16 && cells[i].background < 16);
    photo_to_cells(photo_pixels(photo), 8, 16, PHOTO_MONO, PHOTO_ASCII, cells);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        cr_expect(cells[i].character >= ' ' && cells[i].character < 127);
    photo_close(photo);
}

Test(show, speaks_kitty_and_sixel)
{
    struct photo *photo = red_and_blue();
    size_t size = 0;
    char *bytes = photo_to_bytes(photo_pixels(photo), 8, 16, 10, 20, PHOTO_KITTY, &size);

    cr_expect_eq(strncmp(bytes, "\033_Ga=T,f=32,s=160,v=160,c=16,r=8", 32), 0, "%.60s", bytes + 1);
    cr_expect_str_eq(bytes + size - 2, "\033\\");
    free(bytes);
    bytes = photo_to_bytes(photo_pixels(photo), 8, 16, 10, 20, PHOTO_SIXEL, &size);
    cr_expect_eq(strncmp(bytes, "\033P", 2), 0);
    cr_expect_not_null(strchr(bytes, 'q'));
    cr_expect_str_eq(bytes + size - 2, "\033\\");
    free(bytes);
    photo_close(photo);
}

Test(show, asks_the_environment_what_the_terminal_can)
{
    unsetenv("TMUX");
    unsetenv("STY");
    setenv("TERM", "xterm-kitty", 1);
    cr_expect_eq(photo_protocol_of_terminal(), PHOTO_KITTY);
    setenv("TMUX", "/tmp/tmux", 1);
    cr_expect_eq(photo_protocol_of_terminal(), PHOTO_NO_PROTOCOL);
    unsetenv("TMUX");
    setenv("TERM", "xterm-256color", 1);
    unsetenv("KITTY_WINDOW_ID");
    cr_expect_eq(photo_protocol_of_terminal(), PHOTO_NO_PROTOCOL);
}
