#include "walk.h"

size_t piece_of_window(const struct frame_piece *pieces, size_t count, const struct stutter_window *window)
{
    size_t i = 0;
    while (i < count && (pieces[i].segment != window->segment || pieces[i].run != window->run ||
                         (i + 1 < count && pieces[i + 1].first > 0 && window->peak_frame >= (int64_t)pieces[i + 1].first)))
        i++;
    return i;
}

int64_t hole_before(const struct frame_piece *pieces, size_t piece, size_t frame)
{
    if (frame == 0 && pieces[piece].skipped > 0)
        return 0;
    return time_before(pieces, piece, frame);
}

int64_t time_before(const struct frame_piece *pieces, size_t piece, size_t frame)
{
    const struct frame_piece *here = &pieces[piece];
    int64_t before;

    if (!here->stamp_ns)
        return VALUE_UNKNOWN;
    if (frame > 0) {
        before = here->stamp_ns[frame - 1];
    } else {
        if (piece == 0 || here->broken || pieces[piece - 1].run != here->run)
            return VALUE_UNKNOWN;
        const struct frame_piece *previous = &pieces[piece - 1];
        if (!previous->stamp_ns || previous->count == 0)
            return VALUE_UNKNOWN;
        before = previous->stamp_ns[previous->count - 1];
    }
    return ns_minus(frame_start(here, frame), before);
}

/* Sum of the frame times of [first, end), given up once it is over `most`. */
static int64_t sum_frames(const struct frame_piece *piece, size_t first, size_t end, int64_t most)
{
    int64_t sum = 0;
    for (size_t i = end; i > first && sum <= most; i--)
        sum = ns_plus(sum, piece->frame_ns[i - 1]);
    return sum;
}

int64_t time_between(const struct frame_piece *pieces, size_t piece, size_t frame, size_t to_piece,
                     size_t to_frame, int64_t most)
{
    int64_t time = 0;
    for (size_t at = to_piece;; at--) {
        const struct frame_piece *here = &pieces[at];
        size_t first = at == piece ? frame : 0, end = at == to_piece ? to_frame : here->count;
        if (!here->stamp_ns)
            time = ns_plus(time, sum_frames(here, first, end, most));
        else if (first < here->count && end > first)
            time =
                ns_plus(time, ns_minus(end < here->count ? frame_start(here, end) : here->stamp_ns[end - 1],
                                       frame_start(here, first)));
        if (time > most)
            return INT64_MAX;
        if (at == piece)
            return time;
        int64_t between = time_before(pieces, at, 0);
        if (between != VALUE_UNKNOWN)
            time = ns_plus(time, between);
    }
}

bool next_stretch(const struct frame_piece *piece, size_t end, size_t *at, size_t *span, size_t *ret_first,
                  size_t *ret_end, enum frame_label *ret_label)
{
    const struct label_spans *labels = piece->labels;
    if (*at >= end)
        return false;
    while (labels && *span < labels->count && labels->items[*span].first + labels->items[*span].count <= *at)
        (*span)++;
    size_t stop = end;
    *ret_label = LABEL_GAMEPLAY;
    if (labels && *span < labels->count) {
        const struct label_span *next = &labels->items[*span];
        if (next->first > *at) {
            stop = next->first;
        } else {
            *ret_label = next->label;
            stop = next->first + next->count;
        }
    }
    *ret_first = *at;
    *ret_end = *at = stop < end ? stop : end;
    return true;
}
