#include "stutterscope/analysis/windows.h"
#include "stutterscope/base/memory.h"
#include "scan.h"
#include "values.h"
#include <stdlib.h>

#define HOT_PERCENT 115

/* Gameplay frames [first, end) of a piece, with the play time before and after them. */
struct stretch {
    size_t piece, first, end;
    int64_t before_ns, after_ns;
};
struct stretches {
    struct stretch *items;
    size_t count, capacity;
};

/* A quarter of the play time: frames that lie in it as a whole. */
struct quarter {
    struct {
        const int64_t *frame_ns;
        size_t count;
    } * items;
    size_t count, capacity;
    size_t frames;
};

static void find_stretches(const struct frame_piece *pieces, size_t count, struct stretches *ret)
{
    int64_t play = 0;
    for (size_t i = 0; i < count; i++) {
        struct stretch next = {.piece = i};
        size_t at = 0, span = 0;
        enum frame_label label;
        while (next_stretch(&pieces[i], pieces[i].count, &at, &span, &next.first, &next.end, &label)) {
            if (label != LABEL_GAMEPLAY)
                continue;
            next.before_ns = play;
            for (size_t k = next.first; k < next.end; k++) { /* once, but for a time that has come to its end */
                scan_add_up_to(pieces[i].frame_ns, next.end, INT64_MAX, &k, &play);
                if (k < next.end)
                    play = ns_plus(play, pieces[i].frame_ns[k]);
            }
            next.after_ns = play;
            array_push(ret, next);
        }
    }
}

/* Steps over the frames of a stretch that start before a play time; *time_ns is the start of frame *at. */
static void step_to(const struct frame_piece *pieces, const struct stretch *stretch, int64_t limit_ns,
                    size_t *at, int64_t *time_ns)
{
    const int64_t *frame_ns = pieces[stretch->piece].frame_ns;
    if (stretch->after_ns <= limit_ns) {
        *at = stretch->end;
        *time_ns = stretch->after_ns;
    }
    scan_add_up_to(frame_ns, stretch->end, limit_ns, at, time_ns);
}

static void add_to_quarter(struct quarter *quarter, const int64_t *frame_ns, size_t count)
{
    array_reserve(quarter, quarter->count + 1);
    quarter->items[quarter->count].frame_ns = frame_ns;
    quarter->items[quarter->count++].count = count;
    quarter->frames += count;
}

/* A frame that lies across the border of a quarter is in neither. */
static void split_play(const struct frame_piece *pieces, size_t count, const struct stretches *stretches,
                       struct quarter *first, struct quarter *last, struct run_heat *ret)
{
    int64_t play = stretches->count ? stretches->items[stretches->count - 1].after_ns : 0;
    for (size_t i = 0; i < stretches->count; i++) {
        const struct stretch *stretch = &stretches->items[i];
        const int64_t *frame_ns = pieces[stretch->piece].frame_ns;
        size_t at = stretch->first;
        int64_t time = stretch->before_ns;
        step_to(pieces, stretch, play / 4, &at, &time);
        size_t whole = at > stretch->first && time > play / 4 ? at - 1 : at;
        add_to_quarter(first, frame_ns + stretch->first, whole - stretch->first);
        step_to(pieces, stretch, play / 2, &at, &time);
        if (ret->half_piece == count && at < stretch->end) {
            ret->half_piece = stretch->piece;
            ret->half_frame = at;
        }
        step_to(pieces, stretch, play - play / 4, &at, &time);
        add_to_quarter(last, frame_ns + at, stretch->end - at);
    }
}

static size_t count_below(const struct quarter *quarter, int64_t limit_ns)
{
    size_t below = 0;
    for (size_t i = 0; i < quarter->count; i++)
        below += scan_count_below(quarter->items[i].frame_ns, quarter->items[i].count, limit_ns);
    return below;
}

/*
 * Whether a run is certainly not hot, without sorting: if more than half of the first quarter is at or above
 * some time and more than half of the last one below 1.15 times that time, the medians are too. The time is
 * guessed.
 */
