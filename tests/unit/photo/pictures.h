/*
 * Small pictures for tests, written by the libraries' own writers: red at the left, blue at the right; the lower half is
 * darker.
 */
#ifndef TESTS_PHOTO_PICTURES_H
#define TESTS_PHOTO_PICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct picture {
    uint8_t *bytes;
    size_t size;
};
struct picture picture_png(int width, int height, bool interlaced);
struct picture picture_jpeg(int width, int height, bool progressive);
void picture_free(struct picture *picture);
/* What the pixel at that place is. */
void picture_colour(int width, int height, int x, int y, uint8_t ret[3]);

#endif
