/* JPEG, some rows at a time. */
#include "decoder.h"

#include "stutterscope/base/memory.h"
/* jpeglib.h needs FILE and size_t before it. */
#include <stdio.h>

#include <jpeglib.h>

#include <jerror.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_AT_A_TIME = 16,
    PIECES_AT_A_TIME = 16, /* of a file in several scans; each is a row of blocks */
    MOST_SCANS = 64,     /* each scan of a progressive file costs a pass over all of it: no honest file has so many */
    WIDE_ENOUGH = 2048,  /* larger ones are halved by the decoder itself, which is much quicker */
    MOST_MEMORY = 128 << 20
};

struct jpeg_state {
    struct jpeg_decompress_struct info; /* first: the callbacks get it */
    struct jpeg_error_mgr errors;
    jmp_buf away;
    struct error error;
    struct photo_raster *raster;
    struct photo_source source;
    uint8_t *row;
    bool begun, read; /* read: all scans are there, rows come out */
};

static bool sniff(const struct photo_source *source)
{
    return source->size >= 3 && memcmp(source->bytes, "\xff\xd8\xff", 3) == 0;
}

static void failed(j_common_ptr info)
{
    struct jpeg_state *state = (struct jpeg_state *)info;
    char text[JMSG_LENGTH_MAX];

    info->err->format_message(info, text);
    if (!state->error.text[0])
        error_set(&state->error, ERROR_INPUT, "the JPEG is damaged: %s", text);
    longjmp(state->away, 1);
}

/* Cut off, where libjpeg would go on with grey. Other warnings many honest files give. */
static void warned(j_common_ptr info, int level)
{
    if (level < 0 && (info->err->msg_code == JWRN_JPEG_EOF || info->err->msg_code == JWRN_HIT_MARKER))
        failed(info);
}

static void say_nothing(j_common_ptr info)
{
    (void)info;
}

static void count_scans(struct jpeg_state *state)
{
    if (state->info.input_scan_number <= MOST_SCANS)
        return;
    error_set(&state->error, ERROR_INPUT, "the JPEG has too many scans to be shown");
    longjmp(state->away, 1);
}

static void *create(const struct photo_source *source, struct photo_raster *raster)
{
    struct jpeg_state *state = memory_take_zeroed(1, sizeof *state);

    state->source = *source;
    state->raster = raster;
    state->info.err = jpeg_std_error(&state->errors);
    state->errors.error_exit = failed;
    state->errors.emit_message = warned;
    state->errors.output_message = say_nothing;
    if (setjmp(state->away))
        return state; /* the first step says what */
    jpeg_create_decompress(&state->info);
    state->info.mem->max_memory_to_use = MOST_MEMORY;
    jpeg_mem_src(&state->info, source->bytes, source->size);
    return state;
}

static bool begin(struct jpeg_state *state)
{
    struct jpeg_decompress_struct *info = &state->info;

    jpeg_read_header(info, TRUE);
    if (!raster_check_size(info->image_width, info->image_height, &state->error))
        longjmp(state->away, 1);
    state->raster->width = (int)info->image_width;
    state->raster->height = (int)info->image_height;
    info->scale_num = 1;
    info->scale_denom = 1;
    while (info->scale_denom < 8 && info->image_width / (2 * info->scale_denom) >= WIDE_ENOUGH)
        info->scale_denom *= 2;
    /* The library does not turn CMYK into RGB: store_row() does, of inks that are stored inverted as programs do it. */
    info->out_color_space = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK ? JCS_CMYK : JCS_RGB;
    /* Several scans would all be read before the first row comes out: they are read in steps of our own instead. */
    info->buffered_image = jpeg_has_multiple_scans(info);
    state->raster->reads_first = info->buffered_image;
    jpeg_start_decompress(info);
    raster_begin(state->raster, (int)info->output_width, (int)info->output_height);
    state->row = memory_take_zeroed(info->output_width + 1, 4);
    return true;
}

/* A few pieces of the scans of a file that has several; true when all are there. */
static bool read_scans(struct jpeg_state *state)
{
    struct jpeg_decompress_struct *info = &state->info;

    for (int n = 0; n < PIECES_AT_A_TIME && !jpeg_input_complete(info); n++) {
        jpeg_consume_input(info);
        count_scans(state);
    }
    state->raster->read_percent = (int)(100 - info->src->bytes_in_buffer * 100 / (state->source.size + 1));
    if (!jpeg_input_complete(info))
        return false;
    jpeg_start_output(info, info->input_scan_number);
    return true;
}

static void store_row(struct jpeg_state *state, uint32_t number)
{
    uint8_t *to = state->raster->rgba + (size_t)number * state->info.output_width * 4;
    int components = state->info.output_components;

    for (uint32_t x = 0; x < state->info.output_width; x++, to += 4) {
        const uint8_t *from = state->row + (size_t)x * (size_t)components;

        for (int i = 0; i < 3; i++)
            to[i] = components == 4 ? (uint8_t)(from[i] * from[3] / 255) : components == 3 ? from[i] : from[0];
        to[3] = 0xff;
    }
}

static bool step(void *user, bool *ret_done, struct error *error)
{
    struct jpeg_state *state = user;
    struct jpeg_decompress_struct *info = &state->info;

    if (state->error.text[0] || setjmp(state->away))
        return error_set(error, state->error.code, "%s", state->error.text);
    if (!state->begun) {
        state->begun = begin(state);
        state->read = !info->buffered_image;
        return true;
    }
    if (!state->read) {
        state->read = read_scans(state);
        return true;
    }
    for (int n = 0; n < ROWS_AT_A_TIME && info->output_scanline < info->output_height; n++) {
        JSAMPROW rows[1] = {state->row};
        uint32_t number = info->output_scanline;

        if (jpeg_read_scanlines(info, rows, 1) == 1)
            store_row(state, number);
        state->raster->rows_done = number + 1;
    }
    *ret_done = info->output_scanline >= info->output_height;
    return true;
}

static void destroy(void *user)
{
    struct jpeg_state *state = user;

    if (state->info.mem)
        jpeg_destroy_decompress(&state->info);
    free(state->row);
    free(state);
}

const struct photo_decoder jpeg_photo_decoder = {sniff, create, step, destroy};
