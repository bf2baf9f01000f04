/*
 * What the columns of a table on a server are called and how they are counted, as SQL expressions: what is asked for
 * is written in these and nothing else.
 */
#ifndef STUTTERSCOPE_REMOTE_COLUMNS_H
#define STUTTERSCOPE_REMOTE_COLUMNS_H

#include "stutterscope/remote/server.h"

enum remote_column {
    REMOTE_BUILD,
    REMOTE_DEVICE,
    REMOTE_SCENE,
    REMOTE_RUN,
    REMOTE_STAMP, /* ns */
    REMOTE_FRAME, /* ns */
    REMOTE_QUALITY,
    REMOTE_EVENT,
    REMOTE_CPU,   /* ns; this and all numbers below: -1 is unknown */
    REMOTE_GPU,
    REMOTE_GC,
    REMOTE_DRAW_CALLS,
    REMOTE_TARGET_FPS, /* milli */
    REMOTE_REFRESH,    /* milli */
    REMOTE_SOC,
    REMOTE_MODEL_CODE,
    REMOTE_OS,
    REMOTE_GPU_NAME,
    REMOTE_SERIES,
    REMOTE_SCENARIO,
    REMOTE_COMMIT,
    REMOTE_CI_RUN,
    REMOTE_BUILT_AT,
    REMOTE_STARTED_AT,
    REMOTE_LOG_URL,
    REMOTE_OUTCOME,
    REMOTE_STATION,
    REMOTE_SAMPLE_EVERY,
    REMOTE_KEPT_OVER, /* ns */
    REMOTE_COLUMNS
};

struct remote_columns {
    char *expression[REMOTE_COLUMNS]; /* text: String, "''" when the table lacks it; numbers: Int64, "toInt64(-1)" */
    bool known[REMOTE_COLUMNS];
    char *run_name; /* of the column itself, to join by */
};
/* maps: "frame_time_us=dauer", as for files. Errors name what is missing and what is there. */
bool remote_columns_find(struct remote_server *server, const char *const *maps, size_t map_count, struct remote_columns *ret,
                         struct error *error);
/* From now on every frame has this target FPS; 0 or less changes nothing. Returns true. */
bool remote_columns_fix_fps(struct remote_columns *columns, int64_t fps_milli);
void remote_columns_free(struct remote_columns *columns);

#endif
