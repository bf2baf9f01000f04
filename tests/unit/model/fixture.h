/*
 * Small stores for tests: runs of calm frames with a few slow ones, written through the store's writer.
 */
#ifndef TESTS_MODEL_FIXTURE_H
#define TESTS_MODEL_FIXTURE_H

#include "stutterscope/base/dictionary.h"
#include "stutterscope/model/model.h"
#include "stutterscope/store/writer.h"

/* A frame that differs from the calm ones. Times in µs. */
struct slow_frame {
    size_t index;
    int64_t frame_us, cpu_us, gpu_us;
    const char *event; /* NULL: none */
};

struct test_run {
    const char *build, *device, *scene, *quality, *run, *os;
    size_t frames;              /* calm ones take 16.0 … 16.4 ms */
    const struct slow_frame *slow;
    size_t slow_count;
    int64_t started_at_ms;
    int64_t fps_milli; /* of the run; 0: 60 FPS, VALUE_UNKNOWN: the device says it, not the run */
    bool spikes_only; /* only the slow frames are written, kept over 0 ms */
    const char *then_quality; /* NULL: none; the same frames once more at another quality */
};

struct fixture {
    char folder[64], path[96];
    struct store *store;
};

void fixture_open(struct fixture *fixture);
void fixture_add(struct fixture *fixture, const struct test_run *run);
/* Closes the writer's connection and opens the model on the file. */
struct model *fixture_model(struct fixture *fixture);
void fixture_close(struct fixture *fixture, struct model *model);

#endif
