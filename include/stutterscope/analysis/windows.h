/*
 * Candidates, windows, stutters: from frame times to what a ticket is about.
 */
#ifndef STUTTERSCOPE_ANALYSIS_WINDOWS_H
#define STUTTERSCOPE_ANALYSIS_WINDOWS_H

#include "stutterscope/analysis/piece.h"

/* What a group's frames are judged by; from the group's distribution. */
struct candidate_limits {
    enum candidate_rule rule; /* RULE_BUDGET when the threshold alone decides */
    double median_ns;
    double divisor_ns; /* max(MAD, floor); 0: unknown */
    bool floor_used;
    int64_t z_limit_ns; /* a frame has z >= limit when its time is >= this (smallest such integer) */
};
/* distribution NULL or without frames, few, or a divisor of 0: the threshold alone decides. */
struct candidate_limits candidate_limits_of(const struct distribution *distribution,
                                            const struct analysis_settings *settings);
double candidate_z(const struct candidate_limits *limits, int64_t frame_ns); /* NaN without distribution */

struct frame_indices {
    size_t *items;
    size_t count, capacity;
};
/*
 * Indices of the piece's candidates (labelled frames over the threshold included, pause frames not),
 * ascending. They replace what ret held; its memory is used again, the caller frees its items.
 */
void candidates_find(const struct frame_piece *piece, const struct candidate_limits *limits,
                     const struct analysis_settings *settings, struct frame_indices *ret);

struct stutter_windows {
    struct stutter_window *items;
    size_t count, capacity;
};
/*
 * Windows of one run in one group, added to ret. pieces: all pieces of the run in the group, in order (stamps
 * where a piece has candidates; other pieces may lack them). candidates[i]: those of pieces[i]. Fills
 * everything but id, CPU, GPU, GC, draw calls and causes (0 or unknown). Windows of different labels never
 * merge; none spans a gap (a hole over 500 ms), a clock step or two visits. An occurrence begins with the
 * start of its first frame. Silent events name no gameplay window; windows of other labels are named by the
 * same rule from all events. z is NaN for labelled windows and where the threshold alone decided.
 */
void windows_find(const struct frame_piece *pieces, const struct frame_indices *candidates, size_t count,
                  const struct candidate_limits *limits, const struct analysis_settings *settings,
                  struct stutter_windows *ret);
/* Fills CPU, GPU, GC and draw calls from the columns of the segment that holds the window's frames (the
 * peak's segment). */
void window_fill_columns(struct stutter_window *window, const struct frame_columns *columns);

/*
 * The event rule for single frames: greatest gameplay frame time and occurrences per event, of one run in one
 * group; all its pieces with stamps. A frame belongs to the event on it, else to the last occurrence of its
 * visit that began at most 2000 ms before its start, else to none (event 0). Silent events own no frame
 * (their peak is unknown), but their occurrences count. Occurrences are those that begin in these pieces; 0
 * for event 0. windows and excess_ns stay 0.
 */
struct event_tally {
    struct event_figures
        *items; /* in the order of first sight; event 0 first when any gameplay frame belongs to none */
    size_t count, capacity;
};
/* Adds to ret. */
void events_tally(const struct frame_piece *pieces, size_t count, struct event_tally *ret);

/* What decides about causes beside the window itself. */
struct cause_context {
    bool scene_starts_near; /* the visit began at most 1000 ms before the window */
    bool first_of_visit;    /* the peak frame is the first of its visit */
    bool load_event_near; /* an event of the class EVENT_LOADS began at most 1000 ms before, or lies inside */
    bool hot;             /* thermal: run_heat_covers() */
};
/* enum cause, or-ed. A side that is not recorded counts as 0 where the other one is known. */
uint32_t causes_of(const struct stutter_window *window, const struct cause_context *context);
/*
 * Fills scene_starts_near, first_of_visit, load_event_near from the window's visit; hot is left alone. pieces
 * as for windows_find().
 */
void cause_context_of(const struct frame_piece *pieces, size_t count, const struct stutter_window *window,
                      struct cause_context *ret);

/*
 * Whether the median frame time of a run's last quarter is at least 15 % above that of its first quarter.
 * Quarters are those of the gameplay time of the given pieces: all of the run in one scene, labels filled in,
 * stamps not needed.
 */
struct run_heat {
    bool hot;
    size_t half_piece, half_frame; /* where the second half of the play time begins */
};
void run_heat_of(const struct frame_piece *pieces, size_t count, struct run_heat *ret);
/* The run is hot and the window's peak lies in the second half. pieces: the same as for run_heat_of(). */
bool run_heat_covers(const struct run_heat *heat, const struct frame_piece *pieces, size_t count,
                     const struct stutter_window *window);
bool run_is_hot(const struct frame_piece *pieces, size_t count);
/*
 * Whether no order of these gameplay frame times makes a hot run: then nobody has to look at the order. values: ascending,
 * distinct; weights: how often each is there; frames, play_ns: how many and how long all are together. False says nothing.
 */
bool run_is_surely_cold(const int64_t *values, const int64_t *weights, size_t count, int64_t frames, int64_t play_ns);

/* Severity as in the definitions: peak (ms) x occurrence x weight; 0 without runs. */
double stutter_severity(const struct stutter *stutter, double weight);
/* Windows per minute, ms of excess per second of play; NaN without play time. */
double stutter_rate_per_minute(const struct stutter *stutter);
double stutter_lost_ms_per_s(const struct stutter *stutter);

#endif
