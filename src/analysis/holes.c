#include "stutterscope/analysis/holes.h"
#include "walk.h"

#define FEWEST_FRAMES 30

void holes_find(const struct frame_piece *pieces, size_t count, struct hole_figures *ret)
{
    for (size_t i = 0; i < count; i++) {
        struct hole_figures figures = {0};
        for (size_t k = 0; k < pieces[i].count; k++) {
            int64_t hole = hole_before(pieces, i, k);
            if (hole == VALUE_UNKNOWN)
                continue;
            figures.tested++;
            figures.wide +=
                hole > pieces[i].frame_ns[k] / 2; /* for integers the same as 2 x hole > frame time */
            if (hole > GAP_NS) {
                figures.gaps++;
                figures.gap_ns = ns_plus(figures.gap_ns, hole);
            }
        }
        ret[i] = figures;
    }
}

bool run_is_sampled(int64_t frames, int64_t holes_tested, int64_t holes_wide, bool declared, bool tests_holes)
{
    return tests_holes && !declared && frames >= FEWEST_FRAMES && holes_wide > holes_tested / 2;
}
