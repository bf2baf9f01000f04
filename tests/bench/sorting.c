/* How long the distribution of frame times takes, by the number of frames in a run and scene. */
#include "stutterscope/analysis/distribution.h"
#include "stutterscope/analysis/settings.h"
#include "stutterscope/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FRAMES 4000000

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(void)
{
    static const size_t sizes[] = {100, 500, 2000, 10000, 100000, FRAMES};
    int64_t *frames = memory_take(FRAMES * sizeof *frames);
    struct analysis_settings settings;
    struct distribution_builder *builder;
    uint64_t state = 1;

    for (size_t i = 0; i < FRAMES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        frames[i] = (16000 + (int64_t)(state >> 40) % 1200 + ((state >> 33 & 127) == 0 ? 40000 + (int64_t)(state >> 48) : 0)) * 1000;
    }
    analysis_settings_default(&settings);
    builder = distribution_builder_create(&settings);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        double begun = now();
        int64_t sum = 0;

        for (size_t first = 0; first + sizes[s] <= FRAMES; first += sizes[s]) {
            const struct frame_piece piece = {.frame_ns = frames + first, .count = sizes[s], .fps_milli = 60000};
            struct distribution distribution;

            distribution_builder_clear(builder);
            distribution_builder_add(builder, &piece, (struct sample_policy){1, VALUE_UNKNOWN});
            distribution_builder_finish(builder, &distribution);
            sum += distribution.p99_ns;
        }
        printf("%7zu frames at a time: %5.1f ns a frame (sum of P99 %" PRId64 ")\n", sizes[s], (now() - begun) / FRAMES * 1e9, sum);
    }
    distribution_builder_destroy(builder);
    free(frames);
    return 0;
}
