#include "marks.h"
#include "walk.h"

const struct event_mark *marks_at(const struct frame_piece *pieces, struct mark_place place)
{
    return &pieces[place.piece].events[place.mark];
}

size_t marks_lower_bound(const struct frame_piece *piece, size_t frame)
{
    size_t low = 0, high = piece->event_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (piece->events[middle].frame < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_heard(const struct event_mark *mark, bool audible)
{
    return !audible || !event_class_is_silent(mark->class);
}

bool marks_find_on(const struct frame_piece *pieces, size_t piece, size_t frame, bool audible,
                   struct mark_place *ret)
{
    size_t mark = marks_lower_bound(&pieces[piece], frame);
    if (mark == pieces[piece].event_count || pieces[piece].events[mark].frame != frame ||
        !is_heard(&pieces[piece].events[mark], audible))
        return false;
    *ret = (struct mark_place){piece, mark};
    return true;
}

bool marks_find_inside(const struct mark_range *range, bool audible, struct mark_place *ret)
{
    for (size_t i = range->first_piece; i <= range->last_piece; i++) {
        const struct frame_piece *piece = &range->pieces[i];
        size_t mark = i == range->first_piece ? marks_lower_bound(piece, range->first_frame) : 0;
        for (; mark < piece->event_count; mark++) {
            if (i == range->last_piece && piece->events[mark].frame > range->last_frame)
                return false;
            if (is_heard(&piece->events[mark], audible)) {
                *ret = (struct mark_place){i, mark};
                return true;
            }
        }
    }
    return false;
}

bool marks_find_before(const struct mark_range *range, bool audible, struct mark_place *ret)
{
    int64_t visit = range->pieces[range->first_piece].visit;
    size_t mark = marks_lower_bound(&range->pieces[range->first_piece], range->first_frame);
    for (size_t i = range->first_piece;; mark = range->pieces[--i].event_count) {
        for (; mark > 0; mark--) {
            const struct event_mark *before = &range->pieces[i].events[mark - 1];
            if (before->begins && is_heard(before, audible)) {
                *ret = (struct mark_place){i, mark - 1};
                return true;
            }
        }
        if (i == 0 || range->pieces[i - 1].visit != visit)
            return false;
    }
}

bool marks_find_after(const struct mark_range *range, struct mark_place *ret)
{
    int64_t visit = range->pieces[range->last_piece].visit;
    size_t mark = marks_lower_bound(&range->pieces[range->last_piece], range->last_frame + 1);
    for (size_t i = range->last_piece; i < range->count && range->pieces[i].visit == visit; i++, mark = 0)
        for (; mark < range->pieces[i].event_count; mark++)
            if (range->pieces[i].events[mark].begins) {
                *ret = (struct mark_place){i, mark};
                return true;
            }
    return false;
}

bool marks_go_to_begin(const struct frame_piece *pieces, struct mark_place *place)
{
    int64_t visit = pieces[place->piece].visit;
    while (!marks_at(pieces, *place)->begins) {
        while (place->mark == 0) {
            if (place->piece == 0 || pieces[place->piece - 1].visit != visit)
                return false;
            place->piece--;
            place->mark = pieces[place->piece].event_count;
        }
        place->mark--;
    }
    return true;
}

int64_t marks_offset(const struct mark_range *range, struct mark_place place)
{
    size_t frame = marks_at(range->pieces, place)->frame;
    bool before = place.piece < range->first_piece ||
                  (place.piece == range->first_piece && frame <= range->first_frame);
    if (before)
        return time_between(range->pieces, place.piece, frame, range->first_piece, range->first_frame,
                            INT64_MAX);
    return -time_between(range->pieces, range->first_piece, range->first_frame, place.piece, frame,
                         INT64_MAX);
}
