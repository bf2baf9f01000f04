#include "../leftovers.h"
#include "pictures.h"
#include "stutterscope/photo/photo.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* NULL with an error, as photo_step() says it. */
static struct photo *decoded(const uint8_t *bytes, size_t size, struct error *error)
{
    struct photo *photo = NULL;
    bool done = false;

    if (!photo_open_bytes("shot", bytes, size, &photo, error))
        return NULL;
    while (!done)
        if (!photo_step(photo, 0, &done, error)) {
            photo_close(photo);
            return NULL;
        }
    return photo;
}

static int distance(int a, int b)
{
    return a > b ? a - b : b - a;
}

static void expect_picture(struct picture picture, int width, int height, int tolerance)
{
    struct error error = {0};
    struct photo *photo = decoded(picture.bytes, picture.size, &error);
    struct photo_pixels pixels;
    int own_width, own_height;

    cr_assert_not_null(photo, "%s", error.text);
    photo_size(photo, &own_width, &own_height);
    cr_expect_eq(own_width, width);
    cr_expect_eq(own_height, height);
    cr_expect_eq(photo_percent(photo), 100);
    pixels = photo_pixels(photo);
    /* Far from the edges, where JPEG blurs and a smaller picture mixes. */
    for (int corner = 0; corner < 4; corner++) {
        int x = corner % 2 ? pixels.width * 3 / 4 : pixels.width / 4, y = corner / 2 ? pixels.height * 3 / 4 : pixels.height / 4;
        const uint8_t *pixel = pixels.rgba + ((size_t)y * (size_t)pixels.width + (size_t)x) * 4;
        uint8_t want[3];

        picture_colour(pixels.width, pixels.height, x, y, want);
        for (int i = 0; i < 3; i++)
            cr_expect_leq(distance(pixel[i], want[i]), tolerance, "corner %d, colour %d: %d for %d", corner, i, pixel[i], want[i]);
        cr_expect_eq(pixel[3], 255);
    }
    photo_close(photo);
    picture_free(&picture);
}

Test(photo, png_and_jpeg_of_all_ways_of_writing)
{
    expect_picture(picture_png(64, 48, false), 64, 48, 0);
    expect_picture(picture_png(64, 48, true), 64, 48, 0);
    expect_picture(picture_jpeg(64, 48, false), 64, 48, 12);
    expect_picture(picture_jpeg(64, 48, true), 64, 48, 12);
}

Test(photo, what_is_larger_than_any_terminal_is_made_smaller)
{
    struct picture picture = picture_png(3000, 2100, false);
    struct error error = {0};
    struct photo *photo = decoded(picture.bytes, picture.size, &error);

    cr_assert_not_null(photo, "%s", error.text);
    cr_expect_eq(photo_pixels(photo).width, 1500); /* by two: 3000 > 2048 */
    cr_expect_eq(photo_pixels(photo).height, 1050);
    photo_close(photo);
    expect_picture(picture, 3000, 2100, 0);
    expect_picture(picture_jpeg(4200, 1000, false), 4200, 1000, 12);
}

static int steps_of(struct picture picture)
{
    struct error error = {0};
    struct photo *photo = NULL;
    int steps = 0, percent = 0;

    cr_assert(photo_open_bytes("shot", picture.bytes, picture.size, &photo, &error), "%s", error.text);
    for (bool done = false; !done; steps++) {
        cr_assert(photo_step(photo, 0, &done, &error), "%s", error.text);
        cr_expect_geq(photo_percent(photo), percent, "it never goes back");
        percent = photo_percent(photo);
    }
    photo_close(photo);
    picture_free(&picture);
    return steps;
}

/* 1600 rows of pixels are 100 rows of blocks (of 16 pixels), which each of the 10 scans goes through: 1 000 pieces of
 * work before the first row comes out, at most 16 of them between two looks at the keyboard. */
Test(photo, several_scans_are_read_in_steps)
{
    cr_expect_geq(steps_of(picture_jpeg(1200, 1600, true)) - steps_of(picture_jpeg(1200, 1600, false)), 1000 / 16);
}

