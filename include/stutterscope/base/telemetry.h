/*
 * The words that import, store and analysis share: what a frame is made of, and how unknown is written.
 * Plain data only.
 */
#ifndef STUTTERSCOPE_BASE_TELEMETRY_H
#define STUTTERSCOPE_BASE_TELEMETRY_H

#include <stddef.h>
#include <stdint.h>

/* An integer that is not known. Unknown is never 0. */
#define VALUE_UNKNOWN INT64_MIN

#define NS_PER_MS 1000000LL
#define NS_PER_S 1000000000LL

/* The columns of a segment, in the order in which they are stored. All values are int64_t. */
enum frame_column {
    COLUMN_STAMP,      /* ns; the END of the frame, on the run's own clock */
    COLUMN_FRAME_TIME, /* ns; always known */
    COLUMN_CPU,        /* ns */
    COLUMN_GPU,        /* ns */
    COLUMN_DISPLAY,    /* ns; the display interval, where frame time is the present interval (and the other way round) */
    COLUMN_GC,         /* bytes allocated in this frame */
    COLUMN_DRAW_CALLS, /* count */
    COLUMN_MEMORY,     /* bytes in use */
    COLUMN_EVENT,      /* id of a text (event name) */
    COLUMN_STEP,       /* id of a text (step of the scenario) */
    COLUMN_THERMAL,    /* id of a text (thermal state) */
    COLUMN_SCREENSHOT, /* id of a text (file name or URL) */
    COLUMN_FLAGS,      /* enum frame_flag, or-ed; VALUE_UNKNOWN counts as 0 */
    COLUMN_COUNT
};

enum frame_flag {
    FRAME_DROPPED = 1, /* presented by the game, never shown */
    FRAME_ORDER_ONLY = 2 /* the source has no clock; the stamp is the running sum of frame times */
};
/* Of summarised runs: how many frames before this one, of the same visit, are not here. Above the flags. */
#define FRAME_SKIPPED_SHIFT 8

/*
 * Some consecutive frames, one array per column, all of length count. A NULL array says that the source lacks the
 * column; single missing values are VALUE_UNKNOWN. COLUMN_FRAME_TIME is never NULL.
 */
struct frame_columns {
    size_t count;
    int64_t *values[COLUMN_COUNT];
};

/* What a frame is, in the order of precedence (the first that applies wins). */
enum frame_label {
    LABEL_GAMEPLAY,
    LABEL_PAUSE,
    LABEL_INTERFERENCE,
    LABEL_LOADING,
    LABEL_START_UP,
    LABEL_SCENE_CHANGE,
    LABEL_COUNT
};

const char *frame_label_name(enum frame_label label); /* "gameplay", "pause", …, "scene change" */

/* Frames [first, end) of a segment. */
struct frame_range {
    size_t first, end;
};

#endif