static bool is_clearly_cold(const struct quarter *first, const struct quarter *last)
{
    int64_t sum = 0;
    size_t sampled = 0;
    for (size_t i = 0; i < first->count; i++)
        for (size_t k = 0; k < first->items[i].count && sampled < 256; k++, sampled++)
            sum = ns_plus(sum, first->items[i].frame_ns[k]);
    int64_t guess = sampled ? sum / (int64_t)sampled / 100 * 95 : 0;
    return 2 * count_below(first, guess) < first->frames &&
           2 * count_below(last, ns_times(guess, HOT_PERCENT) / 100) > last->frames;
}

/* Twice the median. */
static int64_t doubled_median(const struct quarter *quarter)
{
    const struct sample_policy full = {1, VALUE_UNKNOWN};
    struct value_sorter sorter = {.no_counting = true};
    value_sorter_clear(&sorter);
    for (size_t i = 0; i < quarter->count; i++) {
        const int64_t *frame_ns = quarter->items[i].frame_ns;
        size_t left = quarter->items[i].count, taken;
        while ((taken = value_sorter_take(&sorter, frame_ns, left)) < left) {
            frame_ns += taken;
            left -= taken;
            if (value_sorter_sort(&sorter, full))
                value_sorter_settle(&sorter);
        }
    }
    if (value_sorter_sort(&sorter, full))
        value_sorter_settle(&sorter);
    int64_t median = value_list_median_doubled(value_sorter_collapse(&sorter), (int64_t)quarter->frames);
    value_sorter_free(&sorter);
    return median;
}

void run_heat_of(const struct frame_piece *pieces, size_t count, struct run_heat *ret)
{
    struct stretches stretches = {0};
    struct quarter first = {0}, last = {0};

    *ret = (struct run_heat){.half_piece = count};
    find_stretches(pieces, count, &stretches);
    split_play(pieces, count, &stretches, &first, &last, ret);
    if (first.frames > 0 && last.frames > 0 && !is_clearly_cold(&first, &last))
        ret->hot = ns_times(doubled_median(&last), 100) >= ns_times(doubled_median(&first), HOT_PERCENT);
    array_free(&stretches);
    array_free(&first);
    array_free(&last);
}

/* So many frames at least are needed for a time. */
static int64_t fewest_frames(const int64_t *values, const int64_t *weights, size_t count, int64_t time_ns)
{
    int64_t frames = 0;

    for (size_t i = count; i-- > 0 && time_ns > 0;) {
        int64_t here = values[i] * weights[i];

        if (here >= time_ns)
            return frames + (time_ns + values[i] - 1) / values[i];
        frames += weights[i];
        time_ns -= here;
    }
    return frames;
}

/*
 * A quarter of the play time has at least as many frames as its longest ones would be, less one that lies across its border.
 * Half of them are at or below its median: so that is not below the same rank among all frames. Likewise from above.
 */
bool run_is_surely_cold(const int64_t *values, const int64_t *weights, size_t count, int64_t frames, int64_t play_ns)
{
    const struct value_list list = {.values = (int64_t *)values, .weights = (int64_t *)weights, .count = count};

    if (count == 0 || values[0] < 0 || values[count - 1] >> 40 || frames <= 0 || frames >> 21)
        return false; /* or the products below could be too large */
    int64_t quarter = fewest_frames(values, weights, count, play_ns / 4 - values[count - 1]);
    if (quarter <= 0)
        return false;
    int64_t half = quarter / 2 + quarter % 2;
    int64_t least = values[value_list_rank(&list, frames, half)], most = values[value_list_rank(&list, frames, frames - half + 1)];
    return most * 100 < least * HOT_PERCENT;
}

bool run_heat_covers(const struct run_heat *heat, const struct frame_piece *pieces, size_t count,
                     const struct stutter_window *window)
{
    if (!heat->hot)
        return false;
    size_t piece = piece_of_window(pieces, count, window);
    return piece < count && (piece > heat->half_piece ||
                             (piece == heat->half_piece &&
                              (size_t)window->peak_frame >= pieces[piece].first + heat->half_frame));
}

bool run_is_hot(const struct frame_piece *pieces, size_t count)
{
    struct run_heat heat;
    run_heat_of(pieces, count, &heat);
    return heat.hot;
}
