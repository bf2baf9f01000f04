#include "stutterscope/analysis/holes.h"
#include "scan.h"

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

/* Whether a hole before a frame of [first, first + SCAN_BLOCK), first > 0, may be a gap: never false when one is. */
static bool may_have_gap(const struct frame_piece *piece, size_t first)
{
    const int64_t *stamp_ns = piece->stamp_ns + first, *frame_ns = piece->frame_ns + first, *before_ns = stamp_ns - 1;
    uint64_t any = 0;
    for (size_t k = 0; k < SCAN_BLOCK; k++)
        any |= GAP_NS - ((uint64_t)stamp_ns[k] - (uint64_t)frame_ns[k] - (uint64_t)before_ns[k]);
    return any >> 63;
}

void gaps_find(const struct frame_piece *pieces, size_t count, struct hole_figures *ret)
{
    for (size_t i = 0; i < count; i++) {
        const struct frame_piece *piece = &pieces[i];
        struct hole_figures figures = {0};
        if (piece->count > 0)
            count_hole(&figures, hole_before(pieces, i, 0), piece->frame_ns[0]);
        for (size_t k = 1; piece->stamp_ns && k < piece->count;) {
            if (k + SCAN_BLOCK <= piece->count && !may_have_gap(piece, k)) {
                k += SCAN_BLOCK;
                continue;
            }
            for (size_t stop = k + SCAN_BLOCK; k < stop && k < piece->count; k++)
                count_hole(&figures, ns_minus(frame_start(piece, k), piece->stamp_ns[k - 1]), piece->frame_ns[k]);
        }
        ret[i] = (struct hole_figures){.gaps = figures.gaps, .gap_ns = figures.gap_ns};
    }
}

bool run_is_sampled(int64_t frames, int64_t holes_tested, int64_t holes_wide, bool declared, bool tests_holes)
{
    return tests_holes && !declared && frames >= FEWEST_FRAMES && holes_wide > holes_tested / 2;
}
