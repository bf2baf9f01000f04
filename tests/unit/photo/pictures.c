#include "pictures.h"

#include <criterion/criterion.h>
#include <png.h>
#include <stdio.h>

#include <jpeglib.h>
#include <stdlib.h>
#include <string.h>

void picture_colour(int width, int height, int x, int y, uint8_t ret[3])
{
    uint8_t light = y < height / 2 ? 250 : 120;

    ret[0] = x < width / 2 ? light : 0;
    ret[1] = 0;
    ret[2] = x < width / 2 ? 0 : light;
}

static void append(png_structp png, png_bytep bytes, size_t size)
{
    struct picture *picture = png_get_io_ptr(png);

    picture->bytes = realloc(picture->bytes, picture->size + size);
    cr_assert_not_null(picture->bytes);
    memcpy(picture->bytes + picture->size, bytes, size);
    picture->size += size;
}

struct picture picture_png(int width, int height, bool interlaced)
{
    struct picture picture = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    uint8_t *pixels = malloc((size_t)width * (size_t)height * 3);
    png_bytep *rows = malloc((size_t)height * sizeof *rows);

    for (int y = 0; y < height; y++) {
        rows[y] = pixels + (size_t)y * (size_t)width * 3;
        for (int x = 0; x < width; x++)
            picture_colour(width, height, x, y, rows[y] + x * 3);
    }
    png_set_write_fn(png, &picture, append, NULL);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB,
                 interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_rows(png, info, rows);
    png_write_png(png, info, PNG_TRANSFORM_IDENTITY, NULL);
    png_destroy_write_struct(&png, &info);
    free(rows);
    free(pixels);
    return picture;
}

struct picture picture_jpeg(int width, int height, bool progressive)
{
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    struct picture picture = {0};
    unsigned long size = 0;
    uint8_t *row = malloc((size_t)width * 3);

    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &picture.bytes, &size);
    info.image_width = (JDIMENSION)width;
    info.image_height = (JDIMENSION)height;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 95, TRUE);
    if (progressive)
        jpeg_simple_progression(&info);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        JSAMPROW rows[1] = {row};

        for (int x = 0; x < width; x++)
            picture_colour(width, height, x, (int)info.next_scanline, row + x * 3);
        jpeg_write_scanlines(&info, rows, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    free(row);
    picture.size = size;
    return picture;
}

void picture_free(struct picture *picture)
{
    free(picture->bytes);
}
