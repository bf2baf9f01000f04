#include "marks.h"
#include "stutterscope/analysis/windows.h"
#include "walk.h"

#define NEAR_NS           (1000 * NS_PER_MS)
#define GC_PRESSURE_BYTES 2000000

/* side is at least 1.2 times the other one */
static bool dominates(int64_t side_ns, int64_t other_ns)
{
    return ns_times(side_ns, 5) >= ns_times(other_ns, 6);
}

static uint32_t bound_by(const struct stutter_window *window)
{
    bool cpu_known = window->cpu_at_peak_ns != VALUE_UNKNOWN,
         gpu_known = window->gpu_at_peak_ns != VALUE_UNKNOWN;
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
    bool cpu_known = window->cpu_at_peak_ns != VALUE_UNKNOWN,
         gpu_known = window->gpu_at_peak_ns != VALUE_UNKNOWN;
    int64_t cpu = cpu_known ? window->cpu_at_peak_ns : 0, gpu = gpu_known ? window->gpu_at_peak_ns : 0;
    uint32_t causes = bound_by(window);

    /* Without either side nothing can be said about what they explain. */
    bool unexplained =
        (cpu_known || gpu_known) && ns_times(ns_plus(cpu, gpu), 10) < ns_times(window->peak_ns, 7);
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

static bool loads_inside(const struct frame_piece *piece, const struct stutter_window *window)
{
    size_t first = (size_t)window->first_frame > piece->first ? (size_t)window->first_frame - piece->first : 0;
    for (size_t i = marks_lower_bound(piece, first);
         i < piece->event_count && piece->first + piece->events[i].frame <= (size_t)window->last_frame; i++)
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
    size_t piece = piece_of_window(pieces, count, window), first = piece;
    ret->scene_starts_near = ret->first_of_visit = ret->load_event_near = false;
    if (piece == count)
        return;
    while (first > 0 && pieces[first - 1].visit == pieces[piece].visit)
        first--;
    size_t start = pieces[piece].first;
    size_t frame = (size_t)window->first_frame > start ? (size_t)window->first_frame - start : 0;
    ret->first_of_visit = first == piece && window->peak_frame == (int64_t)start;
    ret->scene_starts_near = time_between(pieces, first, 0, piece, frame, NEAR_NS) <= NEAR_NS;
    ret->load_event_near = loads_inside(&pieces[piece], window) || loads_before(pieces, piece, frame);
}
