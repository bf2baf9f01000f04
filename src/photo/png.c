/* PNG, fed to libpng's progressive reader bit by bit. */
#include "decoder.h"

#include "stutterscope/base/memory.h"
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES_AT_A_TIME = 4096, /* may unpack to a thousand times as much, which is still quick */
    MOST_CHUNK = 8 << 20
};

struct png_state {
    struct photo_source source;
    struct photo_raster *raster;
    png_structp png;
    png_infop info;
    size_t fed;
    bool ended;
    struct error error; /* what a callback found wrong */
};

static bool sniff(const struct photo_source *source)
{
    return source->size >= 8 && png_sig_cmp(source->bytes, 0, 8) == 0;
}

static void failed(png_structp png, png_const_charp message)
{
    struct png_state *state = png_get_error_ptr(png);

    if (!state->error.text[0])
        error_set(&state->error, ERROR_INPUT, "the PNG is damaged: %s", message);
    longjmp(png_jmpbuf(png), 1);
}

static void ignore(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* Whatever the file has becomes 8 bits of red, green, blue and alpha. */
static void have_info(png_structp png, png_infop info)
{
    struct png_state *state = png_get_progressive_ptr(png);
    png_uint_32 width = png_get_image_width(png, info), height = png_get_image_height(png, info);

    if (!raster_check_size(width, height, &state->error))
        png_error(png, "too big");
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != (size_t)width * 4)
        png_error(png, "an unknown kind of pixels");
    state->raster->width = (int)width;
    state->raster->height = (int)height;
    raster_begin(state->raster, (int)width, (int)height);
}

static void have_row(png_structp png, png_bytep row, png_uint_32 number, int pass)
{
    struct png_state *state = png_get_progressive_ptr(png);
    size_t bytes = (size_t)state->raster->raster_width * 4;

    (void)pass;
    if (row && number < (png_uint_32)state->raster->raster_height) {
        png_progressive_combine_row(png, state->raster->rgba + number * bytes, row);
        state->raster->rows_done = number + 1;
    }
}

static void have_end(png_structp png, png_infop info)
{
    struct png_state *state = png_get_progressive_ptr(png);

    (void)info;
    state->ended = true;
}

static void *create(const struct photo_source *source, struct photo_raster *raster)
{
    struct png_state *state = memory_take_zeroed(1, sizeof *state);

    state->source = *source;
    state->raster = raster;
    state->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, state, failed, ignore);
    state->info = state->png ? png_create_info_struct(state->png) : NULL;
    if (!state->info)
        return state;
    /* have_info() refuses what is too big, before memory is taken and in better words. */
    png_set_user_limits(state->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(state->png, MOST_CHUNK);
    png_set_keep_unknown_chunks(state->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_progressive_read_fn(state->png, state, have_info, have_row, have_end);
    return state;
}

static void feed(struct png_state *state)
{
    size_t size = state->source.size - state->fed;

    size = size > BYTES_AT_A_TIME ? BYTES_AT_A_TIME : size;
    png_process_data(state->png, state->info, (png_bytep)state->source.bytes + state->fed, size);
    state->fed += size;
}

static bool step(void *user, bool *ret_done, struct error *error)
{
    struct png_state *state = user;

    if (!state->info)
        return error_set(error, ERROR_INPUT, "libpng could not be started");
    if (setjmp(png_jmpbuf(state->png)))
        return error_set(error, state->error.code, "%s", state->error.text);
    if (!state->ended && state->fed >= state->source.size)
        return error_set(error, ERROR_INPUT, "the PNG is cut off after %zu bytes", state->source.size);
    if (!state->ended)
        feed(state);
    *ret_done = state->ended;
    return true;
}

static void destroy(void *user)
{
    struct png_state *state = user;

    png_destroy_read_struct(&state->png, &state->info, NULL);
    free(state);
}

const struct photo_decoder png_photo_decoder = {sniff, create, step, destroy};
