/*
 * Screenshots: PNG and JPEG files, decoded in small steps so that nothing waits for them, and put into characters with
 * colours or into what terminals with graphics take. The only folder that knows libpng, libjpeg and libchafa.
 */
#ifndef STUTTERSCOPE_PHOTO_PHOTO_H
#define STUTTERSCOPE_PHOTO_PHOTO_H

#include "stutterscope/base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is refused: larger files, more pixels. A bomb unpacks to far more than its size says. */
#define PHOTO_MOST_BYTES  (32 << 20)
#define PHOTO_MOST_PIXELS (24 << 20)
#define PHOTO_MOST_SIDE   20000

struct photo;

/* Looks at the file and at its first bytes. Errors are for people: missing, no regular file, too big, no PNG or JPEG. */
bool photo_open(const char *path, struct photo **ret, struct error *error);
/* From memory (copied); `name` is for errors. */
bool photo_open_bytes(const char *name, const uint8_t *bytes, size_t size, struct photo **ret, struct error *error);
void photo_close(struct photo *photo); /* NULL is allowed */

/* Decodes for at most about so many ms. *ret_done: everything is there. false: the file is damaged or too big. */
bool photo_step(struct photo *photo, int64_t most_ms, bool *ret_done, struct error *error);
int photo_percent(const struct photo *photo);
/* Size as the file says it; 0 while it is not known. */
void photo_size(const struct photo *photo, int *ret_width, int *ret_height);

/* The decoded picture, made smaller where it was much larger than any terminal; 4 bytes a pixel: RGB and alpha. */
struct photo_pixels {
    int width, height;
    const uint8_t *rgba;
};
struct photo_pixels photo_pixels(const struct photo *photo); /* after the last step */

/* ---- showing ---- */

/* How many rows and columns of that room the picture takes; a cell is twice as high as wide unless said (0: not known). */
void photo_fit(struct photo_pixels pixels, int rows, int columns, int cell_width, int cell_height, int *ret_rows,
               int *ret_columns);

enum photo_colours { PHOTO_MONO, PHOTO_8, PHOTO_16, PHOTO_256 };
enum photo_symbols { PHOTO_BLOCKS, PHOTO_ASCII }; /* half and quarter blocks; letters and signs */
struct photo_cell {
    uint32_t character;
    uint8_t foreground, background; /* index of the palette; mean nothing with PHOTO_MONO */
};
/* cells[rows * columns] */
void photo_to_cells(struct photo_pixels pixels, int rows, int columns, enum photo_colours colours, enum photo_symbols symbols,
                    struct photo_cell *cells);

enum photo_protocol { PHOTO_NO_PROTOCOL, PHOTO_KITTY, PHOTO_SIXEL };
/* What the terminal can do, as far as its environment tells; nothing inside tmux and screen. */
enum photo_protocol photo_protocol_of_terminal(void);
/* The bytes that draw it at the terminal's cursor over so many cells; a new string, *ret_size long. */
char *photo_to_bytes(struct photo_pixels pixels, int rows, int columns, int cell_width, int cell_height,
                     enum photo_protocol protocol, size_t *ret_size);

#endif
