/*
 * Frames of a summarised run, fetched when somebody looks at them. Nothing is stored.
 */
#ifndef STUTTERSCOPE_REMOTE_FRAMES_H
#define STUTTERSCOPE_REMOTE_FRAMES_H

#include "stutterscope/base/progress.h"
#include "stutterscope/store/summary.h"

enum { REMOTE_FRAMES_MOST = 1000000 };

struct remote_frame {
    int64_t stamp_ns, frame_ns, cpu_ns, gpu_ns, gc, draw_calls; /* VALUE_UNKNOWN but for the first two */
};
struct remote_frames {
    struct remote_frame *items; /* in the order of the run */
    size_t count, capacity;
};
/* All frames of the run that end after from_ns and start before to_ns. Errors name the server and say what is
 * wrong. */
bool remote_fetch_frames(const struct run_source *source, int64_t from_ns, int64_t to_ns,
                         const struct progress *progress, struct remote_frames *ret, struct error *error);

#endif
