#include "stutterscope/analysis/windows.h"
#include "marks.h"
#include "values.h"
#include "walk.h"

#define NEAR_NS (1000 * NS_PER_MS)
#define GC_PRESSURE_BYTES 2000000

/* side is at least 1.2 times the other one */
static bool dominates(int64_t side_ns, int64_t other_ns)
{
    return ns_times(side_ns, 5) >= ns_times(other_ns, 6);
}

static uint32_t bound_by(const struct stutter_window *window)
{
    bool cpu_known = window->cpu_at_peak_ns != VALUE_UNKNOWN, gpu_known = window->gpu_at_peak_ns != VALUE_UNKNOWN;
    bool cpu_over = cpu_known && window->cpu_at_peak_ns > window->limit_ns;
    bool gpu_over = gpu_known && window->gpu_at_peak_ns > window->limit_ns;
    if (cpu_over && (!gpu_known || dominates(window->cpu_at_peak_ns, window->gpu_at_peak_ns)))
        return CAUSE_CPU_BOUND;
    if (gpu_over && (!cpu_known || dominates(window->gpu_at_peak_ns, window->cpu_at_peak_ns)))
        return CAUSE_GPU_BOUND;
    return cpu_over && gpu_over ? CAUSE_CONTESTED : 0;
}

uint32_t causes_of(const struct stutter_window *window, const struct cause_context *context)
{
    bool cpu_known = window->cpu_at_peak_ns != VALUE_UNKNOWN, gpu_known = window->gpu_at_peak_ns != VALUE_UNKNOWN;
    int64_t cpu = cpu_known ? window->cpu_at_peak_ns : 0, gpu = gpu_known ? window->gpu_at_peak_ns : 0;
    uint32_t causes = bound_by(window);

    /* Without either side nothing can be said about what they explain. */
    bool unexplained = (cpu_known || gpu_known) &&
                       ns_times(ns_plus(cpu, gpu), 10) < ns_times(window->peak_ns, 7);
    if (context->first_of_visit || (unexplained && (context->scene_starts_near || context->load_event_near)))
        causes |= CAUSE_ASSET_LOADING;
    if (window->gc_peak != VALUE_UNKNOWN && window->gc_peak >= GC_PRESSURE_BYTES)
        causes |= CAUSE_GC_PRESSURE;
    if (context->hot)
        causes |= CAUSE_THERMAL;
    if (cpu_known && gpu_known && ns_times(cpu, 2) < window->peak_ns && ns_times(gpu, 2) < window->peak_ns)
        causes |= CAUSE_WAITING;
    if (!cpu_known && !gpu_known)
        causes |= CAUSE_UNKNOWN;
    return causes;
}

/* The piece that holds the window's peak; count when it is not there. */
static size_t find_piece(const struct frame_piece *pieces, size_t count, const struct stutter_window *window)
{
    size_t i = 0;
    while (i < count && (pieces[i].segment != window->segment || pieces[i].run != window->run))
        i++;
    return i;
}

static bool loads_inside(const struct frame_piece *piece, const struct stutter_window *window)
{
    for (size_t i = marks_lower_bound(piece, (size_t)window->first_frame);
         i < piece->event_count && piece->events[i].frame <= (size_t)window->last_frame; i++)
        if (piece->events[i].class & EVENT_LOADS)
            return true;
    return false;
}

static bool loads_before(const struct frame_piece *pieces, size_t piece, size_t frame)
{
    int64_t visit = pieces[piece].visit;
    size_t mark = marks_lower_bound(&pieces[piece], frame);
    for (size_t i = piece;; mark = pieces[--i].event_count) {
        for (; mark > 0; mark--) {
            const struct event_mark *before = &pieces[i].events[mark - 1];
            if (time_between(pieces, i, before->frame, piece, frame, NEAR_NS) > NEAR_NS)
                return false;
            if (before->begins && (before->class & EVENT_LOADS))
                return true;
        }
        if (i == 0 || pieces[i - 1].visit != visit)
            return false;
    }
}

void cause_context_of(const struct frame_piece *pieces, size_t count, const struct stutter_window *window,
                      struct cause_context *ret)
{
    size_t piece = find_piece(pieces, count, window), first = piece;
    ret->scene_starts_near = ret->first_of_visit = ret->load_event_near = false;
    if (piece == count)
        return;
    while (first > 0 && pieces[first - 1].visit == pieces[piece].visit)
        first--;
    size_t frame = (size_t)window->first_frame;
    ret->first_of_visit = first == piece && window->peak_frame == 0;
    ret->scene_starts_near = time_between(pieces, first, 0, piece, frame, NEAR_NS) <= NEAR_NS;
    ret->load_event_near = loads_inside(&pieces[piece], window) || loads_before(pieces, piece, frame);
}

