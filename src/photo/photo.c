#include "stutterscope/base/clock.h"
#include "stutterscope/photo/photo.h"

#include "decoder.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Larger than any terminal shows; what is larger is made smaller once, so that drawing it stays quick. */
enum { MOST_WIDTH = 2048, MOST_HEIGHT = 2048, ROWS_AT_A_TIME = 16 };

struct photo {
    uint8_t *bytes;
    struct photo_source source;
    const struct photo_decoder *decoder;
    void *state;
    struct photo_raster raster;
    bool decoded;
    int factor; /* it is made smaller by */
    int small_width, small_height, small_rows_done;
    uint8_t *small;
};

bool raster_check_size(int64_t width, int64_t height, struct error *error)
{
    if (width > 0 && height > 0 && width <= PHOTO_MOST_SIDE && height <= PHOTO_MOST_SIDE &&
        width * height <= PHOTO_MOST_PIXELS)
        return true;
    return error_set(error, ERROR_INPUT, "the picture is too big to be shown: %lld x %lld pixels, at most %d million",
                     (long long)width, (long long)height, PHOTO_MOST_PIXELS >> 20);
}

void raster_begin(struct photo_raster *raster, int width, int height)
{
    raster->raster_width = width;
    raster->raster_height = height;
    raster->rgba = memory_take_zeroed((size_t)width * (size_t)height, 4);
}

bool photo_open_bytes(const char *name, const uint8_t *bytes, size_t size, struct photo **ret, struct error *error)
{
    static const struct photo_decoder *const decoders[] = {&png_photo_decoder, &jpeg_photo_decoder};
    struct photo *photo = memory_take_zeroed(1, sizeof *photo);

    photo->bytes = memory_take(size + 1);
    memcpy(photo->bytes, bytes, size);
    photo->source = (struct photo_source){photo->bytes, size};
    for (size_t i = 0; i < sizeof decoders / sizeof *decoders && !photo->decoder; i++)
        if (decoders[i]->sniff(&photo->source))
            photo->decoder = decoders[i];
    if (!photo->decoder) {
        char *clean = text_clean(name, strlen(name));

        photo_close(photo);
        error_set(error, ERROR_INPUT, "%s is neither PNG nor JPEG", clean);
        free(clean);
        return false;
    }
    photo->state = photo->decoder->create(&photo->source, &photo->raster);
    *ret = photo;
    return true;
}

/* Never waits: a pipe or a device under that name is no picture. */
static bool read_file(const char *path, uint8_t **ret, size_t *ret_size, struct error *error)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;
    char *clean = text_clean(path, strlen(path));
    uint8_t *bytes = NULL;
    size_t done = 0;
    bool good = false;

    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        error_set(error, ERROR_IO, "%s: %s", clean, strerror(errno));
    else if (!S_ISREG(status.st_mode))
        error_set(error, ERROR_INPUT, "%s is no regular file", clean);
    else if (status.st_size > PHOTO_MOST_BYTES)
        error_set(error, ERROR_INPUT, "%s is too big to be shown: %lld MB, at most %d", clean,
                  (long long)(status.st_size >> 20), PHOTO_MOST_BYTES >> 20);
    else
        good = true;
    if (good) {
        ssize_t got = 1;

        bytes = memory_take((size_t)status.st_size + 1);
        while (done < (size_t)status.st_size && got > 0) {
            got = read(descriptor, bytes + done, (size_t)status.st_size - done);
            done += got > 0 ? (size_t)got : 0;
        }
    }
    if (descriptor >= 0)
        close(descriptor);
    free(clean);
    *ret = bytes;
    *ret_size = done;
    return good;
}

bool photo_open(const char *path, struct photo **ret, struct error *error)
{
    uint8_t *bytes;
    size_t size;
    bool good = read_file(path, &bytes, &size, error) && photo_open_bytes(path, bytes, size, ret, error);

    free(bytes);
    return good;
}

void photo_close(struct photo *photo)
{
    if (!photo)
        return;
    if (photo->decoder && photo->state)
        photo->decoder->destroy(photo->state);
    free(photo->raster.rgba);
    free(photo->small);
    free(photo->bytes);
    free(photo);
}

/* ---- making it smaller: each pixel is the mean of a square ---- */

static void begin_small(struct photo *photo)
{
    const struct photo_raster *raster = &photo->raster;

    photo->factor = 1;
    while (raster->raster_width > MOST_WIDTH * photo->factor || raster->raster_height > MOST_HEIGHT * photo->factor)
        photo->factor++;
    photo->small_width = (raster->raster_width + photo->factor - 1) / photo->factor;
    photo->small_height = (raster->raster_height + photo->factor - 1) / photo->factor;
    if (photo->factor > 1)
        photo->small = memory_take_zeroed((size_t)photo->small_width * (size_t)photo->small_height, 4);
    else
        photo->small_rows_done = photo->small_height;
}

static void average(const struct photo *photo, int row, int column, uint8_t ret[4])
{
    const struct photo_raster *raster = &photo->raster;
    uint64_t sums[4] = {0}, count = 0;

    for (int y = row * photo->factor; y < (row + 1) * photo->factor && y < raster->raster_height; y++)
        for (int x = column * photo->factor; x < (column + 1) * photo->factor && x < raster->raster_width; x++) {
            const uint8_t *pixel = raster->rgba + ((size_t)y * (size_t)raster->raster_width + (size_t)x) * 4;

            for (int i = 0; i < 4; i++)
                sums[i] += pixel[i];
            count++;
        }
    for (int i = 0; i < 4; i++)
        ret[i] = (uint8_t)(sums[i] / (count ? count : 1));
}

static void make_smaller(struct photo *photo)
{
    for (int n = 0; n < ROWS_AT_A_TIME && photo->small_rows_done < photo->small_height; n++, photo->small_rows_done++)
        for (int column = 0; column < photo->small_width; column++)
            average(photo, photo->small_rows_done, column,
                    photo->small + ((size_t)photo->small_rows_done * (size_t)photo->small_width + (size_t)column) * 4);
}

/* ---- steps ---- */

bool photo_step(struct photo *photo, int64_t most_ms, bool *ret_done, struct error *error)
{
    int64_t begun = clock_steady_ms();

    *ret_done = false;
    do {
        if (!photo->decoded) {
            if (!photo->decoder->step(photo->state, &photo->decoded, error))
                return false;
            if (photo->decoded)
                begin_small(photo);
        } else if (photo->small_rows_done < photo->small_height) {
            make_smaller(photo);
        } else {
            *ret_done = true;
        }
    } while (!*ret_done && clock_steady_ms() - begun < most_ms);
    return true;
}

int photo_percent(const struct photo *photo)
{
    const struct photo_raster *raster = &photo->raster;
    size_t read = raster->reads_first ? 60 : 0;
    int decoded = raster->raster_height ? (int)(raster->rows_done * (90 - read) / (size_t)raster->raster_height + read * (size_t)raster->read_percent / 100)
                                        : 0;

    if (!photo->decoded)
        return decoded > 90 ? 90 : decoded;
    return 90 + photo->small_rows_done * 10 / photo->small_height;
}

void photo_size(const struct photo *photo, int *ret_width, int *ret_height)
{
    *ret_width = photo->raster.width;
    *ret_height = photo->raster.height;
}

struct photo_pixels photo_pixels(const struct photo *photo)
{
    return (struct photo_pixels){photo->small_width, photo->small_height, photo->small ? photo->small : photo->raster.rgba};
}
