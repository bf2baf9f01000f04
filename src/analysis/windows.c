#include "stutterscope/analysis/windows.h"
#include "marks.h"
#include "stutterscope/analysis/labels.h"
#include "stutterscope/base/memory.h"
#include "walk.h"
#include <math.h>
#include <stdlib.h>

/* The window that is being put together. */
struct open_window {
    bool open;
    struct stutter_window window;
    size_t first_piece, first_frame, last_piece, last_frame; /* first and last candidate */
    size_t peak_piece, peak_frame;
};

struct window_search {
    const struct frame_piece *pieces;
    const struct candidate_limits *limits;
    const struct analysis_settings *settings;
    struct stutter_windows *ret;
    struct open_window now;
};

/* Whether the log has a gap or a clock step between the last candidate and frame (piece, frame). */
static bool is_interrupted(const struct frame_piece *pieces, const struct open_window *now, size_t piece,
                           size_t frame)
{
    size_t at = now->last_piece, i = now->last_frame + 1;
    bool blind = false;
    int64_t between = 0; /* frame times between the two */
    for (; at <= piece; at++, i = 0) {
        if (at > now->last_piece && pieces[at].broken)
            return true;
        size_t end = at == piece ? frame + 1 : pieces[at].count;
        for (; i < end; i++) {
            int64_t hole = hole_before(pieces, at, i);
            if (hole != VALUE_UNKNOWN && hole > GAP_NS)
                return true;
            blind = blind || hole == VALUE_UNKNOWN;
            if (at < piece || i < frame)
                between = ns_plus(between, pieces[at].frame_ns[i]);
        }
    }
    if (!blind)
        return false;
    int64_t apart = ns_minus(frame_start(&pieces[piece], frame), now->window.end_ns);
    return ns_minus(apart, between) > GAP_NS;
}

static bool joins(const struct window_search *search, size_t piece, size_t frame, enum frame_label label)
{
    const struct open_window *now = &search->now;
    const struct frame_piece *here = &search->pieces[piece];
    if (!now->open || now->window.label != label || here->visit != search->pieces[now->last_piece].visit)
        return false;
    if (ns_minus(frame_start(here, frame), now->window.end_ns) > search->settings->gap_ns)
        return false;
    return !is_interrupted(search->pieces, now, piece, frame);
}

static void open_window(struct window_search *search, size_t piece, size_t frame, enum frame_label label)
{
    const struct frame_piece *here = &search->pieces[piece];
    search->now = (struct open_window){
        .open = true,
        .first_piece = piece,
        .first_frame = frame,
        .window =
            {
                .run = here->run,
                .scene = here->scene,
                .quality = here->quality,
                .label = label,
                .start_ns = frame_start(here, frame),
                .end_ns = here->stamp_ns[frame],
                .peak_ns = INT64_MIN,
                .cpu_peak_ns = VALUE_UNKNOWN,
                .gpu_peak_ns = VALUE_UNKNOWN,
                .gc_peak = VALUE_UNKNOWN,
                .cpu_at_peak_ns = VALUE_UNKNOWN,
                .gpu_at_peak_ns = VALUE_UNKNOWN,
                .draw_calls_at_peak = VALUE_UNKNOWN,
            },
    };
}

static void add_candidate(struct window_search *search, size_t piece, size_t frame)
{
    struct open_window *now = &search->now;
    const struct frame_piece *here = &search->pieces[piece];
    struct frame_limits limits = frame_limits_of(search->settings, here->fps_milli);
    int64_t frame_ns = here->frame_ns[frame];

    now->last_piece = piece;
    now->last_frame = frame;
    now->window.over++;
    if (frame_ns > limits.budget_ns)
        now->window.excess_ns = ns_plus(now->window.excess_ns, frame_ns - limits.budget_ns);
    if (here->stamp_ns[frame] > now->window.end_ns)
        now->window.end_ns = here->stamp_ns[frame];
    if (frame_ns > now->window.peak_ns) {
        now->peak_piece = piece;
        now->peak_frame = frame;
        now->window.peak_ns = frame_ns;
        now->window.peak_stamp_ns = here->stamp_ns[frame];
        now->window.limit_ns = limits.alert_ns;
        now->window.budget_ns = limits.budget_ns;
    }
}