/* Twice the median of the frames that were given to the sorter; 0 without any. */
static int64_t doubled_median(struct value_sorter *sorter, int64_t frames)
{
    if (value_sorter_sort(sorter, (struct sample_policy){1, VALUE_UNKNOWN}))
        value_sorter_settle(sorter);
    return frames > 0 ? value_list_median_doubled(value_sorter_collapse(sorter), frames) : 0;
}

static void take_all(struct value_sorter *sorter, const int64_t *values, size_t count)
{
    for (;;) {
        size_t taken = value_sorter_take(sorter, values, count);
        values += taken;
        count -= taken;
        if (count == 0)
            return;
        value_sorter_sort(sorter, (struct sample_policy){1, VALUE_UNKNOWN});
        value_sorter_settle(sorter);
    }
}

/* Walks through the gameplay frames; every turn gives a stretch of them with the play time before it. */
struct play_walk {
    size_t piece, at, span;
    size_t first, end;
    int64_t before_ns, after_ns;
};

static bool play_next(const struct frame_piece *pieces, size_t count, struct play_walk *walk)
{
    enum frame_label label;
    for (; walk->piece < count; walk->piece++, walk->at = walk->span = 0) {
        const struct frame_piece *piece = &pieces[walk->piece];
        while (next_stretch(piece, piece->count, &walk->at, &walk->span, &walk->first, &walk->end, &label)) {
            if (label != LABEL_GAMEPLAY)
                continue;
            walk->before_ns = walk->after_ns;
            for (size_t i = walk->first; i < walk->end; i++)
                walk->after_ns = ns_plus(walk->after_ns, piece->frame_ns[i]);
            return true;
        }
    }
    return false;
}

/* Frames of the stretch that end at or before a play time. */
static size_t frames_until(const struct frame_piece *piece, const struct play_walk *walk, int64_t limit_ns)
{
    int64_t time = walk->before_ns;
    size_t i = walk->first;
    if (walk->after_ns <= limit_ns)
        return walk->end - walk->first;
    while (i < walk->end && (time = ns_plus(time, piece->frame_ns[i])) <= limit_ns)
        i++;
    return i - walk->first;
}

/* Frames of the stretch that start before a play time. */
static size_t frames_before(const struct frame_piece *piece, const struct play_walk *walk, int64_t limit_ns)
{
    int64_t time = walk->before_ns;
    size_t i = walk->first;
    if (walk->after_ns <= limit_ns)
        return walk->end - walk->first;
    for (; i < walk->end && time < limit_ns; i++)
        time = ns_plus(time, piece->frame_ns[i]);
    return i - walk->first;
}

void run_heat_of(const struct frame_piece *pieces, size_t count, struct run_heat *ret)
{
    struct value_sorter first = {.no_counting = true}, last = {.no_counting = true};
    struct play_walk walk = {0};
    int64_t play, first_frames = 0, last_frames = 0;

    *ret = (struct run_heat){.half_piece = count};
    while (play_next(pieces, count, &walk))
        ;
    play = walk.after_ns;
    value_sorter_clear(&first);
    value_sorter_clear(&last);
    for (walk = (struct play_walk){0}; play_next(pieces, count, &walk);) {
        const struct frame_piece *piece = &pieces[walk.piece];
        size_t size = walk.end - walk.first, quarter = frames_until(piece, &walk, play / 4);
        size_t half = frames_before(piece, &walk, play / 2), rest = frames_before(piece, &walk, play - play / 4);
        take_all(&first, piece->frame_ns + walk.first, quarter);
        take_all(&last, piece->frame_ns + walk.first + rest, size - rest);
        first_frames += (int64_t)quarter;
        last_frames += (int64_t)(size - rest);
        if (ret->half_piece == count && half < size) {
            ret->half_piece = walk.piece;
            ret->half_frame = walk.first + half;
        }
    }
    int64_t cold = doubled_median(&first, first_frames), warm = doubled_median(&last, last_frames);
    ret->hot = first_frames > 0 && last_frames > 0 && ns_times(warm, 100) >= ns_times(cold, 115);
    value_sorter_free(&first);
    value_sorter_free(&last);
}

bool run_heat_covers(const struct run_heat *heat, const struct frame_piece *pieces, size_t count,
                     const struct stutter_window *window)
{
    if (!heat->hot)
        return false;
    size_t piece = find_piece(pieces, count, window);
    return piece < count && (piece > heat->half_piece || (piece == heat->half_piece &&
                                                          (size_t)window->peak_frame >= heat->half_frame));
}

bool run_is_hot(const struct frame_piece *pieces, size_t count)
{
    struct run_heat heat;
    run_heat_of(pieces, count, &heat);
    return heat.hot;
}