Test(photo, cut_off_or_damaged_files_are_refused_and_nothing_else)
{
    struct picture pictures[] = {picture_png(64, 48, false), picture_png(64, 48, true), picture_jpeg(64, 48, false),
                                 picture_jpeg(64, 48, true)};

    for (size_t i = 0; i < 4; i++) {
        for (size_t size = 0; size < pictures[i].size - 2; size += 1 + size / 40) {
            struct error error = {0};
            struct photo *photo = decoded(pictures[i].bytes, size, &error);

            cr_expect_null(photo, "picture %zu cut at %zu", i, size);
            cr_expect(error.text[0], "picture %zu cut at %zu: no reason", i, size);
            photo_close(photo);
        }
        for (size_t at = 8; at < pictures[i].size; at += 1 + pictures[i].size / 60) { /* whatever comes out, nothing breaks */
            struct error error = {0};
            uint8_t was = pictures[i].bytes[at];

            pictures[i].bytes[at] ^= 0x55;
            photo_close(decoded(pictures[i].bytes, pictures[i].size, &error));
            pictures[i].bytes[at] = was;
        }
        picture_free(&pictures[i]);
    }
}

/* Behind the part of a PNG, that of the part: the CRC-32 of ISO 3309, bit by bit, the highest byte first. */
static void write_checksum(uint8_t *part, size_t size)
{
    uint32_t sum = UINT32_MAX;

    for (size_t i = 0; i < size * 8; i++) {
        uint32_t differs = (sum ^ part[i / 8] >> i % 8) & 1;

        sum = sum >> 1 ^ (differs ? 0xedb88320 : 0);
    }
    sum = ~sum;
    for (size_t i = 0; i < 4; i++)
        part[size + i] = (uint8_t)(sum >> (24 - 8 * i));
}

/* A head that promises 60000 x 60000 pixels. */
Test(photo, bombs_are_refused_before_memory_is_taken)
{
    struct picture picture = picture_png(64, 48, false);
    struct error error = {0};

    memcpy(picture.bytes + 16, "\0\0\xea\x60\0\0\xea\x60", 8);
    write_checksum(picture.bytes + 12, 17); /* "IHDR" and its 13 bytes */
    cr_expect_null(decoded(picture.bytes, picture.size, &error));
    cr_expect_str_eq(error.text, "the picture is too big to be shown: 60000 x 60000 pixels, at most 24 million");
    picture_free(&picture);
    picture = picture_jpeg(64, 48, false);
    for (size_t i = 2; i + 9 < picture.size; i++)
        if (picture.bytes[i] == 0xff && picture.bytes[i + 1] == 0xc0) {
            memcpy(picture.bytes + i + 5, "\x4e\x20\x4e\x20", 4); /* 20000 x 20000 */
            break;
        }
    memset(&error, 0, sizeof error);
    cr_expect_null(decoded(picture.bytes, picture.size, &error));
    cr_expect_str_eq(error.text, "the picture is too big to be shown: 20000 x 20000 pixels, at most 24 million");
    picture_free(&picture);
}

Test(photo, other_files_are_named_for_what_they_are)
{
    char folder[] = "/tmp/stutterscope-photo-XXXXXX", path[128];
    struct photo *photo = NULL;
    struct error error = {0};

    cr_assert(mkdtemp(folder));
    leftover_note(folder);
    cr_expect_not(photo_open(folder, &photo, &error));
    cr_expect_not_null(strstr(error.text, "no regular file"), "%s", error.text);
    snprintf(path, sizeof path, "%s/pipe", folder);
    cr_assert_eq(mkfifo(path, 0600), 0);
    cr_expect_not(photo_open(path, &photo, &error), "and it does not wait for a writer");
    unlink(path);
    snprintf(path, sizeof path, "%s/text.png", folder);
    FILE *file = fopen(path, "w");
    fputs("not a picture", file);
    fclose(file);
    cr_expect_not(photo_open(path, &photo, &error));
    cr_expect_not_null(strstr(error.text, "neither PNG nor JPEG"), "%s", error.text);
    cr_assert_eq(truncate(path, (off_t)PHOTO_MOST_BYTES + (1 << 20)), 0);
    cr_expect_not(photo_open(path, &photo, &error));
    cr_expect_not_null(strstr(error.text, "33 MB, at most 32"), "%s", error.text);
    unlink(path);
    cr_expect_not(photo_open(path, &photo, &error));
    cr_expect_not_null(strstr(error.text, "No such file"), "%s", error.text);
    rmdir(folder);
}
