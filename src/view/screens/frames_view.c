/* The part of the run that is shown, and the frame at the cursor. Pure functions on the state. */
#include "frames.h"

#include <stdlib.h>

enum {
    LEAST_SPAN_NS = 20000000, /* closer one sees nothing more */
    FRAMES_LEAST = 4          /* frames like the one at the cursor that are always seen */
};
#define FIT_LEAST_NS  (1200 * NS_PER_MS) /* around a window of one frame */
#define CLEAN_SPAN_NS (3 * NS_PER_S)     /* around an event without a window */

int64_t frames_start_of(const struct run_detail *detail, size_t frame)
{
    return detail->stamp_ns[frame] - detail->frame_ns[frame];
}

int64_t frames_shown_time(const struct frames *frames, int64_t ns)
{
    const int64_t longest = 100 * 3600 * NS_PER_S;
    const struct run_detail *detail = frames->detail;
    bool readable = detail->first_ns > -NS_PER_S && detail->last_ns < longest;
    return readable ? ns : ns - detail->first_ns;
}

size_t frames_peak_frame(const struct frames *frames)
{
    const struct run_detail *detail = frames->detail;
    size_t at = run_detail_frame_at(detail, frames->window.peak_stamp_ns - 1);
    /* Equal stamps happen; the peak is the one with the peak's time. */
    for (size_t i = at; i < detail->count && detail->stamp_ns[i] == frames->window.peak_stamp_ns; i++)
        if (detail->frame_ns[i] == frames->window.peak_ns)
            return i;
    return at;
}

static int64_t run_span(const struct frames *frames)
{
    int64_t span = frames->detail->last_ns - frames->detail->first_ns;
    return span > 0 ? span : 1;
}

/* Inside the run as far as that is possible. */
static void set_view(struct frames *frames, int64_t from, int64_t span)
{
    const struct run_detail *detail = frames->detail;
    if (span > run_span(frames))
        span = run_span(frames);
    if (from + span > detail->last_ns)
        from = detail->last_ns - span;
    if (from < detail->first_ns)
        from = detail->first_ns;
    frames->view_from = from;
    frames->view_to = from + span;
}

void frames_fit(struct frames *frames)
{
    if (frames->detail == NULL || frames->detail->count == 0)
        return;
    int64_t from = frames_start_of(frames->detail, frames->cursor),
            to = frames->detail->stamp_ns[frames->cursor];
    int64_t span = CLEAN_SPAN_NS;
    if (frames->has_window) {
        from = frames->window.start_ns;
        to = frames->window.end_ns;
        span = (to - from) * 3 > FIT_LEAST_NS ? (to - from) * 3 : FIT_LEAST_NS;
    }
    set_view(frames, from + (to - from) / 2 - span / 2, span);
}

void frames_zoom(struct frames *frames, int steps)
{
    const struct run_detail *detail = frames->detail;
    if (detail == NULL || detail->count == 0)
        return;
    int64_t at = frames_start_of(detail, frames->cursor) + detail->frame_ns[frames->cursor] / 2;
    int64_t least = detail->frame_ns[frames->cursor] * FRAMES_LEAST;
    if (least < LEAST_SPAN_NS)
        least = LEAST_SPAN_NS;
    for (int i = 0; i < abs(steps); i++) {
        int64_t span = frames->view_to - frames->view_from, left = at - frames->view_from;
        if (left < 0 || left > span)
            left = span / 2;
        if (steps > 0 && span / 2 < least)
            break;
        if (steps > 0)
            set_view(frames, at - left / 2, span / 2);
        else
            set_view(frames, at - left * 2, span * 2);
    }
}

void frames_pan(struct frames *frames, double part)
{
    int64_t span = frames->view_to - frames->view_from;
    if (frames->detail == NULL || frames->detail->count == 0)
        return;
    int64_t middle = frames_start_of(frames->detail, frames->cursor) + (int64_t)((double)span * part);
    set_view(frames, frames->view_from + (int64_t)((double)span * part), span);
    frames_set_cursor(frames, run_detail_frame_at(frames->detail, middle));
}

void frames_set_cursor(struct frames *frames, size_t frame)
{
    const struct run_detail *detail = frames->detail;
    if (detail == NULL || detail->count == 0)
        return;
    frames->cursor = frame < detail->count ? frame : detail->count - 1;
    int64_t span = frames->view_to - frames->view_from, margin = span / 8;
    int64_t from = frames_start_of(detail, frames->cursor), to = detail->stamp_ns[frames->cursor];
    if (from < frames->view_from)
        set_view(frames, from - margin, span);
    else if (to > frames->view_to)
        set_view(frames, to + margin - span, span);
}

/* The highest frame of the column that begins at this time: the one that the chart shows there. */
static size_t highest_in(const struct run_detail *detail, int64_t from, int64_t to)
{
    size_t best = run_detail_frame_at(detail, from);
    for (size_t i = best; i < detail->count && frames_start_of(detail, i) < to; i++)
        if (detail->frame_ns[i] > detail->frame_ns[best])
            best = i;
    return best;
}

void frames_move_cursor(struct frames *frames, int steps, int columns)
{
    const struct run_detail *detail = frames->detail;
    if (detail == NULL || detail->count == 0 || columns < 1)
        return;
    int64_t column = (frames->view_to - frames->view_from) / columns;
    for (int i = 0; i < abs(steps); i++) {
        size_t next = frames->cursor;
        if (steps > 0 && next + 1 < detail->count)
            next++;
        else if (steps < 0 && next > 0)
            next--;
        /* A column of the chart that holds several frames is one step. */
        int64_t middle = frames_start_of(detail, frames->cursor) + detail->frame_ns[frames->cursor] / 2;
        int64_t at = (middle - frames->view_from) / (column > 0 ? column : 1) + (steps > 0 ? 1 : -1);
        int64_t from = frames->view_from + at * column;
        if (column > detail->frame_ns[next] && from >= detail->first_ns && from < detail->last_ns) {
            size_t highest = highest_in(detail, from, from + column);
            if (steps > 0 ? highest > next : highest < next)
                next = highest;
        }
        frames_set_cursor(frames, next);
    }
}

const int64_t *frames_lane_values(const struct frames *frames, enum frames_lane lane)
{
    const struct run_detail *detail = frames->detail;
    const int64_t *const values[LANE_COUNT] = {detail->frame_ns, detail->cpu_ns, detail->gpu_ns, detail->gc,
                                               detail->draw_calls};
    return values[lane];
}

bool frames_has_lane(const struct frames *frames, enum frames_lane lane)
{
    const struct run_detail *detail = frames->detail;
    const bool recorded[LANE_COUNT] = {true, detail->has_cpu, detail->has_gpu, detail->has_gc,
                                       detail->has_draw_calls};
    static const enum frames_lane last_shown[] = {LANE_DRAWS, LANE_GPU, LANE_FRAME};
    return lane <= last_shown[frames->lanes_shown] && recorded[lane];
}

double frames_lane_scale(enum frames_lane lane)
{
    static const double scales[LANE_COUNT] = {NS_PER_MS, NS_PER_MS, NS_PER_MS, 1024 * 1024, 1};
    return scales[lane];
}

const char *frames_lane_title(enum frames_lane lane, bool narrow)
{
    static const char *const titles[LANE_COUNT][2] = {{"frame ms", "frame"},
                                                      {"CPU ms", "CPU"},
                                                      {"GPU ms", "GPU"},
                                                      {"GC MB", "GC MB"},
                                                      {"draw calls", "draws"}};
    return titles[lane][narrow];
}