static void name_window(const struct frame_piece *pieces, size_t count, struct open_window *now)
{
    struct stutter_window *window = &now->window;
    struct mark_range range = {pieces,           count,           now->first_piece,
                               now->first_frame, now->last_piece, now->last_frame};
    bool audible = window->label == LABEL_GAMEPLAY; /* silent events name no gameplay window */
    struct mark_place place;

    window->event_offset_ns = VALUE_UNKNOWN;
    if (marks_find_on(pieces, now->peak_piece, now->peak_frame, audible, &place) ||
        marks_find_inside(&range, audible, &place)) {
        window->event = marks_at(pieces, place)->event;
        if (marks_go_to_begin(pieces, &place))
            window->event_offset_ns = marks_offset(&range, place);
    } else if (marks_find_before(&range, audible, &place)) {
        int64_t offset = marks_offset(&range, place);
        if (offset <= EVENT_REACH_NS) {
            window->event = marks_at(pieces, place)->event;
            window->event_offset_ns = offset;
        }
    }
    if (marks_find_before(&range, false, &place))
        window->event_before = marks_at(pieces, place)->event;
    if (marks_find_after(&range, &place))
        window->event_after = marks_at(pieces, place)->event;
}

/* The pieces that frames of one segment fell into. */
static size_t first_of_segment(const struct frame_piece *pieces, size_t piece)
{
    while (piece > 0 && pieces[piece].first > 0)
        piece--;
    return piece;
}

static size_t last_of_segment(const struct frame_piece *pieces, size_t piece, size_t end)
{
    while (piece < end && pieces[piece + 1].first > 0)
        piece++;
    return piece;
}

static void close_window(struct window_search *search, size_t count)
{
    struct open_window *now = &search->now;
    struct stutter_window *window = &now->window;
    const struct frame_piece *pieces = search->pieces, *peak = &pieces[now->peak_piece];

    if (!now->open)
        return;
    now->open = false;
    window->segment = peak->segment;
    window->peak_frame = (int64_t)(peak->first + now->peak_frame);
    window->first_frame = now->first_piece >= first_of_segment(pieces, now->peak_piece)
                              ? (int64_t)(pieces[now->first_piece].first + now->first_frame)
                              : 0;

    size_t last = last_of_segment(pieces, now->peak_piece, now->last_piece);
    window->last_frame = (int64_t)(pieces[last].first + (last == now->last_piece ? now->last_frame : pieces[last].count - 1));
    for (size_t i = now->first_piece; i <= now->last_piece; i++) {
        size_t first = i == now->first_piece ? now->first_frame : 0;
        window->frames += (int64_t)((i == now->last_piece ? now->last_frame + 1 : pieces[i].count) - first);
        window->frames += i == now->first_piece ? 0 : pieces[i].skipped;
    }
    bool by_z = window->label == LABEL_GAMEPLAY && search->limits->rule != RULE_BUDGET;
    window->z = by_z ? candidate_z(search->limits, window->peak_ns) : NAN;
    window->floor_used = by_z && search->limits->floor_used;
    name_window(pieces, count, now);
    array_push(search->ret, *window);
}

void windows_find(const struct frame_piece *pieces, const struct frame_indices *candidates, size_t count,
                  const struct candidate_limits *limits, const struct analysis_settings *settings,
                  struct stutter_windows *ret)
{
    struct window_search search = {.pieces = pieces, .limits = limits, .settings = settings, .ret = ret};
    for (size_t i = 0; i < count; i++) {
        if (!pieces[i].stamp_ns)
            continue;
        for (size_t k = 0; k < candidates[i].count; k++) {
            size_t frame = candidates[i].items[k];
            enum frame_label label = label_at(pieces[i].labels, frame);
            if (!joins(&search, i, frame, label)) {
                close_window(&search, count);
                open_window(&search, i, frame, label);
            }
            add_candidate(&search, i, frame);
        }
    }
    close_window(&search, count);
}

static int64_t value_in(const struct frame_columns *columns, enum frame_column column, size_t frame)
{
    const int64_t *values = columns->values[column];
    return values && frame < columns->count ? values[frame] : VALUE_UNKNOWN;
}

static int64_t greatest_in(const struct frame_columns *columns, enum frame_column column, size_t first,
                           size_t last)
{
    int64_t greatest = VALUE_UNKNOWN; /* the smallest integer: any known value beats it */
    for (size_t i = first; i <= last && i < columns->count; i++) {
        int64_t value = value_in(columns, column, i);
        greatest = value > greatest ? value : greatest;
    }
    return greatest;
}

void window_fill_columns(struct stutter_window *window, const struct frame_columns *columns)
{
    size_t first = (size_t)window->first_frame, last = (size_t)window->last_frame,
           peak = (size_t)window->peak_frame;
    window->cpu_peak_ns = greatest_in(columns, COLUMN_CPU, first, last);
    window->gpu_peak_ns = greatest_in(columns, COLUMN_GPU, first, last);
    window->gc_peak = greatest_in(columns, COLUMN_GC, first, last);
    window->cpu_at_peak_ns = value_in(columns, COLUMN_CPU, peak);
    window->gpu_at_peak_ns = value_in(columns, COLUMN_GPU, peak);
    window->draw_calls_at_peak = value_in(columns, COLUMN_DRAW_CALLS, peak);
}
