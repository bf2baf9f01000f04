#include "stutterscope/analysis/holes.h"
#include "walk.h"

#define FEWEST_FRAMES 30

static inline void count_hole(struct hole_figures *figures, int64_t hole, int64_t frame_ns)
{
    if (hole == VALUE_UNKNOWN)
        return;
    figures->tested++;
    figures->wide += hole > frame_ns / 2; /* for integers the same as 2 x hole > frame time */
    if (hole > GAP_NS) {
        figures->gaps++;
        figures->gap_ns = ns_plus(figures->gap_ns, hole);
    }
}

void holes_find(const struct frame_piece *pieces, size_t count, struct hole_figures *ret)
{
    for (size_t i = 0; i < count; i++) {
        const struct frame_piece *piece = &pieces[i];
        struct hole_figures figures = {0};
        if (piece->count > 0)
            count_hole(&figures, hole_before(pieces, i, 0), piece->frame_ns[0]);
        /* The others have a stamp before them in their own piece. */
        for (size_t k = 1; piece->stamp_ns && k < piece->count; k++)
            count_hole(&figures, ns_minus(frame_start(piece, k), piece->stamp_ns[k - 1]), piece->frame_ns[k]);
        ret[i] = figures;
    }
}

bool run_is_sampled(int64_t frames, int64_t holes_tested, int64_t holes_wide, bool declared, bool tests_holes)
{
    return tests_holes && !declared && frames >= FEWEST_FRAMES && holes_wide > holes_tested / 2;
}
