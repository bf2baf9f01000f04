/*
 * The settings that decide what a stutter is, with their defaults and limits; and what events mean.
 */
#ifndef STUTTERSCOPE_ANALYSIS_SETTINGS_H
#define STUTTERSCOPE_ANALYSIS_SETTINGS_H

#include "stutterscope/base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum candidate_rule { RULE_BOTH, RULE_BUDGET, RULE_MAD, RULE_EITHER };

struct analysis_settings {
    enum candidate_rule rule;
    int64_t factor_milli; /* alert factor x 1000 (2000) */
    int64_t z_milli;      /* robust z x 1000 (3500) */
    int64_t gap_ns;       /* merge gap (500 ms) */
    int64_t mad_floor_ns; /* 0.5 ms */
    int64_t few_frames;   /* 30 */
    int64_t fps_milli;    /* budget override x 1000; 0: from the telemetry */
    bool labels;          /* false: every frame is gameplay (--no-labels) */
};

void analysis_settings_default(struct analysis_settings *settings);
/*
 * One table of names ("rule", "factor", "z", "gap", "mad-floor", "few", "fps", "labels") drives options, the
 * Tune screen and the store. Values are written as people write them: gap and mad-floor in ms, fps "auto" or
 * a number.
 */
struct analysis_setting {
    const char *name;
    const char *unit;   /* "ms", "FPS", "x budget", …; "" without */
    const char *values; /* what is allowed, in words: "0 … 60000", "both, budget, mad, either" */
    const char *help;   /* one sentence */
};
const struct analysis_setting *analysis_settings_table(size_t *ret_count);
/* Unknown names and values outside their limits are refused with ERROR_USAGE and what would be right. */
bool analysis_settings_set(struct analysis_settings *settings, const char *name, const char *value,
                           struct error *error);
/* The value as analysis_settings_set() reads it; "" for an unknown name. Returns buffer. */
char *analysis_settings_print(const struct analysis_settings *settings, const char *name, char *buffer,
                              size_t size);
/* New string; equal for equal settings: the key of everything derived. */
char *analysis_settings_key(const struct analysis_settings *settings);
/*
 * New string: of these only what decides about labels and counts of a distribution, and the target FPS of the device
 * (VALUE_UNKNOWN or 0: none) unless the settings name one for all. The factor, up to the first blank, stands first; the
 * device, from ANALYSIS_DEVICE_WORD on, last.
 */
#define ANALYSIS_DEVICE_WORD " device-fps="
char *analysis_labelling_text(const struct analysis_settings *settings, int64_t device_fps_milli);

/*
 * The integers that frames are compared with: x is over (late, slow) when strictly greater. An override in
 * the settings beats fps_milli; without either (0 or less) the budget is that of 60 FPS.
 */
struct frame_limits {
    int64_t budget_ns;   /* rounded to nearest */
    int64_t late_ns;     /* floor(1.05 x budget) */
    int64_t slow_ns;     /* floor(1.5 x budget) */
    int64_t alert_ns;    /* floor(factor x budget) */
    int64_t start_up_ns; /* ceil(6 x budget): "at least" */
};
struct frame_limits frame_limits_of(const struct analysis_settings *settings, int64_t fps_milli);

/*
 * What the name of an event says (or-ed), decided from the name alone by one table of globs. Names compare
 * without regard to case; blank, '-', '.' and ':' count as '_'. The bits from EVENT_STEM_SHIFT on are a hash
 * of the stem of an interference pair (X of X_begin and X_end), so that a begin finds its own end; 0
 * elsewhere.
 */
enum event_class {
    EVENT_PAUSE_BEGIN = 1,
    EVENT_PAUSE_END = 2,
    EVENT_INTERFERENCE = 4,       /* any event of the interference list; alone: a single frame */
    EVENT_INTERFERENCE_BEGIN = 8, /* beside EVENT_INTERFERENCE: begin of an interval */
    EVENT_INTERFERENCE_END = 16,  /* beside EVENT_INTERFERENCE: its end */
    EVENT_LOADING_BEGIN = 32,
    EVENT_LOADING_END = 64,
    EVENT_LOADS = 128 /* *spawn*, *load*, *stream*: evidence for asset loading */
};
#define EVENT_STEM_SHIFT 8
uint32_t event_class_of(const char *name);
/* Events that name no gameplay window: those of the pause, interference and loading lists. */
bool event_class_is_silent(uint32_t event_class);

#endif
