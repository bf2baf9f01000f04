#include "../leftovers.h"
#include "pictures.h"
#include "stutterscope/view/photo_screen.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/stutterscope-shot-XXXXXX";

static struct screen *shot(struct display display)
{
    struct picture picture = picture_png(1600, 900, false);
    struct error error = {0};
    int descriptor = mkstemp(path);

    leftover_note(path);
    cr_assert_eq(write(descriptor, picture.bytes, picture.size), (ssize_t)picture.size);
    close(descriptor);
    picture_free(&picture);

    struct screen *screen = photo_screen_open(path, "screenshot · Battle_03", &display, &error);

    cr_assert_not_null(screen, "%s", error.text);
    return screen;
}

static bool shows(struct screen *screen, struct canvas *canvas, const char *text)
{
    canvas_clear(canvas);
    screen->type->draw(screen->state, canvas, canvas_area(canvas));
    char *all = canvas_dump_text(canvas);
    bool found = strstr(all, text) != NULL;

    free(all);
    return found;
}

static void finish(struct screen *screen)
{
    struct screen_progress progress;
    struct error error = {0};

    while (screen->type->work(screen->state, &progress, &error) == WORK_MORE)
        ;
}

Test(photo_screen, is_decoded_in_steps_and_drawn_in_the_middle)
{
    struct screen *screen = shot((struct display){.depth = DEPTH_256});
    struct canvas *canvas = canvas_create(24, 80, GLYPHS_FULL);

    cr_expect(shows(screen, canvas, "loading 0 %"));
    finish(screen);
    cr_expect(shows(screen, canvas, "screenshot · Battle_03"));
    cr_expect(shows(screen, canvas, "1600 × 900 pixels"));
    /* 16:9 in 22 rows of two columns each: 78 columns wide, so column 20 is red, column 60 blue. */
    const struct canvas_cell *red = canvas_cell(canvas, 6, 20), *blue = canvas_cell(canvas, 6, 60);

    cr_expect(red->style & STYLE_PAINT);
    uint32_t left = colour_rgb((int)(strcmp(red->text, " ") ? STYLE_FOREGROUND(red->style) : STYLE_BACKGROUND(red->style)));
    uint32_t right = colour_rgb((int)(strcmp(blue->text, " ") ? STYLE_FOREGROUND(blue->style) : STYLE_BACKGROUND(blue->style)));

    cr_expect_gt(left >> 16, 200);
    cr_expect_gt(right & 0xff, 200);
    canvas_resize(canvas, 2, 3);
    screen->type->draw(screen->state, canvas, canvas_area(canvas)); /* harmless */
    canvas_resize(canvas, 1, 1);
    screen->type->draw(screen->state, canvas, canvas_area(canvas));
    canvas_destroy(canvas);
    screen_destroy(screen);
    unlink(path);
}

Test(photo_screen, leaves_its_place_to_terminals_with_graphics)
{
    struct screen *screen = shot((struct display){.depth = DEPTH_256, .protocol = PHOTO_SIXEL, .cell_width = 8, .cell_height = 16});
    struct canvas *canvas = canvas_create(24, 80, GLYPHS_FULL);
    struct screen_image image;

    screen->type->draw(screen->state, canvas, canvas_area(canvas));
    cr_expect_not(screen->type->image(screen->state, canvas_area(canvas), &image), "nothing is there yet");
    finish(screen);
    screen->type->draw(screen->state, canvas, canvas_area(canvas));
    cr_assert(screen->type->image(screen->state, canvas_area(canvas), &image));
    cr_expect_eq(image.row, 1);
    cr_expect_eq(strncmp(image.bytes, "\033P", 2), 0);
    cr_expect_str_eq(canvas_cell(canvas, 10, 40)->text, " ");
    unsigned version = image.version;

    screen->type->draw(screen->state, canvas, canvas_area(canvas));
    cr_assert(screen->type->image(screen->state, canvas_area(canvas), &image));
    cr_expect_eq(image.version, version, "drawn again it is the same picture");
    canvas_destroy(canvas);
    screen_destroy(screen);
    unlink(path);
}

Test(photo_screen, any_key_closes)
{
    struct screen *screen = shot((struct display){.depth = DEPTH_NONE});
    struct screen_reply reply = {0};

    cr_expect(screen->type->act(screen->state, &(struct screen_event){.action = ACTION_DOWN}, &reply));
    cr_expect(reply.close);
    screen_destroy(screen);
    unlink(path);
}
