/*
 * What the decoders of the two formats have in common.
 */
#ifndef STUTTERSCOPE_PHOTO_DECODER_H
#define STUTTERSCOPE_PHOTO_DECODER_H

#include "stutterscope/photo/photo.h"

struct photo_source {
    const uint8_t *bytes;
    size_t size;
};

/* Where the decoder puts rows; the memory is taken by raster_begin(), which refuses what is too big. */
struct photo_raster {
    int width, height;           /* of the file */
    int raster_width, raster_height; /* of what is decoded: a decoder may halve it itself */
    uint8_t *rgba;
    size_t rows_done;
    bool reads_first; /* the whole file is read before the first row */
    int read_percent; /* of it, then */
};
bool raster_check_size(int64_t width, int64_t height, struct error *error);
void raster_begin(struct photo_raster *raster, int width, int height);

struct photo_decoder {
    bool (*sniff)(const struct photo_source *source);
    void *(*create)(const struct photo_source *source, struct photo_raster *raster);
    /* A small piece of the work; *ret_done after the last. */
    bool (*step)(void *state, bool *ret_done, struct error *error);
    void (*destroy)(void *state);
};
extern const struct photo_decoder png_photo_decoder, jpeg_photo_decoder;

#endif
