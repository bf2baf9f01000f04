/* Any bytes as a screenshot: shown or refused with a reason. */
#include "fuzz.h"

#include "stutterscope/photo/photo.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct photo *photo = NULL;
    struct error error = {0};
    struct photo_cell cells[4 * 8];
    bool done = false, good = photo_open_bytes("shot", bytes, size, &photo, &error);

    while (good && !done)
        good = photo_step(photo, 10, &done, &error);
    if (good)
        photo_to_cells(photo_pixels(photo), 4, 8, PHOTO_256, PHOTO_BLOCKS, cells);
    if (!good && !error.text[0])
        abort();
    photo_close(photo);
    return 0;
}
