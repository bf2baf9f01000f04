/*
 * The figures that analysis computes, the store keeps and the model shows. Plain data; every definition stands beside
 * the function that computes it (analysis/). Ids are those of the store's tables; 0 is "none".
 */
#ifndef STUTTERSCOPE_BASE_FIGURES_H
#define STUTTERSCOPE_BASE_FIGURES_H

#include "stutterscope/base/telemetry.h"
#include <stdbool.h>
#include <stdint.h>

/* One distribution: the frames of a build on a device in a scene at a quality. */
struct group_key {
    int64_t build, device, scene, quality;
};

struct label_total {
    int64_t frames; /* weighted */
    int64_t ns;
    int64_t over; /* of these over the alert threshold */
};

/*
 * Counts and sums are weighted by declared sampling; frames_kept counts rows. Only gameplay frames enter, but for
 * labelled[]. With frames == 0 all other figures but labelled[] are 0 and mean nothing.
 */
struct distribution {
    int64_t frames, frames_kept;
    int64_t duration_ns; /* sum of frame times */
    double median_ns, mad_ns;
    int64_t p95_ns, p99_ns, min_ns, max_ns; /* nearest rank */
    double mean_ns;
    double low1_ns;      /* mean of the slowest ceil(N/100) frames */
    int64_t late;        /* frames over 1.05 x budget */
    int64_t over;        /* frames over the alert threshold */
    int64_t slow_frames; /* frames over 1.5 x budget */
    int64_t excess_ns;   /* sum of max(0, x - budget) */
    struct label_total labelled[LABEL_COUNT]; /* [LABEL_GAMEPLAY] is the above again */
};

enum figure_flag {
    FIGURE_FEW = 1,          /* fewer than 30 frames kept */
    FIGURE_SLOW = 2,         /* more than half of the frames over 1.5 x budget */
    FIGURE_SAMPLED = 4,      /* frames are missing everywhere and the log does not say how: no windows */
    FIGURE_DECLARED = 8,     /* declared sampling: figures rest on weights */
    FIGURE_NO_WINDOWS = 16,  /* no run of it can show windows */
    FIGURE_SPIKE_ONLY = 32,  /* only frames over a limit were kept: windows, no distribution */
    FIGURE_SUMMARISED = 64,  /* distribution from elsewhere, frames over a limit only */
    FIGURE_NO_CLOCK = 128,   /* no time stamps: windows by frame order only */
    FIGURE_UNIT_GUESSED = 256, /* stamps or times were rescaled */
    FIGURE_OPEN_INTERVAL = 512 /* a pause, loading or interference interval ended otherwise than by its event */
};

/* Figures of one run in one scene at one quality. */
struct run_figures {
    int64_t run, scene, quality;
    struct distribution distribution;
    int64_t windows, transitions; /* gameplay windows; windows of start-up, scene change, loading */
    int64_t gaps, gap_ns;
    uint32_t flags;
};

struct group_figures {
    struct group_key key;
    struct distribution distribution;
    int64_t runs;         /* runs with frames in the group */
    int64_t runs_windows; /* of these, runs that can show windows */
    int64_t windows, transitions;
    int64_t gaps, gap_ns;
    uint32_t flags;
};

/*
 * What an event did in one run of a group, by the event rule applied to single gameplay frames (event 0: frames that
 * belong to no event): how often it occurred and the greatest frame time at it.
 */
struct event_figures {
    int64_t run, scene, quality, event;
    int64_t occurrences;
    int64_t peak_ns;  /* VALUE_UNKNOWN when no gameplay frame belongs to it */
    int64_t windows;  /* gameplay windows with this event */
    int64_t excess_ns; /* of these windows */
};

enum cause {
    CAUSE_CPU_BOUND = 1,
    CAUSE_GPU_BOUND = 2,
    CAUSE_CONTESTED = 4,
    CAUSE_ASSET_LOADING = 8,
    CAUSE_GC_PRESSURE = 16,
    CAUSE_THERMAL = 32,
    CAUSE_WAITING = 64,
    CAUSE_UNKNOWN = 128
};

struct stutter_window {
    int64_t id; /* row of the store */
    int64_t run, scene, quality;
    enum frame_label label;
    int64_t event, event_before, event_after;      /* text ids; before and after: nearest in the same visit */
    int64_t event_offset_ns;                       /* start of the window - begin of its event; unknown without */
    int64_t start_ns, end_ns;                      /* on the run's clock */
    int64_t peak_ns, peak_stamp_ns;                /* the earliest of equal peaks */
    int64_t frames, over;                          /* frames inside; candidates */
    int64_t excess_ns;                             /* sum of x - budget over the candidates */
    int64_t cpu_peak_ns, gpu_peak_ns, gc_peak;     /* greatest inside; VALUE_UNKNOWN */
    int64_t cpu_at_peak_ns, gpu_at_peak_ns;        /* at the peak frame; VALUE_UNKNOWN */
    int64_t draw_calls_at_peak;                    /* VALUE_UNKNOWN */
    int64_t limit_ns;                              /* alert threshold at the peak frame, rounded down */
    int64_t budget_ns;                             /* rounded to ns */
    double z;                                      /* of the peak; NaN when the threshold alone decided */
    bool floor_used;
    uint32_t causes;                               /* enum cause, or-ed */
    int64_t segment, first_frame, last_frame, peak_frame; /* segment of the peak; indices in it (first, last clipped) */
};

/* The windows of one group with the same label and event. */
struct stutter {
    struct group_key key;
    enum frame_label label;
    int64_t event;
    int64_t peak_ns;
    int64_t runs_hit, runs; /* runs: those of the group that can show windows */
    int64_t seen;           /* occurrences of the event in the group's runs; without event: runs */
    int64_t windows, over;
    int64_t excess_ns;
    int64_t play_ns; /* gameplay duration of the group's runs that can show windows */
    int64_t worst_window; /* id */
    uint32_t causes;      /* of the worst window */
};

#endif
