/*
 * Small runs out of arrays of milliseconds, for the tests of analysis/.
 */
#ifndef STUTTERSCOPE_TESTS_ANALYSIS_HELPER_H
#define STUTTERSCOPE_TESTS_ANALYSIS_HELPER_H

#include "stutterscope/analysis/distribution.h"
#include "stutterscope/analysis/holes.h"
#include "stutterscope/analysis/labels.h"
#include "stutterscope/analysis/windows.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int64_t MS(double ms)
{
    return llround(ms * 1e6);
}

#define FULL_LOG ((struct sample_policy){1, VALUE_UNKNOWN})

/* A run whose frames touch each other, one piece to begin with; texts of events get ids 1, 2, … by their
 * order. */
struct sample {
    size_t count;
    int64_t *frame_ns, *stamp_ns;
    struct event_mark *marks;
    size_t mark_count;
    struct analysis_settings settings;
    struct label_spans spans;
    struct label_report report;
};

static inline void sample_restamp(struct sample *sample, size_t from, int64_t start_ns)
{
    for (size_t i = from; i < sample->count; i++)
        sample->stamp_ns[i] = start_ns += sample->frame_ns[i];
}

static inline struct sample sample_create(size_t count, double ms)
{
    struct sample sample = {.count = count};
    sample.frame_ns = calloc(count + 1, sizeof *sample.frame_ns);
    sample.stamp_ns = calloc(count + 1, sizeof *sample.stamp_ns);
    sample.marks = calloc(count + 1, sizeof *sample.marks);
    analysis_settings_default(&sample.settings);
    for (size_t i = 0; i < count; i++)
        sample.frame_ns[i] = MS(ms);
    sample_restamp(&sample, 0, 0);
    return sample;
}

/* Rows count from 1, as in a file. */
static inline void sample_put(struct sample *sample, size_t row, double ms)
{
    sample->frame_ns[row - 1] = MS(ms);
    sample_restamp(sample, 0, 0);
}

static inline void sample_event(struct sample *sample, size_t row, int64_t id, const char *name)
{
    size_t at = sample->mark_count++;
    bool begins = at == 0 || sample->marks[at - 1].event != id || sample->marks[at - 1].frame + 1 != row - 1;
    sample->marks[at] = (struct event_mark){row - 1, id, event_class_of(name), begins};
}

static inline struct frame_piece sample_piece(const struct sample *sample)
{
    return (struct frame_piece){
        .segment = 1,
        .run = 1,
        .scene = 1,
        .quality = 1,
        .fps_milli = 60000,
        .count = sample->count,
        .frame_ns = sample->frame_ns,
        .stamp_ns = sample->stamp_ns,
        .events = sample->marks,
        .event_count = sample->mark_count,
        .labels = &sample->spans,
    };
}

static inline void sample_label(struct sample *sample)
{
    struct frame_piece piece = sample_piece(sample);
    sample->spans.count = 0;
    label_run(&piece, 1, &sample->settings, &sample->spans, &sample->report);
}

static inline struct distribution sample_distribution(const struct sample *sample)
{
    struct distribution ret;
    struct frame_piece piece = sample_piece(sample);
    struct distribution_builder *builder = distribution_builder_create(&sample->settings);
    distribution_builder_add(builder, &piece, FULL_LOG);
    distribution_builder_finish(builder, &ret);
    distribution_builder_destroy(builder);
    return ret;
}

/* Labels, distribution, candidates, windows; the caller frees the items. */
static inline struct stutter_windows sample_windows(struct sample *sample)
{
    struct stutter_windows ret = {0};
    struct frame_indices candidates = {0};
    sample_label(sample);
    struct frame_piece piece = sample_piece(sample);
    struct distribution distribution = sample_distribution(sample);
    struct candidate_limits limits = candidate_limits_of(&distribution, &sample->settings);
    candidates_find(&piece, &limits, &sample->settings, &candidates);
    windows_find(&piece, &candidates, 1, &limits, &sample->settings, &ret);
    free(candidates.items);
    return ret;
}

static inline void sample_free(struct sample *sample)
{
    free(sample->frame_ns);
    free(sample->stamp_ns);
    free(sample->marks);
    free(sample->spans.items);
}

/* The same numbers on every machine (xorshift64*). */
static inline uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1du >> 16;
}

#endif
