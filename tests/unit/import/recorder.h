/*
 * A segment sink that remembers everything, and one call that imports a text into it.
 */
#ifndef TEST_IMPORT_RECORDER_H
#define TEST_IMPORT_RECORDER_H

#include "stutterscope/import/read.h"

struct recorded_segment {
    size_t run;
    char *scene, *quality;
    int64_t visit, target_fps_milli, refresh_milli_hz;
    bool broken;
    struct frame_columns columns; /* own copies */
};
struct recorded_run {
    char *build, *device, *name, *os, *series, *log_url, *interval, *notes;
    struct assembled_facts facts; /* numbers only */
    struct assembled_measures measures;
};
struct recorded_sample {
    size_t run;
    char *scene, *name, *unit; /* scene NULL: not said */
    double value;
    int64_t stamp_ns;
    bool snapshot;
};
struct recorder {
    struct {
        struct recorded_segment *items;
        size_t count, capacity;
    } segments;
    struct {
        struct recorded_run *items;
        size_t count, capacity;
    } runs;
    struct {
        struct recorded_sample *items;
        size_t count, capacity;
    } samples; /* of record_samples() */
    struct dictionary *texts;
    struct import_reading reading;
    struct error error;
    bool fine;
    char fingerprint[33];
};

struct recorder *record_text(const char *text, const struct import_options *options);
/* With a place for values beside frames, as a store has. */
struct recorder *record_samples(const char *bytes, size_t size, const struct import_options *options);
struct recorder *record_bytes(const char *bytes, size_t size, const struct import_options *options);
struct recorder *record_file(const char *path, const struct import_options *options);
void recorder_free(struct recorder *recorder);

int64_t recorded_frames(const struct recorder *recorder);
/* All values of one column in the order of the segments, VALUE_UNKNOWN where absent; run SIZE_MAX: of all
 * runs. */
int64_t *recorded_column(const struct recorder *recorder, size_t run, enum frame_column column,
                         size_t *ret_count);
/* Of the frame times of a run (SIZE_MAX: all), by plain sorting; ns. */
struct recorded_figures {
    size_t frames;
    int64_t sum, min, max, p95, p99;
    double median, mad;
};
struct recorded_figures recorded_figures(const struct recorder *recorder, size_t run);
int64_t recorded_rejects(const struct recorder *recorder, enum reject_reason reason);
bool recorded_note(const struct recorder *recorder, const char *part); /* some note contains it */
/* $STUTTERSCOPE_REFERENCE/name, NULL when it is not there; a new string. */
char *reference_path(const char *name);

/* Context for files that lack it. */
extern const struct import_options some_context;

#endif
