/*
 * Logs of MangoHud: mangohud.c reads lines and makes frames, mangohud_units.c finds out in which units this
 * version wrote them.
 */
#ifndef IMPORT_MANGOHUD_H
#define IMPORT_MANGOHUD_H

#include "reading.h"

struct mango_row {
    int64_t line;
    double fps, frame_time, elapsed;               /* as written; NAN: not there */
    int64_t frame_millionths, elapsed_thousandths; /* of the unit, exact; VALUE_UNKNOWN */
    enum reject_reason fault;                      /* REJECT_COUNT: none */
};
struct mango_units {
    int64_t frame_ns, elapsed_ns; /* ns per unit */
    bool from_fps;                /* there is no frame time: 1000 / fps */
    const char *frame_name, *elapsed_name;
};

/* has_frame_time: the header has the column. The first rows decide: fps × frame time, and the step of
 * elapsed. */
struct mango_units mango_find_units(const struct mango_row *rows, size_t count, bool has_frame_time);
/* Frame time in ns; VALUE_UNKNOWN. */
int64_t mango_frame_time(const struct mango_units *units, const struct mango_row *row);
int64_t mango_elapsed(const struct mango_units *units, const struct mango_row *row);
/*
 * The first row of a log counts from the key press, not from a frame: is it too short to be one? By the
 * median of those that follow.
 */
bool mango_first_is_bogus(const struct mango_units *units, const struct mango_row *rows, size_t count);

#endif
